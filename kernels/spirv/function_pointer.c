/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers to functions (SPV_INTEL_function_pointers): the function itself, and calls of what is
 * only known when it runs, which are marked. compiler/function_pointers.c makes both into what has
 * no pointers to code, when all of the program is there.
 */
#include "spirv/function_pointer.h"

#include "spirv/function.h"
#include "spirv/operand.h"

static void mark_module(struct sl_spirv *s)
{
    LLVMGetOrInsertNamedMetadata(s->module, SL_FUNCTION_POINTERS_METADATA,
                                 sizeof SL_FUNCTION_POINTERS_METADATA - 1);
}

static void mark_call(struct sl_spirv *s, LLVMValueRef call)
{
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(s->context, SL_FUNCTION_POINTER_ATTRIBUTE,
                                                       sizeof SL_FUNCTION_POINTER_ATTRIBUTE - 1, "",
                                                       0));
    mark_module(s);
}

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
    mark_module(s);
    LLVMValueRef value = LLVMTypeOf(function) == type->llvm
                             ? function
                             : LLVMConstAddrSpaceCast(function, type->llvm);
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

/* NULL: failed. */
static const struct sl_spirv_type *function_type(struct sl_spirv *s,
                                                 const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *pointer = sl_spirv_type_of(s, i->operands[0]);
    const struct sl_spirv_type *type =
        pointer && pointer->kind == SL_SPIRV_POINTER ? sl_spirv_type(s, pointer->element) : NULL;
    if (type && type->kind == SL_SPIRV_FUNCTION && type->element == i->type &&
        type->count + 1u == i->operand_count)
        return type;
    sl_spirv_fail(s, i, "id %u is no pointer to a function of such arguments", i->operands[0]);
    return NULL;
}

int sl_spirv_call_pointer(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (i->opcode != OpFunctionPointerCallINTEL)
        return 0;
    const struct sl_spirv_type *type = function_type(s, i);
    LLVMValueRef callee = type ? sl_spirv_operand(s, i, 0) : NULL;
    LLVMValueRef *values = callee ? sl_spirv_allocate(s, type->count + 1u, sizeof *values) : NULL;
    LLVMTypeRef code = LLVMPointerTypeInContext(s->context, 0);
    if (!values)
        return -1;
    for (unsigned k = 0; k < type->count; k++) {
        const struct sl_spirv_type *parameter = sl_spirv_type(s, type->members[k]);
        values[k] = parameter ? sl_spirv_operand_of(s, i, k + 1, parameter->llvm) : NULL;
        if (!values[k])
            return -1;
    }
    if (LLVMTypeOf(callee) != code)
        callee = LLVMBuildAddrSpaceCast(s->builder, callee, code, "");
    LLVMValueRef call = LLVMBuildCall2(s->builder, type->llvm, callee, values, type->count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    mark_call(s, call);
    return sl_spirv_define(s, i, call) ? -1 : 1;
}
