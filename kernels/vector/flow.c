/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control flow of the vector form. A scope is the piece, or a loop that all active lanes leave
 * together; in it, blocks that all of the scope's lanes reach keep their branches ("real"), and
 * what lies between a divergent branch and the place where lanes meet again is a chain: its blocks
 * run one behind the other, each for the lanes whose edges lead to it. Loops inside a chain are
 * units of it, skipped when no lane wants them.
 *
 * No shared state.
 */
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

#define GUARD_COST 12 /* instructions from which on asking whether any lane wants them pays */

struct scope {
    uint32_t loop; /* number; 0: the whole piece */
    LLVMValueRef mask;
    uint64_t *masked;          /* owned */
    LLVMBasicBlockRef landing; /* loop: where real edges out of it go */
};

struct flow {
    struct sl_vector *v;
    struct scope *scope;
    sl_vector_leave_fn leave;
    void *data;
    LLVMBasicBlockRef *begin; /* per real block */
    bool *done;
    bool *kept; /* per block: a loop around it wants its values in variables */
};

static LLVMBuilderRef builder(struct flow *f)
{
    return f->v->g->e.builder;
}

static LLVMBasicBlockRef new_block(struct flow *f, const char *name)
{
    return LLVMAppendBasicBlockInContext(f->v->g->e.context, f->v->g->function, name);
}

static struct sl_vector_block *block_of(struct flow *f, uint32_t b)
{
    return &f->v->plan.blocks[b];
}

static bool in_scope(struct flow *f, uint32_t b)
{
    return b < f->v->plan.count &&
           (!f->scope->loop || sl_vector_loop_has(&f->v->plan, f->scope->loop, b));
}

static bool is_masked(struct flow *f, uint32_t b)
{
    return sl_bits_has(f->scope->masked, b);
}

/* ---- masks of edges ------------------------------------------------------------------------- */

static LLVMTypeRef mask_type(struct flow *f)
{
    return sl_vector_wide_type(f->v, f->v->g->e.i1);
}

static LLVMValueRef mask_cell(struct flow *f)
{
    struct sl_vector *v = f->v;
    return sl_emit_entry_alloca(&v->g->e, v->g->function, mask_type(f), 0, "lanes");
}

static void clear_mask(struct flow *f, LLVMValueRef cell)
{
    LLVMBuildStore(builder(f), LLVMConstNull(mask_type(f)), cell);
}

static LLVMValueRef load_mask(struct flow *f, LLVMValueRef cell)
{
    return LLVMBuildLoad2(builder(f), mask_type(f), cell, "");
}

static void open_edge(struct flow *f, uint32_t e)
{
    struct sl_vector_edge *edge = &f->v->plan.edges[e];
    edge->mask = mask_cell(f);
    clear_mask(f, edge->mask);
}

static LLVMValueRef both(struct flow *f, LLVMValueRef a, LLVMValueRef b)
{
    /* Not "and": a lane that does not run may have computed poison. */
    return LLVMBuildSelect(builder(f), a, b, LLVMConstNull(mask_type(f)), "");
}

/* Lanes that come by any of these edges; NULL: none has a mask. */
static LLVMValueRef arriving(struct flow *f, const uint32_t *edges, uint32_t count)
{
    LLVMValueRef all = NULL;
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef cell = f->v->plan.edges[edges[k]].mask;
        if (!cell)
            continue;
        LLVMValueRef one = load_mask(f, cell);
        all = all ? LLVMBuildOr(builder(f), all, one, "") : one;
    }
    return all;
}

static LLVMValueRef condition(struct flow *f, LLVMValueRef value)
{
    return sl_vector_part(f->v, value, 0);
}

static void set_switch_masks(struct flow *f, uint32_t b, LLVMValueRef mask)
{
    struct sl_vector *v = f->v;
    const struct sl_vector_block *block = block_of(f, b);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref), rest = mask;
    LLVMValueRef on = sl_vector_part(v, LLVMGetOperand(end, 0), 0);
    for (uint32_t s = 1; s < block->out_count; s++) {
        LLVMValueRef is = sl_vector_splat(v, LLVMGetSwitchCaseValue(end, s));
        LLVMValueRef hit = LLVMBuildICmp(builder(f), LLVMIntEQ, on, is, "");
        LLVMValueRef taken = both(f, mask, hit);
        LLVMBuildStore(builder(f), taken, v->plan.edges[block->out[s]].mask);
        rest = both(f, rest, LLVMBuildNot(builder(f), taken, ""));
    }
    LLVMBuildStore(builder(f), rest, v->plan.edges[block->out[0]].mask);
}

