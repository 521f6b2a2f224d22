/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_steps.h"

#include <string.h>

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_rows.h"
#include "fpga/clock/clock_steady.h"

/* ---- patterns -------------------------------------------------------------------------------- */

/* Operations of the move that are as many cycles apart, over the end of a round as well; 0: they
 * are not. */
static uint64_t stride_of(const struct sl_clock_moves *m, uint32_t move)
{
    const uint64_t *pattern = m->pattern[move], stride = pattern[1] - pattern[0];
    bool even = true;
    for (uint32_t i = 1; i < m->at[move].each; i++)
        even &= pattern[i + 1] - pattern[i] == stride;
    return even ? stride : 0;
}

static bool are_there(const struct sl_clock_moves *m)
{
    return m->pattern_of.steps == m->steps && m->pattern_of.count == m->step_count &&
           m->pattern_of.interval == m->interval &&
           !memcmp(m->pattern_of.offsets, m->offsets, m->step_count * sizeof *m->offsets);
}

void sl_clock_steps_prepare(struct sl_clock_moves *m)
{
    uint32_t count[SL_PIPE_MOST_MOVES] = {0}, most = 1;
    if (are_there(m))
        return;
    m->pattern_of.steps = m->steps;
    m->pattern_of.count = m->step_count;
    m->pattern_of.interval = m->interval;
    memcpy(m->pattern_of.offsets, m->offsets, m->step_count * sizeof *m->offsets);
    for (uint32_t i = 0; i < m->count; i++)
        most = m->at[i].each > most ? m->at[i].each : most;
    m->block = SL_CLOCK_PATTERN / most;
    for (uint32_t round = 0; round < m->block; round++)
        for (uint32_t i = 0; i < m->step_count; i++) {
            const uint32_t move = m->steps[i];
            m->pattern[move][count[move]++] = round * m->interval + m->offsets[i];
        }
    for (uint32_t i = 0; i < m->count; i++)
        m->strides[i] = stride_of(m, i);
}

/* ---- rounds that nothing holds up ------------------------------------------------------------ */

typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Each of them is behind what it waits for. */
static bool are_behind(const uint64_t *pattern, const uint64_t *peer, uint64_t start,
                       uint64_t count)
{
    const pair from = {start - 1, start - 1};
    pair early = {0, 0}; /* the highest bit: by less than nothing */
    uint64_t n = 0, last = 0;
    for (; n + 2 <= count; n += 2)
        early |= *(const pair *)(pattern + n) + from - *(const pair *)(peer + n);
    if (n < count)
        last = pattern[n] + start - 1 - peer[n];
    return !((early[0] | early[1] | last) >> 63);
}

static void set_cycles(uint64_t *own, const uint64_t *pattern, uint64_t start, uint64_t count)
{
    const pair from = {start, start};
    uint64_t n = 0;
    for (; n + 2 <= count; n += 2)
        *(pair *)(own + n) = *(const pair *)(pattern + n) + from;
    if (n < count)
        own[n] = pattern[n] + start;
}

/* So many operations have been done there, whose cycles are kept. */
static void count_moved(const struct sl_clock_moves *m, uint32_t index, uint64_t count, bool even)
{
    const struct sl_clock_move *move = &m->at[index];
    struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op];
    if (even && m->strides[index])
        sl_clock_steady_bend(times, move->op, number, move->own[number & times->mask],
                             m->strides[index], count);
    else
        sl_clock_ring_forget_row(times, move->op);
    times->count[move->op] = number + count;
    times->next[move->op] = sl_clock_cycle_of(move, 1) + 1;
}

/* Of so many rounds those whose cycles are one behind the other in memory, at both ends of all
 * pipes. */
static uint64_t straight_rounds(const struct sl_clock_moves *m, uint64_t rounds)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const uint64_t each = m->at[i].each;
        rounds = sl_clock_in_a_row(&m->at[i], rounds * each) / each;
    }
    return rounds;
}

/* What is waited for by the next operation and those behind it; NULL: nothing is. */
static const uint64_t *peer_of(const struct sl_clock_move *move)
{
    const struct sl_clock_ring *times = move->times;
    const uint64_t first = times->count[move->op] - move->lag;
    return first < times->count[!move->op] ? &move->peer[first & times->mask] : NULL;
}

static bool are_unhindered(const struct sl_clock_moves *m, uint64_t rounds)
{
    bool free = true;
    for (uint32_t i = 0; i < m->count && free; i++) {
        const uint64_t *peer = peer_of(&m->at[i]);
        free = !peer || are_behind(m->pattern[i], peer, m->start, rounds * m->at[i].each);
    }
    return free;
}

