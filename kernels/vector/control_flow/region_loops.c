/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops that a region in vector form runs in: full vectors or masked ones, only the items
 * before a guard's limit, parts of a row on either side of a split, several rows in step, compacted
 * items. No shared state.
 */
#include "vector/control_flow/region_loops.h"

#include "ir/memory.h"
#include "items/region_copy.h"
#include "items/work_item.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/guard.h"
#include "vector/analysis/shape.h"
#include "vector/control_flow/guard_count.h"
#include "vector/control_flow/inner_part.h"
#include "vector/control_flow/region.h"
#include "vector/control_flow/remainder.h"
#include "vector/control_flow/rows_jammed.h"
#include "vector/cost/unroll_rows.h"
#include "vector/operations/serial.h"
#include "llvm/intrinsics.h"
#include "llvm/loops/counts/trip_count.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define MOST_STRAIGHT 200 /* instructions that are there with and without a mask */
#define MOST_TWICE 40     /* the same in loops, which are unrolled */
#define MOST_TRIPS 32     /* of these loops */
#define MOST_STORING 120  /* the same where a loop stores neighbours' values, in each round */
#define MOST_SPLIT 40     /* that are there for each side of a branch, and for both */
#define MOST_NARROW 40    /* that are there with many lanes and with few */
#define MOST_HALVES 6     /* widths: 64 lanes, 32 and so on to 2 */
#define MOST_HALVED 24    /* that are there for each power of two of lanes */
#define MOST_OF_GROUP 160 /* as MOST_STRAIGHT, in kernels that come by for each group */
#define MANY_TIMES 8      /* as many lanes as there are floats in a register */

_Static_assert(MOST_SPLIT <= MOST_OF_GROUP && MOST_HALVED <= MOST_OF_GROUP,
               "what has several parts is not masked");

bool sl_vector_region_is_short(const struct sl_vector_region *p, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < p->v.facts.plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->v.facts.plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            count++;
    return count <= most;
}

static bool has_at_most(const struct sl_vector_region *p, uint32_t most)
{
    return sl_vector_region_is_short(p, most) && !p->v.facts.plan.loop_count;
}

static bool has_any(const struct sl_vector_region *p,
                    bool (*is)(const struct sl_vector_facts *, LLVMValueRef, uint32_t block))
{
    for (uint32_t b = 0; b < p->v.facts.plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->v.facts.plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (is(&p->v.facts, i, b))
                return true;
    return false;
}

/* Other than for ids and what is an instruction or two. */
static bool is_call(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    enum sl_wi what;
    unsigned dim;
    (void)v;
    (void)block;
    return LLVMIsACallInst(i) && !sl_wi_parse(i, &what, &dim) && !sl_wi_is_barrier(i) &&
           !sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY);
}

/* Loops that go round a few times, as often as they do: LLVM leaves none of them. */
static bool is_unrolled(const struct sl_vector_region *p)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(p->v.facts.plan.blocks[0].ref);
    uint64_t *trips = sl_ir_alloc(LLVMCountBasicBlocks(function), sizeof *trips);
    bool ends_soon = sl_llvm_block_trips(function, MOST_TRIPS, trips);
    free(trips);
    return ends_soon;
}

/* Side by side in memory, in a loop. Under a mask, all lanes of which are there or not, a store
 * that crosses from one line of the cache into the next takes several times as long. */
