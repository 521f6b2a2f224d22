/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses in private arrays that are laid out by lane (arrays.c), and what is loaded from and
 * stored to them: whole rows where lanes agree on the index, and where rows are few, so that LLVM
 * may keep them in registers. No shared state.
 */
#include "vector/memory/array_access.h"

#include "ir/pass.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"
#include "vector/memory/gather.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <llvm-c/Target.h>

static LLVMTargetDataRef layout(const struct sl_vector *v)
{
    return LLVMGetModuleDataLayout(v->g->pass->module);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

/* Where a GEP leads to, in the lanes' array. */
struct way {
    LLVMValueRef to;    /* by what lanes have in common; NULL: only `fixed` is asked for */
    LLVMValueRef apart; /* vector of i32, bytes that each adds: arrays are far smaller than that */
    uint64_t fixed;     /* bytes of the kernel's */
};

/* As an index of rows: LLVM follows that from one iteration of a loop to the next. */
static LLVMValueRef move(struct sl_vector *v, LLVMValueRef from, LLVMValueRef index, uint64_t step)
{
    LLVMTypeRef row = LLVMArrayType2(v->g->e.i8, step);
    return LLVMBuildGEP2(builder(v), step > 1 ? row : v->g->e.i8, from, &index, 1, "");
}

static void add_index(struct sl_vector *v, struct way *w, LLVMValueRef index, uint64_t step,
                      bool scalars)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    if (LLVMIsAConstantInt(index)) {
        w->fixed += (uint64_t)LLVMConstIntGetSExtValue(index) * step;
        return;
    }
    step *= v->facts.lanes;
    if (scalars || sl_vector_shape_at(&v->facts, index, v->now.block).kind <= SL_SHAPE_UNIFORM) {
        w->to = move(v, w->to, sl_vector_scalar(v, index), step);
        return;
    }
    LLVMTypeRef wide = sl_vector_wide_type(v, e->i32);
    LLVMValueRef each = LLVMBuildIntCast2(b, sl_vector_part(v, index, 0), wide, true, "");
    LLVMValueRef by = sl_vector_splat(v, LLVMConstInt(e->i32, step, false));
    each = LLVMBuildMul(b, each, by, "");
    w->apart = w->apart ? LLVMBuildAdd(b, w->apart, each, "") : each;
}

static void walk(struct sl_vector *v, LLVMValueRef gep, bool scalars, struct way *w)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            w->fixed += LLVMOffsetOfElement(layout(v), type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        add_index(v, w, index, LLVMABISizeOfType(layout(v), type), scalars);
    }
    if (w->to && w->fixed)
        w->to = move(v, w->to, sl_emit_i64(&v->g->e, w->fixed * v->facts.lanes), 1);
}

void sl_vector_emit_place(struct sl_vector *v, LLVMValueRef gep)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef base = LLVMGetOperand(gep, 0);
    struct sl_shape shape = sl_vector_shape_at(&v->facts, base, v->now.block);
    int64_t element = sl_vector_array(&v->facts, gep)->element;
    bool scalars = sl_vector_shape(&v->facts, gep).kind != SL_SHAPE_VARYING;
    bool side_by_side = shape.kind == SL_SHAPE_LINEAR && shape.stride == element;
    struct way w = {.to = scalars || side_by_side ? sl_vector_scalar(v, base)
                                                  : sl_vector_part(v, base, 0)};
    walk(v, gep, scalars, &w);
    if (scalars) {
        sl_vector_set_scalar(v, gep, w.to);
        return;
    }
    LLVMValueRef steps = sl_vector_iota(v, v->g->e.i32, element), each = w.apart;
    if (side_by_side)
        each = each ? LLVMBuildAdd(b, each, steps, "") : steps;
    /* Machines gather by a place for all lanes and an int for each. */
    if (each)
        w.to = move(v, w.to, LLVMBuildSExt(b, each, sl_vector_wide_type(v, v->g->e.i64), ""), 1);
    sl_vector_set_part(v, gep, 0, w.to);
}

/* ---- accesses -------------------------------------------------------------------------------- */

struct element {
    const struct sl_vector_array *array;
    LLVMValueRef pointer, access;
    LLVMValueRef base; /* of one access for all lanes; NULL: lanes are at different indices */
    uint64_t step;     /* bytes from one part of a vector to the next */
};

