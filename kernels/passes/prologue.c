/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that would live across a barrier but cost less to compute anew than to keep move to the
 * prologue, from where every region takes what it uses. No shared state.
 */
#include "passes/barrier.h"

#include "compiler/shim/pass_support.h"
#include "ir/bits.h"
#include <stdlib.h>

#define COST_LIMIT 16

static bool is_cheap(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMBitCast:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
        return sl_llvm_is_speculatable(i);
    default:
        return false;
    }
}

/* Instructions that recomputing `value` takes, counted with repetition; above the limit: no. */
static unsigned cost(const struct sl_cut *cut, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return LLVMIsAArgument(value) || LLVMIsConstant(value) ? 0 : COST_LIMIT + 1;
    if (LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(cut->kernel))
        return 0;
    if (!is_cheap(value))
        return COST_LIMIT + 1;
    unsigned sum = 1;
    for (int k = 0; k < LLVMGetNumOperands(value) && sum <= COST_LIMIT; k++)
        sum += cost(cut, LLVMGetOperand(value, k));
    return sum;
}

static void hoist(const struct sl_cut *cut, LLVMBuilderRef top, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) ||
        LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(cut->kernel))
        return;
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        hoist(cut, top, LLVMGetOperand(value, k));
    LLVMInstructionRemoveFromParent(value);
    LLVMInsertIntoBuilder(top, value);
}

void sl_cut_fill_prologue(struct sl_cut *cut)
{
    struct sl_liveness live;
    sl_liveness_init(&live, &cut->cfg);
    uint64_t *crossing = sl_ir_alloc(live.words, sizeof *crossing);
    for (uint32_t b = 0; b < cut->barrier_count; b++) {
        uint32_t next = sl_cfg_number(&cut->cfg, cut->barriers[b].next);
        for (size_t w = 0; w < live.words; w++)
            crossing[w] |= sl_live_in(&live, next)[w];
    }
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(cut->kernel);
    LLVMBuilderRef top = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(cut->kernel)));
    LLVMPositionBuilderBefore(top, LLVMGetBasicBlockTerminator(entry));
    for (size_t v = 0; v < live.values.count; v++)
        if (sl_bits_has(crossing, v) && cost(cut, live.values.items[v]) <= COST_LIMIT)
            hoist(cut, top, live.values.items[v]);
    LLVMDisposeBuilder(top);
    free(crossing);
    sl_liveness_finish(&live);
}
