/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clamps whose lower end no number can reach: a sum of absolute values that is converted as one
 * with a sign, which is what clang's writer of SPIR-V makes of convert_uchar4_sat(uint4). LLVM sees
 * it where it looks at the numbers that values may have, which is worth its time in kernels that
 * have clamps. No shared state.
 */
#include "passes/stages.h"

#include "llvm/intrinsics.h"

static bool is_at_zero(LLVMValueRef i)
{
    const struct sl_intrinsic *row = LLVMIsACallInst(i) ? sl_llvm_intrinsic(i) : NULL;
    return row && row->bound == SL_BOUND_MAX && row->flags & SL_INTRINSIC_SIGNED &&
           LLVMIsConstant(LLVMGetOperand(i, 1)) && LLVMIsNull(LLVMGetOperand(i, 1));
}

bool sl_has_clamp_at_zero(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_at_zero(i))
                return true;
    return false;
}
