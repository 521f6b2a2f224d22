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
    bool endless;   /* of such a loop: for ever */
};

struct sl_flow_kernel {
    struct sl_flow_step *steps; /* owned by the caller */
    uint32_t step_count;
    bool restarts; /* an autorun kernel */
};

struct sl_flow_pipe {
    uint32_t depth;
    bool free[2]; /* by SL_STEP_READ, SL_STEP_WRITE: nobody knows who is there; nobody waits then */
};

struct sl_flow_wait { /* a kernel in the cycle */
    uint32_t kernel, step;
    uint64_t rounds; /* of the loop that may end before, this one included; 0: it surely waits */
};

struct sl_flow_result {
    struct sl_flow_wait *cycle; /* owned; each waits for the next one, the last for the first */
    uint32_t count;             /* 0: no kernels wait for each other */
    uint32_t full;              /* a pipe in the cycle that is full; UINT32_MAX: all are empty */
    uint32_t enough; /* the least depth of it with which they do not wait; 0: none is enough */
};

/* To be finished by free(result->cycle). 0, or -1: no memory. */
int sl_flow_check(const struct sl_flow_kernel *, uint32_t kernels, const struct sl_flow_pipe *,
                  uint32_t pipes, struct sl_flow_result *);

#endif
