/* SPDX-License-Identifier: Apache-2.0 */
/* A part's share of the program's code: see parts.h. No locks: a build's state belongs to its
 * thread. */
#include "compiler/codegen/parts.h"

#include <stdio.h>
#include <string.h>

#include "ir/call_reach.h"
#include "vector/analysis/image_call.h"
#include "llvm/pass_support.h"

/* ---- what goes where ------------------------------------------------------------------------- */

/* Neighbours in the source are alike; every n-th kernel balances better than one piece each. */
static bool is_mine(const struct sl_stages *stages, uint32_t kernel)
{
    const struct sl_kernel_facts *facts = &stages->pass.kernels[kernel];
    return (facts->is_form ? facts->form_of : kernel) % stages->part_count == stages->part;
}

/* Versions for several lanes (builtins/rare.h), which vectorised loops will call: "_ZGV...(NAME),"
 * and so on. */
static void reach_versions(struct sl_call_reach *r, LLVMValueRef f)
{
    static const char kind[] = "vector-function-abi-variant";
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind, sizeof kind - 1);
    LLVMModuleRef module = LLVMGetGlobalParent(f);
    unsigned length = 0;
    const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
    for (const char *end = text + length; text && text < end; text++) {
        const char *open = memchr(text, '(', (size_t)(end - text));
        text = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
        if (!text)
            return;
        LLVMValueRef version =
            LLVMGetNamedFunctionWithLength(module, open + 1, (size_t)(text - open - 1));
        sl_call_reach_add(r, version);
    }
}

/* As vector forms of kernels will call it. */
static void reach_lanes(struct sl_call_reach *r, LLVMValueRef f)
{
    uint32_t items;
    for (unsigned k = 0; k < SL_IMAGE_VERSIONS; k++)
        sl_call_reach_add(r, sl_image_lanes(f, k, &items));
}

/* Functions that these kernels need. */
static void reach_all(const struct sl_stages *stages, struct sl_call_reach *r)
{
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        if (is_mine(stages, k))
            sl_call_reach_add(r, stages->pass.kernels[k].kernel);
    for (size_t i = 0; i < r->found.count; i++) {
        sl_call_reach_callees(r, r->found.items[i]);
        reach_versions(r, r->found.items[i]);
        reach_lanes(r, r->found.items[i]);
    }
}

/* Variables are defined in the first part. */
static void forget_variables(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetVisibility(g) == LLVMHiddenVisibility &&
            LLVMGetLinkage(g) == LLVMExternalLinkage && !LLVMIsGlobalConstant(g))
            LLVMSetInitializer(g, NULL);
}

void sl_part_keep_code(struct sl_stages *stages)
{
    struct sl_call_reach r = {0};
    reach_all(stages, &r);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !sl_call_reach_has(&r, f))
            sl_llvm_delete_body(f);
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        stages->pass.kernels[k].elsewhere = !is_mine(stages, k);
    if (stages->part)
        forget_variables(stages->module);
    sl_call_reach_finish(&r);
}

/* ---- names that all parts know --------------------------------------------------------------- */

static void share(LLVMValueRef value)
{
    LLVMSetLinkage(value, LLVMExternalLinkage);
    LLVMSetVisibility(value, LLVMHiddenVisibility);
}

static bool is_shared_variable(LLVMValueRef g)
{
    LLVMLinkage linkage = LLVMGetLinkage(g);
    return !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
           (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
}

void sl_part_share_names(struct sl_stages *stages)
{
    uint32_t number = 0;
    sl_stage_make_internal(stages->module);
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g)) {
        char name[64];
        size_t bytes;
        if (!is_shared_variable(g))
            continue;
        LLVMGetValueName2(g, &bytes);
        snprintf(name, sizeof name, "sluice.variable.%u", number++);
        if (!bytes)
            LLVMSetValueName2(g, name, strlen(name));
        share(g);
    }
}

static LLVMTypeRef group_function_type(LLVMContextRef context)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef params[] = {pointer, pointer, pointer};
    return LLVMFunctionType(LLVMVoidTypeInContext(context), params, 3, false);
}

void sl_part_join_kernels(struct sl_stages *stages)
{
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++) {
        struct sl_kernel_facts *facts = &stages->pass.kernels[k];
        if (facts->elsewhere && stages->part)
            continue;
        if (facts->elsewhere && !facts->run)
            facts->run = LLVMAddFunction(stages->module, "", group_function_type(stages->context));
        sl_take_kernel_name(stages->module, facts);
        share(facts->run);
    }
}
