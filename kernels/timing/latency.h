/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency constraints of a loop body: how many cycles of its schedule an operation is behind
 * another one, its anchor, of the same iteration. Waiting for pipes does not count. They become
 * dependences, with which the schedule stretches. No shared state.
 */
#ifndef SL_KERNELS_TIMING_LATENCY_H
#define SL_KERNELS_TIMING_LATENCY_H

#include <stdio.h>

#include "llvm/latency.h"
#include "llvm/loops/counts/loop_graph.h"

struct sl_loop_timing;

struct sl_latency_bound {
    uint32_t operation, anchor; /* of the body */
    struct sl_latency_control control;
};

/* No body has more. */
uint32_t sl_latency_most_bounds(const struct sl_loop_body *);

/* Adds them to the graph, in the order of the code; those that cannot hold beside the ones before
 * go to the text, a line each, and are left out. -1: no memory. */
int sl_latency_bound(struct sl_loop_timing *, const struct sl_loop_body *, FILE *broken);

/* All could hold, but for the ports of arrays. */
void sl_latency_no_place(const struct sl_loop_timing *, const struct sl_loop_body *, FILE *broken);

/* Of a body whose iterations do not overlap: which operations on pipes have their cycles from one
 * begin, because no loop lies between them; numbers from 1, 0 for all else. Owned by the caller;
 * NULL: no memory. */
uint32_t *sl_latency_stretches(const struct sl_loop_body *);

#endif
