/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes: real blocks with their branches, sequences between them. See flow.h. No shared state. */
#include "vector/control_flow/flow.h"

#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/scope.h"
#include "vector/control_flow/flow_block.h"
#include "vector/control_flow/flow_mask.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- from a real block on -------------------------------------------------------------------- */

/* Where lanes meet again; the plan's count: at the end. */
static uint32_t sequence_target(struct sl_flow *f, const bool *sequence, uint32_t root)
{
    struct sl_vector_plan *plan = &f->v->facts.plan;
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside =
            sequence[edge->from] || (edge->from == root && sl_flow_block_of(f, root)->divergent);
        if (inside && !(edge->to < plan->count && sequence[edge->to]))
            return edge->to;
    }
    return plan->count;
}

static void end_sequence(struct sl_flow *f, const bool *sequence, uint32_t root)
{
    struct sl_vector_plan *plan = &f->v->facts.plan;
    uint32_t target = sequence_target(f, sequence, root), count = 0;
    uint32_t *edges = sl_ir_alloc(plan->edge_count, sizeof *edges);
    for (uint32_t e = 0; e < plan->edge_count; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside =
            sequence[edge->from] || (edge->from == root && sl_flow_block_of(f, root)->divergent);
        if (inside && edge->to == target)
            edges[count++] = e;
    }
    f->v->now.mask = f->scope->mask;
    f->v->now.block = target < plan->count ? target : root;
    if (target < plan->count)
        sl_flow_arrive(f, target, edges, count);
    else
        f->leave(f->v, edges, count, f->data);
    free(edges);
}

/* `first`: the only edge, of a block whose lanes agree; or all edges of one where they do not. */
static void emit_sequence(struct sl_flow *f, uint32_t root, const uint32_t *roots, uint32_t count)
{
    struct sl_vector_plan *plan = &f->v->facts.plan;
    bool *sequence = sl_ir_alloc(plan->count, sizeof *sequence);
    sl_scope_find_sequence(&f->scope->of, roots, count, sequence);
    for (uint32_t e = 0; e < plan->edge_count; e++)
        if (sequence[plan->edges[e].from])
            sl_flow_open_edge(f, e);
    for (uint32_t b = 0; b < plan->count; b++)
        if (sequence[b])
            sl_flow_emit_in_sequence(f, b, 0);
    end_sequence(f, sequence, root);
    free(sequence);
}

static void leave_scope(struct sl_flow *f, uint32_t e)
{
    LLVMValueRef *mask = &f->v->now.edge_masks[e];
    if (!f->scope->of.loop) {
        *mask = NULL;
        f->leave(f->v, &e, 1, f->data);
        return;
    }
    LLVMBuildStore(sl_flow_builder(f), f->scope->mask, *mask);
    LLVMBuildBr(sl_flow_builder(f), f->scope->landing);
}

/* One edge of a branch on which all lanes agree. */
static void follow(struct sl_flow *f, uint32_t e)
{
    const struct sl_vector_edge *edge = &f->v->facts.plan.edges[e];
    f->v->now.block = edge->from;
    if (!sl_flow_in_scope(f, edge->to)) {
        leave_scope(f, e);
    } else if (!sl_flow_is_masked(f, edge->to)) {
        sl_flow_arrive(f, edge->to, &e, 1);
    } else {
        sl_flow_open_edge(f, e);
        LLVMBuildStore(sl_flow_builder(f), f->scope->mask, f->v->now.edge_masks[e]);
        emit_sequence(f, edge->from, &e, 1);
    }
}

/* What any lane that runs says, where it is known that they agree and not why. */
static LLVMValueRef agreed(struct sl_flow *f, LLVMValueRef on)
{
    if (!sl_flow_is_vector(f, on))
        return sl_vector_scalar(f->v, on);
    LLVMValueRef lanes = sl_vector_part(f->v, on, 0);
    return sl_vector_any(f->v, LLVMBuildAnd(sl_flow_builder(f), lanes, f->scope->mask, ""));
}

static void branch_together(struct sl_flow *f, uint32_t b)
{
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    if (block->out_count == 1) {
        follow(f, block->out[0]);
        return;
    }
    LLVMValueRef on = agreed(f, LLVMGetOperand(end, 0));
    LLVMBasicBlockRef *ways = sl_ir_alloc(block->out_count, sizeof(*ways));
    for (uint32_t k = 0; k < block->out_count; k++)
        ways[k] = sl_flow_new_block(f, "way");
    if (LLVMGetInstructionOpcode(end) == LLVMSwitch) {
        LLVMValueRef choice =
            LLVMBuildSwitch(sl_flow_builder(f), on, ways[0], block->out_count - 1);
        for (uint32_t k = 1; k < block->out_count; k++)
            LLVMAddCase(choice, LLVMGetSwitchCaseValue(end, k), ways[k]);
    } else {
        LLVMBuildCondBr(sl_flow_builder(f), on, ways[0], ways[1]);
    }
    for (uint32_t k = 0; k < block->out_count; k++) {
        LLVMPositionBuilderAtEnd(sl_flow_builder(f), ways[k]);
        follow(f, block->out[k]);
    }
    free(ways);
}

static void branch_apart(struct sl_flow *f, uint32_t b)
{
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    for (uint32_t k = 0; k < block->out_count; k++)
        sl_flow_open_edge(f, block->out[k]);
    sl_flow_set_edge_masks(f, b, f->scope->mask);
    emit_sequence(f, b, block->out, block->out_count);
}

static void emit_real(struct sl_flow *f, uint32_t b)
{
    sl_flow_open_real(f, b);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), f->begin[b]);
    sl_flow_emit_for(f, b, f->scope->mask);
    if (sl_flow_block_of(f, b)->divergent)
        branch_apart(f, b);
    else
        branch_together(f, b);
}

void sl_flow_emit_scope(struct sl_flow *f, struct sl_flow_scope *scope)
{
    sl_scope_find_masked(&scope->of);
    for (uint32_t b = 0; b < f->v->facts.plan.count; b++)
        if (sl_flow_in_scope(f, b) && !sl_flow_is_masked(f, b))
            emit_real(f, b);
    free(scope->of.masked);
    scope->of.masked = NULL;
}

void sl_vector_emit_flow(struct sl_vector *v, sl_vector_leave_fn leave, void *data)
{
    struct sl_flow_scope region = {.of.plan = &v->facts.plan, .mask = v->now.entry_mask};
    struct sl_flow f = {.v = v, .scope = &region, .leave = leave, .data = data};
    v->now.edge_masks = sl_ir_alloc(v->facts.plan.edge_count, sizeof(*v->now.edge_masks));
    f.begin = sl_ir_alloc(v->facts.plan.count, sizeof(*f.begin));
    f.done = sl_ir_alloc(v->facts.plan.count, sizeof *f.done);
    f.kept = sl_ir_alloc(v->facts.plan.count, sizeof *f.kept);
    sl_scope_find_masked(&region.of);
    sl_flow_open_real(&f, 0);
    LLVMPositionBuilderBefore(v->now.top, LLVMBuildBr(sl_flow_builder(&f), f.begin[0]));
    free(region.of.masked);
    sl_flow_emit_scope(&f, &region);
    free(v->now.edge_masks);
    v->now.edge_masks = NULL;
    free(f.begin);
    free(f.done);
    free(f.kept);
}
