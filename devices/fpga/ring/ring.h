/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings beyond the fast path. A fiber that parks on an empty ring leaves the address of its packet
 * and sets the writer's limit to its index: the next write comes here, does the parked operation
 * too and makes the fiber ready; and the other way round. So who is woken never has to look again.
 */
#ifndef SL_FPGA_RING_H
#define SL_FPGA_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/ring_state.h"
#include "sluice/pipe.h"

struct sl_launch;
struct sl_pipe_rounds;

/* sl_runtime.pipe_slow: the fixed order, and the one for seeds and profiles. */
int32_t sl_ring_slow(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                     void *packet);
int32_t sl_ring_slow_general(const struct sl_launch *, struct sl_pipe_ring *,
                             const struct sl_pipe_site *, void *packet);

/* The same of code that notes what it does, and sl_runtime.pipe_catch_up behind it. */
int32_t sl_ring_slow_noted(const struct sl_launch *, struct sl_pipe_ring *,
                           const struct sl_pipe_site *, void *packet);
void sl_ring_catch_up(const struct sl_launch *);
void sl_ring_told_noted(const struct sl_launch *, struct sl_pipe_ring *,
                        const struct sl_pipe_site *);

/* sl_runtime.pipe_moved, .pipe_rounds and .loop_mark with a clock. A kernel ahead of its clock
 * looks there for who is parked, so whoever parks need not stop its fast path. */
void sl_ring_told_packet(const struct sl_launch *, struct sl_pipe_ring *,
                         const struct sl_pipe_site *);
void sl_ring_told_rounds(const struct sl_launch *, const struct sl_pipe_rounds *, uint64_t rounds);
void sl_ring_told_mark(const struct sl_launch *, uint32_t what, uint32_t line, uint32_t column,
                       uint64_t iterations);

/* Where batches like these have to stop, as things stand. */
void sl_ring_set_limits(struct sl_fiber *, const struct sl_pipe_rounds *);

/* ring_await.c: sl_runtime.pipe_await */
void sl_ring_await(const struct sl_launch *, const struct sl_pipe_rounds *, uint64_t most,
                   uint32_t within);

/* claim.c: sl_runtime.pipe_claim; does not come back if another kernel has the end. */
void sl_ring_claim(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *);

/* After reservations of readers changed: what compiled code subtracts from the packets there are.
 */
void sl_ring_note_taken(struct sl_pipe_ring *);
/* Puts the fiber into the ring's list; it then has to stop. */
void sl_ring_park(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                  void *packet);
/* The first of a list, whose operation has been done, becomes ready. */
void sl_ring_unpark(struct sl_fiber *);
/* After an index was published: does what is parked at the other end, true if anything was; tells
 * the host. */
bool sl_ring_moved(struct sl_fiber *self, struct sl_pipe_ring *, unsigned op);

#endif
