/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel does with its pipes in each round of the loop around all that it does for long, and
 * in which nominal cycles: the clock of the emulator, in the mind (devices/fpga/clock/clock.h has
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
    bool groups;           /* of work-items that meet */
    uint32_t *before;      /* owned; items of operations in front of the first round, */
    uint32_t before_count; /* as often as they happen */
};

/* To be finished. -1: no memory. */
int sl_rounds_find(struct sl_rounds *, const struct sl_network_kernel *,
                   const struct sl_schedule_rows *);
void sl_rounds_finish(struct sl_rounds *);

struct sl_item_visit {  /* of a region by a work-item; by lanes of them, where they are side by side
                         */
    uint32_t region;    /* of the schedule; UINT32_MAX: it has none such */
    bool first;         /* of this region */
    uint64_t through;   /* cycles until it is through */
    uint64_t apart;     /* until the next one may begin it */
    uint32_t loop_line; /* of the loop that makes it so; 0: none does */
};

enum sl_item_doubt {
    SL_ITEMS_KNOWN,
    SL_ITEMS_TRIPS,   /* nobody knows how often the loop goes round */
    SL_ITEMS_SOME,    /* it happens in some work-items only */
    SL_ITEMS_PIPES,   /* operations on pipes that do not wait, or happen now and then */
    SL_ITEMS_TANGLED, /* loops without an order, or far too much of anything */
};

struct sl_item_visits {
    struct sl_item_visit *rows; /* owned; in their order */
    uint32_t count, room;
    enum sl_item_doubt doubt; /* else they are not all */
    uint32_t line;            /* of what that is about; 0: not known */
};

/* Regions that each work-item of a kernel goes through whose work-items are on their way one behind
 * the other, if nobody has to wait. The network has meetings. To be finished; -1: no memory. */
int sl_rounds_visits(struct sl_item_visits *, const struct sl_network_kernel *,
                     const struct sl_schedule_rows *);
void sl_rounds_visits_finish(struct sl_item_visits *);

struct sl_item_period { /* in the long run `groups` of them take `cycles` */
    uint64_t cycles, groups;
    uint32_t limit; /* visit to the region that makes it so; UINT32_MAX: groups on their way do */
};
/* Of groups of so many steps, each an item or those side by side, of which by itself one takes
 * `alone` cycles, 2^60 at most; copies: no more on their way at once, 0: no limit. */
struct sl_item_period sl_rounds_period(const struct sl_item_visits *, uint64_t steps,
                                       uint64_t alone, uint32_t copies);

#endif
