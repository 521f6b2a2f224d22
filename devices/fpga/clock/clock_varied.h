/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds as in clock_marked.h with loops inside that end by data: what is behind one of them comes
 * later by what its iterations take, and nothing else is otherwise. How many they are is told round
 * by round. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_VARIED_H
#define SL_FPGA_CLOCK_VARIED_H

#include "fpga/clock/clock_marked.h"

/* Cycles. `trips`: as SL_LOOP_IS_THROUGH tells of them. */
static inline uint64_t sl_clock_varied_takes(const struct sl_clock_varied *v, uint64_t trips)
{
    return v->pipelined && trips > 1 ? (trips - 2) * v->interval + v->drain : 0;
}
/* Of the present round; none if there was no memory to keep them, and the clock is not whole. */
static inline uint64_t sl_clock_varied_trips(const struct sl_clock_moves *m, uint32_t index)
{
    return m->trips ? m->trips[index] : 0;
}
/* So much later is what stands behind so many of them, in the present round. */
static inline uint64_t sl_clock_varied_by(const struct sl_clock_moves *m, uint32_t count)
{
    uint64_t by = 0;
    for (uint32_t i = 0; m->varied && i < count; i++)
        by += sl_clock_varied_takes(&m->marked->varied[i], sl_clock_varied_trips(m, i));
    return by;
}
/* The same of a step. */
static inline uint64_t sl_clock_varied_at(const struct sl_clock_moves *m, uint32_t step)
{
    return m->varied ? sl_clock_varied_by(m, m->marked->in_front[step]) : 0;
}
/* Of the last round that is done: what those take that are not among so many first ones. */
uint64_t sl_clock_varied_since(const struct sl_clock_moves *, uint32_t count);
/* The present round is done; by how much it was longer. */
uint64_t sl_clock_varied_pass(struct sl_clock_moves *);
/* So many rounds of which all is known; between rounds. */
void sl_clock_varied_go(struct sl_clock_moves *, uint64_t rounds);
/* Of the present round, so many times: what is counted of so many of them. */
void sl_clock_varied_count(const struct sl_clock_run *, const struct sl_clock_moves *,
                           uint32_t count, uint64_t times);
/* What was done so far is counted. */
void sl_clock_varied_note(const struct sl_clock_run *, const struct sl_clock_moves *);

#endif
