/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An item's part of a row of a is 32 bits in sub-groups of 8 and 16 bits in those of 16: the lanes'
 * parts side by side are the row. Half bytes are bytes before they are multiplied, and sums that
 * are halves or bfloat16 are floats meanwhile. No shared state.
 */
#include "vector/operations/matrix.h"

#include "vector/analysis/target.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "llvm/matrix_product.h"

struct operands {
    LLVMValueRef a[SL_MATRIX_MOST_ROWS], b[SL_MATRIX_WORDS], sums[SL_MATRIX_MOST_ROWS];
};

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static LLVMValueRef words(struct sl_vector *v, uint32_t value, uint32_t count)
{
    return sl_vector_splat_to(v, sl_emit_i32(&v->g->e, value), count);
}

/* ---- half bytes ------------------------------------------------------------------------------ */

/* Those with even numbers, or those with odd ones, as bytes. */
static LLVMValueRef half_bytes(struct sl_vector *v, LLVMValueRef x, unsigned odd, bool is_signed)
{
    LLVMBuilderRef b = builder(v);
    const uint32_t count = LLVMGetVectorSize(LLVMTypeOf(x));
    if (odd)
        x = LLVMBuildLShr(b, x, words(v, 4, count), "");
    x = LLVMBuildAnd(b, x, words(v, 0x0f0f0f0f, count), "");
    if (!is_signed)
        return x;
    /* From 8 on they are 16 less: the bits above the four are those of the fourth. */
    LLVMValueRef sign = LLVMBuildAnd(b, x, words(v, 0x08080808, count), "");
    return LLVMBuildOr(b, x, LLVMBuildMul(b, sign, words(v, 0x1e, count), ""), "");
}

static void multiply(struct sl_vector *v, const struct sl_matrix_product *product,
                     struct operands *o)
{
    const struct sl_vector_target *target = v->facts.target;
    const struct sl_matrix_machine machine = {.register_bits = target->register_bits,
                                              .byte_products = target->byte_products,
                                              .bfloat_products = target->bfloat_products};
    if (target->tiles && product->lanes == 16 && product->rows == SL_MATRIX_MOST_ROWS &&
        product->number != SL_MATRIX_HALVES) {
        sl_matrix_postpone(builder(v), product, o->a, o->b, o->sums);
        return;
    }
    sl_matrix_expand(builder(v), &machine, product, o->a, o->b, o->sums);
}

static void multiply_half_bytes(struct sl_vector *v, const struct sl_matrix_product *product,
                                struct operands *o)
{
    struct operands part = *o;
    for (unsigned odd = 0; odd < 2; odd++) {
        for (uint32_t m = 0; m < product->rows; m++)
            part.a[m] = half_bytes(v, o->a[m], odd, product->a_signed);
        for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
            part.b[k] = half_bytes(v, o->b[k], odd, product->b_signed);
        multiply(v, product, &part);
    }
    *o = part;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static LLVMValueRef to_sum(struct sl_vector *v, LLVMValueRef x)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(x));
    LLVMTypeRef floats = sl_vector_wide_type(v, LLVMFloatTypeInContext(v->g->e.context));
    if (LLVMGetTypeKind(element) == LLVMHalfTypeKind)
        return LLVMBuildFPExt(builder(v), x, floats, "");
    if (LLVMGetTypeKind(element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(element) == 32)
        return x;
    x = LLVMBuildZExt(builder(v), x, sl_vector_wide_type(v, v->g->e.i32), "");
    x = LLVMBuildShl(builder(v), x, words(v, 16, v->facts.lanes), "");
    return LLVMBuildBitCast(builder(v), x, floats, "");
}

