/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No lock: of the thread that runs the cluster. */
#include "fpga/ahead/ahead_notes.h"

#include <stdlib.h>

#include "fpga/cluster/design_data.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/profile/profile.h"
#include "fpga/profile/profile_data.h"
#include "sluice/unshared.h"

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
                    what->told[0].what == SL_LOOP_ITERATES &&
                    what->step_count <= SL_CLOCK_MOST_NOTED;
    for (uint32_t i = 0; i < what->step_count && is_short; i++) {
        const struct sl_pipe_site *site = sl_pipe_site_of(what, i);
        const uint32_t part = find_part(notes, what->moves[sl_pipe_step(what, i)].ring, site->op);
        is_short = part < notes->part_count;
        if (!is_short)
            break;
        kind->parts[i] = part;
        kind->steps.moves[i] = sl_journal_move(&notes->parts[part], site);
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
    notes->begun = false;
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
