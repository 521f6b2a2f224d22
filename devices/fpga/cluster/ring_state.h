/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster keeps of a ring beyond what compiled code sees: who is parked there, reservations,
 * who has an end. All of the thread that runs the cluster, but for indices and sl_ring_kernel().
 */
#ifndef SL_FPGA_RING_STATE_H
#define SL_FPGA_RING_STATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/pipe.h"

struct sl_cluster;
struct sl_fiber;
struct sl_clock_ring;
struct sl_segments;
struct sl_shm;

/* sl_pipe_ring.special */
enum sl_ring_special {
    SL_RING_FOREIGN = 1,
    SL_RING_RESERVED = 2, /* << enum sl_pipe_op: there are reservations at that end */
    SL_RING_CUT = 8,      /* its ends are with two parts of a cluster, see cut_ring.h */
};

/* sl_pipe_ring.writers and .readers: in the line of the end that serves them, whose slow path
 * writes it anyway. These and the next are of the thread that runs the cluster. */
struct __attribute__((may_alias)) sl_ring_parked {
    struct sl_fiber *first, *last; /* last: valid while there are two */
    uint64_t handed;               /* packets that went to them past the ring */
};
static_assert(sizeof(struct sl_ring_parked) <= sizeof(((struct sl_pipe_ring *)0)->writers), "");

/* sl_pipe_ring.device */
struct __attribute__((may_alias)) sl_ring_state {
    struct sl_segments *reserved[2]; /* by enum sl_pipe_op; owned; NULL until there was one */
    union {
        /* of foreign rings, at the kernel's end: how far its index may go, by the last look */
        uint64_t seen;
        /* of cut ones: who runs the kernel that reads; ring->cluster has the one that writes */
        struct sl_cluster *reader;
    };
    uint32_t patience;           /* pauses before a look */
    struct sl_clock_ring *clock; /* owned, one block; NULL: no kernel with a clock was here */
    struct sl_shm *shm; /* borrowed: the ring is in shared memory; its foreign index is a copy */
};
static_assert(sizeof(struct sl_ring_state) <= sizeof(((struct sl_pipe_ring *)0)->device), "");

static inline struct sl_ring_parked *sl_ring_parked(struct sl_pipe_ring *ring, unsigned op)
{
    return (struct sl_ring_parked *)(op == SL_PIPE_WRITE ? ring->writers : ring->readers);
}

static inline struct sl_ring_state *sl_ring_state(struct sl_pipe_ring *ring)
{
    return (struct sl_ring_state *)ring->device;
}

/* The index of an end, and where its fast path stops. */
static inline uint64_t *sl_ring_index(struct sl_pipe_ring *ring, unsigned op)
{
    return op == SL_PIPE_WRITE ? &ring->tail : &ring->head;
}

static inline uint64_t *sl_ring_limit(struct sl_pipe_ring *ring, unsigned op)
{
    return op == SL_PIPE_WRITE ? &ring->write_limit : &ring->read_limit;
}

/* Grows whenever a packet moves. */
static inline uint64_t sl_ring_progress(struct sl_pipe_ring *ring)
{
    return __atomic_load_n(&ring->head, __ATOMIC_RELAXED) +
           __atomic_load_n(&ring->tail, __ATOMIC_RELAXED) +
           sl_ring_parked(ring, SL_PIPE_READ)->handed;
}

/* Makes a ring as the compiler or pipe_create() left it ready for use by kernels of the cluster. */
void sl_ring_init(struct sl_pipe_ring *, struct sl_cluster *);
void sl_ring_finish(struct sl_pipe_ring *);

static inline bool sl_ring_is_foreign(struct sl_pipe_ring *ring)
{
    return (ring->special & SL_RING_FOREIGN) != 0;
}

static inline bool sl_ring_is_cut(const struct sl_pipe_ring *ring)
{
    return (ring->special & SL_RING_CUT) != 0;
}

/* Who waits there is in cluster->outside: another thread has the other end. */
static inline bool sl_ring_is_outside(const struct sl_pipe_ring *ring)
{
    return (ring->special & (SL_RING_FOREIGN | SL_RING_CUT)) != 0;
}

/* Of a program's ring: the row of the kernel that has the end, -1: none, or none so far. */
int32_t sl_ring_kernel(const struct sl_pipe_ring *, unsigned op);
/* Of a ring in shared memory, any other is left alone: how far the other process is. */
void sl_ring_refresh(struct sl_pipe_ring *);
/* Packets that can be read or written now by a kernel, reservations respected. */
uint64_t sl_ring_look_available(struct sl_pipe_ring *, unsigned op);
static inline uint64_t sl_ring_available(struct sl_pipe_ring *ring, unsigned op)
{
    if (ring->special)
        return sl_ring_look_available(ring, op);
    return op == SL_PIPE_WRITE ? ring->depth - (ring->tail - ring->head) : ring->tail - ring->head;
}
/* Takes a parked fiber out of its list; nothing if it only waits for its clock (ahead/ahead.h).
 */
void sl_ring_forget(struct sl_fiber *);

#endif
