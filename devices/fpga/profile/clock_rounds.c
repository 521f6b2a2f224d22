/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many rounds of a pipelined loop at once: the same cycles as of each operation by itself, with
 * what all rounds have in common found once. Where nothing has to wait for a while the cycles of
 * each move are a row of numbers II apart. See clock_run.h.
 */
#include "fpga/profile/clock_rounds.h"

#include "fpga/cluster/ring_state.h"

enum { SMOOTH = 8 }; /* rounds without a wait before it is tried to do many more at once */

/* False: something is out of the ordinary. */
static bool find_moves(const struct sl_clock_run *run, const struct sl_clock_loop *loop,
                       const struct sl_pipe_rounds *r, struct sl_clock_move *moves)
{
    uint32_t step = 0;
    for (uint32_t i = 0; i < r->count; i++, step++) {
        const struct sl_pipe_site *site = r->moves[i].site;
        struct sl_pipe_ring *ring = r->moves[i].ring;
        if (ring->special)
            return false;
        step = sl_clock_find_step(loop->steps, loop->step_count, step, site);
        if (step == loop->step_count)
            return false;
        moves[i] = (struct sl_clock_move){.times = sl_clock_times(run->clock, ring, site->op),
                                          .site = site,
                                          .op = site->op,
                                          .step = step,
                                          .offset = loop->steps[step].cycle};
        if (!moves[i].times)
            return false;
    }
    return true;
}

static bool do_round(struct sl_clock_run *run, struct sl_clock_frame *f,
                     struct sl_clock_move *moves, uint32_t count)
{
    uint64_t waited = 0;
    sl_clock_iterate(run, f);
    for (uint32_t i = 0; i < count; i++)
        waited += sl_clock_move_once(run, &moves[i], f->began);
    return !waited;
}

/* ---- rounds in which nothing waits ----------------------------------------------------------- */

/* Packets of an end from the next one on whose numbers lie one behind the other in both lists of
 * cycles. */
static uint64_t in_a_row(const struct sl_clock_ring *times, unsigned op, uint64_t most)
{
    uint64_t number = times->count[op], first = sl_clock_ring_needed(times, op, number);
    uint64_t here = times->mask + (uint64_t)1 - (number & times->mask);
    uint64_t there = times->mask + (uint64_t)1 - (first & times->mask);
    if (first == UINT64_MAX)
        there = times->depth - number; /* so many have room in any case */
    most = most < here ? most : here;
    return most < there ? most : there;
}

/* Of so many rounds, the first in which the move would have to wait. */
static uint64_t until_wait(const struct sl_clock_ring *times, unsigned op, uint64_t cycle,
                           uint64_t interval, uint64_t most)
{
    uint64_t first = sl_clock_ring_needed(times, op, times->count[op]);
    if (times->next[op] > cycle || !interval)
        return 0;
    if (first >= times->count[!op]) /* none was written or read by a kernel with a clock */
        return first == UINT64_MAX ? most : 0;
    if (most > times->count[!op] - first)
        most = times->count[!op] - first;
    const uint64_t *peer = &times->moved[!op][first & times->mask];
    uint64_t n = 0;
    /* They are a cycle apart at least, as these are: if it is true of the last one it is of all. */
    if (!times->together && most && peer[most - 1] - (most - 1) < cycle)
        return most;
    for (; n < most && peer[n] < cycle; n++)
        cycle += interval;
    return n;
}

static void set_cycles(struct sl_clock_ring *times, unsigned op, uint64_t cycle, uint64_t interval,
                       uint64_t rounds)
{
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    uint64_t *moved = &times->moved[op][times->count[op] & times->mask], n = 0;
    pair at = {cycle, cycle + interval}, behind = at + 2 * interval;
    for (; n + 4 <= rounds; n += 4, at += 4 * interval, behind += 4 * interval) {
        *(pair *)(moved + n) = at;
        *(pair *)(moved + n + 2) = behind;
    }
    for (; n < rounds; n++)
        moved[n] = cycle + n * interval;
    times->count[op] += rounds;
    times->next[op] = cycle + (rounds - 1) * interval + 1;
}

static bool is_denied(const struct sl_clock_move *moves, uint32_t count)
{
    bool denied = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct sl_clock_ring *times = moves[i].times;
        denied |= times->denied[moves[i].op].packet == times->count[moves[i].op] &&
                  times->denied[moves[i].op].cycle;
    }
    return denied;
}

