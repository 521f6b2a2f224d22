/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, products, shifts, bits: operations on lanes, operands and result of one type. */
#include "spirv/instructions/instruction.h"

#include <stdio.h>
#include <string.h>

#include "spirv/builtins/build.h"
#include "spirv/module/module.h"
#include "spirv/values/operand.h"

/* ---- flags ----------------------------------------------------------------------------------- */

static LLVMFastMathFlags fast_math(struct sl_spirv *s, uint32_t id)
{
    return sl_build_fast_math(s, id) |
           (s->contracts ? LLVMFastMathAllowContract : LLVMFastMathNone);
}

static bool may_wrap_flags(LLVMOpcode opcode)
{
    return opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
}

/* Only what was not folded can carry them. */
static LLVMValueRef flagged(struct sl_spirv *s, uint32_t id, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return value;
    if (LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, fast_math(s, id));
    if (may_wrap_flags(LLVMGetInstructionOpcode(value))) {
        LLVMSetNSW(value, sl_spirv_decoration(s, id, DecorationNoSignedWrap, NULL));
        LLVMSetNUW(value, sl_spirv_decoration(s, id, DecorationNoUnsignedWrap, NULL));
    }
    return value;
}

/* ---- two operands ---------------------------------------------------------------------------- */

enum lanes { INTEGERS, FLOATS, BOOLEANS };

static const struct binary {
    uint16_t opcode;
    LLVMOpcode llvm;
    enum lanes lanes;
} binaries[] = {
    {OpIAdd, LLVMAdd, INTEGERS},
    {OpFAdd, LLVMFAdd, FLOATS},
    {OpISub, LLVMSub, INTEGERS},
    {OpFSub, LLVMFSub, FLOATS},
    {OpIMul, LLVMMul, INTEGERS},
    {OpFMul, LLVMFMul, FLOATS},
    {OpUDiv, LLVMUDiv, INTEGERS},
    {OpSDiv, LLVMSDiv, INTEGERS},
    {OpFDiv, LLVMFDiv, FLOATS},
    {OpUMod, LLVMURem, INTEGERS},
    {OpSRem, LLVMSRem, INTEGERS},
    {OpShiftRightLogical, LLVMLShr, INTEGERS},
    {OpShiftRightArithmetic, LLVMAShr, INTEGERS},
    {OpShiftLeftLogical, LLVMShl, INTEGERS},
    {OpBitwiseOr, LLVMOr, INTEGERS},
    {OpBitwiseXor, LLVMXor, INTEGERS},
    {OpBitwiseAnd, LLVMAnd, INTEGERS},
    {OpLogicalOr, LLVMOr, BOOLEANS},
    {OpLogicalAnd, LLVMAnd, BOOLEANS},
};

static bool fits(struct sl_spirv *s, const struct sl_spirv_type *type, enum lanes lanes)
{
    static const enum sl_spirv_type_kind kinds[] = {SL_SPIRV_INT, SL_SPIRV_FLOAT, SL_SPIRV_BOOL};
    return sl_spirv_lane_kind(s, type) == kinds[lanes];
}

/* NULL: failed, or the result is none of these lanes. */
static const struct sl_spirv_type *
result_type(struct sl_spirv *s, const struct sl_spirv_instruction *i, enum lanes lanes)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (type && fits(s, type, lanes))
        return type;
    sl_spirv_fail(s, i, "its result is of the wrong type");
    return NULL;
}

static bool is_shift(LLVMOpcode opcode)
{
    return opcode == LLVMLShr || opcode == LLVMAShr || opcode == LLVMShl;
}

/* The amount may be an integer of another width. */
static LLVMValueRef shift_amount(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                 LLVMTypeRef type)
{
    LLVMValueRef value = sl_spirv_operand(s, i, 1);
    if (!value)
        return NULL;
    LLVMTypeRef from = LLVMTypeOf(value);
    if (from == type)
        return value;
    if (!sl_spirv_is_kind(from, LLVMIntegerTypeKind) ||
        sl_spirv_lanes(from) != sl_spirv_lanes(type)) {
        sl_spirv_fail(s, i, "operand 2 has the wrong type");
        return NULL;
    }
    return LLVMBuildIntCast2(s->builder, value, type, 0, "");
}

static int binary(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                  const struct binary *row)
{
    const struct sl_spirv_type *type = result_type(s, i, row->lanes);
    LLVMValueRef a = type ? sl_spirv_operand_of(s, i, 0, type->llvm) : NULL;
    LLVMValueRef b = !a                    ? NULL
                     : is_shift(row->llvm) ? shift_amount(s, i, type->llvm)
                                           : sl_spirv_operand_of(s, i, 1, type->llvm);
    if (!b)
        return -1;
    LLVMValueRef value = LLVMBuildBinOp(s->builder, row->llvm, a, b, "");
    return sl_spirv_define(s, i, flagged(s, i->result, value)) ? -1 : 1;
}

/* ---- one operand ----------------------------------------------------------------------------- */

