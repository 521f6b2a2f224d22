/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes of images for all lanes at once. Which format and sampler they are of is the
 * same for all of them; the functions called here ask for it once and do the rest on vectors. No
 * shared state.
 */
#include "vector/operations/image.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/image_call.h"
#include "vector/analysis/shape.h"
#include "vector/memory/memory_order.h"
#include "vector/operations/builtin.h"
#include "vector/operations/element.h"
#include "vector/operations/image_copy.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

/* In scalar instructions, roughly: for one item, and for all of a version's. */
#define COST_ONE 60u
#define COST_ALL 100u

/* The version of what is called. */
static LLVMValueRef version_of(LLVMValueRef call, uint32_t *items)
{
    return sl_image_lanes(LLVMGetCalledValue(call), SL_IMAGE_ANYWHERE, items);
}

static bool is_same(const struct sl_vector_facts *v, LLVMValueRef call, int operand, uint32_t block)
{
    return operand < 0 ||
           sl_vector_shape_at(v, LLVMGetArgOperand(call, (unsigned)operand), block).kind <=
               SL_SHAPE_UNIFORM;
}

bool sl_vector_has_image_form(const struct sl_vector_facts *v, LLVMValueRef call, uint32_t block)
{
    const struct sl_image_form *form = sl_image_form(call);
    return form && is_same(v, call, form->image, block) && is_same(v, call, form->sampler, block) &&
           is_same(v, call, form->shape, block);
}

uint64_t sl_vector_image_cost(const struct sl_vector_facts *v, LLVMValueRef call, uint64_t *scalar)
{
    uint32_t items = 1;
    version_of(call, &items);
    *scalar = COST_ONE;
    return (uint64_t)COST_ALL * ((v->lanes + items - 1) / items);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define DEEPEST 8

/* Element k of a vector of coordinates is the same for all items. */
static bool is_same_element(const struct sl_vector *v, LLVMValueRef value, uint32_t k,
                            unsigned depth)
{
    uint32_t count = sl_vector_part_count(LLVMTypeOf(value));
    if (sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM)
        return true;
    if (!depth || !LLVMIsAInstruction(value) || count == 1)
        return false;
    if (LLVMIsAInsertElementInst(value)) {
        LLVMValueRef at = LLVMGetOperand(value, 2), one = LLVMGetOperand(value, 1);
        if (!LLVMIsAConstantInt(at))
            return false;
        if (LLVMConstIntGetZExtValue(at) == k)
            return sl_vector_shape_at(&v->facts, one, v->now.block).kind <= SL_SHAPE_UNIFORM;
        return is_same_element(v, LLVMGetOperand(value, 0), k, depth - 1);
    }
    if (LLVMIsAShuffleVectorInst(value)) {
        int from = LLVMGetMaskValue(value, k);
        int first = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0)));
        return from < 0 || is_same_element(v, LLVMGetOperand(value, from >= first),
                                           (uint32_t)(from % first), depth - 1);
    }
    bool all = sl_vector_is_elementwise(value, count);
    unsigned operands =
        LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned n = 0; all && n < operands; n++)
        all = is_same_element(v, LLVMGetOperand(value, n), k, depth - 1);
    return all;
}

/* It may be of a row: all items have the same y and z, as far as the image has these. */
static bool may_be_row(const struct sl_vector *v, LLVMValueRef call)
{
    const struct sl_image_form *form = sl_image_form(call);
    LLVMValueRef at = LLVMGetArgOperand(call, (unsigned)form->at);
    LLVMValueRef shape = LLVMGetArgOperand(call, (unsigned)form->shape);
    if (!LLVMIsAConstantInt(shape))
        return false;
    unsigned long long is = LLVMConstIntGetZExtValue(shape), dimensions = is & SL_IMAGE_DIMENSIONS;
    bool same = dimensions == 1 || is_same_element(v, at, 1, DEEPEST);
    if (dimensions == 3 || is & SL_IMAGE_LAYERS)
        same = same && is_same_element(v, at, 2, DEEPEST);
    uint32_t items;
    return same && sl_image_lanes(LLVMGetCalledValue(call), SL_IMAGE_ROW, &items);
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Lanes that do not run may have anything, but the same thing wherever it is asked for. */
static LLVMValueRef words_of(struct sl_vector *v, LLVMValueRef operand, uint32_t part,
                             uint32_t from, uint32_t items)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef some = sl_vector_elements(v, sl_vector_part(v, operand, part), from, items);
    if (!LLVMIsConstant(some))
        some = LLVMBuildFreeze(b, some, "");
    return LLVMBuildBitCast(b, some, LLVMVectorType(v->g->e.i32, items), "");
}