static bool is_store_in_loop(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    if (!LLVMIsAStoreInst(i) || !v->plan.blocks[block].loop)
        return false;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(v->g->pass->module);
    struct sl_shape shape = sl_vector_shape_at(v, LLVMGetOperand(i, 1), block);
    return shape.kind == SL_SHAPE_LINEAR &&
           shape.stride == (int64_t)LLVMStoreSizeOfType(layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
}

/* A load under a mask and the mask's way to its register each take the place of an operation, which
 * together is a tenth of what sixteen multiplications take; what a loop does that stays one counts
 * for more. And a load does not wait for the whole of an earlier store if that had no mask, as
 * those do that follow a barrier. */
static bool is_worth_two_loops(const struct sl_vector_region *p)
{
    if (has_any(p, sl_vector_is_update))
        return sl_vector_region_is_short(p, MOST_OF_GROUP);
    if (p->g->split.barrier_count)
        return has_at_most(p, MOST_OF_GROUP);
    if (p->v.facts.plan.loop_count)
        return (sl_vector_region_is_short(p, MOST_TWICE) && is_unrolled(p)) ||
               (sl_vector_region_is_short(p, MOST_STORING) && has_any(p, is_store_in_loop));
    return sl_vector_region_is_short(p, MOST_STRAIGHT);
}

void sl_vector_region_emit_masked(struct sl_region *region, const struct sl_rows *rows)
{
    struct sl_vector_region *p = sl_vector_region_plan(region->g, region->number);
    sl_vector_region_begin(p, region);
    sl_lanes_emit(p->g, rows, p->v.facts.lanes, sl_vector_region_emit_lanes, p);
    sl_vector_region_free(p);
}

/* Up to the end of the last vector that item `at` is not beyond. */
static LLVMValueRef vectors_to(struct sl_vector_region *p, LLVMValueRef at, LLVMValueRef full)
{
    const struct sl_emit *e = &p->g->e;
    LLVMValueRef whole = sl_emit_i64(e, ~(uint64_t)(p->v.facts.lanes - 1));
    return LLVMBuildAnd(e->builder, sl_emit_min(e, at, full, ""), whole, "");
}

/* A branch that parts rows, and the region for items that take it one way, and the other way. */
struct split {
    struct sl_vector_guard at;
    struct sl_vector_region *sides[2];
};

/* Behind barriers, where loops take the same steps for each group. Under a mask a branch that some
 * lanes take may have a form where one that all of them take has none. */
static bool find_split(struct sl_vector_region *p, struct split *s)
{
    if (!p->number || p->is_guarded || !has_at_most(p, MOST_SPLIT) ||
        !sl_vector_find_split(&p->v.facts, &s->at))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        struct sl_vector_decided side = {0};
        sl_vector_decide(&side, s->at.condition, s->at.runs_if == !k);
        s->sides[k] = sl_vector_region_plan_decided(p->g, p->number, &side);
    }
    for (unsigned k = 0; k < 2; k++)
        if (!s->sides[k] && s->sides[1 - k])
            sl_vector_region_free(s->sides[1 - k]);
    return s->sides[0] && s->sides[1];
}

/* The vectors that are all on one side of the split, the one that is on both, and the other side's.
 */
static void emit_split(struct sl_vector_region *p, const struct split *s,
                       const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    struct sl_region regions[2];
    for (unsigned k = 0; k < 2; k++) {
        regions[k] = (struct sl_region){.g = g, .number = p->number, .before = p->region->before};
        sl_vector_region_begin(s->sides[k], &regions[k]);
    }
    LLVMValueRef first, full = sl_rows_in_vectors(g, rows, p->v.facts.lanes);
    LLVMValueRef count = sl_vector_guard_count(&p->v, &s->at, p->region, rows, &first);
    LLVMValueRef up =
        LLVMBuildAdd(g->e.builder, count, sl_emit_i64(&g->e, p->v.facts.lanes - 1), "");
    const struct sl_vector_part parts[] = {
        {p->v.facts.lanes, vectors_to(p, count, full), sl_vector_region_emit_lanes, s->sides[0],
         &regions[0], false},
        {p->v.facts.lanes, vectors_to(p, up, full), sl_vector_region_emit_lanes, p, p->region,
         true},
        {p->v.facts.lanes, full, sl_vector_region_emit_lanes, s->sides[1], &regions[1], false}};
    sl_vector_emit_parts(p->region, &p->outcome, rows, parts, 3);
    for (unsigned k = 0; k < 2; k++) {
        sl_region_finish(&regions[k]);
        sl_vector_region_free(s->sides[k]);
    }
}

static bool is_one_vector(const struct sl_vector_region *p, const struct sl_rows *rows)
{
    return LLVMIsAConstantInt(rows->count) &&
           LLVMConstIntGetZExtValue(rows->count) == p->v.facts.lanes;
}

/* Rows are whole sub-groups, and these are the vectors. */
static bool has_whole_sub_groups(const struct sl_vector_region *p)
{
    return p->g->facts->whole_sub_groups;
}

static bool is_masked(const struct sl_vector_region *p)
{
    return p->v.facts.target->mask_registers && !(p->full && !p->is_guarded) &&
           !is_worth_two_loops(p);
}

