/* SPDX-License-Identifier: Apache-2.0 */
/* Bits, and integers whose result is twice as wide. */
#include <string.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(sl_build_element(type)) == LLVMIntegerTypeKind;
}

int sl_builtin_bits(const struct sl_builtin *op)
{
    LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMTypeRef to = sl_build_type(op->spirv, op->instruction);
    if (!value || !to)
        return -1;
    if (!is_integer(to) || !is_integer(LLVMTypeOf(value)) ||
        sl_build_lanes(to) != sl_build_lanes(LLVMTypeOf(value)))
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    LLVMValueRef bits = sl_build_intrinsic(op->spirv, op->name, &value, 1);
    return sl_build_result(op->spirv, op->instruction,
                           LLVMBuildIntCast2(sl_spirv_builder(op->spirv), bits, to, false, ""));
}

int sl_builtin_bit_field(const struct sl_builtin *op)
{
    struct sl_call call;
    sl_call_begin(&call, op->spirv, op->instruction, op->name);
    call.effect = SL_CALL_PURE;
    call.is_unsigned = op->flags;
    for (unsigned i = 0; op->parameters[i]; i++) {
        uint32_t id = op->instruction->operands[i];
        if (op->parameters[i] == 'i')
            sl_call_add_index(&call, id, 32);
        else
            sl_call_add_id(&call, id, false);
    }
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}

int sl_builtin_function(const struct sl_builtin *op)
{
    struct sl_call call;
    sl_call_begin(&call, op->spirv, op->instruction, op->name);
    call.effect = SL_CALL_PURE;
    call.is_unsigned = *op->parameters == 'u';
    for (unsigned i = 0; op->parameters[i]; i++) {
        LLVMValueRef value = sl_build_operand(op->spirv, op->instruction, i);
        if (value && is_integer(LLVMTypeOf(value)) == (op->parameters[i] == 'f'))
            return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
        sl_call_add(&call, value, op->parameters[i] == 'u');
    }
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}

/* Of the low 16 bits of the second factor. */
int sl_builtin_product_of_16(const struct sl_builtin *op)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMValueRef a = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMValueRef b = a ? sl_build_operand(op->spirv, op->instruction, 1) : NULL;
    if (!b)
        return -1;
    if (!is_integer(LLVMTypeOf(a)) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetIntTypeWidth(sl_build_element(LLVMTypeOf(a))) != 32)
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    LLVMTypeRef narrow =
        sl_build_as_many(LLVMInt16TypeInContext(sl_spirv_context(op->spirv)), LLVMTypeOf(a));
    b = LLVMBuildIntCast2(builder, LLVMBuildTrunc(builder, b, narrow, ""), LLVMTypeOf(a),
                          !op->flags, "");
    return sl_build_result(op->spirv, op->instruction, LLVMBuildMul(builder, a, b, ""));
}

static LLVMValueRef high_half(const struct sl_builtin *op, LLVMValueRef a, LLVMValueRef b)
{
    struct sl_call call;
    bool is_unsigned = op->flags == SL_PRODUCT_UNSIGNED;
    sl_call_begin(&call, op->spirv, op->instruction, "mul_hi");
    call.effect = SL_CALL_PURE;
    call.is_unsigned = is_unsigned;
    call.result = LLVMTypeOf(a);
    sl_call_add(&call, a, is_unsigned);
    sl_call_add(&call, b, is_unsigned);
    return sl_call_make(&call);
}

/* What does not fit into the first half, which is given. */
static LLVMValueRef second_half(const struct sl_builtin *op, LLVMValueRef a, LLVMValueRef b,
                                LLVMValueRef first)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    if (op->flags != SL_CARRY && op->flags != SL_BORROW)
        return high_half(op, a, b);
    LLVMValueRef beyond = op->flags == SL_CARRY ? LLVMBuildICmp(builder, LLVMIntULT, first, a, "")
                                                : LLVMBuildICmp(builder, LLVMIntULT, a, b, "");
    return LLVMBuildZExt(builder, beyond, LLVMTypeOf(a), "");
}

static bool is_pair_of(LLVMTypeRef pair, LLVMTypeRef type)
{
    return LLVMGetTypeKind(pair) == LLVMStructTypeKind && LLVMCountStructElementTypes(pair) == 2 &&
           LLVMStructGetTypeAtIndex(pair, 0) == type && LLVMStructGetTypeAtIndex(pair, 1) == type;
}

int sl_builtin_extended(const struct sl_builtin *op)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMTypeRef pair = sl_build_type(op->spirv, op->instruction);
    LLVMValueRef a = sl_build_operand(op->spirv, op->instruction, 0);
    LLVMValueRef b = a ? sl_build_operand(op->spirv, op->instruction, 1) : NULL;
    if (!pair || !b)
        return -1;
    if (!is_integer(LLVMTypeOf(a)) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        !is_pair_of(pair, LLVMTypeOf(a)))
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    LLVMValueRef first = op->flags == SL_CARRY    ? LLVMBuildAdd(builder, a, b, "")
                         : op->flags == SL_BORROW ? LLVMBuildSub(builder, a, b, "")
                                                  : LLVMBuildMul(builder, a, b, "");
    LLVMValueRef second = second_half(op, a, b, first);
    if (!second)
        return -1;
    LLVMValueRef both = LLVMBuildInsertValue(builder, LLVMGetPoison(pair), first, 0, "");
    return sl_build_result(op->spirv, op->instruction,
                           LLVMBuildInsertValue(builder, both, second, 1, ""));
}
