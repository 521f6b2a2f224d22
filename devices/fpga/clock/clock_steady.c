/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_steady.h"

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_lanes.h"
#include "fpga/clock/clock_marked.h"
#include "fpga/clock/clock_rows.h"
#include "fpga/clock/clock_steps.h"
#include "fpga/clock/clock_varied.h"

enum {
    MOST_BACK = 2 * SL_CLOCK_LEAST_BEHIND - 4, /* operations of an end that are kept */
    FEW = 3,                                   /* rounds that are not worth a look at all of them */
};

/* ---- how it begins --------------------------------------------------------------------------- */

/* How many operations of its end ago, in front of step `now` of a round, the step was done that is
 * in a round so far back; 1: it is the last one. */
static uint64_t back_of(const struct sl_clock_moves *m, uint32_t step, uint64_t rounds,
                        uint32_t now)
{
    if (!m->steps)
        return rounds + (step < now);
    const uint32_t move = m->steps[step];
    uint64_t back = rounds * m->at[move].each;
    for (uint32_t i = 0; i < m->step_count; i++)
        back += m->steps[i] == move ? (uint64_t)(i < now) - (i < step) : 0;
    return back;
}

/* Rounds from the slow step's on to the first one in which the other one has no earlier cycle. */
static uint64_t rounds_behind(const struct sl_clock_moves *m, uint32_t step, uint32_t slow)
{
    const uint64_t offset = m->offsets[step], later = m->offsets[slow];
    const uint64_t rounds = later > offset ? (later - offset + m->interval - 1) / m->interval : 0;
    return !rounds && slow >= step ? 1 : rounds;
}

static void set_term(struct sl_clock_moves *m, uint32_t step, uint32_t number)
{
    const uint32_t slow = m->slow[number];
    const uint64_t rounds = rounds_behind(m, step, slow), back = back_of(m, slow, rounds, step);
    m->can_be_steady &= back < MOST_BACK;
    m->terms[step][number] = (struct sl_clock_term){
        .rounds = (uint32_t)rounds,
        .back = (uint32_t)back,
        .cycles = rounds * m->interval + m->offsets[step] - m->offsets[slow],
    };
}

/* False: there are too many. */
static bool find_slow(struct sl_clock_moves *m)
{
    uint64_t later = UINT64_MAX;
    m->holds_all = m->slow_count = 0;
    for (uint32_t i = m->step_count; i-- > 0;) {
        const uint64_t offset = m->offsets[i];
        const bool all = offset <= later && offset - m->least <= m->interval;
        m->holds_all |= (uint32_t)all << i;
        later = offset < later ? offset : later;
        if (all)
            continue;
        if (m->slow_count == SL_CLOCK_MOST_SLOW)
            return false;
        m->slow_back[m->slow_count] = (uint8_t)back_of(m, i, 1, 0);
        m->slow[m->slow_count++] = (uint8_t)i;
    }
    return true;
}

/* Cycles of all rounds are kept that one of them is late with behind the begin of another. */
static bool are_kept(const struct sl_clock_moves *m)
{
    uint64_t each = 1;
    for (uint32_t i = 0; i < m->count; i++)
        each = m->at[i].each > each ? m->at[i].each : each;
    return m->interval && m->most / m->interval + 2 * (each > 1) < MOST_BACK / each;
}

void sl_clock_steady_begin_anew(const struct sl_clock_run *run, struct sl_clock_moves *m)
{
    const struct sl_delays *time = &run->time;
    m->steady = false;
    m->since = 0;
    m->pause = 1;
    m->skip = 0;
    m->part = 0;
    m->foreign = time->count ? time->later[time->first + time->count - 1].nominal : 0;
}

void sl_clock_steady_prepare(struct sl_clock_moves *m)
{
    m->interval = m->marked ? m->marked->interval : m->frame->loop->interval;
    m->least = UINT64_MAX;
    m->most = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        struct sl_clock_move *move = &m->at[i];
        move->own = move->times->moved[move->op];
        move->peer = move->times->moved[!move->op];
        move->lag = move->op == SL_PIPE_WRITE ? move->times->depth : 0;
    }
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint64_t offset = m->offsets[i];
        m->least = offset < m->least ? offset : m->least;
        m->most = offset > m->most ? offset : m->most;
    }
    m->can_be_steady = are_kept(m) && find_slow(m);
    if (!m->can_be_steady)
        return;
    if (m->steps)
        sl_clock_steps_prepare(m);
    for (uint32_t i = 0; m->slow_count && i < m->step_count; i++)
        for (uint32_t k = 0; k < m->slow_count; k++)
            set_term(m, i, k);
}

