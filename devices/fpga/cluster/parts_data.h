/* SPDX-License-Identifier: Apache-2.0 */
/* A divided cluster, for the files that make it up: parts.c (life), parts_load.c (whether to), and
 * parts_move.c (how). */
#ifndef SL_FPGA_PARTS_DATA_H
#define SL_FPGA_PARTS_DATA_H

#include <stdatomic.h>

#include "fpga/cluster/cluster.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/parts.h"

enum { SL_MOST_PARTS = 32 };

/* Fibers under way. One at a time for each way of each part. */
struct sl_parts_message {
    struct sl_news news;
    struct sl_parts *parts; /* its design is held meanwhile */
    uint32_t number;        /* of the part */
    struct sl_fiber *fibers;
};

struct sl_part {
    struct sl_cluster *cluster; /* held; [0]: borrowed, the home */
    bool away;                  /* the home's: its fibers are sent on */
    struct sl_parts_message out, recall, back;
};

struct sl_parts {
    struct sl_design *design; /* borrowed: owns this */
    struct sl_cluster *home;  /* borrowed: the design's */
    uint32_t component;
    atomic_uint made; /* clusters that exist, the home included; never less */
    /* the home's */
    uint32_t count;        /* parts in use, 1: it is whole */
    uint32_t away;         /* of them */
    bool recalled;         /* since it was divided */
    uint32_t *of;          /* owned; by row of a kernel: its part */
    uint64_t *load;        /* owned; the same: its time when it was measured; 0: it was not */
    uint64_t *progress;    /* owned; by row of a pipe: when measuring began */
    struct sl_fiber *held; /* wait for the parts to come back, the oldest first */
    struct sl_news *later; /* the same; taken before held fibers that are `spared` go on */
    bool measures;
    uint32_t turns;                     /* measured */
    uint64_t measured, rest, next_look; /* ns: so far; pause behind a look in vain; until then */
    uint64_t heavy;                     /* ns in long turns, one upon the other */
    /* of all parts' threads */
    _Atomic uint32_t light; /* by part: it had little to do between two packets that crossed */
    atomic_uint *live;      /* owned; by row of a kernel: launches of it that have not ended */
    atomic_bool wished;     /* `wish` is under way: the parts are to be recalled */
    struct sl_parts_message wish;
    struct sl_part part[SL_MOST_PARTS];
};

static inline uint32_t sl_parts_row(const struct sl_parts *parts,
                                    const struct sl_kernel_info *kernel)
{
    return (uint32_t)(kernel - parts->design->info->kernels);
}

/* Both ends are kernels'. */
static inline bool sl_parts_has(const struct sl_parts *parts, const struct sl_pipe_info *pipe)
{
    return !(pipe->flags & SL_PIPE_FOREIGN) && pipe->reader >= 0 && pipe->writer >= 0 &&
           parts->design->info->kernels[pipe->reader].component == parts->component;
}

/* At home, between two fibers. parts->of says how, in `count` parts, whose clusters there are. */
void sl_parts_divide(struct sl_parts *, uint32_t count);
/* At home: what is away is to come back. */
void sl_parts_recall(struct sl_parts *);
/* From any part's thread: the home is to recall them. */
void sl_parts_wish(struct sl_parts *);
/* At home: which stays whole from then on, or waits until it is. */
void sl_parts_hold(struct sl_parts *, struct sl_fiber *);
/* At home, while news wait until it is whole: a fiber that came after them. */
void sl_parts_spare(struct sl_parts *, struct sl_fiber *);
/* At home: to the part where its kernel runs, unless that is here; it waits where that part is to
 * come back. */
void sl_parts_send_on(struct sl_parts *, struct sl_fiber *);
/* So many clusters exist; as many as could be made. */
uint32_t sl_parts_make(struct sl_parts *, uint32_t count);

#endif
