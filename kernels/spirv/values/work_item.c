/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that SPIR-V has where OpenCL C has functions: get_global_id and its like. A function
 * that reads a whole one, or a dimension of it, calls the function right there. One that casts,
 * indexes or passes on the pointer fills a variable of its own at its entry and goes on with that.
 */
#include "spirv/values/variables.h"

#include "spirv/values/attributes.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"

enum form { SCALAR, DIMENSIONS, MASK };

static const struct row {
    uint32_t builtin;
    enum form form;
    unsigned bits; /* of what the function gives */
    const char *function;
} rows[] = {
    {BuiltInNumWorkgroups, DIMENSIONS, 64, "_Z14get_num_groupsj"},
    {BuiltInWorkgroupSize, DIMENSIONS, 64, "_Z14get_local_sizej"},
    {BuiltInWorkgroupId, DIMENSIONS, 64, "_Z12get_group_idj"},
    {BuiltInLocalInvocationId, DIMENSIONS, 64, "_Z12get_local_idj"},
    {BuiltInGlobalInvocationId, DIMENSIONS, 64, "_Z13get_global_idj"},
    {BuiltInLocalInvocationIndex, SCALAR, 64, "_Z19get_local_linear_idv"},
    {BuiltInWorkDim, SCALAR, 32, "_Z12get_work_dimv"},
    {BuiltInGlobalSize, DIMENSIONS, 64, "_Z15get_global_sizej"},
    {BuiltInEnqueuedWorkgroupSize, DIMENSIONS, 64, "_Z23get_enqueued_local_sizej"},
    {BuiltInGlobalOffset, DIMENSIONS, 64, "_Z17get_global_offsetj"},
    {BuiltInGlobalLinearId, SCALAR, 64, "_Z20get_global_linear_idv"},
    {BuiltInSubgroupSize, SCALAR, 32, "_Z18get_sub_group_sizev"},
    {BuiltInSubgroupMaxSize, SCALAR, 32, "_Z22get_max_sub_group_sizev"},
    {BuiltInNumSubgroups, SCALAR, 32, "_Z18get_num_sub_groupsv"},
    {BuiltInNumEnqueuedSubgroups, SCALAR, 32, "_Z27get_enqueued_num_sub_groupsv"},
    {BuiltInSubgroupId, SCALAR, 32, "_Z16get_sub_group_idv"},
    {BuiltInSubgroupLocalInvocationId, SCALAR, 32, "_Z22get_sub_group_local_idv"},
    {BuiltInSubgroupEqMask, MASK, 32, "_Z21get_sub_group_eq_maskv"},
    {BuiltInSubgroupGeMask, MASK, 32, "_Z21get_sub_group_ge_maskv"},
    {BuiltInSubgroupGtMask, MASK, 32, "_Z21get_sub_group_gt_maskv"},
    {BuiltInSubgroupLeMask, MASK, 32, "_Z21get_sub_group_le_maskv"},
    {BuiltInSubgroupLtMask, MASK, 32, "_Z21get_sub_group_lt_maskv"},
};

struct sl_spirv_slot {
    struct sl_spirv_slot *next;
    uint32_t variable;
    LLVMValueRef value;
};

bool sl_spirv_is_of_work_item(struct sl_spirv *s, uint32_t id)
{
    return sl_spirv_decoration(s, id, DecorationBuiltIn, NULL);
}

static const struct row *find(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    uint32_t builtin = 0;
    sl_spirv_decoration(s, i->result, DecorationBuiltIn, &builtin);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].builtin == builtin)
            return &rows[k];
    sl_spirv_fail(s, i, "built-in variable %u is not OpenCL's", builtin);
    return NULL;
}

static LLVMTypeRef result_type(struct sl_spirv *s, const struct row *row)
{
    LLVMTypeRef number = LLVMIntTypeInContext(s->context, row->bits);
    return row->form == MASK ? LLVMVectorType(number, 4) : number;
}

static LLVMValueRef call(struct sl_spirv *s, const struct row *row, unsigned dimension)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    LLVMTypeRef signature =
        LLVMFunctionType(result_type(s, row), &word, row->form == DIMENSIONS, 0);
    LLVMValueRef function = LLVMGetNamedFunction(s->module, row->function);
    if (!function) {
        function = LLVMAddFunction(s->module, row->function, signature);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
        sl_spirv_mark_pure(s, function);
    }
    LLVMValueRef argument = LLVMConstInt(word, dimension, 0);
    LLVMValueRef value =
        LLVMBuildCall2(s->builder, signature, function, &argument, row->form == DIMENSIONS, "");
    LLVMSetInstructionCallConv(value, LLVMSPIRFUNCCallConv);
    return value;
}

