/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sl_group_fn of a kernel: reads the argument block and calls the work-group function, whose
 * parameters carry what clang knows about them (noalias, alignment). No shared state.
 */
#include "groups/group_function.h"

#include "llvm/llvm_extra.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_ALIGN 16 /* of the argument block, at least */

static bool is_by_reference(const struct sl_group_function *g, uint32_t arg)
{
    return LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(g->function, arg))) == LLVMPointerTypeKind &&
           g->facts->args[arg].kind == SL_ARG_VALUE;
}

static LLVMValueRef argument(struct sl_group_function *g, LLVMValueRef block, LLVMValueRef local,
                             uint32_t index)
{
    const struct sl_arg_facts *arg = &g->facts->args[index];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(g->function, index));
    if (is_by_reference(g, index))
        return sl_emit_byte_offset(&g->e, block, sl_emit_i64(&g->e, arg->offset), "");
    if (arg->kind == SL_ARG_LOCAL) {
        LLVMValueRef offset = sl_emit_load_field(&g->e, g->e.i64, block, arg->offset, "");
        return sl_emit_byte_offset(&g->e, local, offset, "");
    }
    LLVMValueRef value = sl_emit_load_field(&g->e, type, block, arg->offset, "");
    if (LLVMGetAlignment(value) > BLOCK_ALIGN)
        LLVMSetAlignment(value, BLOCK_ALIGN);
    return value;
}

const char *sl_name_guard(const char *kernel)
{
    return strcmp(kernel, "llvm") ? "" : "_";
}

static bool calls_code(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (callee && LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee))
            return true;
    }
    return false;
}

/* No jump backwards, neither here nor in what might be inlined. */
static bool is_plain(const struct sl_cfg *cfg)
{
    for (uint32_t b = 0; b < cfg->count; b++) {
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++)
            if (cfg->blocks[b].succ[s] <= b)
                return false;
        if (calls_code(cfg->blocks[b].ref))
            return false;
    }
    return true;
}

LLVMValueRef sl_kernel_entry(struct sl_group_function *g)
{
    struct sl_emit *e = &g->e;
    LLVMTypeRef params[] = {e->ptr, e->ptr, e->ptr};
    char name[256];
    snprintf(name, sizeof name, "%s%.240s.kernel", sl_name_guard(g->facts->name), g->facts->name);
    LLVMValueRef run =
        LLVMAddFunction(g->pass->module, name, LLVMFunctionType(e->none, params, 3, false));
    LLVMSetLinkage(run, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(run, LLVMAttributeFunctionIndex, "nounwind", 0);
    sl_copy_function_attributes(g->facts->kernel, run);
    if (is_plain(&g->split.cfg) || !g->facts->loop_passes)
        LLVMAddAttributeAtIndex(run, LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(e->context, SL_PLAIN_ATTRIBUTE,
                                                          strlen(SL_PLAIN_ATTRIBUTE), "", 0));
    LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->context, run, "entry"));
    LLVMValueRef block = LLVMGetParam(run, 0), group = LLVMGetParam(run, 2);
    LLVMValueRef local =
        sl_emit_load_field(e, e->ptr, group, offsetof(struct sl_group, local), "local");
    uint32_t count = g->facts->arg_count;
    LLVMValueRef *args = sl_ir_alloc(count + 2, sizeof(*args));
    for (uint32_t i = 0; i < count; i++)
        args[i] = argument(g, block, local, i);
    args[count] = LLVMGetParam(run, 1);
    args[count + 1] = group;
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(g->function), g->function, args, count + 2,
                   "");
    LLVMBuildRetVoid(e->builder);
    free(args);
    return run;
}
