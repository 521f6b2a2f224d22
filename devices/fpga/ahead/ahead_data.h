/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of kernels that run ahead of their clock, for the files ahead*.c. */
#ifndef SL_FPGA_AHEAD_DATA_H
#define SL_FPGA_AHEAD_DATA_H

#include <stdalign.h>

#include "fpga/ahead/ahead.h"
#include "fpga/clock/clock_rounds.h"
#include "fpga/cluster/ring_state.h"

enum { SL_AHEAD_NARROW = 8 }; /* the most depth of a pipe that is */

/* Of a move, not counted so far: see struct sl_profile_pipe. */
struct tally {
    uint64_t packets, fill, most;
};

struct sl_ahead_jump;
struct sl_ahead_notes;

/* Kernels that pipes join. */
struct sl_ahead_group {
    struct sl_ahead_group *next;
    struct sl_fiber *first;     /* whose clocks may be able to go on */
    struct sl_fiber *partial;   /* likewise, by a part of a round */
    struct sl_fiber *touched;   /* of which something may have to be counted */
    struct sl_fiber *through;   /* the same, at once: they go on with something else */
    struct sl_fiber *live;      /* all */
    uint64_t released;          /* so often one that waited for its clock was ready */
    bool unshared;              /* some kernels were found to have their memory for themselves */
    uint32_t turn;              /* so often they have gone on together; ahead_jump.c */
    struct sl_ahead_jump *jump; /* owned, for that; NULL: none so far */
};

struct ahead_end {
    struct sl_clock_ring *times;
    uint32_t op, lag; /* lag: as in struct sl_clock_move */
};

struct ahead {
    /* These lines are what others look at, each time that a packet has moved for it. */
    alignas(64) struct sl_ahead base;
    uint32_t part;       /* so many steps of the first one are done */
    uint32_t step_count; /* of the next, if `plain` */
    uint32_t count;      /* of its moves */
    bool plain;          /* nothing is out of the ordinary, and the next are valid */
    bool in_steps;       /* what.steps are there */
    bool listed, partial;
    bool touched;  /* something is to be counted */
    bool kept;     /* it is in the list of those; leaves: of those that are through */
    bool deferred; /* partial: few rounds rather than parts of one */
    bool waits;    /* its fiber does, for the last of them */
    alignas(64) struct ahead_end ends[SL_PIPE_MOST_MOVES]; /* of its moves */
    /* What the clock looks at each time that it goes on. */
    struct sl_fiber *next, *next_partial, *next_touched, *next_through, *next_live; /* lists of its
                                                                                       group */
    struct sl_fiber *fiber;       /* whose it is */
    struct sl_ahead_group *group; /* borrowed: the profile's */
    struct sl_fiber **behind;  /* of its kernel: the run that has packets in front of all others */
    uint32_t effort, patience; /* others held it up: so often since then, and before it tries to
                                  jump */
    struct tally tallies[SL_PIPE_MOST_MOVES];
    struct sl_pipe_rounds what; /* that its clock does not know of so far */
    uint32_t told;              /* marks of the first round */
    bool leaves;
    bool single;           /* a packet that is in no such rounds */
    bool narrow;           /* one of its moves is at such a pipe */
    uint32_t turn, member; /* the last one of its group in which it took part, and its number */
    uint8_t
        number[SL_PIPE_MOST_STEPS]; /* which of its move's steps in a round each is, from 1 on */
    int32_t rows[SL_PIPE_MOST_MOVES];
    /* Owned; NULL: none so far. What marks that vary have told, which moves.trips goes through;
     * room for so many, and so many are there. */
    uint64_t *trips;
    size_t trip_room, trip_count;
    struct sl_ahead_notes *notes; /* owned; NULL: none so far; ahead_journal.h */
    struct sl_fiber *follower;    /* another run of its kernel, which comes behind it */
    struct sl_clock_moves moves;
};

static inline struct ahead *ahead_of(const struct sl_fiber *fiber)
{
    return (struct ahead *)fiber->ahead;
}

/* Of how many packets it is known when they move there, and whether it is of any; at a pipe that
 * nobody without a clock has moved any of. */
static inline uint64_t known_at(const struct ahead_end *end)
{
    const uint64_t *count = end->times->count;
    const int64_t known = (int64_t)(count[end->op ^ 1] + end->lag - count[end->op]);
    return known > 0 ? (uint64_t)known : 0;
}

static inline bool is_known_at(const struct ahead_end *end)
{
    const uint64_t *count = end->times->count;
    return count[end->op] < count[end->op ^ 1] + end->lag;
}

static inline void set_ahead_end(struct ahead_end *end, struct sl_clock_ring *times, uint32_t op)
{
    *end = (struct ahead_end){times, op, op == SL_PIPE_WRITE ? times->depth : 0};
}

/* What is next is that packet, and the clock does not know when. */
static inline void set_single(struct ahead *a, struct sl_pipe_ring *ring,
                              const struct sl_pipe_site *site)
{
    a->what.count = a->what.step_count = 1;
    a->what.told_count = 0;
    a->what.steps = NULL;
    a->what.moves[0] = (struct sl_pipe_move){.ring = ring, .site = site};
    set_ahead_end(&a->ends[0], sl_ring_state(ring)->clock, site->op);
    a->base.rounds = 1;
    a->part = a->told = 0;
    a->plain = a->in_steps = false;
    a->single = true;
}

