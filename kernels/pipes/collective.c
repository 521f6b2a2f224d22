/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations that a work-group makes as one: all items meet, the first one makes the call, and
 * they meet again to learn the outcome from local memory. No shared state.
 */
#include "pipes/resolve.h"

#include "ir/space.h"
#include "items/work_item.h"
#include "llvm/pass_support.h"

static LLVMValueRef is_first_item(const struct sl_emit *e, LLVMModuleRef module)
{
    LLVMValueRef any = NULL;
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef id = sl_wi_emit(e, module, SL_WI_LOCAL_ID, d);
        any = any ? LLVMBuildOr(e->builder, any, id, "") : id;
    }
    return LLVMBuildICmp(e->builder, LLVMIntEQ, any, sl_emit_i64(e, 0), "");
}

static LLVMValueRef add_outcome(struct sl_pass *pass, const struct sl_emit *e)
{
    LLVMValueRef outcome =
        LLVMAddGlobalInAddressSpace(pass->module, e->i64, "sl.pipe.outcome", SL_SPACE_LOCAL);
    LLVMSetLinkage(outcome, LLVMInternalLinkage);
    LLVMSetInitializer(outcome, LLVMGetUndef(e->i64));
    return outcome;
}

/* From the builder's position on: a block that only the first item of the group comes to. Returns
 * the branch at its end; the builder moves behind it. */
static LLVMValueRef open_first(const struct sl_emit *e, LLVMModuleRef module, LLVMValueRef before)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(before);
    LLVMValueRef first = is_first_item(e, module);
    LLVMBasicBlockRef rest = sl_llvm_split_block(before, "behind");
    LLVMBasicBlockRef once = LLVMInsertBasicBlockInContext(e->context, rest, "once");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(e->builder, head);
    LLVMBuildCondBr(e->builder, first, once, rest);
    LLVMPositionBuilderAtEnd(e->builder, once);
    return LLVMBuildBr(e->builder, rest);
}

LLVMValueRef sl_pipe_emit_collective(struct sl_pass *pass, const struct sl_emit *e,
                                     LLVMValueRef call, const struct sl_pipe_place *place,
                                     LLVMValueRef *operands, unsigned count)
{
    if (pass->kernels[place->kernel].flags & SL_KERNEL_SINGLE_TASK)
        return sl_pipe_emit_operation(pass, e, place, operands, count);
    bool reserve = place->operation->form == SL_PIPE_FORM_RESERVE;
    LLVMValueRef outcome = reserve ? add_outcome(pass, e) : NULL;
    sl_wi_emit_barrier(e, pass->module);
    LLVMValueRef end = open_first(e, pass->module, call);
    LLVMPositionBuilderBefore(e->builder, end);
    LLVMValueRef id = sl_pipe_emit_operation(pass, e, place, operands, count);
    if (reserve)
        LLVMBuildStore(e->builder, id, outcome);
    LLVMPositionBuilderBefore(e->builder, call);
    if (!reserve)
        return NULL;
    sl_wi_emit_barrier(e, pass->module);
    return LLVMBuildLoad2(e->builder, e->i64, outcome, "");
}