/* How many of the rounds were done: those before something may have to wait. */
static uint64_t do_smooth(struct sl_clock_run *run, struct sl_clock_frame *f,
                          const struct sl_clock_move *moves, uint32_t count, uint64_t rounds)
{
    const uint64_t interval = f->loop->interval;
    uint64_t began = f->iterations ? f->began + interval : run->at;
    sl_delays_advance(&run->time, began);
    if (run->time.count || is_denied(moves, count))
        return 0;
    const uint64_t start = run->begin + run->time.base + began;
    for (uint32_t i = 0; i < count && rounds; i++) {
        const struct sl_clock_ring *times = moves[i].times;
        unsigned op = moves[i].op;
        rounds = in_a_row(times, op, rounds);
        rounds = until_wait(times, op, start + moves[i].offset, interval, rounds);
    }
    if (!rounds)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t cycle = start + moves[i].offset, last = cycle + (rounds - 1) * interval;
        set_cycles(moves[i].times, moves[i].op, cycle, interval, rounds);
        run->cycle = run->cycle < last ? last : run->cycle;
    }
    f->began = began + (rounds - 1) * interval;
    f->iterations += rounds;
    sl_delays_advance(&run->time, f->began);
    return rounds;
}

/* ---- rounds with one delay ------------------------------------------------------------------- */

/* A move, with its cycles in rounds to come one behind the other in memory. */
struct lane {
    uint64_t *own;
    const uint64_t *peer; /* what is waited for */
    uint64_t step;        /* 0 or 1: to the next one of them */
    uint64_t offset, waited;
    bool delays_all; /* if it waits, all that is behind it in the program is late by as much */
};

static void load_lanes(struct lane *lanes, const struct sl_clock_move *moves, uint32_t count,
                       uint64_t interval)
{
    uint64_t least = UINT64_MAX, later = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        least = moves[i].offset < least ? moves[i].offset : least;
    for (uint32_t i = count; i-- > 0;) {
        lanes[i].offset = moves[i].offset;
        lanes[i].waited = 0;
        lanes[i].delays_all = moves[i].offset <= later && moves[i].offset - least <= interval;
        later = moves[i].offset < later ? moves[i].offset : later;
    }
}

/* So many of the rounds have all their cycles in a row; one at least. */
static uint64_t point_lanes(struct lane *lanes, const struct sl_clock_move *moves, uint32_t count,
                            uint64_t rounds)
{
    static const uint64_t nothing = UINT64_MAX; /* the cycle behind it is 0 */
    for (uint32_t i = 0; i < count; i++) {
        const struct sl_clock_ring *times = moves[i].times;
        const unsigned op = moves[i].op;
        const uint64_t first = sl_clock_ring_needed(times, op, times->count[op]);
        const bool waits = first < times->count[!op];
        rounds = in_a_row(times, op, rounds);
        if (waits && rounds > times->count[!op] - first)
            rounds = times->count[!op] - first;
        lanes[i].own = &times->moved[op][times->count[op] & times->mask];
        lanes[i].peer = waits ? &times->moved[!op][first & times->mask] : &nothing;
        lanes[i].step = waits;
    }
    return rounds;
}

/* How many of the rounds were done, and of the next one `part` of its moves: those before one that
 * waits and delays not all. Nothing has to look at the last operation of its own end: what is late
 * stays so, and rounds are a cycle apart at least. */
static inline __attribute__((always_inline)) uint64_t do_count(struct lane *lanes,
                                                               const uint32_t count,
                                                               uint64_t rounds, uint64_t start,
                                                               uint64_t interval, uint64_t *delay,
                                                               uint32_t *part)
{
    struct lane local[SL_PIPE_MOST_MOVES]; /* which no store of a cycle can change */
    uint64_t late = *delay, n = 0;
    uint32_t i = count;
    for (uint32_t k = 0; k < count; k++)
        local[k] = lanes[k];
    for (; n < rounds && i == count; n += i == count, start += interval)
#pragma GCC unroll 4
        for (i = 0; i < count; i++) {
            struct lane *lane = &local[i];
            uint64_t cycle = start + lane->offset + late, least = *lane->peer + 1;
            if (cycle < least) {
                if (!lane->delays_all)
                    break;
                lane->waited += least - cycle;
                late += least - cycle;
                cycle = least;
            }
            lane->peer += lane->step;
            lane->own[n] = cycle;
        }
    for (uint32_t k = 0; k < count; k++)
        lanes[k].waited = local[k].waited;
    *part = i == count ? 0 : i;
    *delay = late;
    return n;
}