/* Its clock may be able to go on. */
static inline void list_ahead(struct ahead *a)
{
    if (a->listed)
        return;
    a->listed = true;
    a->next = a->group->first;
    a->group->first = a->fiber;
    __builtin_prefetch(&a->fiber->ahead);
}

static inline void touch_ahead(struct sl_fiber *fiber)
{
    struct ahead *a = ahead_of(fiber);
    if (a->touched)
        return;
    if (a->moves.stands)
        sl_clock_moves_go_on(fiber->clock, &a->moves);
    a->touched = true;
    if (a->kept)
        return;
    a->kept = true;
    a->next_touched = a->group->touched;
    a->group->touched = fiber;
}

static inline void tally(struct tally *t, uint64_t packets, uint64_t fill, uint64_t most)
{
    t->packets += packets;
    t->fill += fill;
    t->most = most > t->most ? most : t->most;
}

/* Packets in the pipe, as far as its clocks are: whatever launches that were ended have moved, from
 * none to its depth. */
static inline uint64_t fill_of(const struct sl_clock_ring *times)
{
    const int64_t fill = (int64_t)(times->count[SL_PIPE_WRITE] - times->count[SL_PIPE_READ]);
    const uint64_t least = fill < 0 ? 0 : (uint64_t)fill;
    return least < times->depth ? least : times->depth;
}

/* What each of them leaves there, in the clock's terms, which are behind all of them: as fill_of()
 * says, none or the depth where launches that were ended make it less or more. */
static inline void tally_many(struct tally *t, const struct sl_clock_ring *times, unsigned op,
                              uint64_t rounds)
{
    const uint64_t fill = fill_of(times), depth = times->depth;
    const bool writes = op == SL_PIPE_WRITE;
    const uint64_t other =
        writes ? fill : depth - fill; /* of them, those that leave another fill */
    const uint64_t steps = rounds < other ? rounds : other, between = steps * (steps - 1) / 2;
    if (steps == rounds) /* the usual case */
        tally(t, rounds, rounds * fill + (writes ? -between : between),
              writes ? fill : fill + rounds - 1);
    else if (writes)
        tally(t, rounds, steps * fill - between, fill);
    else
        tally(t, rounds, steps * fill + between + (rounds - steps) * depth,
              fill + rounds - 1 < depth ? fill + rounds - 1 : depth);
}

/* Its rounds that are left are to be found at the pipes, or not any more. */
static inline void set_user(struct sl_fiber *fiber, bool uses)
{
    const struct ahead *a = ahead_of(fiber);
    for (uint32_t i = 0; i < a->count; i++) {
        struct sl_fiber **user = &a->ends[i].times->user[a->ends[i].op];
        if (uses)
            *user = fiber;
        else if (*user == fiber)
            *user = NULL;
    }
}

/* Packets have moved at that end. */
static inline void tell_peer(struct sl_clock_ring *times, unsigned op)
{
    struct ahead *peer = times->waiting[!op];
    if (!peer)
        return;
    times->waiting[!op] = NULL;
    list_ahead(peer);
}

/* Packets have moved at that end: who waits at the other one may be able to go on. */
void sl_ahead_wake(struct sl_clock_ring *, unsigned op);
bool sl_ahead_is_same(const struct sl_pipe_rounds *, const struct sl_pipe_rounds *);

/* While one clock goes on: the kernel at the other end of a pipe whose clock could go on as well,
 * so many rounds of those that it is in; some are left. NULL: none, or it is not worth it. */
struct sl_fiber *sl_ahead_leads(const struct sl_clock_ring *, unsigned op, uint64_t *rounds);
/* It does. */
void sl_ahead_lead(struct sl_fiber *, uint64_t rounds);
/* The same, packet by packet as the caller goes through them: it does nothing else, and its side is
 * begun. NULL: it is not that simple. */
struct sl_fiber *sl_ahead_follows(const struct sl_clock_ring *, unsigned op,
                                  struct sl_clock_pair *side);
/* It has. */
void sl_ahead_followed(struct sl_fiber *, struct sl_clock_pair *side);

/* Its clock has rounds to go through, which the caller counts. `rounds`: by themselves; few are not
 * worth it to find what they have in common. */
void sl_ahead_start(struct sl_profile *, struct sl_fiber *, const struct sl_pipe_rounds *,
                    uint64_t rounds);

/* A packet has moved, and the clock knows in which cycle. */
void sl_ahead_move(struct sl_profile *, const struct sl_fiber *, struct sl_pipe_ring *,
                   const struct sl_pipe_site *);

/* What it has done so far counts in the profile; nothing if it is not touched. */
void sl_ahead_count(struct sl_profile *, struct sl_fiber *);

/* A kernel has come: which of them have their memory for themselves; ahead_memory.c. */
void sl_ahead_look_at_memory(const struct sl_profile *, struct sl_ahead_group *);

/* Clocks of kernels that pipes join go on together, many rounds at once, if all of them do the same
 * over and over; ahead_jump.c. */
void sl_ahead_jump(struct sl_fiber *);
void sl_ahead_jump_free(struct sl_ahead_jump *); /* NULL is a no-op */

/* What code that others can see the effects of may do at that end. */
static inline void set_within(struct sl_pipe_ring *ring, const struct sl_clock_ring *times,
                              unsigned op)
{
    if (op == SL_PIPE_WRITE)
        ring->write_within = ~(times->count[SL_PIPE_READ] + times->depth);
    else
        ring->read_within = ~times->count[SL_PIPE_WRITE];
}

#endif
