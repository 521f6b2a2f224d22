/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trap ends the launch, not the application: it becomes a call through sl_launch.runtime. What
 * may trap was inlined before, so only kernels have traps. No shared state.
 */
#include "passes/stages.h"

#include "items/trap.h"
#include "items/work_item.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include <string.h>

static void lower(struct sl_pass *pass, struct sl_emit *e, LLVMValueRef call)
{
    bool dead_end = !strcmp(sl_callee_name(call), SL_DEAD_END);
    LLVMPositionBuilderBefore(e->builder, call);
    LLVMValueRef launch = sl_wi_emit(e, pass->module, SL_WI_LAUNCH, 0);
    sl_emit_trap(e, launch, dead_end ? SL_TEXT_DEAD_END : "a trap in its code");
    LLVMInstructionEraseFromParent(call);
}

int sl_pass_trap_lower(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_list calls = {0};
        sl_find_calls(pass->kernels[k].kernel, sl_is_trap, &calls);
        for (size_t i = 0; i < calls.count; i++)
            lower(pass, &e, calls.items[i]);
        sl_list_finish(&calls);
    }
    sl_emit_finish(&e);
    return 0;
}
