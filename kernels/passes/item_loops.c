/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops over the work-items of a group.
 *
 * Ids are size_t, but most kernels narrow them to int or uint. LLVM's vectoriser needs to see that
 * the narrowed id does not wrap inside the loop, or else it guards the loop with a check and keeps
 * a scalar copy. So the innermost loop counts the low 32 bits of the global id and never crosses a
 * multiple of 2^31, which an outer loop over segments sees to; the high bits do not change
 * inside. That loop runs once for all but gigantic launches.
 *
 * No shared state.
 */
#include "passes/group_function.h"
#include "passes/parallel_access.h"

#include "compiler/shim/pass_support.h"
#include <string.h>

#define SEGMENT (UINT64_C(1) << 31)

struct loop {
    LLVMBasicBlockRef head;
    LLVMValueRef counter;
};

static LLVMBasicBlockRef new_block(struct sl_group_function *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

static void enter(struct sl_group_function *g, LLVMBasicBlockRef block)
{
    LLVMBuildBr(g->e.builder, block);
    LLVMPositionBuilderAtEnd(g->e.builder, block);
}

static LLVMValueRef counter(struct sl_group_function *g, LLVMBasicBlockRef from, LLVMValueRef start,
                            const char *name)
{
    LLVMValueRef phi = LLVMBuildPhi(g->e.builder, LLVMTypeOf(start), name);
    LLVMAddIncoming(phi, &start, &from, 1);
    return phi;
}

static struct loop open_loop(struct sl_group_function *g, const char *name)
{
    struct loop loop = {.head = new_block(g, name)};
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    enter(g, loop.head);
    loop.counter = counter(g, from, sl_emit_i64(&g->e, 0), name);
    return loop;
}

static void close_loop(struct sl_group_function *g, struct loop *loop, LLVMValueRef step,
                       LLVMValueRef end)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef next = sl_emit_add_exact(&g->e, loop->counter, step, "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, next, end, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b), exit = new_block(g, "end");
    LLVMAddIncoming(loop->counter, &next, &from, 1);
    LLVMBuildCondBr(b, more, loop->head, exit);
    LLVMPositionBuilderAtEnd(b, exit);
}

struct nest {
    struct loop segment, z, y;
    LLVMValueRef count;   /* items of this segment */
    LLVMValueRef low, id; /* counters of the innermost loop: global id's low half, local id */
    LLVMValueRef last;    /* of `low` */
    LLVMBasicBlockRef head;
};

static struct nest open_outer(struct sl_group_function *g)
{
    struct nest n = {.segment = open_loop(g, "segment")};
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef start = sl_emit_add_exact(&g->e, g->base[0], n.segment.counter, "");
    LLVMValueRef within = LLVMBuildAnd(b, start, sl_emit_i64(&g->e, SEGMENT - 1), "");
    LLVMValueRef room = LLVMBuildNUWSub(b, sl_emit_i64(&g->e, SEGMENT), within, "");
    LLVMValueRef left = LLVMBuildNUWSub(b, g->size[0], n.segment.counter, "");
    n.count = sl_emit_min(&g->e, left, room, "count");
    n.z = open_loop(g, "z");
    n.y = open_loop(g, "y");
    return n;
}

static LLVMValueRef add_outer_ids(struct sl_group_function *g, struct nest *n)
{
    struct sl_emit *e = &g->e;
    g->places[SL_WI_LOCAL_ID][1] = n->y.counter;
    g->places[SL_WI_LOCAL_ID][2] = n->z.counter;
    g->places[SL_WI_GLOBAL_ID][1] = sl_emit_add_exact(e, g->base[1], n->y.counter, "gid.y");
    g->places[SL_WI_GLOBAL_ID][2] = sl_emit_add_exact(e, g->base[2], n->z.counter, "gid.z");
    LLVMValueRef row = sl_emit_mul_exact(e, n->z.counter, g->size[1], "");
    row = sl_emit_add_exact(e, row, n->y.counter, "");
    return sl_emit_mul_exact(e, row, g->size[0], "row");
}

static void open_inner(struct sl_group_function *g, struct nest *n)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef start = sl_emit_add_exact(e, g->base[0], n->segment.counter, "");
    LLVMValueRef low = LLVMBuildTrunc(e->builder, start, e->i32, "low");
    LLVMValueRef high =
        LLVMBuildSub(e->builder, start, LLVMBuildSExt(e->builder, low, e->i64, ""), "");
    high = LLVMBuildAnd(e->builder, high, sl_emit_i64(e, ~UINT64_C(0xffffffff)), "high");
    LLVMValueRef count = LLVMBuildTrunc(e->builder, n->count, e->i32, "");
    n->last = LLVMBuildAdd(e->builder, low, LLVMBuildSub(e->builder, count, sl_emit_i32(e, 1), ""),
                           "last");
    LLVMValueRef id = LLVMBuildTrunc(e->builder, n->segment.counter, e->i32, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    n->head = new_block(g, "x");
    enter(g, n->head);
    n->low = counter(g, from, low, "gid.low");
    n->id = counter(g, from, id, "lid.low");
    LLVMValueRef wide = LLVMBuildSExt(e->builder, n->low, e->i64, "");
    g->places[SL_WI_GLOBAL_ID][0] = LLVMBuildAdd(e->builder, high, wide, "gid.x");
    g->places[SL_WI_LOCAL_ID][0] = LLVMBuildZExt(e->builder, n->id, e->i64, "lid.x");
}

static LLVMMetadataRef property(struct sl_group_function *g, const char *name, LLVMValueRef value)
{
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(g->e.context, name, strlen(name)),
                                value ? LLVMValueAsMetadata(value) : NULL};
    return LLVMMDNodeInContext2(g->e.context, parts, value ? 2 : 1);
}

static void annotate(struct sl_group_function *g, LLVMValueRef branch)
{
    LLVMMetadataRef properties[] = {
        property(g, "llvm.loop.parallel_accesses",
                 sl_parallel_group(g->e.context, g->pass->module)),
        property(g, "llvm.loop.unroll.disable", NULL),
    };
    sl_llvm_set_loop_properties(branch, properties, 2);
}

static void close_inner(struct sl_group_function *g, struct nest *n)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntNE, n->low, n->last, "");
    LLVMValueRef low = sl_emit_add_exact(e, n->low, sl_emit_i32(e, 1), "");
    LLVMValueRef id = sl_emit_add_exact(e, n->id, sl_emit_i32(e, 1), "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder), exit = new_block(g, "row.end");
    LLVMAddIncoming(n->low, &low, &from, 1);
    LLVMAddIncoming(n->id, &id, &from, 1);
    annotate(g, LLVMBuildCondBr(e->builder, more, n->head, exit));
    LLVMPositionBuilderAtEnd(e->builder, exit);
}

void sl_item_loops_emit(struct sl_group_function *g, sl_item_body_fn body, void *data)
{
    struct nest n = open_outer(g);
    LLVMValueRef row = add_outer_ids(g, &n);
    open_inner(g, &n);
    LLVMValueRef index = sl_emit_add_exact(&g->e, row, g->places[SL_WI_LOCAL_ID][0], "index");
    body(g, index, data);
    close_inner(g, &n);
    LLVMValueRef one = sl_emit_i64(&g->e, 1);
    close_loop(g, &n.y, one, g->size[1]);
    close_loop(g, &n.z, one, g->size[2]);
    close_loop(g, &n.segment, n.count, g->size[0]);
}
