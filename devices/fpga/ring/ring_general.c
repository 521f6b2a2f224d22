/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path for all that is not an ordinary ring in the fixed order: foreign ends,
 * reservations, seeds, profiles. No lock: of the thread that runs the cluster; the index of a
 * foreign end is read with acquire.
 */

#include <string.h>

#include "fpga/ahead/ahead.h"
#include "fpga/ahead/ask.h"
#include "fpga/base/barrier.h"
#include "fpga/base/fetch.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/cut_ring.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/segments.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/profile/profile.h"
#include "fpga/ring/ring.h"
#include "fpga/ring/ring_leave.h"
#include "sluice/base/wait.h"

void sl_ring_note_taken(struct sl_pipe_ring *ring)
{
    ring->taken =
        sl_segments_end(sl_ring_state(ring)->reserved[SL_PIPE_READ], ring->head) - ring->head;
}

/* Parked where the thread of the cluster has to look, or was woken up to look. */
static void wait_outside(struct sl_fiber *self, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site)
{
    struct sl_cluster *cluster = self->cluster;
    self->ring = ring;
    self->site = site;
    self->next = cluster->outside;
    cluster->outside = self;
    sl_cluster_switch(self);
}

/* The slots behind the next ones are fetched while those are filled: a store that misses holds up
 * all behind it, and each packet has another one, of the index, that misses nothing. */
static uint64_t fetch_ahead(const struct sl_pipe_ring *ring, unsigned op, uint64_t own,
                            uint64_t room)
{
    enum { AHEAD = 2048 };
    uint64_t part = AHEAD / ring->packet_bytes;
    if (room <= part || !part)
        return room;
    const unsigned char *at = ring->slots + ((own + part) & ring->mask) * ring->packet_bytes;
    uint64_t bytes = (room < 2 * part ? room - part : part) * ring->packet_bytes;
    for (uint64_t i = 0; i < bytes; i += SL_LINE)
        sl_fetch_line(at + i, op == SL_PIPE_WRITE);
    return part;
}

/* Of a foreign ring: what the last look found and is not used up. */
static uint64_t left_of_look(struct sl_pipe_ring *ring, unsigned op)
{
    uint64_t own = *sl_ring_index(ring, op), seen = sl_ring_state(ring)->seen;
    return seen > own && !(ring->special & (uint32_t)SL_RING_RESERVED << op) ? seen - own : 0;
}

/* With a profile only code with a clock goes ahead: it tells of each packet
 * (sl_runtime.pipe_moved). Other programs' kernels may come to an argument. */
static bool is_counted(const struct sl_fiber *self, const struct sl_pipe_ring *ring, bool foreign)
{
    return !self->cluster->machine->profile || (self->clock && ring->info && !foreign);
}

/* Somebody is parked at the other end, and code does not tell of each packet here. */
static bool is_watched(struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    return times && times->noted[op] && sl_ring_parked(ring, !op)->first;
}

/* Where the fast path has to stop. */
static uint64_t next_limit(struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    enum { VISITED = 2048 }; /* packets between looks at the clock */
    bool foreign = sl_ring_is_foreign(ring);
    uint64_t own = *sl_ring_index(ring, op);
    uint64_t room = foreign ? left_of_look(ring, op) : sl_ring_available(ring, op);
    if (ring->special & (uint32_t)SL_RING_RESERVED << op || !is_counted(self, ring, foreign) ||
        is_watched(ring, op))
        return own;
    if (self->cluster->visit_until && room > VISITED)
        room = VISITED;
    if (self->cluster->random && room)
        room = sl_cluster_draw(self->cluster, room < 64 ? (uint32_t)room + 1 : 64);
    return own + (foreign && !self->cluster->visit_until ? fetch_ahead(ring, op, own, room) : room);
}

