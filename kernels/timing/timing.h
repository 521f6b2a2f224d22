/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a design: for each loop of each kernel its initiation interval, what limits it,
 * and in which cycle of an iteration which pipe is used. docs/timing_model.md says what the model
 * is. No shared state.
 */
#ifndef SL_KERNELS_TIMING_TIMING_H
#define SL_KERNELS_TIMING_TIMING_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "timing/operators.h"

struct sl_timing_source {    /* the program's own file, not what it includes; borrowed */
    const char *name, *text; /* text: NULL, if nobody could read it */
    size_t bytes;
};

struct sl_timing {
    char *text;         /* owned, as all of these: the schedule as JSON */
    uint64_t *places;   /* of loops that are in it, or part of one that is: line << 32 | column */
    uint32_t *unrolled; /* of each: iterations of the source in one */
    bool *alone;        /* of each: no kernel has two loops there */
    size_t place_count;
    char **tasks; /* owned, names: kernels of one work-item, or whose work-items follow each other,
                     that have loops and can be watched in them by marks alone */
    char **counted; /* owned, names: kernels whose work-items all do the same, as often as the
                       schedule says: without pipes nobody needs to watch them */
    struct sl_timing_telling {
        char *kernel, *text;
    } *telling; /* owned: kernels whose work-items can tell by themselves what they take, and what
                 SL_PIPE_ITEMS_ATTRIBUTE says of them */
    uint32_t task_count, counted_count, telling_count;
    bool items;    /* of some kernel work-items are on their way one behind the other */
    char *error;   /* lines of the log, where LLVM gives up or a latency constraint cannot hold;
                      NULL: the rest is good */
    char *warning; /* what the build should say, lines; NULL: nothing */
};

/* The module is IR for spir64 as the front end made it, its kernels marked; it is copied, and stays
 * as it is. To be finished in any case. */
void sl_timing_describe(struct sl_timing *, LLVMModuleRef, const struct sl_operator_table *,
                        const struct sl_timing_source *);
void sl_timing_finish(struct sl_timing *);

#endif
