/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A branch on data behind which some items loop and the others are done: in vectors each of which
 * has one of these, all would wait for it. A split point there lets those items be compacted
 * (vector/control_flow/compaction.c) and go on side by side, a chunk's together. Not where the
 * branch only asks which item it is, for then neighbours agree and lie side by side already, nor
 * where the loop reads neighbours' elements. No shared state.
 */
#include "items/barrier_split.h"

#include "groups/group_function.h"
#include "groups/stages.h"
#include "ir/control_flow/uniformity.h"
#include "ir/memory.h"
#include "items/lane_bound.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/memory/memory.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 200
#define MOST_CARRIED 8 /* values that go with an item, none of which follows from its id */
#define MOST_WANTED 64 /* all that are wanted behind the branch */
#define LEAST_WORK 4   /* instructions of the loops that differ between items */
#define MANY_ITERATIONS 16
#define DEEPEST 8 /* instructions looked at for an address */

struct search {
    struct sl_cfg cfg;
    struct sl_uniformity uniform;
    struct sl_map by_id; /* values -> by_id or by_data */
    bool *loops;         /* per block: it can be reached from itself */
    bool *there, *else_; /* per block: reached from this side of the branch, or the other */
};

static const char by_id[] = "id", by_data[] = "data";

static void reach(const struct sl_cfg *cfg, uint32_t from, bool *seen)
{
    if (seen[from])
        return;
    seen[from] = true;
    for (uint32_t s = 0; s < cfg->blocks[from].succ_count; s++)
        reach(cfg, cfg->blocks[from].succ[s], seen);
}

static void find_loops(struct search *s)
{
    bool *seen = sl_ir_alloc(s->cfg.count, sizeof *seen);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        memset(seen, 0, s->cfg.count * sizeof *seen);
        for (uint32_t k = 0; k < s->cfg.blocks[b].succ_count; k++)
            reach(&s->cfg, s->cfg.blocks[b].succ[k], seen);
        s->loops[b] = seen[b];
    }
    free(seen);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_uniform(const struct search *s, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || sl_is_uniform(&s->uniform, value);
}

static bool is_loaded_once(const struct search *s, LLVMValueRef i)
{
    return LLVMIsALoadInst(i) && is_uniform(s, LLVMGetOperand(i, 0));
}

static bool follows_from_id(struct search *s, LLVMValueRef value);

static bool operands_follow(struct search *s, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!follows_from_id(s, LLVMGetOperand(i, (unsigned)k)))
            return false;
    return true;
}

/* Neighbours have neighbours' values, more or less. */
static bool follows_from_id(struct search *s, LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    if (is_uniform(s, value) || sl_wi_parse(value, &what, &dim))
        return true;
    const char *known = sl_map_get(&s->by_id, value);
    if (known)
        return known == by_id;
    sl_map_set(&s->by_id, value, (void *)by_data); /* until it is known: phis lead back to it */
    bool data = LLVMIsAPHINode(value) || LLVMIsAAtomicRMWInst(value) ||
                LLVMIsAAtomicCmpXchgInst(value) ||
                (LLVMIsALoadInst(value) && !is_loaded_once(s, value)) ||
                (LLVMIsACallInst(value) && !sl_vector_is_lanewise_call(value));
    bool follows = !data && operands_follow(s, value);
    sl_map_set(&s->by_id, value, (void *)(follows ? by_id : by_data));
    return follows;
}

/* ---- the loops of the one side --------------------------------------------------------------- */

/* Counts from one number for all items in steps of another: those that are in the loop agree. Or
 * (`beside`) from a number that follows from their ids. */
static bool is_counter(struct search *s, LLVMValueRef phi, bool beside)
{
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, k);
        if (LLVMIsABinaryOperator(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
            LLVMGetOperand(next, 0) == phi && is_uniform(s, LLVMGetOperand(next, 1)) &&
            (beside ? follows_from_id(s, LLVMGetIncomingValue(phi, !k))
                    : is_uniform(s, LLVMGetIncomingValue(phi, !k))))
            return true;
    }
    return false;
}

static bool is_computed(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
           LLVMIsAGetElementPtrInst(value);
}

