/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of vectors, arrays and structures, and copies of values. */
#include "spirv/instructions/instruction.h"

#include "spirv/module/module.h"
#include "spirv/values/constants.h"
#include "spirv/values/large.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"
#include "spirv/values/variables.h"

static LLVMValueRef index_value(struct sl_spirv *s, unsigned index)
{
    return LLVMConstInt(LLVMInt32TypeInContext(s->context), index, 0);
}

/* The type of the part at `index`; NULL: there is none. */
static const struct sl_spirv_type *part_type(struct sl_spirv *s,
                                             const struct sl_spirv_instruction *i,
                                             const struct sl_spirv_type *whole, uint32_t index)
{
    bool has_parts = whole->kind == SL_SPIRV_VECTOR || whole->kind == SL_SPIRV_ARRAY ||
                     whole->kind == SL_SPIRV_STRUCT || whole->kind == SL_SPIRV_MATRIX ||
                     sl_spirv_is_single(whole);
    if (!has_parts || index >= whole->count) {
        sl_spirv_fail(s, i, has_parts ? "there is no part %u" : "no part %u of what is whole",
                      index);
        return NULL;
    }
    return sl_spirv_type(s,
                         whole->kind == SL_SPIRV_STRUCT ? whole->members[index] : whole->element);
}

static LLVMValueRef take_part(struct sl_spirv *s, const struct sl_spirv_type *whole,
                              const struct sl_spirv_type *part, LLVMValueRef value, uint32_t index)
{
    if (sl_spirv_is_single(whole))
        return value;
    if (whole->kind == SL_SPIRV_VECTOR || whole->kind == SL_SPIRV_MATRIX)
        return LLVMBuildExtractElement(s->builder, value, index_value(s, index), "");
    return sl_spirv_from_memory(s, part, LLVMBuildExtractValue(s->builder, value, index, ""));
}

static LLVMValueRef put_part(struct sl_spirv *s, const struct sl_spirv_type *whole,
                             const struct sl_spirv_type *part, LLVMValueRef value,
                             LLVMValueRef with, uint32_t index)
{
    if (sl_spirv_is_single(whole))
        return with;
    if (whole->kind == SL_SPIRV_VECTOR || whole->kind == SL_SPIRV_MATRIX)
        return LLVMBuildInsertElement(s->builder, value, with, index_value(s, index), "");
    return LLVMBuildInsertValue(s->builder, value, sl_spirv_to_memory(s, part, with), index, "");
}

/* ---- extract and insert ---------------------------------------------------------------------- */

/* A dimension of what is loaded for nothing but its dimensions, mostly; NULL: it is none. */
static LLVMValueRef extract_dimension(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_instruction *from = sl_spirv_definition(s, i->operands[0]);
    if (!from || i->operand_count != 2 || !s->function.value || !sl_spirv_loads_work_item(s, from))
        return NULL;
    return sl_spirv_work_item_dimension(s, from, i->operands[1]);
}

static int extract(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMValueRef part_alone = extract_dimension(s, i);
    if (!part_alone && !s->failed && s->ids[i->operands[0]].place)
        part_alone = sl_spirv_extract_large(s, i->operands[0], i);
    if (part_alone)
        return sl_spirv_define(s, i, part_alone) ? -1 : 1;
    LLVMValueRef value = sl_spirv_operand(s, i, 0);
    const struct sl_spirv_type *type = value ? sl_spirv_type_of(s, i->operands[0]) : NULL;
    for (unsigned k = 1; type && k < i->operand_count; k++) {
        const struct sl_spirv_type *part = part_type(s, i, type, i->operands[k]);
        if (!part)
            return -1;
        value = take_part(s, type, part, value, i->operands[k]);
        type = part;
    }
    return !type || sl_spirv_define(s, i, value) ? -1 : 1;
}