/* Items that there are not do not write. */
static LLVMValueRef mask_of(struct sl_vector *v, uint32_t from, uint32_t items)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef wide = sl_vector_wide_type(v, v->g->e.i32);
    LLVMValueRef all = LLVMBuildSExt(b, v->now.mask, wide, ""), which[16];
    for (uint32_t k = 0; k < items; k++)
        which[k] = sl_emit_i32(&v->g->e, from + k < v->facts.lanes ? from + k : v->facts.lanes);
    return LLVMBuildShuffleVector(b, all, LLVMConstNull(wide), LLVMConstVector(which, items), "");
}

/* Operands of the copy for the items from this one on; their number. */
static unsigned operands_of(struct sl_vector *v, LLVMValueRef call, uint32_t from, uint32_t items,
                            LLVMValueRef *args)
{
    const struct sl_image_form *form = sl_image_form(call);
    unsigned count = SL_IMAGE_VECTORS;
    for (uint32_t k = 0; k < SL_IMAGE_COORDINATES; k++)
        args[count++] = words_of(v, LLVMGetArgOperand(call, (unsigned)form->at), k, from, items);
    if (form->color < 0)
        return count;
    for (uint32_t k = 0; k < SL_IMAGE_CHANNELS; k++)
        args[count++] = words_of(v, LLVMGetArgOperand(call, (unsigned)form->color), k, from, items);
    args[count++] = mask_of(v, from, items);
    return count;
}

/* `colors`: of each of the copy's calls. */
static void set_colors(struct sl_vector *v, LLVMValueRef call, LLVMValueRef *colors, uint32_t items,
                       bool packed)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef out = LLVMVectorType(sl_vector_part_type(LLVMTypeOf(call), 0), items);
    LLVMValueRef parts[SL_IMAGE_CHANNELS], vectors[SL_IMAGE_CHANNELS][64];
    LLVMValueRef *in_order = vectors[0];
    for (uint32_t k = 0; k * items < v->facts.lanes; k++)
        for (uint32_t c = 0; c < SL_IMAGE_CHANNELS; c++) {
            LLVMValueRef one = LLVMBuildExtractValue(b, colors[k], c, "");
            *(packed ? &in_order[k * SL_IMAGE_CHANNELS + c] : &vectors[c][k]) =
                LLVMBuildBitCast(b, one, out, "");
        }
    if (packed) {
        LLVMValueRef all = sl_vector_joined(v, in_order, v->facts.lanes * SL_IMAGE_CHANNELS);
        sl_vector_deinterleave(v, all, SL_IMAGE_CHANNELS, parts);
        sl_vector_keep_whole(v, call, all);
    }
    for (uint32_t c = 0; c < SL_IMAGE_CHANNELS; c++)
        sl_vector_set_part(v, call, c,
                           packed ? parts[c] : sl_vector_joined(v, vectors[c], v->facts.lanes));
}

void sl_vector_emit_image(struct sl_vector *v, LLVMValueRef call)
{
    const struct sl_emit *e = &v->g->e;
    const struct sl_image_form *form = sl_image_form(call);
    bool reads = form->color < 0;
    uint32_t items = 1;
    LLVMValueRef version = version_of(call, &items), colors[16];
    bool row = reads && may_be_row(v, call);
    bool packed = row && sl_vector_wants_whole(v, call);
    LLVMValueRef args[SL_IMAGE_MOST] = {
        sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->image)),
        reads ? sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->sampler))
              : sl_emit_i32(e, 0),
        sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->shape))};
    for (uint32_t k = 0; k * items < v->facts.lanes; k++) {
        unsigned count = operands_of(v, call, k * items, items, args);
        LLVMValueRef copy = sl_image_copy(e, version, args, reads);
        if (row)
            copy = sl_image_row_copy(e, LLVMGetCalledValue(call), args, packed, copy);
        colors[k] = LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(copy), copy, args, count, "");
    }
    if (reads)
        set_colors(v, call, colors, items, packed);
}
