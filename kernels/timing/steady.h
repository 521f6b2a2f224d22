/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that do the same with their pipes in each round, with a schedule: how fast they can go in
 * the long run (a synchronous dataflow graph, whose throughput is bounded by its maximum cycle
 * ratio; with such kernels and pipes alone it is exact). Numbers only, no compiler. No shared
 * state.
 */
#ifndef SL_KERNELS_TIMING_STEADY_H
#define SL_KERNELS_TIMING_STEADY_H

#include <stdbool.h>
#include <stdint.h>

struct sl_steady_operation {
    uint32_t pipe;
    bool write;
    uint64_t nominal; /* cycle of the round, if nobody has to wait */
    uint32_t item;    /* the caller's number */
};

struct sl_steady_kernel {
    struct sl_steady_operation *operations; /* owned by the caller; of a round, in their order */
    uint32_t count;                         /* 0: the kernel counts for nothing */
    uint64_t length;                        /* nominal cycles from a round to the next one */
};

struct sl_steady_pipe {
    uint32_t depth;
    int32_t kernels[2]; /* by write; -1: nobody knows who is there, and nobody waits then */
    uint64_t before[2]; /* packets that were moved before the first round */
};

enum sl_steady_reason {
    SL_STEADY_SCHEDULE, /* it comes so many cycles behind the one in front by the schedule */
    SL_STEADY_PACKET,   /* it reads what that has written */
    SL_STEADY_ROOM,     /* it writes where that has read */
    SL_STEADY_END,      /* both are at one end of a pipe */
};

struct sl_steady_step { /* of the critical cycle; `reason`: why it waits for the step before */
    uint32_t kernel, operation;
    enum sl_steady_reason reason;
};

/* Of kernels that pipes join: in so many cycles each can do no more than its rounds. */
struct sl_steady_bound {
    uint64_t cycles;
    const uint64_t *rounds; /* of each kernel; 0: it is not one of these */
    const struct sl_steady_step *steps;
    uint32_t step_count;
};

/* Calls `take` for each group of joined kernels; not for those whose rates do not match, that stand
 * still, or that are too many. 0, or -1: no memory. */
int sl_steady_bounds(const struct sl_steady_kernel *, uint32_t kernels,
                     const struct sl_steady_pipe *, uint32_t pipes,
                     void (*take)(void *data, const struct sl_steady_bound *), void *data);

#endif
