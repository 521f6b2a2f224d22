/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of all lanes. Neighbours become one wide access, whatever else a gather or a
 * scatter (gather.c); lanes that do not run are masked off. No shared state.
 */
#include "vector/memory/memory.h"

#include "ir/map.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/array_access.h"
#include "vector/memory/gather.h"
#include "vector/memory/memory_order.h"
#include "vector/memory/record.h"
#include "vector/memory/some_lanes.h"
#include "vector/memory/span.h"
#include "vector/memory/speculative_access.h"
#include "vector/memory/window.h"
#include "vector/operations/element.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/packed.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <assert.h>
#include <llvm-c/Target.h>
#include <stdlib.h>

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static uint64_t size_of(struct sl_vector *v, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
}

/* Masked accesses exist for these. */
bool sl_vector_has_bytes(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: {
        unsigned bits = LLVMGetIntTypeWidth(type);
        return bits == 8 || bits == 16 || bits == 32 || bits == 64;
    }
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}

bool sl_vector_can_access(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMGetVectorSize(type) <= SL_VECTOR_MOST_PARTS &&
                     sl_vector_has_bytes(LLVMGetElementType(type))
               : sl_vector_has_bytes(type);
}

static uint32_t alignment(uint64_t size, uint32_t align)
{
    uint32_t natural = (uint32_t)(size & -size);
    return natural < align ? natural : align;
}

static void annotate(LLVMValueRef access, LLVMValueRef like)
{
    if (like)
        sl_llvm_copy_flags(like, access);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

LLVMValueRef sl_vector_repeat_mask(struct sl_vector *v, LLVMValueRef mask, uint32_t count)
{
    if (count == 1)
        return mask;
    LLVMValueRef numbers[64 * SL_VECTOR_MOST_PARTS];
    for (uint32_t n = 0; n < v->facts.lanes * count; n++)
        numbers[n] = sl_emit_i32(&v->g->e, n / count);
    return LLVMBuildShuffleVector(builder(v), mask, LLVMGetPoison(LLVMTypeOf(mask)),
                                  LLVMConstVector(numbers, v->facts.lanes * count), "");
}

static LLVMValueRef reversed(struct sl_vector *v, LLVMValueRef vector)
{
    LLVMValueRef numbers[64];
    for (uint32_t l = 0; l < v->facts.lanes; l++)
        numbers[l] = sl_emit_i32(&v->g->e, v->facts.lanes - 1 - l);
    return LLVMBuildShuffleVector(builder(v), vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(numbers, v->facts.lanes), "");
}

/* Small elements of an item are masked as one number: the lanes' mask does as it is. */
static LLVMTypeRef as_numbers(struct sl_vector *v, LLVMTypeRef wide)
{
    uint32_t count = LLVMGetVectorSize(wide) / v->facts.lanes;
    LLVMTypeRef item = LLVMVectorType(LLVMGetElementType(wide), count);
    LLVMTypeRef packed = count > 1 ? sl_vector_packed_type(item) : NULL;
    return packed ? sl_vector_wide_type(v, packed) : wide;
}

/* Items that follow each other from `at` on; `mask`: of items. */
static LLVMValueRef masked_load(struct sl_vector *v, LLVMTypeRef wide, LLVMValueRef at,
                                LLVMValueRef mask, const struct sl_vector_access *a)
{
    uint32_t align = alignment(size_of(v, a->type), a->align);
    if (sl_vector_all_run(v)) {
        LLVMValueRef load = LLVMBuildLoad2(builder(v), wide, at, "");
        LLVMSetAlignment(load, align);
        annotate(load, a->like);
        return load;
    }
    if (!v->facts.target->mask_registers)
        return sl_vector_load_some(v, wide, at, mask, align, a->like);
    LLVMTypeRef moved = as_numbers(v, wide), types[] = {moved, v->g->e.ptr};
    mask = sl_vector_repeat_mask(v, mask, LLVMGetVectorSize(moved) / v->facts.lanes);
    LLVMValueRef args[] = {at, mask, LLVMGetPoison(moved)};
    LLVMValueRef call = sl_vector_intrinsic(v, "llvm.masked.load", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 0, align);
    annotate(call, a->like);
    return LLVMBuildBitCast(builder(v), call, wide, "");
}

static void masked_store(struct sl_vector *v, LLVMValueRef value, LLVMValueRef at,
                         LLVMValueRef mask, const struct sl_vector_access *a)
{
    uint32_t align = alignment(size_of(v, a->type), a->align);
    if (sl_vector_all_run(v)) {
        LLVMValueRef store = LLVMBuildStore(builder(v), value, at);
        LLVMSetAlignment(store, align);
        annotate(store, a->like);
        return;
    }
    if (!v->facts.target->mask_registers) {
        sl_vector_store_some(v, value, at, mask, align, a->like);
        return;
    }
    LLVMTypeRef moved = as_numbers(v, LLVMTypeOf(value)), types[] = {moved, v->g->e.ptr};
    mask = sl_vector_repeat_mask(v, mask, LLVMGetVectorSize(moved) / v->facts.lanes);
    LLVMValueRef args[] = {LLVMBuildBitCast(builder(v), value, moved, ""), at, mask};
    LLVMValueRef call = sl_vector_intrinsic(v, "llvm.masked.store", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 1, align);
    annotate(call, a->like);
}

static LLVMValueRef last_lane(struct sl_vector *v, const struct sl_vector_access *a)
{
    int64_t offset = a->stride * (int64_t)(v->facts.lanes - 1);
    LLVMValueRef bytes = LLVMConstInt(v->g->e.i64, (uint64_t)offset, true);
    return LLVMBuildGEP2(builder(v), v->g->e.i8, a->base, &bytes, 1, "");
}

static LLVMValueRef addresses_of(struct sl_vector *v, const struct sl_vector_access *a)
{
    LLVMValueRef offsets = sl_vector_iota(v, v->g->e.i64, a->stride);
    return LLVMBuildGEP2(builder(v), v->g->e.i8, a->base, &offsets, 1, "");
}

/* Every other element, all lanes: two loads that meet in one element, so that nothing is read which
 * does not lie between what lanes want. */
static LLVMValueRef load_every_other(struct sl_vector *v, const struct sl_vector_access *a)
{
    LLVMTypeRef wide = sl_vector_wide_type(v, a->type);
    LLVMValueRef halves[2], numbers[64];
    LLVMValueRef bytes = sl_emit_i64(&v->g->e, (v->facts.lanes - 1) * size_of(v, a->type));
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef at = a->base;
        if (k)
            at = LLVMBuildGEP2(builder(v), v->g->e.i8, at, &bytes, 1, "");
        halves[k] = LLVMBuildLoad2(builder(v), wide, at, "");
        LLVMSetAlignment(halves[k], alignment(size_of(v, a->type), a->align));
        annotate(halves[k], a->like);
    }
    for (uint32_t l = 0; l < v->facts.lanes; l++)
        numbers[l] = sl_emit_i32(&v->g->e, 2 * l < v->facts.lanes ? 2 * l : 2 * l + 1);
    return LLVMBuildShuffleVector(builder(v), halves[0], halves[1],
                                  LLVMConstVector(numbers, v->facts.lanes), "");
}

