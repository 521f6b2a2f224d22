/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph of times without the nodes that are late just because another one is, which can be said
 * of that one. No shared state.
 */
#ifndef SL_KERNELS_REPORT_TIMES_SETTLE_H
#define SL_KERNELS_REPORT_TIMES_SETTLE_H

#include "report/times_graph.h"

struct sl_times_node {
    int32_t late;
    int32_t spare; /* it could be late by so much, within `slowest` cycles of the run */
};

enum sl_times_stay { SL_TIMES_GOES, SL_TIMES_STAYS, SL_TIMES_STAYS_WITH_EDGE };

/*
 * Edges have slacks, no node is late so far, and none becomes later than its spare. `stay`, of each
 * node: GOES if it can. Edges to the node behind all others are left out; those with an edge get
 * one as their last. `numbers`, of each node: its number in the new graph, SL_TIMES_NOWHERE: none.
 * 0, or -1: no memory, and all is as it was.
 */
int sl_times_settle_graph(struct sl_times_graph *, const struct sl_times_node *,
                          const unsigned char *stay, uint32_t *numbers);

#endif
