/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers to functions (SPV_INTEL_function_pointers): the function itself.
 * compiler/program/function_pointers.c makes it into what is no pointer to code, when all of the
 * program is there.
 */
#include "spirv/functions/function_pointer.h"

#include "spirv/functions/function.h"
#include "spirv/values/attributes.h"
#include "spirv/values/operand.h"

int sl_spirv_function_pointer(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_instruction *f = sl_spirv_definition(s, i->operands[0]);
    if (!type || !f)
        return -1;
    if (f->opcode != OpFunction || s->ids[f->result].entry)
        return sl_spirv_fail(s, i, "id %u is no function to be pointed at", i->operands[0]);
    if (type->kind != SL_SPIRV_POINTER || type->element != f->operands[1])
        return sl_spirv_fail(s, i, "its type is no pointer to this function");
    if (!s->ids[f->result].value && sl_spirv_declare_function(s, f))
        return -1;
    LLVMValueRef function = s->ids[f->result].value;
    sl_spirv_mark_function_pointers(s);
    LLVMValueRef value = LLVMTypeOf(function) == type->llvm
                             ? function
                             : LLVMConstAddrSpaceCast(function, type->llvm);
    return sl_spirv_define(s, i, value) ? -1 : 1;
}
