/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics of all lanes at one address: what the lanes add is added up, and memory is updated once,
 * as if their operations followed each other without a gap. The processor's lock costs as much as
 * some twenty additions. Where old values are asked for, each lane's is what memory held, plus what
 * the lanes before it add. No shared state.
 */
#include "vector/operations/combined_atomics.h"

#include "ir/calls.h"
#include "ir/map.h"
#include "items/work_item.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <string.h>

/* With what the lanes that do not run contribute. */
static const struct row {
    LLVMAtomicRMWBinOp op;
    const char *reduce; /* several values to one */
    uint64_t nothing;   /* 1: the number farthest from what is looked for */
    bool same;          /* twice the same value is that value */
} rows[] = {
    {LLVMAtomicRMWBinOpAdd, "llvm.vector.reduce.add", 0, false},
    {LLVMAtomicRMWBinOpSub, "llvm.vector.reduce.add", 0, false},
    {LLVMAtomicRMWBinOpXor, "llvm.vector.reduce.xor", 0, false},
    {LLVMAtomicRMWBinOpOr, "llvm.vector.reduce.or", 0, true},
    {LLVMAtomicRMWBinOpAnd, "llvm.vector.reduce.and", UINT64_MAX, true},
    {LLVMAtomicRMWBinOpUMax, "llvm.vector.reduce.umax", 0, true},
    {LLVMAtomicRMWBinOpUMin, "llvm.vector.reduce.umin", UINT64_MAX, true},
    {LLVMAtomicRMWBinOpMax, "llvm.vector.reduce.smax", 1, true},
    {LLVMAtomicRMWBinOpMin, "llvm.vector.reduce.smin", 1, true},
};

/* An update of memory by each lane. */
struct update {
    const struct row *row;
    LLVMValueRef address, value;
    unsigned value_operand;
};

static bool read_update(LLVMValueRef i, struct update *u)
{
    bool sum =
        LLVMIsACallInst(i) && !strncmp(sl_callee_name(i), SL_SUM_PREFIX, sizeof SL_SUM_PREFIX - 1);
    if (!sum && !LLVMIsAAtomicRMWInst(i))
        return false;
    LLVMAtomicRMWBinOp op = sum ? LLVMAtomicRMWBinOpAdd : LLVMGetAtomicRMWBinOp(i);
    *u = (struct update){.value_operand = sum ? 2 : 1, .address = LLVMGetOperand(i, sum)};
    u->value = LLVMGetOperand(i, u->value_operand);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].op == op)
            u->row = &rows[k];
    return u->row && LLVMGetTypeKind(LLVMTypeOf(u->value)) == LLVMIntegerTypeKind;
}

static bool adds(const struct update *u)
{
    return u->row->op == LLVMAtomicRMWBinOpAdd || u->row->op == LLVMAtomicRMWBinOpSub;
}

bool sl_vector_can_combine(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    struct update u;
    return read_update(i, &u) && (adds(&u) || !LLVMGetFirstUse(i)) &&
           !sl_map_get(v->variables, u.address) &&
           sl_vector_shape_at(v, u.address, block).kind <= SL_SHAPE_UNIFORM;
}

static LLVMValueRef nothing(const struct update *u)
{
    LLVMTypeRef type = LLVMTypeOf(u->value);
    uint64_t sign = (uint64_t)1 << (LLVMGetIntTypeWidth(type) - 1);
    bool is_max = u->row->op == LLVMAtomicRMWBinOpMax;
    uint64_t bits = u->row->nothing == 1 ? is_max ? sign : sign - 1 : u->row->nothing;
    return LLVMConstInt(type, LLVMGetIntTypeWidth(type) < 64 ? bits & (2 * sign - 1) : bits, false);
}

