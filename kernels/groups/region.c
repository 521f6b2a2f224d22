/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One region: what lies between a barrier (or the kernel's entry) and the next barriers, for all
 * items of the group. Without inner splits that is one nest of loops over all items. With them,
 * rows go in chunks through the regions that these make of it, which lead to each other; rows too
 * short for that take the first form. No shared state.
 */
#include "vector/control_flow/region.h"
#include "groups/group_function.h"
#include "items/region_copy.h"
#include "vector/control_flow/guard_count.h"
#include "vector/control_flow/region_loops.h"
#include "vector/control_flow/remainder.h"

#include <stdlib.h>

#define SHORT_ROW 8 /* items; below this vectors do not pay */
#define SIGN (UINT64_C(1) << 31)

struct emission {
    struct sl_group_function *g;
    uint32_t number;
    LLVMValueRef *before; /* per uniform slot that crosses barriers: value at the region's start */
    struct sl_rows rows;
    struct sl_vector_region *vector; /* owned; NULL: item by item */
    struct sl_region_entry *inner; /* chunked: begin blocks of those that inner splits make of it */
    LLVMBasicBlockRef chunk_end;
    LLVMValueRef chunk_next; /* phi in chunk_end: how this chunk ended */
    struct sl_list ends;     /* values of chunk_next, as constants */
};

static LLVMBasicBlockRef new_block(struct sl_group_function *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

LLVMBasicBlockRef sl_region_begin(struct sl_group_function *g, uint32_t number)
{
    struct sl_region_entry *region = &g->regions[number];
    if (!region->begin)
        region->begin = new_block(g, "region");
    return region->begin;
}

static LLVMBasicBlockRef target(struct sl_group_function *g, int64_t next)
{
    return next < 0 ? g->group_end : sl_region_begin(g, next);
}

/* All items agree on where to go on, so the last one's word counts. A block per way: [k] belongs to
 * values[k]. */
static LLVMBasicBlockRef *branch(struct sl_group_function *g, LLVMValueRef next,
                                 LLVMValueRef *values, size_t count)
{
    LLVMBasicBlockRef *ways = sl_ir_alloc(count, sizeof(*ways));
    for (size_t k = 0; k < count; k++)
        ways[k] = new_block(g, "way");
    if (count) {
        LLVMValueRef choice = LLVMBuildSwitch(g->e.builder, next, ways[0], count - 1);
        for (size_t k = 1; k < count; k++)
            LLVMAddCase(choice, values[k], ways[k]);
    } else {
        LLVMBuildUnreachable(g->e.builder);
    }
    return ways;
}

static LLVMBasicBlockRef *branch_from_region(struct sl_region *region)
{
    struct sl_group_function *g = region->g;
    LLVMValueRef *values = sl_ir_alloc(region->way_count, sizeof(*values));
    for (uint32_t k = 0; k < region->way_count; k++)
        values[k] = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)region->ways[k].next, true);
    LLVMBasicBlockRef *ways = branch(g, region->next, values, region->way_count);
    free(values);
    return ways;
}

/* Uniform values that are wanted behind split point `next` go to where the code there finds them.
 */
static void keep_uniform(struct sl_region *region, int32_t next)
{
    struct sl_group_function *g = region->g;
    const struct sl_split *split = &g->split;
    bool leaves = next > 0 && !split->barriers[next - 1].inner;
    for (uint32_t s = 0; s < split->slot_count && next > 0; s++) {
        if (!split->slots[s].uniform || !sl_slot_is_live(split, s, next))
            continue;
        LLVMValueRef value = region->after[s];
        if (!value && leaves && region->chunked)
            value = LLVMBuildLoad2(g->e.builder, split->slots[s].type, g->chunk[s], "");
        if (value)
            LLVMBuildStore(g->e.builder, value, leaves ? g->home[s] : g->chunk[s]);
    }
}

/* ---- whole rows ------------------------------------------------------------------------------ */

/* The split point that compacts. */
static uint32_t compacting_split_point(const struct sl_split *split)
{
    uint32_t d = 0;
    while (!split->barriers[d].compacts)
        d++;
    return d;
}

