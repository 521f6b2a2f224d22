/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring whose ends any number of threads use at once. head and tail count the packets that readers
 * and writers have claimed; a claim is one compare-and-swap. What has become of a claimed packet
 * stands in its slot's mark. Of packet i it is
 *
 *     i              the slot waits for it
 *     i + 1          it is there
 *     i + slots      it was read: the slot waits for packet i + slots
 *
 * A reader claims packets that are there, a writer slots from which the packet `depth` places back
 * was read. So nobody waits for another's copy, the pipe holds exactly `depth` packets, and packets
 * come out in the order of their claims: one that is claimed and not written yet, as those of a
 * reservation, keeps those behind it back. A reservation is a claim of several packets. Marks are
 * kept less the number of their slot, so that a new ring's are zeros, which cost no memory yet.
 *
 * What one thread does to a slot happens before the next one's turn: a mark is stored with release
 * and read with acquire, by who claims or by who claimed before at the same end, and claims at an
 * end are a chain of acquire-release operations.
 */
#include "common/kernel/shared_pipe.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/values.h"
#include "common/base/zeroed.h"

struct __attribute__((may_alias)) shared_ring { /* what sl_pipe_ring.device is here */
    uint64_t *marks;                            /* owned; one per slot */
    uint64_t open;                              /* packets that are reserved for writing */
};
static_assert(sizeof(struct shared_ring) <= sizeof((struct sl_pipe_ring *)NULL)->device,
              "fits into what is the device's");

static struct shared_ring *shared(struct sl_pipe_ring *ring)
{
    return (struct shared_ring *)(void *)ring->device;
}

static uint64_t *mark_of(struct sl_pipe_ring *ring, uint64_t packet)
{
    return &shared(ring)->marks[packet & ring->mask];
}

static unsigned char *slot_of(const struct sl_pipe_ring *ring, uint64_t packet)
{
    return ring->slots + (packet & ring->mask) * ring->packet_bytes;
}