/* From the lanes at the end of a block to those of its edges. */
static void set_edge_masks(struct flow *f, uint32_t b, LLVMValueRef mask)
{
    const struct sl_vector_block *block = block_of(f, b);
    const struct sl_vector_edge *edges = f->v->plan.edges;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    if (block->out_count == 1) {
        LLVMBuildStore(builder(f), mask, edges[block->out[0]].mask);
        return;
    }
    if (LLVMGetInstructionOpcode(end) == LLVMSwitch) {
        set_switch_masks(f, b, mask);
        return;
    }
    LLVMValueRef on = condition(f, LLVMGetCondition(end));
    LLVMBuildStore(builder(f), both(f, mask, on), edges[block->out[0]].mask);
    LLVMValueRef off = LLVMBuildNot(builder(f), on, "");
    LLVMBuildStore(builder(f), both(f, mask, off), edges[block->out[1]].mask);
}

/* ---- phis ----------------------------------------------------------------------------------- */

/* What the phi is given along an edge; an edge that the kernel's block has twice gives it twice. */
static LLVMValueRef given(struct flow *f, LLVMValueRef phi, uint32_t edge)
{
    LLVMBasicBlockRef from = block_of(f, f->v->plan.edges[edge].from)->ref;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from)
            return LLVMGetIncomingValue(phi, k);
    return LLVMGetPoison(LLVMTypeOf(phi));
}

static LLVMValueRef blend(struct flow *f, LLVMValueRef phi, uint32_t part, const uint32_t *edges,
                          uint32_t count)
{
    LLVMValueRef now = sl_vector_part(f->v, given(f, phi, edges[0]), part);
    for (uint32_t k = 1; k < count; k++) {
        LLVMValueRef other = sl_vector_part(f->v, given(f, phi, edges[k]), part);
        LLVMValueRef mask = load_mask(f, f->v->plan.edges[edges[k]].mask);
        now = LLVMBuildSelect(builder(f), mask, other, now, "");
    }
    return now;
}

/* Lanes that are on their way agree on the value, but which edge they come by decides which it is.
 */
static LLVMValueRef choose(struct flow *f, LLVMValueRef phi, const uint32_t *edges, uint32_t count)
{
    LLVMValueRef first = given(f, phi, edges[0]), now = sl_vector_scalar(f->v, first);
    for (uint32_t k = 1; k < count; k++) {
        LLVMValueRef value = given(f, phi, edges[k]);
        if (value == first)
            continue;
        LLVMValueRef mask = load_mask(f, f->v->plan.edges[edges[k]].mask);
        LLVMValueRef taken = sl_vector_any(f->v, mask);
        now = LLVMBuildSelect(builder(f), taken, sl_vector_scalar(f->v, value), now, "");
    }
    return now;
}

static bool is_vector(struct flow *f, LLVMValueRef value)
{
    return sl_vector_shape(f->v, value).kind == SL_SHAPE_VARYING;
}

static void set_phis_of_chain(struct flow *f, uint32_t b)
{
    const struct sl_vector_block *block = block_of(f, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (!is_vector(f, i)) {
            sl_vector_set_scalar(f->v, i, choose(f, i, block->in, block->in_count));
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(i)); k++)
            sl_vector_set_part(f->v, i, k, blend(f, i, k, block->in, block->in_count));
    }
}

/* A real block and its phis, still without entries. */
static void open_real(struct flow *f, uint32_t b)
{
    if (f->begin[b])
        return;
    LLVMBasicBlockRef back = LLVMGetInsertBlock(builder(f));
    f->begin[b] = new_block(f, "real");
    LLVMPositionBuilderAtEnd(builder(f), f->begin[b]);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        LLVMTypeRef type = LLVMTypeOf(i);
        if (!is_vector(f, i)) {
            sl_vector_set_scalar(f->v, i, LLVMBuildPhi(builder(f), type, ""));
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_part_count(type); k++) {
            LLVMTypeRef wide = sl_vector_wide_type(f->v, sl_vector_part_type(type, k));
            sl_vector_set_part(f->v, i, k, LLVMBuildPhi(builder(f), wide, ""));
        }
    }
    LLVMPositionBuilderAtEnd(builder(f), back);
}

