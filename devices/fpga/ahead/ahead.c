/* SPDX-License-Identifier: Apache-2.0 */
/* How clocks catch up; see the header. No lock: of the thread that runs the cluster. */
#include "fpga/ahead/ahead.h"
#include "fpga/ahead/ahead_data.h"
#include "fpga/ahead/ahead_journal.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"

/* ---- lists ----------------------------------------------------------------------------------- */

static void list_partial(struct ahead *a)
{
    if (a->partial)
        return;
    a->partial = true;
    a->next_partial = a->group->partial;
    a->group->partial = a->fiber;
}

/* Its clock needs the other end of the pipe of that step. */
static void wait_at(struct ahead *a, uint32_t step)
{
    const uint32_t move = a->in_steps ? a->what.steps[step] : step;
    a->ends[move].times->waiting[a->ends[move].op] = a;
    if (step > a->part)
        list_partial(a);
    if (!a->waits)
        return;
    struct sl_fiber *fiber = a->fiber;
    struct sl_pipe_ring *ring = a->what.moves[move].ring;
    fiber->ring = ring;
    fiber->site = sl_pipe_site_of(&a->what, step);
    if (fiber->stalled_at)
        fiber->stalled_at = ring;
}

static uint32_t first_unknown_step(const struct ahead *a, uint32_t step)
{
    uint64_t known[SL_PIPE_MOST_MOVES];
    for (uint32_t i = 0; i < a->count; i++)
        known[i] = known_at(&a->ends[i]);
    for (uint32_t i = 0; i < step; i++) /* are not among those */
        known[a->what.steps[i]]++;
    while (step < a->what.step_count && known[a->what.steps[step]] >= a->number[step])
        step++;
    return step;
}

/* Of a plain one: from that step of a round on. */
static inline uint32_t first_unknown(const struct ahead *a, uint32_t step)
{
    if (a->in_steps)
        return first_unknown_step(a, step);
    while (step < a->count && is_known_at(&a->ends[step]))
        step++;
    return step;
}

/* It has one move, and few of its many rounds are known by now: more will be when who is at the
 * other end has gone on for longer. */
static inline bool is_early(const struct ahead *a)
{
    const struct sl_clock_ring *times = a->ends[0].times;
    const uint64_t few = times->depth / 4;
    return a->count == 1 && a->base.rounds > few && !a->in_steps && known_at(&a->ends[0]) < few;
}

/* Who was early is told of packets no more. */
static void leave_end(const struct ahead *a)
{
    struct ahead **waiting = &a->ends[0].times->waiting[a->ends[0].op];
    if (*waiting == a)
        *waiting = NULL;
}

/* Packets have moved at that end. Who needs others as well, or many, goes on waiting. */
static inline void wake_peer(struct sl_clock_ring *times, unsigned op)
{
    struct ahead *a = times->waiting[!op];
    if (!a)
        return;
    times->waiting[!op] = NULL;
    const bool needs = a->plain && a->base.rounds;
    const uint32_t step = needs ? first_unknown(a, a->part) : UINT32_MAX;
    if (needs && step < a->step_count) {
        wait_at(a, step);
    } else if (needs && is_early(a)) {
        times->waiting[!op] = a;
        a->deferred = true;
        list_partial(a);
    } else {
        list_ahead(a);
    }
}