static uint64_t do_lanes(struct lane *lanes, uint32_t count, uint64_t rounds, uint64_t start,
                         uint64_t interval, uint64_t *delay, uint32_t *part)
{
    switch (count) {
    case 1:
        return do_count(lanes, 1, rounds, start, interval, delay, part);
    case 2:
        return do_count(lanes, 2, rounds, start, interval, delay, part);
    case 3:
        return do_count(lanes, 3, rounds, start, interval, delay, part);
    case 4:
        return do_count(lanes, 4, rounds, start, interval, delay, part);
    default:
        return do_count(lanes, count, rounds, start, interval, delay, part);
    }
}

/* Of the operation that is so far back at that end, among those that are kept; 1: the last one. */
static uint64_t cycle_of(const struct sl_clock_move *move, uint64_t back)
{
    const struct sl_clock_ring *times = move->times;
    return times->moved[move->op][(times->count[move->op] - back) & times->mask];
}

static void count_lanes(struct sl_clock_run *run, const struct sl_clock_move *moves, uint32_t count,
                        uint64_t rounds)
{
    for (uint32_t i = 0; i < count && rounds; i++) {
        struct sl_clock_ring *times = moves[i].times;
        times->count[moves[i].op] += rounds;
        uint64_t last = cycle_of(&moves[i], 1);
        times->next[moves[i].op] = last + 1;
        run->cycle = run->cycle < last ? last : run->cycle;
    }
}

/* Rounds at the end in which something may have waited behind the begin of the last one. */
static uint64_t tail_of(const struct lane *lanes, uint32_t count, uint64_t interval)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = lanes[i].delays_all && lanes[i].offset > most ? lanes[i].offset : most;
    return most < interval ? 1 : most / interval + 1;
}

/* How late the move was in a round of which that is the begin, its operation being so far back. */
static uint64_t delay_of(const struct sl_clock_run *run, const struct sl_clock_move *move,
                         uint64_t back, uint64_t began)
{
    return cycle_of(move, back) - run->begin - began - move->offset;
}

static void note_round(struct sl_clock_run *run, const struct sl_clock_move *moves, uint32_t count,
                       uint64_t back, uint64_t began)
{
    for (uint32_t i = 0; i < count; i++)
        if (!sl_delays_hold(&run->time, began + moves[i].offset,
                            delay_of(run, &moves[i], back, began)))
            sl_clock_lose(run->clock);
}

/* Nobody asks for cycles before the begin of the last round, so delays have the cycle from which on
 * they hold in those at the end only. `next`: the begin of the round behind them. */
static void note_delays(struct sl_clock_run *run, const struct sl_clock_move *moves, uint32_t count,
                        uint64_t rounds, uint64_t tail, uint64_t next, uint64_t interval)
{
    if (rounds > tail)
        run->time.base = delay_of(run, &moves[count - 1], tail + 1, next - (tail + 1) * interval);
    for (uint64_t back = rounds < tail ? rounds : tail; back; back--)
        note_round(run, moves, count, back, next - back * interval);
}

/* The last operation of one of the ends is in the way of the next one. */
static bool is_held_up(const struct sl_clock_run *run, const struct sl_clock_move *moves,
                       uint32_t count, uint64_t began)
{
    bool held = false;
    for (uint32_t i = 0; i < count; i++)
        held |= moves[i].times->next[moves[i].op] >
                run->begin + began + moves[i].offset + run->time.base;
    return held;
}

/* A round that was begun, and in which `part` moves have been done. */
static void end_round(struct sl_clock_run *run, struct sl_clock_move *moves, uint32_t count,
                      uint32_t part, uint64_t began)
{
    count_lanes(run, moves, part, 1);
    note_round(run, moves, part, 1, began);
    for (uint32_t i = part; i < count; i++)
        sl_clock_move_once(run, &moves[i], began);
}

/*
 * The same for rounds in which what waits delays all that follows: there is one delay. How many
 * were done.
 */
