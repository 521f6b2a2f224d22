/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One loop body on its way to a schedule: latencies and ports for its operations, what pragmas ask
 * for, and the words for what limits it. No shared state.
 */
#ifndef SL_KERNELS_TIMING_LOOP_H
#define SL_KERNELS_TIMING_LOOP_H

#include <stdio.h>

#include "timing/latency.h"
#include "timing/modulo_schedule.h"
#include "timing/operators.h"
#include "timing/pragmas.h"
#include "llvm/loops/counts/loop_graph.h"

struct sl_loop_timing {
    struct sl_loop_graph graph; /* its arrays are owned here, as follows */
    struct sl_loop_operation *operations;
    struct sl_loop_dependence *dependences; /* of the edges, then of latency constraints */
    struct sl_latency_bound *bounds;        /* constraints that hold */
    uint32_t bound_count;
    enum sl_operator *kinds; /* of operations */
    uint32_t *ports, *uses;
    LLVMValueRef *memories; /* of resources; NULL: global memory, whose ports are bytes */
    uint32_t global_bytes;  /* of an iteration, on the way that has most, of all lanes */
    uint32_t lanes;         /* work-items side by side */
    struct sl_loop_schedule schedule;
    uint32_t interval;   /* with what pragmas ask for */
    const char *limit;   /* "recurrence", "resource", "pragma", "order", "table" or "none" */
    const char *pragma;  /* that sets the interval, or NULL */
    uint32_t speculated; /* iterations that run behind the last one, for nothing */
    uint32_t merged;     /* loops inside that are one with it */
    bool interleaved;    /* the next iteration is another work-item's */
    uint32_t last_exit;  /* of body->exits, the operation that is done last */
};

/* 0, or -1: the loop has no schedule. What keeps latency constraints from holding goes to the text,
 * a line each. To be finished in any case. */
int sl_loop_time(struct sl_loop_timing *, const struct sl_loop_body *,
                 const struct sl_operator_table *, const struct sl_loop_wishes *, FILE *broken);
/* In a loop of a kernel whose work-items are on their way at the same time these take turns: the
 * next iteration of each begins when the one before is through, and others fill the cycles between.
 */
void sl_loop_interleave(struct sl_loop_timing *, const struct sl_loop_wishes *);
void sl_loop_finish(struct sl_loop_timing *);

/* What a load or store moves. */
uint32_t sl_moved_bytes(LLVMValueRef access);

/* "II 4: float add at line 41, distance 1" */
void sl_loop_explain(const struct sl_loop_timing *, const struct sl_loop_body *, FILE *);

/* "c", "grid[2][3]", "grid" where the element is not known. */
void sl_pipe_end_name(const struct sl_pipe_end *, FILE *);

#endif
