/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread. */
#include "compiler/builtins/rare_code.h"

#include "builtins/archive.h"
#include "compiler/builtins/ready_code.h"
#include "llvm/pass_support.h"

static bool is_rare(LLVMValueRef f)
{
    size_t bytes;
    const char *name = LLVMGetValueName2(f, &bytes);
    return sl_archive_is_named(name, "sl_rare_") || sl_archive_is_named(name, "sl_cold_");
}

void sl_rare_code_leave_out(struct sl_stages *stages)
{
    struct sl_ready_code code;
    if (!sl_ready_code_find(stages, &code))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_rare(f)) {
            sl_llvm_delete_body(f);
            LLVMSetLinkage(f, LLVMExternalLinkage);
            LLVMSetVisibility(f, LLVMHiddenVisibility);
        }
}
