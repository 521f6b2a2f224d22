/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops that a piece in vector form runs in: full vectors or masked ones, only the items before
 * a guard's limit, parts of a row on either side of a split, several rows in step, packed items. No
 * shared state.
 */
#include "vector/piece.h"

#define MOST_TWICE 20  /* instructions that are there with and without a mask */
#define MOST_SPLIT 40  /* that are there for each side of a branch, and for both */
#define MOST_NARROW 40 /* that are there with many lanes and with few */
#define MANY_TIMES 8   /* as many lanes as there are floats in a register */

bool sl_vector_piece_is_short(const struct sl_vector_piece *p, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < p->v.plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->v.plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            count++;
    return count <= most;
}

static bool has_at_most(const struct sl_vector_piece *p, uint32_t most)
{
    return sl_vector_piece_is_short(p, most) && !p->v.plan.loop_count;
}

/* Masks cost next to nothing, but in loops of a few instructions; and a load does not wait for the
 * whole of an earlier store if that had no mask. */
static bool is_worth_two_loops(const struct sl_vector_piece *p)
{
    return has_at_most(p, MOST_TWICE);
}

void sl_vector_piece_emit_masked(struct sl_piece *piece, const struct sl_rows *rows)
{
    struct sl_vector_piece *p = sl_vector_piece_plan(piece->g, piece->number);
    sl_vector_piece_begin(p, piece);
    sl_lanes_emit(p->g, rows, p->v.lanes, sl_vector_piece_emit_lanes, p);
    sl_vector_piece_free(p);
}

/* Up to the end of the last vector that item `at` is not beyond. */
static LLVMValueRef vectors_to(struct sl_vector_piece *p, LLVMValueRef at, LLVMValueRef full)
{
    const struct sl_emit *e = &p->g->e;
    LLVMValueRef whole = sl_emit_i64(e, ~(uint64_t)(p->v.lanes - 1));
    return LLVMBuildAnd(e->builder, sl_emit_min(e, at, full, ""), whole, "");
}

/* A branch that parts rows, and the piece for items that take it one way, and the other way. */
struct split {
    struct sl_vector_clip at;
    struct sl_vector_piece *sides[2];
};

/* Behind barriers, where loops take the same steps for each group. Under a mask a branch that some
 * lanes take may have a form where one that all of them take has none. */
static bool find_split(struct sl_vector_piece *p, struct split *s)
{
    if (!p->number || p->is_clipped || !has_at_most(p, MOST_SPLIT) ||
        !sl_vector_find_split(&p->v, &s->at))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        struct sl_vector_decided side = {0};
        sl_vector_decide(&side, s->at.condition, s->at.runs_if == !k);
        s->sides[k] = sl_vector_piece_plan_decided(p->g, p->number, &side);
    }
    for (unsigned k = 0; k < 2; k++)
        if (!s->sides[k] && s->sides[1 - k])
            sl_vector_piece_free(s->sides[1 - k]);
    return s->sides[0] && s->sides[1];
}

/* The vectors that are all on one side of the split, the one that is on both, and the other side's.
 */
static void emit_split(struct sl_vector_piece *p, const struct split *s, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    struct sl_piece pieces[2];
    for (unsigned k = 0; k < 2; k++) {
        pieces[k] = (struct sl_piece){.g = g, .number = p->number, .before = p->piece->before};
        sl_vector_piece_begin(s->sides[k], &pieces[k]);
    }
    LLVMValueRef first, full = sl_rows_in_vectors(g, rows, p->v.lanes);
    LLVMValueRef count = sl_vector_clip_count(&p->v, &s->at, p->piece, rows, &first);
    LLVMValueRef up = LLVMBuildAdd(g->e.builder, count, sl_emit_i64(&g->e, p->v.lanes - 1), "");
    const struct sl_vector_part parts[] = {
        {p->v.lanes, vectors_to(p, count, full), sl_vector_piece_emit_lanes, s->sides[0],
         &pieces[0]},
        {p->v.lanes, vectors_to(p, up, full), sl_vector_piece_emit_lanes, p, p->piece},
        {p->v.lanes, full, sl_vector_piece_emit_lanes, s->sides[1], &pieces[1]}};
    sl_vector_emit_parts(p->piece, &p->outcome, rows, parts, 3);
    for (unsigned k = 0; k < 2; k++) {
        sl_piece_finish(&pieces[k]);
        sl_vector_piece_free(s->sides[k]);
    }
}

static bool is_masked(const struct sl_vector_piece *p)
{
    return p->v.target->mask_registers && !is_worth_two_loops(p);
}

static void emit_masked_unless_done(struct sl_vector_piece *p, const struct sl_rows *rows)
{
    LLVMBasicBlockRef end =
        sl_vector_enter_unless(p->g, rows->ahead, LLVMConstInt(p->g->e.i1, 1, false), "row");
    sl_lanes_emit(p->g, rows, p->v.lanes, sl_vector_piece_emit_lanes, p);
    sl_vector_outcome_note(&p->outcome, p->piece);
    sl_vector_leave_to(p->g, end);
    sl_vector_outcome_recall(&p->outcome, p->piece);
}

/* Vectors of many items leave over many, each of which would take as long in turn: vectors of a few
 * take these. */
static uint32_t narrow_lanes(const struct sl_vector_piece *p)
{
    return p->v.target->register_bits / 32;
}

static bool has_narrow_form(const struct sl_vector_piece *p, const struct sl_rows *rows)
{
    return !p->v.target->mask_registers && !rows->ahead &&
           p->v.lanes >= MANY_TIMES * narrow_lanes(p) && sl_vector_piece_is_short(p, MOST_NARROW);
}

