/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominal cycles of a run and how much later they really are. A delay holds from the nominal cycle
 * on in which something waited; cycles are asked about in almost any order, but none before the
 * horizon. No shared state.
 */
#ifndef SL_FPGA_CLOCK_TIME_H
#define SL_FPGA_CLOCK_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct sl_clock_delay { /* from this nominal cycle on */
    uint64_t nominal, delay;
};

struct sl_clock_time {
    uint64_t base;                /* the delay at the horizon */
    struct sl_clock_delay *later; /* owned; both numbers rise */
    uint32_t first, count, room;
};

/* Nothing before this cycle will be asked for. */
void sl_clock_time_advance(struct sl_clock_time *, uint64_t nominal);
uint64_t sl_clock_time_delay(const struct sl_clock_time *, uint64_t nominal);
/* What is in that cycle happens no earlier than with this delay. False: no memory. */
bool sl_clock_time_hold(struct sl_clock_time *, uint64_t nominal, uint64_t delay);
void sl_clock_time_finish(struct sl_clock_time *);

#endif
