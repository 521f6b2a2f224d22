/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings whose ends are with two parts of a cluster (parts.h), so with two threads. Both limits are
 * the ends' own indices: each operation takes the slow path, which is here. Who has to wait is
 * parked in cluster->outside, and the thread of its part does the operation for it, in the order in
 * which they came. Only operations that wait come here.
 */
#ifndef SL_FPGA_CUT_RING_H
#define SL_FPGA_CUT_RING_H

#include "fpga/cluster/ring_state.h"
#include "sluice/pipe.h"

struct sl_fiber;

/* No fiber runs that can reach the ring. Who is parked there is the caller's to move, from the
 * ring's lists to `outside` and back. */
void sl_cut_ring_begin(struct sl_pipe_ring *);
void sl_cut_ring_end(struct sl_pipe_ring *);
/* Who runs the kernel at that end; by whoever ran it before, or when nobody does. */
void sl_cut_ring_give(struct sl_pipe_ring *, unsigned op, struct sl_cluster *);

/* ---- of the thread that runs the end --------------------------------------------------------- */

/* The operation of a fiber that is parked or running; false: not possible now. */
bool sl_cut_ring_operate(struct sl_fiber *, struct sl_pipe_ring *, unsigned op, void *packet);
/* As sl_runtime.pipe_slow. */
int32_t sl_cut_ring_slow(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                         void *packet);
/* The thread is about to sleep: it is poked when the other end moves. A barrier follows. */
void sl_cut_ring_announce(struct sl_pipe_ring *, unsigned op);

#endif