static void emit_masked_unless_done(struct sl_vector_region *p, const struct sl_rows *rows)
{
    LLVMBasicBlockRef end =
        sl_vector_enter_unless(p->g, rows->ahead, LLVMConstInt(p->g->e.i1, 1, false), "row");
    sl_lanes_emit(p->g, rows, p->v.facts.lanes, sl_vector_region_emit_lanes, p);
    sl_vector_outcome_note(&p->outcome, p->region);
    sl_vector_leave_to(p->g, end);
    sl_vector_outcome_recall(&p->outcome, p->region);
}

/* Vectors of many items leave over many, each of which would take as long in turn: vectors of a few
 * take these. */
static uint32_t narrow_lanes(const struct sl_vector_region *p)
{
    return p->v.facts.target->register_bits / 32;
}

static bool has_narrow_form(const struct sl_vector_region *p, const struct sl_rows *rows)
{
    return !p->v.facts.target->mask_registers && !rows->ahead && !p->g->facts->in_step &&
           p->v.facts.lanes >= MANY_TIMES * narrow_lanes(p) &&
           sl_vector_region_is_short(p, MOST_NARROW);
}

static struct sl_vector_region *plan_narrower(const struct sl_vector_region *p, uint32_t lanes)
{
    struct sl_group_function *g = p->g;
    uint32_t wide = g->lanes;
    g->lanes = lanes;
    struct sl_vector_region *less =
        sl_vector_region_plan_decided(g, p->number, &p->v.facts.decided);
    g->lanes = wide;
    return less;
}

static void emit_wide_and_narrow(struct sl_vector_region *p, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    uint32_t wide = g->lanes, narrow = narrow_lanes(p);
    struct sl_region region = {.g = g, .number = p->number, .before = p->region->before};
    struct sl_vector_region *less = plan_narrower(p, narrow);
    if (less)
        sl_vector_region_begin(less, &region);
    const struct sl_vector_part parts[] = {
        {wide, sl_rows_in_vectors(g, rows, wide), sl_vector_region_emit_lanes, p, p->region, false},
        {narrow, sl_rows_in_vectors(g, rows, narrow), sl_vector_region_emit_lanes, less, &region,
         false}};
    sl_vector_emit_parts(p->region, &p->outcome, rows, parts, less ? 2 : 1);
    if (!less)
        return;
    sl_region_finish(&region);
    sl_vector_region_free(less);
}

/* Steps of a reduction are as many items as a power of two says, fewer and fewer. The last ones
 * fill no vector, and each reads what the one before it wrote: which takes long if that was done
 * under a mask. So what is left is done by half as many lanes, and half as many. */
static bool has_halves(const struct sl_vector_region *p, const struct sl_rows *rows)
{
    return p->v.facts.target->mask_registers && p->number && p->is_guarded && !rows->ahead &&
           !p->g->split.compacts && has_at_most(p, MOST_HALVED) && !has_any(p, is_call);
}

static void emit_halves(struct sl_vector_region *p, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    uint32_t wide = g->lanes, count = 1;
    struct sl_vector_region *narrower[MOST_HALVES];
    struct sl_region regions[MOST_HALVES];
    struct sl_vector_part parts[MOST_HALVES] = {{wide, sl_rows_in_vectors(g, rows, wide),
                                                 sl_vector_region_emit_lanes, p, p->region, false}};
    for (uint32_t lanes = wide / 2; lanes > 1 && count < MOST_HALVES; lanes /= 2, count++) {
        regions[count] =
            (struct sl_region){.g = g, .number = p->number, .before = p->region->before};
        narrower[count] = plan_narrower(p, lanes);
        if (!narrower[count])
            break;
        sl_vector_region_begin(narrower[count], &regions[count]);
        parts[count] = (struct sl_vector_part){lanes,
                                               sl_rows_in_vectors(g, rows, lanes),
                                               sl_vector_region_emit_lanes,
                                               narrower[count],
                                               &regions[count],
                                               true};
    }
    sl_vector_emit_parts(p->region, &p->outcome, rows, parts, count);
    for (uint32_t k = 1; k < count; k++) {
        sl_region_finish(&regions[k]);
        sl_vector_region_free(narrower[k]);
    }
}

