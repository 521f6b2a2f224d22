/* SPDX-License-Identifier: Apache-2.0 */
/* Traps: how a work-item ends its launch. No shared state. */
#include "items/trap.h"

#include "sluice/module.h"
#include "llvm/intrinsics.h"
#include <stddef.h>

bool sl_is_trap(LLVMValueRef call_or_function)
{
    return sl_llvm_is_intrinsic(call_or_function, SL_INTRINSIC_TRAP | SL_INTRINSIC_DEAD_END);
}

/* Service `offset` of the runtime: (launch, text), and a number or NULL. */
static void emit_end(const struct sl_emit *e, size_t offset, LLVMValueRef launch, const char *what,
                     LLVMValueRef number)
{
    unsigned count = number ? 3 : 2;
    LLVMTypeRef params[] = {e->ptr, e->ptr, e->i64};
    LLVMTypeRef type = LLVMFunctionType(e->none, params, count, false);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, launch, offsetof(struct sl_launch, runtime), "");
    LLVMValueRef service = sl_emit_load_field(e, e->ptr, runtime, offset, "");
    LLVMValueRef args[] = {launch, LLVMBuildGlobalString(e->builder, what, ""), number};
    LLVMBuildCall2(e->builder, type, service, args, count, "");
}

void sl_emit_trap(const struct sl_emit *e, LLVMValueRef launch, const char *what)
{
    emit_end(e, offsetof(struct sl_runtime, trap), launch, what, NULL);
}

void sl_emit_outside(const struct sl_emit *e, LLVMValueRef launch, const char *what,
                     LLVMValueRef index)
{
    emit_end(e, offsetof(struct sl_runtime, outside), launch, what, index);
}
