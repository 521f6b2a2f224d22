/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Right behind a barrier the items of a group often branch together, at the end of a loop around
 * it, before each looks whether it has something to do: the steps of a reduction. Another divider
 * behind the branch makes one piece of what they do once, and one that begins with the guard, which
 * the vector form runs for only so many items (vector/clip.c). Where masks cost, the same goes for
 * a step in which the first items do this and the others that. What comes to live across it beyond
 * what lives across the barrier is the same for all items, or a phi of the block behind. No shared
 * state.
 */
#include "compiler/shim/pass_support.h"
#include "ir/uniformity.h"
#include "passes/barrier.h"
#include "vector/target.h"

#include <stdlib.h>

#define FEW 4 /* blocks with nothing in them */

struct search {
    const struct sl_emit *e;
    LLVMModuleRef module;
    struct sl_cfg cfg;
    struct sl_uniformity uniform;
    bool splits; /* rows are taken in parts where a limit parts them */
    bool *tail;  /* per block: it ends in a barrier and what all items compute alike behind that */
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

static bool is_tail(const struct search *s, uint32_t b)
{
    LLVMValueRef i = behind_barrier(s->cfg.blocks[b].ref);
    if (!i || s->cfg.blocks[b].succ_count != 2 ||
        s->cfg.blocks[b].succ[0] == s->cfg.blocks[b].succ[1])
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

/* To the next divider, or the end of the kernel. */
static bool leads_out(LLVMBasicBlockRef block)
{
    LLVMValueRef first = behind_phis(block);
    for (unsigned k = 0; k < FEW && LLVMIsABranchInst(first) && !LLVMIsConditional(first); k++)
        first = behind_phis(LLVMGetSuccessor(first, 0));
    return sl_wi_is_barrier(first) || LLVMIsAReturnInst(first);
}

/* An item's id against what is the same for all of them. */
static bool parts_rows(const struct search *s, LLVMValueRef condition)
{
    if (!LLVMIsAICmpInst(condition))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef id = LLVMGetOperand(condition, k), limit = LLVMGetOperand(condition, !k);
        enum sl_wi what;
        unsigned dim;
        while (LLVMIsASExtInst(id) || LLVMIsAZExtInst(id))
            id = LLVMGetOperand(id, 0);
        if (sl_wi_parse(id, &what, &dim) && sl_wi_is_item(what) && dim == 0 &&
            (!LLVMIsAInstruction(limit) || sl_is_uniform(&s->uniform, limit)))
            return true;
    }
    return false;
}

/* Some items have something to do there, others not, or something else. */
static bool begins_with_guard(const struct search *s, uint32_t b)
{
    LLVMBasicBlockRef block = s->cfg.blocks[b].ref;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) && !sl_is_uniform(&s->uniform, end) &&
           !behind_barrier(block) &&
           ((s->splits && parts_rows(s, LLVMGetCondition(end))) ||
            leads_out(LLVMGetSuccessor(end, 0)) || leads_out(LLVMGetSuccessor(end, 1)));
}

static bool follows_tails_only(const struct search *s, uint32_t b)
{
    for (uint32_t p = 0; p < s->cfg.blocks[b].pred_count; p++)
        if (!s->tail[s->cfg.blocks[b].pred[p]])
            return false;
    return true;
}

static void divide(const struct search *s, uint32_t from, uint32_t to)
{
    LLVMBasicBlockRef block = s->cfg.blocks[to].ref;
    LLVMValueRef first = behind_phis(block);
    if (LLVMIsATerminatorInst(first) || sl_wi_is_barrier(first))
        return; /* there is nothing to do, or it has been divided */
    if (!follows_tails_only(s, to))
        first = LLVMGetBasicBlockTerminator(sl_llvm_split_edge(s->cfg.blocks[from].ref, block));
    LLVMPositionBuilderBefore(s->e->builder, first);
    sl_wi_emit_barrier(s->e, s->module);
}

static void look_at(struct sl_pass *pass, struct sl_kernel_facts *facts, struct search *s)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        s->tail[b] = is_tail(s, b);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        const uint32_t *to = s->cfg.blocks[b].succ;
        if (!s->tail[b] || !(begins_with_guard(s, to[0]) || begins_with_guard(s, to[1])) ||
            !sl_pass_step(pass, "branch behind a barrier cut off", facts))
            continue;
        divide(s, b, to[0]);
        divide(s, b, to[1]);
    }
}

int sl_pass_uniform_cut(struct sl_pass *pass)
{
    struct sl_emit e;
    const struct sl_vector_target *target = sl_vector_target(pass);
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->elsewhere || facts->lanes < 2)
            continue;
        struct search s = {.e = &e, .module = pass->module};
        s.splits = target && !target->mask_registers;
        sl_cfg_init(&s.cfg, facts->kernel);
        sl_uniformity_init(&s.uniform, &s.cfg, sl_varies_in_group, NULL);
        s.tail = sl_ir_alloc(s.cfg.count, sizeof *s.tail);
        look_at(pass, facts, &s);
        free(s.tail);
        sl_uniformity_finish(&s.uniform);
        sl_cfg_finish(&s.cfg);
    }
    sl_emit_finish(&e);
    return 0;
}
