/* SPDX-License-Identifier: Apache-2.0 */
/* See operand.h. */
#include "spirv/values/operand.h"

#include "spirv/module/module.h"

LLVMValueRef sl_spirv_operand(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                              unsigned index)
{
    if (index >= i->operand_count) {
        sl_spirv_fail(s, i, "has too few operands");
        return NULL;
    }
    return sl_spirv_value(s, i->operands[index]);
}

LLVMValueRef sl_spirv_operand_of(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                 unsigned index, LLVMTypeRef type)
{
    LLVMValueRef value = sl_spirv_operand(s, i, index);
    if (!value || LLVMTypeOf(value) == type)
        return value;
    sl_spirv_fail(s, i, "operand %u has the wrong type", index + 1);
    return NULL;
}

LLVMValueRef sl_spirv_pointer_operand(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                      unsigned index)
{
    LLVMValueRef value = sl_spirv_operand(s, i, index);
    if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return value;
    sl_spirv_fail(s, i, "operand %u is no pointer", index + 1);
    return NULL;
}

uint32_t sl_spirv_literal(const struct sl_spirv_instruction *i, unsigned index)
{
    return index < i->operand_count ? i->operands[index] : 0;
}

/* LLVM 22's own writer of SPIR-V takes 128 for a signed byte. */
int sl_spirv_take_alignment(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            uint32_t given, unsigned *out)
{
    if (given == (uint32_t)-128)
        given = 128;
    if (given & (given - 1) || given > 1u << 28)
        return sl_spirv_fail(s, i, "%u is no alignment", given);
    *out = given;
    return 0;
}

enum sl_spirv_type_kind sl_spirv_lane_kind(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    if (type->kind != SL_SPIRV_VECTOR && type->kind != SL_SPIRV_MATRIX)
        return type->kind;
    const struct sl_spirv_type *lane = sl_spirv_type(s, type->element);
    return lane ? lane->kind : SL_SPIRV_VOID;
}

static LLVMTypeRef lane_type(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

bool sl_spirv_is_kind(LLVMTypeRef type, LLVMTypeKind kind)
{
    return LLVMGetTypeKind(lane_type(type)) == kind;
}

unsigned sl_spirv_lanes(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef sl_spirv_with_lanes(LLVMTypeRef scalar, LLVMTypeRef like)
{
    return LLVMGetTypeKind(like) == LLVMVectorTypeKind
               ? LLVMVectorType(scalar, LLVMGetVectorSize(like))
               : scalar;
}

LLVMValueRef sl_spirv_to_memory(struct sl_spirv *s, const struct sl_spirv_type *type,
                                LLVMValueRef value)
{
    if (type->llvm == type->memory)
        return value;
    return LLVMBuildZExt(s->builder, value, type->memory, "");
}

LLVMValueRef sl_spirv_from_memory(struct sl_spirv *s, const struct sl_spirv_type *type,
                                  LLVMValueRef value)
{
    if (type->llvm == type->memory)
        return value;
    return LLVMBuildICmp(s->builder, LLVMIntNE, value, LLVMConstNull(type->memory), "");
}
