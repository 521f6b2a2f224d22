/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_varied.h"

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_rows.h"
#include "fpga/clock/clock_steady.h"

/* ---- what is counted ------------------------------------------------------------------------- */

static void add(const struct sl_clock_run *run, const struct sl_clock_varied *v, uint64_t entries,
                uint64_t iterations)
{
    if (v->row == SL_CLOCK_NO_ROW)
        return;
    struct sl_clock_loop_row *row = &run->clock->loops[run->kernel->first_loop + (uint32_t)v->row];
    sl_clock_add(&row->entries, entries);
    sl_clock_add(&row->iterations, iterations);
}

void sl_clock_varied_count(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                           uint32_t count, uint64_t times)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t trips = sl_clock_varied_trips(m, i);
        if (trips)
            add(run, &m->marked->varied[i], times, times * (trips - 1));
    }
}

void sl_clock_varied_note(const struct sl_clock_run *run, const struct sl_clock_moves *m)
{
    for (uint32_t i = 0; i < m->varied; i++) {
        struct sl_clock_varied *v = &m->marked->varied[i];
        add(run, v, v->entries, v->iterations);
        v->entries = v->iterations = 0;
    }
}

/* It has been passed; what it took. */
static inline uint64_t pass(struct sl_clock_varied *v, uint64_t trips)
{
    v->trips = trips;
    v->entries += trips > 0;
    v->iterations += trips ? trips - 1 : 0;
    return sl_clock_varied_takes(v, trips);
}

uint64_t sl_clock_varied_pass(struct sl_clock_moves *m)
{
    uint64_t longer = 0;
    for (uint32_t i = 0; i < m->varied; i++)
        longer += pass(&m->marked->varied[i], sl_clock_varied_trips(m, i));
    if (m->trips)
        m->trips += m->varied;
    return longer;
}

uint64_t sl_clock_varied_since(const struct sl_clock_moves *m, uint32_t count)
{
    uint64_t since = 0;
    for (uint32_t i = count; i < m->varied; i++) {
        const struct sl_clock_varied *v = &m->marked->varied[i];
        since += sl_clock_varied_takes(v, v->trips);
    }
    return since;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

enum { FEW = 4 }; /* steps of most rounds */

struct place { /* a step, with the cycles of its operations */
    uint64_t *own;
    const uint64_t *peer; /* what is waited for */
    uint64_t number, known, offset;
    uint32_t mask, lag, each;
};

/* What marks say of a loop in all of these rounds. */
struct passed {
    uint64_t interval, drain, entries, iterations;
    uint32_t before;
};

static void point_places(const struct sl_clock_moves *m, struct place *places)
{
    uint64_t number[SL_PIPE_MOST_MOVES];
    for (uint32_t i = 0; i < m->count; i++)
        number[i] = m->at[i].times->count[m->at[i].op];
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint32_t index = sl_clock_move_of(m, i);
        const struct sl_clock_move *move = &m->at[index];
        places[i] = (struct place){.own = move->own,
                                   .peer = move->peer,
                                   .number = number[index]++,
                                   .known = move->times->count[!move->op],
                                   .mask = move->times->mask,
                                   .lag = move->lag,
                                   .each = move->each,
                                   .offset = m->offsets[i]};
    }
}

static void point_passed(const struct sl_clock_moves *m, struct passed *passed)
{
    for (uint32_t i = 0; i < m->varied; i++) {
        const struct sl_clock_varied *v = &m->marked->varied[i];
        passed[i] = (struct passed){.interval = v->pipelined ? v->interval : 0,
                                    .drain = v->pipelined ? v->drain : 0,
                                    .before = v->before};
    }
}

static void note_passed(const struct sl_clock_moves *m, const struct passed *passed,
                        const uint64_t *last)
{
    for (uint32_t i = 0; i < m->varied; i++) {
        struct sl_clock_varied *v = &m->marked->varied[i];
        v->entries += passed[i].entries;
        v->iterations += passed[i].iterations;
        v->trips = last[i];
    }
}

/* As sl_clock_varied_takes(), without a branch: data decide. */
static inline uint64_t pass_one(struct passed *p, uint64_t trips)
{
    const uint64_t some = 0 - (uint64_t)(trips > 1);
    p->entries += trips > 0;
    p->iterations += trips - (trips > 0);
    return ((trips - 2) * p->interval + p->drain) & some;
}

/* When a round would have begun for a step in it to come no earlier than in this cycle, which comes
 * `by` cycles behind that. */
static inline uint64_t later_of(uint64_t start, uint64_t least, uint64_t by)
{
    const int64_t needed = (int64_t)(least - by);
    return needed > (int64_t)start ? (uint64_t)needed : start;
}

/* If it waits for nothing the step comes `by` cycles behind the begin of the round. */
static inline uint64_t move_one(struct place *place, uint64_t start, uint64_t by)
{
    const uint64_t number = place->number, first = number - place->lag;
    const uint64_t least = first < place->known ? place->peer[first & place->mask] + 1 : 0;
    const uint64_t now = later_of(start, least, by);
    place->number = number + place->each;
    place->own[number & place->mask] = now + by;
    return now;
}

/* Whoever waits holds up all that follows; clock_marked.c has looked at that. How much longer the
 * round was than one without its loops. */
static inline uint64_t go_round(struct sl_clock_moves *m, struct place *places,
                                struct passed *passed, const uint64_t *trips, uint64_t *start)
{
    const uint32_t steps = m->step_count, varied = m->varied;
    uint64_t at = *start, longer = 0;
    uint32_t v = 0;
    for (uint32_t i = 0; i < steps; i++) {
        for (; v < varied && passed[v].before <= i; v++)
            longer += pass_one(&passed[v], trips[v]);
        const uint64_t now = move_one(&places[i], at, places[i].offset + longer);
        m->waited[i] += now - at;
        at = now;
    }
    for (; v < varied; v++)
        longer += pass_one(&passed[v], trips[v]);
    *start = at + m->interval + longer;
    return longer;
}

