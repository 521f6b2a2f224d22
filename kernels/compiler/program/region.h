/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dataflow regions: a function or a loop with xcl_dataflow whose calls may run at the same time,
 * each as a process of its own, with the values that they have one after the other. Found and
 * judged here; process_code.h makes the processes. No locks: the module belongs to a build.
 */
#ifndef SL_KERNELS_REGION_H
#define SL_KERNELS_REGION_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler/program/touches.h"

/* On functions, from the front end. */
#define SL_DATAFLOW_ATTRIBUTE "sl-dataflow"
/* The first operand of a row of !sl.loops. */
#define SL_DATAFLOW_LOOP "dataflow"

enum { SL_MOST_PROCESSES = 64 };

/* A variable of the function that several processes, or one and the function, know. */
struct sl_flow_region_variable {
    LLVMValueRef variable; /* alloca */
    bool doubled;          /* begins anew in each round of the loop: two of it are enough for two
                              processes to work in different rounds */
};

struct sl_process {
    LLVMValueRef call, function;
    struct sl_uses uses;
    struct sl_list memory;  /* what it touches; NULL: nobody knows what */
    unsigned char *touches; /* owned; enum sl_touch, of each of those */
    size_t touch_room;
};

struct sl_flow_region {
    LLVMValueRef function;
    LLVMBasicBlockRef header, latch; /* of a loop; NULL: the region is the function */
    struct sl_list blocks;           /* one behind the other; of a loop without the header */
    struct sl_process *processes;    /* owned */
    uint32_t process_count;
    struct sl_flow_region_variable *variables; /* owned */
    uint32_t variable_count;
    /* Of two processes, the one that comes first in the source as the row: the second waits for
     * the first (SL_FLOW_AFTER) and, in a loop, the first does not get ahead of the second by
     * more than two rounds, or by none. */
    unsigned char *order; /* owned; process_count squared, enum sl_flow_region_order */
    LLVMValueRef place;   /* of what keeps it from being one; NULL: nothing does */
    char *reason;         /* owned; the same */
};

enum sl_flow_region_order { SL_FLOW_FREE, SL_FLOW_AFTER_DOUBLED, SL_FLOW_AFTER };

/* Is the loop whose back edge this is a region, and where does it begin? */
bool sl_flow_region_is_loop(LLVMModuleRef, LLVMValueRef jump);

/* Looks at a function, or a loop by the jump back (NULL: the function). `kernel`: who runs it. */
void sl_flow_region_judge(struct sl_flow_region *, LLVMValueRef kernel, LLVMValueRef function,
                          LLVMValueRef jump);
enum sl_flow_region_order sl_flow_region_order_of(const struct sl_flow_region *, uint32_t first,
                                                  uint32_t second);
void sl_flow_region_finish(struct sl_flow_region *);

#endif
