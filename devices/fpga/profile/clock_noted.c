/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/profile/clock_noted.h"

#include "sluice/module.h"

static bool find_offsets(const struct sl_clock_loop *loop, struct sl_clock_noted *moves,
                         uint32_t count, uint32_t *next)
{
    *next = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step =
            sl_clock_find_step(loop->steps, loop->step_count, *next, moves[i].site);
        if (step == loop->step_count)
            return false;
        *next = step + 1;
        moves[i].offset = loop->steps[step].cycle;
        moves[i].waited = 0;
    }
    return true;
}

/* So many cycles later than it would be. */
static __attribute__((noinline)) void wait(struct sl_clock_run *run,
                                           const struct sl_clock_noted *move, uint64_t nominal,
                                           uint64_t cycle, uint64_t least)
{
    sl_clock_delay(run, nominal, least - run->begin - nominal);
    sl_clock_note_wait(run->clock, move->site, move->row, least - cycle);
    run->waited = least - cycle;
}

static inline uint64_t move_one(struct sl_clock_run *run, const struct sl_clock_noted *move,
                                uint64_t nominal)
{
    struct sl_clock_ring *times = move->times;
    const unsigned op = move->op;
    const uint64_t number = times->count[op];
    const uint64_t least = sl_clock_ring_allowed(times, op, number);
    uint64_t cycle = run->begin + nominal + sl_delays_at(&run->time, nominal);
    run->waited = 0;
    if (cycle < least) {
        wait(run, move, nominal, cycle, least);
        cycle = least;
    }
    times->moved[op][number & times->mask] = cycle;
    times->count[op] = number + 1;
    times->next[op] = cycle + 1; /* it is no earlier than that was */
    return cycle;
}

/* So many of the rounds can be gone through with one delay: operations come in the order of their
 * nominal cycles, and nothing that the run does later comes before any of theirs. */
static uint64_t rounds_in_order(const struct sl_clock_run *run, const struct sl_clock_noted *moves,
                                uint32_t count, uint64_t began, uint64_t interval, uint64_t rounds)
{
    const struct sl_delays *t = &run->time;
    const uint64_t first = moves[0].offset, most = moves[count - 1].offset;
    bool ordered = most <= interval + first &&
                   (!t->count || t->later[t->first + t->count - 1].nominal <= began + first);
    for (uint32_t i = 1; i < count; i++)
        ordered &= moves[i - 1].offset <= moves[i].offset;
    if (!ordered || !interval)
        return 0;
    uint64_t last = rounds - 1; /* those that would come behind its begin may be looked at again */
    for (uint64_t offset = most; offset && last; last--)
        offset = offset > interval ? offset - interval : 0;
    return last;
}

static void note_delay(struct sl_clock_run *run, uint64_t delay)
{
    if (delay <= run->late)
        return;
    sl_clock_add(&run->kernel->stalled, delay - run->late);
    run->late = delay;
}

/* Its last cycle. */
static uint64_t go_in_order(struct sl_clock_run *run, struct sl_clock_noted *moves, uint32_t count,
                            uint64_t began, uint64_t interval, uint64_t rounds)
{
    const uint64_t before = sl_delays_at(&run->time, began + moves[0].offset);
    uint64_t start = run->begin + began + before, begin = start;
    for (uint64_t n = 0; n < rounds; n++, start += interval)
        for (uint32_t i = 0; i < count; i++) {
            struct sl_clock_noted *move = &moves[i];
            struct sl_clock_ring *times = move->times;
            const unsigned op = move->op;
            const uint64_t number = times->count[op];
            const uint64_t least = sl_clock_ring_allowed(times, op, number);
            uint64_t cycle = start + move->offset;
            const uint64_t late = cycle < least ? least - cycle : 0;
            cycle += late;
            start += late;
            move->waited += late;
            times->moved[op][number & times->mask] = cycle;
            times->count[op] = number + 1;
            times->next[op] = cycle + 1; /* it is no earlier than that was */
        }
    const uint64_t delay = before + start - begin - rounds * interval;
    if (delay != before) {
        run->time.base = delay;
        run->time.first = run->time.count = 0;
        note_delay(run, delay);
        for (uint32_t i = 0; i < count; i++)
            if (moves[i].waited)
                sl_clock_note_wait(run->clock, moves[i].site, moves[i].row, moves[i].waited);
    }
    return start - interval + moves[count - 1].offset;
}

bool sl_clock_noted_go(struct sl_clock_run *run, uint32_t line, uint32_t column,
                       struct sl_clock_noted *moves, uint32_t count, uint64_t rounds)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    uint32_t next;
    if (!sl_clock_goes_round(run, line, column) || !find_offsets(f->loop, moves, count, &next))
        return false;
    const uint64_t interval = f->loop->interval;
    uint64_t began = f->iterations ? f->began + interval : run->at, last = 0, cycle = 0;
    const uint64_t in_order = rounds_in_order(run, moves, count, began, interval, rounds);
    if (in_order)
        last = go_in_order(run, moves, count, began, interval, in_order);
    began += in_order * interval;
    for (uint64_t n = in_order; n < rounds; n++, began += interval) {
        sl_delays_advance(&run->time, began);
        for (uint32_t i = 0; i < count; i++) {
            cycle = move_one(run, &moves[i], began + moves[i].offset);
            last = cycle > last ? cycle : last;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        sl_clock_ring_forget_row(moves[i].times, moves[i].op);
    f->began = began - interval;
    f->iterations += rounds;
    f->next = next;
    sl_clock_add(&f->counts->iterations, rounds);
    run->nominal = f->began + moves[count - 1].offset;
    run->cycle = cycle;
    sl_clock_reach(run, last + 1);
    return true;
}
