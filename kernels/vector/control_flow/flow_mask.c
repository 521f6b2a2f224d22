/* SPDX-License-Identifier: Apache-2.0 */
/* Masks of edges, and what phis become of them. No shared state. */
#include "vector/control_flow/flow_mask.h"

#include "vector/analysis/control_flow.h"
#include "vector/analysis/shape.h"
#include "vector/control_flow/flow.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- masks of edges -------------------------------------------------------------------------- */

LLVMTypeRef sl_flow_mask_type(struct sl_flow *f)
{
    return sl_vector_wide_type(f->v, f->v->g->e.i1);
}

LLVMValueRef sl_flow_mask_cell(struct sl_flow *f)
{
    struct sl_vector *v = f->v;
    return sl_emit_entry_alloca(&v->g->e, v->g->function, sl_flow_mask_type(f), 0, "lanes");
}

void sl_flow_clear_mask(struct sl_flow *f, LLVMValueRef cell)
{
    LLVMBuildStore(sl_flow_builder(f), LLVMConstNull(sl_flow_mask_type(f)), cell);
}

LLVMValueRef sl_flow_load_mask(struct sl_flow *f, LLVMValueRef cell)
{
    return LLVMBuildLoad2(sl_flow_builder(f), sl_flow_mask_type(f), cell, "");
}

void sl_flow_open_edge(struct sl_flow *f, uint32_t e)
{
    LLVMValueRef cell = sl_flow_mask_cell(f);
    f->v->now.edge_masks[e] = cell;
    sl_flow_clear_mask(f, cell);
}

static LLVMValueRef both(struct sl_flow *f, LLVMValueRef a, LLVMValueRef b)
{
    /* Not "and": a lane that does not run may have computed poison. */
    return LLVMBuildSelect(sl_flow_builder(f), a, b, LLVMConstNull(sl_flow_mask_type(f)), "");
}

/* Lanes that come by any of these edges; NULL: none has a mask. */
LLVMValueRef sl_flow_arriving(struct sl_flow *f, const uint32_t *edges, uint32_t count)
{
    LLVMValueRef all = NULL;
    for (uint32_t k = 0; k < count; k++) {
        LLVMValueRef cell = f->v->now.edge_masks[edges[k]];
        if (!cell)
            continue;
        LLVMValueRef one = sl_flow_load_mask(f, cell);
        all = all ? LLVMBuildOr(sl_flow_builder(f), all, one, "") : one;
    }
    return all;
}

static LLVMValueRef condition(struct sl_flow *f, LLVMValueRef value)
{
    return sl_vector_part(f->v, value, 0);
}

static void set_switch_masks(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    struct sl_vector *v = f->v;
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref), remaining = mask;
    LLVMValueRef on = sl_vector_part(v, LLVMGetOperand(end, 0), 0);
    for (uint32_t s = 1; s < block->out_count; s++) {
        LLVMValueRef is = sl_vector_splat(v, LLVMGetSwitchCaseValue(end, s));
        LLVMValueRef hit = LLVMBuildICmp(sl_flow_builder(f), LLVMIntEQ, on, is, "");
        LLVMValueRef taken = both(f, mask, hit);
        LLVMBuildStore(sl_flow_builder(f), taken, v->now.edge_masks[block->out[s]]);
        remaining = both(f, remaining, LLVMBuildNot(sl_flow_builder(f), taken, ""));
    }
    LLVMBuildStore(sl_flow_builder(f), remaining, v->now.edge_masks[block->out[0]]);
}

/* A comparison of more than a register: LLVM would make it twice, as it is and the other way round,
 * which is sooner known than one mask without the other only where each is one instruction. */
static bool is_long_question(const struct sl_vector *v, LLVMValueRef condition)
{
    if (!v->facts.target->mask_registers ||
        (!LLVMIsAFCmpInst(condition) && !LLVMIsAICmpInst(condition)))
        return false;
    unsigned bits = sl_vector_part_bits(LLVMTypeOf(LLVMGetOperand(condition, 0)));
    return bits * v->facts.lanes > v->facts.target->register_bits;
}

