/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two halves of the maker of random kernels: expressions and statements. */
#ifndef SLUICE_TEST_KERNEL_MAKE_H
#define SLUICE_TEST_KERNEL_MAKE_H

#include "kernel.h"

struct maker {
    struct program *p;
    uint64_t state;
    uint32_t visible[MOST_VARS], visible_count;
    uint32_t labels[8], label_count;
    int loops, breakable; /* how deep */
    int in_function;      /* else the kernel's own body */
    struct type result;
    int may_return, uniform, may_read_local;
    uint32_t readable; /* components of local memory, one bit each */
    uint32_t callable; /* functions made so far */
    uint32_t budget;   /* statements still allowed */
};

uint32_t pick(struct maker *, uint32_t below);
int chance(struct maker *, uint32_t percent);
void *node(struct maker *, size_t bytes);
struct type scalar(enum base);
enum base any_base(struct maker *);
enum base integer_base(struct maker *);
struct type any_type(struct maker *);

/* kernel_node.c */
struct expr *new_expr(struct maker *, enum op, struct type);
struct expr *new_expr_of(struct maker *, enum op, struct type, struct expr *, struct expr *);
/* From the operation and the ranges of the arguments; `wraps` if that is too much. */
void find_range(struct expr *);
struct expr *set_range(struct expr *, double lo, double hi);

/* Of exactly this type. */
struct expr *make_expr(struct maker *, struct type, int depth);
struct expr *make_cond(struct maker *, int depth);
struct expr *make_number(struct maker *, struct type, int64_t);
struct expr *make_var(struct maker *, uint32_t index);
/* A number of the item, of its group or of the launch. */
struct expr *make_identity(struct maker *);
/* Some visible one, of this type if it can be found, or else a constant. */
struct expr *make_variable(struct maker *, struct type);
/* Something in memory, converted to the type. */
struct expr *make_access(struct maker *, struct type, int depth);
struct expr *make_between(struct maker *, uint32_t var, int64_t lo, int64_t hi);
/* An integer from 0 to below - 1. */
struct expr *make_index(struct maker *, uint32_t below, int depth);
/* From 0 to most, a power of two less one, and different between items. */
struct expr *make_bits(struct maker *, struct type, int64_t most);
/* Brought into the range by arithmetic, if need be. */
struct expr *make_fit(struct maker *, struct expr *, double lo, double hi);
struct expr *make_converted(struct maker *, struct expr *, struct type);
struct expr *make_binary(struct maker *, enum op, struct expr *, struct expr *);
/* kernel_stmt.c */
uint32_t new_var(struct maker *, struct type, uint32_t length);
void show(struct maker *, uint32_t var);
struct stmt *new_stmt(struct maker *, enum stmt_kind);
struct stmt *make_declaration(struct maker *, struct type, uint32_t length);
struct stmt *make_return(struct maker *);
struct stmt *make_block(struct maker *, int depth, uint32_t most);

/* kernel_shape.c: shapes of whole programs. NULL: there is no room for one. */
struct stmt *make_shape(struct maker *, int depth);
struct stmt *make_record(struct maker *, int plain);
struct stmt *make_loop(struct maker *, int depth);
/* Parameters that are the members of a struct, or that point to a variable. */
void make_record_params(struct maker *, struct function *);
void make_pointer_param(struct maker *, struct function *);

double base_lowest(enum base);
double base_highest(enum base);

#endif
