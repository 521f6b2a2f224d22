/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a narrow pipe joins two kernels the clock of neither can go on for long without the other
 * one's. But mostly they do the same over and over: if each operation of all kernels that narrow
 * pipes join has come as many cycles behind the one before it, as far back as any of them looks,
 * and all of them have done one more round like that, so they do in all rounds to come: an
 * operation's cycle is the latest of what it waits for, each of which is in a row then. Until a
 * kernel has no rounds left, or somebody else makes one wait.
 *
 * The one more round is done operation by operation. It shows that nobody has to wait for ever, and
 * what each waits for in a round.
 */
#include <stdlib.h>

#include "fpga/cluster/cluster.h"
#include "fpga/profile/ahead_data.h"
#include "fpga/profile/clock_alike.h"

enum {
    MOST_MEMBERS = 64,
    WORTH = 8, /* rounds */
    LEAST_PATIENCE = 2,
    MOST_PATIENCE = 256,
    ENOUGH = MOST_PATIENCE + 1,
};

struct member {
    struct sl_fiber *fiber;
    uint32_t moved;                      /* operations of the one more round */
    uint32_t joined;                     /* a bit for each move whose other end is a member's */
    uint64_t late, start;                /* before that round */
    uint64_t waited[SL_PIPE_MOST_MOVES]; /* before, then in it */
    struct tally tallies[SL_PIPE_MOST_MOVES];
};

struct sl_ahead_jump {
    struct member members[MOST_MEMBERS];
    uint32_t count;
    uint64_t stride;
};

/* ---- who takes part -------------------------------------------------------------------------- */

static bool can_join(struct sl_fiber *fiber)
{
    const struct ahead *a = fiber ? ahead_of(fiber) : NULL;
    return a && a->plain && !a->what.steps && !a->moves.varied && a->base.rounds > WORTH &&
           a->moves.steady && *a->behind == fiber && !fiber->doomed;
}

/* False: there are too many. */
static bool add_member(struct sl_ahead_jump *jump, struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (a->turn == a->group->turn)
        return true;
    if (jump->count == MOST_MEMBERS)
        return false;
    a->turn = a->group->turn;
    jump->members[jump->count++] = (struct member){.fiber = fiber};
    return true;
}

static bool find_members(struct sl_ahead_jump *jump, struct sl_fiber *first)
{
    bool good = can_join(first) && add_member(jump, first);
    for (uint32_t n = 0; n < jump->count && good; n++) {
        struct member *member = &jump->members[n];
        const struct ahead *a = ahead_of(member->fiber);
        for (uint32_t i = 0; i < a->count && good; i++) {
            struct sl_fiber *peer = a->times[i]->user[!a->moves.at[i].op];
            if (a->times[i]->depth > SL_AHEAD_NARROW || !can_join(peer))
                continue;
            member->joined |= 1U << i;
            good = add_member(jump, peer);
        }
    }
    return good && jump->count > 1;
}

/* ---- what they have done --------------------------------------------------------------------- */

static bool is_regular(const struct sl_ahead_jump *jump, const struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    const struct sl_clock_moves *m = &a->moves;
    const uint64_t own = sl_clock_looks_back(m);
    bool regular = m->since >= own && jump->stride >= m->interval;
    for (uint32_t i = 0; i < m->count && regular; i++) {
        const struct sl_clock_move *move = &m->at[i];
        const bool joined = member->joined >> i & 1;
        const uint64_t least = own + 2 + (joined ? move->times->depth : 0);
        regular = sl_clock_is_in_row(move, jump->stride, least) &&
                  (!joined || move->times->count[move->op] >= move->lag + least);
    }
    return regular;
}

static bool are_regular(struct sl_ahead_jump *jump)
{
    const struct sl_clock_move *first = &ahead_of(jump->members[0].fiber)->moves.at[0];
    bool regular = true;
    jump->stride = first->times->row[first->op].stride;
    for (uint32_t n = 0; n < jump->count && regular; n++)
        regular = is_regular(jump, &jump->members[n]);
    return regular;
}

/* Nobody else is in the way of many rounds. */
static bool is_worth_it(const struct sl_ahead_jump *jump)
{
    bool worth = true;
    for (uint32_t n = 0; n < jump->count && worth; n++) {
        const struct member *member = &jump->members[n];
        const struct ahead *a = ahead_of(member->fiber);
        for (uint32_t i = 0; i < a->count && worth; i++)
            worth = member->joined >> i & 1 ||
                    sl_clock_ring_known(a->times[i], a->moves.at[i].op) > WORTH;
    }
    return worth;
}

/* ---- one more round -------------------------------------------------------------------------- */

static void begin_round(struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    touch_ahead(member->fiber);
    member->late = a->moves.late;
    member->start = a->moves.start;
    for (uint32_t i = 0; i < a->count; i++) {
        member->waited[i] = a->moves.waited[i];
        member->tallies[i] = a->tallies[i];
    }
}