/* Where a loop ends for all lanes that are still in it, as a count of rounds does: one truth value,
 * which a branch asks, in place of one for each lane. */
static bool is_common_exit(struct sl_flow *f, uint32_t b, LLVMValueRef condition)
{
    const struct sl_vector_plan *plan = &f->v->facts.plan;
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    bool leaves = false;
    for (uint32_t k = 0; k < 2 && block->loop; k++)
        leaves |= !sl_vector_loop_has(plan, block->loop, plan->edges[block->out[k]].to);
    return leaves && !f->v->facts.target->mask_registers &&
           sl_vector_shape_at(&f->v->facts, condition, b).kind == SL_SHAPE_UNIFORM;
}

static void set_common_masks(struct sl_flow *f, const struct sl_vector_block *block,
                             LLVMValueRef mask, LLVMValueRef condition)
{
    LLVMBuilderRef b = sl_flow_builder(f);
    const LLVMValueRef *cells = f->v->now.edge_masks;
    /* Once no lane is left it may have been computed once more than the program does. */
    LLVMValueRef on = LLVMBuildFreeze(b, sl_vector_scalar(f->v, condition), "");
    LLVMValueRef none = LLVMConstNull(sl_flow_mask_type(f));
    LLVMBuildStore(b, LLVMBuildSelect(b, on, mask, none, ""), cells[block->out[0]]);
    LLVMBuildStore(b, LLVMBuildSelect(b, on, none, mask, ""), cells[block->out[1]]);
}

/* From the lanes at the end of a block to those of its edges. */
void sl_flow_set_edge_masks(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    const LLVMValueRef *cells = f->v->now.edge_masks;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    if (block->out_count == 1) {
        LLVMBuildStore(sl_flow_builder(f), mask, cells[block->out[0]]);
        return;
    }
    if (LLVMGetInstructionOpcode(end) == LLVMSwitch) {
        set_switch_masks(f, b, mask);
        return;
    }
    if (is_common_exit(f, b, LLVMGetCondition(end))) {
        set_common_masks(f, block, mask, LLVMGetCondition(end));
        return;
    }
    LLVMValueRef on = condition(f, LLVMGetCondition(end));
    LLVMValueRef taken = both(f, mask, on), off;
    if (is_long_question(f->v, LLVMGetCondition(end)))
        off = LLVMBuildXor(sl_flow_builder(f), mask, taken, "");
    else
        off = both(f, mask, LLVMBuildNot(sl_flow_builder(f), on, ""));
    LLVMBuildStore(sl_flow_builder(f), taken, cells[block->out[0]]);
    LLVMBuildStore(sl_flow_builder(f), off, cells[block->out[1]]);
}

/* ---- phis ------------------------------------------------------------------------------------ */

/* What the phi is given along an edge; an edge that the kernel's block has twice gives it twice. */
static LLVMValueRef given(struct sl_flow *f, LLVMValueRef phi, uint32_t edge)
{
    LLVMBasicBlockRef from = sl_flow_block_of(f, f->v->facts.plan.edges[edge].from)->ref;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from)
            return LLVMGetIncomingValue(phi, k);
    return LLVMGetPoison(LLVMTypeOf(phi));
}

LLVMValueRef sl_flow_blend(struct sl_flow *f, LLVMValueRef phi, uint32_t part,
                           const uint32_t *edges, uint32_t count)
{
    LLVMValueRef now = sl_vector_kept(f->v, given(f, phi, edges[0]), phi, part);
    for (uint32_t k = 1; k < count; k++) {
        LLVMValueRef other = sl_vector_kept(f->v, given(f, phi, edges[k]), phi, part);
        LLVMValueRef mask = sl_flow_load_mask(f, f->v->now.edge_masks[edges[k]]);
        mask = sl_vector_kept_mask(f->v, mask, phi);
        now = LLVMBuildSelect(sl_flow_builder(f), mask, other, now, "");
    }
    return now;
}

