/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_noted.h"

#include "sluice/module.h"

static bool find_offsets(const struct sl_clock_loop *loop, struct sl_clock_noted *noted)
{
    struct sl_clock_noted_move *moves = noted->moves;
    const uint32_t count = noted->count;
    noted->loop = NULL;
    noted->next = 0;
    noted->apart = !loop->pipelined;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step =
            sl_clock_find_step(loop->steps, loop->step_count, noted->next, moves[i].site);
        if (step == loop->step_count)
            return false;
        noted->next = step + 1;
        noted->apart &= !loop->steps[step].stretch;
        moves[i].offset = loop->steps[step].cycle;
    }
    noted->ordered = loop->interval && moves[count - 1].offset <= loop->interval + moves[0].offset;
    for (uint32_t i = 1; i < count; i++)
        noted->ordered &= moves[i - 1].offset <= moves[i].offset;
    noted->loop = loop;
    return true;
}

static inline bool has_offsets(const struct sl_clock_loop *loop, struct sl_clock_noted *noted)
{
    return noted->loop == loop || find_offsets(loop, noted);
}

/* ---- an operation ---------------------------------------------------------------------------- */

/* So many cycles later than it would be. */
static __attribute__((noinline)) void wait(struct sl_clock_run *run,
                                           struct sl_clock_noted_move *move, uint64_t nominal,
                                           uint64_t cycle, uint64_t least)
{
    sl_clock_delay(run, nominal, least - run->begin - nominal);
    move->waited += least - cycle;
    run->waited = least - cycle;
}

