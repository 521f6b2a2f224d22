/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings beyond the fast path. A fiber that parks on an empty ring leaves the address of its packet
 * and sets the writer's limit to its index: the next write comes here, does the parked operation
 * too and makes the fiber ready; and the other way round. So who is woken never has to look again.
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
    uint32_t special;                /* enum sl_ring_special */
};
static_assert(sizeof(struct sl_ring_state) <= sizeof(((struct sl_pipe_ring *)0)->device), "");

static inline struct sl_ring_state *sl_ring_state(struct sl_pipe_ring *ring)
{
    return (struct sl_ring_state *)ring->device;
}

/* Makes a ring as the compiler or pipe_create() left it ready for use. */
void sl_ring_init(struct sl_pipe_ring *);
void sl_ring_finish(struct sl_pipe_ring *);

static inline bool sl_ring_is_foreign(struct sl_pipe_ring *ring)
{
    return (sl_ring_state(ring)->special & SL_RING_FOREIGN) != 0;
}

/* sl_runtime.pipe_slow: the fixed order, and the one for seeds and profiles. */
int32_t sl_ring_slow(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                     void *packet);
int32_t sl_ring_slow_general(const struct sl_launch *, struct sl_pipe_ring *,
                             const struct sl_pipe_site *, void *packet);

/* Packets that can be read or written now by a kernel, reservations respected. */
uint64_t sl_ring_available(struct sl_pipe_ring *, unsigned op);
/* Puts the fiber into the ring's list; it then has to stop. */
void sl_ring_park(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                  void *packet);
/* Takes a parked fiber out of it. */
void sl_ring_forget(struct sl_fiber *);
/* After an index was published: does what is parked at the other end; tells the host. */
void sl_ring_moved(struct sl_fiber *self, struct sl_pipe_ring *, unsigned op);

#endif