/* Whether it has got on. */
static bool go_on(struct member *member)
{
    struct ahead *a = ahead_of(member->fiber);
    const uint32_t before = member->moved;
    while (member->moved < a->count &&
           sl_clock_ring_is_known(a->times[a->part], a->writes >> a->part & 1)) {
        struct sl_clock_ring *times = a->times[a->part];
        sl_clock_moves_step(member->fiber->clock, &a->moves, a->part);
        tally(&a->tallies[a->part], 1, fill_of(times), fill_of(times));
        member->moved++;
        if (++a->part < a->count)
            continue;
        a->part = 0;
        a->base.rounds--;
    }
    return member->moved > before;
}

/* What it has waited in the round, if that was like those before. */
static bool end_round(const struct sl_ahead_jump *jump, struct member *member)
{
    const struct ahead *a = ahead_of(member->fiber);
    const struct sl_clock_moves *m = &a->moves;
    bool like = member->moved == a->count && m->start - member->start == jump->stride &&
                m->late - member->late == jump->stride - m->interval;
    for (uint32_t i = 0; i < m->count && like; i++) {
        member->waited[i] = m->waited[i] - member->waited[i];
        member->tallies[i].packets = a->tallies[i].packets - member->tallies[i].packets;
        member->tallies[i].fill = a->tallies[i].fill - member->tallies[i].fill;
        like = sl_clock_is_in_row(&m->at[i], jump->stride, 2);
    }
    return like;
}

static bool go_round(struct sl_ahead_jump *jump)
{
    bool any = true, like = true;
    for (uint32_t n = 0; n < jump->count; n++)
        begin_round(&jump->members[n]);
    while (any) {
        any = false;
        for (uint32_t n = 0; n < jump->count; n++)
            any |= go_on(&jump->members[n]);
    }
    for (uint32_t n = 0; n < jump->count && like; n++)
        like = end_round(jump, &jump->members[n]);
    return like;
}

/* ---- many ------------------------------------------------------------------------------------ */

static uint64_t find_rounds(const struct sl_ahead_jump *jump)
{
    uint64_t rounds = UINT64_MAX;
    for (uint32_t n = 0; n < jump->count; n++) {
        const struct ahead *a = ahead_of(jump->members[n].fiber);
        rounds = a->base.rounds - 1 < rounds ? a->base.rounds - 1 : rounds;
    }
    for (uint32_t n = 0; n < jump->count && rounds; n++) {
        const struct member *member = &jump->members[n];
        const struct ahead *a = ahead_of(member->fiber);
        for (uint32_t i = 0; i < a->count && rounds; i++)
            if (!(member->joined >> i & 1))
                rounds = sl_clock_undisturbed(&a->moves.at[i], jump->stride, member->waited[i] > 0,
                                              rounds);
    }
    return rounds;
}

static void repeat(const struct sl_ahead_jump *jump, uint64_t rounds)
{
    for (uint32_t n = 0; n < jump->count; n++) {
        const struct member *member = &jump->members[n];
        struct ahead *a = ahead_of(member->fiber);
        sl_clock_repeat(&a->moves, rounds, jump->stride, member->waited);
        a->base.rounds -= rounds;
        for (uint32_t i = 0; i < a->count; i++)
            tally(&a->tallies[i], rounds * member->tallies[i].packets,
                  rounds * member->tallies[i].fill, 0);
    }
}

/* All of them may be able to go on, and those who wait for them. */
static void tell_all(const struct sl_ahead_jump *jump)
{
    for (uint32_t n = 0; n < jump->count; n++) {
        struct sl_fiber *fiber = jump->members[n].fiber;
        const struct ahead *a = ahead_of(fiber);
        for (uint32_t i = 0; i < a->count; i++) {
            const unsigned op = a->moves.at[i].op;
            if (a->times[i]->waiting[op] == fiber)
                a->times[i]->waiting[op] = NULL;
            struct sl_fiber *peer = a->times[i]->waiting[!op];
            if (peer)
                ahead_of(peer)->effort = ENOUGH;
            set_within(a->what.moves[i].ring, a->times[i], !op);
            tell_peer(a->times[i], op);
        }
        list_ahead(fiber);
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

static void go_together(struct sl_ahead_jump *jump)
{
    const uint64_t rounds = go_round(jump) ? find_rounds(jump) : 0;
    if (rounds)
        repeat(jump, rounds);
    tell_all(jump);
    set_patience(jump, rounds < WORTH ? LEAST_PATIENCE : 0);
}

void sl_ahead_jump(struct sl_fiber *first)
{
    struct ahead *a = ahead_of(first);
    struct sl_ahead_group *group = a->group;
    const uint32_t longer = a->patience ? 2 * a->patience : LEAST_PATIENCE;
    a->effort = 0;
    a->patience = longer < MOST_PATIENCE ? longer : MOST_PATIENCE;
    if (!group->jump)
        group->jump = calloc(1, sizeof *group->jump);
    if (!group->jump)
        return;
    group->turn++;
    group->jump->count = 0;
    if (!find_members(group->jump, first) || !are_regular(group->jump))
        return;
    if (is_worth_it(group->jump))
        go_together(group->jump);
    else
        set_patience(group->jump, LEAST_PATIENCE);
}
