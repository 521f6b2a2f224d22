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

struct sl_operator_table {
    uint32_t latency[SL_OPERATOR_COUNT];
    uint32_t local_ports, private_ports; /* of each array, per cycle */
    uint32_t global_bytes;               /* per cycle, for all kernels together; 0: no limit */
    uint32_t clock_mhz;
};

void sl_operators_generic(struct sl_operator_table *);

/* Changes what the text names: a row is a key and a number, "#" begins a comment. 0, or -1 with the
 * line and what is wrong with it in `why`; the table is as it was then. */
int sl_operators_read(struct sl_operator_table *, const char *text, char *why, size_t size);

/* "float add" */
const char *sl_operator_words(enum sl_operator);

#endif
