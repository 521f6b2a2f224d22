/* SPDX-License-Identifier: Apache-2.0 */
/* See function.h. */
#include "spirv/functions/function.h"

#include <stdio.h>
#include <string.h>

#include "spirv/values/attributes.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"
#include "spirv/values/variables.h"
#include "llvm/llvm_extra.h"

/* ---- attributes ------------------------------------------------------------------------------ */

static void mark_typed(struct sl_spirv *s, LLVMValueRef function, unsigned index, const char *name,
                       LLVMTypeRef type)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, index, LLVMCreateTypeAttribute(s->context, kind, type));
}

struct parameter {
    const struct sl_spirv_instruction *instruction;
    const struct sl_spirv_type *type;
    LLVMValueRef function;
    unsigned index; /* of LLVM's attributes: from 1 */
};

static void mark_pointer(struct sl_spirv *s, const struct parameter *p, uint32_t said)
{
    LLVMTypeRef pointee = sl_spirv_memory_type(s, p->type->element);
    switch (said) {
    case FunctionParameterAttributeByVal:
        mark_typed(s, p->function, p->index, "byval", pointee);
        break;
    case FunctionParameterAttributeSret:
        mark_typed(s, p->function, p->index, "sret", pointee);
        break;
    case FunctionParameterAttributeNoAlias:
        LLVMAddAttributeAtIndex(p->function, p->index, sl_spirv_attribute(s, "noalias", 0));
        break;
    }
}

/* Of what is passed, not of where: zero- and sign-extension, and what pointers may be used for. */
static int mark_parameter(struct sl_spirv *s, const struct parameter *p)
{
    uint32_t given = 0;
    unsigned alignment;
    const struct sl_spirv_annotation *a = s->ids[p->instruction->result].annotations;
    for (; a; a = a->next) {
        if (a->decoration != DecorationFuncParamAttr)
            continue;
        uint32_t said = a->literals[0];
        if (p->type->kind == SL_SPIRV_POINTER)
            mark_pointer(s, p, said);
        else if (said <= FunctionParameterAttributeSext && p->type->kind == SL_SPIRV_INT)
            LLVMAddAttributeAtIndex(p->function, p->index,
                                    sl_spirv_attribute(s, said ? "signext" : "zeroext", 0));
    }
    sl_spirv_decoration(s, p->instruction->result, DecorationAlignment, &given);
    if (sl_spirv_take_alignment(s, p->instruction, given, &alignment))
        return -1;
    if (p->type->kind == SL_SPIRV_POINTER && alignment)
        LLVMAddAttributeAtIndex(p->function, p->index, sl_spirv_attribute(s, "align", alignment));
    return 0;
}

bool sl_spirv_is_by_reference(const struct sl_spirv_type *parameter, bool kernel)
{
    return kernel && (parameter->kind == SL_SPIRV_STRUCT || parameter->kind == SL_SPIRV_ARRAY);
}

static void mark_by_reference(struct sl_spirv *s, const struct parameter *p)
{
    mark_typed(s, p->function, p->index, "byval", p->type->memory);
    LLVMAddAttributeAtIndex(p->function, p->index,
                            sl_spirv_attribute(s, "align", sl_spirv_alignment(s, p->type)));
}

