/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-items as in clock_items.c that all do the same, as often as the schedule says: the cycles of
 * a run follow from their number, and their code tells nothing of where it is. Or they do not meet,
 * and have told what they take when they were through. No shared state.
 */
#ifndef SL_FPGA_CLOCK_COUNTED_H
#define SL_FPGA_CLOCK_COUNTED_H

#include <stddef.h>

#include "fpga/clock/clock_schedule.h"

/* When the last of so many work-items in each dimension, in groups of so many, is through, and how
 * many steps that were: an item each, or those side by side. False: no memory. */
bool sl_clock_counted(const struct sl_clock_kernel *, const size_t items[3], const size_t group[3],
                      uint64_t *cycles, uint64_t *steps);

struct sl_clock_group { /* of work-items that do not meet: all that one of them begins at once */
    uint64_t through;   /* until all are through */
    uint64_t apart;     /* until the next one may begin; 0: there are no items */
};
/* When the last of these groups is through, by the schedule's compute units. False: no memory. */
bool sl_clock_heard(const struct sl_clock_kernel *, const struct sl_clock_group *, uint64_t count,
                    uint64_t *cycles);

#endif