/* From the outside in to take what is around, from the inside out to put it back. */
static LLVMValueRef insert_at(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                              const struct sl_spirv_type *type, LLVMValueRef value, unsigned k)
{
    if (k == i->operand_count)
        return sl_spirv_operand_of(s, i, 0, type->llvm);
    const struct sl_spirv_type *part = part_type(s, i, type, i->operands[k]);
    if (!part)
        return NULL;
    LLVMValueRef old =
        k + 1 < i->operand_count ? take_part(s, type, part, value, i->operands[k]) : value;
    LLVMValueRef with = insert_at(s, i, part, old, k + 1);
    return with ? put_part(s, type, part, value, with, i->operands[k]) : NULL;
}

static int insert(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef whole = type ? sl_spirv_operand_of(s, i, 1, type->llvm) : NULL;
    LLVMValueRef value = whole ? insert_at(s, i, type, whole, 2) : NULL;
    return !value || sl_spirv_define(s, i, value) ? -1 : 1;
}

/* ---- construct ------------------------------------------------------------------------------- */

/* A vector of scalars and of shorter vectors. */
static LLVMValueRef construct_vector(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                     const struct sl_spirv_type *type)
{
    LLVMValueRef result = LLVMGetPoison(type->llvm);
    LLVMTypeRef lane = LLVMGetElementType(type->llvm);
    uint32_t filled = 0;
    for (unsigned k = 0; k < i->operand_count; k++) {
        LLVMValueRef part = sl_spirv_operand(s, i, k);
        if (!part)
            return NULL;
        LLVMTypeRef from = LLVMTypeOf(part);
        unsigned lanes = sl_spirv_lanes(from);
        if (from != sl_spirv_with_lanes(lane, from) || lanes > type->count - filled) {
            sl_spirv_fail(s, i, "operand %u has the wrong type", k + 1);
            return NULL;
        }
        for (unsigned n = 0; n < lanes; n++) {
            LLVMValueRef one =
                from == lane ? part
                             : LLVMBuildExtractElement(s->builder, part, index_value(s, n), "");
            result = LLVMBuildInsertElement(s->builder, result, one, index_value(s, filled++), "");
        }
    }
    if (filled == type->count)
        return result;
    sl_spirv_fail(s, i, "%u lanes for a vector of %u", filled, type->count);
    return NULL;
}

/* Constants all at once: one by one, each would be a new constant of all before it. */
static LLVMValueRef construct_aggregate(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                        const struct sl_spirv_type *type)
{
    LLVMValueRef *parts = sl_spirv_allocate(s, i->operand_count + 1u, 2 * sizeof *parts);
    LLVMValueRef *constants = parts ? parts + i->operand_count + 1 : NULL;
    if (i->operand_count != type->count)
        sl_spirv_fail(s, i, "%u parts for %u", i->operand_count, type->count);
    for (unsigned k = 0; k < i->operand_count && !s->failed; k++) {
        const struct sl_spirv_type *part = part_type(s, i, type, k);
        LLVMValueRef value = part ? sl_spirv_operand_of(s, i, k, part->llvm) : NULL;
        parts[k] = value ? sl_spirv_to_memory(s, part, value) : NULL;
        constants[k] = value && !LLVMIsConstant(parts[k]) ? LLVMGetPoison(part->memory) : parts[k];
    }
    if (s->failed)
        return NULL;
    LLVMValueRef result = sl_spirv_constant_aggregate(s, type, constants);
    for (unsigned k = 0; k < type->count; k++)
        if (!LLVMIsConstant(parts[k]))
            result = LLVMBuildInsertValue(s->builder, result, parts[k], k, "");
    return result;
}

static int construct(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (!type)
        return -1;
    bool is_single = sl_spirv_is_single(type);
    if (type->kind != SL_SPIRV_VECTOR && type->kind != SL_SPIRV_ARRAY &&
        type->kind != SL_SPIRV_STRUCT && !is_single)
        return sl_spirv_fail(s, i, "its result has no parts");
    if (is_single && i->operand_count != 1)
        return sl_spirv_fail(s, i, "%u parts for 1", i->operand_count);
    LLVMValueRef value = is_single                       ? sl_spirv_operand_of(s, i, 0, type->llvm)
                         : type->kind == SL_SPIRV_VECTOR ? construct_vector(s, i, type)
                                                         : construct_aggregate(s, i, type);
    return !value || sl_spirv_define(s, i, value) ? -1 : 1;
}

