/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast kernels that pipes join can be at best: those that do the same with their pipes in each
 * round of a loop, by the schedule (docs/timing.md). No shared state.
 */
#ifndef SL_KERNELS_TIMING_THROUGHPUT_H
#define SL_KERNELS_TIMING_THROUGHPUT_H

#include <stdio.h>

#include "timing/network.h"
#include "timing/schedule_rows.h"

/* Writes an array of bounds as JSON, which may be empty. The network was read before loops were
 * merged. `stuck`: by kernel, those that come to stand still have none; NULL: there are none. */
void sl_throughput_print(const struct sl_network *, const struct sl_schedule_rows *,
                         const bool *stuck, FILE *);

#endif
