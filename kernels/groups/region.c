/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One region: what lies between a barrier (or the kernel's entry) and the next barriers, for all
 * items of the group. Without inner cuts that is one piece in loops over all items. With them, rows
 * go in chunks through pieces that lead to each other; rows too short for that take the first form.
 * No shared state.
 */
#include "groups/group_function.h"
#include "items/region_copy.h"
#include "vector/control_flow/guard_count.h"
#include "vector/control_flow/region_loops.h"
#include "vector/control_flow/remainder.h"

#include <stdlib.h>

#define SHORT_ROW 8 /* items; below this vectors do not pay */

struct region {
    struct sl_group_function *g;
    uint32_t number;
    LLVMValueRef *before; /* per uniform slot that crosses barriers: value at the region's start */
    struct sl_rows rows;
    struct sl_vector_region *vector; /* owned; NULL: item by item */
    struct sl_region_entry *pieces;  /* chunked: begin blocks of pieces of this region */
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

static LLVMBasicBlockRef *branch_from_piece(struct sl_region *piece)
{
    struct sl_group_function *g = piece->g;
    LLVMValueRef *values = sl_ir_alloc(piece->way_count, sizeof(*values));
    for (uint32_t k = 0; k < piece->way_count; k++)
        values[k] = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)piece->ways[k].next, true);
    LLVMBasicBlockRef *ways = branch(g, piece->next, values, piece->way_count);
    free(values);
    return ways;
}

/* Uniform values that are wanted behind divider `next` go to where its piece or region finds them.
 */
static void keep_uniform(struct sl_region *piece, int32_t next)
{
    struct sl_group_function *g = piece->g;
    const struct sl_split *cut = &g->split;
    bool leaves = next > 0 && !cut->barriers[next - 1].inner;
    for (uint32_t s = 0; s < cut->slot_count && next > 0; s++) {
        if (!cut->slots[s].uniform || !sl_slot_is_live(cut, s, next))
            continue;
        LLVMValueRef value = piece->after[s];
        if (!value && leaves && piece->chunked)
            value = LLVMBuildLoad2(g->e.builder, cut->slots[s].type, g->chunk[s], "");
        if (value)
            LLVMBuildStore(g->e.builder, value, leaves ? g->home[s] : g->chunk[s]);
    }
}

/* ---- whole rows ------------------------------------------------------------------------------ */

/* The divider that packs. */
static uint32_t packing_divider(const struct sl_split *cut)
{
    uint32_t d = 0;
    while (!cut->barriers[d].compacts)
        d++;
    return d;
}

/* A chunk's items that were packed: as if they were a row. */
static void emit_packed(struct region *r, LLVMValueRef count)
{
    struct sl_group_function *g = r->g;
    struct sl_region piece = {
        .g = g, .number = packing_divider(&g->split) + 1, .before = r->before};
    struct sl_rows rows = {.start = sl_emit_i64(&g->e, 0), .is_rest = true};
    rows.first = rows.row = rows.start;
    rows.count = LLVMBuildZExt(g->e.builder, count, g->e.i64, "");
    struct sl_vector_region *vector = sl_vector_region_plan(g, piece.number);
    if (vector) {
        sl_vector_region_emit_compacted(vector, &piece, &rows);
        sl_vector_region_free(vector);
    } else {
        sl_region_emit_copy(&piece, &rows);
    }
    sl_region_finish(&piece);
}

static void emit_row_with_packing(struct region *r, struct sl_region *piece)
{
    struct sl_group_function *g = r->g;
    struct sl_rows rows = r->rows;
    LLVMValueRef none = sl_emit_i32(&g->e, 0);
    rows.y.head = NULL; /* no rows in step */
    g->compacted.first = rows.first;
    LLVMBuildStore(g->e.builder, none, g->compacted.count);
    if (r->vector)
        sl_vector_region_emit(r->vector, piece, &rows);
    else
        sl_region_emit_copy(piece, &rows);
    LLVMValueRef count = LLVMBuildLoad2(g->e.builder, g->e.i32, g->compacted.count, "");
    LLVMBasicBlockRef run = new_block(g, "packed"), end = new_block(g, "unpacked");
    LLVMBuildCondBr(g->e.builder, LLVMBuildICmp(g->e.builder, LLVMIntEQ, count, none, ""), end,
                    run);
    LLVMPositionBuilderAtEnd(g->e.builder, run);
    emit_packed(r, count);
    LLVMBuildBr(g->e.builder, end);
    LLVMPositionBuilderAtEnd(g->e.builder, end);
}

/* Rows without the items that left; where none is in any row, the group is done. */
static void emit_who_stays(struct region *r, struct sl_region *piece)
{
    struct sl_group_function *g = r->g;
    struct sl_vector_outcome outcome;
    struct sl_rows some;
    sl_vector_outcome_open(&outcome, g);
    LLVMBuildStore(g->e.builder, sl_emit_i32(&g->e, UINT32_MAX), outcome.next);
    sl_vector_add_way(piece, -1);
    sl_rows_open(g, &r->rows, 0);
    LLVMValueRef count = sl_vector_stay_count(g, &r->rows);
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, count, sl_emit_i64(&g->e, 0), "stay");
    sl_rows_first(g, &r->rows, count, &some);
    some.y.head = NULL; /* rows differ */
    if (r->vector)
        sl_vector_region_emit(r->vector, piece, &some);
    else
        sl_region_emit_copy(piece, &some);
    g->facts->loop_passes |= !r->vector;
    sl_vector_outcome_note(&outcome, piece);
    sl_vector_leave_to(g, end);
    sl_rows_close(g, &r->rows);
    sl_vector_outcome_recall(&outcome, piece);
    free(outcome.after);
}