/* What a mask makes slow where it is no register of its own. */
static bool is_poor_under_mask(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    if (is_call(v, i, block) || sl_vector_is_update(v, i, block))
        return true;
    bool store = LLVMIsAStoreInst(i);
    if (!store && !LLVMIsALoadInst(i))
        return false;
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
    struct sl_shape shape = sl_vector_shape_at(v, LLVMGetOperand(i, store), block);
    uint64_t size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
    if (shape.kind <= SL_SHAPE_UNIFORM)
        return store;
    return (size != 4 && size != 8) || LLVMGetTypeKind(type) == LLVMVectorTypeKind ||
           shape.kind != SL_SHAPE_LINEAR || shape.stride != (int64_t)size;
}

/* Loops over neighbours take as long for one item as for a vector of them. */
static bool masks_rest(const struct sl_vector_region *p)
{
    const struct sl_vector_target *target = p->v.facts.target;
    return target->masked_words && !target->mask_registers && p->v.facts.plan.loop_count &&
           !p->g->split.barrier_count && sl_vector_region_is_short(p, MOST_OF_GROUP) &&
           !has_any(p, is_poor_under_mask) && !has_any(p, is_store_in_loop);
}

static void emit_rows(struct sl_vector_region *p, const struct sl_rows *rows)
{
    struct split split;
    if (has_whole_sub_groups(p)) {
        sl_lanes_emit_full(p->g, rows, rows->count, p->v.facts.lanes, sl_vector_region_emit_lanes,
                           p);
    } else if (p->inner) {
        sl_vector_inner_emit(p, rows);
    } else if (!rows->ahead && find_split(p, &split)) {
        emit_split(p, &split, rows);
    } else if (has_halves(p, rows)) {
        emit_halves(p, rows);
    } else if (is_masked(p) && rows->ahead) {
        emit_masked_unless_done(p, rows);
    } else if (is_masked(p)) {
        sl_lanes_emit(p->g, rows, p->v.facts.lanes, sl_vector_region_emit_lanes, p);
    } else if (has_narrow_form(p, rows)) {
        emit_wide_and_narrow(p, rows);
    } else {
        struct sl_vector_part all = {p->v.facts.lanes,
                                     sl_rows_in_vectors(p->g, rows, p->v.facts.lanes),
                                     sl_vector_region_emit_lanes,
                                     p,
                                     p->region,
                                     is_one_vector(p, rows)};
        sl_vector_emit_parts(p->region, &p->outcome, rows, &all, 1);
    }
}

static bool is_for_one(const struct sl_vector_region *p)
{
    return p->guard.limits[0].kind == SL_LIMIT_ONLY;
}

/* The items of the row that run, and code that is left out if there are none. */
static LLVMBasicBlockRef enter_guarded(struct sl_vector_region *p, const struct sl_rows *rows,
                                       struct sl_rows *some)
{
    struct sl_group_function *g = p->g;
    struct sl_rows from;
    LLVMValueRef first, count = sl_vector_guard_count(&p->v, &p->guard, p->region, rows, &first);
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, count, sl_emit_i64(&g->e, 0), "some");
    const bool late = sl_guard_begins_late(&p->guard);
    if (late)
        sl_rows_remaining(g, rows, first, &from);
    sl_rows_first(g, late ? &from : rows, count, some);
    return end;
}

static void set_end(const struct sl_vector_region *p, struct sl_region *region)
{
    const int32_t next = sl_vector_region_way_to(&p->g->split, p->guard.end);
    region->next = LLVMConstInt(p->g->e.i32, (uint64_t)(int64_t)next, true);
    sl_vector_add_way(region, next);
}

static void emit_guarded(struct sl_vector_region *p, const struct sl_rows *rows)
{
    struct sl_rows some;
    LLVMBasicBlockRef end = enter_guarded(p, rows, &some);
    if (is_for_one(p))
        sl_lanes_emit(p->g, &some, p->v.facts.lanes, sl_vector_region_emit_lanes, p);
    else
        emit_rows(p, &some);
    sl_vector_leave_to(p->g, end);
    set_end(p, p->region);
}

static void emit_some_turns(struct sl_vector_region *p, struct sl_region *region,
                            const struct sl_rows *rows)
{
    struct sl_rows some;
    p->region = region;
    LLVMBasicBlockRef end = enter_guarded(p, rows, &some);
    some.once = is_for_one(p);
    some.is_remainder = rows->is_remainder;
    region->decided = p->guard.condition;
    region->holds = p->guard.runs_if;
    sl_region_emit_copy(region, &some);
    sl_vector_leave_to(p->g, end);
}

