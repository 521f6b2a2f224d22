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

static struct sl_loop open_loop(struct sl_group_function *g, const char *name)
{
    struct sl_loop loop = {.head = new_block(g, name)};
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    enter(g, loop.head);
    loop.counter = counter(g, from, sl_emit_i64(&g->e, 0), name);
    return loop;
}

static void close_loop(struct sl_group_function *g, struct sl_loop *loop, LLVMValueRef step,
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

static void open_segment(struct sl_group_function *g, struct sl_rows *r)
{
    r->segment = open_loop(g, "segment");
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef start = sl_emit_add_exact(&g->e, g->base[0], r->segment.counter, "");
    LLVMValueRef within = LLVMBuildAnd(b, start, sl_emit_i64(&g->e, SEGMENT - 1), "");
    LLVMValueRef room = LLVMBuildNUWSub(b, sl_emit_i64(&g->e, SEGMENT), within, "");
    LLVMValueRef left = LLVMBuildNUWSub(b, g->size[0], r->segment.counter, "");
    r->segment_count = sl_emit_min(&g->e, left, room, "count");
}

static void open_chunk(struct sl_group_function *g, struct sl_rows *r)
{
    r->chunk = open_loop(g, "chunk");
    LLVMValueRef left = LLVMBuildNUWSub(g->e.builder, r->segment_count, r->chunk.counter, "");
    r->start = sl_emit_add_exact(&g->e, r->segment.counter, r->chunk.counter, "start");
    r->count = sl_emit_min(&g->e, left, sl_emit_i64(&g->e, r->chunk_size), "count");
}

static void place_row(struct sl_group_function *g, struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    g->places[SL_WI_LOCAL_ID][1] = r->y.counter;
    g->places[SL_WI_LOCAL_ID][2] = r->z.counter;
    g->places[SL_WI_GLOBAL_ID][1] = sl_emit_add_exact(e, g->base[1], r->y.counter, "gid.y");
    g->places[SL_WI_GLOBAL_ID][2] = sl_emit_add_exact(e, g->base[2], r->z.counter, "gid.z");
    LLVMValueRef row = sl_emit_mul_exact(e, r->z.counter, g->size[1], "");
    row = sl_emit_add_exact(e, row, r->y.counter, "");
    r->row = sl_emit_mul_exact(e, row, g->size[0], "row");
}

void sl_rows_open(struct sl_group_function *g, struct sl_rows *r, uint32_t chunk_size)
{
    struct sl_emit *e = &g->e;
    r->chunk_size = chunk_size;
    open_segment(g, r);
    r->z = open_loop(g, "z");
    r->y = open_loop(g, "y");
    place_row(g, r);
    r->start = r->segment.counter;
    r->count = r->segment_count;
    if (chunk_size)
        open_chunk(g, r);
    LLVMValueRef first = sl_emit_add_exact(e, g->base[0], r->start, "");
    r->low = LLVMBuildTrunc(e->builder, first, e->i32, "low");
    LLVMValueRef high =
        LLVMBuildSub(e->builder, first, LLVMBuildSExt(e->builder, r->low, e->i64, ""), "");
    r->high = LLVMBuildAnd(e->builder, high, sl_emit_i64(e, ~UINT64_C(0xffffffff)), "high");
    LLVMValueRef count = LLVMBuildTrunc(e->builder, r->count, e->i32, "");
    r->last = LLVMBuildAdd(e->builder, r->low,
                           LLVMBuildSub(e->builder, count, sl_emit_i32(e, 1), ""), "last");
}

void sl_rows_close(struct sl_group_function *g, struct sl_rows *r)
{
    LLVMValueRef one = sl_emit_i64(&g->e, 1);
    if (r->chunk_size)
        close_loop(g, &r->chunk, r->count, r->segment_count);
    close_loop(g, &r->y, one, g->size[1]);
    close_loop(g, &r->z, one, g->size[2]);
    close_loop(g, &r->segment, r->segment_count, g->size[0]);
}

/* ---- the innermost loop --------------------------------------------------------------------- */

struct inner {
    LLVMBasicBlockRef head;
    LLVMValueRef low, id, at; /* global id's low half, local id's, position in the chunk */
};

static struct inner open_inner(struct sl_group_function *g, const struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef id = LLVMBuildTrunc(e->builder, r->start, e->i32, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    struct inner n = {.head = new_block(g, "x")};
    enter(g, n.head);
    n.low = counter(g, from, r->low, "gid.low");
    n.id = counter(g, from, id, "lid.low");
    n.at = counter(g, from, sl_emit_i64(e, 0), "at");
    LLVMValueRef wide = LLVMBuildSExt(e->builder, n.low, e->i64, "");
    g->places[SL_WI_GLOBAL_ID][0] = LLVMBuildAdd(e->builder, r->high, wide, "gid.x");
    g->places[SL_WI_LOCAL_ID][0] = LLVMBuildZExt(e->builder, n.id, e->i64, "lid.x");
    return n;
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

static void step(struct sl_group_function *g, LLVMValueRef phi)
{
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(phi), 1, false);
    LLVMValueRef next = sl_emit_add_exact(&g->e, phi, one, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMAddIncoming(phi, &next, &from, 1);
}

static void close_inner(struct sl_group_function *g, const struct sl_rows *r, struct inner *n)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, n->low, r->last, "");
    step(g, n->low);
    step(g, n->id);
    step(g, n->at);
    LLVMBasicBlockRef exit = new_block(g, "row.end");
    annotate(g, LLVMBuildCondBr(b, more, n->head, exit));
    LLVMPositionBuilderAtEnd(b, exit);
}

void sl_items_emit(struct sl_group_function *g, const struct sl_rows *r, sl_item_body_fn body,
                   void *data)
{
    struct inner n = open_inner(g, r);
    struct sl_item item = {.at = n.at};
    item.index = sl_emit_add_exact(&g->e, r->row, g->places[SL_WI_LOCAL_ID][0], "index");
    body(&item, data);
    close_inner(g, r, &n);
}