/* A chunk's items that were compacted: as if they were a row. */
static void emit_compacted(struct emission *r, LLVMValueRef count)
{
    struct sl_group_function *g = r->g;
    struct sl_region region = {
        .g = g, .number = compacting_split_point(&g->split) + 1, .before = r->before};
    struct sl_rows rows = {.start = sl_emit_i64(&g->e, 0), .is_remainder = true};
    rows.first = rows.row = rows.start;
    rows.count = LLVMBuildZExt(g->e.builder, count, g->e.i64, "");
    struct sl_vector_region *vector = sl_vector_region_plan(g, region.number);
    if (vector) {
        sl_vector_region_emit_compacted(vector, &region, &rows);
        sl_vector_region_free(vector);
    } else {
        sl_region_emit_copy(&region, &rows);
    }
    sl_region_finish(&region);
}

static void emit_row_with_compaction(struct emission *r, struct sl_region *region)
{
    struct sl_group_function *g = r->g;
    struct sl_rows rows = r->rows;
    LLVMValueRef none = sl_emit_i32(&g->e, 0);
    rows.y.head = NULL; /* no rows in step */
    g->compacted.first = rows.first;
    LLVMBuildStore(g->e.builder, none, g->compacted.count);
    if (r->vector)
        sl_vector_region_emit(r->vector, region, &rows);
    else
        sl_region_emit_copy(region, &rows);
    LLVMValueRef count = LLVMBuildLoad2(g->e.builder, g->e.i32, g->compacted.count, "");
    LLVMBasicBlockRef run = new_block(g, "packed"), end = new_block(g, "unpacked");
    LLVMBuildCondBr(g->e.builder, LLVMBuildICmp(g->e.builder, LLVMIntEQ, count, none, ""), end,
                    run);
    LLVMPositionBuilderAtEnd(g->e.builder, run);
    emit_compacted(r, count);
    LLVMBuildBr(g->e.builder, end);
    LLVMPositionBuilderAtEnd(g->e.builder, end);
}

/* ---- vectors that begin at multiples of their lanes ------------------------------------------ */

static LLVMValueRef is_off(struct sl_group_function *g, LLVMValueRef id)
{
    const struct sl_emit *e = &g->e;
    LLVMValueRef over = LLVMBuildAnd(e->builder, id, sl_emit_i64(e, g->lanes - 1), "");
    return LLVMBuildICmp(e->builder, LLVMIntNE, over, sl_emit_i64(e, 0), "off");
}

static LLVMValueRef is_negative(struct sl_group_function *g, LLVMValueRef id)
{
    const struct sl_emit *e = &g->e;
    LLVMValueRef sign = LLVMBuildAnd(e->builder, id, sl_emit_i64(e, SIGN), "");
    return LLVMBuildICmp(e->builder, LLVMIntNE, sign, sl_emit_i64(e, 0), "negative");
}

/* How many of a row's items go in turn, so that vectors of the others begin where the region's code
 * counts on it: up to a multiple of the lanes; all, where local ids would come to theirs elsewhere,
 * or where ids are negative, which vectors need not be right for. */
static LLVMValueRef items_in_front(struct emission *r, const struct sl_rows *rows)
{
    struct sl_group_function *g = r->g;
    const struct sl_emit *e = &g->e;
    const uint32_t on = sl_vector_region_counts_on(r->vector);
    LLVMBuilderRef b = e->builder;
    LLVMValueRef none = sl_emit_i64(e, 0), front = none, all = LLVMConstInt(e->i1, 0, false);
    if (on & SL_VECTOR_LOCAL_MULTIPLE)
        all = is_off(g, rows->start);
    if (on & SL_VECTOR_LOCAL_MULTIPLE && on & SL_VECTOR_GLOBAL_MULTIPLE)
        all = LLVMBuildOr(b, all, is_off(g, rows->first), "");
    else if (on & SL_VECTOR_GLOBAL_MULTIPLE)
        front = LLVMBuildAnd(b, LLVMBuildSub(b, none, rows->first, ""),
                             sl_emit_i64(e, g->lanes - 1), "");
    if (on & SL_VECTOR_NATURAL)
        all = LLVMBuildOr(b, all, is_negative(g, rows->first), "");
    if (front != none)
        front = sl_emit_min(e, front, rows->count, "");
    return LLVMIsConstant(all) ? front : LLVMBuildSelect(b, all, rows->count, front, "front");
}