void sl_ahead_wake(struct sl_clock_ring *times, unsigned op)
{
    wake_peer(times, op);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static inline void move_one(struct sl_profile *profile, const struct sl_fiber *fiber,
                            struct sl_pipe_ring *ring, const struct sl_pipe_site *site,
                            struct sl_clock_ring *times)
{
    const uint64_t fill = fill_of(times) + (site->op == SL_PIPE_WRITE ? 1 : UINT64_MAX);
    struct sl_clock_run *run = fiber->clock;
    if (run->items) {
        sl_profile_move(profile, fiber, ring, site, fill);
    } else {
        const int32_t row = (int32_t)(ring->info - profile->design->info->pipes);
        struct sl_profile_pipe *pipe = &profile->pipes[row];
        sl_clock_move_simply(run, times, site, row);
        sl_profile_add(pipe, site->op, 1, fill, fill);
    }
    set_within(ring, times, !site->op);
}

void sl_ahead_move(struct sl_profile *profile, const struct sl_fiber *fiber,
                   struct sl_pipe_ring *ring, const struct sl_pipe_site *site)
{
    struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    move_one(profile, fiber, ring, site, times);
    wake_peer(times, site->op);
}

/* Those in front of that step. */
static void tell_marks(const struct sl_fiber *fiber, uint32_t step)
{
    struct ahead *a = ahead_of(fiber);
    const struct sl_pipe_rounds *r = &a->what;
    for (; a->told < r->told_count && r->told[a->told].before <= step; a->told++) {
        const struct sl_loop_told *told = &r->told[a->told];
        uint64_t iterations = told->iterations;
        if (sl_pipe_varies(told))
            iterations = a->moves.trips ? *a->moves.trips++ : 0;
        sl_clock_mark_run(fiber->clock, told->what, told->line, told->column, iterations);
    }
}

/* Each by itself, of rounds that are out of the ordinary. */
static void go_by_move(struct sl_profile *profile, struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    const struct sl_pipe_rounds *r = &a->what;
    while (a->base.rounds) {
        const uint32_t i = sl_pipe_step(r, a->part);
        const struct sl_pipe_site *site = sl_pipe_site_of(r, a->part);
        tell_marks(fiber, a->part);
        if (!is_known_at(&a->ends[i]))
            return;
        move_one(profile, fiber, r->moves[i].ring, site, a->ends[i].times);
        wake_peer(a->ends[i].times, site->op);
        if (++a->part < r->step_count)
            continue;
        tell_marks(fiber, r->step_count);
        a->part = a->told = 0;
        a->base.rounds--;
    }
}

/* Of the rounds that are left, those of which all is known. */
static inline uint64_t known_rounds(const struct ahead *a)
{
    uint64_t rounds = a->base.rounds;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t known = known_at(&a->ends[i]);
        known = a->what.steps ? known / a->moves.at[i].each : known;
        rounds = known < rounds ? known : rounds;
    }
    return rounds;
}

/* What wake_peer() will look at: with many kernels it is not in the nearest cache. */
static inline void fetch_peers(const struct ahead *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct ahead *peer = a->ends[i].times->waiting[!a->ends[i].op];
        __builtin_prefetch(peer);
        if (peer)
            __builtin_prefetch(&peer->ends);
    }
}

/* Likewise, behind that. */
static inline void fetch_their_ends(const struct ahead *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct ahead *peer = a->ends[i].times->waiting[!a->ends[i].op];
        for (uint32_t k = 0; peer && k < peer->count; k++)
            __builtin_prefetch(peer->ends[k].times);
    }
}

static void go_many(struct sl_fiber *fiber, uint64_t rounds)
{
    struct ahead *a = ahead_of(fiber);
    fetch_peers(a);
    sl_clock_moves_go(fiber->clock, &a->moves, rounds);
    a->base.rounds -= rounds;
    fetch_their_ends(a);
    for (uint32_t i = 0; i < a->count; i++) {
        struct sl_clock_ring *times = a->ends[i].times;
        const unsigned op = a->ends[i].op;
        tally_many(&a->tallies[i], times, op, rounds * a->moves.at[i].each);
        set_within(a->what.moves[i].ring, times, !op);
        wake_peer(times, op);
    }
}