static int unary(struct sl_spirv *s, const struct sl_spirv_instruction *i, enum lanes lanes)
{
    const struct sl_spirv_type *type = result_type(s, i, lanes);
    LLVMValueRef a = type ? sl_spirv_operand_of(s, i, 0, type->llvm) : NULL;
    if (!a)
        return -1;
    LLVMValueRef value = i->opcode == OpFNegate   ? LLVMBuildFNeg(s->builder, a, "")
                         : i->opcode == OpSNegate ? LLVMBuildNeg(s->builder, a, "")
                                                  : LLVMBuildNot(s->builder, a, "");
    if (i->opcode != OpNot && i->opcode != OpLogicalNot)
        value = flagged(s, i->result, value);
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

/* ---- remainders ------------------------------------------------------------------------------ */

/* The divisor's sign, where both the remainder is not zero and the signs differ: add it. */
static LLVMValueRef with_sign_of(struct sl_spirv *s, LLVMValueRef rest, LLVMValueRef divisor)
{
    LLVMBuilderRef b = s->builder;
    LLVMTypeRef type = LLVMTypeOf(rest);
    LLVMValueRef zero = LLVMConstNull(type), other, some, sum;
    if (sl_spirv_is_kind(type, LLVMIntegerTypeKind)) {
        LLVMValueRef signs = LLVMBuildXor(b, rest, divisor, "");
        other = LLVMBuildICmp(b, LLVMIntSLT, signs, zero, "");
        some = LLVMBuildICmp(b, LLVMIntNE, rest, zero, "");
        sum = LLVMBuildAdd(b, rest, divisor, "");
    } else {
        LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, rest, zero, "");
        other = LLVMBuildXor(b, below, LLVMBuildFCmp(b, LLVMRealOLT, divisor, zero, ""), "");
        some = LLVMBuildFCmp(b, LLVMRealUNE, rest, zero, "");
        sum = LLVMBuildFAdd(b, rest, divisor, "");
    }
    return LLVMBuildSelect(b, LLVMBuildAnd(b, some, other, ""), sum, rest, "");
}

/* OpenCL C's fmod, of which LLVM has none for vectors. */
static LLVMValueRef call_fmod(struct sl_spirv *s, const struct sl_spirv_type *type, LLVMValueRef a,
                              LLVMValueRef b)
{
    char name[32];
    const char *lane = type->bits == 16 ? "Dh" : type->bits == 32 ? "f" : "d";
    if (type->kind == SL_SPIRV_VECTOR)
        snprintf(name, sizeof name, "_Z4fmodDv%u_%sS_", type->count, lane);
    else
        snprintf(name, sizeof name, "_Z4fmod%s%s", lane, lane);
    LLVMTypeRef parameters[] = {type->llvm, type->llvm};
    LLVMTypeRef signature = LLVMFunctionType(type->llvm, parameters, 2, 0);
    LLVMValueRef function = LLVMGetNamedFunction(s->module, name);
    if (!function) {
        function = LLVMAddFunction(s->module, name, signature);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    LLVMValueRef arguments[] = {a, b};
    LLVMValueRef call = LLVMBuildCall2(s->builder, signature, function, arguments, 2, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return call;
}

static int remainder_of(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    bool integers = i->opcode == OpSMod;
    const struct sl_spirv_type *type = result_type(s, i, integers ? INTEGERS : FLOATS);
    LLVMValueRef a = type ? sl_spirv_operand_of(s, i, 0, type->llvm) : NULL;
    LLVMValueRef b = a ? sl_spirv_operand_of(s, i, 1, type->llvm) : NULL;
    if (!b)
        return -1;
    LLVMValueRef rest = integers ? LLVMBuildSRem(s->builder, a, b, "") : call_fmod(s, type, a, b);
    if (i->opcode != OpFRem)
        rest = with_sign_of(s, rest, b);
    return sl_spirv_define(s, i, rest) ? -1 : 1;
}

/* ---- others ---------------------------------------------------------------------------------- */

static LLVMValueRef in_all_lanes(struct sl_spirv *s, LLVMValueRef scalar, LLVMTypeRef vector)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    LLVMValueRef one = LLVMBuildInsertElement(s->builder, LLVMGetPoison(vector), scalar,
                                              LLVMConstInt(word, 0, 0), "");
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(word, LLVMGetVectorSize(vector)));
    return LLVMBuildShuffleVector(s->builder, one, LLVMGetPoison(vector), zeros, "");
}

static int vector_times_scalar(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = result_type(s, i, FLOATS);
    if (!type || type->kind != SL_SPIRV_VECTOR)
        return sl_spirv_fail(s, i, "its result is no vector");
    LLVMValueRef a = sl_spirv_operand_of(s, i, 0, type->llvm);
    LLVMValueRef b = a ? sl_spirv_operand_of(s, i, 1, LLVMGetElementType(type->llvm)) : NULL;
    if (!b)
        return -1;
    LLVMValueRef value = LLVMBuildFMul(s->builder, a, in_all_lanes(s, b, type->llvm), "");
    return sl_spirv_define(s, i, flagged(s, i->result, value)) ? -1 : 1;
}

int sl_spirv_arithmetic(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    for (size_t k = 0; k < sizeof binaries / sizeof *binaries; k++)
        if (binaries[k].opcode == i->opcode)
            return binary(s, i, &binaries[k]);
    switch (i->opcode) {
    case OpSNegate:
    case OpNot:
        return unary(s, i, INTEGERS);
    case OpFNegate:
        return unary(s, i, FLOATS);
    case OpLogicalNot:
        return unary(s, i, BOOLEANS);
    case OpSMod:
    case OpFRem:
    case OpFMod:
        return remainder_of(s, i);
    case OpVectorTimesScalar:
        return vector_times_scalar(s, i);
    }
    return 0;
}
