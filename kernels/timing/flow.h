/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that do the same with their pipes in every iteration, run in the mind: whether they come
 * to wait for each other. Numbers only, no compiler. No shared state.
 */
#ifndef SL_KERNELS_TIMING_FLOW_H
#define SL_KERNELS_TIMING_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum sl_step_kind { SL_STEP_READ, SL_STEP_WRITE, SL_STEP_LOOP, SL_STEP_END };

struct sl_flow_step {
    enum sl_step_kind kind;
    uint32_t pipe;  /* of operations */
    uint64_t trips; /* of loops; 0: nobody knows, but at least one */
    uint64_t most;  /* of such a loop: no more than so many; 0: nobody knows */
    bool endless;   /* of such a loop: for ever */
    bool leads_on;  /* of such a loop: when it ends the kernel goes on */
};

struct sl_flow_kernel {
    struct sl_flow_step *steps; /* owned by the caller */
    uint32_t step_count;
    bool restarts; /* an autorun kernel */
};

enum { SL_FLOW_NOBODY = -1, SL_FLOW_UNKNOWN = -2 };

struct sl_flow_pipe {
    uint32_t depth;
    /* By SL_STEP_READ, SL_STEP_WRITE: the kernel that is there, now or later, or one of these.
     * Where one is not known nobody waits. */
    int32_t kernels[2];
};

struct sl_flow_wait { /* a kernel in the cycle */
    uint32_t kernel, step;
    uint64_t rounds; /* of the loop that may end before, this one included; 0: it surely waits */
    uint32_t loop;   /* the step of that loop, if the kernel goes on behind it; else UINT32_MAX */
};

struct sl_flow_need {
    uint32_t pipe, depth;
};

enum { SL_FLOW_MOST_NEEDS = 8 };

struct sl_flow_result {
    struct sl_flow_wait *cycle; /* owned; each waits for the next one, the last for the first */
    uint32_t count;             /* 0: no kernels wait for each other */
    uint32_t full;              /* a pipe in the cycle that is full; UINT32_MAX: all are empty */
    /* Depths with which nobody waits, `full` first: one less of any is not enough. 0: none are. */
    struct sl_flow_need needs[SL_FLOW_MOST_NEEDS];
    uint32_t need_count;
};

/* To be finished by free(result->cycle). 0, or -1: no memory. */
int sl_flow_check(const struct sl_flow_kernel *, uint32_t kernels, const struct sl_flow_pipe *,
                  uint32_t pipes, struct sl_flow_result *);

#endif
