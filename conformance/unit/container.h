/* SPDX-License-Identifier: Apache-2.0 */
/* Writes containers (sluice/module.h) for tests, independently of the compiler's own writer. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/module.h"

struct container_text {
    const char *target, *options, *log;
    const void *payload;
    size_t payload_bytes;
    uint32_t kind;
};

/* malloc'ed; *bytes is its size. */
unsigned char *container_make(const struct container_text *, size_t *bytes);
/* Sums a changed container again. */
void container_sum(unsigned char *container, size_t bytes);
/* A shared object without code that passes the checks. */
const void *container_elf(size_t *bytes);

#endif
