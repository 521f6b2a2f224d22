/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks for fibers: address space with a guard page below, pages come when touched. Tops are
 * coloured: without that all stacks' hot lines would fall into the same sets of the caches.
 */
#ifndef SL_FPGA_STACK_H
#define SL_FPGA_STACK_H

#include <stddef.h>
#include <stdint.h>

struct sl_stack {
    void *low, *top;   /* usable; top is 64-aligned */
    void *mapping;     /* owned */
    size_t bytes;      /* of the mapping, guard included */
    unsigned valgrind; /* its number for the stack */
};

/* `colour`: any number, different for each stack. 0 or SL_OUT_OF_RESOURCES. */
int sl_stack_map(struct sl_stack *, size_t bytes, uint32_t colour);
void sl_stack_unmap(const struct sl_stack *);

#endif
