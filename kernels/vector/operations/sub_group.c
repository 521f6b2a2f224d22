/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-groups that are vectors. No shared state. */
#include "vector/operations/sub_group.h"

#include "items/lane_bound.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/operations/matrix.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool is_uniform(const struct sl_vector_facts *v, LLVMValueRef value, uint32_t block)
{
    return sl_vector_shape_at(v, value, block).kind <= SL_SHAPE_UNIFORM;
}

/* Where items of a sub-group have parted, those do it together that are here. */
static bool all_are_here(const struct sl_vector *v)
{
    return v->now.mask == v->now.entry_mask;
}

static LLVMTypeRef bits_type(struct sl_vector *v)
{
    return LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
}

/* The number of the first that is here; the block is left out where nobody is. */
static LLVMValueRef first_here(struct sl_vector *v)
{
    const struct sl_emit *e = &v->g->e;
    LLVMTypeRef type = bits_type(v);
    if (all_are_here(v))
        return sl_emit_i32(e, 0);
    LLVMValueRef arguments[] = {LLVMBuildBitCast(e->builder, v->now.mask, type, ""),
                                LLVMConstInt(LLVMInt1TypeInContext(e->context), 1, false)};
    LLVMValueRef lane = sl_vector_intrinsic(v, "llvm.cttz", &type, 1, arguments, 2);
    return LLVMBuildIntCast2(e->builder, lane, e->i32, false, "");
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_float(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
           LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

/* Of two numbers one of which is none the other is chosen (SPIR-V, OpGroupNonUniformFMin). */
static LLVMValueRef smaller(struct sl_vector *v, const struct sl_sub_group_op *op, LLVMValueRef a,
                            LLVMValueRef b)
{
    LLVMBuilderRef at = builder(v);
    bool least = op->step == SL_STEP_MIN;
    if (!is_float(LLVMGetElementType(LLVMTypeOf(a)))) {
        LLVMIntPredicate below = op->is_unsigned ? LLVMIntULT : LLVMIntSLT;
        LLVMValueRef less = LLVMBuildICmp(at, below, a, b, "");
        return LLVMBuildSelect(at, less, least ? a : b, least ? b : a, "");
    }
    LLVMValueRef passes = LLVMBuildFCmp(at, least ? LLVMRealOLT : LLVMRealOGT, a, b, "");
    LLVMValueRef none = LLVMBuildFCmp(at, LLVMRealUNO, b, b, "");
    return LLVMBuildSelect(at, LLVMBuildOr(at, passes, none, ""), a, b, "");
}

/* `a` is of the items that come first. */
static LLVMValueRef step(struct sl_vector *v, const struct sl_sub_group_op *op, LLVMValueRef a,
                         LLVMValueRef b)
{
    LLVMBuilderRef at = builder(v);
    bool real = is_float(LLVMGetElementType(LLVMTypeOf(a)));
    switch (op->step) {
    case SL_STEP_ADD:
        return real ? LLVMBuildFAdd(at, a, b, "") : LLVMBuildAdd(at, a, b, "");
    case SL_STEP_MUL:
        return real ? LLVMBuildFMul(at, a, b, "") : LLVMBuildMul(at, a, b, "");
    case SL_STEP_MIN:
    case SL_STEP_MAX:
        return smaller(v, op, b, a);
    case SL_STEP_AND:
        return LLVMBuildAnd(at, a, b, "");
    case SL_STEP_OR:
        return LLVMBuildOr(at, a, b, "");
    case SL_STEP_XOR:
        break;
    }
    return LLVMBuildXor(at, a, b, "");
}

/* What changes no other value: of additions -0, since 0 would change that. */
static LLVMValueRef neutral(LLVMTypeRef type, const struct sl_sub_group_op *op)
{
    bool least = op->step == SL_STEP_MAX;
    if (is_float(type)) {
        LLVMValueRef infinite = LLVMConstReal(type, least ? -__builtin_inf() : __builtin_inf());
        return op->step == SL_STEP_ADD   ? LLVMConstReal(type, -0.0)
               : op->step == SL_STEP_MUL ? LLVMConstReal(type, 1)
                                         : infinite;
    }
    uint64_t sign = UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), most = UINT64_MAX;
    switch (op->step) {
    case SL_STEP_MUL:
        return LLVMConstInt(type, 1, false);
    case SL_STEP_MIN:
        return LLVMConstInt(type, op->is_unsigned ? most : sign - 1, false);
    case SL_STEP_MAX:
        return LLVMConstInt(type, op->is_unsigned ? 0 : sign, false);
    case SL_STEP_AND:
        return LLVMConstInt(type, most, false);
    default:
        return LLVMConstNull(type);
    }
}

static LLVMValueRef some(struct sl_vector *v, LLVMValueRef x, LLVMValueRef y, int first,
                         uint32_t count)
{
    LLVMValueRef lanes[64];
    for (uint32_t l = 0; l < count; l++)
        lanes[l] = sl_emit_i32(&v->g->e, (uint32_t)(first + (int)l));
    return LLVMBuildShuffleVector(builder(v), x, y, LLVMConstVector(lanes, count), "");
}

static LLVMValueRef reduced(struct sl_vector *v, const struct sl_sub_group_op *op, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(x));
    LLVMValueRef mask = v->now.mask;
    if (mask != LLVMConstAllOnes(LLVMTypeOf(mask)))
        x = LLVMBuildSelect(builder(v), mask, x, sl_vector_splat(v, neutral(type, op)), "");
    for (uint32_t half = v->facts.lanes / 2; half; half /= 2)
        x = step(v, op, some(v, x, x, 0, half), some(v, x, x, (int)half, half));
    return LLVMBuildExtractElement(builder(v), x, sl_emit_i32(&v->g->e, 0), "");
}