static bool is_inside(struct sl_vector *v, const struct element *x)
{
    LLVMTypeRef type = LLVMIsAStoreInst(x->access) ? LLVMTypeOf(LLVMGetOperand(x->access, 0))
                                                   : LLVMTypeOf(x->access);
    uint64_t at = 0, size = LLVMStoreSizeOfType(layout(v), type);
    LLVMValueRef pointer = x->pointer;
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)k)))
                return false;
        struct way w = {0};
        walk(v, pointer, true, &w);
        at += w.fixed;
    }
    return pointer == x->array->variable && at <= x->array->bytes && size <= x->array->bytes - at;
}

/* Whole rows of lanes are moved, whoever runs. When nobody does the index may be anything. */
static struct element open_element(struct sl_vector *v, LLVMValueRef access, LLVMValueRef pointer)
{
    struct element x = {
        .array = sl_vector_array(&v->facts, pointer), .pointer = pointer, .access = access};
    struct sl_shape shape = sl_vector_shape_at(&v->facts, pointer, v->now.block);
    x.step = (uint64_t)x.array->element * v->facts.lanes;
    if (shape.kind != SL_SHAPE_LINEAR || shape.stride != x.array->element)
        return x;
    x.base = sl_vector_scalar(v, pointer);
    if (v->now.mask != v->now.entry_mask && !is_inside(v, &x))
        x.base = LLVMBuildSelect(builder(v), sl_vector_any(v, v->now.mask), x.base,
                                 sl_vector_scalar(v, x.array->variable), "");
    return x;
}

static LLVMValueRef part_of(struct sl_vector *v, const struct element *x, LLVMValueRef from,
                            uint32_t k)
{
    return k ? move(v, from, sl_emit_i64(&v->g->e, k * x->step), 1) : from;
}

static uint32_t row_alignment(const struct element *x)
{
    return x->step < SL_VECTOR_ARRAY_ALIGN ? (uint32_t)x->step : SL_VECTOR_ARRAY_ALIGN;
}

static LLVMValueRef load_row(struct sl_vector *v, const struct element *x, LLVMTypeRef wide,
                             LLVMValueRef at)
{
    LLVMValueRef load = LLVMBuildLoad2(builder(v), wide, at, "");
    LLVMSetAlignment(load, row_alignment(x));
    return load;
}

/* ---- lanes at different indices of few rows -------------------------------------------------- */

/* Not of another array in other lanes, as `c ? a[i] : b[j]` is. */
static bool is_of_one_array(const struct element *x)
{
    LLVMValueRef pointer = x->pointer;
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer == x->array->variable;
}

/* All rows are looked at if an item's, in words, fit into a register: for each of a register's
 * lanes that is as much as to go to each lane's by itself. 0: they are too many, or of several
 * arrays. */
static uint32_t few_rows(struct sl_vector *v, const struct element *x, LLVMTypeRef part)
{
    enum { MOST = 8, WORD = 4 };
    const uint32_t element = x->array->element, word = element < WORD ? WORD : element;
    const uint64_t rows = x->array->bytes / element;
    const bool plain =
        x->array->bytes % element == 0 && LLVMStoreSizeOfType(layout(v), part) == element;
    const bool few = rows <= MOST && 2 * rows <= v->facts.lanes &&
                     8 * word * rows <= v->facts.target->register_bits;
    return plain && few && is_of_one_array(x) ? (uint32_t)rows : 0;
}

/* Vector of i32: the bytes from the first lane of the first row to where each lane is. */
static LLVMValueRef way_to_lanes(struct sl_vector *v, const struct element *x)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    LLVMValueRef first = LLVMBuildPtrToInt(b, sl_vector_scalar(v, x->array->variable), e->i64, "");
    LLVMValueRef each =
        LLVMBuildPtrToInt(b, sl_vector_part(v, x->pointer, 0), sl_vector_wide_type(v, e->i64), "");
    each = LLVMBuildSub(b, each, sl_vector_splat(v, first), "");
    return LLVMBuildTrunc(b, each, sl_vector_wide_type(v, e->i32), "");
}

