/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by the name of what they call. No shared state. */
#include "ir/calls.h"

#include "ir/memory.h"
#include "llvm/llvm_extra.h"
#include <string.h>

const char *sl_callee_name(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call))
        return "";
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
}

const void *sl_find_row(const void *rows, size_t count, size_t row_bytes, const char *name)
{
    for (const char *row = rows; count--; row += row_bytes)
        if (!strcmp(name, *(const char *const *)(const void *)row))
            return row;
    return NULL;
}

void sl_find_calls(LLVMValueRef function, bool (*wanted)(const char *callee), struct sl_list *calls)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (wanted(sl_callee_name(i)))
                sl_list_add(calls, i);
}

bool sl_is_kernel(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_KERNEL_ATTRIBUTE, strlen(SL_KERNEL_ATTRIBUTE));
}
