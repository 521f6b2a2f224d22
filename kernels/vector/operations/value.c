/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of the kernel as the vector form has them: one scalar for all lanes, or a vector of lanes
 * per element. Made where they are asked for if they come from before the region. No shared state.
 */
#include "vector/operations/value.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/memory.h"
#include "vector/operations/instruction.h"
#include "vector/operations/interleaved_code.h"
#include "vector/vector.h"

#include <stdlib.h>

/* ---- types ----------------------------------------------------------------------------------- */

uint32_t sl_vector_part_count(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    default:
        return 1;
    }
}

LLVMTypeRef sl_vector_part_type(LLVMTypeRef type, uint32_t part)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return LLVMGetElementType(type);
    case LLVMStructTypeKind:
        return LLVMStructGetTypeAtIndex(type, part);
    default:
        return type;
    }
}

uint32_t sl_vector_part_bits(LLVMTypeRef type)
{
    type = sl_vector_part_type(type, 0);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return 0;
    }
}

LLVMTypeRef sl_vector_wide_type(const struct sl_vector *v, LLVMTypeRef element)
{
    return LLVMVectorType(element, v->facts.lanes);
}

/* ---- from scalar to vector ------------------------------------------------------------------- */

LLVMValueRef sl_vector_splat(struct sl_vector *v, LLVMValueRef scalar)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef type = LLVMTypeOf(scalar);
    LLVMTypeRef wide = sl_vector_wide_type(v, type);
    if (LLVMIsAPoisonValue(scalar))
        return LLVMGetPoison(wide);
    if (LLVMIsAUndefValue(scalar))
        return LLVMGetUndef(wide);
    if (LLVMIsConstant(scalar) && !LLVMIsAGlobalValue(scalar) && !LLVMIsAConstantExpr(scalar)) {
        LLVMValueRef all[64];
        for (uint32_t l = 0; l < v->facts.lanes; l++)
            all[l] = scalar;
        return LLVMConstVector(all, v->facts.lanes);
    }
    LLVMValueRef zero = sl_emit_i32(&v->g->e, 0), poison = LLVMGetPoison(wide);
    LLVMValueRef one = LLVMBuildInsertElement(b, poison, scalar, zero, "");
    LLVMTypeRef numbers = LLVMVectorType(v->g->e.i32, v->facts.lanes);
    return LLVMBuildShuffleVector(b, one, poison, LLVMConstNull(numbers), "");
}

LLVMValueRef sl_vector_splat_to(struct sl_vector *v, LLVMValueRef scalar, uint32_t count)
{
    uint32_t lanes = v->facts.lanes;
    v->facts.lanes = count;
    LLVMValueRef all = sl_vector_splat(v, scalar);
    v->facts.lanes = lanes;
    return all;
}

LLVMValueRef sl_vector_iota(struct sl_vector *v, LLVMTypeRef integer, int64_t stride)
{
    LLVMValueRef all[64];
    for (uint32_t l = 0; l < v->facts.lanes; l++)
        all[l] = LLVMConstInt(integer, (uint64_t)(stride * l), true);
    return LLVMConstVector(all, v->facts.lanes);
}

/* Lane 0's value and the stride, as a vector. */
static LLVMValueRef spread(struct sl_vector *v, LLVMValueRef scalar, struct sl_shape shape)
{
    LLVMBuilderRef b = v->g->e.builder;
    if (shape.kind != SL_SHAPE_LINEAR)
        return sl_vector_splat(v, scalar);
    LLVMTypeRef type = LLVMTypeOf(scalar);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        LLVMValueRef offsets = sl_vector_iota(v, v->g->e.i64, shape.stride);
        return LLVMBuildGEP2(b, v->g->e.i8, scalar, &offsets, 1, "");
    }
    LLVMValueRef steps = sl_vector_iota(v, type, shape.stride);
    return LLVMBuildAdd(b, sl_vector_splat(v, scalar), steps, "");
}

/* ---- values from before the region ----------------------------------------------------------- */