/* So many items further on; the first ones get what `before` has last. */
static LLVMValueRef moved(struct sl_vector *v, LLVMValueRef before, LLVMValueRef x, uint32_t by)
{
    return some(v, before, x, (int)(v->facts.lanes - by), v->facts.lanes);
}

static LLVMValueRef scanned(struct sl_vector *v, const struct sl_sub_group_op *op, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(x));
    LLVMValueRef none = sl_vector_splat(v, neutral(type, op));
    if (!all_are_here(v))
        x = LLVMBuildSelect(builder(v), v->now.mask, x, none, "");
    for (uint32_t by = 1; by < v->facts.lanes; by *= 2)
        x = step(v, op, moved(v, none, x, by), x);
    if (op->kind == SL_SUB_GROUP_SCAN_INCLUSIVE)
        return x;
    if (op->step != SL_STEP_ADD)
        return moved(v, none, x, 1);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(x)), value = moved(v, zero, x, 1);
    /* What comes in front of the first item that is there is a sum of nothing, which is not -0. */
    bool may_begin_late = LLVMGetTypeKind(type) != LLVMIntegerTypeKind && !all_are_here(v);
    return may_begin_late ? LLVMBuildFAdd(builder(v), value, zero, "") : value;
}

/* ---- votes ----------------------------------------------------------------------------------- */

/* A bit for each item that is there and says yes. */
static LLVMValueRef asked(struct sl_vector *v, LLVMValueRef call)
{
    LLVMValueRef x = sl_vector_part(v, LLVMGetArgOperand(call, 0), 0);
    LLVMValueRef yes = LLVMBuildICmp(builder(v), LLVMIntNE, x, LLVMConstNull(LLVMTypeOf(x)), "");
    LLVMValueRef mask = v->now.mask; /* a select: the others' answers may be poison */
    yes = LLVMBuildSelect(builder(v), mask, yes, LLVMConstNull(LLVMTypeOf(mask)), "");
    return LLVMBuildBitCast(builder(v), yes, bits_type(v), "");
}

static LLVMValueRef voted(struct sl_vector *v, LLVMValueRef call, enum sl_sub_group_kind kind)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef bits = asked(v, call), vote;
    if (kind == SL_SUB_GROUP_ANY) {
        vote = LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(bits_type(v)), "");
    } else {
        LLVMValueRef all = LLVMBuildBitCast(b, v->now.mask, bits_type(v), "");
        vote = LLVMBuildICmp(b, LLVMIntEQ, bits, all, "");
    }
    return LLVMBuildZExt(b, vote, LLVMTypeOf(call), "");
}