static uint64_t do_together(struct sl_clock_run *run, struct sl_clock_frame *f,
                            struct sl_clock_move *moves, uint32_t count, uint64_t rounds)
{
    enum { MOST_TAIL = SL_CLOCK_LEAST_BEHIND }; /* operations of an end that are kept */
    struct lane lanes[SL_PIPE_MOST_MOVES];
    const uint64_t interval = f->loop->interval;
    uint64_t began = f->iterations ? f->began + interval : run->at;
    sl_delays_advance(&run->time, began);
    if (run->time.count || !interval || is_denied(moves, count) ||
        is_held_up(run, moves, count, began))
        return 0;
    load_lanes(lanes, moves, count, interval);
    const uint64_t tail = tail_of(lanes, count, interval);
    uint64_t done = 0, row = 0, now = 0, delay = run->time.base;
    uint32_t part = 0;
    if (tail > MOST_TAIL)
        return 0;
    for (; done < rounds && now == row; done += now, began += now * interval) {
        row = point_lanes(lanes, moves, count, rounds - done);
        now = do_lanes(lanes, count, row, run->begin + began, interval, &delay, &part);
        count_lanes(run, moves, count, now);
    }
    note_delays(run, moves, count, done, tail, began, interval);
    for (uint32_t i = 0; i < count; i++)
        moves[i].waited += lanes[i].waited;
    if (delay > run->late) {
        sl_clock_add(&run->kernel->stalled, delay - run->late);
        run->late = delay;
    }
    if (part)
        end_round(run, moves, count, part, began);
    else
        began -= interval;
    done += part != 0;
    if (!done)
        return 0;
    f->began = began;
    f->iterations += done;
    sl_delays_advance(&run->time, f->began);
    return done;
}

/* ---- two runs at one narrow pipe ------------------------------------------------------------- */

/* False: the delays of what it did before are not over. */
static bool is_steady(struct sl_clock_pair *side, unsigned op)
{
    enum { MOST_TAIL = SL_CLOCK_LEAST_BEHIND };
    struct sl_clock_run *run = side->run;
    const struct sl_clock_frame *f = side->moves->frame;
    const struct sl_clock_move *move = &side->moves->at[0];
    side->interval = f->loop->interval;
    side->began = f->iterations ? f->began + side->interval : run->at;
    sl_delays_advance(&run->time, side->began);
    side->late = run->time.base;
    side->next = run->begin + side->began + move->offset;
    side->done = side->waited = 0;
    return !run->time.count && !side->moves->inner && side->interval &&
           move->offset / side->interval < MOST_TAIL &&
           move->times->next[op] <= side->next + side->late;
}

/* Behind what was done at the other end in cycle `least` - 1. */
static inline uint64_t pass_one(struct sl_clock_pair *side, uint64_t least)
{
    uint64_t cycle = side->next + side->late;
    if (cycle < least) {
        side->waited += least - cycle;
        side->late += least - cycle;
        cycle = least;
    }
    side->next += side->interval;
    side->done++;
    return cycle;
}

static void note_side(struct sl_clock_pair *side)
{
    struct sl_clock_run *run = side->run;
    struct sl_clock_moves *moves = side->moves;
    struct sl_clock_frame *f = moves->frame;
    struct sl_clock_move *move = &moves->at[0];
    if (!side->done)
        return;
    const uint64_t next = side->began + side->done * side->interval;
    note_delays(run, move, 1, side->done, move->offset / side->interval + 1, next, side->interval);
    if (side->late > run->late) {
        sl_clock_add(&run->kernel->stalled, side->late - run->late);
        run->late = side->late;
    }
    move->times->next[move->op] = cycle_of(move, 1) + 1;
    move->waited += side->waited;
    moves->iterations += side->done;
    if (moves->through < move->times->next[move->op])
        moves->through = move->times->next[move->op];
    f->began = next - side->interval;
    f->iterations += side->done;
    sl_delays_advance(&run->time, f->began);
}

