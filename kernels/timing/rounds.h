/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel does with its pipes in each round of the loop around all that it does for long, and
 * in which nominal cycles: the clock of the emulator, in the mind (devices/fpga/profile/clock.h has
 * the rules). No shared state.
 */
#ifndef SL_KERNELS_TIMING_ROUNDS_H
#define SL_KERNELS_TIMING_ROUNDS_H

#include "timing/network.h"
#include "timing/schedule_rows.h"
#include "timing/steady.h"

struct sl_rounds {
    struct sl_steady_operation *operations; /* owned; .item: of the kernel */
    uint32_t count;                         /* 0: nothing is known of its rounds */
    uint64_t length;
    uint32_t line;         /* of the loop, or the kernel's; 0: not known */
    bool pipelined;        /* rounds are iterations II apart */
    uint32_t *before;      /* owned; items of operations in front of the first round, */
    uint32_t before_count; /* as often as they happen */
};

/* To be finished. -1: no memory. */
int sl_rounds_find(struct sl_rounds *, const struct sl_network_kernel *,
                   const struct sl_schedule_rows *);
void sl_rounds_finish(struct sl_rounds *);

#endif
