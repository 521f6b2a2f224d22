/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in a sequence: run while any lane is in them, or left by all lanes at once. No shared
 * state.
 */
#include "vector/control_flow/flow_loop.h"

#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/shape.h"
#include "vector/control_flow/flow.h"
#include "vector/control_flow/flow_block.h"
#include "vector/control_flow/flow_mask.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- loops as units of a sequence ------------------------------------------------------------ */

struct unit {
    uint32_t loop, header;
    LLVMValueRef *outer; /* per edge of the plan that leaves: lanes that have left by it */
    uint32_t *entries, *backs, entry_count, back_count;
    LLVMBasicBlockRef skip;
};

static bool leaves(struct sl_flow *f, const struct sl_vector_edge *edge, uint32_t loop)
{
    return sl_vector_loop_has(&f->v->facts.plan, loop, edge->from) &&
           !sl_vector_loop_has(&f->v->facts.plan, loop, edge->to);
}

static void open_unit(struct sl_flow *f, struct unit *u, uint32_t loop)
{
    struct sl_vector_plan *plan = &f->v->facts.plan;
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
            u->outer[e] = sl_flow_mask_cell(f);
            sl_flow_clear_mask(f, u->outer[e]);
        }
}

static void close_unit(struct sl_flow *f, struct unit *u)
{
    for (uint32_t e = 0; e < f->v->facts.plan.edge_count; e++)
        if (u->outer[e])
            f->v->now.edge_masks[e] = u->outer[e];
    free(u->outer);
    free(u->entries);
    free(u->backs);
}

static void enter_unit(struct sl_flow *f, struct unit *u, LLVMValueRef mask)
{
    LLVMBasicBlockRef run = sl_flow_new_block(f, "loop.enter");
    u->skip = sl_flow_new_block(f, "loop.skip");
    LLVMBuildCondBr(sl_flow_builder(f), sl_vector_any(f->v, mask), run, u->skip);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), run);
}

/* The header's phis live in variables: cells[n][part] of the n-th one. */
struct loop_phi {
    LLVMValueRef phi;
    LLVMValueRef *cells, *next;
    uint32_t count;
    bool wide;
};

static struct loop_phi *open_loop_phis(struct sl_flow *f, struct unit *u, uint32_t *count)
{
    struct loop_phi *phis = NULL;
    *count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, u->header)->ref);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        phis = sl_ir_resize(phis, *count + 1, sizeof *phis);
        struct loop_phi *p = &phis[(*count)++];
        *p = (struct loop_phi){.phi = i, .wide = sl_flow_is_vector(f, i)};
        p->count = p->wide ? sl_vector_kept_count(f->v, i) : 1;
        p->cells = sl_ir_alloc(p->count, sizeof(*p->cells));
        p->next = sl_ir_alloc(p->count, sizeof(*p->next));
        for (uint32_t k = 0; k < p->count; k++) {
            LLVMTypeRef t = p->wide ? sl_vector_kept_type(f->v, i, k) : LLVMTypeOf(i);
            p->cells[k] = sl_emit_entry_alloca(&f->v->g->e, f->v->g->function, t, 0, "phi");
        }
    }
    return phis;
}

static void give_loop_phis(struct sl_flow *f, struct loop_phi *phis, uint32_t count,
                           const uint32_t *edges, uint32_t edge_count)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++)
            phis[n].next[k] = phis[n].wide ? sl_flow_blend(f, phis[n].phi, k, edges, edge_count)
                                           : sl_flow_choose(f, phis[n].phi, edges, edge_count);
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++)
            LLVMBuildStore(sl_flow_builder(f), phis[n].next[k], phis[n].cells[k]);
}

static void take_loop_phis(struct sl_flow *f, struct loop_phi *phis, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < phis[n].count; k++) {
            LLVMTypeRef type = LLVMGetAllocatedType(phis[n].cells[k]);
            LLVMValueRef now = LLVMBuildLoad2(sl_flow_builder(f), type, phis[n].cells[k], "");
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

/* Lanes leave at different times: what they take along is kept lane by lane; but for what is the
 * same for the whole group, all of which leaves at once then. */
struct live_out {
    LLVMValueRef value;
    LLVMValueRef *cells;
    LLVMTypeRef *types;
    uint32_t count;
    bool scalar;
};

static struct live_out open_live_out(struct sl_flow *f, LLVMValueRef value)
{
    struct live_out o = {.value = value, .scalar = sl_vector_is_one_for_group(&f->v->facts, value)};
    o.count = o.scalar ? 1 : sl_vector_kept_count(f->v, value);
    o.cells = sl_ir_alloc(o.count, sizeof(*o.cells));
    o.types = sl_ir_alloc(o.count, sizeof(*o.types));
    for (uint32_t k = 0; k < o.count; k++) {
        o.types[k] = o.scalar ? LLVMTypeOf(value) : sl_vector_kept_type(f->v, value, k);
        o.cells[k] = sl_emit_entry_alloca(&f->v->g->e, f->v->g->function, o.types[k], 0, "out");
    }
    return o;
}

static struct live_out *find_live_outs(struct sl_flow *f, uint32_t loop, uint32_t *count)
{
    struct live_out *all = NULL;
    *count = 0;
    for (uint32_t b = 0; b < f->v->facts.plan.count; b++) {
        if (!sl_vector_loop_has(&f->v->facts.plan, loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMTypeOf(i);
            if (LLVMGetTypeKind(type) == LLVMVoidTypeKind || !sl_flow_used_outside_loop(f, i, loop))
                continue;
            all = sl_ir_resize(all, *count + 1, sizeof *all);
            all[(*count)++] = open_live_out(f, i);
        }
    }
    return all;
}

static void take_along(struct sl_flow *f, struct live_out *outs, uint32_t count, LLVMValueRef gone)
{
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; k < outs[n].count; k++) {
            LLVMValueRef value = outs[n].value;
            LLVMValueRef now = outs[n].scalar ? sl_vector_scalar(f->v, value)
                                              : sl_vector_kept(f->v, value, value, k);
            LLVMValueRef mask =
                outs[n].scalar ? sl_vector_any(f->v, gone) : sl_vector_kept_mask(f->v, gone, value);
            LLVMValueRef old =
                LLVMBuildLoad2(sl_flow_builder(f), outs[n].types[k], outs[n].cells[k], "");
            LLVMBuildStore(sl_flow_builder(f),
                           LLVMBuildSelect(sl_flow_builder(f), mask, now, old, ""),
                           outs[n].cells[k]);
        }
}

static void hand_over(struct sl_flow *f, struct live_out *outs, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        struct sl_vector_value *code = sl_vector_value(f->v, outs[n].value);
        free(code->cells);
        free(code->cell_types);
        code->cells = outs[n].cells;
        code->cell_types = outs[n].types;
        code->cell_scalar = outs[n].scalar;
        code->known->away = true;
    }
    free(outs);
}