static void emit_front(struct emission *r, struct sl_region *region, const struct sl_rows *rows,
                       LLVMValueRef count, struct sl_vector_outcome *outcome)
{
    struct sl_region front = {.g = r->g, .number = r->number, .before = r->before};
    struct sl_rows some;
    LLVMBasicBlockRef end = sl_vector_enter_unless(r->g, count, sl_emit_i64(&r->g->e, 0), "front");
    sl_rows_first(r->g, rows, count, &some);
    some.is_remainder = true;
    sl_region_emit_copy(&front, &some);
    sl_vector_outcome_note(outcome, &front);
    sl_vector_add_ways(region, &front);
    sl_region_finish(&front);
    sl_vector_leave_to(r->g, end);
}

/* The rows in vector form, wherever they begin. */
static void emit_vectors(struct emission *r, struct sl_region *region, struct sl_rows *rows)
{
    struct sl_group_function *g = r->g;
    struct sl_vector_outcome outcome;
    struct sl_rows rest;
    LLVMValueRef front =
        sl_vector_region_counts_on(r->vector) ? items_in_front(r, rows) : sl_emit_i64(&g->e, 0);
    if (LLVMIsAConstantInt(front)) { /* then there are none */
        sl_vector_region_emit(r->vector, region, rows);
        return;
    }
    sl_vector_outcome_open(&outcome, g);
    emit_front(r, region, rows, front, &outcome);
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, front, rows->count, "aligned");
    sl_rows_remaining(g, rows, front, &rest);
    rest.is_remainder = false;
    rest.y.head = NULL; /* no rows in step */
    sl_vector_region_emit(r->vector, region, &rest);
    sl_vector_outcome_note(&outcome, region);
    sl_vector_leave_to(g, end);
    sl_vector_outcome_recall(&outcome, region);
    free(outcome.after);
}

/* ---- rows that end early --------------------------------------------------------------------- */

/* Rows without the items that left; where none is in any row, the group is done. */
static void emit_who_stays(struct emission *r, struct sl_region *region)
{
    struct sl_group_function *g = r->g;
    struct sl_vector_outcome outcome;
    struct sl_rows some;
    sl_vector_outcome_open(&outcome, g);
    LLVMBuildStore(g->e.builder, sl_emit_i32(&g->e, UINT32_MAX), outcome.next);
    sl_vector_add_way(region, -1);
    sl_rows_open(g, &r->rows, 0);
    LLVMValueRef count = sl_vector_stay_count(g, &r->rows);
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, count, sl_emit_i64(&g->e, 0), "stay");
    sl_rows_first(g, &r->rows, count, &some);
    some.y.head = NULL; /* rows differ */
    if (r->vector)
        emit_vectors(r, region, &some);
    else
        sl_region_emit_copy(region, &some);
    g->facts->loop_passes |= !r->vector;
    sl_vector_outcome_note(&outcome, region);
    sl_vector_leave_to(g, end);
    sl_rows_close(g, &r->rows);
    sl_vector_outcome_recall(&outcome, region);
    free(outcome.after);
}

static void emit_full_rows(struct emission *r, struct sl_region *region)
{
    struct sl_group_function *g = r->g;
    g->undivided = true;
    sl_rows_open(g, &r->rows, 0);
    sl_vector_region_emit(r->vector, region, &r->rows);
    sl_rows_close(g, &r->rows);
    g->undivided = false;
}

/* In turn: no program's ids are so large but once in a while. */
static void emit_divided_rows(struct emission *r, struct sl_region *region)
{
    struct sl_region divided = {.g = r->g, .number = r->number, .before = r->before};
    sl_rows_open(r->g, &r->rows, 0);
    r->rows.is_remainder = true;
    sl_region_emit_copy(&divided, &r->rows);
    sl_rows_close(r->g, &r->rows);
    sl_vector_add_ways(region, &divided);
    region->next = divided.next;
    for (uint32_t s = 0; s < r->g->split.slot_count; s++)
        region->after[s] = divided.after[s];
    sl_region_finish(&divided);
}

/* i1: the group's rows begin, and end, where their vector form counts on it; NULL: all do. */
static LLVMValueRef fits_vectors(struct emission *r)
{
    struct sl_group_function *g = r->g;
    LLVMBuilderRef b = g->e.builder;
    const uint32_t on = sl_vector_region_counts_on(r->vector);
    LLVMValueRef fits = sl_rows_may_be_divided(g) || on & SL_VECTOR_NATURAL ? g->within : NULL;
    LLVMValueRef off = on & SL_VECTOR_GLOBAL_MULTIPLE ? is_off(g, g->base[0]) : NULL;
    if (off)
        fits =
            fits ? LLVMBuildAnd(b, fits, LLVMBuildNot(b, off, ""), "") : LLVMBuildNot(b, off, "");
    if (on & SL_VECTOR_NATURAL)
        fits = LLVMBuildAnd(b, fits, LLVMBuildNot(b, is_negative(g, g->base[0]), ""), "");
    return fits;
}

