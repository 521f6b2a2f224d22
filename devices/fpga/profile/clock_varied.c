/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/profile/clock_varied.h"

#include "fpga/profile/clock_alike.h"
#include "fpga/profile/clock_steady.h"

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

struct place { /* a step, with the cycles of its operations */
    uint64_t *own;
    const uint64_t *peer; /* what is waited for */
    uint64_t number, known, offset;
    uint32_t mask, lag, each;
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
                                   .each = move->each,
                                   .lag = move->lag,
                                   .offset = m->offsets[i]};
    }
}

/* What marks say of a loop in all of these rounds. */
struct passed {
    uint64_t interval, drain, entries, iterations;
    uint32_t before;
};

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

/* The step comes `by` cycles behind the begin of the round, if it waits for nothing. When the round
 * would have begun for it to come when it does. */
static inline uint64_t move_one(struct place *place, uint64_t start, uint64_t by)
{
    const uint64_t number = place->number, first = number - place->lag;
    const uint64_t least = first < place->known ? place->peer[first & place->mask] + 1 : 0;
    const uint64_t late = least - by - start, waits = (late >> 63) - 1;
    const uint64_t now = start + (late & waits);
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

void sl_clock_varied_go(struct sl_clock_moves *m, uint64_t rounds)
{
    static const uint64_t none[SL_PIPE_MOST_VARIED];
    struct place places[SL_PIPE_MOST_STEPS];
    struct passed passed[SL_PIPE_MOST_VARIED];
    const uint64_t *trips = m->trips ? m->trips : none, *last = none;
    const size_t next = m->trips ? m->varied : 0;
    uint64_t start = m->start, longer = 0;
    point_places(m, places);
    point_passed(m, passed);
    for (uint64_t n = 0; n < rounds; n++) {
        longer += go_round(m, places, passed, trips, &start);
        last = trips;
        trips += next;
    }
    if (m->trips)
        m->trips = trips;
    if (rounds)
        note_passed(m, passed, last);
    m->start = start;
    m->nominal += longer;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        struct sl_clock_ring *times = move->times;
        times->count[move->op] += rounds * move->each;
        times->next[move->op] = sl_clock_cycle_of(move, 1) + 1;
        sl_clock_ring_forget_row(times, move->op);
    }
    sl_clock_steady_pass(m, rounds);
}
