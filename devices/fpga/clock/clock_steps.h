/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds as in clock_steady.h in which an end of a pipe has several operations, while there is one
 * delay: cycles of an end's operations in rounds that nothing holds up are a pattern, which is the
 * same from each round on. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_STEPS_H
#define SL_FPGA_CLOCK_STEPS_H

#include "fpga/clock/clock_rounds.h"

/* The patterns; steps and interval have been found. */
void sl_clock_steps_prepare(struct sl_clock_moves *);
/* Between rounds, of which so many are known, one at least. How many were done. */
uint64_t sl_clock_steps_go(struct sl_clock_moves *, uint64_t rounds);

#endif
