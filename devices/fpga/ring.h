/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings beyond the fast path: who is parked, when an operation is possible, whom it wakes. A fiber
 * that parks on an empty ring sets the writer's limit to its index, so that the next write comes
 * here and wakes it; and the other way round.
 */
#ifndef SL_FPGA_RING_H
#define SL_FPGA_RING_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster.h"
#include "fpga/fiber.h"
#include "sluice/pipe.h"

struct sl_segments;
struct sl_ring_profile;

/* Why an operation needs the long way. */
enum sl_ring_special {
    SL_RING_FOREIGN = 1,
    SL_RING_RESERVED = 2, /* << enum sl_pipe_op: there are reservations at that end */
};

/* sl_pipe_ring.device; of the thread that runs the cluster. */
struct __attribute__((may_alias)) sl_ring_state {
    struct sl_fiber *waiting[2],
        *waiting_tail[2];            /* by enum sl_pipe_op; tail: of a list not empty */
    struct sl_segments *reserved[2]; /* owned; NULL until there was a reservation */
    struct sl_ring_profile *profile; /* owned; NULL: not profiled */
    uint32_t special;                /* enum sl_ring_special */
};
static_assert(sizeof(struct sl_ring_state) == sizeof(((struct sl_pipe_ring *)0)->device), "");

static inline struct sl_ring_state *sl_ring_state(struct sl_pipe_ring *ring)
{
    return (struct sl_ring_state *)ring->device;
}

/* Makes a ring as the compiler or pipe_create() left it ready for use. */
void sl_ring_init(struct sl_pipe_ring *);
void sl_ring_finish(struct sl_pipe_ring *);

/* sl_runtime.pipe_slow: the fixed order, and the one for seeds and profiles. */
int32_t sl_ring_slow(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                     void *packet);
int32_t sl_ring_slow_general(const struct sl_launch *, struct sl_pipe_ring *,
                             const struct sl_pipe_site *, void *packet);

/* Packets that can be read or written now by a kernel, reservations respected. */
uint64_t sl_ring_available(struct sl_pipe_ring *, unsigned op);
/* Parks the calling fiber until the peer has moved; another may have been faster then. */
void sl_ring_park(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                  unsigned op);
/* After an index was published: wakes the other end, kernel or host. */
void sl_ring_moved(struct sl_fiber *self, struct sl_pipe_ring *, unsigned op);
/* An operation of that kind has moved an index: whoever waits at the other end may go on. */
void sl_ring_wake(struct sl_cluster *, struct sl_pipe_ring *, unsigned op);
/* Takes a parked fiber out of the ring's list. */
void sl_ring_forget(struct sl_fiber *);

#endif
