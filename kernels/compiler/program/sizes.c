/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses variables that no machine of ours can place: their sizes would overflow the 32-bit fields
 * of module.h, the reach of code's relative addresses, or any stack. No locks.
 */
#include "compiler/stage/stage.h"

#include "ir/space.h"

#define LARGEST_SUM ((uint64_t)1 << 30)

static int refuse(struct sl_stages *stages, const char *what, const char *where, uint64_t bytes)
{
    return sl_stage_fail(stages, "%s%s%s take%s %s%llu bytes; the limit is %llu", what,
                         *where ? " of function " : "", where, *where ? "" : "s",
                         bytes == UINT64_MAX ? "at least " : "", (unsigned long long)bytes,
                         (unsigned long long)LARGEST_SUM);
}

static uint64_t add(uint64_t sum, uint64_t bytes, uint64_t count)
{
    uint64_t product;
    if (__builtin_mul_overflow(bytes, count, &product) ||
        __builtin_add_overflow(sum, product, &sum))
        return UINT64_MAX;
    return sum;
}

static int check_globals(struct sl_stages *stages, LLVMTargetDataRef layout)
{
    uint64_t local = 0, other = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g)) {
        uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
        uint64_t *sum =
            LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SL_SPACE_LOCAL ? &local : &other;
        *sum = add(*sum, bytes, 1);
    }
    if (local > LARGEST_SUM)
        return refuse(stages, "local data", "", local);
    return other > LARGEST_SUM ? refuse(stages, "program-scope data", "", other) : 0;
}

static int check_function(struct sl_stages *stages, LLVMTargetDataRef layout, LLVMValueRef f)
{
    uint64_t sum = 0;
    size_t length;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) != LLVMAlloca)
                continue;
            LLVMValueRef count = LLVMGetOperand(i, 0);
            sum = add(sum, LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)),
                      LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 1);
        }
    return sum > LARGEST_SUM
               ? refuse(stages, "private variables", LLVMGetValueName2(f, &length), sum)
               : 0;
}

int sl_stage_check_sizes(struct sl_stages *stages)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(stages->module);
    int rc = check_globals(stages, layout);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); !rc && f;
         f = LLVMGetNextFunction(f))
        rc = check_function(stages, layout, f);
    return rc;
}