/* ---- by lane 0's address and a stride -------------------------------------------------------- */

LLVMValueRef sl_vector_load_all(struct sl_vector *v, const struct sl_vector_access *a)
{
    uint32_t count = sl_vector_part_count(a->type);
    LLVMTypeRef wide = LLVMVectorType(sl_vector_part_type(a->type, 0), v->facts.lanes * count);
    return masked_load(v, wide, a->base, v->now.mask, a);
}

LLVMValueRef sl_vector_load_linear(struct sl_vector *v, const struct sl_vector_access *a,
                                   LLVMValueRef *parts)
{
    uint32_t count = sl_vector_part_count(a->type);
    LLVMTypeRef element = sl_vector_part_type(a->type, 0);
    int64_t size = (int64_t)size_of(v, a->type);
    LLVMTypeRef packed = sl_vector_packed_type(a->type);
    if (a->stride == size && packed) {
        LLVMTypeRef wide = sl_vector_wide_type(v, packed);
        sl_vector_unpack(v, masked_load(v, wide, a->base, v->now.mask, a), a->type, parts);
        return NULL;
    }
    if (a->stride == size) {
        LLVMValueRef all = sl_vector_load_all(v, a);
        sl_vector_deinterleave(v, all, count, parts);
        return all;
    }
    if (a->stride == -size && count == 1) {
        LLVMValueRef all = masked_load(v, sl_vector_wide_type(v, element), last_lane(v, a),
                                       reversed(v, v->now.mask), a);
        parts[0] = reversed(v, all);
        return NULL;
    }
    if (a->stride == 2 * size && count == 1 && sl_vector_all_run(v)) {
        parts[0] = load_every_other(v, a);
        return NULL;
    }
    if (a->like)
        sl_vector_remark(v, a->like, "gathered in equal steps");
    sl_vector_gather_parts(v, a->type, addresses_of(v, a), a->align, a->like, parts);
    return NULL;
}

