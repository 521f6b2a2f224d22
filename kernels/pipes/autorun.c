/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Autorun kernels are restarted for ever. Most are a few operations long, so the restart is a jump
 * here, past the loads of what is kept in registers. The device only sees the end of a run that
 * used no pipe: that one would keep a processor busy for nothing. No shared state.
 */
#include "pipes/expand.h"

#include "llvm/pass_support.h"

/* All variables stand before `first`, so that none is made in the loop. */
static void gather_variables(const struct sl_emit *e, LLVMValueRef first)
{
    LLVMValueRef next;
    LLVMPositionBuilderBefore(e->builder, first);
    for (LLVMValueRef i = first; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAAllocaInst(i)) {
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilder(e->builder, i);
        }
    }
}

static LLVMBasicBlockRef split_entry(struct sl_pipe_expander *x)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(x->function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    gather_variables(&x->e, first);
    return sl_llvm_split_block(first, "again");
}

static void repeat_at(struct sl_pipe_expander *x, LLVMValueRef end, LLVMBasicBlockRef again,
                      LLVMValueRef used)
{
    const struct sl_emit *e = &x->e;
    LLVMBasicBlockRef out = LLVMAppendBasicBlockInContext(e->context, x->function, "out");
    LLVMPositionBuilderBefore(e->builder, end);
    LLVMValueRef more = LLVMBuildLoad2(e->builder, e->i1, used, "");
    LLVMBuildCondBr(e->builder, more, again, out);
    LLVMInstructionEraseFromParent(end);
    LLVMPositionBuilderAtEnd(e->builder, out);
    LLVMBuildRetVoid(e->builder);
}

void sl_pipe_repeat(struct sl_pipe_expander *x)
{
    const struct sl_emit *e = &x->e;
    struct sl_list ends = {0};
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)))
            sl_list_add(&ends, LLVMGetBasicBlockTerminator(b));
    LLVMBasicBlockRef again = split_entry(x);
    LLVMValueRef used = sl_emit_entry_alloca(e, x->function, e->i1, 1, "used");
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(again));
    LLVMBuildStore(e->builder, LLVMConstInt(e->i1, 0, false), used);
    for (size_t i = 0; i < x->calls.count; i++) {
        LLVMPositionBuilderBefore(e->builder, x->calls.items[i]);
        LLVMBuildStore(e->builder, LLVMConstInt(e->i1, 1, false), used);
    }
    for (size_t i = 0; i < ends.count; i++)
        repeat_at(x, ends.items[i], again, used);
    sl_list_finish(&ends);
}
