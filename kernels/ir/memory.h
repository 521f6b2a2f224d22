/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation inside passes. The compiler is a process of its own and LLVM ends it when memory runs
 * out; the passes do the same, so none of them carries a path for it.
 */
#ifndef SL_KERNELS_IR_MEMORY_H
#define SL_KERNELS_IR_MEMORY_H

#include <stddef.h>

/* Zeroed; never NULL, also for count 0. */
void *sl_ir_alloc(size_t count, size_t size);
void *sl_ir_resize(void *old, size_t count, size_t size);

/* A growing array of pointers: blocks, instructions, functions. Zero-initialised is empty. */
struct sl_list {
    void **items; /* owned */
    size_t count, capacity;
};
void sl_list_add(struct sl_list *, void *item);
void sl_list_finish(struct sl_list *);

#endif
