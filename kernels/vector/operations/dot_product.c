/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of bytes. VNNI multiplies unsigned bytes with signed ones: a factor of the other kind is
 * turned into what it has by its highest bit, which adds or takes 128 times the other factor's sum.
 * Without VNNI bytes become halves of 16 bits, even and odd ones apart, whose products no sum of
 * two leaves 32 bits. No shared state.
 */
#include "vector/operations/dot_product.h"

#include "vector/analysis/lane_builtin.h"
#include "vector/operations/serial.h"

#define BYTES 64u

static LLVMValueRef all(struct sl_vector *v, unsigned bits, unsigned long long value)
{
    LLVMValueRef each[BYTES];
    for (unsigned k = 0; k < BYTES; k++)
        each[k] = LLVMConstInt(LLVMIntTypeInContext(v->g->e.context, bits), value, false);
    return LLVMConstVector(each, 8 * BYTES / bits);
}

static LLVMValueRef as_halves(struct sl_vector *v, LLVMValueRef x, unsigned bits)
{
    LLVMTypeRef type = LLVMIntTypeInContext(v->g->e.context, bits);
    return LLVMBuildBitCast(v->g->e.builder, x, LLVMVectorType(type, 8 * BYTES / bits), "");
}

/* ---- VNNI ------------------------------------------------------------------------------------ */

/* Of unsigned bytes with signed ones. */
static LLVMValueRef multiply(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef args[] = {all(v, 32, 0), as_halves(v, a, 8), as_halves(v, b, 8)};
    return sl_vector_intrinsic(v, "llvm.x86.avx512.vpdpbusd.512", NULL, 0, args, 3);
}

static LLVMValueRef by_products(struct sl_vector *v, unsigned is_signed, LLVMValueRef a,
                                LLVMValueRef b)
{
    LLVMBuilderRef builder = v->g->e.builder;
    LLVMValueRef highest = all(v, 32, 0x80808080);
    if (is_signed & SL_DOT_A_SIGNED) {
        LLVMValueRef more = multiply(v, LLVMBuildXor(builder, a, highest, ""), b);
        return LLVMBuildSub(builder, more, multiply(v, highest, b), "dot");
    }
    if (is_signed & SL_DOT_B_SIGNED)
        return multiply(v, a, b);
    LLVMValueRef less = multiply(v, a, LLVMBuildXor(builder, b, highest, ""));
    return LLVMBuildSub(builder, less, multiply(v, a, highest), "dot"); /* -128 each */
}

/* ---- without it ------------------------------------------------------------------------------ */

static void apart(struct sl_vector *v, bool is_signed, LLVMValueRef x, LLVMValueRef *halves)
{
    LLVMBuilderRef builder = v->g->e.builder;
    LLVMValueRef both = as_halves(v, x, 16), eight = all(v, 16, 8);
    LLVMValueRef even = LLVMBuildShl(builder, both, eight, "");
    halves[0] = is_signed ? LLVMBuildAShr(builder, even, eight, "")
                          : LLVMBuildAnd(builder, both, all(v, 16, 255), "");
    halves[1] = is_signed ? LLVMBuildAShr(builder, both, eight, "")
                          : LLVMBuildLShr(builder, both, eight, "");
}

static LLVMValueRef by_halves(struct sl_vector *v, unsigned is_signed, LLVMValueRef a,
                              LLVMValueRef b)
{
    LLVMValueRef factors[2][2], sums[2];
    apart(v, is_signed & SL_DOT_A_SIGNED, a, factors[0]);
    apart(v, is_signed & SL_DOT_B_SIGNED, b, factors[1]);
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef args[] = {factors[0][k], factors[1][k]};
        sums[k] = sl_vector_intrinsic(v, "llvm.x86.avx512.pmaddw.d.512", NULL, 0, args, 2);
    }
    return LLVMBuildAdd(v->g->e.builder, sums[0], sums[1], "dot");
}

LLVMValueRef sl_vector_dot_product(struct sl_vector *v, unsigned is_signed, LLVMValueRef a,
                                   LLVMValueRef b)
{
    return v->facts.target->byte_products ? by_products(v, is_signed, a, b)
                                          : by_halves(v, is_signed, a, b);
}
