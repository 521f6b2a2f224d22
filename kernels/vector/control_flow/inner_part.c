/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner part of a row: vectors all of whose items take the same way at the branches on their
 * ids, as the points of a stencil do that are not at a border. They run without these branches and
 * without masks; the vectors before and behind them run the code for any items. Vectors begin where
 * they would begin without such a part, so that they are aligned as the row is. No shared state.
 */
#include "vector/control_flow/inner_part.h"

#include "ir/memory.h"
#include "items/region_copy.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/guard.h"
#include "vector/control_flow/guard_count.h"
#include "vector/control_flow/region.h"
#include "vector/control_flow/region_loops.h"
#include "vector/control_flow/remainder.h"
#include "vector/vector.h"

#include <stdlib.h>

#define MOST_CODE 200 /* instructions that are there for the inner part and for any items */

struct sl_vector_inner {
    struct sl_vector_guard sides[SL_VECTOR_MOST_DECIDED];
    uint32_t count;
    struct sl_vector_region *region; /* of the items that take all of these; owned */
};

static void add_side(struct sl_vector_inner *inner, struct sl_vector_decided *decided)
{
    const struct sl_vector_guard *side = &inner->sides[inner->count];
    if (sl_vector_decide(decided, side->condition, side->runs_if))
        inner->count++;
}

/* Where there is such a part, numbers need not ask in each vector whether a mask cuts them. */
static void find_within(const struct sl_vector *v, struct sl_vector_inner *inner,
                        struct sl_vector_decided *decided)
{
    for (uint32_t b = 0; b < v->facts.plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->facts.plan.blocks[b].ref);
             i && inner->count && inner->count < SL_VECTOR_MOST_DECIDED;
             i = LLVMGetNextInstruction(i))
            if (sl_vector_find_within(&v->facts, b, i, &inner->sides[inner->count]))
                add_side(inner, decided);
}

static void find_sides(const struct sl_vector *v, struct sl_vector_inner *inner,
                       struct sl_vector_decided *decided)
{
    for (uint32_t b = 0; b < v->facts.plan.count; b++) {
        struct sl_vector_guard *side = &inner->sides[inner->count];
        if (inner->count < SL_VECTOR_MOST_DECIDED && v->facts.plan.blocks[b].divergent &&
            sl_vector_find_side(&v->facts, b, side))
            add_side(inner, decided);
    }
    find_within(v, inner, decided);
}

struct sl_vector_inner *sl_vector_inner_find(const struct sl_vector_region *p)
{
    if (p->number || p->v.facts.compacted || p->g->split.barrier_count ||
        !sl_vector_region_is_short(p, MOST_CODE))
        return NULL;
    struct sl_vector_inner *inner = sl_ir_alloc(1, sizeof *inner);
    struct sl_vector_decided decided = p->v.facts.decided;
    find_sides(&p->v, inner, &decided);
    if (inner->count)
        inner->region = sl_vector_region_plan_decided(p->g, p->number, &decided);
    if (inner->region) {
        p->g->facts->has_inner_part = true;
        return inner;
    }
    free(inner);
    return NULL;
}

void sl_vector_inner_free(struct sl_vector_inner *inner)
{
    sl_vector_region_free(inner->region);
    free(inner);
}

struct range {
    LLVMValueRef begin, end; /* i64: items of the row */
};

/* Whole vectors; if there are none, both are 0. */
static struct range find_range(struct sl_vector_region *p, const struct sl_rows *rows)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef zero = sl_emit_i64(e, 0), most = sl_emit_i64(e, p->v.facts.lanes - 1);
    LLVMValueRef whole = sl_emit_i64(e, ~(uint64_t)(p->v.facts.lanes - 1));
    struct range r = {zero, rows->count};
    for (uint32_t k = 0; k < p->inner->count; k++) {
        LLVMValueRef first;
        LLVMValueRef count =
            sl_vector_guard_run(&p->v, &p->inner->sides[k], p->region, rows, &first);
        LLVMValueRef later = LLVMBuildICmp(b, LLVMIntUGT, first, r.begin, "");
        r.begin = LLVMBuildSelect(b, later, first, r.begin, "");
        r.end = sl_emit_min(e, r.end, sl_emit_add_exact(e, first, count, ""), "");
    }
    r.begin = LLVMBuildAnd(b, sl_emit_add_exact(e, r.begin, most, ""), whole, "");
    r.end = LLVMBuildAnd(b, r.end, whole, "");
    LLVMValueRef any = LLVMBuildICmp(b, LLVMIntULT, r.begin, r.end, "");
    r.begin = LLVMBuildSelect(b, any, r.begin, zero, "inner.begin");
    r.end = LLVMBuildSelect(b, any, r.end, zero, "inner.end");
    return r;
}

