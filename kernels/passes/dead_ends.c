/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a program says that it never comes, `unreachable` gives LLVM leave to make no code at all:
 * a kernel that comes there runs on into whatever lies behind it. Here such places become traps,
 * before any optimisation sees them. What optimisation itself proves to be such a place, as a store
 * to a null pointer, follows after it. No shared state.
 */
#include "items/work_item.h"
#include "passes/passes.h"
#include "passes/stages.h"

#include "ir/memory.h"
#include "items/trap.h"
#include "llvm/intrinsics.h"
#include <llvm-c/Core.h>
#include <string.h>

static LLVMValueRef declare_trap(LLVMModuleRef module)
{
    unsigned id = LLVMLookupIntrinsicID(SL_DEAD_END, strlen(SL_DEAD_END));
    return LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
}

/* What promises to come back never, and may do so. */
static void forget_promises(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                LLVMRemoveCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind);
}

static bool is_false_assumption(LLVMValueRef i)
{
    return sl_llvm_is_intrinsic(i, SL_INTRINSIC_ASSUME) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
           !LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
}

/* A block that just had its trap needs no other. */
static bool is_dead_end(LLVMValueRef i)
{
    if (is_false_assumption(i))
        return true;
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    return LLVMGetInstructionOpcode(i) == LLVMUnreachable && !(before && sl_is_trap(before));
}

static void find_dead_ends(LLVMValueRef f, struct sl_list *found)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_dead_end(i))
                sl_list_add(found, i);
}

void sl_trap_dead_ends(LLVMModuleRef module)
{
    struct sl_emit e;
    struct sl_list found = {0};
    sl_emit_init(&e, LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        forget_promises(f);
        find_dead_ends(f, &found);
    }
    LLVMValueRef trap = found.count ? declare_trap(module) : NULL;
    LLVMValueRef why = LLVMConstInt(e.i8, 0, false);
    for (size_t i = 0; i < found.count; i++) {
        LLVMPositionBuilderBefore(e.builder, found.items[i]);
        LLVMBuildCall2(e.builder, LLVMGlobalGetValueType(trap), trap, &why, 1, "");
    }
    sl_list_finish(&found);
    sl_emit_finish(&e);
}

/* A call through the runtime's table that is followed by `unreachable` is a trap made before. */
static bool follows_trap(LLVMValueRef unreachable)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(unreachable);
    return before && LLVMIsACallInst(before) && !LLVMIsAFunction(LLVMGetCalledValue(before));
}

void sl_trap_proven_dead_ends(struct sl_pass *pass)
{
    struct sl_emit e;
    struct sl_list found = {0};
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        LLVMValueRef f = pass->kernels[k].run; /* NULL: another process has it */
        for (LLVMBasicBlockRef b = f ? LLVMGetFirstBasicBlock(f) : NULL; b;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
            if (LLVMGetInstructionOpcode(last) == LLVMUnreachable && !follows_trap(last))
                sl_list_add(&found, last);
        }
    }
    for (size_t i = 0; i < found.count; i++) {
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(found.items[i]));
        LLVMPositionBuilderBefore(e.builder, found.items[i]);
        sl_emit_trap(&e, LLVMGetParam(f, 1), SL_TEXT_DEAD_END);
    }
    sl_list_finish(&found);
    sl_emit_finish(&e);
}
