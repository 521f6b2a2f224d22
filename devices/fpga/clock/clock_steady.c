/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Where all that a loop waits for comes in rows of cycles that are as far apart
 * from each other, so do its own, and are written at once. */
#include "fpga/clock/clock_steady.h"

#include "fpga/clock/clock_alike.h"
#include "fpga/clock/clock_marked.h"
#include "fpga/clock/clock_steps.h"
#include "fpga/clock/clock_varied.h"

enum {
    MOST_BACK = 2 * SL_CLOCK_LEAST_BEHIND - 4, /* operations of an end that are kept */
    FEW = 3,                                   /* rounds that are not worth a look at all of them */
};

/* ---- how it begins --------------------------------------------------------------------------- */

/* How many operations of its end ago, in front of step `now` of a round, the step was done that is
 * in a round so far back; 1: it is the last one. */
static uint64_t back_of(const struct sl_clock_moves *m, uint32_t step, uint64_t rounds,
                        uint32_t now)
{
    if (!m->steps)
        return rounds + (step < now);
    const uint32_t move = m->steps[step];
    uint64_t back = rounds * m->at[move].each;
    for (uint32_t i = 0; i < m->step_count; i++)
        back += m->steps[i] == move ? (uint64_t)(i < now) - (i < step) : 0;
    return back;
}

/* Rounds from the slow step's on to the first one in which the other one has no earlier cycle. */
static uint64_t rounds_behind(const struct sl_clock_moves *m, uint32_t step, uint32_t slow)
{
    const uint64_t offset = m->offsets[step], later = m->offsets[slow];
    const uint64_t rounds = later > offset ? (later - offset + m->interval - 1) / m->interval : 0;
    return !rounds && slow >= step ? 1 : rounds;
}

static void set_term(struct sl_clock_moves *m, uint32_t step, uint32_t number)
{
    const uint32_t slow = m->slow[number];
    const uint64_t rounds = rounds_behind(m, step, slow), back = back_of(m, slow, rounds, step);
    m->can_be_steady &= back < MOST_BACK;
    m->terms[step][number] = (struct sl_clock_term){
        .rounds = (uint32_t)rounds,
        .back = (uint32_t)back,
        .cycles = rounds * m->interval + m->offsets[step] - m->offsets[slow],
    };
}

/* False: there are too many. */
static bool find_slow(struct sl_clock_moves *m)
{
    uint64_t later = UINT64_MAX;
    m->holds_all = m->slow_count = 0;
    for (uint32_t i = m->step_count; i-- > 0;) {
        const uint64_t offset = m->offsets[i];
        const bool all = offset <= later && offset - m->least <= m->interval;
        m->holds_all |= (uint32_t)all << i;
        later = offset < later ? offset : later;
        if (all)
            continue;
        if (m->slow_count == SL_CLOCK_MOST_SLOW)
            return false;
        m->slow_back[m->slow_count] = (uint8_t)back_of(m, i, 1, 0);
        m->slow[m->slow_count++] = (uint8_t)i;
    }
    return true;
}

/* Cycles of all rounds are kept that one of them is late with behind the begin of another. */
static bool are_kept(const struct sl_clock_moves *m)
{
    uint64_t each = 1;
    for (uint32_t i = 0; i < m->count; i++)
        each = m->at[i].each > each ? m->at[i].each : each;
    return m->interval && m->most / m->interval + 2 * (each > 1) < MOST_BACK / each;
}

void sl_clock_steady_begin_anew(const struct sl_clock_run *run, struct sl_clock_moves *m)
{
    const struct sl_delays *time = &run->time;
    m->steady = false;
    m->since = 0;
    m->pause = 1;
    m->skip = 0;
    m->part = 0;
    m->foreign = time->count ? time->later[time->first + time->count - 1].nominal : 0;
}

void sl_clock_steady_prepare(struct sl_clock_moves *m)
{
    m->interval = m->marked ? m->marked->interval : m->frame->loop->interval;
    m->least = UINT64_MAX;
    m->most = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        struct sl_clock_move *move = &m->at[i];
        move->own = move->times->moved[move->op];
        move->peer = move->times->moved[!move->op];
        move->lag = move->op == SL_PIPE_WRITE ? move->times->depth : 0;
    }
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint64_t offset = m->offsets[i];
        m->least = offset < m->least ? offset : m->least;
        m->most = offset > m->most ? offset : m->most;
    }
    m->can_be_steady = are_kept(m) && find_slow(m);
    if (!m->can_be_steady)
        return;
    if (m->steps)
        sl_clock_steps_prepare(m);
    for (uint32_t i = 0; m->slow_count && i < m->step_count; i++)
        for (uint32_t k = 0; k < m->slow_count; k++)
            set_term(m, i, k);
}

