/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where reciprocals are allowed for divisions (-cl-fast-relaxed-math), LLVM makes them of the
 * machine's estimate and one step of Newton's method. That of AVX-512 has 14 bits and is good for
 * 1.7 ulp; the older one has 12, and quotients are off by up to 3, where OpenCL C allows 2.5.
 * These are divided. No shared state.
 */
#include "passes/passes.h"
#include "passes/stages.h"
#include "vector/analysis/target.h"

#include <llvm-c/Core.h>

#define ESTIMATE_LANES 16 /* the only width for which LLVM takes the estimate of 14 bits */

static bool is_one(LLVMValueRef value)
{
    LLVMValueRef all = LLVMIsAConstantDataVector(value) || LLVMIsAConstantVector(value)
                           ? LLVMGetAggregateElement(value, 0)
                           : value;
    LLVMBool lost = false;
    return all && LLVMIsAConstantFP(all) && LLVMConstRealGetDouble(all, &lost) == 1;
}

/* Reciprocals are right within 1.9 ulp, with square roots below them within 2.4. */
static bool is_inexact(LLVMValueRef i, bool has_14_bits)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetInstructionOpcode(i) != LLVMFDiv || LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMFloatTypeKind ||
        !(LLVMGetFastMathFlags(i) & LLVMFastMathAllowReciprocal) || is_one(LLVMGetOperand(i, 0)))
        return false;
    return !has_14_bits || LLVMGetVectorSize(type) % ESTIMATE_LANES;
}

/* LLVM's flags of an instruction can be added to, not taken back. */
static void divide(LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef now = LLVMBuildFDiv(builder, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), "");
    if (LLVMIsAInstruction(now) && LLVMGetInstructionOpcode(now) == LLVMFDiv)
        LLVMSetFastMathFlags(now, LLVMGetFastMathFlags(i) &
                                      ~(LLVMFastMathFlags)LLVMFastMathAllowReciprocal);
    LLVMReplaceAllUsesWith(i, now);
    LLVMInstructionEraseFromParent(i);
}

void sl_divide_where_estimates_are_poor(const struct sl_pass *pass)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    bool has_14_bits = target && target->register_bits == 512;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(pass->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_inexact(i, has_14_bits))
                    divide(builder, i);
            }
    LLVMDisposeBuilder(builder);
}