static LLVMValueRef ballot(struct sl_vector *v, LLVMValueRef call)
{
    const struct sl_emit *e = &v->g->e;
    LLVMValueRef all = asked(v, call);
    if (v->facts.lanes < 64)
        all = LLVMBuildZExt(e->builder, all, e->i64, "");
    LLVMValueRef high = LLVMBuildLShr(e->builder, all, sl_emit_i64(e, 32), "");
    LLVMValueRef halves[] = {LLVMBuildTrunc(e->builder, all, e->i32, ""),
                             LLVMBuildTrunc(e->builder, high, e->i32, "")};
    LLVMValueRef result = LLVMConstNull(LLVMTypeOf(call));
    for (uint32_t k = 0; k < 2; k++)
        result = LLVMBuildInsertElement(e->builder, result, halves[k], sl_emit_i32(e, k), "");
    return result;
}

static void emit_elect(struct sl_vector *v, LLVMValueRef call)
{
    LLVMValueRef lanes = sl_vector_iota(v, LLVMTypeOf(call), 1);
    LLVMValueRef here = LLVMBuildIntCast2(builder(v), first_here(v), LLVMTypeOf(call), false, "");
    LLVMValueRef first = LLVMBuildICmp(builder(v), LLVMIntEQ, lanes, sl_vector_splat(v, here), "");
    sl_vector_set_part(v, call, 0, LLVMBuildZExt(builder(v), first, LLVMTypeOf(lanes), ""));
}

/* ---- what other items have ------------------------------------------------------------------- */

/* Numbers of lanes fit into any integer that one may be asked for in. */
static LLVMValueRef whose(struct sl_vector *v, LLVMValueRef call, enum sl_sub_group_kind kind)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef lanes = sl_vector_wide_type(v, v->g->e.i32);
    LLVMValueRef me = sl_vector_iota(v, v->g->e.i32, 1);
    LLVMValueRef by = sl_vector_part(v, LLVMGetArgOperand(call, 1), 0), from;
    by = from = LLVMBuildIntCast2(b, by, lanes, false, "");
    if (kind == SL_SUB_GROUP_SHUFFLE_XOR)
        from = LLVMBuildXor(b, me, by, "");
    else if (kind == SL_SUB_GROUP_SHUFFLE_UP)
        from = LLVMBuildSub(b, me, by, "");
    else if (kind == SL_SUB_GROUP_SHUFFLE_DOWN || kind == SL_SUB_GROUP_ROTATE)
        from = LLVMBuildAdd(b, me, by, "");
    return LLVMBuildAnd(b, from, sl_vector_splat(v, sl_emit_i32(&v->g->e, v->facts.lanes - 1)), "");
}

/* A number that is not known: bit after bit of it exchanges or leaves neighbours. */
static LLVMValueRef exchanged(struct sl_vector *v, LLVMValueRef x, LLVMValueRef with)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef type = LLVMTypeOf(with);
    for (uint32_t bit = 1; bit < v->facts.lanes; bit *= 2) {
        LLVMValueRef lanes[64];
        for (uint32_t l = 0; l < v->facts.lanes; l++)
            lanes[l] = sl_emit_i32(&v->g->e, l ^ bit);
        LLVMValueRef other =
            LLVMBuildShuffleVector(b, x, x, LLVMConstVector(lanes, v->facts.lanes), "");
        LLVMValueRef has = LLVMBuildAnd(b, with, LLVMConstInt(type, bit, false), "");
        has = LLVMBuildICmp(b, LLVMIntNE, has, LLVMConstNull(type), "");
        x = LLVMBuildSelect(b, has, other, x, "");
    }
    return x;
}

static void emit_shuffle(struct sl_vector *v, LLVMValueRef call, enum sl_sub_group_kind kind)
{
    LLVMValueRef value = LLVMGetArgOperand(call, 0), index = LLVMGetArgOperand(call, 1);
    LLVMValueRef from = whose(v, call, kind);
    bool bits = kind == SL_SUB_GROUP_SHUFFLE_XOR && !LLVMIsConstant(from) &&
                is_uniform(&v->facts, index, v->now.block) && !v->facts.target->mask_registers;
    for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(call)); k++) {
        LLVMValueRef x = sl_vector_part(v, value, k);
        sl_vector_set_part(v, call, k,
                           bits ? exchanged(v, x, sl_vector_scalar(v, index))
                                : sl_vector_permute(v, x, from));
    }
}

