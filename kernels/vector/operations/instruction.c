/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction for all lanes. What is uniform or linear is computed once, on lane 0's values;
 * the rest element by element on vectors of lanes; what has no vector form, lane after lane.
 * No shared state.
 */
#include "vector/operations/instruction.h"

#include "ir/map.h"
#include "items/lane_bound.h"
#include "items/work_item.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/speculative_stride.h"
#include "vector/memory/array_access.h"
#include "vector/memory/memory.h"
#include "vector/memory/speculative_base.h"
#include "vector/operations/call.h"
#include "vector/operations/combined_atomics.h"
#include "vector/operations/division.h"
#include "vector/operations/element.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/serial.h"
#include "vector/operations/sub_group.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

/* ---- on scalars ------------------------------------------------------------------------------ */

/* A linear integer in a wider type, as exact as the numbers of the active lanes are: lane 0 may be
 * an inactive one, for which the narrow operations would wrap. */
static LLVMValueRef widen(struct sl_vector *v, LLVMValueRef value, LLVMTypeRef type, bool sign)
{
    LLVMBuilderRef b = builder(v);
    struct sl_shape shape = sl_vector_shape_at(&v->facts, value, v->now.block);
    if (shape.kind == SL_SHAPE_LINEAR && LLVMIsAInstruction(value)) {
        bool exact = sign ? shape.nsw : shape.nuw;
        LLVMOpcode op = LLVMGetInstructionOpcode(value);
        if (exact &&
            (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMOr)) {
            LLVMValueRef a = widen(v, LLVMGetOperand(value, 0), type, sign);
            LLVMValueRef c = widen(v, LLVMGetOperand(value, 1), type, sign && op != LLVMShl);
            return LLVMBuildBinOp(b, op == LLVMOr ? LLVMAdd : op, a, c, "");
        }
    }
    LLVMValueRef scalar = sl_vector_scalar(v, value);
    if (scalar == v->g->places[SL_WI_LOCAL_LOW][0] && LLVMIsATruncInst(scalar) &&
        LLVMTypeOf(LLVMGetOperand(scalar, 0)) == type)
        return LLVMGetOperand(scalar, 0);
    return sign ? LLVMBuildSExt(b, scalar, type, "") : LLVMBuildZExt(b, scalar, type, "");
}

/* ashr (shl x, 32), k is linear where its shl is not (affine_rules.c, narrowed). */
static bool is_narrowed(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef shl = LLVMGetOperand(i, 0);
    return LLVMGetInstructionOpcode(i) == LLVMAShr && LLVMIsAInstruction(shl) &&
           LLVMGetInstructionOpcode(shl) == LLVMShl &&
           sl_vector_shape(&v->facts, shl).kind == SL_SHAPE_VARYING;
}

static LLVMValueRef narrowed(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef shl = LLVMGetOperand(i, 0), x = sl_vector_scalar(v, LLVMGetOperand(shl, 0));
    LLVMValueRef up = LLVMBuildShl(builder(v), x, LLVMGetOperand(shl, 1), "");
    return LLVMBuildAShr(builder(v), up, LLVMGetOperand(i, 1), "");
}

static void on_scalars(struct sl_vector *v, LLVMValueRef i, struct sl_shape shape)
{
    LLVMBuilderRef b = builder(v);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool linear = shape.kind == SL_SHAPE_LINEAR;
    if (linear && is_narrowed(v, i)) {
        sl_vector_set_scalar(v, i, narrowed(v, i));
        return;
    }
    if (linear && (op == LLVMSExt || op == LLVMZExt)) {
        LLVMValueRef from = LLVMGetOperand(i, 0);
        bool sign = op == LLVMSExt || !sl_vector_shape_at(&v->facts, from, v->now.block).nuw;
        sl_vector_set_scalar(v, i, widen(v, from, LLVMTypeOf(i), sign));
        return;
    }
    if (linear && op == LLVMOr) {
        /* Bits that no active lane has twice may meet in lane 0. */
        LLVMValueRef a = sl_vector_scalar(v, LLVMGetOperand(i, 0));
        sl_vector_set_scalar(v, i,
                             LLVMBuildAdd(b, a, sl_vector_scalar(v, LLVMGetOperand(i, 1)), ""));
        return;
    }
    LLVMValueRef now = LLVMInstructionClone(i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        LLVMSetOperand(now, k, sl_vector_scalar(v, LLVMGetOperand(i, k)));
    if (linear)
        sl_llvm_drop_promises(now);
    LLVMInsertIntoBuilder(b, now);
    sl_vector_set_scalar(v, i, now);
}

/* ---- on vectors ------------------------------------------------------------------------------ */

static LLVMValueRef part(struct sl_vector *v, LLVMValueRef i, unsigned operand, uint32_t k)
{
    return sl_vector_part(v, LLVMGetOperand(i, operand), k);
}

static void set(struct sl_vector *v, LLVMValueRef i, uint32_t k, LLVMValueRef now)
{
    if (LLVMIsAInstruction(now))
        sl_llvm_copy_flags(i, now);
    sl_vector_set_part(v, i, k, now);
}

static void emit_binary(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    for (uint32_t k = 0; k < count; k++)
        set(v, i, k, LLVMBuildBinOp(builder(v), op, part(v, i, 0, k), part(v, i, 1, k), ""));
}

/* An index that is not negative is widened as one with a sign: so it stays a word where lanes are
 * gathered by it. */
static LLVMOpcode cast_of(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op != LLVMZExt || !LLVMGetNNeg(i))
        return op;
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
        if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
            return LLVMSExt;
    return op;
}