static void move_packet(struct sl_pipe_ring *ring, unsigned op, uint64_t at, void *packet)
{
    unsigned char *slot = ring->slots + (at & ring->mask) * ring->packet_bytes;
    void *to = op == SL_PIPE_WRITE ? (void *)slot : packet;
    const void *from = op == SL_PIPE_WRITE ? packet : (void *)slot;
    if (ring->packet_bytes == sizeof(uint32_t))
        memcpy(to, from, sizeof(uint32_t));
    else
        memcpy(to, from, ring->packet_bytes);
}

/* One packet at one end; false when there is no memory for the note that it went ahead. */
static bool operate(struct sl_fiber *self, struct sl_pipe_ring *ring,
                    const struct sl_pipe_site *site, void *packet)
{
    unsigned op = site->op;
    struct sl_segments *reserved = sl_ring_state(ring)->reserved[op];
    uint64_t *index = sl_ring_index(ring, op), at = sl_segments_end(reserved, *index);
    if (reserved && reserved->used && !sl_segments_push(reserved, *index, 1, false))
        return false;
    move_packet(ring, op, at, packet);
    if (!reserved || !reserved->used)
        __atomic_store_n(index, at + 1, __ATOMIC_RELEASE);
    else
        sl_ring_note_taken(ring);
    *sl_ring_limit(ring, op) = next_limit(self, ring, op);
    self->cluster->changes++;
    if (self->cluster->machine->profile)
        sl_profile_moved(self, ring, site);
    return true;
}

/* The operation of the first one has been done, but it is not known when: it goes on waiting. */
static void hold(struct sl_fiber *fiber)
{
    sl_ring_forget(fiber);
    sl_ahead_hold(fiber);
}

/* Does the operations parked at that end as far as they are possible; true if there were any. */
static bool serve(struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_ring_parked *parked = sl_ring_parked(ring, op);
    struct sl_fiber *fiber;
    bool any = false;
    while ((fiber = parked->first) && sl_ring_available(ring, op) &&
           operate(fiber, ring, fiber->site, fiber->packet)) {
        if (sl_ahead_is_behind(fiber))
            hold(fiber);
        else
            sl_ring_unpark(fiber);
        any = true;
    }
    if (parked->first && !parked->first->ahead) /* the peer has to come here again */
        *sl_ring_limit(ring, !op) = *sl_ring_index(ring, !op);
    return any;
}

bool sl_ring_moved(struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    if (!sl_ring_is_foreign(ring)) {
        bool any = false;
        for (; serve(ring, !op); any = true)
            op = !op;
        return any;
    }
    sl_barrier_light();
    if (__atomic_load_n(&ring->attention, __ATOMIC_RELAXED))
        sl_pipe_notify(self, ring);
    return false;
}

/* ---- what code with a clock tells ------------------------------------------------------------ */

void sl_ring_set_limits(struct sl_fiber *self, const struct sl_pipe_rounds *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const unsigned op = r->moves[i].site->op;
        *sl_ring_limit(r->moves[i].ring, op) = next_limit(self, r->moves[i].ring, op);
    }
}

/* Of the batches of its last loop. */
static void refresh(struct sl_fiber *self)
{
    const struct sl_pipe_rounds *r = sl_ahead_last(self);
    if (r)
        sl_ring_set_limits(self, r);
}

void sl_ring_told_packet(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site)
{
    struct sl_fiber *self = launch->owner;
    if (!self->ahead) {
        sl_profile_pipe_moved(launch, ring, site);
        return;
    }
    if (sl_ahead_is_behind(self))
        sl_ahead_wait(self);
    sl_ahead_moved(self, ring, site);
    if (sl_ring_parked(ring, !site->op)->first)
        sl_ring_moved(self, ring, site->op);
    if (sl_ahead_is_behind(self))
        sl_ahead_wait(self);
}

