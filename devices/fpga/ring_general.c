/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path for all that is not an ordinary ring in the fixed order: foreign ends,
 * reservations, seeds, profiles. No lock: of the thread that runs the cluster; the index of a
 * foreign end is read with acquire.
 */
#include <stdlib.h>
#include <string.h>

#include "fpga/hostpipe.h"
#include "fpga/machine.h"
#include "fpga/ring.h"
#include "fpga/segments.h"

static uint64_t *index_of(struct sl_pipe_ring *ring, unsigned op)
{
    return op == SL_PIPE_WRITE ? &ring->tail : &ring->head;
}

static void set_limit(struct sl_pipe_ring *ring, unsigned op, uint64_t limit)
{
    *(op == SL_PIPE_WRITE ? &ring->write_limit : &ring->read_limit) = limit;
}

uint64_t sl_ring_available(struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_ring_state *state = sl_ring_state(ring);
    uint64_t peer = __atomic_load_n(index_of(ring, !op), __ATOMIC_ACQUIRE);
    uint64_t own = sl_segments_end(state->reserved[op], *index_of(ring, op));
    return op == SL_PIPE_WRITE ? ring->depth - (own - peer) : peer - own;
}

void sl_ring_moved(struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    if (state->special & SL_RING_FOREIGN) {
        if (__atomic_load_n(&ring->attention, __ATOMIC_RELAXED))
            sl_pipe_notify(self, ring);
    } else if (state->waiting[!op]) {
        sl_ring_wake(self->cluster, ring, op);
    }
}

/* Parked where the thread of the cluster has to look, or was woken up to look. */
static void park_outside(struct sl_fiber *self, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site)
{
    struct sl_cluster *cluster = self->cluster;
    self->ring = ring;
    self->site = site;
    self->state = SL_FIBER_OUTSIDE;
    self->next = cluster->outside;
    cluster->outside = self;
    sl_cluster_switch(self);
}

/* False: it may not wait. */
static bool wait_for(struct sl_fiber *self, struct sl_pipe_ring *ring,
                     const struct sl_pipe_site *site, unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    if (!site->blocking) {
        sl_cluster_failed(self);
        return false;
    }
    if (state->special & SL_RING_FOREIGN)
        park_outside(self, ring, site);
    else
        sl_ring_park(self, ring, site, op);
    return true;
}

/* Where the fast path has to stop. */
static uint64_t next_limit(struct sl_fiber *self, struct sl_pipe_ring *ring, unsigned op)
{
    const struct sl_ring_state *state = sl_ring_state(ring);
    uint64_t own = *index_of(ring, op), room = sl_ring_available(ring, op);
    if (state->special & (uint32_t)SL_RING_RESERVED << op || state->profile)
        return own;
    if (self->cluster->random && room)
        room = sl_cluster_draw(self->cluster, room < 64 ? (uint32_t)room + 1 : 64);
    return own + room;
}

static void move_packet(struct sl_pipe_ring *ring, unsigned op, uint64_t at, void *packet)
{
    unsigned char *slot = ring->slots + (at & ring->mask) * ring->packet_bytes;
    if (op == SL_PIPE_WRITE)
        memcpy(slot, packet, ring->packet_bytes);
    else
        memcpy(packet, slot, ring->packet_bytes);
}

int32_t sl_ring_slow_general(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                             const struct sl_pipe_site *site, void *packet)
{
    struct sl_fiber *self = launch->owner;
    struct sl_ring_state *state = sl_ring_state(ring);
    unsigned op = site->op;
    self->used_pipes = true;
    while (!sl_ring_available(ring, op)) {
        if (!wait_for(self, ring, site, op))
            return -1;
    }
    self->failures = 0;
    uint64_t *index = index_of(ring, op);
    struct sl_segments *reserved = state->reserved[op];
    uint64_t at = sl_segments_end(reserved, *index);
    move_packet(ring, op, at, packet);
    if (reserved && reserved->used) {
        if (!sl_segments_push(reserved, *index, 1, false))
            return -1;
    } else {
        __atomic_store_n(index, at + 1, __ATOMIC_RELEASE);
    }
    set_limit(ring, op, next_limit(self, ring, op));
    sl_ring_moved(self, ring, op);
    if (self->cluster->random && sl_cluster_draw(self->cluster, 4) == 0)
        sl_cluster_yield(self);
    return 0;
}
