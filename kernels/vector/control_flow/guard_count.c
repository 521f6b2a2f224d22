/* SPDX-License-Identifier: Apache-2.0 */
/* How many items of a row the limits that guard.c finds leave, computed in front of the row's loop.
 * No shared state. */
#include "vector/control_flow/guard_count.h"

#include "items/region_copy.h"
#include "items/work_item.h"
#include "vector/analysis/guard.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

struct place {
    const struct sl_vector *v;
    struct sl_group_function *g;
    const struct sl_region *region;
    const struct sl_rows *rows;
};

static LLVMValueRef first_id(const struct place *p, enum sl_wi what)
{
    LLVMBuilderRef b = p->g->e.builder;
    switch (what) {
    case SL_WI_GLOBAL_ID:
        return p->rows->first;
    case SL_WI_LOCAL_ID:
        return p->rows->start;
    case SL_WI_GLOBAL_LOW:
        return LLVMBuildTrunc(b, p->rows->first, p->g->e.i32, "");
    default:
        return LLVMBuildTrunc(b, p->rows->start, p->g->e.i32, "");
    }
}

/* What the row's first item sees. */
static LLVMValueRef compute(const struct place *p, LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsAConstantInt(value))
        return value;
    if (LLVMIsAArgument(value)) {
        for (unsigned a = 0; a < LLVMCountParams(p->g->split.kernel); a++)
            if (LLVMGetParam(p->g->split.kernel, a) == value)
                return LLVMGetParam(p->g->function, a);
    }
    if (sl_wi_parse(value, &what, &dim))
        return sl_wi_is_item(what) && dim == 0 ? first_id(p, what) : p->g->places[what][dim];
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef from = sl_guard_in_front(&p->v->facts, value);
        from = from ? from : value; /* it is set behind the guard */
        if (from != value && !LLVMIsALoadInst(from))
            return compute(p, from);
        const struct sl_slot *slot = sl_guard_slot_of(&p->g->split, LLVMGetOperand(from, 0));
        return p->region->before[slot - p->g->split.slots];
    }
    LLVMValueRef operands[2] = {NULL};
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        operands[k] = compute(p, LLVMGetOperand(value, (unsigned)k));
    LLVMValueRef now = LLVMInstructionClone(value);
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        LLVMSetOperand(now, (unsigned)k, operands[k]);
    sl_llvm_drop_promises(now); /* made for the items that come there */
    LLVMInsertIntoBuilder(p->g->e.builder, now);
    return now;
}

static LLVMValueRef apply(const struct place *p, const struct sl_vector_limit *l,
                          LLVMValueRef count)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef limit = compute(p, l->limit), zero = sl_emit_i64(e, 0);
    if (l->kind == SL_LIMIT_IF)
        return LLVMBuildSelect(b, limit, count, zero, "");
    if (l->kind == SL_LIMIT_UNLESS)
        return LLVMBuildSelect(b, limit, zero, count, "");
    bool inclusive = l->kind == SL_LIMIT_UP_TO;
    LLVMValueRef id = compute(p, l->id);
    LLVMIntPredicate below =
        inclusive ? (l->sign ? LLVMIntSLT : LLVMIntULT) : (l->sign ? LLVMIntSLE : LLVMIntULE);
    LLVMValueRef none = LLVMBuildICmp(b, below, limit, id, "");
    /* The distance of two numbers as an unsigned one, whatever their signs. */
    LLVMValueRef room = LLVMBuildIntCast2(b, LLVMBuildSub(b, limit, id, ""), e->i64, false, "");
    if (inclusive) { /* all the numbers that there are need not have a number */
        LLVMValueRef most = LLVMBuildSub(b, p->rows->count, sl_emit_i64(e, 1), "");
        room = LLVMBuildAdd(b, sl_emit_min(e, room, most, ""), sl_emit_i64(e, 1), "");
    }
    return LLVMBuildSelect(b, none, zero, sl_emit_min(e, room, count, ""), "clipped");
}

/* How many items are before the limit. */
static LLVMValueRef skip(const struct place *p, const struct sl_vector_limit *l, LLVMValueRef most)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef limit = compute(p, l->limit), id = compute(p, l->id);
    bool inclusive = l->kind == SL_LIMIT_FROM;
    LLVMIntPredicate above =
        inclusive ? (l->sign ? LLVMIntSGE : LLVMIntUGE) : (l->sign ? LLVMIntSGT : LLVMIntUGT);
    LLVMValueRef all = LLVMBuildICmp(b, above, id, limit, "");
    LLVMValueRef far = LLVMBuildIntCast2(b, LLVMBuildSub(b, limit, id, ""), e->i64, false, "");
    far = sl_emit_min(e, far, most, "");
    if (!inclusive)
        far = sl_emit_min(e, LLVMBuildAdd(b, far, sl_emit_i64(e, 1), ""), most, "");
    return LLVMBuildSelect(b, all, sl_emit_i64(e, 0), far, "skipped");
}