void sl_vector_store_linear(struct sl_vector *v, const struct sl_vector_access *a,
                            LLVMValueRef *parts)
{
    uint32_t count = sl_vector_part_count(a->type);
    int64_t size = (int64_t)size_of(v, a->type);
    if (a->stride == size) {
        LLVMValueRef all = a->all;
        if (!all)
            all = sl_vector_packed_type(a->type) ? sl_vector_pack(v, parts, a->type)
                                                 : sl_vector_interleave(v, parts, count);
        masked_store(v, all, a->base, v->now.mask, a);
        return;
    }
    if (a->stride == -size && count == 1) {
        masked_store(v, reversed(v, parts[0]), last_lane(v, a), reversed(v, v->now.mask), a);
        return;
    }
    if (a->like)
        sl_vector_remark(v, a->like, "scattered in equal steps");
    LLVMValueRef to = addresses_of(v, a);
    uint64_t step = size_of(v, sl_vector_part_type(a->type, 0));
    if (sl_vector_scatter_packed(v, a->type, to, a->align, a->like, parts))
        return;
    for (uint32_t k = 0; k < count; k++)
        sl_vector_scatter_part(v, parts[k], sl_vector_part_places(v, to, k * step), a->align,
                               a->like);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void load_variable(struct sl_vector *v, LLVMValueRef i,
                          const struct sl_vector_variable *variable)
{
    if (variable->uniform) {
        sl_vector_set_scalar(v, i,
                             LLVMBuildLoad2(builder(v), variable->type, variable->cells[0], ""));
        return;
    }
    for (uint32_t k = 0; k < variable->cell_count; k++) {
        LLVMTypeRef wide = sl_vector_wide_type(v, sl_vector_part_type(variable->type, k));
        sl_vector_set_part(v, i, k, LLVMBuildLoad2(builder(v), wide, variable->cells[k], ""));
    }
}

/* The lanes agree, also on whether they come here at all. */
static void store_uniform(struct sl_vector *v, LLVMValueRef value,
                          const struct sl_vector_variable *variable)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef now = sl_vector_scalar(v, value);
    assert(sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM);
    if (v->now.mask != v->now.entry_mask && !sl_vector_all_run(v)) {
        LLVMValueRef old = LLVMBuildLoad2(b, variable->type, variable->cells[0], "");
        now = LLVMBuildSelect(b, sl_vector_any(v, v->now.mask), now, old, "");
    }
    LLVMBuildStore(b, now, variable->cells[0]);
}

static void store_variable(struct sl_vector *v, LLVMValueRef value,
                           const struct sl_vector_variable *variable)
{
    LLVMBuilderRef b = builder(v);
    if (variable->uniform) {
        store_uniform(v, value, variable);
        return;
    }
    for (uint32_t k = 0; k < variable->cell_count; k++) {
        LLVMValueRef now = sl_vector_part(v, value, k);
        if (v->now.mask != v->now.entry_mask) {
            LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(now), variable->cells[k], "");
            now = LLVMBuildSelect(b, v->now.mask, now, old, "");
        }
        LLVMBuildStore(b, now, variable->cells[k]);
    }
}