/* Lanes that are on their way agree on the value, but which edge they come by decides which it is.
 */
LLVMValueRef sl_flow_choose(struct sl_flow *f, LLVMValueRef phi, const uint32_t *edges,
                            uint32_t count)
{
    LLVMValueRef first = given(f, phi, edges[0]), now = sl_vector_scalar(f->v, first);
    for (uint32_t k = 1; k < count; k++) {
        LLVMValueRef value = given(f, phi, edges[k]);
        if (value == first)
            continue;
        LLVMValueRef mask = sl_flow_load_mask(f, f->v->now.edge_masks[edges[k]]);
        LLVMValueRef taken = sl_vector_any(f->v, mask);
        now = LLVMBuildSelect(sl_flow_builder(f), taken, sl_vector_scalar(f->v, value), now, "");
    }
    return now;
}

bool sl_flow_is_vector(struct sl_flow *f, LLVMValueRef value)
{
    return sl_vector_shape(&f->v->facts, value).kind == SL_SHAPE_VARYING;
}

void sl_flow_set_phis_of_sequence(struct sl_flow *f, uint32_t b)
{
    const struct sl_vector_block *block = sl_flow_block_of(f, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (!sl_flow_is_vector(f, i)) {
            sl_vector_set_scalar(f->v, i, sl_flow_choose(f, i, block->in, block->in_count));
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_kept_count(f->v, i); k++)
            sl_vector_set_part(f->v, i, k, sl_flow_blend(f, i, k, block->in, block->in_count));
    }
}

/* A real block and its phis, still without entries. */
void sl_flow_open_real(struct sl_flow *f, uint32_t b)
{
    if (f->begin[b])
        return;
    LLVMBasicBlockRef back = LLVMGetInsertBlock(sl_flow_builder(f));
    f->begin[b] = sl_flow_new_block(f, "real");
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), f->begin[b]);
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMTypeRef type = LLVMTypeOf(i);
        if (!sl_flow_is_vector(f, i)) {
            sl_vector_set_scalar(f->v, i, LLVMBuildPhi(sl_flow_builder(f), type, ""));
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_kept_count(f->v, i); k++) {
            LLVMTypeRef wide = sl_vector_kept_type(f->v, i, k);
            sl_vector_set_part(f->v, i, k, LLVMBuildPhi(sl_flow_builder(f), wide, ""));
        }
    }
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), back);
}

/* Goes to a real block, by one edge or with lanes from several. */
void sl_flow_arrive(struct sl_flow *f, uint32_t b, const uint32_t *edges, uint32_t count)
{
    sl_flow_open_real(f, b);
    struct sl_vector *v = f->v;
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        struct sl_vector_value *phi = sl_vector_value(v, i);
        if (!sl_flow_is_vector(f, i)) {
            LLVMValueRef now = sl_flow_choose(f, i, edges, count);
            LLVMBasicBlockRef from = LLVMGetInsertBlock(sl_flow_builder(f));
            LLVMAddIncoming(phi->scalar, &now, &from, 1);
            continue;
        }
        for (uint32_t k = 0; k < sl_vector_kept_count(f->v, i); k++) {
            LLVMValueRef now = sl_flow_blend(f, i, k, edges, count);
            LLVMBasicBlockRef from = LLVMGetInsertBlock(sl_flow_builder(f));
            LLVMAddIncoming(phi->parts[k], &now, &from, 1);
        }
    }
    bool back = f->done[b];
    LLVMValueRef jump = LLVMBuildBr(sl_flow_builder(f), f->begin[b]);
    if (back)
        sl_loop_is_done(v->g, jump);
}
