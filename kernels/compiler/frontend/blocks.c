/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks as clang leaves them: their addresses are taken, which nothing behind this stage knows how
 * to follow. Who enqueues a block names its kernel instead, and the address of the code that each
 * block begins with goes: clang calls blocks by name. No locks.
 */
#include "compiler/frontend/blocks.h"

#include <string.h>

#include "compiler/stage/stage.h"
#include "ir/memory.h"

static bool is_block_kernel(LLVMValueRef f)
{
    static const char node[] = "kernel_arg_addr_space";
    size_t count;
    bool described = false;
    if (LLVMIsDeclaration(f) || LLVMGetFunctionCallConv(f) != LLVMSPIRKERNELCallConv)
        return false;
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(f)), node,
                                             sizeof node - 1);
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(f, &count);
    for (unsigned i = 0; i < count; i++)
        described |= LLVMValueMetadataEntriesGetKind(all, i) == kind;
    LLVMDisposeValueMetadataEntries(all);
    return !described;
}

void sl_blocks_make_internal(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_block_kernel(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Of any kernel that the source has: clang forgets the option for blocks. */
static LLVMAttributeRef uniform_mark(LLVMModuleRef module)
{
    static const char name[] = "uniform-work-group-size";
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef mark =
            LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv
                ? LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                name, sizeof name - 1)
                : NULL;
        if (mark)
            return mark;
    }
    return NULL;
}

static void name_instead(struct sl_stages *stages, LLVMValueRef kernel, LLVMAttributeRef uniform)
{
    static const char mark[] = SL_BLOCK_ATTRIBUTE;
    size_t bytes;
    const char *name = LLVMGetValueName2(kernel, &bytes);
    LLVMValueRef text = LLVMConstStringInContext2(stages->context, name, bytes, 0);
    LLVMValueRef global = LLVMAddGlobal(stages->module, LLVMTypeOf(text), "sluice.block");
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMReplaceAllUsesWith(kernel, global);
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAddAttributeAtIndex(
        kernel, at, LLVMCreateStringAttribute(stages->context, mark, sizeof mark - 1, "", 0));
    if (uniform)
        LLVMAddAttributeAtIndex(kernel, at, uniform);
}

/* Wherever it is more than called. */
static void forget_address(LLVMValueRef f)
{
    struct sl_list taken = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (LLVMIsAConstantExpr(LLVMGetUser(use)))
            sl_list_add(&taken, LLVMGetUser(use));
    for (size_t i = 0; i < taken.count; i++)
        LLVMReplaceAllUsesWith(taken.items[i], LLVMConstNull(LLVMTypeOf(taken.items[i])));
    sl_list_finish(&taken);
}

static void settle_call(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call), params[16];
    unsigned count = LLVMCountParamTypes(type);
    if (count > sizeof params / sizeof *params)
        return;
    LLVMGetParamTypes(type, params);
    LLVMPositionBuilderBefore(builder, call);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetArgOperand(call, i);
        if (LLVMGetTypeKind(params[i]) == LLVMIntegerTypeKind && LLVMTypeOf(value) != params[i])
            LLVMSetOperand(call, i, LLVMBuildIntCast2(builder, value, params[i], false, ""));
    }
}

/* clang passes the number of events as it comes, whatever its type: no pass may see such a call. */
static void settle_counts(struct sl_stages *stages)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(stages->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        size_t bytes;
        if (!LLVMIsDeclaration(f) || strncmp(LLVMGetValueName2(f, &bytes), "__enqueue_kernel_", 17))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)))
                settle_call(builder, LLVMGetUser(use));
    }
    LLVMDisposeBuilder(builder);
}

int sl_stage_blocks(struct sl_stages *stages)
{
    LLVMAttributeRef uniform = NULL;
    bool asked = false;
    settle_counts(stages);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        size_t bytes;
        if (LLVMIsDeclaration(f) || !strstr(LLVMGetValueName2(f, &bytes), "_block_invoke"))
            continue;
        if (!is_block_kernel(f)) {
            forget_address(f);
            continue;
        }
        uniform = asked ? uniform : uniform_mark(stages->module);
        asked = true;
        name_instead(stages, f, uniform);
    }
    return 0;
}