/* The variable may be narrower or wider than what the function gives. */
static LLVMValueRef call_as(struct sl_spirv *s, const struct row *row, unsigned dimension,
                            LLVMTypeRef type)
{
    return LLVMBuildIntCast2(s->builder, call(s, row, dimension), type, 0, "");
}

static LLVMValueRef compute(struct sl_spirv *s, const struct row *row,
                            const struct sl_spirv_type *type)
{
    if (row->form == MASK || type->kind != SL_SPIRV_VECTOR)
        return call_as(s, row, 0, type->llvm);
    LLVMValueRef value = LLVMGetPoison(type->llvm);
    for (unsigned d = 0; d < type->count; d++) {
        LLVMValueRef lane = LLVMConstInt(LLVMInt32TypeInContext(s->context), d, 0);
        LLVMValueRef one = call_as(s, row, d, LLVMGetElementType(type->llvm));
        value = LLVMBuildInsertElement(s->builder, value, one, lane, "");
    }
    return value;
}

static bool fits(struct sl_spirv *s, const struct row *row, const struct sl_spirv_type *type)
{
    unsigned lanes = row->form == SCALAR ? 1 : row->form == MASK ? 4 : 3;
    return sl_spirv_is_kind(type->llvm, LLVMIntegerTypeKind) &&
           sl_spirv_lane_kind(s, type) == SL_SPIRV_INT && sl_spirv_lanes(type->llvm) == lanes;
}

/* ---- values that are read at once ------------------------------------------------------------ */

static const struct sl_spirv_instruction *variable_of_load(struct sl_spirv *s,
                                                           const struct sl_spirv_instruction *i)
{
    if (i->opcode != OpLoad || !sl_spirv_is_of_work_item(s, i->operands[0]))
        return NULL;
    const struct sl_spirv_instruction *variable = sl_spirv_definition(s, i->operands[0]);
    return variable && variable->opcode == OpVariable ? variable : NULL;
}

bool sl_spirv_loads_work_item(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    return variable_of_load(s, i) != NULL;
}

LLVMValueRef sl_spirv_work_item_value(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct row *row = find(s, variable_of_load(s, i));
    const struct sl_spirv_type *type = row ? sl_spirv_type(s, i->type) : NULL;
    if (type && fits(s, row, type))
        return compute(s, row, type);
    sl_spirv_fail(s, i, "its result has another type than what it stands for");
    return NULL;
}

LLVMValueRef sl_spirv_work_item_dimension(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                          uint32_t dimension)
{
    const struct row *row = find(s, variable_of_load(s, i));
    const struct sl_spirv_type *type = row ? sl_spirv_type(s, i->type) : NULL;
    if (!type || !fits(s, row, type) || row->form != DIMENSIONS || dimension >= type->count)
        return NULL;
    return call_as(s, row, dimension, LLVMGetElementType(type->llvm));
}

/* ---- variables ------------------------------------------------------------------------------- */

/* The variable's pointer may be one to global memory, as some compilers have it. */
static LLVMValueRef fill(struct sl_spirv *s, const struct row *row,
                         const struct sl_spirv_type *pointer, const struct sl_spirv_type *type)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(s->builder);
    LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(s->builder);
    LLVMValueRef slot = sl_spirv_frame_slot(s, type->memory);
    LLVMPositionBuilderBefore(s->builder, LLVMGetBasicBlockTerminator(s->function.entry));
    LLVMBuildStore(s->builder, compute(s, row, type), slot);
    if (LLVMTypeOf(slot) != pointer->llvm)
        slot = LLVMBuildAddrSpaceCast(s->builder, slot, pointer->llvm, "");
    LLVMPositionBuilderAtEnd(s->builder, here);
    LLVMSetCurrentDebugLocation2(s->builder, place);
    return slot;
}

LLVMValueRef sl_spirv_work_item_variable(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    for (struct sl_spirv_slot *slot = s->function.slots; slot; slot = slot->next)
        if (slot->variable == i->result)
            return slot->value;
    const struct row *row = find(s, i);
    const struct sl_spirv_type *pointer = row ? sl_spirv_type(s, i->type) : NULL;
    const struct sl_spirv_type *type = pointer ? sl_spirv_type(s, pointer->element) : NULL;
    if (!type || !s->function.entry || !fits(s, row, type)) {
        sl_spirv_fail(s, i, "the variable has another type than what it stands for");
        return NULL;
    }
    struct sl_spirv_slot *slot = sl_spirv_allocate(s, 1, sizeof *slot);
    if (!slot)
        return NULL;
    *slot = (struct sl_spirv_slot){s->function.slots, i->result, fill(s, row, pointer, type)};
    s->function.slots = slot;
    return slot->value;
}
