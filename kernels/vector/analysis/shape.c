/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each value of a piece looks like across lanes: a fixed point from "the same everywhere"
 * downwards. A varying branch makes phis vary, so control flow and shapes are found together.
 * No shared state.
 */
#include "vector/analysis/shape.h"

#include "ir/bits.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/flow_check.h"
#include "vector/memory/arrays.h"
#include "vector/operations/call.h"
#include "vector/operations/image.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_STEP 65536 /* from lane to lane, for which a signed number does not wrap */

static const struct sl_shape uniform = {.kind = SL_SHAPE_UNIFORM, .nsw = true, .nuw = true};
static const struct sl_shape varying = {.kind = SL_SHAPE_VARYING};

static struct sl_shape linear(int64_t stride, bool nsw, bool nuw)
{
    return stride ? (struct sl_shape){SL_SHAPE_LINEAR, stride, nsw, nuw} : uniform;
}

struct sl_shape sl_vector_shape(const struct sl_vector_facts *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    if (known)
        return known->shape;
    if (LLVMIsAUndefValue(value))
        return (struct sl_shape){0};
    return LLVMIsAInstruction(value) ? (struct sl_shape){0} : uniform;
}

struct sl_shape sl_vector_shape_at(const struct sl_vector_facts *v, LLVMValueRef value,
                                   uint32_t block)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    if (!known || known->block == v->plan.count)
        return sl_vector_shape(v, value);
    for (uint32_t l = v->plan.blocks[known->block].loop; l; l = v->plan.loops[l - 1].parent)
        if (v->plan.loops[l - 1].divergent && !sl_vector_loop_has(&v->plan, l, block) &&
            known->shape.kind != SL_SHAPE_NONE)
            return varying;
    return known->shape;
}

static struct sl_shape meet(struct sl_shape a, struct sl_shape b)
{
    if (a.kind == SL_SHAPE_NONE)
        return b;
    if (b.kind == SL_SHAPE_NONE)
        return a;
    if (a.kind != b.kind || a.stride != b.stride)
        return varying;
    a.nsw &= b.nsw;
    a.nuw &= b.nuw;
    return a;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

struct of {
    const struct sl_vector_facts *v;
    LLVMValueRef i;
    uint32_t block;
};

static struct sl_shape operand(const struct of *o, unsigned k)
{
    return sl_vector_shape_at(o->v, LLVMGetOperand(o->i, k), o->block);
}

static struct sl_shape by_operands(const struct of *o)
{
    struct sl_shape all = uniform;
    for (int k = 0; k < LLVMGetNumOperands(o->i); k++) {
        if (LLVMValueIsBasicBlock(LLVMGetOperand(o->i, k)))
            continue;
        struct sl_shape one = operand(o, k);
        if (one.kind == SL_SHAPE_NONE && !LLVMIsAUndefValue(LLVMGetOperand(o->i, k)))
            return one;
        if (one.kind > SL_SHAPE_UNIFORM)
            all = varying;
    }
    return all;
}

static bool constant(LLVMValueRef value, int64_t *is)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    *is = LLVMConstIntGetSExtValue(value);
    return true;
}

static bool known(struct sl_shape a, struct sl_shape b)
{
    return a.kind != SL_SHAPE_NONE && b.kind != SL_SHAPE_NONE;
}

static struct sl_shape sum(const struct of *o, int sign, bool nsw, bool nuw)
{
    struct sl_shape a = operand(o, 0), b = operand(o, 1);
    if (!known(a, b) || a.kind == SL_SHAPE_VARYING || b.kind == SL_SHAPE_VARYING ||
        (a.kind == SL_SHAPE_UNIFORM && b.kind == SL_SHAPE_UNIFORM))
        return by_operands(o);
    return linear(a.stride + sign * b.stride, nsw && a.nsw && b.nsw, nuw && a.nuw && b.nuw);
}

static struct sl_shape scaled(const struct of *o, bool shift)
{
    struct sl_shape a = operand(o, 0);
    int64_t factor;
    if (a.kind != SL_SHAPE_LINEAR || !constant(LLVMGetOperand(o->i, 1), &factor) ||
        (shift && (factor < 0 || factor > 62)))
        return by_operands(o);
    factor = shift ? INT64_C(1) << factor : factor;
    if (llabs(factor) > INT32_MAX || llabs(a.stride) > INT32_MAX)
        return varying;
    return linear(a.stride * factor, a.nsw && LLVMGetNSW(o->i), a.nuw && LLVMGetNUW(o->i));
}

/* ~x is -1 - x. */
static struct sl_shape inverted(const struct of *o)
{
    struct sl_shape a = operand(o, 0);
    int64_t ones;
    if (a.kind != SL_SHAPE_LINEAR || !constant(LLVMGetOperand(o->i, 1), &ones) || ones != -1)
        return by_operands(o);
    return linear(-a.stride, a.nsw, false);
}