static bool is_denied(const struct sl_clock_moves *m)
{
    bool denied = false;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct sl_clock_ring *times = m->at[i].times;
        denied |= times->denied[m->at[i].op].packet == times->count[m->at[i].op] &&
                  times->denied[m->at[i].op].cycle;
    }
    return denied;
}

/* The last operation of one of the ends, which is not this loop's, is in the way of the next one.
 */
static bool is_held_up(const struct sl_clock_moves *m)
{
    bool held = false;
    for (uint32_t i = 0; i < m->count && !m->since; i++)
        held |= m->at[i].times->next[m->at[i].op] > m->start + m->at[i].offset;
    return held;
}

/* The nominal cycle in which the next round begins. */
static uint64_t next_of(const struct sl_clock_run *run, const struct sl_clock_moves *m)
{
    if (m->marked)
        return m->marked->base;
    return m->frame->iterations ? m->frame->began + m->interval : run->at;
}

bool sl_clock_steady_begin(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    const uint64_t began = next_of(run, m);
    sl_delays_advance(&run->time, began);
    if (!m->can_be_steady || (m->inner && !m->inner->iterations) || m->foreign > began + m->least ||
        is_denied(m))
        return false;
    m->nominal = run->begin + began;
    m->start = m->nominal + sl_delays_at(&run->time, began + m->least);
    m->late = run->late;
    m->done = 0;
    m->steady = !is_held_up(m);
    return m->steady;
}

/* ---- how it ends ----------------------------------------------------------------------------- */

void sl_clock_steady_note(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    if (!m->steady)
        return;
    for (uint32_t i = 0; i < m->step_count && (m->done || i < m->part); i++) {
        const struct sl_clock_move *move = &m->at[sl_clock_move_of(m, i)];
        const uint64_t behind = move->times->next[move->op];
        m->through = m->through < behind ? behind : m->through;
    }
    if (m->late <= run->late)
        return;
    sl_clock_add(&run->kernel->stalled, m->late - run->late);
    run->late = m->late;
}

/* How late the step was in the round of that nominal cycle, so far back. */
static uint64_t delay_of(const struct sl_clock_run *run, const struct sl_clock_moves *m,
                         uint32_t step, uint64_t rounds, uint64_t began)
{
    const uint64_t back = back_of(m, step, rounds, m->part);
    return sl_clock_cycle_of(&m->at[sl_clock_move_of(m, step)], back) - run->begin - began -
           m->offsets[step];
}

static void note_round(struct sl_clock_run *run, const struct sl_clock_moves *m, uint64_t back,
                       uint64_t began)
{
    for (uint32_t i = 0; i < m->step_count; i++)
        if (!sl_delays_hold(&run->time, began + m->offsets[i], delay_of(run, m, i, back, began)))
            sl_clock_lose(run->clock);
}

static void set_base(struct sl_clock_run *run, const struct sl_clock_moves *m, uint64_t back,
                     uint64_t began)
{
    sl_delays_clear(&run->time);
    for (uint32_t i = 0; i < m->step_count; i++) {
        const uint64_t delay = delay_of(run, m, i, back, began);
        run->time.base = run->time.base < delay ? delay : run->time.base;
    }
}

/* The last round has begun in that nominal cycle. */
static void set_last(struct sl_clock_moves *m, uint64_t began)
{
    if (m->marked) {
        m->marked->base = began + m->interval;
        return;
    }
    m->frame->began = began;
    m->frame->iterations += m->done;
    if (m->inner)
        m->inner->iterations += m->done;
}

/* Nobody asks for cycles before the begin of the last round, so delays have the cycle from which on
 * they hold in those at the end only. */
void sl_clock_steady_end(struct sl_clock_run *run, struct sl_clock_moves *m)
{
    if (m->steady && m->done && m->varied) {
        const uint64_t next = m->nominal - run->begin;
        sl_delays_clear(&run->time);
        run->time.base = m->start - m->nominal; /* nobody asks for cycles before that round */
        m->marked->base = next;
        sl_clock_steady_note(run, m);
        run->cycle = m->through - 1;
    } else if (m->steady && m->done) {
        const uint64_t next = m->nominal - run->begin, tail = m->most / m->interval + 1;
        if (m->done > tail)
            set_base(run, m, tail + 1, next - (tail + 1) * m->interval);
        for (uint64_t back = m->done < tail ? m->done : tail; back; back--)
            note_round(run, m, back, next - back * m->interval);
        set_last(m, next - m->interval);
        sl_delays_advance(&run->time, next - m->interval);
        sl_clock_steady_note(run, m);
        run->cycle = m->through - 1;
    }
    m->steady = false;
}

/* ---- rows of cycles -------------------------------------------------------------------------- */

