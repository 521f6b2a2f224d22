/* SPDX-License-Identifier: Apache-2.0 */
/* Containers that were changed get a right checksum, so that the rest of them is looked at. */
#ifndef SLUICE_FUZZ_CONTAINER_SUM_H
#define SLUICE_FUZZ_CONTAINER_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sluice/base/hash.h"
#include "sluice/module.h"

/* Leaves alone what is no container. */
static inline void container_sum(void *container, size_t bytes)
{
    const size_t from = offsetof(struct sl_binary_header, checksum), after = from + 16;
    char *at = container;
    if (bytes < sizeof(struct sl_binary_header) || memcmp(at, SL_BINARY_MAGIC, 8) != 0)
        return;
    struct sl_hash hash = sl_hash_bytes(at + after, bytes - after);
    memcpy(at + from, (uint64_t[2]){hash.low, hash.high}, 16);
}

#endif
