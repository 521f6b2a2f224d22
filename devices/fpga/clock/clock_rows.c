/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_rows.h"

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_steady.h"

uint64_t sl_clock_in_a_row(const struct sl_clock_move *move, uint64_t most)
{
    const struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op], first = number - move->lag;
    uint64_t here = times->mask + (uint64_t)1 - (number & times->mask);
    uint64_t there = times->mask + (uint64_t)1 - (first & times->mask);
    if (number < move->lag)
        there = move->lag - number; /* so many have room in any case */
    most = most < here ? most : here;
    return most < there ? most : there;
}

static inline void put_cycles(const struct sl_clock_move *move, uint64_t cycle, uint64_t stride,
                              uint64_t rounds)
{
    struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op];
    sl_clock_set_row(&move->own[number & times->mask], cycle, stride, rounds);
    times->count[move->op] = number + rounds;
    times->next[move->op] = cycle + (rounds - 1) * stride + 1;
}

static __attribute__((noinline)) void turn(const struct sl_clock_move *move, uint64_t cycle,
                                           uint64_t stride, uint64_t rounds)
{
    sl_clock_steady_turn(move->times, move->op, move->times->count[move->op], cycle, stride,
                         rounds);
    put_cycles(move, cycle, stride, rounds);
}

static void set_cycles(const struct sl_clock_move *move, uint64_t cycle, uint64_t stride,
                       uint64_t rounds)
{
    if (!rounds)
        return;
    if (sl_clock_steady_goes_on(move->times, move->op, cycle, stride, rounds))
        put_cycles(move, cycle, stride, rounds);
    else
        turn(move, cycle, stride, rounds);
}

/* What a move waits for, in rounds to come: how much later than it would come itself if nothing
 * waited from now on (it may be earlier), in the first one and more in each that follows. And how
 * late it is then, in the first round, and in the second. */
struct wait {
    int64_t first, more, late[2];
    bool free; /* it waits for nothing */
};

/* How many of the rounds have what they wait for in rows. */
static uint64_t find_waits(const struct sl_clock_moves *m, uint64_t rounds, struct wait *waits)
{
    for (uint32_t i = 0; i < m->count && rounds; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const struct sl_clock_ring *times = move->times;
        const uint64_t number = times->count[move->op], first = number - move->lag;
        waits[i].free = first >= times->count[!move->op];
        rounds = sl_clock_in_a_row(move, rounds);
        if (!waits[i].free) {
            uint64_t stride;
            const uint64_t row = sl_clock_row_from(times, !move->op, first, &stride);
            const uint64_t least = move->peer[first & times->mask] + 1;
            rounds = rounds < row ? rounds : row;
            waits[i].first = (int64_t)(least - move->offset - m->start);
            waits[i].more = (int64_t)(stride - m->interval);
        } else if (number >= move->lag) {
            rounds = 0; /* none was written or read by a kernel with a clock */
        }
    }
    return rounds;
}

/* One round; `late`: in its begin, and behind it. False: a slow move waits. */
static bool pass_waits(const struct sl_clock_moves *m, struct wait *waits, uint32_t round,
                       int64_t *late)
{
    bool good = true;
    for (uint32_t i = 0; i < m->count; i++) {
        const int64_t needed = waits[i].first + round * waits[i].more;
        if (!waits[i].free && needed > *late) {
            *late = needed;
            good &= m->holds_all >> i & 1;
        }
        waits[i].late[round] = *late;
    }
    return good;
}

/* From the second round on each is later than the one before by `more`: who waits does so by as
 * much each time, and nobody comes to wait until the last one. */
static bool goes_on(const struct sl_clock_moves *m, const struct wait *waits, uint64_t rounds,
                    int64_t begin, int64_t more)
{
    bool good = true;
    int64_t before = begin;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct wait *w = &waits[i];
        const int64_t end = (int64_t)rounds - 1;
        if (w->late[1] > before)
            good &= w->more == more;
        else if (!w->free)
            good &= w->first + end * w->more <= before + (end - 1) * more;
        before = w->late[1];
    }
    return good;
}

/* Cycles at an end never go back: it is enough to look at the last of them. */
uint64_t sl_clock_go_unhindered(struct sl_clock_moves *m, uint64_t rounds)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const struct sl_clock_ring *times = move->times;
        const uint64_t number = times->count[move->op], first = number - move->lag;
        const uint64_t there = times->count[!move->op];
        const bool waits = first < there;
        if (waits ? move->peer[first & times->mask] >= m->start + move->offset
                  : number >= move->lag) /* none was moved by a kernel with a clock */
            return 0;
        rounds = sl_clock_in_a_row(move, rounds);
        rounds = waits && rounds > there - first ? there - first : rounds;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const uint64_t first = move->times->count[move->op] - move->lag;
        if (first < move->times->count[!move->op] &&
            move->peer[(first + rounds - 1) & move->times->mask] >= m->start + move->offset)
            return 0;
    }
    for (uint32_t i = 0; i < m->count; i++)
        set_cycles(&m->at[i], m->start + m->at[i].offset, m->interval, rounds);
    m->start += rounds * m->interval;
    sl_clock_steady_pass(m, rounds);
    return rounds;
}

/* ---- in step --------------------------------------------------------------------------------- */

