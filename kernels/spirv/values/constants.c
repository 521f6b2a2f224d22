/* SPDX-License-Identifier: Apache-2.0 */
/* See constants.h. */
#include "spirv/values/constants.h"

#include <string.h>

#include "spirv/values/operand.h"
#include "spirv/values/types.h"

static int define(struct sl_spirv *s, const struct sl_spirv_instruction *i, LLVMValueRef value)
{
    return !value || sl_spirv_define(s, i, value) ? -1 : 1;
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* NULL: the program gave it none. */
static const struct sl_spirv_specialization *given_value(struct sl_spirv *s,
                                                         const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_specialization *found = NULL;
    uint32_t id;
    if (!sl_spirv_decoration(s, i->result, DecorationSpecId, &id))
        return NULL;
    for (size_t k = 0; k < s->input->specialization_count; k++)
        if (s->input->specializations[k].id == id)
            found = &s->input->specializations[k];
    return found;
}

static int truth(struct sl_spirv *s, const struct sl_spirv_instruction *i, bool value)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_specialization *given =
        i->opcode == OpSpecConstantTrue || i->opcode == OpSpecConstantFalse ? given_value(s, i)
                                                                            : NULL;
    if (given && given->bytes != 1)
        return sl_spirv_fail(s, i, "its value has %zu bytes, not 1", given->bytes);
    if (given)
        value = *(const unsigned char *)given->value != 0;
    if (!type || type->kind != SL_SPIRV_BOOL)
        return sl_spirv_fail(s, i, "its type is not Boolean");
    return define(s, i, LLVMConstInt(type->llvm, value, 0));
}

static LLVMValueRef number_of_bits(struct sl_spirv *s, const struct sl_spirv_type *type,
                                   uint64_t bits)
{
    LLVMValueRef value = LLVMConstInt(LLVMIntTypeInContext(s->context, type->bits), bits, 0);
    return type->kind == SL_SPIRV_FLOAT ? LLVMConstBitCast(value, type->llvm) : value;
}

static int number(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_specialization *given =
        i->opcode == OpSpecConstant ? given_value(s, i) : NULL;
    if (!type || (type->kind != SL_SPIRV_INT && type->kind != SL_SPIRV_FLOAT))
        return sl_spirv_fail(s, i, "its type is no number's");
    if (i->operand_count != (type->bits > 32 ? 2 : 1))
        return sl_spirv_fail(s, i, "%u words for %u bits", i->operand_count, type->bits);
    if (given && given->bytes * 8 != type->bits)
        return sl_spirv_fail(s, i, "its value has %zu bytes, not %u", given->bytes, type->bits / 8);
    uint64_t bits = i->operands[0];
    if (type->bits > 32)
        bits |= (uint64_t)i->operands[1] << 32;
    if (given) {
        bits = 0;
        memcpy(&bits, given->value, given->bytes);
    }
    if (type->bits < 64)
        bits &= ((uint64_t)1 << type->bits) - 1;
    return define(s, i, number_of_bits(s, type, bits));
}

/* ---- composites ------------------------------------------------------------------------------ */

LLVMValueRef sl_spirv_constant_aggregate(struct sl_spirv *s, const struct sl_spirv_type *type,
                                         LLVMValueRef *parts)
{
    if (type->kind == SL_SPIRV_STRUCT)
        return LLVMConstNamedStruct(type->llvm, parts, type->count);
    return LLVMConstArray2(sl_spirv_memory_type(s, type->element), parts, type->count);
}

struct parts {
    const struct sl_spirv_type *type;
    LLVMValueRef *values;
    uint32_t count;
};

static int add_parts(struct sl_spirv *s, const struct sl_spirv_instruction *i, struct parts *parts)
{
    const struct sl_spirv_type *type = parts->type;
    for (unsigned k = 0; k < i->operand_count; k++) {
        if (parts->count == type->count)
            return sl_spirv_fail(s, i, "has more than %u parts", type->count);
        const struct sl_spirv_type *part = sl_spirv_type(
            s, type->kind == SL_SPIRV_STRUCT ? type->members[parts->count] : type->element);
        LLVMValueRef value = part ? sl_spirv_operand_of(s, i, k, part->llvm) : NULL;
        if (!value)
            return -1;
        if (!LLVMIsConstant(value))
            return sl_spirv_fail(s, i, "operand %u is no constant", k + 1);
        parts->values[parts->count++] = type->kind == SL_SPIRV_VECTOR || sl_spirv_is_single(type)
                                            ? value
                                            : sl_spirv_to_memory(s, part, value);
    }
    return 0;
}

