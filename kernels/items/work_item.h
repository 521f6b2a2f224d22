/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What work-item code asks about its place, between the pass that lowers OpenCL's builtins and the
 * pass that builds work-groups: calls of placeholder functions "sl.wi.WHAT.DIM" without arguments,
 * free of side effects, so that LLVM's passes merge and move them. "sl.barrier" is the barrier;
 * "sl.split" divides code in the same way, but only the items of a part of a row meet there; and at
 * "sl.pack" those of them that come by, while the others are done.
 */
#ifndef SL_KERNELS_ITEMS_WORK_ITEM_H
#define SL_KERNELS_ITEMS_WORK_ITEM_H

#include "ir/emit.h"

enum sl_wi {
    SL_WI_WORK_DIM, /* i32; all others but the pointers are i64 */
    SL_WI_GLOBAL_SIZE,
    SL_WI_GLOBAL_OFFSET,
    SL_WI_GLOBAL_ID,
    SL_WI_LOCAL_SIZE,
    SL_WI_ENQUEUED_LOCAL_SIZE,
    SL_WI_LOCAL_ID,
    SL_WI_NUM_GROUPS,
    SL_WI_GROUP_ID,
    SL_WI_GLOBAL_LOW, /* i32, of dimension 0: the low half of the id */
    SL_WI_LOCAL_LOW,
    SL_WI_LOCAL_BASE, /* ptr: sl_group.local */
    SL_WI_LAUNCH,     /* ptr: struct sl_launch */
    SL_WI_SUB_GROUP,  /* ptr: what the items of a sub-group share (sub_group.h) */
    SL_WI_SUMS,       /* ptr: the thread's table of sums (atomic_sums.h) */
    SL_WI_TIMES,      /* ptr: sl_group.times */
    SL_WI_LOCAL_END,  /* the rest: ptr, what generic_space.c compares with */
    SL_WI_CONTEXT_BASE,
    SL_WI_CONTEXT_END,
    SL_WI_STACK_LOW,
    SL_WI_STACK_HIGH,
    SL_WI_SUB_GROUP_LANE,  /* i32, of kernels whose sub-groups go in step: the item's id in it, */
    SL_WI_SUB_GROUP_ID,    /* its number, */
    SL_WI_SUB_GROUP_ITEMS, /* and how many there are */
    SL_WI_COUNT,
};

/* A call of the placeholder at the builder's position. */
LLVMValueRef sl_wi_emit(const struct sl_emit *, LLVMModuleRef, enum sl_wi, unsigned dim);
/* One of the item's ids, whole or in part. */
static inline bool sl_wi_is_item(enum sl_wi what)
{
    return what == SL_WI_GLOBAL_ID || what == SL_WI_LOCAL_ID || what == SL_WI_GLOBAL_LOW ||
           what == SL_WI_LOCAL_LOW;
}
/* The same for all items of a sub-group, or counts up in it. */
static inline bool sl_wi_is_of_sub_group(enum sl_wi what)
{
    return what >= SL_WI_SUB_GROUP_LANE && what <= SL_WI_SUB_GROUP_ITEMS;
}
/* True if `value` is a placeholder call. */
bool sl_wi_parse(LLVMValueRef value, enum sl_wi *what, unsigned *dim);

/* Who waits for whom: all items of the group, or those of a sub-group (sub_group.h). */
enum sl_barrier_kind {
    SL_BARRIER_NONE,
    SL_BARRIER_GROUP, /* "sl.barrier" */
    SL_BARRIER_MEET,  /* "sl.meet" */
    SL_BARRIER_STOP,  /* "sl.stop" */
};
LLVMValueRef sl_wi_emit_split(const struct sl_emit *, LLVMModuleRef, enum sl_barrier_kind);
LLVMValueRef sl_wi_emit_barrier(const struct sl_emit *, LLVMModuleRef);
enum sl_barrier_kind sl_wi_barrier_kind(LLVMValueRef value);
/* Any of them. */
bool sl_wi_is_barrier(LLVMValueRef value);
LLVMValueRef sl_wi_emit_inner_split(const struct sl_emit *, LLVMModuleRef);
bool sl_wi_is_inner_split(LLVMValueRef value);
LLVMValueRef sl_wi_emit_compaction(const struct sl_emit *, LLVMModuleRef);
bool sl_wi_is_compaction(LLVMValueRef value);

/* What an instruction's result depends on beside its operands. */
enum sl_source {
    SL_SOURCE_OPERANDS, /* on nothing else */
    SL_SOURCE_ID,       /* which item it is */
    SL_SOURCE_MEMORY,   /* what is in memory at the time */
    SL_SOURCE_CHOICE,   /* when it is computed: any value may be chosen, each time (freeze) */
    SL_SOURCE_CALL,     /* on what a function does that is neither an intrinsic nor a placeholder */
    SL_SOURCE_ITEM,     /* the item alone: its variables, what atomics answer to it */
};
enum sl_source sl_wi_source(LLVMValueRef instruction);

/* Nothing is written between the barriers before and behind the load, which is of local memory
 * (passes/steady_loads.c): it is the same in items that read at one place. For sl_varies_in_...;
 * elsewhere in the kernel it may be something else, so nobody computes it anew. */
void sl_wi_mark_steady(LLVMValueRef load);

/* For sl_uniformity_init: does the instruction as such differ between the items of a group, or
 * between those of a row (dimension 0)? */
bool sl_varies_in_group(LLVMValueRef instruction);
bool sl_varies_in_row(LLVMValueRef instruction);

/* Its items do not ask for anything of their group. */
bool sl_only_global_places(LLVMValueRef kernel);

/* Nothing in it tells which item runs: no id, no answer of an atomic. Such a kernel is meant to be
 * one item, also if it does not say so. */
bool sl_items_do_the_same(LLVMValueRef kernel);

/* Does it call a builtin of which there are versions for several lanes (builtins/rare.h)? */
bool sl_has_lane_versions(LLVMValueRef call);

/* Calls "sl.sum.i32"(ptr table, ptr address, i32 value), or i64, take the place of atomics
 * (groups/atomic_sums.h); or, where all sums are among the first few from one argument on,
 * additions to an array of these. */
#define SL_SUM_PREFIX "sl.sum."

/* i32 f(i32 dimension): which compute unit this is. */
#define SL_COMPUTE_ID "__sl_compute_id"

/* local ulong *f(): room for a value of each item and one more (builtins/work_group/work_group.cl).
 */
#define SL_GROUP_SCRATCH "__sl_group_scratch"

/* generic_space.c: does this builtin want to know where a generic pointer points? */
bool sl_asks_for_space(const char *callee);

/* sub_group_queries.c: is this one of the builtins about sub-groups? */
bool sl_asks_for_sub_group(const char *callee);

/* enqueue_lower.c: does this builtin enqueue kernels, or ask about such, their queues and events?
 */
bool sl_asks_for_children(const char *callee);
/* clk_event_t f(): what CLK_NULL_EVENT stands for. */
#define SL_NULL_EVENT "__sl_null_event"

/* Is this undefined function one that the passes lower? */
bool sl_wi_is_builtin(const char *mangled);

#endif