/* Those before the one item that does not run, or those behind it, whichever are more. */
static LLVMValueRef longer_side(const struct place *p, const struct sl_vector_limit *l,
                                LLVMValueRef count, LLVMValueRef *skipped)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef distance = LLVMBuildSub(b, compute(p, l->limit), compute(p, l->id), "");
    distance = LLVMBuildFreeze(b, distance, "");
    LLVMValueRef room = LLVMBuildIntCast2(b, distance, e->i64, false, "");
    LLVMValueRef before = sl_emit_min(e, room, count, "");
    LLVMValueRef with = sl_emit_min(e, LLVMBuildAdd(b, before, sl_emit_i64(e, 1), ""), count, "");
    LLVMValueRef behind = LLVMBuildNUWSub(b, count, with, "");
    LLVMValueRef late = LLVMBuildICmp(b, LLVMIntULT, before, behind, "");
    *skipped = LLVMBuildSelect(b, late, with, sl_emit_i64(e, 0), "skipped");
    return LLVMBuildSelect(b, late, behind, before, "side");
}

/* Limits in the order in which items ask about them, each for the items that those before it have
 * left: `x >= m && x - m < n` says of the difference that it does not wrap, which is so from m on,
 * but not for the row's first item. Frozen: a number that nobody asks for may be none at all. */
static LLVMValueRef late_count(const struct place *p, const struct sl_vector_guard *guard,
                               LLVMValueRef *first)
{
    const struct sl_emit *e = &p->g->e;
    LLVMValueRef count = p->rows->count;
    for (uint32_t k = guard->limit_count; k-- > 0;) {
        const struct sl_vector_limit *l = &guard->limits[k];
        struct sl_rows left;
        struct place here = {p->v, p->g, p->region, &left};
        sl_rows_remaining(p->g, p->rows, *first, &left);
        if (l->kind == SL_LIMIT_NOT) {
            LLVMValueRef skipped;
            count = longer_side(&here, l, count, &skipped);
            *first = sl_emit_add_exact(e, *first, skipped, "first");
            continue;
        }
        bool late = sl_limit_begins_late(l);
        LLVMValueRef items = late ? skip(&here, l, count) : apply(&here, l, count);
        items = sl_emit_min(e, LLVMBuildFreeze(e->builder, items, ""), count, "");
        if (late)
            *first = sl_emit_add_exact(e, *first, items, "first");
        count = late ? LLVMBuildNUWSub(e->builder, count, items, "") : items;
    }
    return count;
}

static LLVMValueRef single(const struct place *p, const struct sl_vector_limit *l,
                           LLVMValueRef *first)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef distance = LLVMBuildSub(b, compute(p, l->limit), compute(p, l->id), "");
    *first = LLVMBuildIntCast2(b, distance, e->i64, false, "");
    LLVMValueRef is_there = LLVMBuildICmp(b, LLVMIntULT, *first, p->rows->count, "");
    return LLVMBuildZExt(b, is_there, e->i64, "");
}

LLVMValueRef sl_vector_guard_count(const struct sl_vector *v, const struct sl_vector_guard *guard,
                                   const struct sl_region *region, const struct sl_rows *rows,
                                   LLVMValueRef *first)
{
    struct place p = {v, v->g, region, rows};
    LLVMValueRef count = rows->count;
    *first = sl_emit_i64(&v->g->e, 0);
    if (guard->limits[0].kind == SL_LIMIT_ONLY)
        return single(&p, &guard->limits[0], first);
    if (guard->begins_late)
        return late_count(&p, guard, first);
    for (uint32_t k = 0; k < guard->limit_count; k++)
        count = apply(&p, &guard->limits[k], count);
    return count;
}

LLVMValueRef sl_vector_stay_count(struct sl_group_function *g, const struct sl_rows *rows)
{
    struct place p = {.g = g, .rows = rows};
    LLVMValueRef count = rows->count;
    for (uint32_t k = 0; k < g->leave->limit_count; k++)
        count = apply(&p, &g->leave->limits[k], count);
    return count;
}

LLVMValueRef sl_vector_guard_run(const struct sl_vector *v, const struct sl_vector_guard *guard,
                                 const struct sl_region *region, const struct sl_rows *rows,
                                 LLVMValueRef *first)
{
    struct place p = {v, v->g, region, rows};
    *first = sl_emit_i64(&v->g->e, 0);
    return late_count(&p, guard, first);
}
