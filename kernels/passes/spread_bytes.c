/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes each in front of one that nobody wants, as `out[2 * i] = x` of 64 items stores them: LLVM
 * 22 does not come back from making AVX-512 code of that where the bytes were just computed. Its
 * legaliser moves the halves of a register in front of the shuffle, which is the shuffle again,
 * and so on. Words of two bytes, of which the second is zero, are the same bytes, and as fast.
 * Runs behind LLVM's optimiser, which would make shuffles of them again. No shared state.
 */
#include "passes/passes.h"

#include <llvm-c/Core.h>

#include "ir/memory.h"
#include "vector/analysis/target.h"

enum { LEAST = 64 }; /* bytes: a register */

static bool is_spread(LLVMValueRef v)
{
    const int any = LLVMGetUndefMaskElem();
    if (!LLVMIsAShuffleVectorInst(v) || LLVMGetNumMaskElements(v) < LEAST)
        return false;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) != 8 ||
        LLVMGetNumMaskElements(v) % 2)
        return false;
    for (unsigned k = 1; k < LLVMGetNumMaskElements(v); k += 2)
        if (LLVMGetMaskValue(v, k) != any)
            return false;
    return true;
}

/* Those in front, side by side. */
static LLVMValueRef wanted(LLVMBuilderRef b, LLVMValueRef shuffle)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(shuffle)));
    const int any = LLVMGetUndefMaskElem();
    struct sl_list order = {0};
    for (unsigned k = 0; k < LLVMGetNumMaskElements(shuffle); k += 2) {
        int from = LLVMGetMaskValue(shuffle, k);
        sl_list_add(&order,
                    from == any ? LLVMGetPoison(word) : LLVMConstInt(word, (unsigned)from, false));
    }
    LLVMValueRef mask = LLVMConstVector((LLVMValueRef *)order.items, (unsigned)order.count);
    sl_list_finish(&order);
    return LLVMBuildShuffleVector(b, LLVMGetOperand(shuffle, 0), LLVMGetOperand(shuffle, 1), mask,
                                  "");
}

static LLVMValueRef as_words(LLVMBuilderRef b, LLVMValueRef shuffle)
{
    LLVMTypeRef type = LLVMTypeOf(shuffle);
    LLVMTypeRef words = LLVMVectorType(LLVMInt16TypeInContext(LLVMGetTypeContext(type)),
                                       LLVMGetVectorSize(type) / 2);
    LLVMPositionBuilderBefore(b, shuffle);
    return LLVMBuildBitCast(b, LLVMBuildZExt(b, wanted(b, shuffle), words, ""), type, "");
}

void sl_widen_spread_bytes(const struct sl_pass *pass)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    if (!target || target->register_bits < 8 * LEAST)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(pass->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (!is_spread(i))
                    continue;
                LLVMReplaceAllUsesWith(i, as_words(b, i));
                LLVMInstructionEraseFromParent(i);
            }
    LLVMDisposeBuilder(b);
}