static bool is_special(LLVMValueRef i)
{
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static const struct sl_vector_variable *scalar_variable(struct sl_vector *v, LLVMValueRef pointer)
{
    const struct sl_vector_variable *variable = sl_map_get(v->facts.variables, pointer);
    return variable && !variable->memory ? variable : NULL;
}

void sl_vector_emit_load(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), parts[SL_VECTOR_MOST_PARTS];
    const struct sl_vector_variable *variable = scalar_variable(v, pointer);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (variable) {
        load_variable(v, i, variable);
        return;
    }
    struct sl_shape shape = sl_vector_shape_at(&v->facts, pointer, v->now.block);
    if (is_special(i) || !sl_vector_can_access(type)) {
        sl_vector_emit_serially(v, i);
        return;
    }
    if (sl_vector_load_record(v, i) || sl_vector_load_span(v, i))
        return;
    if (sl_vector_array(&v->facts, pointer)) {
        sl_vector_load_element(v, i, parts);
    } else if (shape.kind == SL_SHAPE_LINEAR) {
        struct sl_vector_access access = {
            type, sl_vector_scalar(v, pointer), shape.stride, LLVMGetAlignment(i), i, NULL};
        bool whole = sl_vector_is_interleaved(&v->facts, i);
        bool dense = shape.stride == (int64_t)size_of(v, type);
        if (whole) {
            parts[0] = dense ? sl_vector_load_all(v, &access)
                             : sl_vector_gather_all(v, i, sl_vector_part(v, pointer, 0));
        } else {
            LLVMValueRef all = sl_vector_load_linear(v, &access, parts);
            if (all)
                sl_vector_keep_whole(v, i, all);
        }
    } else if (!sl_vector_load_speculatively(v, i, parts) && !sl_vector_load_window(v, i, parts)) {
        sl_vector_remark(v, i, "gathered");
        LLVMValueRef from = sl_vector_part(v, pointer, 0);
        if (sl_vector_is_interleaved(&v->facts, i))
            parts[0] = sl_vector_gather_all(v, i, from);
        else
            sl_vector_gather(v, i, from, parts);
    }
    for (uint32_t k = 0; k < sl_vector_kept_count(v, i); k++)
        sl_vector_set_part(v, i, k, parts[k]);
}

/* Of several lanes that store to one place the last one wins, as if items ran in turn. */
static void store_to_one_place(struct sl_vector *v, LLVMValueRef i, LLVMValueRef value)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef now = LLVMInstructionClone(i), one = NULL;
    if (sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM) {
        one = sl_vector_scalar(v, value);
    } else {
        LLVMTypeRef bits = LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
        LLVMValueRef args[] = {LLVMBuildBitCast(b, v->now.mask, bits, ""),
                               LLVMConstInt(v->g->e.i1, 1, false)};
        LLVMValueRef above = sl_vector_intrinsic(v, "llvm.ctlz", &bits, 1, args, 2);
        LLVMValueRef top = LLVMConstInt(bits, v->facts.lanes - 1, false);
        one = sl_vector_lane(v, value, LLVMBuildSub(b, top, above, ""));
    }
    LLVMSetOperand(now, 0, one);
    LLVMSetOperand(now, 1, sl_vector_scalar(v, LLVMGetOperand(i, 1)));
    LLVMInsertIntoBuilder(b, now);
}

void sl_vector_emit_store(struct sl_vector *v, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1),
                 parts[SL_VECTOR_MOST_PARTS];
    const struct sl_vector_variable *variable = scalar_variable(v, pointer);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (variable) {
        store_variable(v, value, variable);
        return;
    }
    struct sl_shape shape = sl_vector_shape_at(&v->facts, pointer, v->now.block);
    if (is_special(i) || !sl_vector_can_access(type)) {
        sl_vector_emit_serially(v, i);
        return;
    }
    if (shape.kind <= SL_SHAPE_UNIFORM) {
        store_to_one_place(v, i, value);
        return;
    }
    if (sl_vector_store_record(v, i))
        return;
    for (uint32_t k = 0; k < sl_vector_part_count(type); k++)
        parts[k] = sl_vector_part(v, value, k);
    if (sl_vector_array(&v->facts, pointer)) {
        sl_vector_store_element(v, i, parts);
    } else if (shape.kind == SL_SHAPE_LINEAR && shape.stride != (int64_t)size_of(v, type) &&
               sl_vector_moves_items(&v->facts, type)) {
        sl_vector_remark(v, i, "in equal steps, item by item");
        sl_vector_scatter(v, i, sl_vector_part(v, pointer, 0), parts);
    } else if (shape.kind == SL_SHAPE_LINEAR) {
        struct sl_vector_access access = {
            type, sl_vector_scalar(v, pointer), shape.stride, LLVMGetAlignment(i), i, NULL};
        if (shape.stride == (int64_t)size_of(v, type))
            access.all = sl_vector_is_interleaved(&v->facts, value)
                             ? sl_vector_interleaved(v, value)
                             : sl_vector_whole(v, i);
        sl_vector_store_linear(v, &access, parts);
    } else if (!sl_vector_store_speculatively(v, i, parts)) {
        sl_vector_remark(v, i, "scattered");
        sl_vector_scatter(v, i, sl_vector_part(v, pointer, 0), parts);
    }
}
