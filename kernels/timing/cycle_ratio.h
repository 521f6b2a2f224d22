/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The maximum cycle ratio of a graph: of all its cycles the most cycles (of a clock) for each
 * round. That is what a timed event graph takes for a round in the long run. Exact: numbers are
 * whole, the result is a fraction. No shared state.
 */
#ifndef SL_KERNELS_TIMING_CYCLE_RATIO_H
#define SL_KERNELS_TIMING_CYCLE_RATIO_H

#include <stdint.h>

struct sl_ratio_edge { /* `to` comes so many cycles behind `from`, of so many rounds before */
    uint32_t from, to;
    int64_t cycles, rounds; /* both small: below 2^40 */
};

struct sl_cycle_ratio {
    uint64_t cycles, rounds; /* without a common divisor */
    uint32_t *edges;         /* owned; of the critical cycle, one behind the other */
    uint32_t count;
};

/* 0; -1: no memory; 1: there is no ratio, as a cycle needs itself or there is none at all, or it
 * takes too long to find. *edges is NULL then. */
int sl_cycle_ratio_find(const struct sl_ratio_edge *, uint32_t edges, uint32_t nodes,
                        struct sl_cycle_ratio *);

#endif