/* Goes to a real block, by one edge or with lanes from several. */
static void arrive(struct flow *f, uint32_t b, const uint32_t *edges, uint32_t count)
{
    open_real(f, b);
    struct sl_vector *v = f->v;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        struct sl_vector_value *phi = sl_vector_value(v, i);
        if (!is_vector(f, i)) {
            LLVMValueRef now = choose(f, i, edges, count);
            LLVMBasicBlockRef from = LLVMGetInsertBlock(builder(f));
            LLVMAddIncoming(phi->scalar, &now, &from, 1);
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(i)); k++) {
            LLVMValueRef now = blend(f, i, k, edges, count);
            LLVMBasicBlockRef from = LLVMGetInsertBlock(builder(f));
            LLVMAddIncoming(phi->parts[k], &now, &from, 1);
        }
    }
    bool back = f->done[b];
    LLVMValueRef jump = LLVMBuildBr(builder(f), f->begin[b]);
    if (back)
        sl_loop_is_done(v->g, jump);
}

/* ---- values for later ----------------------------------------------------------------------- */

static bool used_outside(LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user))
            return true;
    }
    return false;
}

static bool used_outside_loop(struct flow *f, LLVMValueRef value, uint32_t loop)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef parent = LLVMGetInstructionParent(LLVMGetUser(u));
        if (!sl_vector_loop_has(&f->v->plan, loop, sl_vector_number(&f->v->plan, parent)))
            return true;
    }
    return false;
}

static bool has_value(struct flow *f, LLVMValueRef i)
{
    const struct sl_vector_value *known = sl_vector_value(f->v, i);
    return known && (known->scalar || known->parts || known->in_cells) &&
           LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

typedef void (*value_fn)(struct flow *, LLVMValueRef value);

static void each_live_out(struct flow *f, uint32_t loop, value_fn visit)
{
    for (uint32_t b = 0; b < f->v->plan.count; b++) {
        if (!sl_vector_loop_has(&f->v->plan, loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && used_outside_loop(f, i, loop))
                visit(f, i);
    }
}

static void store_kept(struct flow *f, uint32_t b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i && f->kept[b];
         i = LLVMGetNextInstruction(i)) {
        const struct sl_vector_value *known = sl_vector_value(f->v, i);
        if (known && known->cells && !known->in_cells && has_value(f, i))
            sl_vector_store_cells(f->v, i);
    }
}

/* ---- chains --------------------------------------------------------------------------------- */

/* A place that the program said it never comes to, without a trap that ends it before. */
static bool is_dead_end(struct flow *f, uint32_t b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block_of(f, b)->ref);
    LLVMValueRef last = LLVMGetPreviousInstruction(end);
    bool trapped = last && LLVMIsACallInst(last) && !LLVMIsAFunction(LLVMGetCalledValue(last));
    return LLVMGetInstructionOpcode(end) == LLVMUnreachable && !trapped;
}

static void emit_code(struct flow *f, uint32_t b, LLVMValueRef mask)
{
    struct sl_vector *v = f->v;
    v->block = b;
    v->mask = mask;
    f->done[b] = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i))
            sl_vector_emit_instruction(v, i);
    if (is_dead_end(f, b))
        sl_emit_trap(&v->g->e, v->g->launch, SL_TEXT_DEAD_END);
    store_kept(f, b);
}

static bool wants_guard(struct flow *f, uint32_t b)
{
    uint32_t cost = is_dead_end(f, b) ? GUARD_COST : 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i))
            continue;
        cost += sl_vector_part_count(LLVMTypeOf(i));
        if (sl_vector_needs_lanes(f->v, i))
            return true;
    }
    return cost >= GUARD_COST;
}

static void keep_for_later(struct flow *f, uint32_t b)
{
    LLVMBasicBlockRef ref = block_of(f, b)->ref;
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        if (!has_value(f, i) || !used_outside(i, ref))
            continue;
        if (!sl_vector_value(f->v, i)->cells)
            sl_vector_make_cells(f->v, i, false);
        sl_vector_store_cells(f->v, i);
        sl_vector_value(f->v, i)->in_cells = true;
    }
}