static void emit_rows(struct region *r, struct sl_region *piece)
{
    struct sl_group_function *g = r->g;
    if (g->leave) {
        emit_who_stays(r, piece);
        return;
    }
    sl_rows_open(g, &r->rows, g->split.compacts ? g->chunk_size : 0);
    if (g->split.compacts) {
        emit_row_with_packing(r, piece);
    } else if (r->vector) {
        sl_vector_region_emit(r->vector, piece, &r->rows);
    } else {
        sl_region_emit_copy(piece, &r->rows);
        g->facts->loop_passes |= !g->facts->only_moves_packets;
    }
    sl_rows_close(g, &r->rows);
}

static void emit_whole(struct region *r)
{
    struct sl_group_function *g = r->g;
    struct sl_region piece = {.g = g, .number = r->number, .before = r->before};
    if (r->vector && !g->leave && sl_vector_region_is_one(r->vector))
        sl_vector_region_emit_once(r->vector, &piece);
    else
        emit_rows(r, &piece);
    LLVMBasicBlockRef *ways = branch_from_piece(&piece);
    for (uint32_t k = 0; k < piece.way_count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        keep_uniform(&piece, piece.ways[k].next);
        LLVMBuildBr(g->e.builder, target(g, piece.ways[k].next));
    }
    free(ways);
    sl_region_finish(&piece);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static LLVMBasicBlockRef piece_begin(struct region *r, uint32_t number)
{
    if (!r->pieces[number].begin)
        r->pieces[number].begin = new_block(r->g, "piece");
    return r->pieces[number].begin;
}

static void end_chunk(struct region *r, int32_t next)
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

static void go_on(struct region *r, int32_t next)
{
    if (next > 0 && r->g->split.barriers[next - 1].inner)
        LLVMBuildBr(r->g->e.builder, piece_begin(r, next));
    else
        end_chunk(r, next);
}

static void emit_piece(struct region *r, uint32_t number)
{
    struct sl_group_function *g = r->g;
    const struct sl_split *cut = &g->split;
    struct sl_region piece = {.g = g, .number = number, .chunked = true};
    piece.before = sl_ir_alloc(cut->slot_count, sizeof(*piece.before));
    LLVMPositionBuilderAtEnd(g->e.builder, piece_begin(r, number));
    for (uint32_t s = 0; s < cut->slot_count; s++)
        if (cut->slots[s].uniform && number && sl_slot_is_live(cut, s, number))
            piece.before[s] = LLVMBuildLoad2(g->e.builder, cut->slots[s].type, g->chunk[s], "");
    sl_region_emit_copy(&piece, &r->rows);
    LLVMBasicBlockRef *ways = branch_from_piece(&piece);
    for (uint32_t k = 0; k < piece.way_count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        keep_uniform(&piece, piece.ways[k].next);
        go_on(r, piece.ways[k].next);
    }
    free(ways);
    free(piece.before);
    sl_region_finish(&piece);
}

static void emit_pieces(struct region *r)
{
    uint32_t count = r->g->split.barrier_count + 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < count; p++)
            if (r->pieces[p].begin && !r->pieces[p].done) {
                r->pieces[p].done = more = true;
                emit_piece(r, p);
            }
    }
}

static void start_chunk(struct region *r)
{
    struct sl_group_function *g = r->g;
    for (uint32_t s = 0; s < g->split.slot_count; s++)
        if (r->before[s])
            LLVMBuildStore(g->e.builder, r->before[s], g->chunk[s]);
    LLVMBuildBr(g->e.builder, piece_begin(r, r->number));
}

static void emit_chunks(struct region *r)
{
    struct sl_group_function *g = r->g;
    g->facts->loop_passes = true;
    r->pieces = sl_ir_alloc(g->split.barrier_count + 1, sizeof *r->pieces);
    r->chunk_end = new_block(g, "chunk.end");
    sl_rows_open(g, &r->rows, g->chunk_size);
    LLVMBasicBlockRef start = LLVMGetInsertBlock(g->e.builder);
    LLVMPositionBuilderAtEnd(g->e.builder, r->chunk_end);
    r->chunk_next = LLVMBuildPhi(g->e.builder, g->e.i32, "chunk.next");
    LLVMPositionBuilderAtEnd(g->e.builder, start);
    start_chunk(r);
    emit_pieces(r);
    LLVMPositionBuilderAtEnd(g->e.builder, r->chunk_end);
    sl_rows_close(g, &r->rows);
    LLVMBasicBlockRef *ways =
        branch(g, r->chunk_next, (LLVMValueRef *)r->ends.items, r->ends.count);
    for (size_t k = 0; k < r->ends.count; k++) {
        LLVMPositionBuilderAtEnd(g->e.builder, ways[k]);
        LLVMBuildBr(g->e.builder, target(g, LLVMConstIntGetSExtValue(r->ends.items[k])));
    }
    free(ways);
    free(r->pieces);
    sl_list_finish(&r->ends);
}

/* ---- the region ------------------------------------------------------------------------------ */

static void read_uniform(struct region *r)
{
    struct sl_group_function *g = r->g;
    for (uint32_t s = 0; s < g->split.slot_count; s++)
        if (g->split.slots[s].uniform && !g->split.slots[s].inner && r->number &&
            sl_slot_is_live(&g->split, s, r->number))
            r->before[s] = LLVMBuildLoad2(g->e.builder, g->split.slots[s].type, g->home[s], "");
}

static void emit_both(struct region *r)
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
    struct region r = {.g = g, .number = number};
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
