/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzz targets share: random numbers, mutation of bytes, and a main program for compilers that
 * bring no fuzzer of their own. */
#ifndef SLUICE_FUZZ_H
#define SLUICE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The interface of libFuzzer, which guides by coverage where the compiler has it. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most);

/* A target may have changes of its own. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most,
                                                     unsigned seed);

/* Inputs to begin with; without a corpus folder. The pointer stays the target's. */
size_t fuzz_seed(uint32_t number, const uint8_t **data);

uint64_t fuzz_draw(uint64_t below);

#endif
