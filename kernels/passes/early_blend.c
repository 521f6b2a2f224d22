/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector form asks "does any lane want this?" and passes a block by where none does. What the block
 * made then meets the other lanes' values behind it, by a mask that is empty where it was passed
 * by: a blend that everybody pays for. Here it moves to the end of the block, so that the way
 * around it is free of masks, blends, and whatever was kept from the last time the block ran. No
 * shared state.
 */
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"

static bool is_phi_of(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
}

static LLVMValueRef incoming(LLVMValueRef value, LLVMBasicBlockRef block, LLVMBasicBlockRef from)
{
    for (unsigned k = 0; is_phi_of(value, block) && k < LLVMCountIncoming(value); k++)
        if (LLVMGetIncomingBlock(value, k) == from)
            return LLVMGetIncomingValue(value, k);
    return value;
}

/* What is not a phi of the block must be there before the block is. */
static bool is_known_before(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return !LLVMIsAInstruction(value) || is_phi_of(value, block) ||
           LLVMGetInstructionParent(value) != block;
}

/* On at least one way no lane takes the blend's first value, and the others lead only here. */
static bool moves(LLVMValueRef blend)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(blend);
    LLVMValueRef mask = LLVMGetOperand(blend, 0);
    bool passed_by = false;
    if (!is_phi_of(mask, block) || !is_known_before(LLVMGetOperand(blend, 1), block) ||
        !is_known_before(LLVMGetOperand(blend, 2), block))
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(mask); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(mask, k);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        bool none = LLVMIsConstant(LLVMGetIncomingValue(mask, k)) &&
                    LLVMIsNull(LLVMGetIncomingValue(mask, k));
        if (!none && (LLVMGetInstructionOpcode(end) != LLVMBr || LLVMIsConditional(end)))
            return false;
        passed_by |= none;
    }
    return passed_by;
}

static void move(const struct sl_emit *e, LLVMValueRef blend)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(blend);
    LLVMValueRef mask = LLVMGetOperand(blend, 0);
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(block));
    LLVMValueRef blended = LLVMBuildPhi(e->builder, LLVMTypeOf(blend), "");
    for (unsigned k = 0; k < LLVMCountIncoming(mask); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(mask, k);
        LLVMValueRef lanes = LLVMGetIncomingValue(mask, k);
        LLVMValueRef now = incoming(LLVMGetOperand(blend, 2), block, from);
        if (!LLVMIsConstant(lanes) || !LLVMIsNull(lanes)) {
            LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(from));
            LLVMValueRef made = incoming(LLVMGetOperand(blend, 1), block, from);
            now = LLVMBuildSelect(e->builder, lanes, made, now, "");
            if (LLVMIsAInstruction(now))
                sl_llvm_copy_flags(blend, now);
        }
        LLVMAddIncoming(blended, &now, &from, 1);
    }
    LLVMReplaceAllUsesWith(blend, blended);
    LLVMInstructionEraseFromParent(blend);
}

static void visit(const struct sl_emit *e, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsASelectInst(i) && moves(i))
                move(e, i);
        }
    }
}

int sl_pass_early_blend(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->body && facts->lanes > 1 && !facts->elsewhere &&
            sl_pass_step(pass, "early blends", facts))
            visit(&e, facts->body);
    }
    sl_emit_finish(&e);
    return 0;
}
