/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two halves of the printer of random kernels: expressions and statements. */
#ifndef SLUICE_TEST_KERNEL_TEXT_H
#define SLUICE_TEST_KERNEL_TEXT_H

#include "kernel.h"

struct printer {
    const struct program *p;
    FILE *to;
    int depth;
};

void print_type(struct printer *, enum base, uint32_t width);
void print_input(struct printer *, uint32_t which);
/* First of the item's slots of an output, without the padding. */
void print_own(struct printer *, uint32_t which);
void print_expr(struct printer *, const struct expr *);
void print_operand(struct printer *, const struct expr *, int wraps);

#endif
