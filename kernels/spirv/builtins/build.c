/* SPDX-License-Identifier: Apache-2.0 */
/* See build.h. */
#include "spirv/builtins/build.h"

#include <string.h>

#include "spirv/grammar/numbers.h"

LLVMTypeRef sl_build_element(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned sl_build_lanes(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

unsigned sl_build_bits(LLVMTypeRef type)
{
    LLVMTypeRef element = sl_build_element(type);
    switch (LLVMGetTypeKind(element)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(element);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return 0;
    }
}

LLVMTypeRef sl_build_as_many(LLVMTypeRef element, LLVMTypeRef like)
{
    unsigned lanes = sl_build_lanes(like);
    return lanes > 1 ? LLVMVectorType(element, lanes) : element;
}

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef value)
{
    LLVMValueRef values[16];
    unsigned lanes = sl_build_lanes(type);
    if (lanes == 1)
        return value;
    for (unsigned i = 0; i < lanes && i < 16; i++)
        values[i] = value;
    return LLVMConstVector(values, lanes < 16 ? lanes : 16);
}

LLVMValueRef sl_build_integer(LLVMTypeRef type, uint64_t value)
{
    return splat(type, LLVMConstInt(sl_build_element(type), value, 0));
}

LLVMValueRef sl_build_real(LLVMTypeRef type, double value)
{
    return splat(type, LLVMConstReal(sl_build_element(type), value));
}

LLVMValueRef sl_build_intrinsic(struct sl_spirv *spirv, const char *name, LLVMValueRef *values,
                                unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(values[0]);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(sl_spirv_module(spirv), id, &type, 1);
    return LLVMBuildCall2(sl_spirv_builder(spirv),
                          LLVMIntrinsicGetType(sl_spirv_context(spirv), id, &type, 1), f, values,
                          count, "");
}

static LLVMValueRef index_of(struct sl_spirv *spirv, unsigned lane)
{
    return LLVMConstInt(LLVMInt64TypeInContext(sl_spirv_context(spirv)), lane, 0);
}

LLVMValueRef sl_build_lane(struct sl_spirv *spirv, LLVMValueRef vector, unsigned lane)
{
    if (sl_build_lanes(LLVMTypeOf(vector)) == 1)
        return vector;
    return LLVMBuildExtractElement(sl_spirv_builder(spirv), vector, index_of(spirv, lane), "");
}

LLVMValueRef sl_build_with_lane(struct sl_spirv *spirv, LLVMTypeRef type, LLVMValueRef vector,
                                LLVMValueRef value, unsigned lane)
{
    if (sl_build_lanes(type) == 1)
        return value;
    if (!vector)
        vector = LLVMGetPoison(type);
    return LLVMBuildInsertElement(sl_spirv_builder(spirv), vector, value, index_of(spirv, lane),
                                  "");
}

/* Of two vectors of one length, which are counted behind each other; UINT32_MAX: of none. */
static LLVMValueRef shuffle(struct sl_spirv *spirv, LLVMValueRef one, LLVMValueRef other,
                            const unsigned *lanes, unsigned count)
{
    LLVMValueRef mask[SL_BUILD_MOST_LANES];
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(spirv));
    for (unsigned k = 0; k < count; k++)
        mask[k] = lanes[k] == UINT32_MAX ? LLVMGetPoison(word) : LLVMConstInt(word, lanes[k], 0);
    return LLVMBuildShuffleVector(sl_spirv_builder(spirv), one, other, LLVMConstVector(mask, count),
                                  "");
}

LLVMValueRef sl_build_slice(struct sl_spirv *spirv, LLVMValueRef vector, unsigned first,
                            unsigned count)
{
    unsigned lanes[SL_BUILD_MOST_LANES] = {0};
    if (count == 1)
        return sl_build_lane(spirv, vector, first);
    if (count == sl_build_lanes(LLVMTypeOf(vector)))
        return vector;
    for (unsigned k = 0; k < count; k++)
        lanes[k] = first + k;
    return shuffle(spirv, vector, LLVMGetPoison(LLVMTypeOf(vector)), lanes, count);
}

LLVMValueRef sl_build_with_slice(struct sl_spirv *spirv, LLVMValueRef vector, LLVMValueRef slice,
                                 unsigned first)
{
    unsigned lanes[SL_BUILD_MOST_LANES] = {0};
    unsigned all = sl_build_lanes(LLVMTypeOf(vector)), count = sl_build_lanes(LLVMTypeOf(slice));
    if (count == all)
        return slice;
    if (count == 1)
        return sl_build_with_lane(spirv, LLVMTypeOf(vector), vector, slice, first);
    for (unsigned k = 0; k < all; k++)
        lanes[k] = k < count ? k : UINT32_MAX;
    slice = shuffle(spirv, slice, LLVMGetPoison(LLVMTypeOf(slice)), lanes, all);
    for (unsigned k = 0; k < all; k++)
        lanes[k] = k >= first && k < first + count ? all + k - first : k;
    return shuffle(spirv, vector, slice, lanes, all);
}

LLVMValueRef sl_build_from_bool(struct sl_spirv *spirv, LLVMValueRef value)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(spirv));
    return LLVMBuildZExt(sl_spirv_builder(spirv), value, sl_build_as_many(word, LLVMTypeOf(value)),
                         "");
}

LLVMValueRef sl_build_to_bool(struct sl_spirv *spirv, LLVMValueRef value)
{
    return LLVMBuildICmp(sl_spirv_builder(spirv), LLVMIntNE, value,
                         LLVMConstNull(LLVMTypeOf(value)), "");
}

LLVMFastMathFlags sl_build_fast_math(struct sl_spirv *spirv, uint32_t id)
{
    static const struct {
        uint32_t mask;
        LLVMFastMathFlags flags;
    } rows[] = {
        {FPFastMathModeNotNaNMask, LLVMFastMathNoNaNs},
        {FPFastMathModeNotInfMask, LLVMFastMathNoInfs},
        {FPFastMathModeNSZMask, LLVMFastMathNoSignedZeros},
        {FPFastMathModeAllowRecipMask, LLVMFastMathAllowReciprocal},
        {FPFastMathModeFastMask, LLVMFastMathAll},
        {FPFastMathModeAllowContractMask, LLVMFastMathAllowContract},
        {FPFastMathModeAllowReassocMask, LLVMFastMathAllowReassoc},
        {FPFastMathModeAllowTransformMask, LLVMFastMathAllowContract | LLVMFastMathAllowReassoc},
    };
    uint32_t mode = 0;
    LLVMFastMathFlags flags = LLVMFastMathNone;
    sl_spirv_decoration(spirv, id, DecorationFPFastMathMode, &mode);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (mode & rows[k].mask)
            flags |= rows[k].flags;
    return flags;
}

int sl_build_result(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction,
                    LLVMValueRef value)
{
    if (!value)
        return -1;
    return instruction->result && sl_spirv_define(spirv, instruction, value) ? -1 : 1;
}

LLVMValueRef sl_build_operand(struct sl_spirv *spirv,
                              const struct sl_spirv_instruction *instruction, unsigned index)
{
    return sl_spirv_value(spirv, instruction->operands[index]);
}

LLVMTypeRef sl_build_type(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction)
{
    const struct sl_spirv_type *type = sl_spirv_type(spirv, instruction->type);
    return type ? type->llvm : NULL;
}
