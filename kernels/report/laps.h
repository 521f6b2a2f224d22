/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a trace takes with other depths, where most of it is one pattern of operations again and
 * again: a lap. Laps are computed until each comes as much behind the one before, for each of its
 * operations by a constant of its own; then as many as stay so are skipped at once. What that takes
 * does not depend on how many there are. Numbers only; no shared state.
 */
#ifndef SL_KERNELS_REPORT_LAPS_H
#define SL_KERNELS_REPORT_LAPS_H

#include "report/replay.h"
#include "report/times_graph.h"

struct sl_laps;

/* `log`: of a replay that came to its end; depths are never less than its own. NULL: no memory, or
 * too little of it are laps. The trace and the log are borrowed; the graph, which is theirs, is
 * used in here only. */
struct sl_laps *sl_laps_create(const struct sl_replay_trace *, const struct sl_replay_log *log,
                               const struct sl_times_graph *);
void sl_laps_destroy(struct sl_laps *);

/* How long the run takes with these depths; some number above the limit if it is more. UINT64_MAX:
 * no memory. */
uint64_t sl_laps_cycles(struct sl_laps *, const uint32_t *depths, uint64_t limit);

#endif