/* The last item of the row tells how the region ends, whether the guard leaves it or not. */
static void emit_last_turn(struct sl_vector_region *p, struct sl_region *region,
                           const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    struct sl_region front = {.g = g, .number = p->number, .before = region->before};
    struct sl_rows most, last;
    LLVMValueRef before = LLVMBuildNUWSub(g->e.builder, rows->count, sl_emit_i64(&g->e, 1), "");
    sl_rows_first(g, rows, before, &most);
    emit_some_turns(p, &front, &most);
    sl_region_finish(&front);
    sl_rows_remaining(g, rows, before, &last);
    last.once = true;
    sl_region_emit_copy(region, &last);
}

void sl_vector_region_emit_turns(struct sl_vector_region *p, struct sl_region *region,
                                 const struct sl_rows *rows)
{
    if (p->tells) {
        emit_last_turn(p, region, rows);
        return;
    }
    emit_some_turns(p, region, rows);
    set_end(p, region);
}

/* ---- several rows in step -------------------------------------------------------------------- */

static LLVMValueRef items_in_step(const struct sl_rows *rows, void *data)
{
    struct sl_vector_region *p = data;
    struct sl_rows some = *rows;
    LLVMValueRef first;
    if (p->is_guarded)
        some.count = sl_vector_guard_count(&p->v, &p->guard, p->region, rows, &first);
    return is_masked(p) ? some.count : sl_rows_in_vectors(p->g, &some, p->v.facts.lanes);
}

static void emit_in_step(const struct sl_rows *rows, LLVMValueRef items, void *data)
{
    struct sl_vector_region *p = data, *again = sl_vector_region_plan(p->g, p->number);
    struct sl_region region = {.g = p->g, .number = p->number, .before = p->region->before};
    struct sl_rows some;
    sl_vector_region_begin(again, &region);
    sl_rows_first(p->g, rows, items, &some);
    some.once |= is_one_vector(p, &some);
    if (is_masked(p))
        sl_lanes_emit(p->g, &some, p->v.facts.lanes, sl_vector_region_emit_lanes, again);
    else
        sl_lanes_emit_full(p->g, &some, items, p->v.facts.lanes, sl_vector_region_emit_lanes,
                           again);
    sl_vector_outcome_note(&p->outcome, &region);
    for (uint32_t k = 0; k < region.way_count; k++)
        sl_vector_add_way(p->region, region.ways[k].next);
    sl_region_finish(&region);
    sl_vector_region_free(again);
}

static void look_for_rows_in_step(struct sl_vector_region *p, struct sl_rows *rows)
{
    bool single =
        !rows->y.head || p->g->facts->in_step || (p->is_guarded && sl_guard_begins_late(&p->guard));
    struct sl_vector_in_step step = {.g = p->g,
                                     .count = single ? 1 : sl_vector_rows_in_step(&p->v.facts),
                                     .differ = p->is_guarded,
                                     .items = items_in_step,
                                     .emit = emit_in_step,
                                     .data = p};
    if (step.count == 1 && !p->g->facts->in_step)
        p->inner = sl_vector_inner_find(p);
    if (step.count > 1 || p->inner || !(is_masked(p) || has_whole_sub_groups(p)))
        sl_vector_outcome_open(&p->outcome, p->g);
    if (step.count > 1)
        sl_vector_emit_in_step(&step, rows);
}

void sl_vector_region_emit_compacted(struct sl_vector_region *p, struct sl_region *region,
                                     const struct sl_rows *rows)
{
    sl_vector_region_begin(p, region);
    sl_lanes_emit(p->g, rows, p->v.facts.lanes, sl_vector_region_emit_lanes, p);
}

void sl_vector_region_emit(struct sl_vector_region *p, struct sl_region *region,
                           struct sl_rows *rows)
{
    sl_vector_region_begin(p, region);
    p->full = LLVMIsAConstantInt(rows->count) &&
              LLVMConstIntGetZExtValue(rows->count) % p->v.facts.lanes == 0;
    look_for_rows_in_step(p, rows);
    p->outcome.masks_rest = masks_rest(p);
    if (p->is_guarded)
        emit_guarded(p, rows);
    else
        emit_rows(p, rows);
}