/* Which lanes are that many rows on. */
static LLVMValueRef is_there(struct sl_vector *v, const struct element *x, LLVMValueRef each,
                             uint32_t row)
{
    LLVMTypeRef i32 = v->g->e.i32;
    LLVMValueRef lane = sl_vector_iota(v, i32, x->array->element);
    LLVMValueRef there = sl_vector_splat(v, LLVMConstInt(i32, row * x->step, false));
    return LLVMBuildICmp(builder(v), LLVMIntEQ, each, LLVMBuildAdd(builder(v), there, lane, ""),
                         "");
}

static LLVMValueRef row_at(struct sl_vector *v, const struct element *x, uint32_t row)
{
    return part_of(v, x, sl_vector_scalar(v, x->array->variable), row);
}

/* Part k of what lanes have there, at an index of each one's own. */
static LLVMValueRef choose_row(struct sl_vector *v, const struct element *x, LLVMTypeRef wide,
                               uint32_t rows, uint32_t k)
{
    LLVMValueRef each = way_to_lanes(v, x), found = load_row(v, x, wide, row_at(v, x, rows - 1));
    for (uint32_t r = k; r + 1 < rows; r++)
        found = LLVMBuildSelect(builder(v), is_there(v, x, each, r - k),
                                load_row(v, x, wide, row_at(v, x, r)), found, "");
    return found;
}

/* Lanes that do not run keep theirs, whatever their index is. */
static void change_rows(struct sl_vector *v, const struct element *x, LLVMValueRef now,
                        uint32_t rows, uint32_t k)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef each = way_to_lanes(v, x);
    for (uint32_t r = k; r < rows; r++) {
        LLVMValueRef there = is_there(v, x, each, r - k), row = row_at(v, x, r);
        if (v->now.mask != v->now.entry_mask)
            there = LLVMBuildSelect(b, v->now.mask, there, LLVMConstNull(LLVMTypeOf(there)), "");
        LLVMValueRef value =
            LLVMBuildSelect(b, there, now, load_row(v, x, LLVMTypeOf(now), row), "");
        LLVMSetAlignment(LLVMBuildStore(b, value, row), row_alignment(x));
    }
}

/* ---- loads and stores ------------------------------------------------------------------------ */

void sl_vector_load_element(struct sl_vector *v, LLVMValueRef load, LLVMValueRef *parts)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    struct element x = open_element(v, load, pointer);
    LLVMTypeRef element = sl_vector_part_type(LLVMTypeOf(load), 0);
    LLVMTypeRef wide = sl_vector_wide_type(v, element);
    LLVMValueRef from = x.base ? x.base : sl_vector_part(v, pointer, 0);
    const uint32_t rows = x.base ? 0 : few_rows(v, &x, element);
    if (!x.base)
        sl_vector_remark(v, load, "from a private array, at an index of each item's own");
    for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(load)); k++) {
        LLVMValueRef at = part_of(v, &x, from, k);
        if (x.base)
            parts[k] = load_row(v, &x, wide, at);
        else if (rows)
            parts[k] = choose_row(v, &x, wide, rows, k);
        else if (x.array->element < 4) /* words would wait for bytes that were just stored */
            parts[k] = sl_vector_load_serially(v, element, at);
        else
            parts[k] = sl_vector_gather_part(v, element, at, x.array->element, load);
    }
}

void sl_vector_store_element(struct sl_vector *v, LLVMValueRef store, LLVMValueRef *parts)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    struct element x = open_element(v, store, pointer);
    LLVMValueRef to = x.base ? x.base : sl_vector_part(v, pointer, 0);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    const uint32_t rows = x.base ? 0 : few_rows(v, &x, sl_vector_part_type(type, 0));
    if (!x.base)
        sl_vector_remark(v, store, "to a private array, at an index of each item's own");
    for (uint32_t k = 0; k < sl_vector_part_count(type); k++) {
        LLVMValueRef at = part_of(v, &x, to, k), now = parts[k];
        if (rows) {
            change_rows(v, &x, now, rows, k);
            continue;
        }
        if (!x.base) {
            /* In turn they are at hand for loads that follow; scatters are slower than that. */
            sl_vector_store_serially(v, now, at);
            continue;
        }
        if (v->now.mask != v->now.entry_mask)
            now = LLVMBuildSelect(b, v->now.mask, now, load_row(v, &x, LLVMTypeOf(now), at), "");
        LLVMSetAlignment(LLVMBuildStore(b, now, at), row_alignment(&x));
    }
}