/* Rows whose size is known and fills vectors, so that loops have constant ends and no rest. */
static void emit_known_rows(struct emission *r, struct sl_region *region)
{
    struct sl_group_function *g = r->g;
    struct sl_vector_outcome outcome;
    LLVMValueRef fits = fits_vectors(r);
    if (!fits) {
        emit_full_rows(r, region);
        return;
    }
    LLVMBasicBlockRef full = new_block(g, "full"), divided = new_block(g, "divided");
    LLVMBasicBlockRef end = new_block(g, "rows.end");
    sl_vector_outcome_open(&outcome, g);
    LLVMBuildCondBr(g->e.builder, fits, full, divided);
    LLVMPositionBuilderAtEnd(g->e.builder, full);
    emit_full_rows(r, region);
    sl_vector_outcome_note(&outcome, region);
    sl_vector_leave_to(g, end);
    LLVMPositionBuilderAtEnd(g->e.builder, divided);
    emit_divided_rows(r, region);
    sl_vector_outcome_note(&outcome, region);
    sl_vector_leave_to(g, end);
    sl_vector_outcome_recall(&outcome, region);
    free(outcome.after);
}

/* Item by item; where all but some only pass the region by, these. */
static void emit_turns(struct emission *r, struct sl_region *region)
{
    struct sl_vector_region *some = sl_vector_region_plan_turns(r->g, r->number);
    if (some) {
        sl_vector_region_emit_turns(some, region, &r->rows);
        sl_vector_region_free(some);
    } else {
        sl_region_emit_copy(region, &r->rows);
    }
}

static void emit_rows(struct emission *r, struct sl_region *region)
{
    struct sl_group_function *g = r->g;
    if (g->leave) {
        emit_who_stays(r, region);
        return;
    }
    if (g->within && r->vector) {
        emit_known_rows(r, region);
        return;
    }
    sl_rows_open(g, &r->rows, g->split.compacts ? g->chunk_size : 0);
    if (g->split.compacts) {
        emit_row_with_compaction(r, region);
    } else if (r->vector) {
        emit_vectors(r, region, &r->rows);
    } else {
        emit_turns(r, region);
        g->facts->loop_passes |= !g->facts->only_moves_packets;
    }
    sl_rows_close(g, &r->rows);
}

static void emit_whole(struct emission *r)
{
    struct sl_group_function *g = r->g;
    struct sl_region region = {.g = g, .number = r->number, .before = r->before};
    if (r->vector && !g->leave && sl_vector_region_is_one(r->vector))
        sl_vector_region_emit_once(r->vector, &region);
    else
        emit_rows(r, &region);
    LLVMBasicBlockRef *ways = branch_from_region(&region);
    for (uint32_t k = 0; k < region.way_count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        keep_uniform(&region, region.ways[k].next);
        LLVMBuildBr(g->e.builder, target(g, region.ways[k].next));
    }
    free(ways);
    sl_region_finish(&region);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static LLVMBasicBlockRef region_begin(struct emission *r, uint32_t number)
{
    if (!r->inner[number].begin)
        r->inner[number].begin = new_block(r->g, "part");
    return r->inner[number].begin;
}

static void end_chunk(struct emission *r, int32_t next)
{
    struct sl_group_function *g = r->g;
    LLVMValueRef value = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)next, true);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMAddIncoming(r->chunk_next, &value, &from, 1);
    LLVMBuildBr(g->e.builder, r->chunk_end);
    for (size_t k = 0; k < r->ends.count; k++)
        if (r->ends.items[k] == value)
            return;
    sl_list_add(&r->ends, value);
}

static void go_on(struct emission *r, int32_t next)
{
    if (next > 0 && r->g->split.barriers[next - 1].inner)
        LLVMBuildBr(r->g->e.builder, region_begin(r, next));
    else
        end_chunk(r, next);
}

