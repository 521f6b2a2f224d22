/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two halves of the interpreter of random kernels: expressions and statements. */
#ifndef SLUICE_TEST_KERNEL_INTERPRET_H
#define SLUICE_TEST_KERNEL_INTERPRET_H

#include "kernel.h"

enum flow { GO_ON, BREAK, CONTINUE, RETURN, GOTO };

struct item {
    struct value *slots; /* of variables */
    int64_t ids[IDS];
    int done;
};

struct machine {
    const struct program *program;
    struct launch *launch;
    struct item *items; /* of the group */
    uint32_t item_count, label;
    struct value local[MOST_LOCAL], result; /* local: vectors, or numbers */
};

/* A number in local memory; *lane: which component of it. */
struct value *local_place(struct machine *, uint32_t component, int64_t at, uint32_t *lane);

struct value eval(struct machine *, struct item *, const struct expr *);
int64_t number(struct machine *, struct item *, const struct expr *);
/* Index of the item's first slot of an output. */
size_t own_place(const struct machine *, const struct item *, uint32_t output);
enum flow run_stmts(struct machine *, struct item *, const struct stmt *first);

#endif
