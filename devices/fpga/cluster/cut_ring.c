/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One producer, one consumer: each end's thread writes its own index, by release, and reads the
 * other one's by acquire when what it saw of it last is used up. ring->attention has a bit for each
 * end whose thread sleeps. No lock.
 */
#include "fpga/cluster/cut_ring.h"

#include <string.h>

#include "fpga/base/barrier.h"
#include "fpga/cluster/cluster.h"

typedef uint64_t __attribute__((may_alias)) sl_word;

/* How far an index may go, by the last look: in the end's own line, behind who is parked. */
static sl_word *seen_of(struct sl_pipe_ring *ring, unsigned op)
{
    enum { FREE = sizeof(struct sl_ring_parked) / sizeof(void *) };
    return (sl_word *)(op == SL_PIPE_WRITE ? &ring->readers[FREE] : &ring->writers[FREE]);
}

static struct sl_cluster *cluster_of(struct sl_pipe_ring *ring, unsigned op)
{
    return op == SL_PIPE_WRITE ? __atomic_load_n(&ring->cluster, __ATOMIC_RELAXED)
                               : __atomic_load_n(&sl_ring_state(ring)->reader, __ATOMIC_RELAXED);
}

void sl_cut_ring_give(struct sl_pipe_ring *ring, unsigned op, struct sl_cluster *cluster)
{
    if (op == SL_PIPE_WRITE)
        __atomic_store_n(&ring->cluster, (void *)cluster, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&sl_ring_state(ring)->reader, cluster, __ATOMIC_RELAXED);
}

static void close_fast_path(struct sl_pipe_ring *ring)
{
    ring->read_limit = ring->head;
    ring->write_limit = ring->tail;
}

void sl_cut_ring_begin(struct sl_pipe_ring *ring)
{
    close_fast_path(ring);
    *seen_of(ring, SL_PIPE_READ) = ring->head;
    *seen_of(ring, SL_PIPE_WRITE) = ring->tail;
    __atomic_store_n(&ring->attention, 0, __ATOMIC_RELAXED);
    ring->special |= SL_RING_CUT;
}

void sl_cut_ring_end(struct sl_pipe_ring *ring)
{
    close_fast_path(ring);
    __atomic_store_n(&ring->attention, 0, __ATOMIC_RELAXED);
    sl_ring_state(ring)->seen = 0;
    ring->special &= ~(uint32_t)SL_RING_CUT;
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool is_possible(struct sl_pipe_ring *ring, unsigned op)
{
    uint64_t own = *sl_ring_index(ring, op);
    sl_word *seen = seen_of(ring, op);
    if (own != *seen)
        return true;
    uint64_t peer = __atomic_load_n(sl_ring_index(ring, !op), __ATOMIC_ACQUIRE);
    *seen = op == SL_PIPE_WRITE ? peer + ring->depth : peer;
    return own != *seen;
}

static void wake_peer(struct sl_pipe_ring *ring, unsigned op)
{
    uint32_t bit = 1u << !op;
    if (__atomic_fetch_and(&ring->attention, ~bit, __ATOMIC_ACQ_REL) & bit)
        sl_cluster_poke_one(cluster_of(ring, !op));
}

bool sl_cut_ring_operate(struct sl_fiber *fiber, struct sl_pipe_ring *ring, unsigned op,
                         void *packet)
{
    if (!is_possible(ring, op))
        return false;
    uint64_t *index = sl_ring_index(ring, op), at = *index;
    unsigned char *slot = ring->slots + (at & ring->mask) * ring->packet_bytes;
    if (op == SL_PIPE_WRITE)
        memcpy(slot, packet, ring->packet_bytes);
    else
        memcpy(packet, slot, ring->packet_bytes);
    __atomic_store_n(index, at + 1, __ATOMIC_RELEASE);
    *sl_ring_limit(ring, op) = at + 1;
    fiber->cluster->load.crossed++;
    sl_barrier_light();
    if (__builtin_expect(__atomic_load_n(&ring->attention, __ATOMIC_RELAXED) & 1u << !op, 0))
        wake_peer(ring, op);
    return true;
}

/* Another instance of the kernel waits there: it was first. */
static bool is_awaited(const struct sl_cluster *cluster, const struct sl_pipe_ring *ring,
                       unsigned op)
{
    const struct sl_fiber *at = cluster->outside;
    while (at && (at->ring != ring || at->site->op != op))
        at = at->next;
    return at != NULL;
}

int32_t sl_cut_ring_slow(struct sl_fiber *self, struct sl_pipe_ring *ring,
                         const struct sl_pipe_site *site, void *packet)
{
    struct sl_cluster *cluster = self->cluster;
    unsigned op = site->op;
    if (!is_awaited(cluster, ring, op) && sl_cut_ring_operate(self, ring, op, packet))
        return 0;
    self->ring = ring;
    self->site = site;
    self->packet = packet;
    sl_cluster_wait_outside(cluster, self);
    sl_cluster_switch(self);
    return 0;
}

void sl_cut_ring_announce(struct sl_pipe_ring *ring, unsigned op)
{
    __atomic_fetch_or(&ring->attention, 1u << op, __ATOMIC_SEQ_CST);
}