static inline void step(struct sl_fiber *fiber, struct ahead *a, uint32_t step)
{
    const uint32_t move = sl_pipe_step(&a->what, step);
    struct sl_clock_ring *times = a->ends[move].times;
    sl_clock_moves_step(fiber->clock, &a->moves, step);
    const uint64_t fill = fill_of(times);
    tally(&a->tallies[move], 1, fill, fill);
    set_within(a->what.moves[move].ring, times, !a->moves.at[move].op);
    wake_peer(times, a->moves.at[move].op);
}

/* What is left of the round that was begun. False: that is not all known. */
static bool end_round(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    for (; a->part < a->what.step_count; a->part++) {
        const uint32_t move = sl_pipe_step(&a->what, a->part);
        if (!is_known_at(&a->ends[move]))
            return false;
        step(fiber, a, a->part);
    }
    a->part = 0;
    a->base.rounds--;
    return true;
}

struct sl_fiber *sl_ahead_leads(const struct sl_clock_ring *times, unsigned op, uint64_t *rounds)
{
    enum { LEAST = 8 };
    struct sl_fiber *peer = times->user[!op];
    const struct ahead *a = peer ? ahead_of(peer) : NULL;
    if (!a || !a->plain || a->part || peer->doomed || *a->behind != peer)
        return NULL;
    const uint64_t known = known_rounds(a);
    *rounds = known < a->base.rounds ? known : a->base.rounds - (a->base.rounds > 0);
    return *rounds < LEAST ? NULL : peer;
}

void sl_ahead_lead(struct sl_fiber *peer, uint64_t rounds)
{
    struct ahead *a = ahead_of(peer);
    touch_ahead(peer);
    go_many(peer, rounds);
    a->effort++;
}

/* Pipes with room for fewer are narrow. */
enum { MANY = 8 };

static bool is_single_move(const struct ahead *a)
{
    return a->plain && a->what.step_count == 1 && !a->moves.varied && a->base.rounds;
}

static void set_side(struct sl_clock_pair *side, const struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    *side =
        (struct sl_clock_pair){.run = fiber->clock, .moves = &a->moves, .rounds = a->base.rounds};
}

static void note_side(struct sl_fiber *fiber, const struct sl_clock_pair *side)
{
    struct ahead *a = ahead_of(fiber);
    touch_ahead(fiber);
    a->base.rounds -= side->done;
    tally(&a->tallies[0], side->done, side->fill, side->most);
    set_within(a->what.moves[0].ring, a->ends[0].times, !a->moves.at[0].op);
}

struct sl_fiber *sl_ahead_follows(const struct sl_clock_ring *times, unsigned op,
                                  struct sl_clock_pair *side)
{
    enum { LEAST = 8 };
    struct sl_fiber *peer = times->user[!op];
    const struct ahead *a = peer ? ahead_of(peer) : NULL;
    const uint64_t used = op == SL_PIPE_READ ? times->depth : 0;
    if (!a || !is_single_move(a) || a->base.rounds <= LEAST || a->part || peer->doomed ||
        *a->behind != peer || times->count[!op] < used)
        return NULL;
    set_side(side, peer);
    side->rounds--; /* it is through with its rounds by itself */
    return sl_clock_pair_begin(side) ? peer : NULL;
}

void sl_ahead_followed(struct sl_fiber *peer, struct sl_clock_pair *side)
{
    sl_clock_pair_end(side);
    note_side(peer, side);
}

/* With the one that waits for it at the other end of a narrow pipe, where both do nothing else. The
 * other one is told, whether it can go on then or is through. */
static void go_together(struct sl_fiber *fiber)
{
    const struct ahead *a = ahead_of(fiber);
    struct sl_clock_ring *times = a->ends[0].times;
    const unsigned op = a->moves.at[0].op;
    struct sl_fiber *peer = times->waiting[!op] ? times->waiting[!op]->fiber : NULL;
    if (times->depth >= MANY || !peer || peer->doomed || !is_single_move(ahead_of(peer)))
        return;
    struct sl_clock_pair sides[2];
    set_side(&sides[op], fiber);
    set_side(&sides[!op], peer);
    if (!sl_clock_pair_go(sides))
        return;
    note_side(fiber, &sides[op]);
    note_side(peer, &sides[!op]);
    wake_peer(times, op);
}