void sl_clock_steady_bend(struct sl_clock_ring *ring, unsigned op, uint64_t number, uint64_t cycle,
                          uint64_t stride, uint64_t count)
{
    enum { LONG = 4 };
    struct sl_clock_row *row = &ring->row[op];
    const bool goes_on = cycle == row->next && row->from < number;
    if (goes_on && stride == row->stride) {
        row->next += count * stride;
        return;
    }
    if (row->from < number && number - row->from >= LONG) {
        ring->before[op] = *row;
        ring->before[op].end = number;
    }
    const uint64_t step = number ? cycle - ring->moved[op][(number - 1) & ring->mask] : 0;
    const bool joins = number && (count == 1 || step == stride);
    row->from = joins ? number - 1 : number;
    row->stride = joins ? step : stride;
    row->next = cycle + (count - 1) * row->stride + row->stride;
}

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
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    struct sl_clock_ring *times = move->times;
    const uint64_t number = times->count[move->op];
    uint64_t *moved = &move->own[number & times->mask], n = 0;
    pair at = {cycle, cycle + stride}, behind = at + 2 * stride;
    if (!rounds)
        return;
    sl_clock_steady_bend(times, move->op, number, cycle, stride, rounds);
    for (; n + 4 <= rounds; n += 4, at += 4 * stride, behind += 4 * stride) {
        *(pair *)(moved + n) = at;
        *(pair *)(moved + n + 2) = behind;
    }
    for (; n < rounds; n++)
        moved[n] = cycle + n * stride;
    times->count[move->op] += rounds;
    times->next[move->op] = cycle + (rounds - 1) * stride + 1;
}

void sl_clock_steady_pass(struct sl_clock_moves *m, uint64_t rounds)
{
    m->nominal += rounds * m->interval;
    m->since += rounds;
    m->done += rounds;
    m->iterations += rounds;
    const uint64_t late = m->start - m->nominal;
    m->late = m->late < late ? late : m->late;
}

/* What slow moves have waited for is over: there is but one delay. */
static bool is_even(const struct sl_clock_moves *m)
{
    bool even = true;
    for (uint32_t i = 0; m->since && i < m->slow_count; i++) {
        const struct sl_clock_move *move = &m->at[sl_clock_move_of(m, m->slow[i])];
        even &= sl_clock_cycle_of(move, m->slow_back[i]) + m->interval <=
                m->start + m->offsets[m->slow[i]];
    }
    return even;
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

/* What all of them would wait for is over when the first one comes, also the last of it: cycles at
 * an end never go back. How many of the rounds were done. */
static uint64_t go_unhindered(struct sl_clock_moves *m, uint64_t rounds)
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

/* How many of the rounds were done. */
static uint64_t go_in_rows(struct sl_clock_moves *m, uint64_t rounds)
{
    struct wait waits[SL_PIPE_MOST_MOVES];
    int64_t late = 0;
    rounds = find_waits(m, rounds, waits);
    if (rounds < 2 || !pass_waits(m, waits, 0, &late))
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

/* ---- rounds with one delay ------------------------------------------------------------------- */

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

/* How many were done; a round that was begun is ended. */
static uint64_t go_in_lanes(struct sl_clock_moves *m, uint64_t rounds)
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

static void go_by_step(struct sl_clock_moves *m, uint64_t rounds)
{
    for (; rounds; rounds--)
        for (uint32_t i = 0; i < m->step_count; i++)
            sl_clock_steady_step(m, i);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* How many were done. Where that are few it is not tried again for a while, which gets longer. */
static uint64_t try_rows(struct sl_clock_moves *m, uint64_t rounds, bool even)
{
    enum { MANY = 8, LONGEST = 64 };
    uint64_t done = even ? go_unhindered(m, rounds) : sl_clock_go_alike(m, rounds);
    done = done || !even ? done : go_in_rows(m, rounds);
    const bool many = done >= MANY;
    m->pause = many ? 1 : m->pause < LONGEST ? 2 * m->pause : LONGEST;
    m->skip = many ? 0 : m->pause;
    return done;
}

void sl_clock_steady_go(struct sl_clock_moves *m, uint64_t rounds)
{
    if (m->varied) {
        sl_clock_varied_go(m, rounds);
        return;
    }
    while (m->steps && rounds) {
        const bool even = is_even(m);
        if (!even)
            go_by_step(m, 1);
        rounds -= even ? sl_clock_steps_go(m, rounds) : 1;
    }
    while (rounds > FEW) {
        const bool even = is_even(m);
        rounds -= m->skip ? 0 : try_rows(m, rounds, even);
        uint64_t now = rounds < m->skip ? rounds : m->skip;
        if (even && now)
            now = go_in_lanes(m, now);
        else
            go_by_step(m, now);
        rounds -= now;
        m->skip -= now < m->skip ? now : m->skip;
    }
    go_by_step(m, rounds);
}
