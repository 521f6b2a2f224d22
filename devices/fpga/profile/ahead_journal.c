/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the thread that runs the cluster. */
#include "fpga/profile/ahead_journal.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/clock_noted.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"
#include "sluice/unshared.h"

enum {
    WORDS = 4096,
    SLACK = SL_PIPE_MOST_EVENT_WORDS + 16, /* behind the end: for whoever has begun, and for us */
    MOST_KINDS = 16,
    FEW_ROUNDS = 32, /* are gone through one by one */
    MOST_SHORT = 8,  /* steps of theirs */
};
#define SINGLE ((uint64_t)1 << 63)
#define ROUNDS ((uint64_t)1 << 62)

struct part { /* an end of a pipe */
    struct sl_pipe_ring *ring;
    struct sl_clock_ring *times;
    int32_t row; /* of the profile */
    unsigned op;
    struct tally tally;
};

struct sl_ahead_notes {
    const struct sl_pipe_event *events;
    bool shares, closed; /* closed: nothing is noted, since memory is shared */
    uint32_t part_count, kind_count;
    struct part parts[SL_PIPE_MOST_RINGS];
    struct kind { /* of rounds, that were told */
        struct sl_pipe_rounds of;
        uint32_t count; /* of its steps, if they are short: 0, not, or what it does is no such */
        uint32_t parts[MOST_SHORT], each[MOST_SHORT]; /* of each: packets of its part in a round */
        struct sl_clock_noted steps[MOST_SHORT];
    } kinds[MOST_KINDS];
    uint64_t words[WORDS];
};

/* ---- noting ---------------------------------------------------------------------------------- */

static bool has_room(const struct ahead *a)
{
    return a->notes && a->base.journal.next < a->base.journal.end;
}

bool sl_journal_add_move(struct sl_fiber *fiber, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site)
{
    struct ahead *a = ahead_of(fiber);
    if (!has_room(a))
        return false;
    uint64_t *next = a->base.journal.next;
    next[0] = SINGLE;
    next[1] = (uint64_t)(uintptr_t)ring;
    next[2] = (uint64_t)(uintptr_t)site;
    a->base.journal.next = next + 3;
    return true;
}

static uint32_t find_part(const struct sl_ahead_notes *notes, const struct sl_pipe_ring *ring,
                          unsigned op)
{
    uint32_t i = 0;
    while (i < notes->part_count && (notes->parts[i].ring != ring || notes->parts[i].op != op))
        i++;
    return i;
}

static void set_kind(const struct sl_ahead_notes *notes, struct kind *kind,
                     const struct sl_pipe_rounds *what)
{
    *kind = (struct kind){.of = *what};
    bool is_short = what->told_count == 1 && !what->told[0].before &&
                    what->told[0].what == SL_LOOP_ITERATES && what->step_count <= MOST_SHORT;
    for (uint32_t i = 0; i < what->step_count && is_short; i++) {
        const struct sl_pipe_site *site = sl_pipe_site_of(what, i);
        const uint32_t part = find_part(notes, what->moves[sl_pipe_step(what, i)].ring, site->op);
        is_short = part < notes->part_count;
        if (!is_short)
            break;
        kind->parts[i] = part;
        kind->steps[i] = (struct sl_clock_noted){.times = notes->parts[part].times,
                                                 .site = site,
                                                 .row = notes->parts[part].row,
                                                 .op = site->op};
        for (uint32_t k = 0; k < what->step_count; k++)
            kind->each[i] += sl_pipe_step(what, k) == sl_pipe_step(what, i);
    }
    kind->count = is_short ? what->step_count : 0;
}

/* MOST_KINDS: there is no room for it. */
static uint32_t find_kind(struct sl_ahead_notes *notes, const struct sl_pipe_rounds *what)
{
    uint32_t i = 0;
    while (i < notes->kind_count && !sl_ahead_is_same(&notes->kinds[i].of, what))
        i++;
    if (i < MOST_KINDS && i == notes->kind_count)
        set_kind(notes, &notes->kinds[notes->kind_count++], what);
    return i;
}