/* Rounds of which all is known. */
static void go_plainly(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    touch_ahead(fiber);
    if (is_single_move(a))
        go_together(fiber);
    if (a->part && !end_round(fiber))
        return;
    const uint64_t known = known_rounds(a);
    if (known)
        go_many(fiber, known);
    a->effort += a->base.rounds > MANY;
}

/* Of the one behind them the moves that are known: nobody else can go on. */
static void go_partly(struct sl_fiber *fiber)
{
    if (!ahead_of(fiber)->base.rounds)
        return;
    touch_ahead(fiber);
    end_round(fiber);
}

void sl_ahead_count(struct sl_profile *profile, struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (!a->touched)
        return;
    a->touched = false;
    for (uint32_t i = 0; i < a->what.count; i++) {
        struct tally *t = &a->tallies[i];
        const unsigned op = a->moves.at[i].op;
        if (t->packets)
            sl_profile_add(&profile->pipes[a->rows[i]], op, t->packets, t->fill, t->most);
        *t = (struct tally){0};
    }
    sl_clock_moves_note(fiber->clock, &a->moves, a->rows);
    if (a->plain && a->base.rounds)
        sl_clock_moves_stand(fiber->clock, &a->moves, a->part);
}

/* ---- catching up ----------------------------------------------------------------------------- */

/* Nothing is left of what it was ahead with. */
static void let_go(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    struct sl_fiber **behind = ahead_of(fiber)->behind;
    if (a->touched && !a->leaves) {
        a->leaves = true;
        a->next_through = a->group->through;
        a->group->through = fiber;
    }
    if (a->plain) {
        sl_clock_moves_end(fiber->clock, &a->moves);
        set_user(fiber, false);
        a->plain = false;
    }
    if (*behind == fiber) {
        *behind = a->follower;
        if (a->follower)
            list_ahead(ahead_of(a->follower));
        a->follower = NULL;
    }
    if (!a->waits)
        return;
    a->waits = false;
    fiber->ring = NULL;
    fiber->cluster->changes++;
    a->group->released++;
    sl_cluster_ready(fiber->cluster, fiber);
}

/* Another run of its kernel has packets in front of its own. */
static inline bool has_to_follow(struct sl_fiber *fiber)
{
    struct sl_fiber **at = ahead_of(fiber)->behind;
    if (__builtin_expect(*at == fiber, 1))
        return false;
    bool follows = *at != NULL;
    while (*at && *at != fiber)
        at = &ahead_of(*at)->follower;
    *at = fiber;
    return follows;
}

/* Rounds that are all done, before others begin. */
static void end_rounds(struct sl_profile *profile, struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (!a->plain)
        return;
    sl_clock_moves_end(fiber->clock, &a->moves);
    sl_ahead_count(profile, fiber);
    set_user(fiber, false);
    a->plain = false;
}

/* With what it has noted, behind them; `one`: see there. False: nothing is left of that. */
static bool take_noted(struct sl_profile *profile, struct sl_fiber *fiber, bool one)
{
    struct ahead *a = ahead_of(fiber);
    const struct sl_pipe_rounds *what;
    if (a->base.rounds || a->base.done == a->base.journal.next)
        return a->base.rounds;
    end_rounds(profile, fiber);
    const uint64_t rounds = sl_journal_go(profile, fiber, one, &what);
    if (rounds) {
        sl_ahead_start(profile, fiber, what, rounds);
        a->base.rounds = rounds;
    }
    return a->base.rounds;
}

/* Launches that are ended together stand where they stand: what one of them has moved ahead, and
 * others have read, would else be told to these as if it had come in time. */
