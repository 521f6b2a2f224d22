/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions take matrices of sub-groups, and which of their types must be alike: LLVM's
 * would often be, where SPIR-V's are not. No shared state. */
#include "spirv/instructions/matrix.h"

#include <string.h>

#include "sluice/base/cooperative_matrix.h"
#include "spirv/grammar/grammar.h"
#include "spirv/module/module.h"

enum rule {
    ANY,        /* who translates it looks at the types */
    SAME,       /* operands have the type of the result */
    SAME_LATER, /* all but the first */
    CONVERTS,   /* shape and use are the same */
    PHI,        /* every other operand has the type of the result */
    CALL,       /* arguments have the types of the parameters */
    RETURNS,    /* what the function returns */
    TO_MEMORY,
    FROM_MEMORY,
};

static const struct row {
    uint16_t opcode;
    enum rule rule;
} rows[] = {
    {OpSNegate, SAME},
    {OpFNegate, SAME},
    {OpIAdd, SAME},
    {OpFAdd, SAME},
    {OpISub, SAME},
    {OpFSub, SAME},
    {OpIMul, SAME},
    {OpFMul, SAME},
    {OpUDiv, SAME},
    {OpSDiv, SAME},
    {OpFDiv, SAME},
    {OpCopyObject, SAME},
    {OpSelect, SAME_LATER},
    {OpConvertFToU, CONVERTS},
    {OpConvertFToS, CONVERTS},
    {OpConvertSToF, CONVERTS},
    {OpConvertUToF, CONVERTS},
    {OpUConvert, CONVERTS},
    {OpSConvert, CONVERTS},
    {OpFConvert, CONVERTS},
    {OpBitcast, CONVERTS},
    {OpStore, TO_MEMORY},
    {OpLoad, FROM_MEMORY},
    {OpMatrixTimesScalar, ANY},
    {OpCompositeConstruct, ANY},
    {OpCompositeExtract, ANY},
    {OpCompositeInsert, ANY},
    {OpFunctionCall, CALL},
    {OpReturnValue, RETURNS},
    {OpUndef, ANY},
    {OpPhi, PHI},
    {OpCooperativeMatrixLoadKHR, ANY},
    {OpCooperativeMatrixStoreKHR, ANY},
    {OpCooperativeMatrixMulAddKHR, ANY},
    {OpCooperativeMatrixLengthKHR, ANY},
};

static const struct row *find(uint16_t opcode)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].opcode == opcode)
            return &rows[k];
    return NULL;
}

/* NULL: nothing defines it. */
static const struct sl_spirv_instruction *definition_of(const struct sl_spirv *s, uint32_t id)
{
    return id < s->bound && s->ids[id].definition ? &s->instructions[s->ids[id].definition - 1]
                                                  : NULL;
}

/* NULL: the id names no type of matrices. */
static const struct sl_spirv_type *matrix_type(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_type *type = id < s->bound ? s->ids[id].type : NULL;
    return type && type->kind == SL_SPIRV_MATRIX ? type : NULL;
}

/* NULL: the id is no matrix. */
static const struct sl_spirv_type *matrix_of(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *definition = definition_of(s, id);
    return definition ? matrix_type(s, definition->type) : NULL;
}

/* How many operands are ids from the first on, as the grammar has it, and there. */
static unsigned leading_ids(const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_row *row = sl_spirv_find_opcode(i->opcode);
    const char *pattern = row->operands + sl_spirv_has_type(row) + sl_spirv_has_result(row);
    unsigned count = 0;
    for (; *pattern == 'i'; pattern++) {
        if (pattern[1] == '*')
            return i->operand_count;
        count++;
        pattern += pattern[1] == '?';
    }
    return count < i->operand_count ? count : i->operand_count;
}

static bool has_matrix(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    bool has = matrix_type(s, i->type);
    for (unsigned k = 0; k < leading_ids(i) && !has; k++)
        has = matrix_of(s, i->operands[k]);
    for (unsigned k = 2; k < i->operand_count && i->opcode == OpExtInst && !has; k++)
        has = matrix_of(s, i->operands[k]);
    return has ||
           (i->opcode >= OpCooperativeMatrixLoadKHR && i->opcode <= OpCooperativeMatrixLengthKHR);
}

