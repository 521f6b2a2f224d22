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

struct end { /* of a move */
    uint64_t *own;
    const uint64_t *peer; /* what is waited for */
    uint64_t number, known, mask;
    uint32_t lag;
};

static void point_ends(const struct sl_clock_moves *m, struct end *ends)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const struct sl_clock_ring *times = move->times;
        ends[i] = (struct end){.own = move->own,
                               .peer = move->peer,
                               .number = times->count[move->op],
                               .known = times->count[!move->op],
                               .mask = times->mask,
                               .lag = move->lag};
    }
}

/* The step that comes in that cycle if it waits for nothing; how long it waits. */
static inline uint64_t move_one(struct end *end, uint64_t cycle)
{
    const uint64_t first = end->number - end->lag;
    const uint64_t least = first < end->known ? end->peer[first & end->mask] + 1 : 0;
    const uint64_t late = cycle < least ? least - cycle : 0;
    end->own[end->number++ & end->mask] = cycle + late;
    return late;
}

/* Whoever waits holds up all that follows; clock_marked.c has looked at that. */
static void go_round(struct sl_clock_moves *m, struct end *ends, const uint64_t *trips)
{
    struct sl_clock_varied *varied = m->marked->varied;
    uint64_t start = m->start, longer = 0;
    uint32_t v = 0;
    for (uint32_t i = 0; i < m->step_count; i++) {
        for (; v < m->varied && varied[v].before <= i; v++)
            longer += pass(&varied[v], trips[v]);
        const uint64_t late =
            move_one(&ends[sl_clock_move_of(m, i)], start + m->offsets[i] + longer);
        m->waited[i] += late;
        start += late;
    }
    for (; v < m->varied; v++)
        longer += pass(&varied[v], trips[v]);
    m->start = start + m->interval + longer;
    m->nominal += longer;
}

void sl_clock_varied_go(struct sl_clock_moves *m, uint64_t rounds)
{
    static const uint64_t none[SL_PIPE_MOST_VARIED];
    struct end ends[SL_PIPE_MOST_MOVES];
    point_ends(m, ends);
    for (uint64_t n = 0; n < rounds; n++) {
        go_round(m, ends, m->trips ? m->trips : none);
        if (m->trips)
            m->trips += m->varied;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        struct sl_clock_ring *times = move->times;
        times->count[move->op] = ends[i].number;
        times->next[move->op] = sl_clock_cycle_of(move, 1) + 1;
        sl_clock_ring_forget_row(times, move->op);
    }
    sl_clock_steady_pass(m, rounds);
}
