/* SPDX-License-Identifier: Apache-2.0 */
/* What the clock makes of what a kernel has noted; see ahead_journal.h. No lock: of the thread that
 * runs the cluster. */
#include "fpga/ahead/ahead_notes.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"

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

static inline void move(struct sl_clock_run *run, struct part *part,
                        const struct sl_pipe_site *site)
{
    struct sl_clock_ring *times = part->times;
    const uint64_t fill = fill_of(times) + (site->op == SL_PIPE_WRITE ? 1 : UINT64_MAX);
    sl_clock_move_simply(run, times, site, part->row);
    if (part->both)
        tally(&part->tally, 1, fill, fill);
}

/* Packets of its parts will move: what has so far counts elsewhere. Mostly it comes to rounds that
 * others go through, and nothing of this is looked at. */
static inline void begin_parts(struct sl_ahead_notes *notes)
{
    if (notes->begun)
        return;
    notes->begun = true;
    for (uint32_t i = 0; i < notes->part_count; i++)
        notes->parts[i].from = notes->parts[i].times->count[notes->parts[i].op];
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
    begin_parts(notes);
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
        known_rounds(notes, kind, rounds) < rounds)
        return NULL;
    begin_parts(notes);
    if (!sl_clock_noted_pass(run, &kind->steps, rounds))
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
    set_single(a, kind->of.moves[0].ring, kind->steps.moves[0].site);
    return 0;
}

static inline struct sl_clock_noted *steps_of(struct sl_ahead_notes *notes,
                                              const struct sl_pipe_event *event)
{
    struct same *same = &notes->same;
    if (__builtin_expect(same->event == event, 1))
        return &same->steps;
    sl_clock_noted_count(notes->clock, &same->steps);
    *same = (struct same){
        .event = event,
        .steps = {.line = event->told->line,
                  .column = event->told->column,
                  .count = 1,
                  .moves = {sl_journal_move(&notes->parts[event->move], event->site)}}};
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
    begin_parts(notes);
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
    begin_parts(notes);
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
    if (!notes->begun)
        return;
    notes->begun = false;
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
    uint32_t told = 0; /* marks of the next event */
    while (at != end) {
        const uint64_t word = *at++;
        if (word & SINGLE) {
            struct sl_pipe_ring *ring = (struct sl_pipe_ring *)(uintptr_t)at[0];
            const struct sl_pipe_site *site = (const struct sl_pipe_site *)(uintptr_t)at[1];
            at += 2;
            if (!one && go_single(profile, fiber, notes, ring, site))
                continue;
            set_single(a, ring, site);
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
            set_single(a, part->ring, event->site);
            break;
        }
        begin_parts(notes);
        move(run, part, event->site);
    }
    note_parts(profile, notes);
    a->base.done = (uint64_t *)at;
    if (at == end)
        a->base.done = a->base.journal.next = notes->words;
    return rounds;
}