static void emit_cast(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMOpcode op = cast_of(i);
    for (uint32_t k = 0; k < count; k++) {
        LLVMTypeRef type = sl_vector_wide_type(v, sl_vector_part_type(LLVMTypeOf(i), k));
        LLVMValueRef now = LLVMBuildCast(builder(v), op, part(v, i, 0, k), type, "");
        if (op == LLVMGetInstructionOpcode(i))
            set(v, i, k, now);
        else
            sl_vector_set_part(v, i, k, now);
    }
}

static void emit_compare(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    bool real = LLVMGetInstructionOpcode(i) == LLVMFCmp;
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef a = part(v, i, 0, k), b = part(v, i, 1, k);
        set(v, i, k,
            real ? LLVMBuildFCmp(builder(v), LLVMGetFCmpPredicate(i), a, b, "")
                 : LLVMBuildICmp(builder(v), LLVMGetICmpPredicate(i), a, b, ""));
    }
}

static void emit_select(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMValueRef on = LLVMGetOperand(i, 0);
    bool each = LLVMGetTypeKind(LLVMTypeOf(on)) == LLVMVectorTypeKind;
    bool scalar = !each && sl_vector_shape_at(&v->facts, on, v->now.block).kind <= SL_SHAPE_UNIFORM;
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef choice = scalar ? sl_vector_scalar(v, on) : part(v, i, 0, each ? k : 0);
        set(v, i, k, LLVMBuildSelect(builder(v), choice, part(v, i, 1, k), part(v, i, 2, k), ""));
    }
}

static void emit_unary(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    bool freeze = LLVMGetInstructionOpcode(i) == LLVMFreeze;
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef a = part(v, i, 0, k);
        set(v, i, k,
            freeze ? LLVMBuildFreeze(builder(v), a, "") : LLVMBuildFNeg(builder(v), a, ""));
    }
}

static void emit_address(struct sl_vector *v, LLVMValueRef i)
{
    unsigned count = LLVMGetNumOperands(i);
    LLVMValueRef indices[SL_VECTOR_MOST_PARTS];
    bool wide = false;
    LLVMValueRef base = LLVMGetOperand(i, 0);
    if (sl_vector_shape_at(&v->facts, base, v->now.block).kind <= SL_SHAPE_UNIFORM)
        base = sl_vector_scalar(v, base);
    else
        base = part(v, i, 0, 0), wide = true;
    for (unsigned k = 1; k < count; k++) {
        LLVMValueRef index = LLVMGetOperand(i, k);
        bool same = sl_vector_shape_at(&v->facts, index, v->now.block).kind <= SL_SHAPE_UNIFORM;
        indices[k - 1] = same ? sl_vector_scalar(v, index) : part(v, i, k, 0);
        wide |= !same;
    }
    LLVMValueRef now =
        LLVMBuildGEP2(builder(v), LLVMGetGEPSourceElementType(i), base, indices, count - 1, "");
    sl_vector_set_part(v, i, 0, wide ? now : sl_vector_splat(v, now));
}

/* ---- all ------------------------------------------------------------------------------------- */

bool sl_vector_needs_lanes(const struct sl_vector_facts *v, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMLoad || op == LLVMStore)
        return sl_vector_shape(v, LLVMGetOperand(i, op == LLVMStore)).kind <= SL_SHAPE_UNIFORM &&
               !sl_map_get(v->variables, LLVMGetOperand(i, op == LLVMStore));
    if (sl_vector_is_division(i))
        return sl_vector_shape(v, i).kind != SL_SHAPE_VARYING &&
               !LLVMIsAConstantInt(LLVMGetOperand(i, 1));
    if (op == LLVMCall)
        return !sl_vector_is_lanewise_call(i);
    return op == LLVMFence || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

/* Of what touches elements of OpenCL's vectors, or fields of structs; false: this does not. */
static bool emit_element(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMExtractElement:
        sl_vector_emit_extract(v, i);
        return true;
    case LLVMInsertElement:
        sl_vector_emit_insert(v, i);
        return true;
    case LLVMShuffleVector:
        sl_vector_emit_shuffle(v, i, count);
        return true;
    case LLVMExtractValue:
    case LLVMInsertValue:
        sl_vector_emit_field(v, i, count);
        return true;
    default:
        return false;
    }
}

