/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a steady loop (clock_steady.h) whose cycles lie in rows: where all that a loop waits
 * for comes in cycles that are as far apart from each other, so do its own, and are written at
 * once. Each does as many of the rounds as are of its kind, and says how many: 0, if the first is
 * not. Of the thread that runs the cluster.
 */
#ifndef SL_FPGA_CLOCK_ROWS_H
#define SL_FPGA_CLOCK_ROWS_H

#include "fpga/clock/clock_rounds.h"

/* Operations of its end, so many at most, from the next one on whose numbers lie one behind the
 * other in both lists of cycles. */
uint64_t sl_clock_in_a_row(const struct sl_clock_move *, uint64_t most);
/* There is one delay, and what all of them would wait for is over when the first one comes, also
 * the last of it. */
uint64_t sl_clock_go_unhindered(struct sl_clock_moves *, uint64_t rounds);
/* There is one delay, and all that is waited for comes by as much later each time; notes in the
 * moves whether that were many, since it is likely to be so again. */
uint64_t sl_clock_go_in_step(struct sl_clock_moves *, uint64_t rounds);
/* There is one delay, and those that wait do so by as much more each time. */
uint64_t sl_clock_go_in_rows(struct sl_clock_moves *, uint64_t rounds);

#endif
