/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of a trace: what comes no earlier than what, within a run of a kernel, between runs,
 * and at each end of a pipe; and reads behind writes. Which write comes behind a read depends on
 * the depth of the pipe: each read that could make room has an edge to nowhere for it. Nodes are
 * rows of the log, edges go from earlier rows to later ones. No shared state.
 */
#ifndef SL_KERNELS_REPORT_TIMES_GRAPH_H
#define SL_KERNELS_REPORT_TIMES_GRAPH_H

#include "report/replay.h"

#define SL_TIMES_NOWHERE UINT32_MAX

struct sl_times_edge {
    uint32_t to;
    union {
        uint32_t distance; /* it comes no earlier than so much later */
        int32_t slack;     /* for times.c: that is so as long as this node is no more late */
    };
};

struct sl_times_graph {
    uint32_t count;
    uint32_t *first;             /* owned; count + 1 of them: where the edges of a node begin */
    struct sl_times_edge *edges; /* owned */
};

/* 0, or -1: no memory, or a kernel does nothing for 2^32 cycles. To be finished in any case. */
int sl_times_graph_make(struct sl_times_graph *, const struct sl_replay_trace *,
                        const struct sl_replay_log *);
void sl_times_graph_finish(struct sl_times_graph *);

#endif
