/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrences of a loop: cycles of its dependences. No shared state. */
#ifndef SL_KERNELS_TIMING_RECURRENCE_H
#define SL_KERNELS_TIMING_RECURRENCE_H

#include "timing/modulo_schedule.h"

/* The interval that recurrences allow, and the one that sets it. 0, or -1: there is one within an
 * iteration, or memory is out. */
int sl_find_recurrences(const struct sl_loop_graph *, struct sl_loop_schedule *);

/* Earliest starts with this interval, one per operation, with unlimited resources. Only for
 * intervals of at least RecMII. */
void sl_earliest_starts(const struct sl_loop_graph *, uint32_t interval, int64_t *starts);

/* How many cycles lie between the start of an operation and the last one that waits for it. */
void sl_heights(const struct sl_loop_graph *, uint32_t interval, int64_t *heights);

#endif
