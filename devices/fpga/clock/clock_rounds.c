/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many rounds of a pipelined loop at once: the same cycles as of each operation by itself, with
 * what all rounds have in common found once. Where nothing has to wait for a while the cycles of
 * each move are a row of numbers II apart. See clock_run.h.
 */
#include "fpga/clock/clock_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/clock/clock_marked.h"
#include "fpga/clock/clock_steady.h"
#include "fpga/clock/clock_varied.h"
#include "fpga/cluster/ring_state.h"

/* False: something is out of the ordinary. */
static bool find_moves(const struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                       struct sl_clock_move *moves)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const struct sl_pipe_site *site = r->moves[i].site;
        struct sl_pipe_ring *ring = r->moves[i].ring;
        if (ring->special)
            return false;
        moves[i] = (struct sl_clock_move){.times = sl_clock_times(run->clock, ring, site->op),
                                          .site = site,
                                          .op = site->op,
                                          .each = !r->steps};
        if (!moves[i].times)
            return false;
    }
    for (uint32_t i = 0; r->steps && i < r->step_count; i++)
        moves[r->steps[i]].each++;
    return true;
}

static bool find_steps(const struct sl_clock_loop *loop, struct sl_clock_moves *m)
{
    m->next = 0;
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint32_t step =
            sl_clock_find_step(loop->steps, loop->step_count, m->next, sl_clock_site_of(m, i));
        if (step == loop->step_count)
            return false;
        m->next = step + 1;
        m->offsets[i] = loop->steps[step].cycle;
    }
    return sl_clock_moves_are_apart(m, loop->interval);
}

bool sl_clock_moves_are_apart(const struct sl_clock_moves *m, uint64_t interval)
{
    bool apart = true;
    for (uint32_t i = 0; m->steps && i < m->step_count; i++)
        for (uint32_t n = i + 1; n < m->step_count; n++)
            apart &= m->steps[i] != m->steps[n] ||
                     (m->offsets[n] > m->offsets[i] && m->offsets[n] - m->offsets[i] < interval);
    return apart;
}

/* ---- by move --------------------------------------------------------------------------------- */

static void move_once(struct sl_clock_run *run, struct sl_clock_moves *moves, uint32_t step,
                      uint64_t nominal)
{
    const struct sl_clock_move *move = &moves->at[sl_clock_move_of(moves, step)];
    struct sl_clock_ring *times = move->times;
    uint64_t cycle = run->begin + nominal + sl_delays_at(&run->time, nominal);
    uint64_t least = sl_clock_ring_allowed(times, move->op, times->count[move->op]);
    if (cycle < least) {
        sl_clock_delay(run, nominal, least - run->begin - nominal);
        moves->waited[step] += least - cycle;
        cycle = least;
    }
    if (!sl_clock_ring_move(times, move->op, 1, cycle))
        sl_clock_guess(run, SL_CLOCK_TOO_EARLY);
    run->cycle = cycle;
}

/* The first round of a loop that is part of the pipelined one around it is in an iteration of that
 * one already, if nothing has happened in it so far. */
void sl_clock_moves_step(struct sl_clock_run *run, struct sl_clock_moves *moves, uint32_t step)
{
    if (moves->steady) {
        sl_clock_steady_step(moves, step);
        return;
    }
    const uint64_t offset = moves->offsets[step];
    const bool last = step + 1 == moves->step_count;
    if (moves->marked) {
        if (!step)
            sl_clock_pass(run, moves->marked->base);
        move_once(run, moves, step, moves->marked->base + offset + sl_clock_varied_at(moves, step));
        moves->marked->base += last ? moves->interval : 0;
        moves->iterations += last;
        if (last && moves->varied)
            moves->marked->base += sl_clock_varied_pass(moves);
        moves->part = last ? 0 : step + 1;
    } else {
        if (!step && (!moves->inner || moves->inner->iterations++)) {
            sl_clock_iterate(run, moves->frame);
            moves->iterations++;
        }
        move_once(run, moves, step, moves->frame->began + offset);
    }
    if (moves->through < run->cycle + 1)
        moves->through = run->cycle + 1;
    moves->since += last;
}

/* ---- two runs at one narrow pipe ------------------------------------------------------------- */

/* Behind what was done at the other end in cycle `least` - 1. */
static inline uint64_t pass_one(struct sl_clock_pair *side, uint64_t least)
{
    const uint64_t cycle = side->next < least ? least : side->next;
    side->waited += cycle - side->next;
    side->next = cycle + side->interval;
    side->done++;
    return cycle;
}

