/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of operators: how many cycles each kind of operation takes, and how many ports memories
 * have. The generic device's is built in; a text gives other numbers. No shared state.
 */
#ifndef SL_KERNELS_TIMING_OPERATORS_H
#define SL_KERNELS_TIMING_OPERATORS_H

#include <stddef.h>
#include <stdint.h>

enum sl_operator {
#define SL_OPERATOR(name, key, words, latency) SL_OPERATOR_##name,
#include "timing/operators.def"
#undef SL_OPERATOR
    SL_OPERATOR_COUNT,
    SL_OPERATOR_NONE = SL_OPERATOR_COUNT, /* takes no time: wires */
};

/* What is known of a loop from elsewhere, as from a vendor's report: it goes first. */
struct sl_operator_loop {
    char *file; /* owned; its name or the end of its path; NULL: any */
    uint32_t line, interval, depth;
};

struct sl_operator_table {
    uint32_t latency[SL_OPERATOR_COUNT];
    uint32_t local_ports, private_ports; /* of each array, per cycle */
    uint32_t local_copies; /* groups on their way at once, each with local memory of its own */
    uint32_t global_bytes; /* per cycle, for all kernels together; 0: no limit */
    uint32_t clock_mhz;
    struct sl_operator_loop *loops; /* owned */
    uint32_t loop_count;
};

/* To be finished. */
void sl_operators_generic(struct sl_operator_table *);
void sl_operators_finish(struct sl_operator_table *);

/* Changes what the text names: a row is a key and a number, or "loop", a place, II and depth; "#"
 * begins a comment. Loops of
 * another text are forgotten. 0, or -1 with the line and what is wrong with it in `why`; the table
 * is as it was then. */
int sl_operators_read(struct sl_operator_table *, const char *text, char *why, size_t size);

/* The last row for the loop at this place; NULL: there is none. */
const struct sl_operator_loop *sl_operators_loop(const struct sl_operator_table *, const char *file,
                                                 uint32_t line);

/* "float add" */
const char *sl_operator_words(enum sl_operator);

#endif
