/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of two and three numbers are computed in registers of four lanes. What lies in the lanes
 * that are nobody's is often an integer that shares a record with a float3: as a float it is a
 * denormal number, and each multiplication with one takes a hundred cycles and more. So numbers
 * that come into arithmetic with such lanes get zeros there. No shared state.
 */
#include "passes/passes.h"
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"
#include <llvm-c/Core.h>

#define LANES 4u
#define DEPTH 8 /* of phis and selects between a number and what computes with it */

static bool is_short(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetElementType(type));
    unsigned count = LLVMGetVectorSize(type);
    return (count == 3 && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)) ||
           (count == 2 && kind == LLVMFloatTypeKind);
}

/* ---- what computes --------------------------------------------------------------------------- */

static bool is_arithmetic(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return true;
    case LLVMCall:
        return sl_llvm_is_intrinsic(i, SL_INTRINSIC_FMA | SL_INTRINSIC_SQRT);
    default:
        return false;
    }
}

/* Smaller of two, magnitude, next integer ... of each lane. */
static bool is_each_lane(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
        return false;
    return LLVMGetIntrinsicID(LLVMGetCalledValue(i)) && LLVMGetNumArgOperands(i) &&
           LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMTypeOf(i);
}

/* It hands on whole registers. */
static bool passes_on(LLVMValueRef i)
{
    return LLVMIsAPHINode(i) || LLVMIsASelectInst(i) || LLVMGetInstructionOpcode(i) == LLVMFNeg ||
           is_each_lane(i);
}

static bool is_computed_with(LLVMValueRef value, uint32_t depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_arithmetic(user) || (depth && passes_on(user) && is_computed_with(user, depth - 1)))
            return true;
    }
    return false;
}

/* ---- what brings such lanes ------------------------------------------------------------------ */

/* All lanes get one element. */
static bool is_splat(LLVMValueRef shuffle)
{
    for (unsigned k = 1; k < LLVMGetNumMaskElements(shuffle); k++)
        if (LLVMGetMaskValue(shuffle, k) != LLVMGetMaskValue(shuffle, 0))
            return false;
    return true;
}

/* Some of a longer vector's elements. */
static bool takes_some_elements(LLVMValueRef shuffle)
{
    unsigned given = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(shuffle, 0)));
    return given > LLVMGetNumMaskElements(shuffle);
}

/* Pairs are loaded with zeros behind them. */
static bool brings_lanes(LLVMValueRef i)
{
    bool pair = LLVMGetVectorSize(LLVMTypeOf(i)) == 2;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMShuffleVector:
        return !is_splat(i) && (!pair || takes_some_elements(i));
    case LLVMLoad:
    case LLVMBitCast:
    case LLVMCall:
    case LLVMExtractValue:
        return !pair && !is_each_lane(i);
    case LLVMInsertElement: { /* the last one of a chain */
        LLVMUseRef use = LLVMGetFirstUse(i);
        LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
        return !pair && user && (LLVMGetNextUse(use) || !LLVMIsAInsertElementInst(user));
    }
    default:
        return false;
    }
}

/* ---- zeros in their place -------------------------------------------------------------------- */

static LLVMValueRef lanes_of(const struct sl_emit *e, unsigned own, unsigned count, unsigned other)
{
    LLVMValueRef lanes[LANES];
    for (unsigned k = 0; k < count; k++)
        lanes[k] = sl_emit_i32(e, k < own ? k : other);
    return LLVMConstVector(lanes, count);
}

/* Without the fence LLVM would see that nobody asks for these lanes. */
static LLVMValueRef fence(struct sl_emit *e, LLVMModuleRef module, LLVMValueRef value)
{
    static const char name[] = "llvm.arithmetic.fence";
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), &type, 1);
    return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, &value, 1, "");
}

static void replace_uses(LLVMValueRef old, LLVMValueRef now, LLVMValueRef except)
{
    for (LLVMUseRef use = LLVMGetFirstUse(old), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        for (int k = 0; user != except && k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == old)
                LLVMSetOperand(user, (unsigned)k, now);
    }
}

static LLVMValueRef clear(struct sl_emit *e, LLVMModuleRef module, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned own = LLVMGetVectorSize(type);
    LLVMValueRef behind = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(e->builder, behind);
    LLVMValueRef wide = LLVMBuildShuffleVector(e->builder, i, LLVMConstNull(type),
                                               lanes_of(e, own, LANES, own), "");
    LLVMValueRef fenced = fence(e, module, wide);
    LLVMValueRef now = LLVMBuildShuffleVector(e->builder, fenced, LLVMGetPoison(LLVMTypeOf(fenced)),
                                              lanes_of(e, own, own, 0), "");
    replace_uses(i, now, wide);
    return behind;
}

void sl_clear_unused_lanes(const struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, LLVMGetModuleContext(pass->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_short(LLVMTypeOf(i)) && brings_lanes(i) && is_computed_with(i, DEPTH))
                    next = clear(&e, pass->module, i);
            }
    sl_emit_finish(&e);
}
