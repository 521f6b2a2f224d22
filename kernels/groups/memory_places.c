/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where local and private memory are, for kernels that ask of generic pointers where they point
 * (passes/generic_space.c). No shared state.
 */
#include "groups/group_function.h"

#include <string.h>

#define RED_ZONE 128 /* bytes below the stack pointer that code may use on x86-64 */

static LLVMValueRef call_intrinsic(struct sl_group_function *g, const char *name,
                                   LLVMValueRef argument)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->pass->module, id, &g->e.ptr, 1);
    return LLVMBuildCall2(g->e.builder, LLVMGlobalGetValueType(f), f, &argument, argument ? 1 : 0,
                          "");
}

static bool asks(struct sl_group_function *g, enum sl_wi wanted)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        enum sl_wi what;
        unsigned dim;
        if (sl_wi_parse(i, &what, &dim) && what == wanted)
            return true;
    }
    return false;
}

static LLVMValueRef end_of(struct sl_group_function *g, LLVMValueRef begin, size_t bytes_field)
{
    LLVMValueRef bytes = sl_emit_load_field(&g->e, g->e.i64, g->group, bytes_field, "");
    return sl_emit_byte_offset(&g->e, begin, bytes, "");
}

void sl_place_memory(struct sl_group_function *g)
{
    LLVMValueRef(*p)[3] = g->places;
    if (asks(g, SL_WI_LOCAL_END))
        p[SL_WI_LOCAL_END][0] =
            end_of(g, p[SL_WI_LOCAL_BASE][0], offsetof(struct sl_group, local_bytes));
    if (!asks(g, SL_WI_STACK_LOW))
        return;
    p[SL_WI_CONTEXT_BASE][0] = g->context;
    p[SL_WI_CONTEXT_END][0] = end_of(g, g->context, offsetof(struct sl_group, context_bytes));
    p[SL_WI_STACK_HIGH][0] = call_intrinsic(g, "llvm.frameaddress", sl_emit_i32(&g->e, 0));
    p[SL_WI_STACK_LOW][0] = sl_emit_byte_offset(&g->e, call_intrinsic(g, "llvm.stacksave", NULL),
                                                sl_emit_i64(&g->e, -(uint64_t)RED_ZONE), "");
}