static int check_same(struct sl_spirv *s, const struct sl_spirv_instruction *i, unsigned first)
{
    for (unsigned k = first; k < leading_ids(i); k++) {
        const struct sl_spirv_type *type = matrix_of(s, i->operands[k]);
        if (!type || type->id != i->type)
            return sl_spirv_fail(s, i, "operand %u is no matrix of the result's type", k + 1);
    }
    return 0;
}

static int check_conversion(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *to = s->ids[i->type].type, *from = matrix_of(s, i->operands[0]);
    if (!to || !from || to->kind != SL_SPIRV_MATRIX ||
        memcmp(&to->matrix, &from->matrix, sizeof to->matrix) != 0)
        return sl_spirv_fail(s, i, "rows, columns and uses of the matrices are not the same");
    if (i->opcode != OpBitcast)
        return 0;
    const struct sl_spirv_type *a = sl_spirv_type(s, to->element),
                               *b = sl_spirv_type(s, from->element);
    if (!a || !b)
        return -1;
    return a->kind == SL_SPIRV_INT && b->kind == SL_SPIRV_INT && a->bits == b->bits
               ? 0
               : sl_spirv_fail(s, i, "the components are no integers of one width");
}

/* Operand k, where a value of this type goes: both are of one type of matrices, or neither is. */
static int check_goes(struct sl_spirv *s, const struct sl_spirv_instruction *i, unsigned k,
                      uint32_t type_id)
{
    return matrix_of(s, i->operands[k]) == matrix_type(s, type_id)
               ? 0
               : sl_spirv_fail(s, i, "operand %u is a matrix of another type, or is none", k + 1);
}

/* The type of a function; NULL: it has none, which is told elsewhere. */
static const struct sl_spirv_type *function_type(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *function = definition_of(s, id);
    uint32_t type = function && function->opcode == OpFunction ? function->operands[1] : s->bound;
    return type < s->bound ? s->ids[type].type : NULL;
}

static int check_phi(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    int rc = 0;
    for (unsigned k = 0; k < i->operand_count && !rc; k += 2)
        rc = check_goes(s, i, k, i->type);
    return rc;
}

static int check_call(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = function_type(s, i->operands[0]);
    int rc = 0;
    if (type && matrix_type(s, type->element) != matrix_type(s, i->type))
        return sl_spirv_fail(s, i, "the function returns a matrix of another type, or none");
    for (unsigned k = 1; type && k < i->operand_count && k <= type->count && !rc; k++)
        rc = check_goes(s, i, k, type->members[k - 1]);
    return rc;
}

static int check_returns(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = function_type(s, s->function.id);
    return type ? check_goes(s, i, 0, type->element) : 0;
}

static int check_memory(struct sl_spirv *s, const struct sl_spirv_instruction *i, uint32_t type_id)
{
    const struct sl_spirv_type *pointer = sl_spirv_type_of(s, i->operands[0]);
    if (!pointer)
        return -1;
    return pointer->kind == SL_SPIRV_POINTER && pointer->element == type_id
               ? 0
               : sl_spirv_fail(s, i, "the pointer does not lead to a matrix of this type");
}

int sl_spirv_check_matrices(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (!s->has_matrices)
        return 0;
    const struct row *row = find(i->opcode);
    /* A vector may be LLVM's type of a matrix. */
    if (!has_matrix(s, i))
        return !row                   ? 0
               : row->rule == CALL    ? check_call(s, i)
               : row->rule == RETURNS ? check_returns(s, i)
                                      : 0;
    if (!row)
        return sl_spirv_fail(s, i, "is not for matrices of sub-groups");
    if (s->function.value)
        LLVMAddTargetDependentFunctionAttr(s->function.value, SL_COOPERATIVE_ATTRIBUTE, "");
    switch (row->rule) {
    case ANY:
        return 0;
    case SAME:
        return check_same(s, i, 0);
    case SAME_LATER:
        return check_same(s, i, 1);
    case CONVERTS:
        return check_conversion(s, i);
    case PHI:
        return check_phi(s, i);
    case CALL:
        return check_call(s, i);
    case RETURNS:
        return check_returns(s, i);
    case TO_MEMORY:
        return check_memory(s, i,
                            matrix_of(s, i->operands[1]) ? matrix_of(s, i->operands[1])->id : 0);
    case FROM_MEMORY:
        return check_memory(s, i, i->type);
    }
    return 0;
}
