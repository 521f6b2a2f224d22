/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_alike.h"

#include "fpga/clock/clock_steady.h"

/* ---- rows ------------------------------------------------------------------------------------ */

uint64_t sl_clock_row_from(const struct sl_clock_ring *ring, unsigned op, uint64_t first,
                           uint64_t *stride)
{
    const struct sl_clock_row *row = &ring->row[op];
    uint64_t end = ring->count[op];
    if (first < row->from) {
        row = &ring->before[op];
        end = row->end;
    }
    *stride = row->stride;
    return first >= row->from && first < end ? end - first : 0;
}

bool sl_clock_is_in_row(const struct sl_clock_move *move, uint64_t stride, uint64_t least)
{
    const struct sl_clock_ring *times = move->times;
    const struct sl_clock_row *row = &times->row[move->op];
    const uint64_t count = times->count[move->op];
    return row->stride == stride && row->from < count && count - row->from >= least &&
           row->next == sl_clock_cycle_of(move, 1) + stride;
}

/* From the operation that comes so many rounds later on: those that are in a row with their like at
 * the other end, whose first one is in cycle `least` - 1. */
static uint64_t alike_from(const struct sl_clock_move *move, uint64_t stride, bool waits,
                           uint64_t first, uint64_t cycle)
{
    const struct sl_clock_ring *times = move->times;
    const uint64_t least = move->peer[first & times->mask] + 1;
    uint64_t peer_stride, row = sl_clock_row_from(times, !move->op, first, &peer_stride);
    if (waits ? least != cycle : least > cycle)
        return 0;
    if (row < 2 || (waits && peer_stride != stride))
        return 1;
    if (peer_stride > stride && (cycle - least) / (peer_stride - stride) < row)
        row = (cycle - least) / (peer_stride - stride) + 1;
    return row;
}

uint64_t sl_clock_undisturbed(const struct sl_clock_move *move, uint64_t stride, bool waits,
                              uint64_t rounds)
{
    const struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op], known = sl_clock_ring_known(times, move->op);
    const uint64_t cycle = times->row[move->op].next;
    uint64_t n = number < move->lag && !waits ? move->lag - number : 0; /* have room in any case */
    rounds = known < rounds ? known : rounds;
    while (n < rounds) {
        const uint64_t first = number + n - move->lag;
        const uint64_t more = first < times->count[!move->op]
                                  ? alike_from(move, stride, waits, first, cycle + n * stride)
                                  : 0;
        if (!more)
            return n;
        n += more;
    }
    return rounds;
}

uint64_t sl_clock_looks_back(const struct sl_clock_moves *m)
{
    return m->slow_count ? m->most / m->interval + 2 : 0;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Of more cycles than there is room for the last ones are kept. */
static void repeat_move(struct sl_clock_move *move, uint64_t rounds, uint64_t stride)
{
    struct sl_clock_ring *times = move->times;
    const uint64_t before = sl_clock_cycle_of(move, 1), room = times->mask + (uint64_t)1;
    const uint64_t number = times->count[move->op];
    for (uint64_t n = rounds > room ? rounds - room : 0; n < rounds; n++)
        move->own[(number + n) & times->mask] = before + (n + 1) * stride;
    times->count[move->op] = number + rounds;
    times->next[move->op] = before + rounds * stride + 1;
    times->row[move->op].next += rounds * stride;
}

void sl_clock_repeat(struct sl_clock_moves *m, uint64_t rounds, uint64_t stride,
                     const uint64_t *waited)
{
    for (uint32_t i = 0; i < m->count; i++) {
        repeat_move(&m->at[i], rounds, stride);
        m->waited[i] += rounds * waited[i];
    }
    m->start += rounds * stride;
    m->nominal += rounds * m->interval;
    m->since += rounds;
    m->done += rounds;
    m->iterations += rounds;
    m->late += rounds * (stride - m->interval);
}

static bool are_in_rows(const struct sl_clock_moves *m, uint64_t stride, uint64_t least)
{
    bool all = stride >= m->interval;
    for (uint32_t i = 0; i < m->count && all; i++)
        all = sl_clock_is_in_row(&m->at[i], stride, least);
    return all;
}

/* Cycles of waiting in it, by move. False: it is not like those before. */
static bool go_once(struct sl_clock_moves *m, uint64_t stride, uint64_t *waited)
{
    const uint64_t start = m->start, late = m->late;
    for (uint32_t i = 0; i < m->count; i++) {
        const uint64_t before = m->waited[i];
        sl_clock_steady_step(m, i);
        waited[i] = m->waited[i] - before;
    }
    return m->start - start == stride && m->late - late == stride - m->interval &&
           are_in_rows(m, stride, 2);
}

uint64_t sl_clock_go_alike(struct sl_clock_moves *m, uint64_t rounds)
{
    const uint64_t stride = m->at[0].times->row[m->at[0].op].stride, own = sl_clock_looks_back(m);
    uint64_t waited[SL_PIPE_MOST_MOVES], more = rounds - 1;
    if (m->since < own || !are_in_rows(m, stride, own + 2))
        return 0;
    if (!go_once(m, stride, waited))
        return 1;
    for (uint32_t i = 0; i < m->count && more; i++)
        more = sl_clock_undisturbed(&m->at[i], stride, waited[i] > 0, more);
    if (more)
        sl_clock_repeat(m, more, stride, waited);
    return 1 + more;
}