struct sl_vector_value *sl_vector_value(struct sl_vector *v, LLVMValueRef value)
{
    struct sl_vector_value *code = sl_map_get(&v->now.values, value);
    struct sl_vector_known *known = code ? NULL : sl_map_get(&v->facts.values, value);
    if (!known)
        return code;
    code = sl_ir_alloc(1, sizeof *code);
    code->known = known;
    sl_map_set(&v->now.values, value, code);
    return code;
}

/* The prologue's values are computed at the top when something of the region wants them. */
static void fetch(struct sl_vector *v, LLVMValueRef value, struct sl_vector_value *code)
{
    if (code->known->block != v->facts.plan.count || code->scalar || code->parts)
        return;
    LLVMValueRef given = v->now.place(v->now.data, value);
    if (given) {
        code->scalar = given;
        return;
    }
    LLVMBuilderRef now = v->g->e.builder;
    LLVMValueRef mask = v->now.mask;
    uint32_t block = v->now.block;
    v->g->e.builder = v->now.top;
    v->now.mask = v->now.entry_mask;
    v->now.block = v->facts.plan.count;
    sl_vector_emit_instruction(v, value);
    v->g->e.builder = now;
    v->now.mask = mask;
    v->now.block = block;
}

/* ---- reading --------------------------------------------------------------------------------- */

static LLVMValueRef from_cell(struct sl_vector *v, const struct sl_vector_value *code, uint32_t k)
{
    return LLVMBuildLoad2(v->g->e.builder, code->cell_types[k], code->cells[k], "");
}

LLVMValueRef sl_vector_scalar(struct sl_vector *v, LLVMValueRef value)
{
    struct sl_vector_value *code = sl_vector_value(v, value);
    if (!code) {
        LLVMValueRef given = LLVMIsAConstant(value) ? value : v->now.place(v->now.data, value);
        return given ? given : value;
    }
    if (code->known->away)
        return from_cell(v, code, 0);
    fetch(v, value, code);
    return code->scalar ? code->scalar : LLVMGetPoison(LLVMTypeOf(value));
}

static LLVMValueRef element(struct sl_vector *v, LLVMValueRef scalar, uint32_t part)
{
    LLVMTypeRef type = LLVMTypeOf(scalar);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return LLVMBuildExtractElement(v->g->e.builder, scalar, sl_emit_i32(&v->g->e, part), "");
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return LLVMBuildExtractValue(v->g->e.builder, scalar, part, "");
    return scalar;
}

LLVMValueRef sl_vector_part(struct sl_vector *v, LLVMValueRef value, uint32_t part)
{
    struct sl_vector_value *code = sl_vector_value(v, value);
    if (!code)
        return sl_vector_splat(v, element(v, sl_vector_scalar(v, value), part));
    if (code->known->interleaved)
        return sl_vector_lanes_of(v, value, part);
    bool away = code->known->away;
    if (away && !code->cell_scalar)
        return from_cell(v, code, part);
    if (!away)
        fetch(v, value, code);
    if (!away && code->parts)
        return code->parts[part];
    LLVMValueRef scalar = element(v, sl_vector_scalar(v, value), part);
    return spread(v, scalar, code->known->shape);
}

LLVMValueRef sl_vector_lane(struct sl_vector *v, LLVMValueRef value, LLVMValueRef lane)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM)
        return sl_vector_scalar(v, value);
    uint32_t count = sl_vector_part_count(type);
    LLVMValueRef all = LLVMGetPoison(type);
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef one = LLVMBuildExtractElement(b, sl_vector_part(v, value, k), lane, "");
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            all = LLVMBuildInsertElement(b, all, one, sl_emit_i32(&v->g->e, k), "");
        else if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
            all = LLVMBuildInsertValue(b, all, one, k, "");
        else
            all = one;
    }
    return all;
}

LLVMValueRef sl_vector_any(struct sl_vector *v, LLVMValueRef mask)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef bits = LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
    LLVMValueRef all = LLVMBuildBitCast(b, mask, bits, "");
    return LLVMBuildICmp(b, LLVMIntNE, all, LLVMConstNull(bits), "any");
}