/* How many were done. */
static uint64_t go_unhindered(struct sl_clock_moves *m, uint64_t rounds)
{
    rounds = straight_rounds(m, rounds < m->block ? rounds : m->block);
    if (rounds < 2 || !are_unhindered(m, rounds))
        return 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const uint64_t count = rounds * move->each;
        set_cycles(&move->own[move->times->count[move->op] & move->times->mask], m->pattern[i],
                   m->start, count);
        count_moved(m, i, count, true);
    }
    m->start += rounds * m->interval;
    sl_clock_steady_pass(m, rounds);
    return rounds;
}

/* ---- rounds that wait ------------------------------------------------------------------------ */

struct place { /* a step, with the cycles of its rounds in memory */
    uint64_t *own;
    const uint64_t *peer;     /* what is waited for */
    uint64_t next, next_peer; /* to those of the next round */
    uint64_t offset;
};

static void point_places(struct place *places, const struct sl_clock_moves *m)
{
    static const uint64_t nothing = UINT64_MAX; /* the cycle behind it is 0 */
    uint64_t *own[SL_PIPE_MOST_MOVES];
    const uint64_t *peer[SL_PIPE_MOST_MOVES];
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        own[i] = &move->own[move->times->count[move->op] & move->times->mask];
        peer[i] = peer_of(move);
    }
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint32_t move = m->steps[i];
        const uint64_t each = m->at[move].each;
        places[i] = (struct place){.own = own[move]++,
                                   .peer = peer[move] ? peer[move]++ : &nothing,
                                   .next = each,
                                   .next_peer = peer[move] ? each : 0,
                                   .offset = m->offsets[i]};
    }
}

/* How many of the rounds were done, and of the next one `part` of its steps, those before a slow
 * one that waits; all of them: it has not begun. Whoever else waits holds up all that follows, and
 * a move is no more than a step a cycle. */
static uint64_t go_through(struct sl_clock_moves *m, struct place *places, uint64_t rounds,
                           uint32_t *part)
{
    const uint32_t count = m->step_count, holds_all = m->holds_all;
    const uint64_t interval = m->interval;
    uint64_t start = m->start, n = 0;
    uint32_t i = count;
    for (; n < rounds; n++, start += interval) {
        for (i = 0; i < count; i++) {
            struct place *place = &places[i];
            const uint64_t least = *place->peer + 1 - place->offset;
            if ((int64_t)(start - least) < 0) {
                if (!(holds_all >> i & 1))
                    break;
                m->waited[i] += least - start;
                start = least;
            }
            *place->own = start + place->offset;
            place->own += place->next;
            place->peer += place->next_peer;
        }
        if (i < count)
            break;
    }
    m->start = start;
    *part = i;
    return n;
}

/* A round that was begun is ended. */
static uint64_t go_waiting(struct sl_clock_moves *m, uint64_t rounds)
{
    struct place places[SL_PIPE_MOST_STEPS];
    uint64_t done[SL_PIPE_MOST_MOVES];
    uint32_t part = m->step_count;
    rounds = straight_rounds(m, rounds);
    if (rounds) {
        point_places(places, m);
        rounds = go_through(m, places, rounds, &part);
    } else {
        part = 0;
    }
    const bool begun = part < m->step_count;
    for (uint32_t i = 0; i < m->count; i++)
        done[i] = rounds * m->at[i].each;
    for (uint32_t i = 0; begun && i < part; i++)
        done[m->steps[i]]++;
    for (uint32_t i = 0; i < m->count; i++)
        if (done[i])
            count_moved(m, i, done[i], false);
    sl_clock_steady_pass(m, rounds);
    for (uint32_t i = part; i < m->step_count; i++)
        sl_clock_steady_step(m, i);
    return rounds + begun;
}

/* ---- both ------------------------------------------------------------------------------------ */

uint64_t sl_clock_steps_go(struct sl_clock_moves *m, uint64_t rounds)
{
    enum { LONGEST = 64 };
    const uint64_t done = m->skip ? 0 : go_unhindered(m, rounds);
    if (done) {
        m->pause = 1;
        return done;
    }
    if (!m->skip) {
        m->pause = m->pause < LONGEST ? 2 * m->pause : LONGEST;
        m->skip = m->pause;
    }
    const uint64_t now = go_waiting(m, rounds < m->skip ? rounds : m->skip);
    m->skip -= now < m->skip ? now : m->skip;
    return now;
}