/* One block for some lanes. Its phis are set, or it is the header of the loop that runs. */
static void emit_masked(struct flow *f, uint32_t b, LLVMValueRef mask)
{
    bool guard = wants_guard(f, b);
    LLVMBasicBlockRef then = NULL;
    f->v->block = b;
    if (guard) {
        LLVMBasicBlockRef run = new_block(f, "some");
        then = new_block(f, "skip");
        LLVMBuildCondBr(builder(f), sl_vector_any(f->v, mask), run, then);
        LLVMPositionBuilderAtEnd(builder(f), run);
    }
    emit_code(f, b, mask);
    set_edge_masks(f, b, mask);
    if (!guard)
        return;
    keep_for_later(f, b);
    LLVMBuildBr(builder(f), then);
    LLVMPositionBuilderAtEnd(builder(f), then);
}

static void emit_loop(struct flow *f, uint32_t loop);

static uint32_t loop_headed_by(struct flow *f, uint32_t b)
{
    uint32_t loop = block_of(f, b)->loop;
    return loop && f->v->plan.loops[loop - 1].header == b ? loop : 0;
}

static void emit_in_chain(struct flow *f, uint32_t b, uint32_t around)
{
    uint32_t loop = loop_headed_by(f, b);
    if (f->done[b])
        return;
    if (loop && loop != around) {
        emit_loop(f, loop);
        return;
    }
    LLVMValueRef mask = arriving(f, block_of(f, b)->in, block_of(f, b)->in_count);
    f->v->block = b;
    set_phis_of_chain(f, b);
    emit_masked(f, b, mask);
}

/* ---- loops as units of a chain -------------------------------------------------------------- */

struct unit {
    uint32_t loop, header;
    LLVMValueRef *outer; /* per edge of the plan that leaves: lanes that have left by it */
    uint32_t *entries, *backs, entry_count, back_count;
    LLVMBasicBlockRef skip;
};

static bool leaves(struct flow *f, const struct sl_vector_edge *edge, uint32_t loop)
{
    return sl_vector_loop_has(&f->v->plan, loop, edge->from) &&
           !sl_vector_loop_has(&f->v->plan, loop, edge->to);
}

static void open_unit(struct flow *f, struct unit *u, uint32_t loop)
{
    struct sl_vector_plan *plan = &f->v->plan;
    *u = (struct unit){.loop = loop, .header = plan->loops[loop - 1].header};
    const struct sl_vector_block *header = &plan->blocks[u->header];
    u->outer = sl_ir_alloc(plan->edge_count, sizeof(*u->outer));
    u->entries = sl_ir_alloc(header->in_count, sizeof *u->entries);
    u->backs = sl_ir_alloc(header->in_count, sizeof *u->backs);
    for (uint32_t k = 0; k < header->in_count; k++) {
        uint32_t e = header->in[k];
        if (sl_vector_loop_has(plan, loop, plan->edges[e].from))
            u->backs[u->back_count++] = e;
        else
            u->entries[u->entry_count++] = e;
    }
    for (uint32_t e = 0; e < plan->edge_count; e++)
        if (leaves(f, &plan->edges[e], loop)) {
            u->outer[e] = mask_cell(f);
            clear_mask(f, u->outer[e]);
        }
}

static void close_unit(struct flow *f, struct unit *u)
{
    for (uint32_t e = 0; e < f->v->plan.edge_count; e++)
        if (u->outer[e])
            f->v->plan.edges[e].mask = u->outer[e];
    free(u->outer);
    free(u->entries);
    free(u->backs);
}

static void enter_unit(struct flow *f, struct unit *u, LLVMValueRef mask)
{
    LLVMBasicBlockRef run = new_block(f, "loop.enter");
    u->skip = new_block(f, "loop.skip");
    LLVMBuildCondBr(builder(f), sl_vector_any(f->v, mask), run, u->skip);
    LLVMPositionBuilderAtEnd(builder(f), run);
}

/* The header's phis live in variables: cells[n][part] of the n-th one. */
struct loop_phi {
    LLVMValueRef phi;
    LLVMValueRef *cells, *next;
    uint32_t count;
    bool wide;
};

static struct loop_phi *open_loop_phis(struct flow *f, struct unit *u, uint32_t *count)
{
    struct loop_phi *phis = NULL;
    *count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, u->header)->ref);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        phis = sl_ir_resize(phis, *count + 1, sizeof *phis);
        struct loop_phi *p = &phis[(*count)++];
        LLVMTypeRef type = LLVMTypeOf(i);
        *p = (struct loop_phi){.phi = i, .wide = is_vector(f, i)};
        p->count = p->wide ? sl_vector_part_count(type) : 1;
        p->cells = sl_ir_alloc(p->count, sizeof(*p->cells));
        p->next = sl_ir_alloc(p->count, sizeof(*p->next));
        for (uint32_t k = 0; k < p->count; k++) {
            LLVMTypeRef t =
                p->wide ? sl_vector_wide_type(f->v, sl_vector_part_type(type, k)) : type;
            p->cells[k] = sl_emit_entry_alloca(&f->v->g->e, f->v->g->function, t, 0, "phi");
        }
    }
    return phis;
}

