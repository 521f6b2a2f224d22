/* SPDX-License-Identifier: Apache-2.0 */
/* Dot products, of floating-point numbers and of integers. */
#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"

/* The functions of OpenCL C have up to four lanes; for more there is a sum of products. */
static LLVMValueRef sum_of_products(struct sl_spirv *spirv, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = sl_spirv_builder(spirv);
    LLVMValueRef products = LLVMBuildFMul(builder, a, b, "");
    LLVMValueRef sum = sl_build_lane(spirv, products, 0);
    for (unsigned i = 1; i < sl_build_lanes(LLVMTypeOf(a)); i++)
        sum = LLVMBuildFAdd(builder, sum, sl_build_lane(spirv, products, i), "");
    return sum;
}

int sl_builtin_dot(const struct sl_builtin *op)
{
    struct sl_call call;
    LLVMValueRef a = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMValueRef b = a ? sl_build_operand(op->spirv, op->instruction, 1) : NULL;
    if (!b)
        return -1;
    LLVMTypeRef type = LLVMTypeOf(a);
    if (type != LLVMTypeOf(b) || LLVMGetTypeKind(sl_build_element(type)) == LLVMIntegerTypeKind)
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    if (sl_build_lanes(type) > 4)
        return sl_build_result(op->spirv, op->instruction, sum_of_products(op->spirv, a, b));
    sl_call_begin(&call, op->spirv, op->instruction, op->name);
    call.effect = SL_CALL_PURE;
    sl_call_add(&call, a, false);
    sl_call_add(&call, b, false);
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}

/* ---- integers -------------------------------------------------------------------------------- */

/* The factors as vectors; four bytes may come packed into a word. */
static LLVMValueRef factors(const struct sl_builtin *op, unsigned index)
{
    LLVMContextRef context = sl_spirv_context(op->spirv);
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, index);
    if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
        return value;
    if (LLVMTypeOf(value) != LLVMInt32TypeInContext(context)) {
        sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
        return NULL;
    }
    LLVMTypeRef bytes = LLVMVectorType(LLVMInt8TypeInContext(context), 4);
    return LLVMBuildBitCast(sl_spirv_builder(op->spirv), value, bytes, "");
}

static LLVMValueRef sum(struct sl_spirv *spirv, LLVMValueRef products)
{
    LLVMValueRef sum = sl_build_lane(spirv, products, 0);
    for (unsigned i = 1; i < sl_build_lanes(LLVMTypeOf(products)); i++)
        sum = LLVMBuildAdd(sl_spirv_builder(spirv), sum, sl_build_lane(spirv, products, i), "");
    return sum;
}

static bool fit(LLVMTypeRef a, LLVMTypeRef b, LLVMTypeRef to)
{
    return sl_build_lanes(a) == sl_build_lanes(b) && LLVMGetTypeKind(to) == LLVMIntegerTypeKind &&
           LLVMGetTypeKind(sl_build_element(a)) == LLVMIntegerTypeKind &&
           LLVMGetTypeKind(sl_build_element(b)) == LLVMIntegerTypeKind;
}

int sl_builtin_integer_dot(const struct sl_builtin *op)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMTypeRef to = sl_build_type(op->spirv, op->instruction);
    LLVMValueRef a = factors(op, 0);
    LLVMValueRef b = a ? factors(op, 1) : NULL;
    if (!to || !b)
        return -1;
    if (!fit(LLVMTypeOf(a), LLVMTypeOf(b), to))
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    LLVMTypeRef wide = sl_build_as_many(to, LLVMTypeOf(a));
    a = LLVMBuildIntCast2(builder, a, wide, !(op->flags & SL_FIRST_UNSIGNED), "");
    b = LLVMBuildIntCast2(builder, b, wide, !(op->flags & SL_SECOND_UNSIGNED), "");
    LLVMValueRef result = sum(op->spirv, LLVMBuildMul(builder, a, b, ""));
    if (op->flags & SL_ACCUMULATES) {
        LLVMValueRef both[2] = {result, sl_build_operand(op->spirv, op->instruction, 2)};
        if (!both[1])
            return -1;
        if (LLVMTypeOf(both[1]) != to)
            return sl_spirv_fail(op->spirv, op->instruction, "an accumulator of another type");
        result = sl_build_intrinsic(op->spirv, op->name, both, 2);
    }
    return sl_build_result(op->spirv, op->instruction, result);
}
