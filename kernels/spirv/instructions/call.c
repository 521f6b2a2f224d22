/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of functions, and of what is only known when it runs (SPV_INTEL_function_pointers), which
 * are marked: compiler/program/function_pointers.c makes them into what has no pointers to code.
 */
#include "spirv/instructions/instruction.h"
#include "spirv/module/module.h"
#include "spirv/values/attributes.h"
#include "spirv/values/operand.h"

static void copy_attributes(LLVMValueRef call, LLVMValueRef function, unsigned parameters)
{
    for (unsigned index = 0; index <= parameters; index++) {
        LLVMAttributeRef list[16];
        unsigned count = LLVMGetAttributeCountAtIndex(function, index);
        if (count > sizeof list / sizeof *list)
            continue;
        LLVMGetAttributesAtIndex(function, index, list);
        for (unsigned k = 0; k < count; k++)
            LLVMAddCallSiteAttribute(call, index, list[k]);
    }
}

int sl_spirv_call(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (i->opcode != OpFunctionCall)
        return 0;
    LLVMValueRef function = sl_spirv_operand(s, i, 0);
    unsigned count = i->operand_count - 1u;
    LLVMValueRef *arguments = sl_spirv_allocate(s, count + 1u, sizeof *arguments);
    if (!function || !arguments)
        return -1;
    if (!LLVMIsAFunction(function) || LLVMGetFunctionCallConv(function) != LLVMSPIRFUNCCallConv)
        return sl_spirv_fail(s, i, "id %u is no function to be called", i->operands[0]);
    if (count != LLVMCountParams(function))
        return sl_spirv_fail(s, i, "%u arguments, not %u", count, LLVMCountParams(function));
    for (unsigned k = 0; k < count; k++) {
        arguments[k] = sl_spirv_operand_of(s, i, k + 1, LLVMTypeOf(LLVMGetParam(function, k)));
        if (!arguments[k])
            return -1;
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef call = LLVMBuildCall2(s->builder, type, function, arguments, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    copy_attributes(call, function, count);
    return sl_spirv_define(s, i, call) ? -1 : 1;
}

/* ---- of what a pointer says ------------------------------------------------------------------ */

static void mark_call(struct sl_spirv *s, LLVMValueRef call)
{
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(s->context, SL_FUNCTION_POINTER_ATTRIBUTE,
                                                       sizeof SL_FUNCTION_POINTER_ATTRIBUTE - 1, "",
                                                       0));
    sl_spirv_mark_function_pointers(s);
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
