/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch over all values its operand can have gets a default from LLVM that is never reached.
 * For items that run together that would be one more way to part, and one out of the kernel: the
 * last case is made the default instead, which takes its comparison away too. No shared state.
 */
#include "passes/stages.h"

#include "ir/memory.h"
#include <llvm-c/Core.h>

static bool is_never_reached(LLVMBasicBlockRef b)
{
    return LLVMGetInstructionOpcode(LLVMGetFirstInstruction(b)) == LLVMUnreachable;
}

/* Successor 0 is the default. The edge from the last case becomes the default's, so that no phi
 * changes: a block that nobody reaches has none. */
static void settle(LLVMBuilderRef builder, LLVMValueRef choice)
{
    unsigned last = LLVMGetNumSuccessors(choice) - 1;
    LLVMPositionBuilderBefore(builder, choice);
    LLVMValueRef now = LLVMBuildSwitch(builder, LLVMGetOperand(choice, 0),
                                       LLVMGetSuccessor(choice, last), last - 1);
    for (unsigned s = 1; s < last; s++)
        LLVMAddCase(now, LLVMGetSwitchCaseValue(choice, s), LLVMGetSuccessor(choice, s));
    LLVMInstructionEraseFromParent(choice);
}

bool sl_settle_switches(LLVMValueRef f)
{
    struct sl_list found = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsASwitchInst(end) && LLVMGetNumSuccessors(end) > 1 &&
            is_never_reached(LLVMGetSwitchDefaultDest(end)))
            sl_list_add(&found, end);
    }
    bool changed = found.count;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(f)));
    for (size_t i = 0; i < found.count; i++)
        settle(builder, found.items[i]);
    LLVMDisposeBuilder(builder);
    sl_list_finish(&found);
    return changed;
}
