/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_lanes.h"

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_ring.h"
#include "fpga/clock/clock_rows.h"
#include "fpga/clock/clock_steady.h"

/* A move, with its cycles in rounds to come one behind the other in memory. */
struct lane {
    uint64_t *own;
    const uint64_t *peer; /* what is waited for */
    uint64_t step;        /* 0 or 1: to the next one of them */
    uint64_t offset, waited;
    bool holds_all;
};

/* So many of the rounds have all their cycles in a row; one at least. */
static uint64_t point_lanes(struct lane *lanes, const struct sl_clock_moves *m, uint64_t rounds)
{
    static const uint64_t nothing = UINT64_MAX; /* the cycle behind it is 0 */
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const struct sl_clock_ring *times = move->times;
        const uint64_t number = times->count[move->op], first = number - move->lag;
        const bool waits = first < times->count[!move->op];
        rounds = sl_clock_in_a_row(move, rounds);
        if (waits && rounds > times->count[!move->op] - first)
            rounds = times->count[!move->op] - first;
        lanes[i] = (struct lane){
            .own = &move->own[number & times->mask],
            .peer = waits ? &move->peer[first & times->mask] : &nothing,
            .step = waits,
            .offset = move->offset,
            .holds_all = m->holds_all >> i & 1,
        };
    }
    return rounds;
}

/* How many of the rounds were done, and of the next one `part` of its moves, those before a slow
 * one that waits; all of them: it has not begun. Nothing has to look at the last operation of its
 * own end: what is late stays so, and rounds are a cycle apart at least. */
static inline __attribute__((always_inline)) uint64_t do_count(struct lane *lanes,
                                                               const uint32_t count,
                                                               uint64_t rounds, uint64_t interval,
                                                               uint64_t *begin, uint32_t *part)
{
    struct lane local[SL_PIPE_MOST_MOVES]; /* which no store of a cycle can change */
    uint64_t start = *begin, n = 0;
    uint32_t i = count;
    for (uint32_t k = 0; k < count; k++)
        local[k] = lanes[k];
    for (; n < rounds; n++, start += interval) {
#pragma GCC unroll 4
        for (i = 0; i < count; i++) {
            struct lane *lane = &local[i];
            uint64_t cycle = start + lane->offset, least = *lane->peer + 1;
            if (cycle < least) {
                if (!lane->holds_all)
                    break;
                lane->waited += least - cycle;
                start += least - cycle;
                cycle = least;
            }
            lane->peer += lane->step;
            lane->own[n] = cycle;
        }
        if (i < count)
            break;
    }
    for (uint32_t k = 0; k < count; k++)
        lanes[k].waited = local[k].waited;
    *part = i;
    *begin = start;
    return n;
}

static inline uint64_t later_of(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

/* The same of one move, which holds up all. Four at a time: what they wait for is compared before
 * it is known when the first of them comes. */
static uint64_t do_one(struct lane *lane, uint64_t rounds, uint64_t interval, uint64_t *begin)
{
    const uint64_t first = *begin + lane->offset, *peer = lane->peer;
    uint64_t *own = lane->own, next = first, n = 0;
    for (; n + 4 <= rounds; n += 4) {
        const uint64_t a = peer[n] + 1;
        const uint64_t b = later_of(a + interval, peer[n + 1] + 1);
        const uint64_t c = later_of(b + interval, peer[n + 2] + 1);
        const uint64_t d = later_of(c + interval, peer[n + 3] + 1);
        own[n] = later_of(next, a);
        own[n + 1] = later_of(next + interval, b);
        own[n + 2] = later_of(next + 2 * interval, c);
        own[n + 3] = later_of(next + 3 * interval, d);
        next = later_of(next + 4 * interval, d + interval);
    }
    for (; n < rounds; n++) {
        own[n] = later_of(next, peer[n] + 1);
        next = own[n] + interval;
    }
    lane->waited += next - first - rounds * interval;
    *begin = next - lane->offset;
    return rounds;
}

static uint64_t do_lanes(struct lane *lanes, const struct sl_clock_moves *m, uint64_t rounds,
                         uint64_t *start, uint32_t *part)
{
    if (m->count == 1 && lanes[0].step && lanes[0].holds_all) {
        *part = 1;
        return do_one(&lanes[0], rounds, m->interval, start);
    }
    switch (m->count) {
    case 1:
        return do_count(lanes, 1, rounds, m->interval, start, part);
    case 2:
        return do_count(lanes, 2, rounds, m->interval, start, part);
    case 3:
        return do_count(lanes, 3, rounds, m->interval, start, part);
    case 4:
        return do_count(lanes, 4, rounds, m->interval, start, part);
    default:
        return do_count(lanes, m->count, rounds, m->interval, start, part);
    }
}

/* So many of them that are in a row, one behind the other in memory. */
static void note_row(struct sl_clock_ring *ring, unsigned op, uint64_t number, uint64_t count)
{
    const uint64_t *cycles = &ring->moved[op][number & ring->mask];
    if (count > 1)
        sl_clock_steady_bend(ring, op, number, cycles[0], cycles[1] - cycles[0], count);
    else if (count)
        sl_clock_steady_add(ring, op, number, cycles[0]);
}

/* The operations of rounds, from the next one on: how far the first and the last of them are in a
 * row. What is between is in none. */
static void note_lane(struct sl_clock_ring *ring, unsigned op, uint64_t rounds)
{
    const uint64_t number = ring->count[op], *cycles = &ring->moved[op][number & ring->mask];
    uint64_t last = rounds - 1, first = 1;
    while (last && cycles[last] - cycles[last - 1] == cycles[rounds - 1] - cycles[rounds - 2])
        last--;
    while (first < last && cycles[first] - cycles[first - 1] == cycles[1] - cycles[0])
        first++;
    note_row(ring, op, number, last ? first : 0);
    if (first < last)
        sl_clock_ring_forget_row(ring, op);
    note_row(ring, op, number + last, rounds - last);
}

static void count_lanes(const struct sl_clock_moves *m, uint32_t count, uint64_t rounds)
{
    for (uint32_t i = 0; i < count && rounds; i++) {
        const struct sl_clock_move *move = &m->at[i];
        struct sl_clock_ring *times = move->times;
        note_lane(times, move->op, rounds);
        times->count[move->op] += rounds;
        times->next[move->op] = sl_clock_cycle_of(move, 1) + 1;
    }
}

uint64_t sl_clock_go_in_lanes(struct sl_clock_moves *m, uint64_t rounds)
{
    struct lane lanes[SL_PIPE_MOST_MOVES];
    uint32_t part;
    rounds = point_lanes(lanes, m, rounds);
    rounds = do_lanes(lanes, m, rounds, &m->start, &part);
    count_lanes(m, m->count, rounds);
    if (part < m->count)
        count_lanes(m, part, 1);
    sl_clock_steady_pass(m, rounds);
    for (uint32_t i = 0; i < m->count; i++)
        m->waited[i] += lanes[i].waited;
    for (uint32_t i = part; i < m->count; i++)
        sl_clock_steady_step(m, i);
    return rounds + (part < m->count);
}
