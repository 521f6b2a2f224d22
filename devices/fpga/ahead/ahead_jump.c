/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where pipes join kernels the clock of none can go on for long without the others': no further
 * than the depth of a pipe lets it. But mostly they do the same over and over. A *period* is as
 * many rounds of each kernel as move the same number of packets at both ends of each pipe between
 * them. If all operations that anything in rounds to come looks at - those at the other ends of
 * pipes that are waited for, and its own last ones - have come as many cycles behind those of the
 * period before, so do all to come: the cycle of an operation is the latest of what it waits for,
 * by so much, and nothing else. Until a kernel has no rounds left, or somebody else makes one wait.
 *
 * One more period is done operation by operation. It shows what each waits for, and that it is so.
 */
#include <stdlib.h>

#include "fpga/ahead/ahead_data.h"
#include "fpga/clock/clock_alike.h"
#include "fpga/cluster/cluster.h"

enum {
    MOST_MEMBERS = 1024,
    MOST_EACH = 48,   /* operations of an end in a period */
    LEAST_BLOCK = 32, /* that are set together */
    MOST_DEPTH = 512, /* of pipes that are worth a look at all their packets */
    MOST_TIMES = 4,   /* periods that may be one, since cycles are not alike in each */
    WORTH = 4,        /* periods, and rounds */
    LEAST_PATIENCE = 2,
    MOST_PATIENCE = 256,
    ENOUGH = MOST_PATIENCE + 1,
};

struct member {
    struct sl_fiber *fiber;
    uint32_t rounds, parts;              /* of a period: rounds / parts; then parts is 1 */
    uint32_t joined;                     /* a bit for each move whose other end is a member's */
    uint64_t moved;                      /* steps of the one more period */
    uint64_t waited[SL_PIPE_MOST_STEPS]; /* before, then in it */
    struct tally tallies[SL_PIPE_MOST_MOVES];
};

struct sl_ahead_jump {
    struct member *members; /* owned */
    uint32_t count, room;
    uint64_t stride, periods;
    uint64_t looked_at, moved; /* operations: of others and before; of a period */
};

void sl_ahead_jump_free(struct sl_ahead_jump *jump)
{
    if (jump)
        free(jump->members);
    free(jump);
}

/* ---- who takes part -------------------------------------------------------------------------- */

static bool can_join(struct sl_fiber *fiber)
{
    const struct ahead *a = fiber ? ahead_of(fiber) : NULL;
    return a && a->plain && !a->moves.varied && a->base.rounds > WORTH && a->moves.steady &&
           *a->behind == fiber && !fiber->doomed;
}

