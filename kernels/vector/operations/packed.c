/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of small elements, taken as one number per item: a uchar4 is 32 bits, its elements are
 * got by shifts. Moving bytes across registers of lanes takes several times as long.
 * No shared state.
 */
#include "vector/operations/packed.h"

#include "vector/operations/value.h"
#include "vector/vector.h"

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static unsigned element_bits(LLVMTypeRef element)
{
    switch (LLVMGetTypeKind(element)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(element);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    default:
        return 0;
    }
}

LLVMTypeRef sl_vector_packed_type(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return NULL;
    unsigned bits = element_bits(LLVMGetElementType(type)), all = bits * LLVMGetVectorSize(type);
    bool small = bits == 8 || bits == 16;
    return small && (all == 16 || all == 32 || all == 64)
               ? LLVMIntTypeInContext(LLVMGetTypeContext(type), all)
               : NULL;
}

void sl_vector_unpack(struct sl_vector *v, LLVMValueRef numbers, LLVMTypeRef type,
                      LLVMValueRef *parts)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef element = LLVMGetElementType(type);
    LLVMTypeRef number = LLVMGetElementType(LLVMTypeOf(numbers));
    unsigned bits = element_bits(element);
    LLVMTypeRef small = sl_vector_wide_type(v, LLVMIntTypeInContext(v->g->e.context, bits));
    for (uint32_t k = 0; k < LLVMGetVectorSize(type); k++) {
        LLVMValueRef by = sl_vector_splat(v, LLVMConstInt(number, (uint64_t)k * bits, false));
        LLVMValueRef low = LLVMBuildTrunc(b, LLVMBuildLShr(b, numbers, by, ""), small, "");
        parts[k] = LLVMBuildBitCast(b, low, sl_vector_wide_type(v, element), "");
    }
}

LLVMValueRef sl_vector_pack(struct sl_vector *v, LLVMValueRef *parts, LLVMTypeRef type)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef number = sl_vector_packed_type(type);
    LLVMTypeRef wide = sl_vector_wide_type(v, number);
    unsigned bits = element_bits(LLVMGetElementType(type));
    LLVMTypeRef small = sl_vector_wide_type(v, LLVMIntTypeInContext(v->g->e.context, bits));
    LLVMValueRef all = NULL;
    for (uint32_t k = 0; k < LLVMGetVectorSize(type); k++) {
        LLVMValueRef by = sl_vector_splat(v, LLVMConstInt(number, (uint64_t)k * bits, false));
        /* An element that is nothing in particular must not make the whole number that. */
        LLVMValueRef one = LLVMBuildBitCast(b, LLVMBuildFreeze(b, parts[k], ""), small, "");
        one = LLVMBuildShl(b, LLVMBuildZExt(b, one, wide, ""), by, "");
        all = all ? LLVMBuildOr(b, all, one, "") : one;
    }
    return all;
}