/* The vectors of a range, if there are any; the last one of any items may be one of a few. */
static void emit_vectors(struct sl_vector_region *p, struct sl_vector_region *with,
                         const struct sl_rows *rows, struct range r, bool masked)
{
    struct sl_group_function *g = p->g;
    struct sl_rows from, some;
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, r.begin, r.end, "vectors");
    LLVMValueRef count = LLVMBuildNUWSub(g->e.builder, r.end, r.begin, "");
    sl_rows_remaining(g, rows, r.begin, &from);
    sl_rows_first(g, &from, count, &some);
    if (masked)
        sl_lanes_emit(g, &some, with->v.facts.lanes, sl_vector_region_emit_lanes, with);
    else
        sl_lanes_emit_full(g, &some, count, with->v.facts.lanes, sl_vector_region_emit_lanes, with);
    sl_vector_outcome_note(&p->outcome, with->region);
    sl_vector_leave_to(g, end);
}

/* What is before the inner part and what is behind it are two iterations of one loop. */
void sl_vector_inner_emit(struct sl_vector_region *p, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    struct sl_region region = {.g = g, .number = p->number, .before = p->region->before};
    LLVMBuilderRef b = g->e.builder;
    bool masks = p->v.facts.target->mask_registers;
    LLVMValueRef full = sl_rows_in_vectors(g, rows, p->v.facts.lanes),
                 last = masks ? rows->count : full;
    struct range in = find_range(p, rows);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef outer = LLVMAppendBasicBlockInContext(g->e.context, g->function, "outer");
    LLVMBasicBlockRef inner = LLVMAppendBasicBlockInContext(g->e.context, g->function, "inner");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(g->e.context, g->function, "row.done");
    LLVMBuildBr(b, outer);
    LLVMPositionBuilderAtEnd(b, outer);
    struct range out = {LLVMBuildPhi(b, g->e.i64, "outer.begin"),
                        LLVMBuildPhi(b, g->e.i64, "outer.end")};
    LLVMValueRef behind = LLVMBuildPhi(b, g->e.i1, "behind");
    emit_vectors(p, p, rows, out, masks);
    LLVMBuildCondBr(b, behind, done, inner);
    LLVMPositionBuilderAtEnd(b, inner);
    sl_vector_region_begin(p->inner->region, &region);
    emit_vectors(p, p->inner->region, rows, in, false);
    LLVMBasicBlockRef back = LLVMGetInsertBlock(b), ways[] = {from, back};
    sl_loop_is_done(g, LLVMBuildBr(b, outer));
    LLVMAddIncoming(out.begin, (LLVMValueRef[]){sl_emit_i64(&g->e, 0), in.end}, ways, 2);
    LLVMAddIncoming(out.end, (LLVMValueRef[]){in.begin, last}, ways, 2);
    LLVMAddIncoming(
        behind, (LLVMValueRef[]){LLVMConstInt(g->e.i1, 0, false), LLVMConstInt(g->e.i1, 1, false)},
        ways, 2);
    LLVMPositionBuilderAtEnd(b, done);
    sl_vector_add_ways(p->region, &region);
    if (!masks)
        sl_vector_emit_remainder(&p->outcome, p->region, rows, full, p->v.facts.lanes);
    sl_vector_outcome_recall(&p->outcome, p->region);
    sl_region_finish(&region);
}