static uint32_t divisor_of(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool has_room(struct sl_ahead_jump *jump)
{
    enum { LEAST_ROOM = 16 };
    if (jump->count < jump->room)
        return true;
    const uint32_t room = jump->room ? 2 * jump->room : LEAST_ROOM;
    struct member *more =
        room > MOST_MEMBERS ? NULL : realloc(jump->members, room * sizeof *jump->members);
    if (more) {
        jump->members = more;
        jump->room = room;
    }
    return more != NULL;
}

/* False: there are too many, or rates do not match. */
static bool add_member(struct sl_ahead_jump *jump, struct sl_fiber *fiber, uint64_t rounds,
                       uint64_t parts)
{
    struct ahead *a = ahead_of(fiber);
    if (rounds > UINT16_MAX || parts > UINT16_MAX)
        return false;
    const uint32_t divisor = divisor_of((uint32_t)rounds, (uint32_t)parts);
    if (a->turn == a->group->turn) {
        const struct member *known = &jump->members[a->member];
        return known->rounds == rounds / divisor && known->parts == parts / divisor;
    }
    if (!has_room(jump))
        return false;
    a->turn = a->group->turn;
    a->member = jump->count++;
    struct member *member = &jump->members[a->member];
    member->fiber = fiber;
    member->rounds = (uint32_t)rounds / divisor;
    member->parts = (uint32_t)parts / divisor;
    member->joined = 0;
    member->moved = 0;
    return true;
}

/* Of the pipe, in a round of that one. */
static uint32_t packets_of(const struct ahead *a, const struct sl_clock_ring *times, unsigned op)
{
    uint32_t i = 0;
    while (i < a->count && (a->ends[i].times != times || a->moves.at[i].op != op))
        i++;
    return i < a->count ? a->moves.at[i].each : 0;
}

static bool find_members(struct sl_ahead_jump *jump, struct sl_fiber *first)
{
    bool good = can_join(first) && add_member(jump, first, 1, 1);
    for (uint32_t n = 0; n < jump->count && good; n++) {
        const struct ahead *a = ahead_of(jump->members[n].fiber);
        for (uint32_t i = 0; i < a->count && good; i++) {
            const unsigned op = !a->moves.at[i].op;
            struct sl_fiber *peer = a->ends[i].times->user[op];
            const uint32_t packets =
                can_join(peer) ? packets_of(ahead_of(peer), a->ends[i].times, op) : 0;
            good = a->ends[i].times->depth <= MOST_DEPTH;
            if (!packets || !good)
                continue;
            struct member *member = &jump->members[n];
            member->joined |= 1U << i;
            good = add_member(jump, peer, (uint64_t)member->rounds * a->moves.at[i].each,
                              (uint64_t)member->parts * packets);
        }
    }
    return good && jump->count > 1;
}

/* Operations of that end in a period. */
static inline uint64_t each_of(const struct member *member, uint32_t move)
{
    return (uint64_t)member->rounds * ahead_of(member->fiber)->moves.at[move].each;
}

/* Whole rounds of all of them are a period. False: it is too long. */
static bool set_period(struct sl_ahead_jump *jump)
{
    uint64_t parts = 1;
    bool good = true;
    for (uint32_t n = 0; n < jump->count && parts <= UINT16_MAX; n++)
        parts *= jump->members[n].parts / divisor_of((uint32_t)parts, jump->members[n].parts);
    for (uint32_t n = 0; n < jump->count && good; n++) {
        struct member *member = &jump->members[n];
        const uint64_t rounds = member->rounds * (parts / member->parts);
        good = parts <= UINT16_MAX && rounds <= MOST_EACH;
        member->rounds = (uint32_t)rounds;
        member->parts = 1;
        for (uint32_t i = 0; i < ahead_of(member->fiber)->count && good; i++)
            good = each_of(member, i) <= MOST_EACH;
    }
    return good;
}

/* It is so many times as long as before. */
static bool lengthen_period(struct sl_ahead_jump *jump, uint32_t before, uint32_t times)
{
    for (uint32_t n = 0; n < jump->count; n++)
        jump->members[n].rounds = jump->members[n].rounds / before * times;
    return set_period(jump);
}

typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/* ---- what they have done --------------------------------------------------------------------- */

/* Of operations from one number on until another: the first that does not come `stride` behind the
 * one so many before it. */
static uint64_t alike_until(const struct sl_clock_ring *times, unsigned op, uint64_t from,
                            uint64_t end, uint64_t each, uint64_t stride)
{
    const uint64_t *moved = times->moved[op], mask = times->mask;
    const pair strides = {stride, stride};
    while (from < end) {
        const uint64_t *at = &moved[from & mask], *before = &moved[(from - each) & mask];
        uint64_t straight = mask + 1 - ((at > before ? from : from - each) & mask), n = 0;
        straight = end - from < straight ? end - from : straight;
        for (; n + 2 <= straight; n += 2) {
            const pair other = (*(const pair *)(at + n) - *(const pair *)(before + n)) ^ strides;
            if (other[0] | other[1])
                break;
        }
        while (n < straight && at[n] - before[n] == stride)
            n++;
        from += n;
        if (n < straight)
            break;
    }
    return from;
}

/* Its own operations as far as the loop looks back, and another round: where that begins follows
 * from one of them. */
static bool is_own_alike(struct sl_ahead_jump *jump, const struct member *member, uint32_t index)
{
    const struct ahead *a = ahead_of(member->fiber);
    const struct sl_clock_move *move = &a->moves.at[index];
    const struct sl_clock_ring *times = move->times;
    const uint64_t each = each_of(member, index), count = times->count[move->op];
    const uint64_t back = (sl_clock_looks_back(&a->moves) + 2) * move->each;
    jump->looked_at += back + times->depth;
    jump->moved += each;
    return back + each <= times->mask && count >= back + each + move->lag &&
           alike_until(times, move->op, count - back, count, each, jump->stride) == count;
}

/* What it waits for, as far as that is known; of an end that is no member's nothing else will be.
 */
static bool is_peer_alike(struct sl_ahead_jump *jump, const struct member *member, uint32_t index)
{
    const struct sl_clock_move *move = &ahead_of(member->fiber)->moves.at[index];
    const struct sl_clock_ring *times = move->times;
    const uint64_t each = each_of(member, index), end = times->count[!move->op];
    const uint64_t from = times->count[move->op] - move->lag;
    if (from < each || from > end || end - from + each > times->mask)
        return false;
    const uint64_t until = alike_until(times, !move->op, from, end, each, jump->stride);
    if (member->joined >> index & 1)
        return until == end;
    const uint64_t periods = (until - from) / each;
    jump->periods = periods < jump->periods ? periods : jump->periods;
    return true;
}

static bool is_alike(struct sl_ahead_jump *jump, const struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    const struct sl_clock_moves *m = &a->moves;
    bool alike = m->done >= member->rounds + sl_clock_looks_back(m) + 3;
    const uint64_t periods = (a->base.rounds - 1) / member->rounds;
    jump->periods = periods < jump->periods ? periods : jump->periods;
    for (uint32_t i = 0; i < a->count && alike; i++)
        alike = is_own_alike(jump, member, i) && is_peer_alike(jump, member, i);
    return alike;
}

static bool are_alike(struct sl_ahead_jump *jump)
{
    const struct member *first = &jump->members[0];
    const struct sl_clock_move *move = &ahead_of(first->fiber)->moves.at[0];
    const uint64_t each = each_of(first, 0);
    bool alike = move->times->count[move->op] > each && each < move->times->mask;
    jump->periods = UINT64_MAX;
    jump->looked_at = jump->moved = 0;
    if (alike)
        jump->stride = sl_clock_cycle_of(move, 1) - sl_clock_cycle_of(move, each + 1);
    for (uint32_t n = 0; n < jump->count && alike; n++)
        alike = is_alike(jump, &jump->members[n]);
    return alike;
}

/* ---- one more period ------------------------------------------------------------------------- */

static void begin_period(struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    touch_ahead(member->fiber);
    for (uint32_t i = 0; i < a->what.step_count; i++)
        member->waited[i] = a->moves.waited[i];
    for (uint32_t i = 0; i < a->count; i++)
        member->tallies[i] = a->tallies[i];
}

/* Whether it has got on. */
static bool go_on(struct member *member)
{
    struct ahead *a = ahead_of(member->fiber);
    const uint64_t before = member->moved, steps = (uint64_t)member->rounds * a->what.step_count;
    while (member->moved < steps) {
        const uint32_t move = sl_pipe_step(&a->what, a->part);
        struct sl_clock_ring *times = a->ends[move].times;
        if (!sl_clock_ring_is_known(times, a->ends[move].op))
            break;
        sl_clock_moves_step(member->fiber->clock, &a->moves, a->part);
        tally(&a->tallies[move], 1, fill_of(times), fill_of(times));
        member->moved++;
        if (++a->part < a->what.step_count)
            continue;
        a->part = 0;
        a->base.rounds--;
    }
    return member->moved > before;
}

/* What it has waited in the period, if that was like the one before. */
static bool end_period(const struct sl_ahead_jump *jump, struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    const struct sl_clock_moves *m = &a->moves;
    bool like = member->moved == (uint64_t)member->rounds * a->what.step_count;
    for (uint32_t i = 0; i < a->what.step_count; i++)
        member->waited[i] = m->waited[i] - member->waited[i];
    for (uint32_t i = 0; i < a->count && like; i++) {
        const struct sl_clock_ring *times = a->ends[i].times;
        const unsigned op = m->at[i].op;
        const uint64_t each = each_of(member, i), count = times->count[op];
        member->tallies[i].packets = a->tallies[i].packets - member->tallies[i].packets;
        member->tallies[i].fill = a->tallies[i].fill - member->tallies[i].fill;
        like = alike_until(times, op, count - each, count, each, jump->stride) == count;
    }
    return like;
}

static bool go_through_period(struct sl_ahead_jump *jump)
{
    bool any = true, like = true;
    for (uint32_t n = 0; n < jump->count; n++)
        begin_period(&jump->members[n]);
    while (any) {
        any = false;
        for (uint32_t n = 0; n < jump->count; n++)
            any |= go_on(&jump->members[n]);
    }
    for (uint32_t n = 0; n < jump->count && like; n++)
        like = end_period(jump, &jump->members[n]);
    return like;
}

/* ---- many ------------------------------------------------------------------------------------ */

/* The row of its last operations goes on, if they are one. */
static void repeat_row(struct sl_clock_ring *times, unsigned op, uint64_t each, uint64_t stride,
                       uint64_t periods)
{
    struct sl_clock_row *row = &times->row[op];
    const uint64_t count = times->count[op];
    if (row->from < count && count - row->from > each && row->stride * each == stride)
        row->next += periods * stride;
    else
        sl_clock_ring_forget_row(times, op);
}

/* Operations from `number` on come so much later than those. */
static inline void set_cycles(const struct sl_clock_ring *times, uint64_t *own, uint64_t number,
                              const uint64_t *cycles, uint64_t count, uint64_t later)
{
    const uint64_t mask = times->mask;
    const pair laters = {later, later};
    uint64_t i = 0;
    if ((number & mask) + count <= mask + 1) {
        uint64_t *at = &own[number & mask];
        for (; i + 2 <= count; i += 2)
            *(pair *)(at + i) = *(const pair *)(cycles + i) + laters;
    }
    for (; i < count; i++)
        own[(number + i) & mask] = cycles[i] + later;
}

/* Of more cycles than there is room for the last ones are kept. A block of whole periods at a time.
 */
static void repeat_move(struct sl_clock_move *move, uint64_t each, uint64_t stride,
                        uint64_t periods)
{
    struct sl_clock_ring *times = move->times;
    const uint64_t count = times->count[move->op], all = periods * each;
    const uint64_t room = times->mask + (uint64_t)1, mask = times->mask;
    const uint64_t size = each < LEAST_BLOCK ? LEAST_BLOCK / each * each : each;
    uint64_t *own = move->own, block[MOST_EACH];
    repeat_row(times, move->op, each, stride, periods);
    for (uint64_t i = 0; i < size; i++)
        block[i] = (i < each ? own[(count - each + i) & mask] : block[i - each]) + stride;
    for (uint64_t n = all > room ? (all - room) / size * size : 0; n < all; n += size)
        set_cycles(times, own, count + n, block, all - n < size ? all - n : size,
                   n / each * stride);
    times->count[move->op] = count + all;
    times->next[move->op] = own[(count + all - 1) & mask] + 1;
}

/* By how much its operations are late, in the round in which each was done last. */
static uint64_t latest_of(const struct sl_clock_moves *m)
{
    uint64_t behind[SL_PIPE_MOST_MOVES] = {0}, latest = 0;
    for (uint32_t n = m->step_count; n-- > 0;) {
        const uint32_t step = (m->part + n) % m->step_count, move = sl_clock_move_of(m, step);
        const uint64_t nominal = m->nominal - (step < m->part ? 0 : m->interval);
        const uint64_t late =
            sl_clock_cycle_of(&m->at[move], ++behind[move]) - m->offsets[step] - nominal;
        latest = late > latest ? late : latest;
    }
    return latest;
}

static void repeat_member(const struct sl_ahead_jump *jump, struct member *member, uint64_t periods)
{
    struct ahead *a = ahead_of(member->fiber);
    struct sl_clock_moves *m = &a->moves;
    const uint64_t rounds = periods * member->rounds, stride = periods * jump->stride;
    for (uint32_t i = 0; i < a->count; i++)
        repeat_move(&m->at[i], each_of(member, i), jump->stride, periods);
    for (uint32_t i = 0; i < a->what.step_count; i++)
        m->waited[i] += periods * member->waited[i];
    m->start += stride;
    m->nominal += rounds * m->interval;
    m->since += rounds;
    m->done += rounds;
    m->iterations += rounds;
    const uint64_t late = latest_of(m);
    m->late = m->late < late ? late : m->late;
    a->base.rounds -= rounds;
    for (uint32_t i = 0; i < a->count; i++)
        tally(&a->tallies[i], periods * member->tallies[i].packets,
              periods * member->tallies[i].fill, 0);
}

/* All of them may be able to go on, and those who wait for them. */
static void tell_all(const struct sl_ahead_jump *jump)
{
    for (uint32_t n = 0; n < jump->count; n++) {
        struct sl_fiber *fiber = jump->members[n].fiber;
        const struct ahead *a = ahead_of(fiber);
        for (uint32_t i = 0; i < a->count; i++) {
            const unsigned op = a->moves.at[i].op;
            if (a->ends[i].times->waiting[op] == a)
                a->ends[i].times->waiting[op] = NULL;
            struct ahead *peer = a->ends[i].times->waiting[!op];
            if (peer)
                peer->effort = ENOUGH;
            set_within(a->what.moves[i].ring, a->ends[i].times, !op);
            tell_peer(a->ends[i].times, op);
        }
        list_ahead(ahead_of(fiber));
    }
}

/* So many more times few rounds before it is tried again. */
static void set_patience(const struct sl_ahead_jump *jump, uint32_t patience)
{
    for (uint32_t n = 0; n < jump->count; n++) {
        struct ahead *a = ahead_of(jump->members[n].fiber);
        a->effort = 0;
        a->patience = patience;
    }
}

/* The same of all, which have tried in vain. */
static void lose_patience(const struct sl_ahead_jump *jump)
{
    uint32_t longer = LEAST_PATIENCE;
    for (uint32_t n = 0; n < jump->count; n++) {
        const uint32_t patience = 2 * ahead_of(jump->members[n].fiber)->patience;
        longer = patience > longer ? patience : longer;
    }
    set_patience(jump, longer < MOST_PATIENCE ? longer : MOST_PATIENCE);
}

/* It was worth it: not at once the next time, since loops that begin anew need as long again. */
static void gain_patience(const struct sl_ahead_jump *jump)
{
    for (uint32_t n = 0; n < jump->count; n++) {
        struct ahead *a = ahead_of(jump->members[n].fiber);
        a->effort = 0;
        a->patience /= 2;
    }
}

/* It takes less than to do all of them by themselves. */
static bool is_worth_it(const struct sl_ahead_jump *jump)
{
    return jump->periods >= WORTH && jump->periods * jump->moved > jump->looked_at;
}

static void go_together(struct sl_ahead_jump *jump)
{
    const uint64_t more = go_through_period(jump) ? jump->periods - 1 : 0;
    for (uint32_t n = 0; n < jump->count && more; n++)
        repeat_member(jump, &jump->members[n], more);
    tell_all(jump);
    if (more)
        gain_patience(jump);
    else
        lose_patience(jump);
}

/* False: it was in vain, but a longer period may do. */
static bool try_period(struct sl_ahead_jump *jump)
{
    if (!are_alike(jump))
        return false;
    if (is_worth_it(jump))
        go_together(jump);
    else
        lose_patience(jump);
    return true;
}

void sl_ahead_jump(struct sl_fiber *first)
{
    struct ahead *a = ahead_of(first);
    struct sl_ahead_group *group = a->group;
    if (!group->jump)
        group->jump = calloc(1, sizeof *group->jump);
    a->effort = 0;
    if (!group->jump) {
        a->patience = MOST_PATIENCE;
        return;
    }
    group->turn++;
    group->jump->count = 0;
    bool good = find_members(group->jump, first) && set_period(group->jump);
    for (uint32_t times = 1; times <= MOST_TIMES && good; times++) {
        if (try_period(group->jump))
            return;
        good = times < MOST_TIMES && lengthen_period(group->jump, times, times + 1);
    }
    lose_patience(group->jump);
}