bool sl_clock_pair_begin(struct sl_clock_pair *side)
{
    const struct sl_clock_moves *m = side->moves;
    if (!m->steady && !sl_clock_steady_begin(side->run, side->moves))
        return false;
    side->next = m->start + m->at[0].offset;
    side->interval = m->interval;
    side->done = side->waited = 0;
    return true;
}

void sl_clock_pair_end(struct sl_clock_pair *side)
{
    struct sl_clock_moves *m = side->moves;
    struct sl_clock_move *move = &m->at[0];
    if (!side->done)
        return;
    m->start = side->next - move->offset;
    sl_clock_steady_pass(m, side->done);
    move->times->next[move->op] = side->next - side->interval + 1;
    m->waited[0] += side->waited;
    sl_clock_ring_forget_row(move->times, move->op);
}

bool sl_clock_pair_go(struct sl_clock_pair sides[2])
{
    if (!sl_clock_pair_begin(&sides[0]) || !sl_clock_pair_begin(&sides[1]))
        return false;
    struct sl_clock_pair reads = sides[SL_PIPE_READ], writes = sides[SL_PIPE_WRITE];
    struct sl_clock_ring *times = reads.moves->at[0].times;
    uint64_t *read = times->moved[SL_PIPE_READ], *written = times->moved[SL_PIPE_WRITE];
    uint64_t head = times->count[SL_PIPE_READ], tail = times->count[SL_PIPE_WRITE];
    const uint64_t depth = times->depth, mask = times->mask;
    for (bool any = true; any;) {
        any = false;
        if (writes.done < writes.rounds && tail - head < depth) {
            uint64_t least = tail < depth ? 0 : read[(tail - depth) & mask] + 1;
            written[tail++ & mask] = pass_one(&writes, least);
            writes.fill += tail - head;
            writes.most = tail - head > writes.most ? tail - head : writes.most;
            any = true;
        }
        if (reads.done < reads.rounds && tail != head) {
            read[head & mask] = pass_one(&reads, written[head & mask] + 1);
            head++;
            reads.fill += tail - head;
            any = true;
        }
    }
    times->count[SL_PIPE_READ] = head;
    times->count[SL_PIPE_WRITE] = tail;
    sides[SL_PIPE_READ] = reads;
    sides[SL_PIPE_WRITE] = writes;
    sl_clock_pair_end(&sides[0]);
    sl_clock_pair_end(&sides[1]);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The pipelined loop whose iterations the rounds are; NULL: not that simple. */
static struct sl_clock_frame *frame_of_rounds(struct sl_clock_run *run,
                                              const struct sl_pipe_rounds *r)
{
    struct sl_clock_frame *f = &run->frames[run->depth];
    const struct sl_loop_told *told = r->told;
    if (r->told_count != 1 || told->what != SL_LOOP_ITERATES || told->before)
        return NULL;
    if (sl_clock_goes_round(run, told->line, told->column))
        return f;
    if (!f->merged || f->line != told->line || f->column != told->column)
        return NULL;
    for (uint32_t depth = run->depth; depth-- > 1;)
        if (run->frames[depth].row != SL_CLOCK_NO_ROW) {
            f = &run->frames[depth];
            return f->loop->pipelined && f->iterations && !f->ahead ? f : NULL;
        }
    return NULL;
}

static bool can_be_found(const struct sl_clock_run *run)
{
    return run && !run->items && !run->clock->events && !run->asks;
}

static bool are_found(struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                      const struct sl_clock_moves *moves)
{
    if (moves->found != r->told || !r->told || moves->steps != r->steps ||
        moves->sites != r->sites || moves->count != r->count || moves->step_count != r->step_count)
        return false;
    bool same = frame_of_rounds(run, r) == moves->frame && moves->frame->loop == moves->found_in;
    for (uint32_t i = 0; i < r->count && same; i++)
        same = r->moves[i].site == moves->at[i].site && !r->moves[i].ring->special &&
               sl_ring_state(r->moves[i].ring)->clock == moves->at[i].times;
    return same;
}

/* Those that were found have done nothing so far. */
static void begin_anew(const struct sl_clock_run *run, struct sl_clock_moves *moves)
{
    moves->stands = false;
    moves->iterations = moves->through = 0;
    memset(moves->waited, 0, moves->step_count * sizeof *moves->waited);
    sl_clock_steady_begin_anew(run, moves);
}

bool sl_clock_moves_find_again(struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                               struct sl_clock_moves *moves)
{
    const bool found = can_be_found(run) && are_found(run, r, moves);
    if (found)
        begin_anew(run, moves);
    return found;
}

bool sl_clock_moves_find(struct sl_clock_run *run, const struct sl_pipe_rounds *r,
                         struct sl_clock_moves *moves)
{
    if (!can_be_found(run))
        return false;
    struct sl_clock_frame *inner = &run->frames[run->depth];
    moves->found = NULL;
    moves->count = r->count;
    moves->step_count = r->step_count;
    moves->steps = r->steps;
    moves->sites = r->sites;
    moves->varied = sl_pipe_varied(r);
    if (r->step_count > SL_PIPE_MOST_STEPS || !find_moves(run, r, moves->at))
        return false;
    moves->marked = NULL;
    moves->frame = frame_of_rounds(run, r);
    if (moves->frame && !find_steps(moves->frame->loop, moves))
        moves->frame = NULL;
    moves->inner = moves->frame && moves->frame != inner ? inner : NULL;
    if (!moves->frame && !sl_clock_marked_find(run, r, moves))
        return false;
    for (uint32_t i = r->step_count; i-- > 0;) /* the first one's at last */
        moves->at[sl_clock_move_of(moves, i)].offset = moves->offsets[i];
    sl_clock_steady_prepare(moves);
    begin_anew(run, moves);
    if (!moves->marked && !moves->inner) {
        moves->found = r->told;
        moves->found_in = moves->frame->loop;
    }
    return true;
}

void sl_clock_moves_go(struct sl_clock_run *run, struct sl_clock_moves *moves, uint64_t rounds)
{
    for (; rounds; rounds--) {
        if (moves->steady || sl_clock_steady_begin(run, moves)) {
            sl_clock_steady_go(moves, rounds);
            return;
        }
        for (uint32_t i = 0; i < moves->step_count; i++)
            sl_clock_moves_step(run, moves, i);
    }
}

void sl_clock_moves_end(struct sl_clock_run *run, struct sl_clock_moves *moves)
{
    sl_clock_steady_end(run, moves);
    if (moves->marked)
        sl_clock_marked_end(run, moves);
}

void sl_clock_moves_stand(struct sl_clock_run *run, struct sl_clock_moves *moves, uint32_t part)
{
    const struct sl_clock_frame *inner = moves->inner;
    moves->stands_at = part;
    if (moves->marked) {
        moves->stands = true;
        sl_clock_marked_stand(run, moves, part);
        return;
    }
    /* one that is not steady has counted itself as it began */
    moves->stands = (!part || moves->steady) && (!inner || inner->iterations);
    if (moves->stands)
        sl_clock_add(&moves->frame->counts->iterations, 1);
}

void sl_clock_moves_go_on(struct sl_clock_run *run, struct sl_clock_moves *moves)
{
    moves->stands = false;
    if (moves->marked)
        sl_clock_marked_count(run, moves, moves->stands_at, UINT64_MAX);
    else
        sl_clock_add(&moves->frame->counts->iterations, UINT64_MAX);
}

void sl_clock_moves_note(struct sl_clock_run *run, struct sl_clock_moves *moves,
                         const int32_t *rows)
{
    sl_clock_steady_note(run, moves);
    if (moves->marked) {
        sl_clock_marked_note(run, moves);
    } else {
        sl_clock_add(&moves->frame->counts->iterations, moves->iterations);
        moves->frame->next = moves->next;
    }
    moves->iterations = 0;
    for (uint32_t i = 0; i < moves->step_count; i++) {
        if (moves->waited[i])
            sl_clock_note_wait(run->clock, sl_clock_site_of(moves, i),
                               rows[sl_clock_move_of(moves, i)], moves->waited[i]);
        moves->waited[i] = 0;
    }
    sl_clock_reach(run, moves->through);
}

bool sl_clock_rounds(struct sl_clock_run *run, const struct sl_pipe_rounds *r, const int32_t *rows,
                     uint64_t rounds)
{
    if (run && !run->moves)
        run->moves = calloc(1, sizeof *run->moves);
    struct sl_clock_moves *moves = run ? run->moves : NULL;
    if (!moves || !rounds ||
        (!sl_clock_moves_find_again(run, r, moves) && !sl_clock_moves_find(run, r, moves)))
        return false;
    moves->trips = r->trips;
    sl_clock_moves_go(run, moves, rounds);
    sl_clock_moves_end(run, moves);
    sl_clock_moves_note(run, moves, rows);
    return true;
}
