/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long groups of a kernel take whose work-items are on their way one behind the other, as far
 * as that is known before anything runs (docs/timing_model.md). No shared state.
 */
#ifndef SL_KERNELS_TIMING_ITEM_TIMES_H
#define SL_KERNELS_TIMING_ITEM_TIMES_H

#include <stdint.h>
#include <stdio.h>

#include "timing/network.h"
#include "timing/schedule_rows.h"

struct sl_item_facts {
    bool groups;     /* work-items of a group meet */
    uint32_t copies; /* groups that may be on their way at once, in a compute unit */
    uint32_t lanes;  /* work-items side by side */
    uint32_t units;  /* compute units */
    uint64_t size;   /* work-items of a group; 0: not known */
    bool most;       /* that is the most, not what it is */
};

/* The member "items" of a kernel that has such work-items, which has all of its rows. `kernel`: of
 * a network with meetings; NULL: not known. True: all visits are
 * in it, so that a run follows from the number of its work-items. */
bool sl_item_times_print(const struct sl_item_facts *, const struct sl_network_kernel *,
                         const struct sl_schedule_rows *, FILE *);

#endif
