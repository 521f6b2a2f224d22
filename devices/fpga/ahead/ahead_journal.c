/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the thread that runs the cluster. */
#include "fpga/ahead/ahead_journal.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/clock/clock_noted.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"
#include "sluice/unshared.h"

enum {
    WORDS = 4096,
    SLACK = SL_PIPE_MOST_EVENT_WORDS + 16, /* behind the end: for whoever has begun, and for us */
    MOST_KINDS = 16,
    FEW_ROUNDS = 32,   /* are gone through one by one */
    FEW_PACKETS = 512, /* likewise, of rounds with one each */
};
#define SINGLE ((uint64_t)1 << 63)
#define ROUNDS SL_PIPE_NOTED_ROUNDS
static_assert((int)MOST_KINDS > (int)SL_PIPE_MOST_KINDS, "the compiler's, and others");

struct part { /* an end of a pipe */
    struct sl_pipe_ring *ring;
    struct sl_clock_ring *times;
    int32_t row; /* of the profile */
    unsigned op;
    bool both;          /* the kernel has the other end as well */
    bool leads;         /* since the clock went on, who is there did so at once */
    uint64_t from;      /* packets there that were counted */
    struct tally tally; /* of packets since then, if it has both */
};

struct sl_ahead_notes {
    const struct sl_pipe_event *events;
    struct sl_clock *clock; /* borrowed */
    bool shares, closed;    /* closed: nothing is noted, since memory is shared */
    uint32_t part_count, kind_count;
    struct part parts[SL_PIPE_MOST_RINGS];
    struct kind { /* of rounds, that were told */
        struct sl_pipe_rounds of;
        uint32_t few; /* that are gone through one by one; 0: none, they are no such */
        uint32_t parts[SL_CLOCK_MOST_NOTED], each[SL_CLOCK_MOST_NOTED]; /* of each step: packets of
                                                                           its part in a round */
        struct sl_clock_noted steps;
    } kinds[MOST_KINDS];
    struct same { /* event, again and again, that begins an iteration with a packet */
        const struct sl_pipe_event *event; /* NULL: none so far */
        struct sl_clock_noted steps;
    } same;
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

static struct sl_clock_noted_move noted_move(const struct part *part,
                                             const struct sl_pipe_site *site)
{
    return (struct sl_clock_noted_move){
        .times = part->times, .site = site, .row = part->row, .op = part->op};
}

static void set_kind(const struct sl_ahead_notes *notes, struct kind *kind,
                     const struct sl_pipe_rounds *what)
{
    *kind = (struct kind){.of = *what};
    bool is_short = what->told_count == 1 && !what->told[0].before &&
                    what->told[0].what == SL_LOOP_ITERATES &&
                    what->step_count <= SL_CLOCK_MOST_NOTED;
    for (uint32_t i = 0; i < what->step_count && is_short; i++) {
        const struct sl_pipe_site *site = sl_pipe_site_of(what, i);
        const uint32_t part = find_part(notes, what->moves[sl_pipe_step(what, i)].ring, site->op);
        is_short = part < notes->part_count;
        if (!is_short)
            break;
        kind->parts[i] = part;
        kind->steps.moves[i] = noted_move(&notes->parts[part], site);
        for (uint32_t k = 0; k < what->step_count; k++)
            kind->each[i] += sl_pipe_step(what, k) == sl_pipe_step(what, i);
    }
    if (!is_short)
        return;
    kind->steps.line = what->told[0].line;
    kind->steps.column = what->told[0].column;
    kind->steps.count = what->step_count;
    kind->few = what->step_count == 1 ? FEW_PACKETS : FEW_ROUNDS;
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

/* From that mark on up to another one. */
static inline const uint64_t *tell_marks(struct sl_clock_run *run,
                                         const struct sl_pipe_event *event, uint32_t from,
                                         uint32_t to, const uint64_t *at)
{
    for (uint32_t i = from; i < to; i++) {
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
    const uint64_t fill = fill_of(times) + (site->op == SL_PIPE_WRITE ? 1 : UINT64_MAX);
    sl_clock_move_simply(run, times, site, part->row);
    if (part->both)
        tally(&part->tally, 1, fill, fill);
}

/* What each of them leaves there; none of the other end came between. */
static inline void tally_part(struct part *part, uint64_t packets)
{
    if (part->both)
        tally_many(&part->tally, part->times, part->op, packets);
}

/* Of so many of the rounds all is known. */
static inline uint64_t known_rounds(const struct sl_ahead_notes *notes, const struct kind *kind,
                                    uint64_t rounds)
{
    if (kind->steps.count == 1) {
        const uint64_t known = sl_clock_ring_known(kind->steps.moves->times, kind->steps.moves->op);
        return known < rounds ? known : rounds;
    }
    for (uint32_t i = 0; i < kind->steps.count; i++) {
        const struct part *part = &notes->parts[kind->parts[i]];
        uint64_t known = sl_clock_ring_known(part->times, part->op);
        known = kind->each[i] > 1 ? known / kind->each[i] : known;
        rounds = known < rounds ? known : rounds;
    }
    return rounds;
}

static inline void tally_kind(struct sl_ahead_notes *notes, const struct kind *kind,
                              uint64_t rounds)
{
    tally_part(&notes->parts[kind->parts[0]], rounds * kind->each[0]);
    uint32_t seen = 1U << kind->parts[0];
    for (uint32_t i = 1; i < kind->steps.count; i++) {
        const uint32_t part = kind->parts[i];
        if (!(seen >> part & 1))
            tally_part(&notes->parts[part], rounds * kind->each[i]);
        seen |= 1U << part;
    }
}

/* What it has moved counts, before others move the other end. False: nothing. */
static inline bool note_part(struct sl_profile *profile, struct part *part)
{
    const struct tally *t = &part->tally;
    const unsigned op = part->op;
    const uint64_t packets = part->times->count[op] - part->from;
    if (!packets)
        return false;
    if (!part->both)
        tally_many(&part->tally, part->times, op, packets);
    sl_profile_add(&profile->pipes[part->row], op, t->packets, t->fill, t->most);
    set_within(part->ring, part->times, !op);
    part->tally = (struct tally){0};
    part->from += packets;
    return true;
}

/* It will go on at the other ends of all its pipes. */
static void note_before(struct sl_profile *profile, struct sl_ahead_notes *notes,
                        const struct sl_fiber *peer)
{
    for (uint32_t i = 0; i < notes->part_count; i++) {
        struct part *part = &notes->parts[i];
        if (part->both || part->times->user[!part->op] != peer)
            continue;
        part->leads = true;
        note_part(profile, part);
    }
}

/* Little is known there: the clock of the kernel at the other end goes on at once. Else both would
 * stop and be found again each time that the pipe is full or empty. */
static inline bool lead(struct sl_profile *profile, struct sl_ahead_notes *notes,
                        const struct part *part)
{
    uint64_t rounds;
    if (part->both || sl_clock_ring_known(part->times, part->op) > part->times->depth / 4)
        return false;
    struct sl_fiber *peer = sl_ahead_leads(part->times, part->op, &rounds);
    if (!peer)
        return false;
    note_before(profile, notes, peer);
    sl_ahead_lead(peer, rounds);
    return true;
}

/* False: nobody has gone on, so that no more of these rounds is known. */
static bool lead_all(struct sl_profile *profile, struct sl_ahead_notes *notes,
                     const struct kind *kind)
{
    bool any = false;
    for (uint32_t i = 0; i < kind->steps.count; i++)
        any |= lead(profile, notes, &notes->parts[kind->parts[i]]);
    return any;
}

/* How many of the rounds are done. */
static uint64_t go_short(struct sl_clock_run *run, struct sl_ahead_notes *notes, struct kind *kind,
                         uint64_t rounds)
{
    rounds = known_rounds(notes, kind, rounds);
    if (!rounds || !sl_clock_noted_go(run, &kind->steps, rounds))
        return 0;
    tally_kind(notes, kind, rounds);
    return rounds;
}

static inline bool is_mark_of(const struct sl_loop_told *told, enum sl_loop_mark what,
                              const struct sl_clock_noted *steps)
{
    return told->what == (uint32_t)what && told->line == steps->line &&
           told->column == steps->column;
}

/* Behind an event that enters a loop: all of its rounds are next, known and few, and with the event
 * behind them it has been left. NULL, and nothing is done: it is not so; else the rest of that
 * event begins there. */
static inline const uint64_t *go_whole(struct sl_clock_run *run, struct sl_ahead_notes *notes,
                                       const struct sl_loop_told *entered, const uint64_t *at,
                                       const uint64_t *end)
{
    if (end - at < 3 || !(*at & ROUNDS) || *at & SINGLE || at[2] & (ROUNDS | SINGLE))
        return NULL;
    struct kind *kind = &notes->kinds[*at & ~ROUNDS];
    const struct sl_pipe_event *behind = &notes->events[at[2]];
    const uint64_t rounds = at[1];
    if (rounds > kind->few || !behind->told_count ||
        !is_mark_of(entered, SL_LOOP_BEGINS, &kind->steps) ||
        !is_mark_of(behind->told, SL_LOOP_ENDS, &kind->steps) ||
        known_rounds(notes, kind, rounds) < rounds ||
        !sl_clock_noted_pass(run, &kind->steps, rounds))
        return NULL;
    tally_kind(notes, kind, rounds);
    return at + 2;
}

/* One of them, of which not all is known; with how many the caller has to begin. */
static uint64_t stop_in_round(struct sl_clock_run *run, struct ahead *a, const struct kind *kind)
{
    const struct sl_loop_told *told = kind->of.told;
    if (kind->steps.count > 1)
        return 1;
    sl_clock_mark_run(run, told->what, told->line, told->column, told->iterations);
    stop_at(a, kind->of.moves[0].ring, kind->steps.moves[0].site);
    return 0;
}

static inline struct sl_clock_noted *steps_of(struct sl_ahead_notes *notes,
                                              const struct sl_pipe_event *event)
{
    struct same *same = &notes->same;
    if (__builtin_expect(same->event == event, 1))
        return &same->steps;
    sl_clock_noted_count(notes->clock, &same->steps);
    *same =
        (struct same){.event = event,
                      .steps = {.line = event->told->line,
                                .column = event->told->column,
                                .count = 1,
                                .moves = {noted_move(&notes->parts[event->move], event->site)}}};
    return &same->steps;
}

/* Iterations of one packet each, as many as there are one behind the other. How many are done. */
static inline uint64_t go_alike(struct sl_clock_run *run, struct sl_ahead_notes *notes,
                                const struct sl_pipe_event *event, const uint64_t *at,
                                const uint64_t *end)
{
    if (event->move == SL_PIPE_NO_MOVE || event->told_count != 1 ||
        event->told->what != SL_LOOP_ITERATES)
        return 0;
    struct part *part = &notes->parts[event->move];
    const uint64_t known = sl_clock_ring_known(part->times, part->op);
    uint64_t most = (uint64_t)(end - at), rounds = 1;
    most = known < most ? known : most;
    if (!known)
        return 0;
    while (rounds < most && at[rounds] == *at)
        rounds++;
    struct sl_clock_noted *steps = steps_of(notes, event);
    if (steps->apart && sl_clock_noted_step(run, steps)) {
        rounds = 1;
    } else if (!sl_clock_noted_go(run, steps, rounds)) {
        rounds = 1;
        if (!sl_clock_noted_step(run, steps))
            return 0;
    }
    tally_part(part, rounds);
    return rounds;
}

/* Likewise, in step with the kernel at the other end of what the loop inside moves, if that does
 * nothing else. */
static const uint64_t *go_beside(struct sl_profile *profile, struct sl_clock_run *run,
                                 struct sl_ahead_notes *notes, struct sl_clock_noted *steps,
                                 struct kind *kind, const uint64_t *at, const uint64_t *end)
{
    struct part *part = &notes->parts[kind->parts[0]];
    struct sl_clock_noted_peer beside = {0};
    struct sl_fiber *peer = sl_ahead_follows(part->times, part->op, &beside.side);
    if (!peer)
        return at;
    note_before(profile, notes, peer);
    const uint64_t *behind =
        sl_clock_noted_nest(run, steps, &kind->steps, at, end, kind->few, &beside);
    sl_ahead_followed(peer, &beside.side);
    if (!beside.moved)
        return behind;
    sl_profile_add(&profile->pipes[part->row], part->op, beside.moved, beside.fill, beside.most);
    set_within(part->ring, part->times, !part->op);
    part->from += beside.moved;
    return behind;
}

/* An iteration with a packet, and all rounds of a loop in it, are noted there; and more of them.
 * Where what is left begins; `at`: nothing was done. */
static inline const uint64_t *go_nests(struct sl_profile *profile, struct sl_clock_run *run,
                                       struct sl_ahead_notes *notes, const uint64_t *at,
                                       const uint64_t *end)
{
    if (end - at < SL_CLOCK_NEST_WORDS || !(at[2] & ROUNDS) ||
        (at[0] | at[1] | at[2] | at[4]) & SINGLE || (at[1] | at[4]) & ROUNDS)
        return at;
    const struct sl_pipe_event *first = &notes->events[at[0]], *enters = &notes->events[at[1]],
                               *leaves = &notes->events[at[4]];
    struct kind *kind = &notes->kinds[at[2] & ~ROUNDS];
    if (first->move == SL_PIPE_NO_MOVE || first->told_count != 1 ||
        first->told->what != SL_LOOP_ITERATES || enters->move != SL_PIPE_NO_MOVE ||
        enters->told_count != 1 || leaves->move != SL_PIPE_NO_MOVE || leaves->told_count != 1 ||
        !kind->few || kind->steps.count != 1 || notes->parts[first->move].both ||
        notes->parts[kind->parts[0]].both ||
        !is_mark_of(enters->told, SL_LOOP_BEGINS, &kind->steps) ||
        !is_mark_of(leaves->told, SL_LOOP_ENDS, &kind->steps))
        return at;
    struct sl_clock_noted *steps = steps_of(notes, first);
    const uint64_t *behind = go_beside(profile, run, notes, steps, kind, at, end);
    if (behind == at)
        behind = sl_clock_noted_nest(run, steps, &kind->steps, at, end, kind->few, NULL);
    if (behind != at)
        return behind;
    const bool led = lead(profile, notes, &notes->parts[first->move]);
    if (!lead_all(profile, notes, kind) && !led)
        return at;
    return sl_clock_noted_nest(run, steps, &kind->steps, at, end, kind->few, NULL);
}

static void note_parts(struct sl_profile *profile, struct sl_ahead_notes *notes)
{
    for (uint32_t i = 0; i < notes->part_count; i++) {
        struct part *part = &notes->parts[i];
        const bool moved = note_part(profile, part);
        if ((moved || part->leads) && part->times->waiting[!part->op])
            sl_ahead_wake(part->times, part->op);
        part->leads = false;
    }
    for (uint32_t i = 0; i < notes->kind_count; i++)
        sl_clock_noted_count(notes->clock, &notes->kinds[i].steps);
    sl_clock_noted_count(notes->clock, &notes->same.steps);
}

/* A packet that the runtime has moved. False: not in between others there, or it is not known. */
static bool go_single(struct sl_profile *profile, const struct sl_fiber *fiber,
                      const struct sl_ahead_notes *notes, struct sl_pipe_ring *ring,
                      const struct sl_pipe_site *site)
{
    bool apart = true;
    for (uint32_t i = 0; i < notes->part_count; i++)
        apart &= notes->parts[i].ring != ring;
    if (!apart || !sl_clock_ring_is_known(sl_ring_state(ring)->clock, site->op))
        return false;
    sl_ahead_move(profile, fiber, ring, site);
    return true;
}

uint64_t sl_journal_go(struct sl_profile *profile, struct sl_fiber *fiber, bool one,
                       const struct sl_pipe_rounds **what)
{
    struct ahead *a = ahead_of(fiber);
    struct sl_ahead_notes *notes = a->notes;
    struct sl_clock_run *run = fiber->clock;
    const uint64_t *at = a->base.done, *end = a->base.journal.next;
    uint64_t rounds = 0;
    for (uint32_t i = 0; i < notes->part_count; i++)
        notes->parts[i].from = notes->parts[i].times->count[notes->parts[i].op];
    uint32_t told = 0; /* marks of the next event */
    while (at != end) {
        const uint64_t word = *at++;
        if (word & SINGLE) {
            struct sl_pipe_ring *ring = (struct sl_pipe_ring *)(uintptr_t)at[0];
            const struct sl_pipe_site *site = (const struct sl_pipe_site *)(uintptr_t)at[1];
            at += 2;
            if (!one && go_single(profile, fiber, notes, ring, site))
                continue;
            stop_at(a, ring, site);
            break;
        }
        if (word & ROUNDS) {
            struct kind *kind = &notes->kinds[word & ~ROUNDS];
            *what = &kind->of;
            rounds = *at++;
            if (rounds && (one || rounds > kind->few))
                break;
            do
                rounds -= go_short(run, notes, kind, rounds);
            while (rounds && lead_all(profile, notes, kind));
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
        const uint64_t *behind = one ? at - 1 : go_nests(profile, run, notes, at - 1, end);
        if (behind != at - 1) {
            at = behind;
            continue;
        }
        const uint64_t alike = one ? 0 : go_alike(run, notes, event, at - 1, end);
        if (alike) {
            at += alike - 1;
            continue;
        }
        const uint32_t marks = event->told_count;
        if (event->move == SL_PIPE_NO_MOVE && marks > told && !one) {
            at = tell_marks(run, event, told, marks - 1, at);
            behind = go_whole(run, notes, &event->told[marks - 1], at, end);
            told = behind != NULL;
            at = behind ? behind : tell_marks(run, event, marks - 1, marks, at);
            continue;
        }
        at = tell_marks(run, event, told, marks, at);
        told = 0;
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
    for (uint32_t i = 0; i < of->ring_count && good; i++)
        for (uint32_t k = 0; k < of->ring_count; k++)
            notes->parts[i].both |= k != i && notes->parts[k].ring == notes->parts[i].ring;
    notes->part_count = good ? of->ring_count : 0;
    return good;
}

static void add_kind(struct sl_ahead_notes *notes, const struct sl_pipe_event *kind)
{
    const struct sl_pipe_rounds what = {
        .count = 1,
        .told_count = 1,
        .step_count = 1,
        .told = kind->told,
        .moves = {{.ring = notes->parts[kind->move].ring, .site = kind->site}}};
    set_kind(notes, &notes->kinds[notes->kind_count++], &what);
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
    notes->same = (struct same){0};
    notes->clock = fiber->clock->clock;
    a->base.done = a->base.journal.next = notes->words;
    if (!find_parts(fiber->design->profile, notes, of)) {
        notes->closed = true;
        notes->shares = false;
        a->base.journal.end = notes->words;
        return &a->base.journal;
    }
    for (uint32_t i = 0; i < of->kind_count; i++)
        add_kind(notes, &of->kinds[i]);
    stop_ends(notes);
    sl_journal_set_shared(fiber, is_shared(of));
    return &a->base.journal;
}

void sl_journal_free(struct ahead *a)
{
    free(a->notes);
}
