/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions ask of floating-point numbers and of booleans: comparisons. */
#include <math.h>

#include "spirv/builtins/builtin.h"

/* The least number that is not denormal. */
static double least_normal(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(sl_build_element(type))) {
    case LLVMHalfTypeKind:
        return 0x1p-14;
    case LLVMFloatTypeKind:
        return 0x1p-126;
    default:
        return 0x1p-1022;
    }
}

static LLVMValueRef has_sign(struct sl_spirv *spirv, LLVMValueRef value)
{
    LLVMBuilderRef b = sl_spirv_builder(spirv);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef integer = LLVMIntTypeInContext(sl_spirv_context(spirv), sl_build_bits(type));
    LLVMTypeRef integers = sl_build_as_many(integer, type);
    return LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildBitCast(b, value, integers, ""),
                         LLVMConstNull(integers), "");
}

static LLVMValueRef classify(struct sl_spirv *spirv, enum sl_relation what, LLVMValueRef value)
{
    LLVMBuilderRef b = sl_spirv_builder(spirv);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef infinite = sl_build_real(type, INFINITY);
    if (what == SL_IS_NAN)
        return LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
    if (what == SL_SIGN_BIT)
        return has_sign(spirv, value);
    LLVMValueRef size = sl_build_intrinsic(spirv, "llvm.fabs", &value, 1);
    if (what == SL_IS_INF)
        return LLVMBuildFCmp(b, LLVMRealOEQ, size, infinite, "");
    LLVMValueRef finite = LLVMBuildFCmp(b, LLVMRealOLT, size, infinite, "");
    if (what == SL_IS_FINITE)
        return finite;
    LLVMValueRef least = sl_build_real(type, least_normal(type));
    return LLVMBuildAnd(b, finite, LLVMBuildFCmp(b, LLVMRealOGE, size, least, ""), "");
}

/* Clang's own back end asks this of integers, and means their signs, as OpenCL C does. */
static LLVMValueRef join(struct sl_spirv *spirv, LLVMValueRef value, bool all)
{
    LLVMBuilderRef b = sl_spirv_builder(spirv);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetIntTypeWidth(sl_build_element(type)) > 1)
        value = LLVMBuildICmp(b, LLVMIntSLT, value, LLVMConstNull(type), "");
    LLVMValueRef joined = sl_build_lane(spirv, value, 0);
    for (unsigned i = 1; i < sl_build_lanes(LLVMTypeOf(value)); i++) {
        LLVMValueRef lane = sl_build_lane(spirv, value, i);
        joined = all ? LLVMBuildAnd(b, joined, lane, "") : LLVMBuildOr(b, joined, lane, "");
    }
    return joined;
}

static LLVMValueRef compare(const struct sl_builtin *op, LLVMValueRef a)
{
    LLVMValueRef b = sl_build_operand(op->spirv, op->instruction, 1);
    LLVMRealPredicate predicate = op->flags == SL_ORDERED     ? LLVMRealORD
                                  : op->flags == SL_UNORDERED ? LLVMRealUNO
                                                              : LLVMRealONE;
    if (!b)
        return NULL;
    if (LLVMTypeOf(a) != LLVMTypeOf(b)) {
        sl_spirv_fail(op->spirv, op->instruction, "operands of different types");
        return NULL;
    }
    return LLVMBuildFCmp(sl_spirv_builder(op->spirv), predicate, a, b, "");
}

static bool takes(enum sl_relation what, LLVMTypeRef type)
{
    LLVMTypeRef element = sl_build_element(type);
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    if (what == SL_ANY_OF || what == SL_ALL_OF)
        return kind == LLVMIntegerTypeKind;
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

int sl_builtin_relation(const struct sl_builtin *op)
{
    enum sl_relation what = (enum sl_relation)op->flags;
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, 0);
    if (!value)
        return -1;
    if (!takes(what, LLVMTypeOf(value)))
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    LLVMValueRef answer = what == SL_ANY_OF || what == SL_ALL_OF
                              ? join(op->spirv, value, what == SL_ALL_OF)
                          : what <= SL_SIGN_BIT ? classify(op->spirv, what, value)
                                                : compare(op, value);
    return sl_build_result(op->spirv, op->instruction, answer);
}