bool sl_journal_add_rounds(struct sl_fiber *fiber, const struct sl_pipe_rounds *what,
                           uint64_t rounds)
{
    struct ahead *a = ahead_of(fiber);
    if (!has_room(a) || sl_pipe_varied(what))
        return false;
    const uint32_t kind = find_kind(a->notes, what);
    if (kind == MOST_KINDS)
        return false;
    uint64_t *next = a->base.journal.next;
    next[0] = ROUNDS | kind;
    next[1] = rounds;
    a->base.journal.next = next + 2;
    return true;
}

/* ---- the clock ------------------------------------------------------------------------------- */

static inline const uint64_t *tell_event(struct sl_clock_run *run,
                                         const struct sl_pipe_event *event, const uint64_t *at)
{
    for (uint32_t i = 0; i < event->told_count; i++) {
        const struct sl_loop_told *told = &event->told[i];
        sl_clock_mark_run(run, told->what, told->line, told->column,
                          sl_pipe_varies(told) ? *at++ : told->iterations);
    }
    return at;
}

/* What is next is that packet, and the clock does not know when. */
static void stop_at(struct ahead *a, struct sl_pipe_ring *ring, const struct sl_pipe_site *site)
{
    a->what.count = a->what.step_count = 1;
    a->what.told_count = 0;
    a->what.steps = NULL;
    a->what.moves[0] = (struct sl_pipe_move){.ring = ring, .site = site};
    a->times[0] = sl_ring_state(ring)->clock;
    a->base.rounds = 1;
    a->part = a->told = 0;
    a->plain = false;
    a->single = true;
}

static inline void move(struct sl_clock_run *run, struct part *part,
                        const struct sl_pipe_site *site)
{
    struct sl_clock_ring *times = part->times;
    const unsigned op = site->op;
    const uint64_t fill = fill_of(times) + (op == SL_PIPE_WRITE ? 1 : UINT64_MAX);
    sl_clock_move_simply(run, times, site, part->row);
    tally(&part->tally, 1, fill, fill);
    if (times->waiting[!op])
        sl_ahead_wake(times, op);
}

/* What each of them leaves there; none of the other end came between. */
static inline void tally_part(struct part *part, uint64_t packets)
{
    tally_many(&part->tally, part->times, part->op, packets);
    if (part->times->waiting[!part->op])
        sl_ahead_wake(part->times, part->op);
}

/* How many of the rounds are done. */
static uint64_t go_short(struct sl_clock_run *run, struct sl_ahead_notes *notes, struct kind *kind,
                         uint64_t rounds)
{
    for (uint32_t i = 0; i < kind->count; i++) {
        const struct part *part = &notes->parts[kind->parts[i]];
        uint64_t known = sl_clock_ring_known(part->times, part->op);
        known = kind->each[i] > 1 ? known / kind->each[i] : known;
        rounds = known < rounds ? known : rounds;
    }
    if (!kind->count || !rounds ||
        !sl_clock_noted_go(run, kind->of.told[0].line, kind->of.told[0].column, kind->steps,
                           kind->count, rounds))
        return 0;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < kind->count; i++) {
        const uint32_t part = kind->parts[i];
        if (!(seen >> part & 1))
            tally_part(&notes->parts[part], rounds * kind->each[i]);
        seen |= 1U << part;
    }
    return rounds;
}

/* One of them, of which not all is known; with how many the caller has to begin. */
static uint64_t stop_in_round(struct sl_clock_run *run, struct ahead *a, const struct kind *kind)
{
    const struct sl_loop_told *told = kind->of.told;
    if (kind->count > 1)
        return 1;
    sl_clock_mark_run(run, told->what, told->line, told->column, told->iterations);
    stop_at(a, kind->of.moves[0].ring, kind->steps[0].site);
    return 0;
}

