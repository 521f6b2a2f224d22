/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Right behind a barrier the items of a group often branch together, at the end of a loop around
 * it. Another split point behind the branch makes one region of what they do once, and regions of
 * what is done on either way, so that nobody asks for each vector of items where the group went. A
 * region that begins with a guard then, like the steps of a reduction, the vector form runs for
 * only so many items (vector/analysis/guard.c), and one in which the first items do this and the
 * others that, like the steps of a scan, in parts. What comes to live across the split point beyond
 * what lives across the barrier is the same for all items, or a phi of the block behind.
 *
 * Where barriers lie in branches that follow each other, like the steps of a reduction in a group
 * of any size, the code from each of them on would have a copy of all steps behind it. Split points
 * where the ways meet again make one region of each step. No shared state.
 */
#include "groups/stages.h"
#include "ir/control_flow/uniformity.h"
#include "items/barrier_split.h"
#include "llvm/pass_support.h"

#include <stdlib.h>

struct search {
    const struct sl_emit *e;
    LLVMModuleRef module;
    struct sl_cfg cfg;
    struct sl_uniformity uniform;
    /* Per block: it ends in a barrier and what all items compute alike behind that, or does nothing
     * else behind such a block and goes on to another one. */
    bool *tail;
};

/* Behind the last barrier of the block; NULL: there is none. */
static LLVMValueRef behind_barrier(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i))
        if (sl_wi_is_barrier(i))
            return LLVMGetNextInstruction(i);
    return NULL;
}

static bool is_same(const struct search *s, LLVMValueRef i)
{
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsAStoreInst(i) || LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) ||
        LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) ||
        (LLVMIsACallInst(i) && !sl_wi_parse(i, &what, &dim)))
        return false;
    return sl_is_uniform(&s->uniform, i);
}

/* Its predecessors were looked at before. */
static bool is_tail(const struct search *s, uint32_t b)
{
    const struct sl_block *block = &s->cfg.blocks[b];
    LLVMValueRef i = behind_barrier(block->ref);
    if (!i && block->succ_count == 1 && block->pred_count == 1 && block->pred[0] < b &&
        s->tail[block->pred[0]])
        i = LLVMGetFirstInstruction(block->ref); /* as the way into a loop that may not run */
    if (!i || !block->succ_count || block->succ_count > 2)
        return false;
    while (i && is_same(s, i))
        i = LLVMGetNextInstruction(i);
    return !i;
}

static LLVMValueRef behind_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static bool has_own_phis(const struct search *s, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (!sl_is_uniform(&s->uniform, i))
            return true;
    return false;
}

static bool follows_tails_only(const struct search *s, uint32_t b)
{
    for (uint32_t p = 0; p < s->cfg.blocks[b].pred_count; p++)
        if (!s->tail[s->cfg.blocks[b].pred[p]])
            return false;
    return true;
}

/* All that come here know the same for all items, and it stays in front of the split point. */
static bool begins_with_what_is_same(const struct search *s, uint32_t b)
{
    return follows_tails_only(s, b) && !has_own_phis(s, s->cfg.blocks[b].ref);
}

static void divide(const struct search *s, uint32_t from, uint32_t to)
{
    LLVMBasicBlockRef block = s->cfg.blocks[to].ref;
    LLVMValueRef first = behind_phis(block);
    if (LLVMIsATerminatorInst(first) || sl_wi_is_barrier(first))
        return; /* there is nothing to do, or it has been divided */
    if (!begins_with_what_is_same(s, to))
        first = LLVMGetBasicBlockTerminator(sl_llvm_split_edge(s->cfg.blocks[from].ref, block));
    LLVMPositionBuilderBefore(s->e->builder, first);
    sl_wi_emit_barrier(s->e, s->module);
}

/* Where the group goes is decided there; or what it takes along to where other ways lead. */
static bool is_worth_dividing(const struct search *s, uint32_t b)
{
    const struct sl_block *block = &s->cfg.blocks[b];
    if (!s->tail[b])
        return false;
    if (block->succ_count == 2)
        return block->succ[0] != block->succ[1];
    return s->cfg.blocks[block->succ[0]].pred_count > 1 &&
           begins_with_what_is_same(s, block->succ[0]);
}