static void emit_varying(struct sl_vector *v, LLVMValueRef i)
{
    uint32_t count = sl_vector_part_count(LLVMTypeOf(i));
    if (sl_vector_is_interleaved(&v->facts, i)) {
        sl_vector_emit_interleaved(v, i);
        return;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        sl_vector_emit_load(v, i);
        break;
    case LLVMStore:
        sl_vector_emit_store(v, i);
        break;
    case LLVMCall:
        sl_vector_emit_call(v, i);
        break;
    case LLVMGetElementPtr:
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind)
            sl_vector_emit_serially(v, i);
        else
            emit_address(v, i);
        break;
    case LLVMICmp:
    case LLVMFCmp:
        emit_compare(v, i, count);
        break;
    case LLVMSelect:
        emit_select(v, i, count);
        break;
    case LLVMFNeg:
    case LLVMFreeze:
        emit_unary(v, i, count);
        break;
    case LLVMBitCast:
        if (sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0))) == count)
            emit_cast(v, i, count);
        else
            sl_vector_emit_regroup(v, i, count);
        break;
    default:
        if (sl_vector_is_division(i))
            sl_vector_emit_division(v, i);
        else if (LLVMIsABinaryOperator(i))
            emit_binary(v, i, count);
        else if (LLVMIsACastInst(i))
            emit_cast(v, i, count);
        else if (!emit_element(v, i, count) && !sl_vector_emit_combined(v, i))
            sl_vector_emit_serially(v, i);
    }
}

bool sl_vector_is_idle(LLVMValueRef i)
{
    const unsigned idle = SL_INTRINSIC_LIFETIME | SL_INTRINSIC_DEBUG | SL_INTRINSIC_ASSUME |
                          SL_INTRINSIC_ALIAS_SCOPE | SL_INTRINSIC_PREFETCH |
                          SL_INTRINSIC_INVARIANT | SL_INTRINSIC_NOTHING;
    return sl_llvm_is_intrinsic(i, idle) || sl_wi_is_inner_split(i) || sl_wi_is_compaction(i);
}

/* Lane 0's place, of lanes that are in a row unless an index wraps around also: it does no harm to
 * fetch what nobody loads. NULL: they are anywhere. */
static LLVMValueRef first_place(struct sl_vector *v, LLVMValueRef place, uint64_t *stride)
{
    struct sl_shape shape = sl_vector_shape_at(&v->facts, place, v->now.block);
    int64_t step = shape.kind == SL_SHAPE_LINEAR ? shape.stride : 0;
    LLVMValueRef sure;
    bool guess = shape.kind == SL_SHAPE_VARYING;
    if (guess && !sl_vector_speculative_stride(&v->facts, place, v->now.block, &step))
        return NULL;
    *stride = (uint64_t)llabs(step);
    return guess ? sl_vector_speculative_base(v, place, &sure) : sl_vector_scalar(v, place);
}

/* Of lanes side by side each line of the cache, of others none. */
static void emit_prefetch(struct sl_vector *v, LLVMValueRef i)
{
    enum { LINE = 64 };
    uint64_t stride = 0;
    LLVMValueRef first = first_place(v, LLVMGetOperand(i, 0), &stride), parts[4];
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (!first || stride > LINE / 2)
        return;
    for (unsigned k = 1; k < 4; k++)
        parts[k] = LLVMGetOperand(i, k);
    for (uint64_t at = 0; !at || at < stride * v->facts.lanes; at += LINE) {
        parts[0] = at ? sl_emit_byte_offset(&v->g->e, first, sl_emit_i64(&v->g->e, at), "") : first;
        LLVMBuildCall2(builder(v), LLVMGlobalGetValueType(callee), callee, parts, 4, "");
    }
}

void sl_vector_emit_instruction(struct sl_vector *v, LLVMValueRef i)
{
    if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_PREFETCH)) {
        emit_prefetch(v, i);
        return;
    }
    if (LLVMIsAAllocaInst(i) || sl_vector_is_idle(i))
        return;
    LLVMValueRef given = LLVMIsACallInst(i) ? v->now.place(v->now.data, i) : NULL;
    LLVMSetCurrentDebugLocation2(builder(v), LLVMInstructionGetDebugLoc(i));
    struct sl_shape shape = sl_vector_shape(&v->facts, i);
    bool is;
    if (given)
        sl_vector_set_scalar(v, i, given);
    else if (sl_vector_is_decided(&v->facts, i, &is))
        sl_vector_set_scalar(v, i, LLVMConstInt(v->g->e.i1, is, false));
    else if (LLVMIsAGetElementPtrInst(i) && sl_vector_array(&v->facts, i))
        sl_vector_emit_place(v, i);
    else if (sl_sub_group_op(i, NULL))
        sl_vector_emit_sub_group(v, i);
    else if (sl_lane_bound(i, NULL))
        sl_vector_emit_lane_bound(v, i);
    else if (LLVMGetInstructionOpcode(i) == LLVMFence)
        LLVMInsertIntoBuilder(builder(v), LLVMInstructionClone(i));
    else if (shape.kind == SL_SHAPE_VARYING || LLVMIsAStoreInst(i) ||
             (LLVMIsALoadInst(i) && sl_map_get(v->facts.variables, LLVMGetOperand(i, 0))) ||
             LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        emit_varying(v, i);
    else
        on_scalars(v, i, shape);
}