static void give_loop_phis(struct flow *f, struct loop_phi *phis, uint32_t count,
                           const uint32_t *edges, uint32_t edge_count)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++)
            phis[n].next[k] = phis[n].wide ? blend(f, phis[n].phi, k, edges, edge_count)
                                           : choose(f, phis[n].phi, edges, edge_count);
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++)
            LLVMBuildStore(builder(f), phis[n].next[k], phis[n].cells[k]);
}

static void take_loop_phis(struct flow *f, struct loop_phi *phis, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++) {
            LLVMTypeRef type = LLVMGetAllocatedType(phis[n].cells[k]);
            LLVMValueRef now = LLVMBuildLoad2(builder(f), type, phis[n].cells[k], "");
            if (phis[n].wide)
                sl_vector_set_part(f->v, phis[n].phi, k, now);
            else
                sl_vector_set_scalar(f->v, phis[n].phi, now);
        }
}

static void free_loop_phis(struct loop_phi *phis, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        free(phis[n].cells);
        free(phis[n].next);
    }
    free(phis);
}

/* Lanes leave at different times: what they take along is kept lane by lane. */
struct live_out {
    LLVMValueRef value;
    LLVMValueRef *cells;
    LLVMTypeRef *types;
};

static struct live_out *find_live_outs(struct flow *f, uint32_t loop, uint32_t *count)
{
    struct live_out *all = NULL;
    *count = 0;
    for (uint32_t b = 0; b < f->v->plan.count; b++) {
        if (!sl_vector_loop_has(&f->v->plan, loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block_of(f, b)->ref); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMTypeOf(i);
            if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || !used_outside_loop(f, i, loop))
                continue;
            uint32_t parts = sl_vector_part_count(type);
            all = sl_ir_resize(all, *count + 1, sizeof *all);
            struct live_out *o = &all[(*count)++];
            *o = (struct live_out){.value = i,
                                   .cells = sl_ir_alloc(parts, sizeof(*o->cells)),
                                   .types = sl_ir_alloc(parts, sizeof(*o->types))};
            for (uint32_t k = 0; k < parts; k++) {
                o->types[k] = sl_vector_wide_type(f->v, sl_vector_part_type(type, k));
                o->cells[k] =
                    sl_emit_entry_alloca(&f->v->g->e, f->v->g->function, o->types[k], 0, "out");
            }
        }
    }
    return all;
}

static void take_along(struct flow *f, struct live_out *outs, uint32_t count, LLVMValueRef gone)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(outs[n].value)); k++) {
            LLVMValueRef now = sl_vector_part(f->v, outs[n].value, k);
            LLVMValueRef old = LLVMBuildLoad2(builder(f), outs[n].types[k], outs[n].cells[k], "");
            LLVMBuildStore(builder(f), LLVMBuildSelect(builder(f), gone, now, old, ""),
                           outs[n].cells[k]);
        }
}

static void hand_over(struct flow *f, struct live_out *outs, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        struct sl_vector_value *known = sl_vector_value(f->v, outs[n].value);
        free(known->cells);
        free(known->cell_types);
        known->cells = outs[n].cells;
        known->cell_types = outs[n].types;
        known->cell_scalar = false;
        known->in_cells = true;
    }
    free(outs);
}

static LLVMValueRef note_exits(struct flow *f, struct unit *u)
{
    LLVMValueRef gone = LLVMConstNull(mask_type(f));
    for (uint32_t e = 0; e < f->v->plan.edge_count; e++) {
        if (!u->outer[e])
            continue;
        LLVMValueRef now = load_mask(f, f->v->plan.edges[e].mask);
        LLVMValueRef before = load_mask(f, u->outer[e]);
        LLVMBuildStore(builder(f), LLVMBuildOr(builder(f), before, now, ""), u->outer[e]);
        gone = LLVMBuildOr(builder(f), gone, now, "");
    }
    return gone;
}