static void emit_region(struct emission *r, uint32_t number)
{
    struct sl_group_function *g = r->g;
    const struct sl_split *split = &g->split;
    struct sl_region region = {.g = g, .number = number, .chunked = true};
    region.before = sl_ir_alloc(split->slot_count, sizeof(*region.before));
    LLVMPositionBuilderAtEnd(g->e.builder, region_begin(r, number));
    for (uint32_t s = 0; s < split->slot_count; s++)
        if (split->slots[s].uniform && number && sl_slot_is_live(split, s, number))
            region.before[s] = LLVMBuildLoad2(g->e.builder, split->slots[s].type, g->chunk[s], "");
    sl_region_emit_copy(&region, &r->rows);
    LLVMBasicBlockRef *ways = branch_from_region(&region);
    for (uint32_t k = 0; k < region.way_count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        keep_uniform(&region, region.ways[k].next);
        go_on(r, region.ways[k].next);
    }
    free(ways);
    free(region.before);
    sl_region_finish(&region);
}

static void emit_regions(struct emission *r)
{
    uint32_t count = r->g->split.barrier_count + 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < count; p++)
            if (r->inner[p].begin && !r->inner[p].done) {
                r->inner[p].done = more = true;
                emit_region(r, p);
            }
    }
}

static void start_chunk(struct emission *r)
{
    struct sl_group_function *g = r->g;
    for (uint32_t s = 0; s < g->split.slot_count; s++)
        if (r->before[s])
            LLVMBuildStore(g->e.builder, r->before[s], g->chunk[s]);
    LLVMBuildBr(g->e.builder, region_begin(r, r->number));
}

static void emit_chunks(struct emission *r)
{
    struct sl_group_function *g = r->g;
    g->facts->loop_passes = true;
    r->inner = sl_ir_alloc(g->split.barrier_count + 1, sizeof *r->inner);
    r->chunk_end = new_block(g, "chunk.end");
    sl_rows_open(g, &r->rows, g->chunk_size);
    LLVMBasicBlockRef start = LLVMGetInsertBlock(g->e.builder);
    LLVMPositionBuilderAtEnd(g->e.builder, r->chunk_end);
    r->chunk_next = LLVMBuildPhi(g->e.builder, g->e.i32, "chunk.next");
    LLVMPositionBuilderAtEnd(g->e.builder, start);
    start_chunk(r);
    emit_regions(r);
    LLVMPositionBuilderAtEnd(g->e.builder, r->chunk_end);
    sl_rows_close(g, &r->rows);
    LLVMBasicBlockRef *ways =
        branch(g, r->chunk_next, (LLVMValueRef *)r->ends.items, r->ends.count);
    for (size_t k = 0; k < r->ends.count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        LLVMBuildBr(g->e.builder, target(g, LLVMConstIntGetSExtValue(r->ends.items[k])));
    }
    free(ways);
    free(r->inner);
    sl_list_finish(&r->ends);
}

/* ---- the region ------------------------------------------------------------------------------ */

static void read_uniform(struct emission *r)
{
    struct sl_group_function *g = r->g;
    for (uint32_t s = 0; s < g->split.slot_count; s++)
        if (g->split.slots[s].uniform && !g->split.slots[s].inner && r->number &&
            sl_slot_is_live(&g->split, s, r->number))
            r->before[s] = LLVMBuildLoad2(g->e.builder, g->split.slots[s].type, g->home[s], "");
}

static void emit_both(struct emission *r)
{
    struct sl_group_function *g = r->g;
    LLVMBasicBlockRef chunks = new_block(g, "long.rows"), whole = new_block(g, "short.rows");
    LLVMValueRef is_long =
        LLVMBuildICmp(g->e.builder, LLVMIntUGE, g->size[0], sl_emit_i64(&g->e, SHORT_ROW), "");
    LLVMBuildCondBr(g->e.builder, is_long, chunks, whole);
    LLVMPositionBuilderAtEnd(g->e.builder, chunks);
    emit_chunks(r);
    LLVMPositionBuilderAtEnd(g->e.builder, whole);
    emit_whole(r);
}

void sl_region_emit(struct sl_group_function *g, uint32_t number)
{
    struct emission r = {.g = g, .number = number};
    r.before = sl_ir_alloc(g->split.slot_count, sizeof(*r.before));
    LLVMPositionBuilderAtEnd(g->e.builder, sl_region_begin(g, number));
    read_uniform(&r);
    r.vector = sl_vector_region_plan(g, number);
    bool chunks = g->chunk_size && !g->split.compacts && !g->leave;
    if (!r.vector && chunks && sl_region_has_inner_splits(&g->split, number))
        emit_both(&r);
    else
        emit_whole(&r);
    if (r.vector)
        sl_vector_region_free(r.vector);
    free(r.before);
}