/* All components are the one that there is. */
static int matrix(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                  const struct sl_spirv_type *type)
{
    const struct sl_spirv_type *component = sl_spirv_type(s, type->element);
    LLVMValueRef *values = sl_spirv_allocate(s, type->count, sizeof *values);
    if (!component || !values)
        return -1;
    if (i->operand_count != 1)
        return sl_spirv_fail(s, i, "a matrix is made of one number, not of %u", i->operand_count);
    LLVMValueRef value = sl_spirv_operand_of(s, i, 0, component->llvm);
    if (!value)
        return -1;
    if (!LLVMIsConstant(value))
        return sl_spirv_fail(s, i, "operand 1 is no constant");
    for (uint32_t k = 0; k < type->count; k++)
        values[k] = value;
    return define(s, i, type->count > 1 ? LLVMConstVector(values, type->count) : value);
}

/* An instruction has at most 65535 words; those behind it go on where it ends. */
static int composite(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (type && type->kind == SL_SPIRV_MATRIX)
        return matrix(s, i, type);
    if (!type || (type->kind != SL_SPIRV_VECTOR && type->kind != SL_SPIRV_ARRAY &&
                  type->kind != SL_SPIRV_STRUCT && !sl_spirv_is_single(type)))
        return sl_spirv_fail(s, i, "its type has no parts");
    if (type->count > s->word_count)
        return sl_spirv_fail(s, i, "has fewer than %u parts", type->count);
    struct parts parts = {.type = type,
                          .values = sl_spirv_allocate(s, type->count + 1u, sizeof *parts.values)};
    if (!parts.values || add_parts(s, i, &parts))
        return -1;
    const struct sl_spirv_instruction *last = s->instructions + s->instruction_count;
    for (const struct sl_spirv_instruction *more = i + 1;
         more < last && (more->opcode == OpConstantCompositeContinuedINTEL ||
                         more->opcode == OpSpecConstantCompositeContinuedINTEL);
         more++)
        if (add_parts(s, more, &parts))
            return -1;
    if (parts.count != type->count)
        return sl_spirv_fail(s, i, "%u parts for %u", parts.count, type->count);
    return define(s, i,
                  sl_spirv_is_single(type) ? *parts.values
                  : type->kind == SL_SPIRV_VECTOR
                      ? LLVMConstVector(parts.values, parts.count)
                      : sl_spirv_constant_aggregate(s, type, parts.values));
}

static int null(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (!type)
        return -1;
    if (!sl_spirv_is_sized(type))
        return sl_spirv_fail(s, i, "its type has no size");
    return define(s, i, LLVMConstNull(type->llvm));
}

static int pipe_storage(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    LLVMValueRef fields[3];
    for (unsigned k = 0; k < 3; k++)
        fields[k] = LLVMConstInt(word, i->operands[k], 0);
    return define(s, i, LLVMConstStructInContext(s->context, fields, 3, 0));
}

/* ---- samplers -------------------------------------------------------------------------------- */

static int check_sampler(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (!type || type->kind != SL_SPIRV_SAMPLER)
        return sl_spirv_fail(s, i, "its type is no sampler");
    if (i->operands[0] > SamplerAddressingModeRepeatMirrored || i->operands[1] > 1 ||
        i->operands[2] > SamplerFilterModeLinear)
        return sl_spirv_fail(s, i, "its parameters are not known");
    return 1;
}

LLVMValueRef sl_spirv_literal_sampler(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    static const char name[] = "__translate_sampler_initializer";
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    if (!type)
        return NULL;
    LLVMTypeRef signature = LLVMFunctionType(type->llvm, &word, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(s->module, name);
    if (!function) {
        function = LLVMAddFunction(s->module, name, signature);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    /* As OpenCL C's CLK_ numbers: normalized, address mode, filter. */
    unsigned mode = i->operands[1] | i->operands[0] << 1 | (i->operands[2] ? 0x20u : 0x10u);
    LLVMValueRef argument = LLVMConstInt(word, mode, 0);
    LLVMValueRef call = LLVMBuildCall2(s->builder, signature, function, &argument, 1, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return call;
}

/* ---- all of them ----------------------------------------------------------------------------- */

int sl_spirv_declare_constant(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpConstantTrue:
    case OpSpecConstantTrue:
        return truth(s, i, true);
    case OpConstantFalse:
    case OpSpecConstantFalse:
        return truth(s, i, false);
    case OpConstant:
    case OpSpecConstant:
        return number(s, i);
    case OpConstantComposite:
    case OpSpecConstantComposite:
        return composite(s, i);
    case OpConstantCompositeContinuedINTEL:
    case OpSpecConstantCompositeContinuedINTEL:
        return 1;
    case OpConstantNull:
        return null(s, i);
    case OpConstantPipeStorage:
        return pipe_storage(s, i);
    case OpConstantSampler:
        return check_sampler(s, i);
    }
    return 0;
}