/* To the nearest, ties to even; what is no number stays so (builtins/half/bfloat16.cl). */
static LLVMValueRef to_bfloat(struct sl_vector *v, LLVMValueRef sum, LLVMTypeRef type)
{
    LLVMBuilderRef b = builder(v);
    const uint32_t lanes = v->facts.lanes;
    LLVMValueRef bits = LLVMBuildBitCast(b, sum, sl_vector_wide_type(v, v->g->e.i32), "");
    LLVMValueRef sixteen = words(v, 16, lanes), high = LLVMBuildLShr(b, bits, sixteen, "");
    LLVMValueRef up = LLVMBuildAnd(b, high, words(v, 1, lanes), "");
    up = LLVMBuildAdd(b, LLVMBuildAdd(b, bits, words(v, 0x7fff, lanes), ""), up, "");
    LLVMValueRef none = LLVMBuildFCmp(b, LLVMRealUNO, sum, sum, "");
    LLVMValueRef quiet = LLVMBuildOr(b, high, words(v, 0x40, lanes), "");
    LLVMValueRef result = LLVMBuildSelect(b, none, quiet, LLVMBuildLShr(b, up, sixteen, ""), "");
    return LLVMBuildTrunc(b, result, type, "");
}

static LLVMValueRef from_sum(struct sl_vector *v, LLVMValueRef sum, LLVMTypeRef type)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    if (LLVMGetTypeKind(element) == LLVMHalfTypeKind)
        return LLVMBuildFPTrunc(builder(v), sum, type, "");
    if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 16)
        return to_bfloat(v, sum, type);
    return sum;
}

/* ---- floats and doubles ---------------------------------------------------------------------- */

static void emit_floats(struct sl_vector *v, LLVMValueRef call)
{
    const uint32_t rows = sl_vector_part_count(LLVMTypeOf(call));
    LLVMValueRef a[SL_MATRIX_MOST_ROWS], b[SL_MATRIX_FLOAT_TERMS], sums[SL_MATRIX_MOST_ROWS];
    for (uint32_t m = 0; m < rows; m++) {
        a[m] = sl_vector_part(v, LLVMGetArgOperand(call, 0), m);
        sums[m] = sl_vector_part(v, LLVMGetArgOperand(call, 2), m);
    }
    for (uint32_t k = 0; k < SL_MATRIX_FLOAT_TERMS; k++)
        b[k] = sl_vector_part(v, LLVMGetArgOperand(call, 1), k);
    sl_matrix_expand_floats(builder(v), rows, a, b, sums);
    for (uint32_t m = 0; m < rows; m++)
        sl_vector_set_part(v, call, m, sums[m]);
}

/* ---- all of them ----------------------------------------------------------------------------- */

void sl_vector_emit_matrix(struct sl_vector *v, LLVMValueRef call, const struct sl_sub_group_op *op)
{
    if (op->number == SL_MATRIX_FLOATS) {
        emit_floats(v, call);
        return;
    }
    const uint32_t rows = sl_vector_part_count(LLVMTypeOf(call));
    const struct sl_matrix_product product = {.number = op->number,
                                              .a_signed = op->a_signed,
                                              .b_signed = op->b_signed,
                                              .rows = rows,
                                              .lanes = v->facts.lanes};
    LLVMTypeRef type = sl_vector_wide_type(v, sl_vector_part_type(LLVMTypeOf(call), 0));
    LLVMTypeRef row = LLVMVectorType(v->g->e.i32, SL_MATRIX_WORDS);
    struct operands o;
    for (uint32_t m = 0; m < rows; m++) {
        LLVMValueRef part = sl_vector_part(v, LLVMGetArgOperand(call, 0), m);
        o.a[m] = LLVMBuildBitCast(builder(v), part, row, "");
        o.sums[m] = to_sum(v, sl_vector_part(v, LLVMGetArgOperand(call, 2), m));
    }
    for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
        o.b[k] = sl_vector_part(v, LLVMGetArgOperand(call, 1), k);
    if (op->half_bytes)
        multiply_half_bytes(v, &product, &o);
    else
        multiply(v, &product, &o);
    for (uint32_t m = 0; m < rows; m++)
        sl_vector_set_part(v, call, m, from_sum(v, o.sums[m], type));
}