static LLVMValueRef one_lane(struct sl_vector *v, LLVMValueRef call, enum sl_sub_group_kind kind)
{
    LLVMValueRef lane;
    if (kind == SL_SUB_GROUP_FIRST) {
        lane = first_here(v);
    } else {
        lane = sl_vector_scalar(v, LLVMGetArgOperand(call, 1));
        LLVMValueRef last = LLVMConstInt(LLVMTypeOf(lane), v->facts.lanes - 1, false);
        lane = LLVMBuildAnd(builder(v), lane, last, "");
    }
    return sl_vector_lane(v, LLVMGetArgOperand(call, 0), lane);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Of numbers in even steps that do not wrap, where all lanes run: that of the first or last. */
static LLVMValueRef bound_at_end(struct sl_vector *v, LLVMValueRef number,
                                 const struct sl_lane_bound *bound)
{
    struct sl_shape shape = sl_vector_shape_at(&v->facts, number, v->now.block);
    bool exact = bound->is_unsigned ? shape.nuw : shape.nsw;
    if (shape.kind <= SL_SHAPE_UNIFORM)
        return sl_vector_scalar(v, number);
    if (shape.kind != SL_SHAPE_LINEAR || !exact || !sl_vector_all_run(v))
        return NULL;
    uint64_t steps = (bound->which == SL_BOUND_MOST) == (shape.stride > 0) ? v->facts.lanes - 1 : 0;
    LLVMValueRef first = sl_vector_scalar(v, number);
    return LLVMBuildAdd(builder(v), first,
                        LLVMConstInt(LLVMTypeOf(first), steps * (uint64_t)shape.stride, false), "");
}

void sl_vector_emit_lane_bound(struct sl_vector *v, LLVMValueRef call)
{
    struct sl_lane_bound bound;
    sl_lane_bound(call, &bound);
    LLVMValueRef number = LLVMGetArgOperand(call, 0), end = bound_at_end(v, number, &bound);
    const struct sl_sub_group_op op = {.kind = SL_SUB_GROUP_REDUCE,
                                       .step =
                                           bound.which == SL_BOUND_MOST ? SL_STEP_MAX : SL_STEP_MIN,
                                       .is_unsigned = bound.is_unsigned};
    sl_vector_set_scalar(v, call, end ? end : reduced(v, &op, sl_vector_part(v, number, 0)));
}

void sl_vector_emit_sub_group(struct sl_vector *v, LLVMValueRef call)
{
    struct sl_sub_group_op op;
    sl_sub_group_op(call, &op);
    bool one = sl_vector_shape(&v->facts, call).kind <= SL_SHAPE_UNIFORM;
    switch (op.kind) {
    case SL_SUB_GROUP_REDUCE:
        sl_vector_set_scalar(v, call,
                             reduced(v, &op, sl_vector_part(v, LLVMGetArgOperand(call, 0), 0)));
        break;
    case SL_SUB_GROUP_SCAN_INCLUSIVE:
    case SL_SUB_GROUP_SCAN_EXCLUSIVE:
        sl_vector_set_part(v, call, 0,
                           scanned(v, &op, sl_vector_part(v, LLVMGetArgOperand(call, 0), 0)));
        break;
    case SL_SUB_GROUP_ANY:
    case SL_SUB_GROUP_ALL:
        sl_vector_set_scalar(v, call, voted(v, call, op.kind));
        break;
    case SL_SUB_GROUP_BALLOT:
        sl_vector_set_scalar(v, call, ballot(v, call));
        break;
    case SL_SUB_GROUP_ELECT:
        emit_elect(v, call);
        break;
    case SL_SUB_GROUP_MATRIX:
        sl_vector_emit_matrix(v, call, &op);
        break;
    default:
        if (one)
            sl_vector_set_scalar(v, call, one_lane(v, call, op.kind));
        else
            emit_shuffle(v, call, op.kind);
    }
}