/* Nothing is done here, and what comes behind it begins with a split point. */
static bool is_way_to_split(const struct search *s, uint32_t b)
{
    return is_worth_dividing(s, b) && !behind_barrier(s->cfg.blocks[b].ref);
}

/* ---- branches one behind the other ----------------------------------------------------------- */

/* So many regions may have a copy of one block. */
#define MOST_COPIES 2

static bool has_barrier(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (sl_wi_is_barrier(i))
            return true;
    return false;
}

/* Adds one to `copies` of each block whose beginning belongs to the region that begins at the end
 * of this one. */
static void count_copies(const struct search *s, uint32_t from, uint32_t *copies)
{
    uint32_t *stack = sl_ir_alloc(s->cfg.count, sizeof *stack), depth = 0;
    bool *seen = sl_ir_alloc(s->cfg.count, sizeof *seen);
    stack[depth++] = from;
    while (depth) {
        const struct sl_block *block = &s->cfg.blocks[stack[--depth]];
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t next = block->succ[k];
            if (seen[next])
                continue;
            seen[next] = true;
            copies[next]++;
            if (!has_barrier(s->cfg.blocks[next].ref))
                stack[depth++] = next;
        }
    }
    free(stack);
    free(seen);
}

/* All items come here, by a way with a barrier or another one, and not from further down; what
 * lives here and is not the same for all lives across that barrier as well. */
static bool is_meeting_place(const struct search *s, uint32_t b)
{
    const struct sl_block *block = &s->cfg.blocks[b];
    bool behind = false;
    for (uint32_t p = 0; p < block->pred_count; p++) {
        if (block->pred[p] >= b)
            return false;
        behind |= s->tail[block->pred[p]];
    }
    LLVMValueRef first = behind_phis(block->ref);
    return behind && block->pred_count > 1 && !s->uniform.varying_control[b] &&
           !has_own_phis(s, block->ref) && !sl_wi_is_barrier(first) &&
           !(LLVMIsATerminatorInst(first) && !block->succ_count);
}

static void split_meeting_places(struct sl_pass *pass, struct sl_kernel_facts *facts,
                                 struct search *s)
{
    uint32_t *copies = sl_ir_alloc(s->cfg.count, sizeof *copies);
    for (uint32_t b = 0; b < s->cfg.count; b++)
        if (!b || has_barrier(s->cfg.blocks[b].ref))
            count_copies(s, b, copies);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        if (copies[b] <= MOST_COPIES || !is_meeting_place(s, b) ||
            !sl_pass_step(pass, "meeting place cut off", facts))
            continue;
        LLVMPositionBuilderBefore(s->e->builder, behind_phis(s->cfg.blocks[b].ref));
        sl_wi_emit_barrier(s->e, s->module);
    }
    free(copies);
}

static void find_tails(struct search *s)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        s->tail[b] = is_tail(s, b);
}

/* ---- branches behind barriers ---------------------------------------------------------------- */

static void look_at(struct sl_pass *pass, struct sl_kernel_facts *facts, struct search *s)
{
    find_tails(s);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        const struct sl_block *block = &s->cfg.blocks[b];
        if (!is_worth_dividing(s, b) ||
            !sl_pass_step(pass, "branch behind a barrier cut off", facts))
            continue;
        for (uint32_t k = 0; k < block->succ_count; k++)
            if (!is_way_to_split(s, block->succ[k]))
                divide(s, b, block->succ[k]);
    }
}

int sl_pass_branch_split(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->elsewhere || facts->lanes < 2)
            continue;
        struct search s = {.e = &e, .module = pass->module};
        sl_cfg_init(&s.cfg, facts->kernel);
        sl_uniformity_init(&s.uniform, &s.cfg, sl_varies_in_group, NULL);
        s.tail = sl_ir_alloc(s.cfg.count, sizeof *s.tail);
        find_tails(&s);
        split_meeting_places(pass, facts, &s);
        look_at(pass, facts, &s);
        free(s.tail);
        sl_uniformity_finish(&s.uniform);
        sl_cfg_finish(&s.cfg);
    }
    sl_emit_finish(&e);
    return 0;
}
