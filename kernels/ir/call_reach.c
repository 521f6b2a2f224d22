/* SPDX-License-Identifier: Apache-2.0 */
/* See call_reach.h. */
#include "ir/call_reach.h"

void sl_call_reach_add(struct sl_call_reach *r, LLVMValueRef value)
{
    if (!value || !LLVMIsAFunction(value) || LLVMIsDeclaration(value) ||
        sl_call_reach_has(r, value))
        return;
    sl_map_set(&r->seen, value, value);
    sl_list_add(&r->found, value);
}

void sl_call_reach_callees(struct sl_call_reach *r, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef n = LLVMGetFirstInstruction(b); n; n = LLVMGetNextInstruction(n))
            for (int o = 0; o < LLVMGetNumOperands(n); o++)
                sl_call_reach_add(r, LLVMGetOperand(n, (unsigned)o));
}

bool sl_call_reach_has(const struct sl_call_reach *r, LLVMValueRef function)
{
    return sl_map_get(&r->seen, function);
}

void sl_call_reach_finish(struct sl_call_reach *r)
{
    sl_list_finish(&r->found);
    sl_map_finish(&r->seen);
}