/* Rounds of one packet each, as many as there are one behind the other. How many are done. */
static inline uint64_t go_alike(struct sl_clock_run *run, struct sl_ahead_notes *notes,
                                const struct sl_pipe_event *event, const uint64_t *at,
                                const uint64_t *end)
{
    if (event->move == SL_PIPE_NO_MOVE || event->told_count != 1 ||
        event->told->what != SL_LOOP_ITERATES)
        return 0;
    struct part *part = &notes->parts[event->move];
    const uint64_t known = sl_clock_ring_known(part->times, part->op);
    uint64_t most = (uint64_t)(end - at), rounds = 0;
    most = known < most ? known : most;
    while (rounds < most && at[rounds] == *at)
        rounds++;
    if (rounds < 2)
        return 0;
    struct sl_clock_noted move = {
        .times = part->times, .site = event->site, .row = part->row, .op = part->op};
    if (!sl_clock_noted_go(run, event->told->line, event->told->column, &move, 1, rounds))
        return 0;
    tally_part(part, rounds);
    return rounds;
}

static void note_parts(struct sl_profile *profile, struct sl_ahead_notes *notes)
{
    for (uint32_t i = 0; i < notes->part_count; i++) {
        struct part *part = &notes->parts[i];
        const struct tally *t = &part->tally;
        if (!t->packets)
            continue;
        const unsigned op = part->op;
        sl_profile_add(&profile->pipes[part->row], op, t->packets, t->fill, t->most);
        set_within(part->ring, part->times, !op);
        part->tally = (struct tally){0};
    }
}

uint64_t sl_journal_go(struct sl_profile *profile, struct sl_fiber *fiber, bool one,
                       const struct sl_pipe_rounds **what)
{
    struct ahead *a = ahead_of(fiber);
    struct sl_ahead_notes *notes = a->notes;
    struct sl_clock_run *run = fiber->clock;
    const uint64_t *at = a->base.done, *end = a->base.journal.next;
    uint64_t rounds = 0;
    while (at != end) {
        const uint64_t word = *at++;
        if (word & SINGLE) {
            stop_at(a, (struct sl_pipe_ring *)(uintptr_t)at[0],
                    (const struct sl_pipe_site *)(uintptr_t)at[1]);
            at += 2;
            break;
        }
        if (word & ROUNDS) {
            struct kind *kind = &notes->kinds[word & ~ROUNDS];
            *what = &kind->of;
            rounds = *at++;
            if (one || !kind->count || rounds > FEW_ROUNDS)
                break;
            rounds -= go_short(run, notes, kind, rounds);
            if (!rounds)
                continue;
            if (rounds > 1) { /* the others stay */
                at -= 2;
                notes->words[at - notes->words + 1] = rounds - 1;
            }
            rounds = stop_in_round(run, a, kind);
            break;
        }
        const struct sl_pipe_event *event = &notes->events[word];
        const uint64_t alike = one ? 0 : go_alike(run, notes, event, at - 1, end);
        if (alike) {
            at += alike - 1;
            continue;
        }
        at = tell_event(run, event, at);
        if (event->move == SL_PIPE_NO_MOVE)
            continue;
        struct part *part = &notes->parts[event->move];
        if (one || !sl_clock_ring_is_known(part->times, event->site->op)) {
            stop_at(a, part->ring, event->site);
            break;
        }
        move(run, part, event->site);
    }
    note_parts(profile, notes);
    a->base.done = (uint64_t *)at;
    if (at == end)
        a->base.done = a->base.journal.next = notes->words;
    return rounds;
}

