/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in step: where a row's number is a multiple of how many go together and there are so many
 * left, their vectors are computed in front of it, and none of these rows does so again; what fills
 * no vector is left to each. Here the code is that of one row, whose blocks are noted: what depends
 * on the row is copied once variables are values (groups/unroll_and_jam.c). No shared state.
 */
#include "vector/control_flow/rows_jammed.h"

#include "ir/memory.h"

#include <string.h>

static LLVMBasicBlockRef new_block(struct sl_group_function *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

/* As many items in each of the rows. */
static LLVMValueRef agree(const struct sl_vector_in_step *s, const struct sl_rows *rows,
                          LLVMValueRef items)
{
    struct sl_group_function *g = s->g;
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntNE, items, sl_emit_i64(&g->e, 0), "");
    for (uint32_t n = 1; n < s->count && s->differ; n++) {
        struct sl_rows other = *rows;
        LLVMValueRef y = sl_emit_add_exact(&g->e, rows->y.counter, sl_emit_i64(&g->e, n), "");
        sl_rows_place(g, &other, y);
        LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, s->items(&other, s->data), items, "");
        all = LLVMBuildAnd(b, all, same, "");
    }
    return all;
}

/* Where each of the rows has no more items than these, they need not come by one by one. */
static LLVMValueRef rows_done(const struct sl_vector_in_step *s, const struct sl_rows *rows,
                              LLVMValueRef items)
{
    const struct sl_emit *e = &s->g->e;
    LLVMValueRef all = LLVMBuildICmp(e->builder, LLVMIntEQ, items, rows->count, "");
    LLVMValueRef one = sl_emit_i64(e, 1);
    return LLVMBuildSelect(e->builder, all, sl_emit_i64(e, s->differ ? 1 : s->count), one, "");
}

/* Groups of a known size that rows in step divide. */
static bool all_go(const struct sl_vector_in_step *s, const struct sl_rows *rows,
                   LLVMValueRef items)
{
    LLVMValueRef high = s->g->size[1];
    return !s->differ && LLVMIsAConstantInt(high) && LLVMIsAConstantInt(items) &&
           items == rows->count && LLVMConstIntGetZExtValue(high) % s->count == 0;
}

static void emit_code(const struct sl_vector_in_step *s, const struct sl_rows *rows,
                      LLVMValueRef items)
{
    struct sl_rows_in_step *code = s->g->in_step.items[s->g->in_step.count - 1];
    struct sl_rows own = *rows;
    sl_rows_place(s->g, &own, code->y);
    s->g->jammed = s->count;
    s->emit(&own, items, s->data);
    s->g->jammed = 0;
    code->last = LLVMGetLastBasicBlock(s->g->function);
}

void sl_vector_emit_in_step(const struct sl_vector_in_step *s, struct sl_rows *rows)
{
    struct sl_group_function *g = s->g;
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef y = rows->y.counter, places[SL_WI_COUNT][3];
    struct sl_rows_in_step *code = sl_ir_alloc(1, sizeof *code);
    sl_list_add(&g->in_step, code);
    memcpy(places, g->places, sizeof places);
    LLVMValueRef ahead = sl_emit_entry_alloca(&g->e, g->function, g->e.i1, 0, "ahead");
    LLVMValueRef done = sl_emit_entry_alloca(&g->e, g->function, g->e.i64, 0, "done");
    LLVMBasicBlockRef ask = new_block(g, "ask"), behind = new_block(g, "in.step.end");
    LLVMBuildStore(b, sl_emit_i64(&g->e, 1), done);
    LLVMValueRef offset = LLVMBuildAnd(b, y, sl_emit_i64(&g->e, s->count - 1), "");
    LLVMValueRef begins = LLVMBuildICmp(b, LLVMIntEQ, offset, sl_emit_i64(&g->e, 0), "");
    LLVMBuildCondBr(b, begins, ask, behind);
    LLVMPositionBuilderAtEnd(b, ask);
    LLVMValueRef left = LLVMBuildNUWSub(b, g->size[1], y, "");
    LLVMValueRef enough = LLVMBuildICmp(b, LLVMIntUGE, left, sl_emit_i64(&g->e, s->count), "");
    LLVMValueRef items = s->items(rows, s->data);
    LLVMValueRef go = LLVMBuildAnd(b, enough, agree(s, rows, items), "in.step");
    bool always = all_go(s, rows, items);
    if (always) /* known once it is copied */
        go = LLVMBuildFreeze(b, LLVMConstInt(g->e.i1, 1, false), "in.step");
    LLVMBuildStore(b, go, ahead);
    LLVMValueRef together = rows_done(s, rows, items);
    *code = (struct sl_rows_in_step){
        .y = y,
        .begins = begins,
        .go = go,
        .always = always,
        .first = new_block(g, "in.step"),
        .count = s->count,
    };
    LLVMBuildCondBr(b, go, code->first, behind);
    LLVMPositionBuilderAtEnd(b, code->first);
    emit_code(s, rows, items);
    LLVMBuildStore(b, together, done);
    LLVMBuildBr(b, behind);
    LLVMPositionBuilderAtEnd(b, behind);
    memcpy(g->places, places, sizeof places);
    rows->ahead = LLVMBuildLoad2(b, g->e.i1, ahead, "ahead");
    rows->done = LLVMBuildLoad2(b, g->e.i64, done, "done");
    if (g->flat)
        g->facts->flags |= SL_KERNEL_ROWS_IN_STEP;
}