LLVMValueRef sl_vector_all(struct sl_vector *v, LLVMValueRef mask)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef bits = LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
    LLVMValueRef all = LLVMBuildBitCast(b, mask, bits, "");
    return LLVMBuildICmp(b, LLVMIntEQ, all, LLVMConstAllOnes(bits), "all");
}

bool sl_vector_all_run(struct sl_vector *v)
{
    return v->now.mask == LLVMConstAllOnes(LLVMTypeOf(v->now.mask));
}

/* ---- writing --------------------------------------------------------------------------------- */

void sl_vector_set_scalar(struct sl_vector *v, LLVMValueRef value, LLVMValueRef now)
{
    sl_vector_value(v, value)->scalar = now;
}

void sl_vector_set_part(struct sl_vector *v, LLVMValueRef value, uint32_t part, LLVMValueRef now)
{
    struct sl_vector_value *code = sl_vector_value(v, value);
    if (!code->parts) {
        code->part_count = sl_vector_part_count(LLVMTypeOf(value));
        code->parts = sl_ir_alloc(code->part_count, sizeof(*code->parts));
    }
    code->parts[part] = now;
}

/* ---- as parts or interleaved ----------------------------------------------------------------- */

uint32_t sl_vector_kept_count(struct sl_vector *v, LLVMValueRef value)
{
    return sl_vector_is_interleaved(&v->facts, value) ? 1 : sl_vector_part_count(LLVMTypeOf(value));
}

LLVMTypeRef sl_vector_kept_type(struct sl_vector *v, LLVMValueRef value, uint32_t k)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = sl_vector_part_type(type, k);
    return sl_vector_is_interleaved(&v->facts, value)
               ? LLVMVectorType(element, v->facts.lanes * sl_vector_part_count(type))
               : sl_vector_wide_type(v, element);
}

LLVMValueRef sl_vector_kept(struct sl_vector *v, LLVMValueRef value, LLVMValueRef like, uint32_t k)
{
    return sl_vector_is_interleaved(&v->facts, like) ? sl_vector_interleaved(v, value)
                                                     : sl_vector_part(v, value, k);
}

LLVMValueRef sl_vector_kept_mask(struct sl_vector *v, LLVMValueRef mask, LLVMValueRef like)
{
    return sl_vector_is_interleaved(&v->facts, like)
               ? sl_vector_repeat_mask(v, mask, sl_vector_part_count(LLVMTypeOf(like)))
               : mask;
}

/* ---- variables for later blocks -------------------------------------------------------------- */

void sl_vector_make_cells(struct sl_vector *v, LLVMValueRef value, bool wide)
{
    struct sl_vector_value *code = sl_vector_value(v, value);
    LLVMTypeRef type = LLVMTypeOf(value);
    code->cell_scalar = !wide && code->known->shape.kind != SL_SHAPE_VARYING;
    uint32_t count = code->cell_scalar ? 1 : sl_vector_kept_count(v, value);
    free(code->cells);
    free(code->cell_types);
    code->cells = sl_ir_alloc(count, sizeof(*code->cells));
    code->cell_types = sl_ir_alloc(count, sizeof(*code->cell_types));
    for (uint32_t k = 0; k < count; k++) {
        code->cell_types[k] = code->cell_scalar ? type : sl_vector_kept_type(v, value, k);
        code->cells[k] =
            sl_emit_entry_alloca(&v->g->e, v->g->function, code->cell_types[k], 0, "later");
    }
}

void sl_vector_store_cells(struct sl_vector *v, LLVMValueRef value)
{
    struct sl_vector_value *code = sl_vector_value(v, value);
    uint32_t count = code->cell_scalar ? 1 : sl_vector_kept_count(v, value);
    for (uint32_t k = 0; k < count; k++)
        LLVMBuildStore(v->g->e.builder,
                       code->cell_scalar ? sl_vector_scalar(v, value)
                                         : sl_vector_kept(v, value, value, k),
                       code->cells[k]);
}
