/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that do not wait, and questions for packets, of kernels with a clock (clock.h): what
 * they see depends on the cycle in which they come, not on how far the emulator has run others. The
 * fiber lets others run until it is known what happens before that cycle. If all others are far
 * past it or cannot go on without an answer, nothing happens before the earliest cycle that is
 * asked for, and that question is answered. All of the thread that runs the cluster.
 */
#ifndef SL_FPGA_ASK_H
#define SL_FPGA_ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/pipe.h"

struct sl_cluster;
struct sl_fiber;
struct sl_launch;

/* Its answers come from its clock. */
bool sl_ask_is_timed(const struct sl_fiber *, struct sl_pipe_ring *, unsigned op);
/* Can so many packets be moved at the end of `site`? If so the caller moves or reserves them at
 * once, else the operation has failed. */
bool sl_ask_packets(struct sl_fiber *, struct sl_pipe_ring *, const struct sl_pipe_site *,
                    uint32_t packets);
/* sl_runtime.pipe_fill */
uint32_t sl_ask_fill(const struct sl_launch *, struct sl_pipe_ring *, const struct sl_pipe_site *);

#endif