/* Of what is done the operations are not counted here. */
static void go_by_round(struct sl_clock_moves *m, struct passed *passed, const uint64_t *trips,
                        size_t next, uint64_t rounds)
{
    struct place places[SL_PIPE_MOST_STEPS];
    uint64_t start = m->start, longer = 0;
    point_places(m, places);
    for (uint64_t n = 0; n < rounds; n++, trips += next)
        longer += go_round(m, places, passed, trips, &start);
    m->start = start;
    m->nominal += longer;
}

/* ---- rounds of few steps --------------------------------------------------------------------- */

/* A step whose cycles in rounds to come are one behind the other in memory, as are those of what it
 * waits for. */
struct lane {
    uint64_t *own;
    const uint64_t *peer;
    uint64_t step;        /* 0 or 1: to the next one of them */
    uint64_t offset, sum; /* sum: of the cycles in which rounds would have begun for it to wait for
                             nothing, as it turned out */
};

/* So many of the rounds are like that; one at least. */
static uint64_t point_lanes(const struct sl_clock_moves *m, struct lane *lanes, uint64_t rounds)
{
    static const uint64_t nothing = UINT64_MAX; /* the cycle behind it is 0 */
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const struct sl_clock_ring *times = move->times;
        const uint64_t number = times->count[move->op], first = number - move->lag;
        const uint64_t known = times->count[!move->op];
        const bool waits = first < known;
        rounds = sl_clock_in_a_row(move, rounds);
        rounds = waits && rounds > known - first ? known - first : rounds;
        lanes[i] = (struct lane){.own = &move->own[number & times->mask],
                                 .peer = waits ? &move->peer[first & times->mask] : &nothing,
                                 .step = waits,
                                 .offset = m->offsets[i]};
    }
    return rounds;
}

/* With one loop, behind so many steps. `wait`: all of them do. What is added up is kept in copies,
 * which no store of a cycle can change. */
static inline __attribute__((always_inline)) void
do_count(struct sl_clock_moves *m, const struct lane *lanes, const uint32_t count,
         const uint32_t before, const bool wait, struct passed *passed, const uint64_t *trips,
         uint64_t rounds)
{
    struct lane local[FEW];
    const struct passed p = *passed;
    const uint64_t interval = m->interval, drain = p.drain - 2 * p.interval;
    uint64_t start = m->start, longer = 0, all = 0, entries = 0;
    for (uint32_t i = 0; i < count; i++)
        local[i] = lanes[i];
    for (uint64_t n = 0; n < rounds; n++) {
        const uint64_t takes = trips[n] > 1 ? trips[n] * p.interval + drain : 0;
        entries += trips[n] > 0;
        all += trips[n];
#pragma GCC unroll 4
        for (uint32_t i = 0; i < count; i++) {
            struct lane *lane = &local[i];
            const uint64_t by = lane->offset + (before <= i ? takes : 0);
            start = later_of(start, lane->peer[wait ? n : 0] + 1, by);
            lane->peer += wait ? 0 : lane->step;
            lane->own[n] = start + by;
            lane->sum += start;
        }
        start += interval + takes;
        longer += takes;
    }
    /* Rounds begin so much behind the last step of the one in front of them. */
    uint64_t sum = m->start + local[count - 1].sum + rounds * interval + longer - start;
    for (uint32_t i = 0; i < count; i++) {
        m->waited[i] += local[i].sum - sum;
        sum = local[i].sum;
    }
    passed->entries += entries;
    passed->iterations += all - entries;
    m->start = start;
    m->nominal += longer;
}

/* How many were done. */
static uint64_t go_in_lanes(struct sl_clock_moves *m, struct passed *passed, const uint64_t *trips,
                            uint64_t rounds)
{
    struct lane lanes[FEW];
    uint64_t wait = 0;
    rounds = point_lanes(m, lanes, rounds);
    for (uint32_t i = 0; i < m->count; i++)
        wait += lanes[i].step;
    if (m->count == 2 && wait == 2 && passed->before == 1)
        do_count(m, lanes, 2, 1, true, passed, trips, rounds);
    else
        do_count(m, lanes, m->count, passed->before, false, passed, trips, rounds);
    return rounds;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void count_moves(const struct sl_clock_moves *m, uint64_t rounds)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        struct sl_clock_ring *times = move->times;
        times->count[move->op] += rounds * move->each;
        times->next[move->op] = sl_clock_cycle_of(move, 1) + 1;
        sl_clock_ring_forget_row(times, move->op);
    }
}

void sl_clock_varied_go(struct sl_clock_moves *m, uint64_t rounds)
{
    static const uint64_t none[SL_PIPE_MOST_VARIED];
    const uint64_t *trips = m->trips ? m->trips : none;
    const size_t next = m->trips ? m->varied : 0;
    const bool in_lanes = next == 1 && !m->steps && m->count <= FEW;
    struct passed passed[SL_PIPE_MOST_VARIED];
    point_passed(m, passed);
    for (uint64_t left = rounds, now; left; left -= now, trips += now * next) {
        now = in_lanes ? go_in_lanes(m, passed, trips, left) : left;
        if (!in_lanes)
            go_by_round(m, passed, trips, next, now);
        count_moves(m, now);
    }
    if (rounds)
        note_passed(m, passed, trips - next);
    if (m->trips)
        m->trips = trips;
    sl_clock_steady_pass(m, rounds);
}