/* The same for all items that are in the loop, or `beside`: it may also follow from their ids. */
static bool is_in_step(struct search *s, LLVMValueRef value, bool beside, unsigned deepest)
{
    if (is_uniform(s, value) || is_counter(s, value, beside) ||
        (beside && follows_from_id(s, value)))
        return true;
    if (!deepest || !(is_computed(value) || LLVMIsALoadInst(value)))
        return false;
    beside &= !LLVMIsALoadInst(value);
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        if (!is_in_step(s, LLVMGetOperand(value, (unsigned)k), beside, deepest - 1))
            return false;
    return true;
}

/* Costs the same for items from anywhere. */
static bool bears_compaction(struct search *s, LLVMValueRef i)
{
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
        return false;
    if (LLVMIsACallInst(i))
        return sl_vector_is_lanewise_call(i) || sl_has_lane_versions(i) ||
               sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY);
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return true;
    LLVMValueRef pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
    return is_in_step(s, pointer, false, DEEPEST) || !is_in_step(s, pointer, true, DEEPEST);
}

static bool is_from_outside(struct search *s, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) ||
           (follows_from_id(s, value) &&
            !s->loops[sl_cfg_number(&s->cfg, LLVMGetInstructionParent(value))]);
}

static bool is_many(LLVMValueRef count)
{
    return LLVMIsAConstantInt(count) && llabs(LLVMConstIntGetSExtValue(count)) >= MANY_ITERATIONS;
}

/* Of a counter that goes from one constant in steps of another: the number where it begins. */
static bool find_start(LLVMValueRef counter, int64_t *start, int64_t *step)
{
    LLVMValueRef phi = LLVMIsAPHINode(counter)          ? counter
                       : LLVMIsABinaryOperator(counter) ? LLVMGetOperand(counter, 0)
                                                        : NULL;
    if (!phi || !LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
        return false;
    unsigned outer = LLVMIsAConstantInt(LLVMGetIncomingValue(phi, 0)) ? 0 : 1;
    LLVMValueRef begin = LLVMGetIncomingValue(phi, outer), next = LLVMGetIncomingValue(phi, !outer);
    if (!LLVMIsAConstantInt(begin) || !LLVMIsABinaryOperator(next) ||
        LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) || (counter != phi && counter != next))
        return false;
    *start = LLVMConstIntGetSExtValue(begin);
    *step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    return true;
}

/* Also one that counts down to 0, or 1, as code generators make loops. */
static bool counts_far(LLVMValueRef counter, LLVMValueRef end)
{
    int64_t start, step;
    if (!LLVMIsAConstantInt(end) || LLVMGetIntTypeWidth(LLVMTypeOf(end)) > 32 ||
        !find_start(counter, &start, &step) || !step)
        return false;
    return llabs(LLVMConstIntGetSExtValue(end) - start) / llabs(step) >= MANY_ITERATIONS;
}

/* Items leave by this branch each at its time, or after many iterations; not when a number from
 * outside says so, for that may be small. */
static bool runs_long(struct search *s, LLVMValueRef condition)
{
    if (!LLVMIsAICmpInst(condition))
        return true;
    LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1);
    return is_many(a) || is_many(b) || counts_far(a, b) ||
           (!is_from_outside(s, a) && !is_from_outside(s, b));
}

/* A way out of a loop after long, or a load from anywhere, which is slow for all lanes alike. */
static bool is_slow(struct search *s, uint32_t b)
{
    const struct sl_block *block = &s->cfg.blocks[b];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    bool leaves = false;
    for (uint32_t k = 0; k < block->succ_count; k++)
        leaves |= !s->loops[block->succ[k]];
    if (leaves && LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
        runs_long(s, LLVMGetCondition(end)))
        return true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsALoadInst(i) && !is_uniform(s, LLVMGetOperand(i, 0)) &&
            !follows_from_id(s, LLVMGetOperand(i, 0)))
            return true;
    return false;
}

static bool loops_are_worth_it(struct search *s)
{
    uint32_t work = 0;
    bool slow = false;
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        if (!s->there[b] || !s->loops[b])
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            if (!bears_compaction(s, i))
                return false;
            work += !LLVMIsAPHINode(i) && !is_uniform(s, i);
        }
        slow |= is_slow(s, b);
    }
    return slow && work >= LEAST_WORK;
}

static bool other_side_has_none(const struct search *s)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        if (s->else_[b] && s->loops[b])
            return false;
    return true;
}

/* ---- what goes with an item ------------------------------------------------------------------ */

/* Truth goes as a byte. */
static bool can_be_carried(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool truth = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
    return truth || (kind != LLVMVectorTypeKind && sl_vector_can_access(type));
}