bool sl_clock_pair_go(struct sl_clock_pair sides[2])
{
    struct sl_clock_pair *reads = &sides[SL_PIPE_READ], *writes = &sides[SL_PIPE_WRITE];
    struct sl_clock_ring *times = reads->moves->at[0].times;
    if (!is_steady(reads, SL_PIPE_READ) || !is_steady(writes, SL_PIPE_WRITE))
        return false;
    uint64_t *read = times->moved[SL_PIPE_READ], *written = times->moved[SL_PIPE_WRITE];
    uint64_t head = times->count[SL_PIPE_READ], tail = times->count[SL_PIPE_WRITE];
    const uint64_t depth = times->depth, mask = times->mask;
    for (bool any = true; any;) {
        any = false;
        if (writes->done < writes->rounds && tail - head < depth) {
            uint64_t least = tail < depth ? 0 : read[(tail - depth) & mask] + 1;
            written[tail++ & mask] = pass_one(writes, least);
            writes->fill += tail - head;
            writes->most = tail - head > writes->most ? tail - head : writes->most;
            any = true;
        }
        if (reads->done < reads->rounds && tail != head) {
            read[head & mask] = pass_one(reads, written[head & mask] + 1);
            head++;
            reads->fill += tail - head;
            any = true;
        }
    }
    times->count[SL_PIPE_READ] = head;
    times->count[SL_PIPE_WRITE] = tail;
    note_side(reads);
    note_side(writes);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void do_rounds(struct sl_clock_run *run, struct sl_clock_frame *f,
                      struct sl_clock_move *moves, uint32_t count, uint64_t rounds)
{
    uint32_t smooth = SMOOTH, together = SMOOTH;
    run->cycle = 0;
    while (rounds) {
        uint64_t done = smooth < SMOOTH ? 0 : do_smooth(run, f, moves, count, rounds);
        rounds -= done;
        smooth = done ? smooth : 0;
        if (rounds && together >= SMOOTH) {
            uint64_t more = do_together(run, f, moves, count, rounds);
            rounds -= more;
            together = more ? together : 0;
        }
        if (!rounds)
            break;
        smooth = do_round(run, f, moves, count) ? smooth + 1 : 0;
        together++;
        rounds--;
    }
}

/* The pipelined loop whose iterations the rounds are; NULL: not that simple. */
static struct sl_clock_frame *frame_of_rounds(struct sl_clock_run *run,
                                              const struct sl_pipe_rounds *r)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    if (sl_clock_goes_round(run, r->line, r->column))
        return f;
    if (!f->merged || f->line != r->line || f->column != r->column)
        return NULL;
    for (uint32_t depth = run->depth; depth-- > 1;)
        if (run->frames[depth].row != SL_CLOCK_NO_ROW) {
            f = &run->frames[depth];
            return f->loop->pipelined && f->iterations && !f->ahead ? f : NULL;
        }
    return NULL;
}

bool sl_clock_moves_find(struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                         struct sl_clock_moves *moves)
{
    if (!run || run->items || run->clock->events || run->asks || r->before)
        return false;
    struct sl_clock_frame *inner = &run->frames[run->depth];
    moves->frame = frame_of_rounds(run, r);
    moves->inner = moves->frame != inner ? inner : NULL;
    moves->count = r->count;
    moves->iterations = moves->through = 0;
    return moves->frame && find_moves(run, moves->frame->loop, r, moves->at);
}

void sl_clock_moves_go(struct sl_clock_run *run, struct sl_clock_moves *moves, uint64_t rounds)
{
    if (moves->inner && rounds && !moves->inner->iterations) {
        for (uint32_t i = 0; i < moves->count; i++)
            sl_clock_moves_step(run, moves, i);
        rounds--;
    }
    if (moves->inner)
        moves->inner->iterations += rounds;
    moves->iterations += rounds;
    if (rounds)
        do_rounds(run, moves->frame, moves->at, moves->count, rounds);
    if (moves->through < run->cycle + 1)
        moves->through = run->cycle + 1;
}

void sl_clock_moves_note(struct sl_clock_run *run, struct sl_clock_moves *moves,
                         const int32_t *rows)
{
    sl_clock_add(&moves->frame->counts->iterations, moves->iterations);
    moves->iterations = 0;
    moves->frame->next = moves->at[moves->count - 1].step + 1;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->at[i].waited)
            sl_clock_note_wait(run->clock, moves->at[i].site, rows[i], moves->at[i].waited);
        moves->at[i].waited = 0;
    }
    sl_clock_reach(run, moves->through);
}

bool sl_clock_rounds(struct sl_clock_run *run, const struct sl_pipe_rounds *r, const int32_t *rows,
                     uint64_t rounds)
{
    struct sl_clock_moves moves;
    if (!rounds || !sl_clock_moves_find(run, r, &moves))
        return false;
    sl_clock_moves_go(run, &moves, rounds);
    sl_clock_moves_note(run, &moves, rows);
    return true;
}
