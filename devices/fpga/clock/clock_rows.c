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

static void set_cycles(const struct sl_clock_move *move, uint64_t cycle, uint64_t stride,
                       uint64_t rounds)
{
    struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op];
    if (!rounds)
        return;
    sl_clock_steady_bend(times, move->op, number, cycle, stride, rounds);
    sl_clock_set_row(&move->own[number & times->mask], cycle, stride, rounds);
    times->count[move->op] += rounds;
    times->next[move->op] = cycle + (rounds - 1) * stride + 1;
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

/* All that is waited for comes by as much later each time, so that the delays of all rounds follow
 * from those of the first one. */
static bool is_in_step(const struct sl_clock_moves *m, const struct wait *waits, int64_t *more)
{
    const uint32_t all = UINT32_MAX >> (32 - m->count);
    bool any = false, same = (m->holds_all & all) == all;
    int64_t most = -1;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct wait *w = &waits[i];
        if (w->free)
            continue;
        same &= !any || w->more == *more;
        *more = w->more;
        any = true;
        most = w->first > most ? w->first : most;
    }
    return any && same && *more >= 0 && most >= 0;
}

/* By what the present step is late, and behind it the next one, in the first round and in those
 * behind it without what each of them brings. */
static inline void go_step(struct sl_clock_moves *m, uint32_t i, uint64_t rounds, int64_t more,
                           const int64_t before[2], const int64_t late[2])
{
    const uint64_t stride = m->interval + (uint64_t)more;
    const uint64_t cycle = m->start + m->at[i].offset;
    const bool whole = late[0] == late[1];
    if (!whole)
        set_cycles(&m->at[i], cycle + (uint64_t)late[0], stride, 1);
    set_cycles(&m->at[i], cycle + (whole ? 0 : stride) + (uint64_t)late[1], stride,
               rounds - !whole);
    m->waited[i] +=
        (uint64_t)(late[0] - before[0]) + (rounds - 1) * (uint64_t)(late[1] - before[1]);
}

static uint64_t go_in_step(struct sl_clock_moves *m, const struct wait *waits, uint64_t rounds,
                           int64_t more)
{
    int64_t first = 0, before[2], late[2];
    for (uint32_t i = 0; i < m->count; i++)
        first = !waits[i].free && waits[i].first > first ? waits[i].first : first;
    before[0] = 0;
    before[1] = first - more;
    for (uint32_t i = 0; i < m->count; i++) {
        for (uint32_t k = 0; k < 2; k++)
            late[k] = !waits[i].free && waits[i].first > before[k] ? waits[i].first : before[k];
        go_step(m, i, rounds, more, before, late);
        before[0] = late[0];
        before[1] = late[1];
    }
    m->start += rounds * m->interval + (uint64_t)first + (rounds - 1) * (uint64_t)more;
    sl_clock_steady_pass(m, rounds);
    return rounds;
}

uint64_t sl_clock_go_in_rows(struct sl_clock_moves *m, uint64_t rounds)
{
    struct wait waits[SL_PIPE_MOST_MOVES];
    int64_t late = 0, each = 0;
    rounds = find_waits(m, rounds, waits);
    if (rounds < 2)
        return 0;
    if (is_in_step(m, waits, &each))
        return go_in_step(m, waits, rounds, each);
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
