/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer division never traps: OpenCL C leaves the result of x/0 and INT_MIN/-1 open but does not
 * let the program end. Such divisors become 1. Runs before LLVM may take the cases for impossible.
 * No shared state.
 */
#include "passes/passes_internal.h"

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

/* The smallest signed number: all ones, shifted right as unsigned, inverted. */
static LLVMValueRef smallest(LLVMTypeRef element)
{
    unsigned width = LLVMGetIntTypeWidth(element);
    uint64_t words[2] = {0, 0};
    words[(width - 1) / 64 & 1] = UINT64_C(1) << (width - 1) % 64;
    return LLVMConstIntOfArbitraryPrecision(element, 2, words);
}

static void guard(const struct sl_emit *e, LLVMValueRef division)
{
    LLVMValueRef n = LLVMGetOperand(division, 0), d = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(d);
    LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMPositionBuilderBefore(e->builder, division);
    d = LLVMBuildFreeze(e->builder, d, "");
    LLVMValueRef bad = LLVMBuildICmp(e->builder, LLVMIntEQ, d, LLVMConstNull(type), "");
    if (is_signed(division)) {
        n = LLVMBuildFreeze(e->builder, n, "");
        LLVMSetOperand(division, 0, n);
        LLVMValueRef least =
            LLVMBuildICmp(e->builder, LLVMIntEQ, n, splat(type, smallest(element)), "");
        LLVMValueRef minus = LLVMBuildICmp(e->builder, LLVMIntEQ, d, LLVMConstAllOnes(type), "");
        bad = LLVMBuildOr(e->builder, bad, LLVMBuildAnd(e->builder, least, minus, ""), "");
    }
    LLVMValueRef one = splat(type, LLVMConstInt(element, 1, false));
    LLVMSetOperand(division, 1, LLVMBuildSelect(e->builder, bad, one, d, "divisor"));
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