/* ashr (shl id, 32), k: the low half of the id as a signed number, times a power of two. */
static struct sl_shape narrowed(const struct of *o)
{
    LLVMValueRef shl = LLVMGetOperand(o->i, 0);
    int64_t up, down;
    enum sl_wi what;
    unsigned dim;
    if (!LLVMIsAInstruction(shl) || LLVMGetInstructionOpcode(shl) != LLVMShl ||
        !constant(LLVMGetOperand(shl, 1), &up) || !constant(LLVMGetOperand(o->i, 1), &down) ||
        up != 32 || down < 0 || down > 32 || !sl_wi_parse(LLVMGetOperand(shl, 0), &what, &dim) ||
        operand(o, 0).kind != SL_SHAPE_LINEAR)
        return by_operands(o);
    return linear(INT64_C(1) << (32 - down), true, true);
}

static struct sl_shape low_half(const struct of *o)
{
    int64_t bits;
    enum sl_wi what;
    unsigned dim;
    if (operand(o, 0).kind == SL_SHAPE_LINEAR && constant(LLVMGetOperand(o->i, 1), &bits) &&
        bits == 0xffffffff && sl_wi_parse(LLVMGetOperand(o->i, 0), &what, &dim))
        return linear(1, true, true);
    return by_operands(o);
}

static struct sl_shape truncated(const struct of *o)
{
    struct sl_shape a = operand(o, 0);
    enum sl_wi what;
    unsigned dim;
    if (a.kind != SL_SHAPE_LINEAR)
        return by_operands(o);
    bool half = sl_wi_parse(LLVMGetOperand(o->i, 0), &what, &dim) &&
                LLVMGetIntTypeWidth(LLVMTypeOf(o->i)) == 32;
    return linear(a.stride, half, half);
}

static struct sl_shape widened(const struct of *o, bool sign)
{
    struct sl_shape a = operand(o, 0);
    if (a.kind != SL_SHAPE_LINEAR)
        return by_operands(o);
    bool fine = sign ? a.nsw : a.nuw || (a.nsw && LLVMGetNNeg(o->i));
    return fine ? linear(a.stride, true, !sign || a.nuw) : varying;
}

static struct sl_shape moved(const struct of *o)
{
    struct sl_shape all = operand(o, 0);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(o->v->g->pass->module);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(o->i);
    int64_t stride = all.stride;
    uint64_t times = sl_vector_array(o->v, o->i) ? o->v->lanes : 1;
    struct sl_shape plain = by_operands(o);
    if (plain.kind != SL_SHAPE_VARYING || LLVMGetTypeKind(LLVMTypeOf(o->i)) == LLVMVectorTypeKind)
        return plain;
    for (int k = 1; k < LLVMGetNumOperands(o->i); k++) {
        LLVMValueRef index = LLVMGetOperand(o->i, k);
        struct sl_shape s = operand(o, k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        if (s.kind == SL_SHAPE_VARYING || (LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64 && !s.nsw))
            return varying;
        uint64_t size = LLVMABISizeOfType(data, type) * times;
        if (s.stride && (size > INT32_MAX || llabs(s.stride) > INT32_MAX))
            return varying;
        stride += s.stride * (int64_t)size;
    }
    return all.kind == SL_SHAPE_VARYING ? varying : linear(stride, false, false);
}

/* Lane 0's value is computed as it is, in its own width. If that lane is an inactive one, it may
 * have gone on below zero; and over the end, if it is far from the active ones. */
static struct sl_shape as_is(struct sl_shape all)
{
    if (all.kind == SL_SHAPE_LINEAR) {
        all.nuw = false;
        all.nsw &= llabs(all.stride) <= LARGEST_STEP;
    }
    return all;
}

static struct sl_shape selected(const struct of *o)
{
    struct sl_shape on = operand(o, 0);
    if (on.kind != SL_SHAPE_UNIFORM)
        return on.kind == SL_SHAPE_NONE ? on : varying;
    return as_is(meet(operand(o, 1), operand(o, 2)));
}

/* ---- phis, memory, calls --------------------------------------------------------------------- */

static struct sl_shape merged(const struct of *o)
{
    struct sl_shape all = {0};
    if (sl_bits_has(o->v->plan.joins, o->block))
        return varying;
    for (unsigned k = 0; k < LLVMCountIncoming(o->i); k++) {
        if (sl_vector_number(&o->v->plan, LLVMGetIncomingBlock(o->i, k)) == o->v->plan.count)
            continue;
        LLVMValueRef value = LLVMGetIncomingValue(o->i, k);
        all = meet(all, sl_vector_shape_at(o->v, value, o->block));
    }
    return as_is(all);
}

static struct sl_shape loaded(const struct of *o)
{
    LLVMValueRef pointer = LLVMGetOperand(o->i, 0);
    const struct sl_vector_variable *variable = sl_map_get(o->v->variables, pointer);
    if (variable && !variable->memory)
        return variable->uniform ? uniform : varying;
    struct sl_shape a = operand(o, 0);
    if (a.kind == SL_SHAPE_NONE)
        return a;
    bool plain = !LLVMGetVolatile(o->i) && LLVMGetOrdering(o->i) == LLVMAtomicOrderingNotAtomic;
    return a.kind == SL_SHAPE_UNIFORM && plain ? uniform : varying;
}

static bool is_pure(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee))
        return false;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static struct sl_shape called(const struct of *o)
{
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(o->i, &what, &dim))
        return !sl_wi_is_item(what) || dim ? uniform
               : o->v->compacted           ? varying
                                           : linear(1, true, true);
    return sl_vector_is_lanewise_call(o->i) || sl_vector_is_image_read(o->i) || is_pure(o->i)
               ? by_operands(o)
               : varying;
}

