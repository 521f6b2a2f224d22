/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread. */
#include "rare_code.h"

#include <stdio.h>
#include <string.h>

#include "builtins/archive.h"
#include "builtins/rare_convention.h"
#include "shim/pass_support.h"
#include "target.h"

/* NULL: there is no code for these features. */
static const char *level(const struct sl_stages *stages)
{
    const struct sl_target_level *row;
    for (unsigned i = 0; (row = sl_target_at(i)) != NULL; i++)
        if (!strcmp(row->cpu, stages->cpu) && !strcmp(row->features, stages->features))
            return row->name;
    return NULL;
}

static bool has_code(LLVMValueRef f)
{
    size_t bytes;
    const char *name = LLVMGetValueName2(f, &bytes);
    return sl_archive_is_named(name, "sl_rare_") || sl_archive_is_named(name, "sl_cold_");
}

void sl_rare_code_leave_out(struct sl_stages *stages)
{
    if (!level(stages))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && has_code(f)) {
            sl_llvm_delete_body(f);
            LLVMSetLinkage(f, LLVMExternalLinkage);
            LLVMSetVisibility(f, LLVMHiddenVisibility);
        }
}

static void set_convention(LLVMValueRef f, const char *level)
{
    unsigned convention = sl_rare_convention(f, level);
    LLVMSetFunctionCallConv(f, convention);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (LLVMIsACallInst(LLVMGetUser(u)))
            LLVMSetInstructionCallConv(LLVMGetUser(u), convention);
}

void sl_rare_code_rename(struct sl_stages *stages)
{
    const char *suffix = level(stages);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); suffix && f;
         f = LLVMGetNextFunction(f)) {
        char name[256];
        size_t bytes;
        if (!LLVMIsDeclaration(f) || !has_code(f))
            continue;
        set_convention(f, suffix);
        snprintf(name, sizeof name, "%s.%s", LLVMGetValueName2(f, &bytes), suffix);
        LLVMSetValueName2(f, name, strlen(name));
    }
}
