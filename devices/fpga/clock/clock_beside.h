/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-items side by side (num_simd_work_items) go through their loops in step: an entry of a loop
 * has as many iterations as the item that has most. They are run one after the other, so each entry
 * is told by the way that led there. Belongs to a run.
 */
#ifndef SL_FPGA_CLOCK_BESIDE_H
#define SL_FPGA_CLOCK_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

struct sl_clock_way { /* of an item into a loop; made anew for those that begin side by side */
    uint64_t key;
    uint64_t iterations; /* the most so far */
    uint64_t turn, item; /* of whom that is; the item that was there last */
};

struct sl_clock_beside {
    struct sl_clock_way *ways; /* owned */
    uint64_t count, room;      /* room: a power of two, or 0 */
    uint64_t turn, item;
};

/* Another item, of the same ones side by side or of others. */
void sl_clock_beside_begin(struct sl_clock_beside *, bool others);
/* The item leaves a loop behind so many iterations. *had: those of the item beside it that had
 * most; UINT64_MAX: none has been there. False: no memory. */
bool sl_clock_beside_leave(struct sl_clock_beside *, uint64_t key, uint64_t iterations,
                           uint64_t *had);
void sl_clock_beside_finish(struct sl_clock_beside *);

#endif
