/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from LLVM handles to LLVM handles or small numbers. */
#ifndef SL_KERNELS_IR_MAP_H
#define SL_KERNELS_IR_MAP_H

#include <stddef.h>

/* Zero-initialised is empty. */
struct sl_map {
    struct sl_map_entry *entries; /* owned */
    size_t count, capacity;       /* a power of two, or 0 */
};

void *sl_map_get(const struct sl_map *, const void *key); /* NULL: not there */
void sl_map_set(struct sl_map *, const void *key, void *value);
void sl_map_each(const struct sl_map *, void (*visit)(void *value));
void sl_map_finish(struct sl_map *);

#endif