static LLVMValueRef note_exits(struct sl_flow *f, struct unit *u)
{
    LLVMValueRef gone = LLVMConstNull(sl_flow_mask_type(f));
    for (uint32_t e = 0; e < f->v->facts.plan.edge_count; e++) {
        if (!u->outer[e])
            continue;
        LLVMValueRef now = sl_flow_load_mask(f, f->v->now.edge_masks[e]);
        LLVMValueRef before = sl_flow_load_mask(f, u->outer[e]);
        LLVMBuildStore(sl_flow_builder(f), LLVMBuildOr(sl_flow_builder(f), before, now, ""),
                       u->outer[e]);
        gone = LLVMBuildOr(sl_flow_builder(f), gone, now, "");
    }
    return gone;
}

static void emit_divergent_loop(struct sl_flow *f, struct unit *u, LLVMValueRef mask)
{
    struct sl_vector_plan *plan = &f->v->facts.plan;
    uint32_t phi_count, out_count;
    struct loop_phi *phis = open_loop_phis(f, u, &phi_count);
    struct live_out *outs = find_live_outs(f, u->loop, &out_count);
    LLVMValueRef live = sl_flow_mask_cell(f);
    LLVMBuildStore(sl_flow_builder(f), mask, live);
    give_loop_phis(f, phis, phi_count, u->entries, u->entry_count);
    LLVMBasicBlockRef head = sl_flow_new_block(f, "loop.some");
    LLVMBuildBr(sl_flow_builder(f), head);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), head);
    for (uint32_t e = 0; e < plan->edge_count; e++)
        if (sl_vector_loop_has(plan, u->loop, plan->edges[e].from))
            sl_flow_open_edge(f, e);
    take_loop_phis(f, phis, phi_count);
    sl_flow_emit_masked(f, u->header, sl_flow_load_mask(f, live));
    for (uint32_t b = 0; b < plan->count; b++)
        if (sl_vector_loop_has(plan, u->loop, b))
            sl_flow_emit_in_sequence(f, b, u->loop);
    f->v->now.block = u->header;
    LLVMValueRef gone = note_exits(f, u);
    take_along(f, outs, out_count, gone);
    LLVMValueRef stay = sl_flow_arriving(f, u->backs, u->back_count);
    give_loop_phis(f, phis, phi_count, u->backs, u->back_count);
    LLVMBuildStore(sl_flow_builder(f), stay, live);
    LLVMValueRef again =
        LLVMBuildCondBr(sl_flow_builder(f), sl_vector_any(f->v, stay), head, u->skip);
    sl_loop_is_done(f->v->g, again);
    hand_over(f, outs, out_count);
    free_loop_phis(phis, phi_count);
}

static void keep_from_start(struct sl_flow *f, LLVMValueRef value)
{
    f->kept[sl_vector_value(f->v, value)->known->block] = true;
    if (!sl_vector_value(f->v, value)->cells)
        sl_vector_make_cells(f->v, value, false);
}

static void read_from_cells(struct sl_flow *f, LLVMValueRef value)
{
    sl_vector_value(f->v, value)->known->away = true;
}

static void emit_common_loop(struct sl_flow *f, struct unit *u, LLVMValueRef mask)
{
    struct sl_flow_scope inner = {
        .of = {.plan = &f->v->facts.plan, .loop = u->loop}, .mask = mask, .landing = u->skip};
    struct sl_flow_scope *outer = f->scope;
    sl_flow_each_live_out(f, u->loop, keep_from_start);
    for (uint32_t e = 0; e < f->v->facts.plan.edge_count; e++)
        if (u->outer[e])
            f->v->now.edge_masks[e] = u->outer[e];
    f->scope = &inner;
    f->v->now.block = u->header;
    sl_flow_arrive(f, u->header, u->entries, u->entry_count);
    sl_flow_emit_scope(f, &inner);
    f->scope = outer;
    sl_flow_each_live_out(f, u->loop, read_from_cells);
}

void sl_flow_emit_loop(struct sl_flow *f, uint32_t loop)
{
    struct unit u;
    open_unit(f, &u, loop);
    f->v->now.block = u.header;
    LLVMValueRef mask = sl_flow_arriving(f, u.entries, u.entry_count);
    enter_unit(f, &u, mask);
    if (f->v->facts.plan.loops[loop - 1].divergent)
        emit_divergent_loop(f, &u, mask);
    else
        emit_common_loop(f, &u, mask);
    close_unit(f, &u);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), u.skip);
}