static void emit_divergent_loop(struct flow *f, struct unit *u, LLVMValueRef mask)
{
    struct sl_vector_plan *plan = &f->v->plan;
    uint32_t phi_count, out_count;
    struct loop_phi *phis = open_loop_phis(f, u, &phi_count);
    struct live_out *outs = find_live_outs(f, u->loop, &out_count);
    LLVMValueRef live = mask_cell(f);
    LLVMBuildStore(builder(f), mask, live);
    give_loop_phis(f, phis, phi_count, u->entries, u->entry_count);
    LLVMBasicBlockRef head = new_block(f, "loop.some");
    LLVMBuildBr(builder(f), head);
    LLVMPositionBuilderAtEnd(builder(f), head);
    for (uint32_t e = 0; e < plan->edge_count; e++)
        if (sl_vector_loop_has(plan, u->loop, plan->edges[e].from))
            open_edge(f, e);
    take_loop_phis(f, phis, phi_count);
    emit_masked(f, u->header, load_mask(f, live));
    for (uint32_t b = 0; b < plan->count; b++)
        if (sl_vector_loop_has(plan, u->loop, b))
            emit_in_chain(f, b, u->loop);
    f->v->block = u->header;
    LLVMValueRef gone = note_exits(f, u);
    take_along(f, outs, out_count, gone);
    LLVMValueRef stay = arriving(f, u->backs, u->back_count);
    give_loop_phis(f, phis, phi_count, u->backs, u->back_count);
    LLVMBuildStore(builder(f), stay, live);
    LLVMValueRef again = LLVMBuildCondBr(builder(f), sl_vector_any(f->v, stay), head, u->skip);
    sl_loop_is_done(f->v->g, again);
    hand_over(f, outs, out_count);
    free_loop_phis(phis, phi_count);
}

static void emit_scope(struct flow *f, struct scope *scope);

static void keep_from_start(struct flow *f, LLVMValueRef value)
{
    f->kept[sl_vector_value(f->v, value)->block] = true;
    if (!sl_vector_value(f->v, value)->cells)
        sl_vector_make_cells(f->v, value, false);
}

static void read_from_cells(struct flow *f, LLVMValueRef value)
{
    sl_vector_value(f->v, value)->in_cells = true;
}

static void emit_common_loop(struct flow *f, struct unit *u, LLVMValueRef mask)
{
    struct scope inner = {.loop = u->loop, .mask = mask, .landing = u->skip};
    struct scope *outer = f->scope;
    each_live_out(f, u->loop, keep_from_start);
    for (uint32_t e = 0; e < f->v->plan.edge_count; e++)
        if (u->outer[e])
            f->v->plan.edges[e].mask = u->outer[e];
    f->scope = &inner;
    f->v->block = u->header;
    arrive(f, u->header, u->entries, u->entry_count);
    emit_scope(f, &inner);
    f->scope = outer;
    each_live_out(f, u->loop, read_from_cells);
}

static void emit_loop(struct flow *f, uint32_t loop)
{
    struct unit u;
    open_unit(f, &u, loop);
    f->v->block = u.header;
    LLVMValueRef mask = arriving(f, u.entries, u.entry_count);
    enter_unit(f, &u, mask);
    if (f->v->plan.loops[loop - 1].divergent)
        emit_divergent_loop(f, &u, mask);
    else
        emit_common_loop(f, &u, mask);
    close_unit(f, &u);
    LLVMPositionBuilderAtEnd(builder(f), u.skip);
}

/* ---- from a real block on ------------------------------------------------------------------- */

/* Masked blocks that are reached from here through masked blocks; where they lead, once. */
static void collect_chain(struct flow *f, uint32_t from, bool *chain)
{
    const struct sl_vector_block *block = block_of(f, from);
    for (uint32_t k = 0; k < block->out_count; k++) {
        uint32_t to = f->v->plan.edges[block->out[k]].to;
        if (!in_scope(f, to) || !is_masked(f, to) || chain[to])
            continue;
        chain[to] = true;
        collect_chain(f, to, chain);
    }
}

/* Where lanes meet again; the plan's count: at the end. */
static uint32_t chain_target(struct flow *f, const bool *chain, uint32_t root)
{
    struct sl_vector_plan *plan = &f->v->plan;
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside = chain[edge->from] || (edge->from == root && block_of(f, root)->divergent);
        if (inside && !(edge->to < plan->count && chain[edge->to]))
            return edge->to;
    }
    return plan->count;
}

