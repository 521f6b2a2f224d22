/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path of pipe operations between kernels, in the fixed order: what a switch costs is
 * decided here. No lock: all that is touched belongs to the thread that runs the cluster.
 */
#include "fpga/ring.h"

#include <stdlib.h>
#include <string.h>

#include "fpga/segments.h"

void sl_ring_init(struct sl_pipe_ring *ring)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    memset(state, 0, sizeof *state);
    if (ring->flags & SL_PIPE_FOREIGN)
        state->special = SL_RING_FOREIGN;
}

void sl_ring_finish(struct sl_pipe_ring *ring)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    for (int op = 0; op < 2; op++)
        sl_segments_destroy(state->reserved[op]);
    free(state->profile);
    memset(state, 0, sizeof *state);
}

void sl_ring_wake(struct sl_cluster *cluster, struct sl_pipe_ring *ring, unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    struct sl_fiber *fiber = state->waiting[!op];
    state->waiting[!op] = NULL;
    cluster->fruitless = 0;
    while (fiber) {
        struct sl_fiber *next = fiber->next;
        fiber->state = SL_FIBER_READY;
        sl_cluster_ready(cluster, fiber);
        fiber = next;
    }
}

static inline void park(struct sl_fiber *self, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, unsigned op)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    self->next = NULL;
    self->ring = ring;
    self->site = site;
    self->state = SL_FIBER_PARKED;
    if (state->waiting[op])
        state->waiting_tail[op]->next = self;
    else
        state->waiting[op] = self;
    state->waiting_tail[op] = self;
    if (op == SL_PIPE_WRITE)
        ring->read_limit = ring->head;
    else
        ring->write_limit = ring->tail;
    sl_cluster_switch(self);
}

void sl_ring_park(struct sl_fiber *self, struct sl_pipe_ring *ring, const struct sl_pipe_site *site,
                  unsigned op)
{
    park(self, ring, site, op);
}

void sl_ring_forget(struct sl_fiber *fiber)
{
    struct sl_ring_state *state = sl_ring_state(fiber->ring);
    unsigned op = fiber->site->op;
    struct sl_fiber *before = NULL, *at = state->waiting[op];
    while (at != fiber) {
        before = at;
        at = at->next;
    }
    *(before ? &before->next : &state->waiting[op]) = fiber->next;
    if (state->waiting_tail[op] == fiber)
        state->waiting_tail[op] = before;
}

static inline void copy_packet(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

static inline unsigned char *slot(const struct sl_pipe_ring *ring, uint64_t index)
{
    return ring->slots + (index & ring->mask) * ring->packet_bytes;
}

/* False: it may not wait. */
static inline bool wait_for(struct sl_fiber *self, struct sl_pipe_ring *ring,
                            const struct sl_pipe_site *site, unsigned op)
{
    if (__builtin_expect(site->blocking, 1)) {
        park(self, ring, site, op);
        return true;
    }
    sl_cluster_failed(self);
    return false;
}

static int32_t write_slow(struct sl_fiber *self, struct sl_pipe_ring *ring,
                          const struct sl_pipe_site *site, const void *packet)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    uint64_t bound;
    while (ring->tail == (bound = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) + ring->depth)) {
        if (!wait_for(self, ring, site, SL_PIPE_WRITE))
            return -1;
        if (__builtin_expect(state->special, 0))
            return sl_ring_slow_general(&self->launch, ring, site, (void *)(uintptr_t)packet);
    }
    uint64_t tail = ring->tail;
    copy_packet(slot(ring, tail), packet, ring->packet_bytes);
    __atomic_store_n(&ring->tail, tail + 1, __ATOMIC_RELEASE);
    ring->write_limit = bound;
    self->failures = 0;
    if (state->waiting[SL_PIPE_READ])
        sl_ring_wake(self->cluster, ring, SL_PIPE_WRITE);
    return 0;
}

static int32_t read_slow(struct sl_fiber *self, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site, void *packet)
{
    struct sl_ring_state *state = sl_ring_state(ring);
    uint64_t bound;
    while (ring->head == (bound = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE))) {
        if (!wait_for(self, ring, site, SL_PIPE_READ))
            return -1;
        if (__builtin_expect(state->special, 0))
            return sl_ring_slow_general(&self->launch, ring, site, packet);
    }
    uint64_t head = ring->head;
    copy_packet(packet, slot(ring, head), ring->packet_bytes);
    __atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
    ring->read_limit = bound;
    self->failures = 0;
    if (state->waiting[SL_PIPE_WRITE])
        sl_ring_wake(self->cluster, ring, SL_PIPE_READ);
    return 0;
}

int32_t sl_ring_slow(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                     const struct sl_pipe_site *site, void *packet)
{
    struct sl_fiber *self = launch->owner;
    self->used_pipes = true;
    if (__builtin_expect(sl_ring_state(ring)->special, 0))
        return sl_ring_slow_general(launch, ring, site, packet);
    return site->op == SL_PIPE_WRITE ? write_slow(self, ring, site, packet)
                                     : read_slow(self, ring, site, packet);
}
