/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer division never traps: OpenCL C leaves the result of x/0 and INT_MIN/-1 open but does not
 * let the program end. The divisors 0 and -1 become 1, and quotients by -1 are negated: what is
 * divided is not asked, so that a divisor which all items share stays one. Runs before LLVM may
 * take the cases for impossible. No shared state.
 */
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include <stdlib.h>

static bool is_division(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return true;
    default:
        return false;
    }
}

static bool is_signed(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMSDiv || LLVMGetInstructionOpcode(i) == LLVMSRem;
}

static bool is_harmless_constant(LLVMValueRef value)
{
    if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
        return false;
    int64_t divisor = LLVMConstIntGetSExtValue(value);
    return divisor != 0 && divisor != -1;
}

static bool is_safe_divisor(LLVMValueRef value)
{
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind)
        return is_harmless_constant(value);
    if (!LLVMIsConstant(value))
        return false;
    for (unsigned k = 0; k < LLVMGetVectorSize(LLVMTypeOf(value)); k++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, k);
        if (!element || !is_harmless_constant(element))
            return false;
    }
    return true;
}

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return scalar;
    unsigned lanes = LLVMGetVectorSize(type);
    LLVMValueRef *all = sl_ir_alloc(lanes, sizeof(*all));
    for (unsigned k = 0; k < lanes; k++)
        all[k] = scalar;
    LLVMValueRef vector = LLVMConstVector(all, lanes);
    free(all);
    return vector;
}

/* -quotient where the divisor is -1. */
static void negate(const struct sl_emit *e, LLVMValueRef quotient, LLVMValueRef divisor)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef minus_one = LLVMConstAllOnes(LLVMTypeOf(divisor));
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(quotient));
    LLVMValueRef is = LLVMBuildICmp(b, LLVMIntEQ, divisor, minus_one, "");
    LLVMValueRef negative = LLVMBuildNeg(b, quotient, "");
    LLVMValueRef result = LLVMBuildSelect(b, is, negative, quotient, "");
    LLVMReplaceAllUsesWith(quotient, result);
    LLVMSetOperand(negative, 1, quotient);
    LLVMSetOperand(result, 2, quotient);
}

static void guard(const struct sl_emit *e, LLVMValueRef division)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef d = LLVMGetOperand(division, 1), bad;
    LLVMTypeRef type = LLVMTypeOf(d);
    LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMValueRef one = splat(type, LLVMConstInt(element, 1, false));
    LLVMPositionBuilderBefore(b, division);
    d = LLVMBuildFreeze(b, d, "");
    if (is_signed(division)) {
        LLVMValueRef two = splat(type, LLVMConstInt(element, 2, false));
        bad = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildAdd(b, d, one, ""), two, "");
    } else {
        bad = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstNull(type), "");
    }
    LLVMSetOperand(division, 1, LLVMBuildSelect(b, bad, one, d, "divisor"));
    if (LLVMGetInstructionOpcode(division) == LLVMSDiv)
        negate(e, division, d);
}

int sl_pass_safe_division(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_division(i) && !is_safe_divisor(LLVMGetOperand(i, 1)))
                    guard(&e, i);
    sl_emit_finish(&e);
    return 0;
}