static void end_chain(struct flow *f, const bool *chain, uint32_t root)
{
    struct sl_vector_plan *plan = &f->v->plan;
    uint32_t target = chain_target(f, chain, root), count = 0;
    uint32_t *edges = sl_ir_alloc(plan->edge_count, sizeof *edges);
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside = chain[edge->from] || (edge->from == root && block_of(f, root)->divergent);
        if (inside && edge->to == target)
            edges[count++] = e;
    }
    f->v->mask = f->scope->mask;
    f->v->block = target < plan->count ? target : root;
    if (target < plan->count)
        arrive(f, target, edges, count);
    else
        f->leave(f->v, &plan->edges[edges[0]], f->data);
    free(edges);
}

/* `first`: the only edge, of a block whose lanes agree; or all edges of one where they do not. */
static void emit_chain(struct flow *f, uint32_t root, const uint32_t *roots, uint32_t count)
{
    struct sl_vector_plan *plan = &f->v->plan;
    bool *chain = sl_ir_alloc(plan->count, sizeof *chain);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = plan->edges[roots[k]].to;
        if (in_scope(f, to) && is_masked(f, to) && !chain[to]) {
            chain[to] = true;
            collect_chain(f, to, chain);
        }
    }
    for (uint32_t e = 0; e < plan->edge_count; e++)
        if (chain[plan->edges[e].from])
            open_edge(f, e);
    for (uint32_t b = 0; b < plan->count; b++)
        if (chain[b])
            emit_in_chain(f, b, 0);
    end_chain(f, chain, root);
    free(chain);
}

static void leave_scope(struct flow *f, uint32_t e)
{
    struct sl_vector_edge *edge = &f->v->plan.edges[e];
    if (!f->scope->loop) {
        f->leave(f->v, edge, f->data);
        return;
    }
    LLVMBuildStore(builder(f), f->scope->mask, edge->mask);
    LLVMBuildBr(builder(f), f->scope->landing);
}

/* One edge of a branch on which all lanes agree. */
static void follow(struct flow *f, uint32_t e)
{
    struct sl_vector_edge *edge = &f->v->plan.edges[e];
    f->v->block = edge->from;
    if (!in_scope(f, edge->to)) {
        leave_scope(f, e);
    } else if (!is_masked(f, edge->to)) {
        arrive(f, edge->to, &e, 1);
    } else {
        open_edge(f, e);
        LLVMBuildStore(builder(f), f->scope->mask, edge->mask);
        emit_chain(f, edge->from, &e, 1);
    }
}

static void branch_together(struct flow *f, uint32_t b)
{
    const struct sl_vector_block *block = block_of(f, b);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    if (block->out_count == 1) {
        follow(f, block->out[0]);
        return;
    }
    LLVMValueRef on = sl_vector_scalar(f->v, LLVMGetOperand(end, 0));
    LLVMBasicBlockRef *ways = sl_ir_alloc(block->out_count, sizeof(*ways));
    for (uint32_t k = 0; k < block->out_count; k++)
        ways[k] = new_block(f, "way");
    if (LLVMGetInstructionOpcode(end) == LLVMSwitch) {
        LLVMValueRef choice = LLVMBuildSwitch(builder(f), on, ways[0], block->out_count - 1);
        for (uint32_t k = 1; k < block->out_count; k++)
            LLVMAddCase(choice, LLVMGetSwitchCaseValue(end, k), ways[k]);
    } else {
        LLVMBuildCondBr(builder(f), on, ways[0], ways[1]);
    }
    for (uint32_t k = 0; k < block->out_count; k++) {
        LLVMPositionBuilderAtEnd(builder(f), ways[k]);
        follow(f, block->out[k]);
    }
    free(ways);
}

static void branch_apart(struct flow *f, uint32_t b)
{
    const struct sl_vector_block *block = block_of(f, b);
    for (uint32_t k = 0; k < block->out_count; k++)
        open_edge(f, block->out[k]);
    set_edge_masks(f, b, f->scope->mask);
    emit_chain(f, b, block->out, block->out_count);
}

static void emit_real(struct flow *f, uint32_t b)
{
    open_real(f, b);
    LLVMPositionBuilderAtEnd(builder(f), f->begin[b]);
    emit_code(f, b, f->scope->mask);
    if (block_of(f, b)->divergent)
        branch_apart(f, b);
    else
        branch_together(f, b);
}

