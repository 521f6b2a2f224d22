/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of a steady loop (clock_steady.h) with one delay, whatever they wait for: one after the
 * other, with all their cycles at hand. Of the thread that runs the cluster. */
#ifndef SL_FPGA_CLOCK_LANES_H
#define SL_FPGA_CLOCK_LANES_H

#include "fpga/clock/clock_rounds.h"

/* How many were done, so many at most and one at least; a round that was begun is ended. */
uint64_t sl_clock_go_in_lanes(struct sl_clock_moves *, uint64_t rounds);

#endif