static bool is_denied(const struct sl_clock_moves *m)
{
    bool denied = false;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_ring *times = m->at[i].times;
        denied |= times->denied[m->at[i].op].packet == times->count[m->at[i].op] &&
                  times->denied[m->at[i].op].cycle;
    }
    return denied;
}

/* The last operation of one of the ends, which is not this loop's, is in the way of the next one.
 */
static bool is_held_up(const struct sl_clock_moves *m)
{
    bool held = false;
    for (uint32_t i = 0; i < m->count && !m->since; i++)
        held |= m->at[i].times->next[m->at[i].op] > m->start + m->at[i].offset;
    return held;
}

/* The nominal cycle in which the next round begins. */
static uint64_t next_of(const struct sl_clock_run *run, const struct sl_clock_moves *m)
{
    if (m->marked)
        return m->marked->base;
    return m->frame->iterations ? m->frame->began + m->interval : run->at;
}

bool sl_clock_steady_begin(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    const uint64_t began = next_of(run, m);
    sl_delays_advance(&run->time, began);
    if (!m->can_be_steady || (m->inner && !m->inner->iterations) || m->foreign > began + m->least ||
        is_denied(m))
        return false;
    m->nominal = run->begin + began;
    m->start = m->nominal + sl_delays_at(&run->time, began + m->least);
    m->late = run->late;
    m->done = 0;
    m->steady = !is_held_up(m);
    return m->steady;
}

/* ---- how it ends ----------------------------------------------------------------------------- */

void sl_clock_steady_note(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    if (!m->steady)
        return;
    for (uint32_t i = 0; i < m->step_count && (m->done || i < m->part); i++) {
        const struct sl_clock_move *move = &m->at[sl_clock_move_of(m, i)];
        const uint64_t behind = move->times->next[move->op];
        m->through = m->through < behind ? behind : m->through;
    }
    if (m->late <= run->late)
        return;
    sl_clock_add(&run->kernel->stalled, m->late - run->late);
    run->late = m->late;
}

/* How late the step was in the round of that nominal cycle, so far back. */
static inline uint64_t delay_of(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                                uint32_t step, uint64_t rounds, uint64_t began)
{
    const uint64_t back = m->steps ? back_of(m, step, rounds, m->part) : rounds + (step < m->part);
    return sl_clock_cycle_of(&m->at[sl_clock_move_of(m, step)], back) - run->begin - began -
           m->offsets[step];
}

static void note_round(struct sl_clock_run *run, const struct sl_clock_moves *m, uint64_t back,
                       uint64_t began)
{
    for (uint32_t i = 0; i < m->step_count; i++)
        if (!sl_delays_hold(&run->time, began + m->offsets[i], delay_of(run, m, i, back, began)))
            sl_clock_lose(run->clock);
}

static void set_base(struct sl_clock_run *run, const struct sl_clock_moves *m, uint64_t back,
                     uint64_t began)
{
    sl_delays_clear(&run->time);
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint64_t delay = delay_of(run, m, i, back, began);
        run->time.base = run->time.base < delay ? delay : run->time.base;
    }
}

/* The last round has begun in that nominal cycle. */
static void set_last(struct sl_clock_moves *m, uint64_t began)
{
    if (m->marked) {
        m->marked->base = began + m->interval;
        return;
    }
    m->frame->began = began;
    m->frame->iterations += m->done;
    if (m->inner)
        m->inner->iterations += m->done;
}

/* Nobody asks for cycles before the begin of the last round, so delays have the cycle from which on
 * they hold in those at the end only. */
