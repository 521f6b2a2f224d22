/* SPDX-License-Identifier: Apache-2.0 */
/* See needed.h. */
#include "compiler/binary/needed.h"

#include <stdbool.h>
#include <stdlib.h>

#include "compiler/frontend/initializers.h"
#include "ir/calls.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "spirv/spirv.h"
#include "llvm/lazy_bitcode.h"
#include "llvm/pass_support.h"

struct need {
    const LLVMModuleRef *modules;
    size_t count;
    bool *serves;                /* owned, by module: has nothing that the host may name */
    struct sl_call_reach needed; /* functions with a body, of all modules */
    struct sl_map constants;     /* that were looked into */
};

static bool is_static(LLVMValueRef value)
{
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* Variables are no reason: they stay where others may see them. */
static bool only_serves(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (sl_is_kernel(f) || LLVMGetStringAttributeAtIndex(
                                   f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   SL_REFERENCED_ATTRIBUTE, sizeof SL_REFERENCED_ATTRIBUTE - 1))
            return false;
    return !sl_initializers_exist(module) && !LLVMGetFirstGlobalAlias(module) &&
           !LLVMGetFirstGlobalIFunc(module);
}

/* ---- what is needed -------------------------------------------------------------------------- */

/* Whoever defines it: which one counts is the link's affair. */
static void need_name(struct need *n, LLVMValueRef function)
{
    size_t bytes;
    const char *name = LLVMGetValueName2(function, &bytes);
    for (size_t m = 0; m < n->count; m++) {
        LLVMValueRef f = LLVMGetNamedFunction(n->modules[m], name);
        if (f && !is_static(f))
            sl_call_reach_add(&n->needed, f);
    }
}

/* A weak definition is only for those who find no other. */
static bool is_left_to_others(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) ||
           (!is_static(function) && LLVMGetLinkage(function) != LLVMExternalLinkage);
}

static void need_value(struct need *n, LLVMValueRef value)
{
    if (LLVMIsAFunction(value)) {
        sl_call_reach_add(&n->needed, value);
        if (is_left_to_others(value))
            need_name(n, value);
        return;
    }
    if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value) || !LLVMGetNumOperands(value) ||
        sl_map_get(&n->constants, value))
        return;
    sl_map_set(&n->constants, value, value);
    for (int o = 0; o < LLVMGetNumOperands(value); o++)
        need_value(n, LLVMGetOperand(value, (unsigned)o));
}

/* So that the link refuses it as ever. */
static bool is_defined_twice(const struct need *n, LLVMValueRef function, size_t own)
{
    size_t bytes;
    const char *name = LLVMGetValueName2(function, &bytes);
    if (LLVMIsDeclaration(function))
        return false;
    for (size_t m = 0; m < n->count && LLVMGetLinkage(function) == LLVMExternalLinkage; m++) {
        LLVMValueRef other = m == own ? NULL : LLVMGetNamedFunction(n->modules[m], name);
        if (other && !LLVMIsDeclaration(other) && LLVMGetLinkage(other) == LLVMExternalLinkage)
            return true;
    }
    return false;
}

/* While no body is there only variables can name a function. */
static void need_roots(struct need *n)
{
    for (size_t m = 0; m < n->count; m++)
        for (LLVMValueRef f = LLVMGetFirstFunction(n->modules[m]); f; f = LLVMGetNextFunction(f))
            if (!n->serves[m] || LLVMGetFirstUse(f) || is_defined_twice(n, f, m))
                need_value(n, f);
}

static int need_callees(struct need *n, LLVMValueRef function)
{
    if (sl_lazy_load_body(function))
        return -1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (int o = 0; o < LLVMGetNumOperands(i); o++)
                need_value(n, LLVMGetOperand(i, (unsigned)o));
    return 0;
}

static size_t index_of(const struct need *n, LLVMValueRef function)
{
    size_t m = 0;
    while (n->modules[m] != LLVMGetGlobalParent(function))
        m++;
    return m;
}

static int find_needed(struct need *n, size_t *damaged)
{
    need_roots(n);
    for (size_t i = 0; i < n->needed.found.count; i++)
        if (need_callees(n, n->needed.found.items[i])) {
            *damaged = index_of(n, n->needed.found.items[i]);
            return -1;
        }
    return 0;
}

/* ---- what is not ----------------------------------------------------------------------------- */

void sl_forget_functions(LLVMModuleRef module, const struct sl_call_reach *found)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!sl_call_reach_has(found, f) && !LLVMIsDeclaration(f))
            sl_llvm_delete_body(f);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!sl_call_reach_has(found, f) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* Tables of functions that are gone. What has a name for the host says so in its metadata. */
static bool is_left_over(LLVMValueRef variable)
{
    size_t facts;
    if (!is_static(variable) || !LLVMIsGlobalConstant(variable) || LLVMGetFirstUse(variable))
        return false;
    LLVMDisposeValueMetadataEntries(LLVMGlobalCopyAllMetadata(variable, &facts));
    return !facts;
}

static bool forget_variables(LLVMModuleRef module)
{
    bool any = false;
    LLVMValueRef next;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (is_left_over(g)) {
            LLVMDeleteGlobal(g);
            any = true;
        }
    }
    return any;
}

int sl_keep_needed(const LLVMModuleRef *modules, size_t count, size_t *damaged)
{
    struct need n = {.modules = modules, .count = count};
    n.serves = sl_ir_alloc(count, sizeof *n.serves);
    for (size_t m = 0; m < count; m++)
        n.serves[m] = only_serves(modules[m]);
    int rc = find_needed(&n, damaged);
    for (size_t m = 0; m < count && !rc; m++)
        if (n.serves[m]) {
            sl_forget_functions(modules[m], &n.needed);
            while (forget_variables(modules[m]))
                continue;
        }
    sl_call_reach_finish(&n.needed);
    sl_map_finish(&n.constants);
    free(n.serves);
    return rc;
}
