/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of numbers, booleans and pointers; choice between two values; what is foreseen. */
#include "spirv/instructions/instruction.h"

#include <string.h>

#include "spirv/module/module.h"
#include "spirv/values/operand.h"

static const struct row {
    uint16_t opcode;
    bool floats;
    int predicate; /* LLVMIntPredicate or LLVMRealPredicate */
} rows[] = {
    {OpIEqual, false, LLVMIntEQ},
    {OpINotEqual, false, LLVMIntNE},
    {OpLogicalEqual, false, LLVMIntEQ},
    {OpLogicalNotEqual, false, LLVMIntNE},
    {OpPtrEqual, false, LLVMIntEQ},
    {OpPtrNotEqual, false, LLVMIntNE},
    {OpUGreaterThan, false, LLVMIntUGT},
    {OpSGreaterThan, false, LLVMIntSGT},
    {OpUGreaterThanEqual, false, LLVMIntUGE},
    {OpSGreaterThanEqual, false, LLVMIntSGE},
    {OpULessThan, false, LLVMIntULT},
    {OpSLessThan, false, LLVMIntSLT},
    {OpULessThanEqual, false, LLVMIntULE},
    {OpSLessThanEqual, false, LLVMIntSLE},
    {OpFOrdEqual, true, LLVMRealOEQ},
    {OpFUnordEqual, true, LLVMRealUEQ},
    {OpFOrdNotEqual, true, LLVMRealONE},
    {OpFUnordNotEqual, true, LLVMRealUNE},
    {OpFOrdLessThan, true, LLVMRealOLT},
    {OpFUnordLessThan, true, LLVMRealULT},
    {OpFOrdGreaterThan, true, LLVMRealOGT},
    {OpFUnordGreaterThan, true, LLVMRealUGT},
    {OpFOrdLessThanEqual, true, LLVMRealOLE},
    {OpFUnordLessThanEqual, true, LLVMRealULE},
    {OpFOrdGreaterThanEqual, true, LLVMRealOGE},
    {OpFUnordGreaterThanEqual, true, LLVMRealUGE},
};

static bool may_compare(LLVMTypeRef type, bool floats)
{
    if (!floats)
        return sl_spirv_is_kind(type, LLVMIntegerTypeKind) ||
               LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    return sl_spirv_is_kind(type, LLVMHalfTypeKind) || sl_spirv_is_kind(type, LLVMFloatTypeKind) ||
           sl_spirv_is_kind(type, LLVMDoubleTypeKind);
}

static int compare(struct sl_spirv *s, const struct sl_spirv_instruction *i, const struct row *row)
{
    LLVMValueRef a = sl_spirv_operand(s, i, 0);
    LLVMValueRef b = a ? sl_spirv_operand_of(s, i, 1, LLVMTypeOf(a)) : NULL;
    if (!b)
        return -1;
    if (!may_compare(LLVMTypeOf(a), row->floats))
        return sl_spirv_fail(s, i, "operands of this type do not compare");
    LLVMValueRef value =
        row->floats ? LLVMBuildFCmp(s->builder, (LLVMRealPredicate)row->predicate, a, b, "")
                    : LLVMBuildICmp(s->builder, (LLVMIntPredicate)row->predicate, a, b, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

static int choose(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef condition = type ? sl_spirv_operand(s, i, 0) : NULL;
    LLVMValueRef a = condition ? sl_spirv_operand_of(s, i, 1, type->llvm) : NULL;
    LLVMValueRef b = a ? sl_spirv_operand_of(s, i, 2, type->llvm) : NULL;
    if (!b)
        return -1;
    LLVMTypeRef bit = LLVMInt1TypeInContext(s->context);
    LLVMTypeRef chooses = LLVMTypeOf(condition);
    if (chooses != bit &&
        (type->kind != SL_SPIRV_VECTOR || chooses != sl_spirv_with_lanes(bit, type->llvm)))
        return sl_spirv_fail(s, i, "the condition has the wrong type");
    /* DPC++ asks `true ? id : 0` of each dimension that there is; passes that name ids want to see
     * them, not a choice. */
    LLVMValueRef value = LLVMIsAConstantInt(condition)
                             ? (LLVMConstIntGetZExtValue(condition) ? a : b)
                             : LLVMBuildSelect(s->builder, condition, a, b, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

static LLVMValueRef call_intrinsic(struct sl_spirv *s, const char *name, LLVMTypeRef overload,
                                   LLVMValueRef *arguments, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    size_t overloads = overload != NULL;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, &overload, overloads);
    LLVMTypeRef type = LLVMIntrinsicGetType(s->context, id, &overload, overloads);
    return LLVMBuildCall2(s->builder, type, function, arguments, count, "");
}

static int expect(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef arguments[2] = {type ? sl_spirv_operand_of(s, i, 0, type->llvm) : NULL};
    arguments[1] = arguments[0] ? sl_spirv_operand_of(s, i, 1, type->llvm) : NULL;
    if (!arguments[1])
        return -1;
    bool scalar = type->kind == SL_SPIRV_INT || type->kind == SL_SPIRV_BOOL;
    LLVMValueRef value =
        scalar ? call_intrinsic(s, "llvm.expect", type->llvm, arguments, 2) : arguments[0];
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

static int assume(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMValueRef condition = sl_spirv_operand_of(s, i, 0, LLVMInt1TypeInContext(s->context));
    if (!condition)
        return -1;
    call_intrinsic(s, "llvm.assume", NULL, &condition, 1);
    return 1;
}

int sl_spirv_comparison(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].opcode == i->opcode)
            return compare(s, i, &rows[k]);
    switch (i->opcode) {
    case OpSelect:
        return choose(s, i);
    case OpExpectKHR:
        return expect(s, i);
    case OpAssumeTrueKHR:
        return assume(s, i);
    }
    return 0;
}
