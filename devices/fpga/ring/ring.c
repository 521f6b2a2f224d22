/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow path of pipe operations between kernels, in the fixed order: what a switch costs is
 * decided here. No lock: all that is touched belongs to the thread that runs the cluster.
 */
#include "fpga/ring/ring.h"

#include <string.h>

#include "fpga/clock/clock.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/segments.h"
#include "fpga/ring/ring_leave.h"

/* ---- who is parked --------------------------------------------------------------------------- */

/* Stores to the same line stand together: the processor makes one of them. */
static inline void park(struct sl_fiber *self, struct sl_pipe_ring *ring,
                        const struct sl_pipe_site *site, void *packet, unsigned op)
{
    struct sl_ring_parked *parked = sl_ring_parked(ring, op);
    struct sl_fiber *first = parked->first;
    if (__builtin_expect(first != NULL, 0)) {
        struct sl_fiber *last = first->next ? parked->last : first;
        last->next = self;
        parked->last = self;
    } else {
        parked->first = self;
    }
    *sl_ring_limit(ring, !op) = *sl_ring_index(ring, !op);
    self->next = NULL;
    self->ring = ring;
    self->site = site;
    self->packet = packet;
}

/* The first one becomes ready; who is the first then. */
static inline struct sl_fiber *unpark(struct sl_cluster *cluster, struct sl_ring_parked *parked,
                                      struct sl_fiber *fiber)
{
    struct sl_fiber *behind = fiber->next;
    parked->first = behind;
    fiber->ring = NULL;
    if (__builtin_expect(behind != NULL, 0))
        fiber->next = NULL;
    sl_cluster_append(cluster, fiber);
    return behind;
}

void sl_ring_park(struct sl_fiber *self, struct sl_pipe_ring *ring, const struct sl_pipe_site *site,
                  void *packet)
{
    uint64_t *limit = sl_ring_limit(ring, !site->op), was = *limit;
    park(self, ring, site, packet, site->op);
    const struct sl_clock_ring *times = sl_ring_state(ring)->clock;
    if (self->ahead && !times->noted[!site->op]) /* the peer comes here in any case */
        *limit = was;
}

void sl_ring_unpark(struct sl_fiber *fiber)
{
    unpark(fiber->cluster, sl_ring_parked(fiber->ring, fiber->site->op), fiber);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* What follows is there once for each usual size: a call of memcpy would make all of it save
 * registers. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline void copy_packet(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static inline unsigned char *slot(const struct sl_pipe_ring *ring, uint64_t index, size_t bytes)
{
    return ring->slots + (index & ring->mask) * bytes;
}

static inline void publish(uint64_t *index, uint64_t value)
{
    __atomic_store_n(index, value, __ATOMIC_RELEASE);
}

static inline int32_t succeed(struct sl_fiber *self, const struct sl_pipe_site *site)
{
    if (__builtin_expect(!site->blocking, 0))
        self->failures = 0;
    return 0;
}

static __attribute__((noinline)) int32_t fail(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                              const struct sl_pipe_site *site)
{
    sl_cluster_failed(self, ring, site);
    return -1;
}

static inline int32_t wait_for(struct sl_fiber *self, struct sl_pipe_ring *ring,
                               const struct sl_pipe_site *site, void *packet, unsigned op)
{
    if (__builtin_expect(!site->blocking, 0))
        return fail(self, ring, site);
    park(self, ring, site, packet, op);
    return sl_ring_leave(&self->context, sl_cluster_next(ring->cluster));
}

static ALWAYS_INLINE int32_t write_packet(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                          const struct sl_pipe_site *site, void *packet,
                                          size_t bytes)
{
    struct sl_ring_parked *readers = sl_ring_parked(ring, SL_PIPE_READ);
    struct sl_fiber *reader = readers->first;
    uint64_t tail = ring->tail;
    if (reader) { /* so it is empty: the packet need not go through the ring */
        copy_packet(reader->packet, packet, bytes);
        readers->handed++;
        if (!unpark(ring->cluster, readers, reader))
            ring->write_limit = tail + ring->depth;
        return succeed(self, site);
    }
    uint64_t bound = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) + ring->depth;
    if (tail == bound)
        return wait_for(self, ring, site, packet, SL_PIPE_WRITE);
    copy_packet(slot(ring, tail, bytes), packet, bytes);
    publish(&ring->tail, tail + 1);
    ring->write_limit = bound;
    return succeed(self, site);
}

static ALWAYS_INLINE int32_t read_packet(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                         const struct sl_pipe_site *site, void *packet,
                                         size_t bytes)
{
    struct sl_ring_parked *writers = sl_ring_parked(ring, SL_PIPE_WRITE);
    uint64_t head = ring->head, next = head + 1;
    uint64_t tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
    if (head == tail)
        return wait_for(self, ring, site, packet, SL_PIPE_READ);
    copy_packet(packet, slot(ring, head, bytes), bytes);
    struct sl_fiber *writer = writers->first;
    if (writer) { /* so it was full, and now there is room for one */
        copy_packet(slot(ring, tail, bytes), writer->packet, bytes);
        publish(&ring->tail, ++tail);
        ring->write_limit = tail;
        writer = unpark(ring->cluster, writers, writer);
    }
    publish(&ring->head, next);
    ring->read_limit = writer ? next : tail;
    return succeed(self, site);
}

static ALWAYS_INLINE int32_t move(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                  const struct sl_pipe_site *site, void *packet, size_t bytes)
{
    return site->op == SL_PIPE_WRITE ? write_packet(self, ring, site, packet, bytes)
                                     : read_packet(self, ring, site, packet, bytes);
}

static __attribute__((noinline)) int32_t move_odd(struct sl_fiber *self, struct sl_pipe_ring *ring,
                                                  const struct sl_pipe_site *site, void *packet)
{
    return move(self, ring, site, packet, ring->packet_bytes);
}

int32_t sl_ring_slow(const struct sl_launch *launch, struct sl_pipe_ring *ring,
                     const struct sl_pipe_site *site, void *packet)
{
    struct sl_fiber *self = launch->owner;
    if (__builtin_expect(ring->special, 0))
        return sl_ring_slow_general(launch, ring, site, packet);
    assert(ring->cluster == self->cluster);
    if (__builtin_expect(ring->packet_bytes == 4, 1))
        return move(self, ring, site, packet, 4);
    if (ring->packet_bytes == 8)
        return move(self, ring, site, packet, 8);
    return move_odd(self, ring, site, packet);
}
