/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trap ends the launch, not the application: it becomes a call through sl_launch.runtime. What
 * may trap was inlined before, so only kernels have traps. No shared state.
 */
#include "passes/stages.h"

#include "items/trap.h"
#include "items/work_item.h"

#include "ir/memory.h"
#include "llvm/intrinsics.h"

static void lower(struct sl_pass *pass, struct sl_emit *e, LLVMValueRef call)
{
    bool dead_end = sl_llvm_is_intrinsic(call, SL_INTRINSIC_DEAD_END);
    LLVMPositionBuilderBefore(e->builder, call);
    LLVMValueRef launch = sl_wi_emit(e, pass->module, SL_WI_LAUNCH, 0);
    sl_emit_trap(e, launch, dead_end ? SL_TEXT_DEAD_END : "a trap in its code");
    LLVMInstructionEraseFromParent(call);
}

static void find_traps(LLVMValueRef kernel, struct sl_list *calls)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_is_trap(i))
                sl_list_add(calls, i);
}

int sl_pass_trap_lower(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_list calls = {0};
        find_traps(pass->kernels[k].kernel, &calls);
        for (size_t i = 0; i < calls.count; i++)
            lower(pass, &e, calls.items[i]);
        sl_list_finish(&calls);
    }
    sl_emit_finish(&e);
    return 0;
}