/* By how much each move would wait in the first round if all of them began it at once. */
struct in_step {
    int64_t first[SL_PIPE_MOST_MOVES]; /* INT64_MIN: it waits for nothing */
    int64_t most;                      /* of these */
    uint64_t stride;                   /* of all that is waited for */
};

static inline uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Rounds in which all that is waited for comes by as much later each time, so that the delays of
 * all follow from those of the first one; 0: there are none. */
static uint64_t find_in_step(const struct sl_clock_moves *m, uint64_t rounds, struct in_step *step)
{
    const struct sl_clock_move *move = m->at, *end = m->at + m->count;
    const uint64_t start = m->start - 1, none = UINT64_MAX;
    uint64_t stride = none, last = rounds - 1; /* the round behind the first one that is the last */
    int64_t most = INT64_MIN, *to = step->first;
    for (; move < end; move++) {
        const struct sl_clock_ring *times = move->times;
        const uint64_t op = move->op, number = times->count[op], there = times->count[op ^ 1];
        const uint64_t first = number - move->lag, mask = times->mask;
        const struct sl_clock_row *row = &times->row[op ^ 1];
        last = less_of(last, ~number & mask);
        if (first >= there) { /* it has room, or waits for who has no clock */
            if (number >= move->lag)
                return 0;
            last = less_of(last, move->lag - number - 1);
            *to++ = INT64_MIN;
            continue;
        }
        last = less_of(last, ~first & mask);
        uint64_t behind = there;
        if (first < row->from) {
            row = &times->before[op ^ 1];
            behind = row->end;
            if (first < row->from || first >= behind)
                return 0;
        }
        last = less_of(last, behind - first - 1);
        if (row->stride != stride) {
            if (stride != none)
                return 0;
            stride = row->stride;
        }
        const int64_t late = (int64_t)(move->peer[first & mask] - move->offset - start);
        most = late > most ? late : most;
        *to++ = late;
    }
    step->most = most;
    step->stride = stride;
    return most >= 0 && stride >= m->interval && last ? last + 1 : 0;
}

static inline bool holds_all(const struct sl_clock_moves *m)
{
    const uint32_t all = UINT32_MAX >> (32 - m->count);
    return (m->holds_all & all) == all;
}

uint64_t sl_clock_go_in_step(struct sl_clock_moves *m, uint64_t rounds)
{
    enum { MANY = 8 };
    struct in_step step;
    rounds = holds_all(m) ? find_in_step(m, rounds, &step) : 0;
    m->in_step = rounds >= MANY;
    if (!rounds)
        return 0;
    const uint64_t stride = step.stride, start = m->start;
    /* By how much the first round is late, and each that follows without what it brings itself. */
    int64_t late = 0, later = step.most - (int64_t)(stride - m->interval);
    for (uint32_t i = 0; i < m->count; i++) {
        struct sl_clock_move *move = &m->at[i];
        const int64_t first = step.first[i];
        if (first > late) {
            m->waited[i] += (uint64_t)(first - late);
            late = first;
        }
        if (first > later) {
            m->waited[i] += (rounds - 1) * (uint64_t)(first - later);
            later = first;
        }
        const uint64_t cycle = start + move->offset + (uint64_t)late;
        if (__builtin_expect(late == later, 1)) {
            set_cycles(move, cycle, stride, rounds);
        } else {
            set_cycles(move, cycle, stride, 1);
            set_cycles(move, start + move->offset + stride + (uint64_t)later, stride, rounds - 1);
        }
    }
    m->start = start + m->interval + (uint64_t)step.most + (rounds - 1) * stride;
    sl_clock_steady_pass(m, rounds);
    return rounds;
}

/* ---- in rows --------------------------------------------------------------------------------- */

uint64_t sl_clock_go_in_rows(struct sl_clock_moves *m, uint64_t rounds)
{
    struct wait waits[SL_PIPE_MOST_MOVES];
    int64_t late = 0;
    rounds = find_waits(m, rounds, waits);
    if (rounds < 2)
        return 0;
    if (!pass_waits(m, waits, 0, &late))
        return 0;
    const int64_t begin = late;
    if (!pass_waits(m, waits, 1, &late))
        return 0;
    const int64_t more = late - begin;
    if (!goes_on(m, waits, rounds, begin, more))
        return 0;
    const uint64_t stride = m->interval + (uint64_t)more;
    uint64_t before[2] = {0, (uint64_t)begin};
    for (uint32_t i = 0; i < m->count; i++) {
        const uint64_t cycle = m->start + m->at[i].offset;
        const uint64_t first = (uint64_t)waits[i].late[0], next = (uint64_t)waits[i].late[1];
        const bool whole = next - first == (uint64_t)more;
        if (!whole)
            set_cycles(&m->at[i], cycle + first, stride, 1);
        set_cycles(&m->at[i], whole ? cycle + first : cycle + m->interval + next, stride,
                   rounds - !whole);
        m->waited[i] += first - before[0] + (rounds - 1) * (next - before[1]);
        before[0] = first;
        before[1] = next;
    }
    m->start += rounds * m->interval + (uint64_t)begin + (rounds - 1) * (uint64_t)more;
    sl_clock_steady_pass(m, rounds);
    return rounds;
}
