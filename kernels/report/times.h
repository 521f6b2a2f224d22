/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When everything in a trace happens, as the longest ways through the graph of what waits for what.
 * If a pipe gets another depth only that is computed again which happens in another cycle by it. No
 * shared state.
 */
#ifndef SL_KERNELS_REPORT_TIMES_H
#define SL_KERNELS_REPORT_TIMES_H

#include "report/replay.h"
#include "report/times_graph.h"

struct sl_times;

/*
 * `log`: of a replay that came to its end. Depths are never less than its own. Begins with pipes
 * without end but for those with `fixed`, which keep `depths`. `slowest`: cycles with the depths of
 * that replay. NULL: no memory. The trace is borrowed; the graph, which is that of trace and log,
 * is moved into it, in any case: *graph is empty then.
 */
struct sl_times *sl_times_create(const struct sl_replay_trace *, const struct sl_replay_log *log,
                                 struct sl_times_graph *graph, const uint32_t *depths,
                                 const bool *fixed, uint64_t slowest);
void sl_times_destroy(struct sl_times *);

uint64_t sl_times_cycles(const struct sl_times *);
/* The most packets that it has at a time. */
uint32_t sl_times_fill(const struct sl_times *, uint32_t pipe);
/* No less of this pipe is possible in so many cycles, whatever the others do in addition. */
uint32_t sl_times_bound(const struct sl_times *, uint32_t pipe, uint64_t limit);
/* Tries a lower depth: true, and it has it, if the run takes no more cycles than the limit. Else
 * everything stays as it was. */
bool sl_times_try(struct sl_times *, uint32_t pipe, uint32_t depth, uint64_t limit);
/* Pipes that are settled keep their depths from now on: the others are tried in less time. No run
 * is late so far: all other depths are no less than fills. */
void sl_times_settle(struct sl_times *, const bool *settled);

#endif