void sl_journal_each(struct sl_fiber *fiber, const uint64_t *from, const uint64_t *end,
                     void (*visit)(void *, struct sl_pipe_ring *, const struct sl_pipe_site *),
                     void *data)
{
    const struct sl_ahead_notes *notes = ahead_of(fiber)->notes;
    for (const uint64_t *at = from; at != end;) {
        const uint64_t word = *at++;
        if (word & SINGLE) {
            visit(data, (struct sl_pipe_ring *)(uintptr_t)at[0],
                  (const struct sl_pipe_site *)(uintptr_t)at[1]);
            at += 2;
        } else if (word & ROUNDS) {
            const struct sl_pipe_rounds *r = &notes->kinds[word & ~ROUNDS].of;
            for (uint64_t left = *at++; left; left--)
                for (uint32_t i = 0; i < r->step_count; i++)
                    visit(data, r->moves[sl_pipe_step(r, i)].ring, sl_pipe_site_of(r, i));
        } else {
            const struct sl_pipe_event *event = &notes->events[word];
            for (uint32_t i = 0; i < event->told_count; i++)
                at += sl_pipe_varies(&event->told[i]);
            if (event->move != SL_PIPE_NO_MOVE)
                visit(data, notes->parts[event->move].ring, event->site);
        }
    }
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void set_end(struct ahead *a)
{
    struct sl_ahead_notes *notes = a->notes;
    a->base.journal.end = notes->words + (notes->closed ? 0 : WORDS - SLACK);
}

void sl_journal_set_shared(struct sl_fiber *fiber, bool shared)
{
    struct ahead *a = ahead_of(fiber);
    if (!a->notes)
        return;
    a->notes->closed = a->notes->shares && shared;
    set_end(a);
}

/* False: something there is out of the ordinary. */
static bool find_parts(struct sl_profile *profile, struct sl_ahead_notes *notes,
                       const struct sl_pipe_events *of)
{
    bool good = true;
    for (uint32_t i = 0; i < of->ring_count && good; i++) {
        struct sl_pipe_ring *ring = of->rings[i].ring;
        const struct sl_pipe_site *site = of->rings[i].site;
        struct sl_clock_ring *times = sl_ring_state(ring)->clock;
        notes->parts[i] = (struct part){.ring = ring,
                                        .times = times,
                                        .op = site->op,
                                        .row = sl_profile_pipe_row(profile, ring, site)};
        good = times && times->ahead && !ring->special && notes->parts[i].row >= 0;
    }
    notes->part_count = good ? of->ring_count : 0;
    return good;
}

/* Who is parked there is served by code that comes to the runtime: this end will not any more. */
static void stop_ends(const struct sl_ahead_notes *notes)
{
    for (uint32_t i = 0; i < notes->part_count; i++) {
        const struct part *part = &notes->parts[i];
        part->times->noted[part->op] = true;
        if (sl_ring_parked(part->ring, !part->op)->first)
            *sl_ring_limit(part->ring, part->op) = *sl_ring_index(part->ring, part->op);
    }
}

static bool is_shared(const struct sl_pipe_events *of)
{
    bool shared = false;
    for (uint32_t i = 0; i < of->ring_count; i++) {
        const uint32_t flag = (uint32_t)SL_PIPE_UNSHARED << of->rings[i].site->op;
        shared |= !(__atomic_load_n(&of->rings[i].ring->flags, __ATOMIC_RELAXED) & flag);
    }
    return shared;
}

struct sl_pipe_journal *sl_journal_open(const struct sl_launch *launch,
                                        const struct sl_pipe_events *of)
{
    static struct sl_pipe_journal none;
    struct sl_fiber *fiber = launch->owner;
    struct ahead *a = ahead_of(fiber);
    if (!a || !fiber->clock || fiber->clock->items || fiber->clock->beside)
        return &none;
    if (sl_ahead_is_behind(fiber))
        sl_ahead_wait(fiber);
    if (!a->notes)
        a->notes = malloc(sizeof *a->notes);
    if (!a->notes)
        return &none;
    struct sl_ahead_notes *notes = a->notes;
    notes->events = of->events;
    notes->shares = of->shares;
    notes->kind_count = 0;
    a->base.done = a->base.journal.next = notes->words;
    if (!find_parts(fiber->design->profile, notes, of)) {
        notes->closed = true;
        notes->shares = false;
        a->base.journal.end = notes->words;
        return &a->base.journal;
    }
    stop_ends(notes);
    sl_journal_set_shared(fiber, is_shared(of));
    return &a->base.journal;
}

void sl_journal_free(struct ahead *a)
{
    free(a->notes);
}
