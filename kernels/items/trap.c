/* SPDX-License-Identifier: Apache-2.0 */
/* Traps: how a work-item ends its launch. No shared state. */
#include "items/trap.h"

#include "sluice/module.h"
#include <stddef.h>
#include <string.h>

bool sl_is_trap(const char *name)
{
    return name && (!strcmp(name, "llvm.trap") || !strcmp(name, "llvm.debugtrap") ||
                    !strcmp(name, SL_DEAD_END));
}

void sl_emit_trap(const struct sl_emit *e, LLVMValueRef launch, const char *what)
{
    LLVMTypeRef params[] = {e->ptr, e->ptr};
    LLVMTypeRef type = LLVMFunctionType(e->none, params, 2, false);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, launch, offsetof(struct sl_launch, runtime), "");
    LLVMValueRef trap =
        sl_emit_load_field(e, e->ptr, runtime, offsetof(struct sl_runtime, trap), "");
    LLVMValueRef args[] = {launch, LLVMBuildGlobalString(e->builder, what, "")};
    LLVMBuildCall2(e->builder, type, trap, args, 2, "");
}
