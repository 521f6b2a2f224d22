/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel does with pipes, in order: operations, and the loops around them. Works on a module
 * that sl_llvm_simplify_loops has made, or with loops as the front end makes them. Stateless; a
 * module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_PIPE_FLOW_H
#define SL_KERNELS_LLVM_PIPE_FLOW_H

#include "llvm/loops/counts/loop_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sl_flow_kind {
    SL_FLOW_OPERATION,
    SL_FLOW_LOOP,
    SL_FLOW_END_OF_LOOP,
    SL_FLOW_MEETING /* of work-items; only for who asks */
};

struct sl_flow_item {
    enum sl_flow_kind kind;
    bool always;           /* once in each iteration of what is around it */
    bool guarded;          /* a loop that is so if it has iterations at all */
    uint64_t trips;        /* of a loop, if that is a constant; else 0 */
    uint64_t most;         /* of a loop: it surely has no more; 0: nobody knows */
    bool endless;          /* a loop that nothing leaves */
    uint32_t line, column; /* of a loop's begin, as of sl_loop_body */
    LLVMValueRef call;     /* of an operation, or a meeting */
    struct sl_pipe_end end;
};

/* Calls `take` for each item in the order of the code; what is in a loop stands between it and its
 * end. False: the kernel has loops without order. */
bool sl_llvm_visit_pipes(LLVMValueRef function,
                         bool (*is_pipe_operation)(const char *callee, bool *write),
                         void (*take)(void *data, const struct sl_flow_item *), void *data);
/* The same, with the places where work-items meet. */
bool sl_llvm_visit_flow(LLVMValueRef function,
                        bool (*is_pipe_operation)(const char *callee, bool *write),
                        bool (*meets)(const char *callee),
                        void (*take)(void *data, const struct sl_flow_item *), void *data);

#ifdef __cplusplus
}
#endif
#endif