static bool is_wanted_there(const struct search *s, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));
        if (s->there[sl_cfg_number(&s->cfg, block)])
            return true;
    }
    return false;
}

/* What all items share would be there once for each, and loops that take turns by it would differ.
 */
static bool may_cross(struct search *s, LLVMValueRef value)
{
    return can_be_carried(LLVMTypeOf(value)) && !is_loaded_once(s, value);
}

static bool carries_little(struct search *s)
{
    uint32_t carried = 0, wanted = 0;
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        if (s->there[b])
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            enum sl_wi what;
            unsigned dim;
            if (sl_wi_parse(i, &what, &dim) || !is_wanted_there(s, i))
                continue;
            if (!may_cross(s, i))
                return false;
            carried += !follows_from_id(s, i);
            wanted++;
        }
    }
    return carried <= MOST_CARRIED && wanted <= MOST_WANTED;
}

/* ---- the branch ------------------------------------------------------------------------------ */

static bool is_good(struct search *s, uint32_t b, uint32_t side)
{
    const struct sl_block *block = &s->cfg.blocks[b];
    memset(s->there, 0, s->cfg.count * sizeof *s->there);
    memset(s->else_, 0, s->cfg.count * sizeof *s->else_);
    reach(&s->cfg, block->succ[side], s->there);
    reach(&s->cfg, block->succ[!side], s->else_);
    return other_side_has_none(s) && loops_are_worth_it(s) && carries_little(s);
}

static bool asks_about_data(struct search *s, uint32_t b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg.blocks[b].ref);
    return s->cfg.blocks[b].succ_count == 2 &&
           s->cfg.blocks[b].succ[0] != s->cfg.blocks[b].succ[1] && LLVMIsABranchInst(end) &&
           !s->loops[b] && !follows_from_id(s, LLVMGetCondition(end));
}

static bool find(struct search *s, uint32_t *from, uint32_t *to)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        for (uint32_t side = 0; side < 2; side++)
            if (asks_about_data(s, b) && is_good(s, b, side)) {
                *from = b;
                *to = s->cfg.blocks[b].succ[side];
                return true;
            }
    return false;
}

/* Items wait for nothing, know of their place only which one of all items they are, and do not
 * count their rounds together with their neighbours. */
static bool may_be_compacted(LLVMValueRef kernel)
{
    if (!sl_only_global_places(kernel) || LLVMCountBasicBlocks(kernel) > MOST_BLOCKS)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_wi_is_barrier(i) || sl_wi_is_inner_split(i) || LLVMIsAAllocaInst(i) ||
                sl_lane_bound(i, NULL))
                return false;
    return true;
}

static void try_kernel(struct sl_pass *pass, struct sl_kernel_facts *facts, const struct sl_emit *e)
{
    struct search s = {0};
    uint32_t from, to;
    sl_cfg_init(&s.cfg, facts->kernel);
    sl_uniformity_init(&s.uniform, &s.cfg, sl_varies_in_row, NULL);
    s.loops = sl_ir_alloc(s.cfg.count, sizeof *s.loops);
    s.there = sl_ir_alloc(s.cfg.count, sizeof *s.there);
    s.else_ = sl_ir_alloc(s.cfg.count, sizeof *s.else_);
    find_loops(&s);
    if (find(&s, &from, &to) && sl_pass_step(pass, "items packed", facts)) {
        LLVMBasicBlockRef branch = s.cfg.blocks[from].ref;
        sl_pass_remark(pass, facts, LLVMGetBasicBlockTerminator(branch),
                       "items that go to the loop from here are packed");
        LLVMBasicBlockRef between = sl_llvm_split_edge(branch, s.cfg.blocks[to].ref);
        LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(between));
        sl_wi_emit_compaction(e, pass->module);
    }
    free(s.loops);
    free(s.there);
    free(s.else_);
    sl_map_finish(&s.by_id);
    sl_uniformity_finish(&s.uniform);
    sl_cfg_finish(&s.cfg);
}

int sl_pass_compaction_split(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (!pass->kernels[k].elsewhere && pass->kernels[k].lanes > 1 &&
            !pass->kernels[k].in_step && may_be_compacted(pass->kernels[k].kernel))
            try_kernel(pass, &pass->kernels[k], &e);
    sl_emit_finish(&e);
    return 0;
}