static void emit_wide_and_narrow(struct sl_vector_piece *p, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    uint32_t wide = g->lanes, narrow = narrow_lanes(p);
    struct sl_piece piece = {.g = g, .number = p->number, .before = p->piece->before};
    g->lanes = narrow;
    struct sl_vector_piece *less = sl_vector_piece_plan_decided(g, p->number, &p->v.decided);
    g->lanes = wide;
    sl_vector_piece_begin(less, &piece);
    const struct sl_vector_part parts[] = {
        {wide, sl_rows_in_vectors(g, rows, wide), sl_vector_piece_emit_lanes, p, p->piece},
        {narrow, sl_rows_in_vectors(g, rows, narrow), sl_vector_piece_emit_lanes, less, &piece}};
    sl_vector_emit_parts(p->piece, &p->outcome, rows, parts, 2);
    sl_piece_finish(&piece);
    sl_vector_piece_free(less);
}

static void emit_rows(struct sl_vector_piece *p, const struct sl_rows *rows)
{
    struct split split;
    if (p->inner) {
        sl_vector_inner_emit(p, rows);
    } else if (is_masked(p) && rows->ahead) {
        emit_masked_unless_done(p, rows);
    } else if (is_masked(p)) {
        sl_lanes_emit(p->g, rows, p->v.lanes, sl_vector_piece_emit_lanes, p);
    } else if (!p->v.target->mask_registers && find_split(p, &split)) {
        emit_split(p, &split, rows);
    } else if (has_narrow_form(p, rows)) {
        emit_wide_and_narrow(p, rows);
    } else {
        struct sl_vector_part all = {p->v.lanes, sl_rows_in_vectors(p->g, rows, p->v.lanes),
                                     sl_vector_piece_emit_lanes, p, p->piece};
        sl_vector_emit_parts(p->piece, &p->outcome, rows, &all, 1);
    }
}

static void emit_clipped(struct sl_vector_piece *p, const struct sl_rows *rows)
{
    struct sl_group_function *g = p->g;
    struct sl_rows from, some;
    LLVMValueRef first, count = sl_vector_clip_count(&p->v, &p->clip, p->piece, rows, &first);
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, count, sl_emit_i64(&g->e, 0), "some");
    bool single = p->clip.limits[0].equal, late = single || p->clip.begins_late;
    if (late)
        sl_rows_rest(g, rows, first, &from);
    sl_rows_first(g, late ? &from : rows, count, &some);
    if (single)
        sl_lanes_emit(g, &some, p->v.lanes, sl_vector_piece_emit_lanes, p);
    else
        emit_rows(p, &some);
    sl_vector_leave_to(g, end);
    int32_t next = sl_vector_piece_way_to(&g->cut, p->clip.end);
    p->piece->next = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)next, true);
}

/* ---- several rows in step ------------------------------------------------------------------- */

static LLVMValueRef items_in_step(const struct sl_rows *rows, void *data)
{
    struct sl_vector_piece *p = data;
    struct sl_rows some = *rows;
    LLVMValueRef first;
    if (p->is_clipped)
        some.count = sl_vector_clip_count(&p->v, &p->clip, p->piece, rows, &first);
    return is_masked(p) ? some.count : sl_rows_in_vectors(p->g, &some, p->v.lanes);
}

static void emit_in_step(const struct sl_rows *rows, LLVMValueRef items, void *data)
{
    struct sl_vector_piece *p = data, *again = sl_vector_piece_plan(p->g, p->number);
    struct sl_piece piece = {.g = p->g, .number = p->number, .before = p->piece->before};
    struct sl_rows some;
    sl_vector_piece_begin(again, &piece);
    sl_rows_first(p->g, rows, items, &some);
    if (is_masked(p))
        sl_lanes_emit(p->g, &some, p->v.lanes, sl_vector_piece_emit_lanes, again);
    else
        sl_lanes_emit_full(p->g, &some, items, p->v.lanes, sl_vector_piece_emit_lanes, again);
    sl_vector_outcome_note(&p->outcome, &piece);
    for (uint32_t k = 0; k < piece.way_count; k++)
        sl_vector_add_way(p->piece, piece.ways[k].next);
    sl_piece_finish(&piece);
    sl_vector_piece_free(again);
}

static void look_for_rows_in_step(struct sl_vector_piece *p, struct sl_rows *rows)
{
    bool single = !rows->y.head ||
                  (p->is_clipped && (p->clip.limits[0].equal || p->clip.begins_late));
    struct sl_vector_in_step step = {.g = p->g,
                                     .count = single ? 1 : sl_vector_rows_in_step(&p->v),
                                     .differ = p->is_clipped,
                                     .items = items_in_step,
                                     .emit = emit_in_step,
                                     .data = p};
    if (step.count == 1)
        p->inner = sl_vector_inner_find(p);
    if (step.count > 1 || p->inner || !is_masked(p))
        sl_vector_outcome_open(&p->outcome, p->g);
    if (step.count > 1)
        sl_vector_emit_in_step(&step, rows);
}

void sl_vector_piece_emit_packed(struct sl_vector_piece *p, struct sl_piece *piece,
                                 const struct sl_rows *rows)
{
    sl_vector_piece_begin(p, piece);
    sl_lanes_emit(p->g, rows, p->v.lanes, sl_vector_piece_emit_lanes, p);
}

void sl_vector_piece_emit(struct sl_vector_piece *p, struct sl_piece *piece,
                          const struct sl_rows *all)
{
    struct sl_rows rows = *all;
    sl_vector_piece_begin(p, piece);
    look_for_rows_in_step(p, &rows);
    if (p->is_clipped)
        emit_clipped(p, &rows);
    else
        emit_rows(p, &rows);
}