static int read_parameters(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                           const struct sl_spirv_type *type, LLVMValueRef function)
{
    bool kernel = LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv;
    const struct sl_spirv_instruction *last = s->instructions + s->instruction_count;
    unsigned count = 0;
    for (const struct sl_spirv_instruction *p = i + 1; p < last; p++) {
        if (p->opcode == OpLabel || p->opcode == OpFunctionEnd)
            break;
        if (p->opcode != OpFunctionParameter)
            continue;
        if (count == type->count || p->type != type->members[count])
            return sl_spirv_fail(s, p, "is not what the function's type says");
        struct parameter parameter = {p, sl_spirv_type(s, p->type), function, ++count};
        if (!parameter.type)
            return -1;
        if (kernel && parameter.type->holds_matrix)
            return sl_spirv_fail(s, p, "a kernel cannot be given a matrix of a sub-group");
        if (sl_spirv_is_by_reference(parameter.type, kernel))
            mark_by_reference(s, &parameter);
        else if (mark_parameter(s, &parameter))
            return -1;
        if (s->ids[p->result].name)
            LLVMSetValueName2(LLVMGetParam(function, count - 1), s->ids[p->result].name,
                              strlen(s->ids[p->result].name));
    }
    return count == type->count ? 0
                                : sl_spirv_fail(s, i, "%u parameters, not %u", count, type->count);
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *entry_name(const struct sl_spirv *s, uint32_t id)
{
    uint32_t entry = s->ids[id].entry;
    return entry ? (const char *)(s->instructions[entry - 1].operands + 2) : NULL;
}

static bool is_kernel_name(struct sl_spirv *s, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(s->module, name);
    return function && LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv;
}

/* Of a function that is declared before the kernels are. */
static bool will_be_kernel_name(struct sl_spirv *s, const char *name)
{
    const struct sl_spirv_instruction *i = s->instructions, *last = i + s->instruction_count;
    for (; s->scratch && i < last && i->opcode != OpFunction; i++)
        if (i->opcode == OpEntryPoint && !strcmp((const char *)(i->operands + 2), name))
            return true;
    return false;
}

/* Some compilers keep a kernel twice under one name: to launch and to call. clang's word for it. */
static LLVMValueRef add_function(struct sl_spirv *s, const char *name, LLVMTypeRef type)
{
    char text[512];
    LLVMValueRef declared = name ? LLVMGetNamedFunction(s->module, name) : NULL;
    if (declared && LLVMIsDeclaration(declared) && LLVMGlobalGetValueType(declared) == type &&
        !is_kernel_name(s, name))
        return declared;
    if (name && (is_kernel_name(s, name) || will_be_kernel_name(s, name))) {
        snprintf(text, sizeof text, SL_KERNEL_TWIN_PREFIX "%s", name);
        name = text;
    }
    return LLVMAddFunction(s->module, name ? name : "", type);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static LLVMTypeRef kernel_type(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    LLVMTypeRef *parameters = sl_spirv_allocate(s, type->count + 1u, sizeof *parameters);
    for (unsigned k = 0; parameters && k < type->count; k++) {
        const struct sl_spirv_type *parameter = sl_spirv_type(s, type->members[k]);
        if (!parameter)
            return NULL;
        parameters[k] = sl_spirv_is_by_reference(parameter, true)
                            ? LLVMPointerTypeInContext(s->context, 0)
                            : parameter->llvm;
    }
    LLVMTypeRef nothing = LLVMVoidTypeInContext(s->context);
    return parameters ? LLVMFunctionType(nothing, parameters, type->count, 0) : NULL;
}

static void mark_function(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          LLVMValueRef function)
{
    uint32_t said = 0;
    sl_spirv_mark(s, function, "convergent");
    sl_spirv_mark(s, function, "nounwind");
    if (sl_spirv_decoration(s, i->result, DecorationReferencedIndirectlyINTEL, NULL)) {
        LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(s->context, SL_REFERENCED_ATTRIBUTE,
                                                          sizeof SL_REFERENCED_ATTRIBUTE - 1, "",
                                                          0));
        sl_spirv_mark_function_pointers(s);
    }
    if (i->operands[0] & FunctionControlInlineMask)
        sl_spirv_mark(s, function, "alwaysinline");
    else if (i->operands[0] & FunctionControlDontInlineMask)
        sl_spirv_mark(s, function, "noinline");
    if (sl_spirv_decoration(s, i->result, DecorationFuncParamAttr, &said) &&
        said <= FunctionParameterAttributeSext &&
        LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) == LLVMIntegerTypeKind)
        LLVMAddAttributeAtIndex(function, LLVMAttributeReturnIndex,
                                sl_spirv_attribute(s, said ? "signext" : "zeroext", 0));
}

static bool has_body(const struct sl_spirv_instruction *i)
{
    while (i->opcode != OpLabel && i->opcode != OpFunctionEnd) /* the check saw one */
        i++;
    return i->opcode == OpLabel;
}

int sl_spirv_declare_function(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->operands[1]);
    const char *entry = entry_name(s, i->result), *name;
    LLVMLinkage linkage;
    if (!type || type->kind != SL_SPIRV_FUNCTION || type->element != i->type)
        return sl_spirv_fail(s, i, "id %u is not the function's type", i->operands[1]);
    sl_spirv_take_linkage(s, i->result, &linkage, &name);
    if (entry && sl_spirv_type(s, type->element)->kind != SL_SPIRV_VOID)
        return sl_spirv_fail(s, i, "a kernel returns nothing");
    LLVMTypeRef signature = entry ? kernel_type(s, type) : type->llvm;
    if (!signature)
        return -1;
    if (entry && LLVMGetNamedFunction(s->module, entry))
        return sl_spirv_fail(s, i, "there are two kernels \"%.100s\"", entry);
    LLVMValueRef function =
        entry ? LLVMAddFunction(s->module, entry, signature) : add_function(s, name, signature);
    LLVMSetFunctionCallConv(function, entry ? LLVMSPIRKERNELCallConv : LLVMSPIRFUNCCallConv);
    s->ids[i->result].value = function;
    mark_function(s, i, function);
    if (read_parameters(s, i, type, function))
        return -1;
    if (entry && !has_body(i))
        return sl_spirv_fail(s, i, "the kernel has no body");
    if (!entry && has_body(i))
        LLVMSetLinkage(function, linkage);
    return 0;
}