static struct sl_shape of_variable(const struct of *o)
{
    const struct sl_vector_array *array = sl_vector_array(o->v, o->i);
    const struct sl_vector_variable *variable = sl_map_get(o->v->variables, o->i);
    if (array)
        return linear(array->element, false, false);
    if (!variable)
        return varying;
    return variable->memory ? linear((int64_t)variable->stride, false, false) : uniform;
}

static struct sl_shape of_instruction(const struct of *o)
{
    bool is;
    if (sl_vector_is_decided(o->v, o->i, &is))
        return uniform;
    switch (LLVMGetInstructionOpcode(o->i)) {
    case LLVMPHI:
        return merged(o);
    case LLVMAdd:
        return sum(o, 1, LLVMGetNSW(o->i), LLVMGetNUW(o->i));
    case LLVMSub:
        return sum(o, -1, LLVMGetNSW(o->i), LLVMGetNUW(o->i));
    case LLVMOr:
        return LLVMGetIsDisjoint(o->i) ? sum(o, 1, true, true) : by_operands(o);
    case LLVMMul:
        return scaled(o, false);
    case LLVMShl:
        return scaled(o, true);
    case LLVMXor:
        return inverted(o);
    case LLVMAShr:
        return narrowed(o);
    case LLVMAnd:
        return low_half(o);
    case LLVMTrunc:
        return truncated(o);
    case LLVMSExt:
    case LLVMZExt:
        return widened(o, LLVMGetInstructionOpcode(o->i) == LLVMSExt);
    case LLVMGetElementPtr:
        return moved(o);
    case LLVMSelect:
        return selected(o);
    case LLVMLoad:
        return loaded(o);
    case LLVMCall:
        return called(o);
    case LLVMAlloca:
        return of_variable(o);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMVAArg:
        return varying;
    default:
        return by_operands(o);
    }
}

/* ---- the fixed point ------------------------------------------------------------------------- */

static bool visit(struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    struct of o = {v, i, block};
    struct sl_vector_known *value = sl_map_get(&v->values, i);
    if (!value) {
        value = sl_ir_alloc(1, sizeof *value);
        value->block = block;
        sl_map_set(&v->values, i, value);
    }
    if (LLVMIsATerminatorInst(i)) {
        if (LLVMGetNumSuccessors(i) < 2)
            return false;
        struct sl_shape on = operand(&o, 0);
        return on.kind > SL_SHAPE_UNIFORM && !sl_vector_meets_barriers(v, block) &&
               sl_vector_plan_diverge(&v->plan, block);
    }
    if (value->shape.kind == SL_SHAPE_VARYING)
        return false;
    struct sl_shape now = of_instruction(&o);
    if (value->shape.kind != SL_SHAPE_NONE && now.kind != SL_SHAPE_NONE)
        now = meet(value->shape, now); /* only downwards, so that this ends */
    struct sl_shape was = value->shape;
    value->shape = now;
    return now.kind != was.kind || now.stride != was.stride || now.nsw != was.nsw ||
           now.nuw != was.nuw;
}

static bool visit_block(struct sl_vector_facts *v, LLVMBasicBlockRef ref, uint32_t block)
{
    bool changed = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i))
        changed |= visit(v, i, block);
    return changed;
}

void sl_vector_find_shapes(struct sl_vector_facts *v)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(v->g->split.kernel);
    if (sl_vector_number(&v->plan, entry) == v->plan.count)
        visit_block(v, entry, v->plan.count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < v->plan.count; b++)
            changed |= visit_block(v, v->plan.blocks[b].ref, b);
    }
}