void sl_clock_steady_end(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    if (m->steady && m->done && m->varied) {
        const uint64_t next = m->nominal - run->begin;
        sl_delays_clear(&run->time);
        run->time.base = m->start - m->nominal; /* nobody asks for cycles before that round */
        m->marked->base = next;
        sl_clock_steady_note(run, m);
        run->cycle = m->through - 1;
    } else if (m->steady && m->done) {
        const uint64_t next = m->nominal - run->begin, tail = m->most / m->interval + 1;
        if (m->done > tail)
            set_base(run, m, tail + 1, next - (tail + 1) * m->interval);
        for (uint64_t back = m->done < tail ? m->done : tail; back; back--)
            note_round(run, m, back, next - back * m->interval);
        set_last(m, next - m->interval);
        sl_delays_advance(&run->time, next - m->interval);
        sl_clock_steady_note(run, m);
        run->cycle = m->through - 1;
    }
    m->steady = false;
}

/* ---- how it goes on -------------------------------------------------------------------------- */

void sl_clock_steady_turn(struct sl_clock_ring *ring, unsigned op, uint64_t number, uint64_t cycle,
                          uint64_t stride, uint64_t count)
{
    enum { LONG = 4 };
    struct sl_clock_row *row = &ring->row[op];
    if (row->from < number && number - row->from >= LONG) {
        ring->before[op] = *row;
        ring->before[op].end = number;
    }
    const uint64_t step = number ? cycle - ring->moved[op][(number - 1) & ring->mask] : 0;
    const bool joins = number && (count == 1 || step == stride);
    row->from = joins ? number - 1 : number;
    row->stride = joins ? step : stride;
    row->next = cycle + (count - 1) * row->stride + row->stride;
}

void sl_clock_steady_pass(struct sl_clock_moves *m, uint64_t rounds)
{
    m->nominal += rounds * m->interval;
    m->since += rounds;
    m->done += rounds;
    m->iterations += rounds;
    const uint64_t late = m->start - m->nominal;
    m->late = m->late < late ? late : m->late;
}

/* What slow moves have waited for is over: there is but one delay. */
static bool is_even(const struct sl_clock_moves *m)
{
    bool even = true;
    for (uint32_t i = 0; m->since && i < m->slow_count; i++) {
        const struct sl_clock_move *move = &m->at[sl_clock_move_of(m, m->slow[i])];
        even &= sl_clock_cycle_of(move, m->slow_back[i]) + m->interval <=
                m->start + m->offsets[m->slow[i]];
    }
    return even;
}

static void go_by_step(struct sl_clock_moves *m, uint64_t rounds)
{
    for (; rounds; rounds--)
        for (uint32_t i = 0; i < m->step_count; i++)
            sl_clock_steady_step(m, i);
}

/* What was good the last time is tried first. */
static uint64_t go_even(struct sl_clock_moves *m, uint64_t rounds)
{
    const bool in_step = m->in_step;
    uint64_t done = in_step ? sl_clock_go_in_step(m, rounds) : 0;
    done = done ? done : sl_clock_go_unhindered(m, rounds);
    done = done || in_step ? done : sl_clock_go_in_step(m, rounds);
    return done ? done : sl_clock_go_in_rows(m, rounds);
}

/* How many were done. Where that are few it is not tried again for a while, which gets longer. */
static uint64_t try_rows(struct sl_clock_moves *m, uint64_t rounds, bool even)
{
    enum { MANY = 8, LONGEST = 64 };
    const uint64_t done = even ? go_even(m, rounds) : sl_clock_go_alike(m, rounds);
    const bool many = done >= MANY;
    m->pause = many ? 1 : m->pause < LONGEST ? 2 * m->pause : LONGEST;
    m->skip = many ? 0 : m->pause;
    return done;
}

void sl_clock_steady_go(struct sl_clock_moves *m, uint64_t rounds)
{
    if (m->varied) {
        sl_clock_varied_go(m, rounds);
        return;
    }
    while (m->steps && rounds) {
        const bool even = is_even(m);
        if (!even)
            go_by_step(m, 1);
        rounds -= even ? sl_clock_steps_go(m, rounds) : 1;
    }
    while (rounds > FEW) {
        const bool even = is_even(m);
        rounds -= m->skip ? 0 : try_rows(m, rounds, even);
        uint64_t now = rounds < m->skip ? rounds : m->skip;
        if (even && now)
            now = sl_clock_go_in_lanes(m, now);
        else
            go_by_step(m, now);
        rounds -= now;
        m->skip -= now < m->skip ? now : m->skip;
    }
    go_by_step(m, rounds);
}