static void find_masked(struct flow *f, struct scope *scope)
{
    const struct sl_vector_plan *plan = &f->v->plan;
    scope->masked = sl_ir_alloc(plan->words, sizeof *scope->masked);
    for (uint32_t b = 0; b < plan->count; b++) {
        if (!plan->blocks[b].divergent ||
            (scope->loop && !sl_vector_loop_has(plan, scope->loop, b)))
            continue;
        for (size_t w = 0; w < plan->words; w++)
            scope->masked[w] |= plan->blocks[b].influence[w];
    }
}

static void emit_scope(struct flow *f, struct scope *scope)
{
    find_masked(f, scope);
    for (uint32_t b = 0; b < f->v->plan.count; b++)
        if (in_scope(f, b) && !is_masked(f, b))
            emit_real(f, b);
    free(scope->masked);
    scope->masked = NULL;
}

void sl_vector_emit_flow(struct sl_vector *v, sl_vector_leave_fn leave, void *data)
{
    struct scope piece = {.mask = v->entry_mask};
    struct flow f = {.v = v, .scope = &piece, .leave = leave, .data = data};
    f.begin = sl_ir_alloc(v->plan.count, sizeof(*f.begin));
    f.done = sl_ir_alloc(v->plan.count, sizeof *f.done);
    f.kept = sl_ir_alloc(v->plan.count, sizeof *f.kept);
    find_masked(&f, &piece);
    open_real(&f, 0);
    LLVMPositionBuilderBefore(v->top, LLVMBuildBr(builder(&f), f.begin[0]));
    free(piece.masked);
    emit_scope(&f, &piece);
    free(f.begin);
    free(f.done);
    free(f.kept);
}

/* ---- is there a vector form? ---------------------------------------------------------------- */

/* Each masked block belongs to one chain, and each chain ends in one place. */
static bool check_chain(struct flow *f, uint32_t root, const uint32_t *roots, uint32_t count,
                        uint32_t *owner, uint32_t id)
{
    struct sl_vector_plan *plan = &f->v->plan;
    bool *chain = sl_ir_alloc(plan->count, sizeof *chain), fine = true;
    uint32_t target = UINT32_MAX;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = plan->edges[roots[k]].to;
        if (in_scope(f, to) && is_masked(f, to) && !chain[to]) {
            chain[to] = true;
            collect_chain(f, to, chain);
        }
    }
    for (uint32_t b = 0; b < plan->count; b++) {
        fine &= !chain[b] || !owner[b];
        if (chain[b])
            owner[b] = id;
    }
    for (uint32_t e = 0; e < plan->edge_count && fine; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside = chain[edge->from] || (edge->from == root && block_of(f, root)->divergent);
        if (!inside || (edge->to < plan->count && chain[edge->to]))
            continue;
        fine &= target == UINT32_MAX || target == edge->to;
        fine &= in_scope(f, edge->to) || (!f->scope->loop && edge->to == plan->count);
        target = edge->to;
    }
    free(chain);
    return fine;
}

static bool check_scope(struct flow *f)
{
    struct sl_vector_plan *plan = &f->v->plan;
    uint32_t *owner = sl_ir_alloc(plan->count, sizeof *owner), id = 0;
    find_masked(f, f->scope);
    bool fine = f->scope->loop || !is_masked(f, 0);
    for (uint32_t b = 0; b < plan->count && fine; b++) {
        const struct sl_vector_block *block = block_of(f, b);
        if (!in_scope(f, b) || is_masked(f, b))
            continue;
        if (block->divergent)
            fine &= check_chain(f, b, block->out, block->out_count, owner, ++id);
        else
            for (uint32_t k = 0; k < block->out_count; k++) {
                uint32_t to = plan->edges[block->out[k]].to;
                if (in_scope(f, to) && is_masked(f, to))
                    fine &= check_chain(f, b, &block->out[k], 1, owner, ++id);
            }
    }
    free(owner);
    free(f->scope->masked);
    return fine;
}

bool sl_vector_check_flow(struct sl_vector *v)
{
    struct scope scope = {0};
    struct flow f = {.v = v, .scope = &scope};
    bool fine = check_scope(&f);
    for (uint32_t l = 0; l < v->plan.loop_count; l++)
        if (!v->plan.loops[l].divergent) {
            scope = (struct scope){.loop = l + 1};
            fine &= check_scope(&f);
        }
    return fine;
}