static inline uint64_t move_one(struct sl_clock_run *run, struct sl_clock_noted_move *move,
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

/* ---- rounds with one delay ------------------------------------------------------------------- */

static inline uint64_t later_of(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

/* Cycles that are as far apart, the first one being that; behind the last one. */
static inline uint64_t set_cycles(uint64_t *own, uint64_t mask, uint64_t from, uint64_t count,
                                  uint64_t cycle, uint64_t interval)
{
    const uint64_t straight = mask + 1 - (from & mask), now = count < straight ? count : straight;
    sl_clock_set_row(&own[from & mask], cycle, interval, now);
    sl_clock_set_row(own, cycle + now * interval, interval, count - now);
    return cycle + count * interval;
}

/* Likewise, each behind what it waits for. Two at a time: what they wait for is compared before it
 * is known when the first of them comes. */
static inline uint64_t follow(uint64_t *restrict own, const uint64_t *restrict peer, uint64_t mask,
                              uint64_t from, uint64_t first, uint64_t count, uint64_t cycle,
                              uint64_t interval)
{
    uint64_t n = 0;
    for (; n + 2 <= count; n += 2) {
        const uint64_t a = peer[(first + n) & mask] + 1;
        const uint64_t b = later_of(a + interval, peer[(first + n + 1) & mask] + 1);
        own[(from + n) & mask] = later_of(cycle, a);
        const uint64_t next = later_of(cycle + interval, b);
        own[(from + n + 1) & mask] = next;
        cycle = next + interval;
    }
    if (n == count)
        return cycle;
    cycle = later_of(cycle, peer[(first + n) & mask] + 1);
    own[(from + n) & mask] = cycle;
    return cycle + interval;
}

/* One operation each, the first one in that cycle if nothing held it up; the last one's. */
static inline uint64_t go_alone(struct sl_clock_noted_move *move, uint64_t begin, uint64_t interval,
                                uint64_t rounds)
{
    struct sl_clock_ring *times = move->times;
    const unsigned op = move->op;
    const uint64_t number = times->count[op], mask = times->mask;
    const uint64_t lag = op == SL_PIPE_WRITE ? times->depth : 0;
    uint64_t *own = times->moved[op], cycle = later_of(begin, times->next[op]);
    const uint64_t *peer = times->moved[!op];
    uint64_t free = number < lag ? lag - number : 0; /* nobody has used that room */
    if (free >= rounds || peer[(number + rounds - 1 - lag) & mask] < cycle)
        free = rounds; /* its cycles rise: none is waited for */
    if (free)
        cycle = set_cycles(own, mask, number, free, cycle, interval);
    if (free < rounds)
        cycle = follow(own, peer, mask, number + free, number + free - lag, rounds - free, cycle,
                       interval);
    cycle -= interval;
    move->waited += cycle - (rounds - 1) * interval - begin;
    times->count[op] = number + rounds;
    times->next[op] = cycle + 1; /* it is no earlier than that was */
    return cycle;
}

/* Likewise of several, of which the next round would begin in that cycle. */
static uint64_t go_by_each(struct sl_clock_noted *noted, uint64_t start, uint64_t interval,
                           uint64_t rounds)
{
    for (uint64_t n = 0; n < rounds; n++, start += interval)
        for (uint32_t i = 0; i < noted->count; i++) {
            struct sl_clock_noted_move *move = &noted->moves[i];
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
    return start - interval + noted->moves[noted->count - 1].offset;
}

/* The last delay that the run has so far is that of all operations from this nominal cycle on. */
static inline bool is_settled(const struct sl_delays *t, uint64_t nominal)
{
    return !t->count || t->later[t->first + t->count - 1].nominal <= nominal;
}

static inline uint64_t last_delay(const struct sl_delays *t)
{
    return t->count ? t->later[t->first + t->count - 1].delay : t->base;
}

/* That it is what they were, or more, and all behind them is as late. */
static inline void note_delay(struct sl_clock_run *run, uint64_t delay)
{
    run->time.base = delay;
    run->time.first = run->time.count = 0;
    if (delay > run->late) {
        sl_clock_add(&run->kernel->stalled, delay - run->late);
        run->late = delay;
    }
}

/* So many packets more, of which all is known. At the other end each operation is so many cycles
 * behind the one before, or more; 0: of those nothing is known. */
static inline void follow_up(struct sl_clock_pair *side, struct sl_clock_ring *times, unsigned op,
                             uint64_t count, uint64_t apart)
{
    const uint64_t number = times->count[op], mask = times->mask, interval = side->interval;
    const uint64_t first = number - (op == SL_PIPE_WRITE ? times->depth : 0), cycle = side->next;
    uint64_t *own = times->moved[op];
    const uint64_t *peer = times->moved[!op];
    const uint64_t least = peer[first & mask] + 1, last = peer[(first + count - 1) & mask] + 1;
    const bool row = apart && last - least == (count - 1) * apart;
    if (last <= cycle || (row && apart <= interval))
        side->next = set_cycles(own, mask, number, count, later_of(cycle, least), interval);
    else if (row && cycle <= least)
        side->next = set_cycles(own, mask, number, count, least, apart) - apart + interval;
    else
        side->next = follow(own, peer, mask, number, first, count, cycle, interval);
    side->waited += side->next - cycle - count * interval;
    side->done += count;
    times->count[op] = number + count;
}

/* What so many operations leave in the pipe, of which none of the other end came between: `fill`
 * is what the last one does. */
static inline void add_fill(uint64_t *fills, uint64_t *most, unsigned op, uint64_t count,
                            uint64_t fill)
{
    const uint64_t between = count * (count - 1) / 2;
    const uint64_t greatest = op == SL_PIPE_WRITE ? fill : fill + count - 1;
    *fills += op == SL_PIPE_WRITE ? count * fill - between : count * fill + between;
    *most = later_of(*most, greatest);
}

/* All that is known by now. */
static void catch_up(struct sl_clock_noted_peer *peer, struct sl_clock_ring *times, unsigned op)
{
    const uint64_t known = sl_clock_ring_known(times, op), left = peer->side.rounds;
    const uint64_t count = known < left ? known : left;
    if (!count)
        return;
    follow_up(&peer->side, times, op, count, 0);
    add_fill(&peer->side.fill, &peer->side.most, op, count,
             times->count[SL_PIPE_WRITE] - times->count[SL_PIPE_READ]);
}

/* They are settled, and in order; the cycle of the last operation. Nothing that comes later is in
 * front of it. */
static inline uint64_t go_in_order(struct sl_clock_run *run, struct sl_clock_noted *noted,
                                   uint64_t began, uint64_t rounds)
{
    const uint64_t interval = noted->loop->interval, before = last_delay(&run->time);
    const uint64_t start = run->begin + began + before;
    const uint64_t last = noted->moves[noted->count - 1].offset;
    const uint64_t cycle = noted->count == 1
                               ? go_alone(&noted->moves[0], start + last, interval, rounds)
                               : go_by_each(noted, start, interval, rounds);
    const uint64_t delay = cycle - last - (rounds - 1) * interval - run->begin - began;
    if (delay != before)
        note_delay(run, delay);
    return cycle;
}

/* Likewise, one operation a round, and the peer goes on with each of them. */
static uint64_t go_beside(struct sl_clock_run *run, struct sl_clock_noted *noted,
                          struct sl_clock_noted_peer *peer, uint64_t began, uint64_t rounds)
{
    const struct sl_clock_noted_move *move = &noted->moves[0];
    struct sl_clock_ring *times = move->times;
    const unsigned op = move->op;
    uint64_t cycle = 0;
    for (uint64_t now; rounds; rounds -= now, began += now * noted->loop->interval) {
        const uint64_t known = sl_clock_ring_known(times, op);
        now = known < rounds ? known : rounds;
        cycle = go_in_order(run, noted, began, now);
        add_fill(&peer->fill, &peer->most, op, now,
                 times->count[SL_PIPE_WRITE] - times->count[SL_PIPE_READ]);
        follow_up(&peer->side, times, !op, now, op == SL_PIPE_WRITE ? noted->loop->interval : 0);
        add_fill(&peer->side.fill, &peer->side.most, !op, now,
                 times->count[SL_PIPE_WRITE] - times->count[SL_PIPE_READ]);
        peer->moved += now;
    }
    return cycle;
}

/* So many of the rounds can be gone through with one delay: operations come in the order of their
 * nominal cycles, and nothing that the run does later comes before any of theirs. */
static uint64_t rounds_in_order(const struct sl_clock_run *run, const struct sl_clock_noted *noted,
                                uint64_t began, uint64_t rounds)
{
    const uint64_t interval = noted->loop->interval;
    if (!noted->ordered || !is_settled(&run->time, began + noted->moves[0].offset))
        return 0;
    uint64_t last = rounds - 1; /* those that would come behind its begin may be looked at again */
    for (uint64_t offset = noted->moves[noted->count - 1].offset; offset && last; last--)
        offset = offset > interval ? offset - interval : 0;
    return last;
}

/* ---- what was noted -------------------------------------------------------------------------- */

bool sl_clock_noted_go(struct sl_clock_run *run, struct sl_clock_noted *noted, uint64_t rounds)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    const uint32_t count = noted->count;
    if (!sl_clock_goes_round(run, noted->line, noted->column) || !has_offsets(f->loop, noted))
        return false;
    const uint64_t interval = f->loop->interval;
    uint64_t began = f->iterations ? f->began + interval : run->at, last = 0, cycle = 0;
    const uint64_t in_order = rounds_in_order(run, noted, began, rounds);
    if (in_order)
        last = go_in_order(run, noted, began, in_order);
    began += in_order * interval;
    for (uint64_t n = in_order; n < rounds; n++, began += interval) {
        sl_delays_advance(&run->time, began);
        for (uint32_t i = 0; i < count; i++) {
            cycle = move_one(run, &noted->moves[i], began + noted->moves[i].offset);
            last = cycle > last ? cycle : last;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        sl_clock_ring_forget_row(noted->moves[i].times, noted->moves[i].op);
    f->began = began - interval;
    f->iterations += rounds;
    f->next = noted->next;
    sl_clock_add(&f->counts->iterations, rounds);
    run->nominal = f->began + noted->moves[count - 1].offset;
    run->cycle = cycle;
    sl_clock_reach(run, last + 1);
    return true;
}

/* The run is in that loop, whose iterations do not overlap. */
static inline bool is_apart(const struct sl_clock_frame *f, struct sl_clock_noted *noted)
{
    return f->line == noted->line && f->column == noted->column && f->loop && !f->ahead &&
           !f->loop->pipelined && has_offsets(f->loop, noted) && noted->apart;
}

bool sl_clock_noted_step(struct sl_clock_run *run, struct sl_clock_noted *noted)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    if (!is_apart(f, noted))
        return false;
    struct sl_clock_noted_move *move = &noted->moves[0];
    f->iterations++;
    f->next = 0;
    sl_clock_add(&f->counts->iterations, 1);
    sl_clock_pass(run, run->at);
    run->nominal = run->at++;
    run->cycle = move_one(run, move, run->nominal);
    sl_clock_ring_forget_row(move->times, move->op);
    sl_clock_reach(run, run->cycle + 1);
    return true;
}

/* The loop as the run finds it from there. */
static inline const struct sl_clock_loop *enter(struct sl_clock_run *run,
                                                struct sl_clock_noted *noted)
{
    struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    if (run->depth == SL_CLOCK_FRAMES || (around->loop && around->loop->merged_count))
        return NULL;
    for (uint32_t i = run->depth; i; i--) /* that would be left first */
        if (run->frames[i].line == noted->line && run->frames[i].column == noted->column)
            return NULL;
    if (!noted->entered || noted->around != around->row || noted->last != around->last) {
        noted->around = around->row;
        noted->last = around->last;
        noted->row = sl_clock_find_loop(run, around, noted->line, noted->column);
        noted->entered = true;
    }
    const struct sl_clock_loop *loop =
        noted->row == SL_CLOCK_NO_ROW ? NULL : &run->kernel->schedule->loops[noted->row];
    if (loop && loop->around_count) /* next time it may be another copy */
        noted->entered = false;
    return loop;
}

bool sl_clock_noted_pass(struct sl_clock_run *run, struct sl_clock_noted *noted, uint64_t rounds)
{
    const struct sl_clock_loop *loop = enter(run, noted);
    if (!loop || !loop->pipelined || !has_offsets(loop, noted) || !noted->ordered ||
        (rounds && !is_settled(&run->time, run->at + noted->moves[0].offset)))
        return false;
    struct sl_clock_loop_row *counts =
        &run->clock->loops[run->kernel->first_loop + (uint32_t)noted->row];
    sl_clock_scheduled_frame(run)->last = noted->row;
    sl_clock_add(&counts->entries, 1);
    if (!rounds)
        return true;
    sl_clock_add(&counts->iterations, rounds);
    run->cycle = go_in_order(run, noted, run->at, rounds);
    for (uint32_t i = 0; i < noted->count; i++)
        sl_clock_ring_forget_row(noted->moves[i].times, noted->moves[i].op);
    const uint64_t began = run->at + (rounds - 1) * loop->interval;
    run->nominal = began + noted->moves[noted->count - 1].offset;
    run->at = began + loop->drain; /* no operation is behind that */
    sl_clock_pass(run, run->at);
    sl_clock_reach(run, run->cycle + 1);
    sl_clock_come_through(run);
    return true;
}

/* ---- loops in iterations --------------------------------------------------------------------- */

/* The loop inside is entered again and again from there, and is the same each time. */
static const struct sl_clock_loop *enter_again(struct sl_clock_run *run,
                                               struct sl_clock_noted *noted)
{
    const struct sl_clock_loop *loop = enter(run, noted);
    const struct sl_clock_frame *around = sl_clock_scheduled_frame(run);
    const bool good = loop && !loop->around_count && loop->pipelined && noted->last == noted->row &&
                      around->last == noted->row && has_offsets(loop, noted) && noted->ordered;
    return good ? loop : NULL;
}

static inline bool is_same_nest(const uint64_t *a, const uint64_t *b)
{
    static_assert(SL_CLOCK_NEST_WORDS == 5 && SL_CLOCK_NEST_ROUNDS == 3, "all others are here");
    return !((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[4] ^ b[4]));
}

const uint64_t *sl_clock_noted_nest(struct sl_clock_run *run, struct sl_clock_noted *iteration,
                                    struct sl_clock_noted *inside, const uint64_t *words,
                                    const uint64_t *end, uint64_t most,
                                    struct sl_clock_noted_peer *peer)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    struct sl_clock_noted_move *first = &iteration->moves[0], *moves = &inside->moves[0];
    const struct sl_clock_loop *loop = is_apart(f, iteration) ? enter_again(run, inside) : NULL;
    const uint64_t *at = words;
    uint64_t iterations = 0, entries = 0, all = 0, last = 0, left = 0;
    if (loop && peer)
        catch_up(peer, moves->times, !moves->op);
    while (loop && end - at >= SL_CLOCK_NEST_WORDS && is_same_nest(at, words)) {
        const uint64_t rounds = at[SL_CLOCK_NEST_ROUNDS];
        const uint64_t known = peer ? peer->side.rounds - peer->side.done
                                    : sl_clock_ring_known(moves->times, moves->op);
        if (rounds > most || !sl_clock_ring_is_known(first->times, first->op) || known < rounds)
            break;
        sl_clock_pass(run, run->at);
        run->nominal = run->at++;
        last = run->cycle = move_one(run, first, run->nominal);
        iterations++;
        if (rounds && !is_settled(&run->time, run->at + moves->offset)) {
            at++;
            break;
        }
        entries++;
        at += SL_CLOCK_NEST_WORDS;
        if (!rounds)
            continue;
        last = run->cycle = peer ? go_beside(run, inside, peer, run->at, rounds)
                                 : go_in_order(run, inside, run->at, rounds);
        const uint64_t began = run->at + (rounds - 1) * loop->interval;
        run->nominal = began + moves->offset;
        left = run->at = began + loop->drain;
        sl_clock_pass(run, run->at);
        all += rounds;
    }
    if (!iterations)
        return words;
    struct sl_clock_loop_row *counts =
        &run->clock->loops[run->kernel->first_loop + (uint32_t)inside->row];
    f->iterations += iterations;
    f->next = 0;
    sl_clock_add(&f->counts->iterations, iterations);
    sl_clock_add(&counts->entries, entries);
    sl_clock_add(&counts->iterations, all);
    sl_clock_ring_forget_row(first->times, first->op);
    sl_clock_ring_forget_row(moves->times, moves->op);
    sl_clock_reach(run, last + 1);
    const uint64_t now = run->at;
    run->at = left; /* where it came through last */
    if (all)
        sl_clock_come_through(run);
    run->at = now;
    return at;
}