static LLVMValueRef of_lanes_that_run(struct sl_vector *v, const struct update *u)
{
    LLVMValueRef all = sl_vector_part(v, u->value, 0);
    return sl_vector_all_run(v) ? all
                                : LLVMBuildSelect(v->g->e.builder, v->now.mask, all,
                                                  sl_vector_splat(v, nothing(u)), "");
}

/* Each lane's value and those of the lanes before it. */
static LLVMValueRef running_sum(struct sl_vector *v, LLVMValueRef each)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef from[64], none = LLVMConstNull(LLVMTypeOf(each));
    for (uint32_t by = 1; by < v->facts.lanes; by *= 2) {
        for (uint32_t l = 0; l < v->facts.lanes; l++)
            from[l] = sl_emit_i32(&v->g->e, l < by ? l : v->facts.lanes + l - by);
        LLVMValueRef moved =
            LLVMBuildShuffleVector(b, none, each, LLVMConstVector(from, v->facts.lanes), "");
        each = LLVMBuildAdd(b, each, moved, "");
    }
    return each;
}

/* How many lanes run. */
static LLVMValueRef count(struct sl_vector *v, LLVMTypeRef type)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
    LLVMValueRef mask = LLVMBuildBitCast(v->g->e.builder, v->now.mask, bits, "");
    LLVMValueRef set = sl_vector_intrinsic(v, "llvm.ctpop", &bits, 1, &mask, 1);
    return LLVMBuildIntCast2(v->g->e.builder, set, type, false, "");
}

/* `sums`: running ones, if there are any; counting is there sooner. */
static LLVMValueRef total(struct sl_vector *v, const struct update *u, LLVMValueRef sums)
{
    LLVMValueRef last = sl_emit_i32(&v->g->e, v->facts.lanes - 1);
    bool uniform = sl_vector_shape_at(&v->facts, u->value, v->now.block).kind <= SL_SHAPE_UNIFORM;
    if (uniform && u->row->same)
        return sl_vector_scalar(v, u->value);
    if (uniform && adds(u))
        return LLVMBuildMul(v->g->e.builder, count(v, LLVMTypeOf(u->value)),
                            sl_vector_scalar(v, u->value), "");
    if (sums)
        return LLVMBuildExtractElement(v->g->e.builder, sums, last, "");
    LLVMValueRef each = of_lanes_that_run(v, u);
    LLVMTypeRef wide = LLVMTypeOf(each);
    return sl_vector_intrinsic(v, u->row->reduce, &wide, 1, &each, 1);
}

static LLVMValueRef update_once(struct sl_vector *v, LLVMValueRef i, const struct update *u,
                                LLVMValueRef value)
{
    LLVMValueRef now = LLVMInstructionClone(i);
    for (unsigned k = 0; k < u->value_operand; k++)
        LLVMSetOperand(now, k, sl_vector_scalar(v, LLVMGetOperand(i, k)));
    LLVMSetOperand(now, u->value_operand, value);
    LLVMInsertIntoBuilder(v->g->e.builder, now);
    return now;
}

bool sl_vector_emit_combined(struct sl_vector *v, LLVMValueRef i)
{
    LLVMBuilderRef b = v->g->e.builder;
    struct update u;
    if (!sl_vector_can_combine(&v->facts, i, v->now.block) || !read_update(i, &u))
        return false;
    sl_vector_remark(v, i, "of all items in one");
    if (!LLVMGetFirstUse(i)) {
        update_once(v, i, &u, total(v, &u, NULL));
        return true;
    }
    LLVMValueRef each = of_lanes_that_run(v, &u), sums = running_sum(v, each);
    LLVMValueRef old = update_once(v, i, &u, total(v, &u, sums));
    bool sub = u.row->op == LLVMAtomicRMWBinOpSub;
    sl_vector_set_part(v, i, 0,
                       LLVMBuildBinOp(b, sub ? LLVMSub : LLVMAdd, sl_vector_splat(v, old),
                                      LLVMBuildSub(b, sums, each, ""), ""));
    return true;
}
