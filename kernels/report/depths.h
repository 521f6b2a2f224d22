/* SPDX-License-Identifier: Apache-2.0 */
/* The least depths of a design's pipes, by replays of a trace. No shared state. */
#ifndef SL_KERNELS_REPORT_DEPTHS_H
#define SL_KERNELS_REPORT_DEPTHS_H

#include "report/replay.h"

enum sl_depth_kind {
    SL_DEPTH_FREE,
    SL_DEPTH_KEPT,    /* nobody knows: it is what it was in the run */
    SL_DEPTH_BOUNDED, /* operations do not wait: what held all packets of the run, with one to spare
                       */
};

struct sl_depth_pipe {
    enum sl_depth_kind kind;
    uint32_t own;   /* in the run, at least 1 */
    uint32_t most;  /* packets that it had in the run */
    uint32_t bytes; /* of a packet */
};

struct sl_depths_point { /* with these depths the run takes so long, with one less of any longer */
    uint32_t *depths;    /* owned */
    uint64_t cycles, bytes; /* bytes: of all pipes that are not kept */
};

enum { SL_DEPTHS_POINTS = 6 };

struct sl_depths {
    uint64_t own_cycles; /* with the depths of the run; UINT64_MAX: not known */
    /* From the fastest, which is as fast as with pipes without end, to the smallest, with which no
     * kernel waits for ever; each one smaller and slower than the one in front of it. */
    struct sl_depths_point points[SL_DEPTHS_POINTS];
    uint32_t count;
    uint64_t tries; /* depths that were tried */
};

/* 0, or -1 with the reason in *why: the trace does not run with `most`, or memory is out. To be
 * finished in any case. */
int sl_depths_find(struct sl_depths *, const struct sl_replay_trace *, const struct sl_depth_pipe *,
                   const char **why);
void sl_depths_finish(struct sl_depths *);

static inline const struct sl_depths_point *sl_depths_fastest(const struct sl_depths *depths)
{
    return &depths->points[0];
}

static inline const struct sl_depths_point *sl_depths_smallest(const struct sl_depths *depths)
{
    return &depths->points[depths->count - 1];
}

#endif