/* ---- vectors --------------------------------------------------------------------------------- */

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool is_single(struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(s, id);
    return type && sl_spirv_is_single(type);
}

/* Any integer says which lane; NULL: failed. */
static LLVMValueRef lane_operand(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                 unsigned index)
{
    LLVMValueRef value = sl_spirv_operand(s, i, index);
    if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind)
        return value;
    sl_spirv_fail(s, i, "operand %u is no integer", index + 1);
    return NULL;
}

static int extract_dynamic(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    LLVMValueRef vector = sl_spirv_operand(s, i, 0);
    LLVMValueRef lane = vector ? lane_operand(s, i, 1) : NULL;
    if (!lane)
        return -1;
    if (is_single(s, i->operands[0]))
        return sl_spirv_define(s, i, vector) ? -1 : 1;
    if (!is_vector(vector))
        return sl_spirv_fail(s, i, "operand 1 is no vector");
    return sl_spirv_define(s, i, LLVMBuildExtractElement(s->builder, vector, lane, "")) ? -1 : 1;
}

static int insert_dynamic(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    bool is_single = type && sl_spirv_is_single(type);
    if (!type || (type->kind != SL_SPIRV_VECTOR && !is_single))
        return sl_spirv_fail(s, i, "its result is no vector");
    LLVMTypeRef element = is_single ? type->llvm : LLVMGetElementType(type->llvm);
    LLVMValueRef vector = sl_spirv_operand_of(s, i, 0, type->llvm);
    LLVMValueRef part = vector ? sl_spirv_operand_of(s, i, 1, element) : NULL;
    LLVMValueRef lane = part ? lane_operand(s, i, 2) : NULL;
    if (!lane)
        return -1;
    if (is_single)
        return sl_spirv_define(s, i, part) ? -1 : 1;
    LLVMValueRef value = LLVMBuildInsertElement(s->builder, vector, part, lane, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

/* LLVM's two vectors are of one length; the shorter of SPIR-V's gets lanes that nobody asks for. */
static LLVMValueRef lengthen(struct sl_spirv *s, LLVMValueRef vector, unsigned lanes)
{
    LLVMValueRef mask[SL_SPIRV_MOST_LANES];
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    unsigned has = LLVMGetVectorSize(LLVMTypeOf(vector));
    if (has == lanes)
        return vector;
    for (unsigned k = 0; k < lanes; k++)
        mask[k] = k < has ? LLVMConstInt(word, k, 0) : LLVMGetPoison(word);
    return LLVMBuildShuffleVector(s->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask, lanes), "");
}

/* NULL: failed. */
static LLVMValueRef shuffle_mask(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                 unsigned first, unsigned second, unsigned longest)
{
    LLVMValueRef mask[SL_SPIRV_MOST_LANES];
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    unsigned count = i->operand_count - 2u;
    for (unsigned k = 0; k < count; k++) {
        uint32_t lane = i->operands[2 + k];
        if (lane != UINT32_MAX && lane >= first + second) {
            sl_spirv_fail(s, i, "there is no lane %u", lane);
            return NULL;
        }
        mask[k] = lane == UINT32_MAX
                      ? LLVMGetPoison(word)
                      : LLVMConstInt(word, lane < first ? lane : lane - first + longest, 0);
    }
    return LLVMConstVector(mask, count);
}

/* The operand, also a single one, as a vector of LLVM's with such lanes. NULL: failed. */
static LLVMValueRef vector_operand(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                   unsigned index, LLVMTypeRef lane)
{
    LLVMValueRef value = sl_spirv_operand(s, i, index);
    if (value && LLVMTypeOf(value) == lane && is_single(s, i->operands[index]))
        return LLVMBuildInsertElement(s->builder, LLVMGetPoison(LLVMVectorType(lane, 1)), value,
                                      index_value(s, 0), "");
    if (!value || (is_vector(value) && LLVMGetElementType(LLVMTypeOf(value)) == lane))
        return value;
    sl_spirv_fail(s, i, "the types do not fit");
    return NULL;
}

static int shuffle(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    bool single = type && sl_spirv_is_single(type);
    if (!type)
        return -1;
    if ((type->kind != SL_SPIRV_VECTOR && !single) || type->count != i->operand_count - 2u)
        return sl_spirv_fail(s, i, "the types do not fit");
    LLVMTypeRef lane = single ? type->llvm : LLVMGetElementType(type->llvm);
    LLVMValueRef a = vector_operand(s, i, 0, lane);
    LLVMValueRef b = a ? vector_operand(s, i, 1, lane) : NULL;
    if (!b)
        return -1;
    unsigned first = sl_spirv_lanes(LLVMTypeOf(a)), second = sl_spirv_lanes(LLVMTypeOf(b));
    unsigned longest = first > second ? first : second;
    LLVMValueRef mask = shuffle_mask(s, i, first, second, longest);
    if (!mask)
        return -1;
    LLVMValueRef value = LLVMBuildShuffleVector(s->builder, lengthen(s, a, longest),
                                                lengthen(s, b, longest), mask, "");
    if (single)
        value = LLVMBuildExtractElement(s->builder, value, index_value(s, 0), "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum { MOST_PARTS_COPIED = 4096 };

/* Of a type that is laid out alike (OpCopyLogical). */
static LLVMValueRef copy_as(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            LLVMTypeRef to, LLVMValueRef value)
{
    LLVMTypeRef from = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(to);
    if (from == to)
        return value;
    bool parts = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
    unsigned count = !parts                       ? 0
                     : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(to)
                                                  : (unsigned)LLVMGetArrayLength2(to);
    if (!parts || kind != LLVMGetTypeKind(from) ||
        count != (kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(from)
                                             : LLVMGetArrayLength2(from))) {
        sl_spirv_fail(s, i, "the types do not fit");
        return NULL;
    }
    if (count > MOST_PARTS_COPIED) {
        sl_spirv_fail(s, i, "%u parts are too many", count);
        return NULL;
    }
    LLVMValueRef result = LLVMGetPoison(to);
    for (unsigned k = 0; result && k < count; k++) {
        LLVMTypeRef part =
            kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(to, k) : LLVMGetElementType(to);
        LLVMValueRef copy = copy_as(s, i, part, LLVMBuildExtractValue(s->builder, value, k, ""));
        result = copy ? LLVMBuildInsertValue(s->builder, result, copy, k, "") : NULL;
    }
    return result;
}

static int copy(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    LLVMValueRef value = type ? sl_spirv_operand(s, i, 0) : NULL;
    if (value && i->opcode == OpCopyLogical)
        value = copy_as(s, i, type->llvm, value);
    return !value || sl_spirv_define(s, i, value) ? -1 : 1;
}

static int undefined(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    if (!type)
        return -1;
    if (!sl_spirv_is_sized(type))
        return sl_spirv_fail(s, i, "its type has no size");
    return sl_spirv_define(s, i, LLVMGetUndef(type->llvm)) ? -1 : 1;
}

int sl_spirv_composite(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpCompositeExtract:
        return extract(s, i);
    case OpCompositeInsert:
        return insert(s, i);
    case OpCompositeConstruct:
        return construct(s, i);
    case OpVectorExtractDynamic:
        return extract_dynamic(s, i);
    case OpVectorInsertDynamic:
        return insert_dynamic(s, i);
    case OpVectorShuffle:
        return shuffle(s, i);
    case OpCopyObject:
    case OpCopyLogical:
    case OpFPGARegINTEL:
    case OpArithmeticFenceEXT:
        return copy(s, i);
    case OpUndef:
        return undefined(s, i);
    }
    return 0;
}
