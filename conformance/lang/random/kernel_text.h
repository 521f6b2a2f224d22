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

/* Indented. */
void print_line(struct printer *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_type(struct printer *, enum base, uint32_t width);
void print_input(struct printer *, uint32_t which);
/* First of the item's slots of an output, without the padding. */
void print_own(struct printer *, uint32_t which);
/* A variable: a member's name has its record's in front. */
void print_var(struct printer *, uint32_t index);
void print_expr(struct printer *, const struct expr *);
void print_operand(struct printer *, const struct expr *, int wraps);

/* kernel_print_record.c */
void print_record_types(struct printer *);
void print_record(struct printer *, const struct stmt *);
/* With a comma in front; of a record's members only the first is one. */
void print_param(struct printer *, uint32_t var);

#endif
