/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, a library and an executable, made by the compiler in this process. */
#ifndef SLUICE_FUZZ_LINK_SEED_H
#define SLUICE_FUZZ_LINK_SEED_H

#include <stddef.h>
#include <stdint.h>

/* 0, or 77: there is no compiler. Once. */
int link_seeds_make(void);
/* A byte that chooses, and a container; 0 behind the last. The first one is an object. */
size_t link_seed(uint32_t which, const uint8_t **data);

#endif