void sl_ring_told_noted(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site)
{
    struct sl_fiber *self = launch->owner;
    if (!self->ahead) {
        sl_profile_pipe_moved(launch, ring, site);
        return;
    }
    if (sl_ahead_is_behind(self) && !sl_ahead_has_room(self))
        sl_ahead_wait(self);
    sl_ahead_moved(self, ring, site);
    if (sl_ring_parked(ring, !site->op)->first)
        sl_ring_moved(self, ring, site->op);
    if (sl_ahead_is_behind(self) && !sl_ahead_has_room(self))
        sl_ahead_wait(self);
}

void sl_ring_told_rounds(const struct sl_launch *launch, const struct sl_pipe_rounds *r,
                         uint64_t rounds)
{
    struct sl_fiber *self = launch->owner;
    sl_profile_pipe_rounds(launch, r, rounds);
    if (!self->ahead)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        if (sl_ring_parked(r->moves[i].ring, !r->moves[i].site->op)->first)
            sl_ring_moved(self, r->moves[i].ring, r->moves[i].site->op);
    sl_ring_set_limits(self, r);
}

void sl_ring_told_mark(const struct sl_launch *launch, uint32_t what, uint32_t line,
                       uint32_t column, uint64_t iterations)
{
    if (what != SL_LOOP_BEGINS) {
        sl_clock_mark(launch, what, line, column, iterations);
        return;
    }
    sl_clock_mark(launch, what, line, column, iterations);
    struct sl_fiber *self = launch->owner;
    if (self->ahead)
        refresh(self);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/*
 * Each look at a foreign end slows down the thread there, which has to get its line back. So while
 * packets come one upon the other the looks wait for more of them, a microsecond or two at most.
 * Where few came for that, or late, somebody may be waiting for the answer.
 */
static void learn_patience(struct sl_pipe_ring *ring, uint64_t found, uint32_t failures)
{
    enum { LATE = 2, SHORT = 4, PACE = 16, ENOUGH = 64, MOST = 128 };
    struct sl_ring_state *state = sl_ring_state(ring);
    uint32_t patience = state->patience;
    if (failures > LATE || found <= patience / PACE || (found < 2 && patience >= SHORT))
        patience /= 4;
    else if (found > ring->depth / 2)
        patience /= 2;
    else if (found < ENOUGH)
        patience = patience < MOST / 2 ? 2 * patience + 1 : MOST;
    state->patience = patience;
}

static uint64_t await_foreign(const struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    if (self->failures || self->cluster->ready || self->cluster->visit_until)
        return 0;
    for (uint32_t i = sl_ring_state(ring)->patience; i; i--)
        sl_pause();
    return sl_ring_available(ring, op);
}

/* At the foreign end; true if the operation is possible. */
static bool look(const struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    uint64_t found = sl_ring_available(ring, op);
    if (!found)
        found = await_foreign(self, ring, op);
    if (!found)
        return false;
    sl_ring_state(ring)->seen = *sl_ring_index(ring, op) + found;
    learn_patience(ring, found, self->failures);
    return true;
}

static int32_t refuse(struct sl_fiber *self, struct sl_pipe_ring *ring,
                      const struct sl_pipe_site *site)
{
    self->settled = self->cluster->changes;
    sl_cluster_failed(self, ring, site);
    return -1;
}

/* The peer does the operation. To be called last, and so that it goes straight back into compiled
 * code: with a profile, too, nothing is left to do for the fiber when it goes on. */
static int32_t wait_inside(struct sl_fiber *self, struct sl_pipe_ring *ring,
                           const struct sl_pipe_site *site, void *packet)
{
    const bool timed = self->cluster->machine->profile;
    sl_ahead_settle(self, false);
    self->cluster->parked_ns = self->stalled_since = 0;
    if (timed)
        sl_profile_stalls(self);
    self->stalled_at = timed ? ring : NULL;
    sl_ring_park(self, ring, site, packet);
    return sl_ring_leave(&self->context, sl_profile_next(self));
}

/* 1: possible now; -1: it may not wait. */
static int32_t wait_for_outside(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                const struct sl_pipe_site *site)
{
    if (!site->blocking)
        return refuse(self, ring, site);
    bool timed = self->cluster->machine->profile;
    self->cluster->parked_ns = self->stalled_since = 0;
    if (timed)
        sl_profile_stalls(self);
    do
        wait_outside(self, ring, site);
    while (!sl_ring_available(ring, site->op));
    if (timed)
        sl_profile_waited(self, ring, site, self->cluster->resumed_ns);
    return 1;
}

/* At a foreign end, or one that does not wait. */
static int32_t wait_until_possible(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                   const struct sl_pipe_site *site)
{
    int32_t result = 1;
    if (!sl_ring_is_foreign(ring))
        return sl_ring_available(ring, site->op) ? 1 : refuse(self, ring, site);
    while (result > 0 && !left_of_look(ring, site->op) && !look(self, ring, site->op))
        result = wait_for_outside(self, ring, site);
    return result;
}

/* One that does not wait, as the clock of its kernel has it. */
static int32_t ask(struct sl_fiber *self, struct sl_pipe_ring *ring,
                   const struct sl_pipe_site *site)
{
    if (sl_ask_is_timed(self, ring, site->op))
        return sl_ask_packets(self, ring, site, 1) ? 1 : -1;
    sl_clock_guess(self->clock, SL_CLOCK_NO_PEER);
    sl_clock_ask(self->clock, ring, site, true);
    int32_t result = wait_until_possible(self, ring, site);
    if (result < 0) {
        sl_clock_answered(self->clock, ring, site, true);
        sl_profile_failed(self, ring, site);
    }
    return result;
}

/* `notes`: in code that notes what it does, and goes on before its clock knows of it. */
static inline int32_t go_slow(struct sl_fiber *self, struct sl_pipe_ring *ring,
                              const struct sl_pipe_site *site, void *packet, bool notes)
{
    if (sl_ring_is_cut(ring))
        return sl_cut_ring_slow(self, ring, site, packet);
    if (sl_ring_is_foreign(ring))
        sl_cluster_give_way(self);
    else if (site->blocking && !sl_ring_available(ring, site->op))
        return wait_inside(self, ring, site, packet);
    int32_t result = self->clock && !site->blocking ? ask(self, ring, site)
                                                    : wait_until_possible(self, ring, site);
    if (result <= 0)
        return result;
    if (!operate(self, ring, site, packet))
        return -1;
    self->failures = 0;
    bool more = sl_ring_moved(self, ring, site->op) && !self->cluster->random;
    if (more && !sl_ring_parked(ring, !site->op)->first) /* it need not come here for that */
        *sl_ring_limit(ring, site->op) = next_limit(self, ring, site->op);
    if (self->cluster->random && sl_cluster_draw(self->cluster, 4) == 0)
        sl_cluster_yield(self);
    if (!notes && sl_ahead_is_behind(self))
        sl_ahead_wait(self);
    return 0;
}

int32_t sl_ring_slow_general(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                             const struct sl_pipe_site *site, void *packet)
{
    struct sl_fiber *self = launch->owner;
    if (sl_ahead_is_behind(self))
        sl_ahead_wait(self);
    return go_slow(self, ring, site, packet, false);
}

/* Who is parked has nothing to catch up with. */
int32_t sl_ring_slow_noted(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                           const struct sl_pipe_site *site, void *packet)
{
    struct sl_fiber *self = launch->owner;
    if (sl_ahead_is_behind(self) && !(sl_ahead_has_room(self) && sl_ring_available(ring, site->op)))
        sl_ahead_wait(self);
    return go_slow(self, ring, site, packet, true);
}

void sl_ring_catch_up(const struct sl_launch *launch)
{
    struct sl_fiber *self = launch->owner;
    if (sl_ahead_is_behind(self))
        sl_ahead_wait(self);
}