static void go_on(struct sl_profile *profile, struct sl_fiber *fiber, bool partly)
{
    struct ahead *a = ahead_of(fiber);
    if (fiber->doomed)
        return;
    if (a->deferred)
        leave_end(a);
    if (has_to_follow(fiber)) {
        take_noted(profile, fiber, true);
        return;
    }
    do {
        if (!a->base.rounds)
            continue;
        if (!a->plain)
            go_by_move(profile, fiber);
        else if (partly && !a->deferred)
            go_partly(fiber);
        else
            go_plainly(fiber);
        a->deferred = partly = false;
    } while (!a->base.rounds && take_noted(profile, fiber, false));
    const uint32_t step = a->plain ? first_unknown(a, a->part) : a->part;
    if (!a->base.rounds)
        let_go(fiber);
    else if (step < a->what.step_count)
        wait_at(a, step);
    else
        list_ahead(ahead_of(fiber));
}

/* Only few of its many rounds are known: more at a time will be when other kernels have run. */
static bool defer(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (!a->plain || !a->narrow || a->base.rounds < MANY || a->part || known_rounds(a) >= MANY)
        return false;
    a->deferred = true;
    list_partial(a);
    return true;
}

/* Of those that go on with something else; of the others not each time that they get on a little,
 * but when all clocks stand still. */
static void count(struct sl_profile *profile, struct sl_ahead_group *group, bool others)
{
    for (struct sl_fiber *fiber; (fiber = group->through);) {
        group->through = ahead_of(fiber)->next_through;
        ahead_of(fiber)->leaves = false;
        sl_ahead_count(profile, fiber);
    }
    for (struct sl_fiber *fiber; others && (fiber = group->touched);) {
        group->touched = ahead_of(fiber)->next_touched;
        ahead_of(fiber)->kept = false;
        sl_ahead_count(profile, fiber);
    }
}

/* All clocks of a group go on as far as they can, by parts of rounds and few of them as well if no
 * kernel is ready to run, or `all`. */
static void catch_up(struct sl_fiber *self, bool all)
{
    struct sl_profile *profile = self->design->profile;
    struct sl_ahead_group *group = ahead_of(self)->group;
    struct sl_fiber *fiber;
    for (;;) {
        while ((fiber = group->first)) {
            group->first = ahead_of(fiber)->next;
            ahead_of(fiber)->listed = false;
            if (self->cluster->ready && !all && defer(fiber))
                continue;
            go_on(profile, fiber, false);
            if (ahead_of(fiber)->effort > ahead_of(fiber)->patience)
                sl_ahead_jump(fiber);
        }
        if ((self->cluster->ready && !all) || !(fiber = group->partial))
            break;
        group->partial = ahead_of(fiber)->next_partial;
        ahead_of(fiber)->partial = false;
        go_on(profile, fiber, true);
    }
    count(profile, group, !self->cluster->ready || all);
}

/* ---- waiting for it -------------------------------------------------------------------------- */

bool sl_ahead_settle(struct sl_fiber *self, bool all)
{
    const struct ahead *a = ahead_of(self);
    if (a && a->base.done != a->base.journal.next) {
        self->cluster->changes++;
        list_ahead(ahead_of(self));
    }
    if (!a || (!a->group->first && !a->group->partial && !a->group->touched))
        return false;
    const uint64_t released = a->group->released;
    catch_up(self, all);
    return a->group->released != released;
}

void sl_ahead_wait(struct sl_fiber *self)
{
    struct ahead *a = ahead_of(self);
    sl_ahead_settle(self, false);
    if (!sl_ahead_is_behind(self))
        return;
    struct sl_pipe_ring *ring = a->what.moves[sl_pipe_step(&a->what, a->part)].ring;
    a->waits = true;
    self->ring = ring;
    self->site = sl_pipe_site_of(&a->what, a->part);
    self->stalled_at = ring;
    sl_profile_stalls(self);
    sl_context_switch(&self->context, sl_profile_next(self));
}
