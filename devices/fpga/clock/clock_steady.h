/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a loop whose run does nothing else meanwhile: what it is late by is in the cycles of
 * its own last operations, and needs no list of delays.
 *
 * Most steps are such that whatever waits there holds up all behind it in the program: there is one
 * delay, which is in the cycle in which the round begins. A *slow* step has a later cycle in its
 * iteration than others have in the next one, which are not late by what it waits for. These come
 * no earlier behind its operation of some rounds ago than the schedule has them: a *term*. Both are
 * what a list of delays would say. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_STEADY_H
#define SL_FPGA_CLOCK_STEADY_H

#include "fpga/clock/clock_rounds.h"
#include "fpga/clock/clock_varied.h"

/* What there is to know of the loop; sl_clock_moves_find() has found its moves. */
void sl_clock_steady_prepare(struct sl_clock_moves *);
/* The run goes round there from now on: nothing is known of these rounds. */
void sl_clock_steady_begin_anew(const struct sl_clock_run *, struct sl_clock_moves *);
/* Between rounds. False: not now, something that was before is not over. */
bool sl_clock_steady_begin(struct sl_clock_run *, struct sl_clock_moves *);
/* So many rounds of which all is known; between rounds. */
void sl_clock_steady_go(struct sl_clock_moves *, uint64_t rounds);
/* Behind the last whole round the run has its list of delays again. Nothing if it is not steady. */
void sl_clock_steady_end(struct sl_clock_run *, struct sl_clock_moves *);
/* Rounds of one delay have been done elsewhere, behind which the next one begins at `start`. */
void sl_clock_steady_pass(struct sl_clock_moves *, uint64_t rounds);
/* What has happened so far is known to the run. */
void sl_clock_steady_note(struct sl_clock_run *, struct sl_clock_moves *);

/* No earlier than slow steps let it. */
static inline uint64_t sl_clock_steady_terms(const struct sl_clock_moves *m, uint32_t step,
                                             uint64_t cycle)
{
    for (uint32_t i = 0; i < m->slow_count; i++) {
        const struct sl_clock_term *term = &m->terms[step][i];
        const struct sl_clock_move *slow = &m->at[sl_clock_move_of(m, m->slow[i])];
        const struct sl_clock_ring *times = slow->times;
        if (m->since < term->rounds)
            continue;
        uint64_t least =
            slow->own[(times->count[slow->op] - term->back) & times->mask] + term->cycles;
        cycle = cycle < least ? least : cycle;
    }
    return cycle;
}

/* Operations of that end from `number` on come in these cycles: `count` of them, `stride` apart;
 * turn: and not in the row of those in front. */
void sl_clock_steady_turn(struct sl_clock_ring *, unsigned op, uint64_t number, uint64_t cycle,
                          uint64_t stride, uint64_t count);
/* False: they do not go on with the row of those in front. */
static inline bool sl_clock_steady_goes_on(struct sl_clock_ring *ring, unsigned op, uint64_t cycle,
                                           uint64_t stride, uint64_t count)
{
    struct sl_clock_row *row = &ring->row[op];
    const bool on = cycle == row->next && row->from < ring->count[op] && stride == row->stride;
    if (on)
        row->next += count * stride;
    return on;
}

static inline void sl_clock_steady_bend(struct sl_clock_ring *ring, unsigned op, uint64_t number,
                                        uint64_t cycle, uint64_t stride, uint64_t count)
{
    if (!sl_clock_steady_goes_on(ring, op, cycle, stride, count))
        sl_clock_steady_turn(ring, op, number, cycle, stride, count);
}

static inline void sl_clock_steady_add(struct sl_clock_ring *ring, unsigned op, uint64_t number,
                                       uint64_t cycle)
{
    struct sl_clock_row *row = &ring->row[op];
    if (cycle == row->next)
        row->next += row->stride;
    else
        sl_clock_steady_bend(ring, op, number, cycle, 0, 1);
}

/* The next step, of which all is known. */
static inline void sl_clock_steady_step(struct sl_clock_moves *m, uint32_t step)
{
    struct sl_clock_move *move = &m->at[sl_clock_move_of(m, step)];
    struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op], first = number - move->lag;
    const uint64_t offset = m->offsets[step] + sl_clock_varied_at(m, step);
    uint64_t cycle = m->start + offset;
    if (m->slow_count)
        cycle = sl_clock_steady_terms(m, step, cycle);
    if (first < times->count[!move->op]) {
        const uint64_t least = move->peer[first & times->mask] + 1;
        if (cycle < least) {
            m->waited[step] += least - cycle;
            cycle = least;
            const uint64_t late = cycle - offset - m->nominal;
            m->late = m->late < late ? late : m->late;
        }
    }
    if (m->holds_all >> step & 1)
        m->start = cycle - offset;
    sl_clock_steady_add(times, move->op, number, cycle);
    move->own[number & times->mask] = cycle;
    times->count[move->op] = number + 1;
    times->next[move->op] = cycle + 1;
    m->part = step + 1;
    if (m->part < m->step_count)
        return;
    m->part = 0;
    m->start += m->interval;
    m->nominal += m->interval;
    m->since++;
    m->done++;
    m->iterations++;
    if (m->varied) {
        const uint64_t longer = sl_clock_varied_pass(m);
        m->start += longer;
        m->nominal += longer;
    }
}

#endif