static uint64_t *end_of(struct sl_pipe_ring *ring, uint32_t op)
{
    return op == SL_PIPE_READ ? &ring->head : &ring->tail;
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* How the mark compares with the one that a claim of this packet needs: 0: it may be claimed,
 * below: not yet, above: it has been. */
static int64_t compare_mark(struct sl_pipe_ring *ring, uint32_t op, uint64_t packet)
{
    uint64_t before = op == SL_PIPE_READ ? packet : packet - ring->depth;
    uint64_t slot = before & ring->mask;
    uint64_t wanted = before - slot + (op == SL_PIPE_READ ? 1 : ring->mask + 1);
    return (int64_t)(__atomic_load_n(&shared(ring)->marks[slot], __ATOMIC_ACQUIRE) - wanted);
}

static int64_t compare_marks(struct sl_pipe_ring *ring, uint32_t op, uint64_t first, uint32_t count)
{
    int64_t order = 0;
    for (uint32_t i = 0; i < count && !order; i++)
        order = compare_mark(ring, op, first + i);
    return order;
}

static bool claim(struct sl_pipe_ring *ring, uint32_t op, uint32_t count, uint64_t *first)
{
    uint64_t *end = end_of(ring, op), at = __atomic_load_n(end, __ATOMIC_ACQUIRE);
    for (;;) {
        int64_t order = compare_marks(ring, op, at, count);
        if (order < 0)
            return false;
        if (order > 0)
            at = __atomic_load_n(end, __ATOMIC_ACQUIRE);
        else if (__atomic_compare_exchange_n(end, &at, at + count, true, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE))
            break;
    }
    *first = at;
    return true;
}

/* The packet is there, or was read. */
static void settle(struct sl_pipe_ring *ring, uint32_t op, uint64_t packet)
{
    uint64_t lap = packet - (packet & ring->mask);
    __atomic_store_n(mark_of(ring, packet), lap + (op == SL_PIPE_READ ? ring->mask + 1 : 1),
                     __ATOMIC_RELEASE);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void copy(void *to, const void *from, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    case 16:
        memcpy(to, from, 16);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

static void move(struct sl_pipe_ring *ring, uint32_t op, uint64_t number, void *packet)
{
    if (op == SL_PIPE_READ)
        copy(packet, slot_of(ring, number), ring->packet_bytes);
    else
        copy(slot_of(ring, number), packet, ring->packet_bytes);
}

int32_t sl_shared_move(struct sl_pipe_ring *ring, uint32_t op, void *packet)
{
    uint64_t number;
    if (!claim(ring, op, 1, &number))
        return -1;
    move(ring, op, number, packet);
    settle(ring, op, number);
    return 0;
}

/* Packets behind one that is reserved and not there yet cannot be read. */
static uint32_t count_readable(struct sl_pipe_ring *ring, uint64_t from, uint64_t most)
{
    uint64_t count = 0;
    while (count < most && !compare_mark(ring, SL_PIPE_READ, from + count))
        count++;
    return (uint32_t)count;
}

uint32_t sl_shared_fill(struct sl_pipe_ring *ring)
{
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    uint64_t count = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) - head;
    if (count > ring->depth) /* others have read meanwhile */
        count = ring->depth;
    if (__atomic_load_n(&shared(ring)->open, __ATOMIC_ACQUIRE))
        return count_readable(ring, head, count);
    return (uint32_t)count;
}

/* ---- reservations ---------------------------------------------------------------------------- */

/* The low half of the first packet's number, and the count: never 0. */
static uint64_t make_id(uint64_t first, uint32_t count)
{
    return first << 32 | count;
}

/* An end is never farther ahead of an open reservation than the ring is deep. */
static uint64_t first_of(struct sl_pipe_ring *ring, uint32_t op, uint64_t id)
{
    uint64_t end = __atomic_load_n(end_of(ring, op), __ATOMIC_RELAXED);
    return end - (uint32_t)((uint32_t)end - (uint32_t)(id >> 32));
}

uint64_t sl_shared_reserve(struct sl_pipe_ring *ring, uint32_t op, uint32_t count)
{
    uint64_t first;
    if (!count || count > ring->depth || !claim(ring, op, count, &first))
        return 0;
    if (op == SL_PIPE_WRITE)
        __atomic_fetch_add(&shared(ring)->open, count, __ATOMIC_RELEASE);
    return make_id(first, count);
}

int32_t sl_shared_move_at(struct sl_pipe_ring *ring, uint32_t op, uint64_t id, uint32_t index,
                          void *packet)
{
    if (index >= (uint32_t)id)
        return -1;
    move(ring, op, first_of(ring, op, id) + index, packet);
    return 0;
}

/* Claimed, and not settled yet. */
static bool is_open(struct sl_pipe_ring *ring, uint32_t op, uint64_t packet)
{
    uint64_t lap = packet - (packet & ring->mask);
    return __atomic_load_n(mark_of(ring, packet), __ATOMIC_RELAXED) ==
           lap + (op == SL_PIPE_READ ? 1 : 0);
}

void sl_shared_commit(struct sl_pipe_ring *ring, uint32_t op, uint64_t id)
{
    uint32_t count = (uint32_t)id;
    uint64_t first = first_of(ring, op, id);
    if (!count || count > ring->depth || !is_open(ring, op, first))
        return;
    for (uint32_t i = 0; i < count; i++)
        settle(ring, op, first + i);
    if (op == SL_PIPE_WRITE)
        __atomic_fetch_sub(&shared(ring)->open, count, __ATOMIC_RELEASE);
}

/* ---- the device's calls ---------------------------------------------------------------------- */

struct sl_pipe {
    struct sl_pipe_ring ring;
    void *slots; /* owned: its slots are there */
};

/* Two at least: with one the marks of a packet that is there and of one that was read would be the
 * same. */
static uint64_t count_slots(const struct sl_pipe_desc *desc)
{
    uint64_t slots = 2;
    while (slots < desc->max_packets)
        slots *= 2;
    return slots;
}

int sl_shared_pipe_create(struct sl_device *device, const struct sl_pipe_desc *desc,
                          struct sl_pipe **out)
{
    uint64_t slots = count_slots(desc), bytes = slots * desc->packet_bytes;
    if (bytes > device->caps.max_alloc_bytes || desc->host_reads || desc->host_writes)
        return SL_OUT_OF_RESOURCES;
    struct sl_pipe *pipe = aligned_alloc(64, sizeof *pipe);
    if (!pipe)
        return SL_OUT_OF_RESOURCES;
    memset(pipe, 0, sizeof *pipe);
    pipe->ring.slots = sl_zeroed_alloc(64, bytes, &pipe->slots);
    pipe->ring.mask = slots - 1;
    pipe->ring.packet_bytes = desc->packet_bytes;
    pipe->ring.depth = desc->max_packets;
    pipe->ring.flags = SL_PIPE_ARGUMENT;
    shared(&pipe->ring)->marks = calloc(slots, sizeof(uint64_t));
    if (!pipe->ring.slots || !shared(&pipe->ring)->marks) {
        sl_shared_pipe_destroy(pipe);
        return SL_OUT_OF_RESOURCES;
    }
    *out = pipe;
    return 0;
}

void sl_shared_pipe_destroy(struct sl_pipe *pipe)
{
    if (!pipe)
        return;
    free(pipe->slots);
    free(shared(&pipe->ring)->marks);
    free(pipe);
}

struct sl_pipe_ring *sl_shared_pipe_ring(struct sl_pipe *pipe)
{
    return &pipe->ring;
}

int sl_shared_pipe_pass(struct sl_pipe *pipe, bool write, void *packet)
{
    return sl_shared_move(&pipe->ring, write ? SL_PIPE_WRITE : SL_PIPE_READ, packet)
               ? SL_PIPE_WOULD_WAIT
               : 0;
}
