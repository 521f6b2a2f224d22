/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that end where the kernel says. A region that begins with "if (id < limit)" and does nothing
 * for other items is run for those below the limit only, without a mask for the rest: guards
 * against sizes that are no multiple of a group's, the steps of a reduction or a scan in local
 * memory; and one that begins with "if (id == limit)" for that item. The row's first id and the
 * limit are computed once, in front of the loop, from what is known there. Several such conditions
 * may be joined, also with some that are the same for the whole row.
 *
 * A branch of this kind that parts the row in two, each with something to do, is a split: the items
 * before the limit know which way they go, and so do those behind it.
 *
 * A kernel with barriers that begins with "if (id >= limit) return" wants all of its items to come
 * to the barriers or none (OpenCL C 6.15.8), but is written for devices on which those that return
 * are not waited for: the others then go on alone, which takes rows that end early everywhere
 * between the barriers. What is found here guard_count.c computes. No shared state.
 */
#include "vector/analysis/guard.h"

#include <stdlib.h>
#include <string.h>

#include "ir/affine/affine_modulo.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/guard_limits.h"
#include "llvm/loops/counts/loop_marks.h"

#define DEEPEST SL_GUARD_DEEPEST
#define FARTHEST (DEEPEST + 4) /* the same from where comparisons meet */
#define LEAST_MASK INT32_MAX   /* that few numbers reach */

const struct sl_slot *sl_guard_slot_of(const struct sl_split *split, LLVMValueRef pointer)
{
    for (uint32_t s = 0; s < split->slot_count; s++)
        if (split->slots[s].variable == pointer)
            return &split->slots[s];
    return NULL;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Items may pass it by: nobody would notice. */
static bool may_be_left_out(const struct sl_split *split, LLVMValueRef i)
{
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsALoadInst(i))
        return sl_guard_slot_of(split, LLVMGetOperand(i, 0)) ||
               (!LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic);
    if (LLVMIsACallInst(i))
        return sl_wi_parse(i, &what, &dim);
    return !LLVMIsAStoreInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsAFenceInst(i) && !LLVMIsAAllocaInst(i);
}

/* To the clock an item that returns at once has begun; who is not waited for need not. */
static bool is_mark(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && !strcmp(sl_callee_name(i), SL_LOOP_MARK);
}

static bool does_nothing(const struct sl_split *split, LLVMBasicBlockRef block, bool marks)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsATerminatorInst(i) && !may_be_left_out(split, i) && !(marks && is_mark(i)))
            return false;
    return true;
}

/* All ends of the region are one, and nothing that is one for the group is written in it. */
static bool ends_alike(const struct sl_vector_facts *v, LLVMBasicBlockRef *target)
{
    bool found = false;
    for (uint32_t e = 0; e < v->plan.edge_count; e++) {
        if (v->plan.edges[e].to != v->plan.count)
            continue;
        if (found && v->plan.edges[e].target != *target)
            return false;
        found = true;
        *target = v->plan.edges[e].target;
    }
    for (uint32_t b = 0; b < v->plan.count && found; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            const struct sl_slot *slot =
                LLVMIsAStoreInst(i) ? sl_guard_slot_of(&v->g->split, LLVMGetOperand(i, 1)) : NULL;
            if (slot && slot->uniform)
                return false;
        }
    return found;
}

/* From this edge on there is nothing but the region's end. */
static bool leads_out(const struct sl_vector_facts *v, uint32_t edge)
{
    for (uint32_t steps = 0; steps < v->plan.count; steps++) {
        uint32_t to = v->plan.edges[edge].to;
        if (to == v->plan.count)
            return true;
        const struct sl_vector_block *block = &v->plan.blocks[to];
        if (block->out_count != 1 || !does_nothing(&v->g->split, block->ref, false))
            return false;
        edge = block->out[0];
    }
    return false;
}

/* Where the region parts, nothing having been done so far; NULL: it does something first. */
static const struct sl_vector_block *find_parting(const struct sl_vector_facts *v)
{
    const struct sl_vector_block *block = &v->plan.blocks[0];
    if (v->g->sub_groups || block->in_count)
        return NULL;
    while (block->out_count == 1 && does_nothing(&v->g->split, block->ref, false)) {
        uint32_t next = v->plan.edges[block->out[0]].to;
        if (next == v->plan.count || v->plan.blocks[next].in_count != 1)
            return NULL;
        block = &v->plan.blocks[next];
    }
    if (block->out_count != 2 || !does_nothing(&v->g->split, block->ref, false))
        return NULL;
    return LLVMIsABranchInst(LLVMGetBasicBlockTerminator(block->ref)) ? block : NULL;
}

/* Items that take edges of which that is so do not run. */
static bool read_parting(const struct sl_vector_facts *v, const struct sl_vector_block *block,
                         bool (*is_out)(const struct sl_vector_facts *, uint32_t edge),
                         struct sl_vector_guard *guard)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block->ref);
    for (uint32_t s = 0; s < 2; s++)
        if (is_out(v, block->out[s]) && sl_guard_read_branch(&v->g->split, branch, s == 1, guard))
            return true;
    return false;
}

bool sl_vector_find_guard(const struct sl_vector_facts *v, struct sl_vector_guard *guard)
{
    LLVMBasicBlockRef end = NULL;
    const struct sl_vector_block *block = find_parting(v);
    if (!block || !ends_alike(v, &end) || !read_parting(v, block, leads_out, guard))
        return false;
    guard->end = end;
    return true;
}

/* A variable that is one for the group is set, to what all items set it to. */
static bool is_for_all(const struct sl_split *split, LLVMValueRef i)
{
    const struct sl_slot *slot =
        LLVMIsAStoreInst(i) ? sl_guard_slot_of(split, LLVMGetOperand(i, 1)) : NULL;
    return slot && slot->uniform && !slot->array;
}

static bool does_alike(const struct sl_split *split, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsATerminatorInst(i) && !may_be_left_out(split, i) && !is_for_all(split, i))
            return false;
    return true;
}

/* From this edge on no item does anything but what all of them do alike. */
static bool goes_alike(const struct sl_vector_facts *v, uint32_t edge)
{
    uint32_t *stack = sl_ir_alloc(v->plan.count, sizeof *stack), depth = 0;
    bool *seen = sl_ir_alloc(v->plan.count, sizeof *seen), alike = true;
    if (v->plan.edges[edge].to < v->plan.count)
        stack[depth++] = v->plan.edges[edge].to;
    for (uint32_t k = 0; k < depth; k++)
        seen[stack[k]] = true;
    for (uint32_t k = 0; k < depth && alike; k++) {
        const struct sl_vector_block *block = &v->plan.blocks[stack[k]];
        alike = !block->loop && does_alike(&v->g->split, block->ref);
        for (uint32_t o = 0; o < block->out_count; o++) {
            const uint32_t to = v->plan.edges[block->out[o]].to;
            if (to == v->plan.count || seen[to])
                continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    free(stack);
    free(seen);
    return alike;
}

bool sl_vector_find_turns(const struct sl_vector_facts *v, struct sl_vector_guard *guard)
{
    const struct sl_vector_block *block = find_parting(v);
    bool asks_for_id = false;
    if (!block || !read_parting(v, block, goes_alike, guard))
        return false;
    for (uint32_t k = 0; k < guard->limit_count; k++)
        asks_for_id |= guard->limits[k].id != NULL;
    return asks_for_id;
}

/* ---- leaving in front of barriers ------------------------------------------------------------ */

/* Of what was stored anywhere; the rest follows from ids and arguments. */
static bool reads_memory(LLVMValueRef value, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || LLVMIsACallInst(value))
        return false;
    if (!depth)
        return true; /* who knows */
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        if (reads_memory(LLVMGetOperand(value, (unsigned)k), depth - 1))
            return true;
    return LLVMIsALoadInst(value);
}

static bool is_return(LLVMBasicBlockRef block)
{
    return LLVMIsAReturnInst(LLVMGetFirstInstruction(block));
}

static bool has_barrier(const struct sl_split *split)
{
    for (uint32_t b = 0; b < split->barrier_count; b++)
        if (!split->barriers[b].inner)
            return true;
    return false;
}

struct sl_vector_guard *sl_vector_take_leave(struct sl_split *split)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(split->first);
    struct sl_vector_guard guard;
    if (split->apart || split->compacts || !has_barrier(split) ||
        !does_nothing(split, split->first, true) || !LLVMIsABranchInst(branch) ||
        !LLVMIsConditional(branch))
        return NULL;
    unsigned leaves = is_return(LLVMGetSuccessor(branch, 0)) ? 0 : 1;
    LLVMBasicBlockRef stay = LLVMGetSuccessor(branch, 1 - leaves);
    if (!is_return(LLVMGetSuccessor(branch, leaves)) || is_return(stay) ||
        !sl_guard_read_branch(split, branch, leaves == 1, &guard) ||
        guard.limits[0].kind == SL_LIMIT_ONLY || guard.begins_late ||
        reads_memory(LLVMGetCondition(branch), FARTHEST))
        return NULL;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(branch)));
    LLVMPositionBuilderBefore(builder, branch);
    LLVMBuildBr(builder, stay);
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(branch);
    struct sl_vector_guard *leave = sl_ir_alloc(1, sizeof *leave);
    *leave = guard;
    return leave;
}

static bool is_inside(const struct sl_vector_facts *v, LLVMBasicBlockRef block)
{
    return sl_vector_number(&v->plan, block) < v->plan.count;
}

/* What a load of a variable that is one for the group sees: a value stored right before, or (the
 * load itself) what the variable is in front of the region; NULL: who knows. */
static LLVMValueRef loaded(const struct sl_vector_facts *v, LLVMValueRef load)
{
    LLVMValueRef variable = LLVMGetOperand(load, 0);
    for (LLVMValueRef i = LLVMGetPreviousInstruction(load); i; i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)
            return LLVMGetOperand(i, 0);
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && is_inside(v, LLVMGetInstructionParent(user)))
            return NULL;
    }
    return load;
}

/* There may be one way only to come to the phi here. */
static LLVMValueRef given(const struct sl_vector_facts *v, LLVMValueRef phi)
{
    LLVMValueRef found = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (!is_inside(v, LLVMGetIncomingBlock(phi, k)))
            continue;
        if (found)
            return NULL;
        found = LLVMGetIncomingValue(phi, k);
    }
    return found;
}

LLVMValueRef sl_guard_in_front(const struct sl_vector_facts *v, LLVMValueRef value)
{
    for (unsigned steps = 0; value && steps < DEEPEST; steps++) {
        LLVMValueRef from = LLVMIsALoadInst(value)  ? loaded(v, value)
                            : LLVMIsAPHINode(value) ? given(v, value)
                                                    : value;
        if (from == value)
            return value;
        value = from;
    }
    return NULL;
}

/* Computed in front of the region it is what its items see. */
static bool stays(const struct sl_vector_facts *v, LLVMValueRef value, unsigned depth)
{
    LLVMValueRef from = depth ? sl_guard_in_front(v, value) : NULL;
    if (!from || (from != value && !sl_guard_is_same(&v->g->split, from)))
        return false;
    for (int k = 0; LLVMIsAInstruction(from) && !LLVMIsALoadInst(from) && !LLVMIsACallInst(from) &&
                    k < LLVMGetNumOperands(from);
         k++)
        if (!stays(v, LLVMGetOperand(from, (unsigned)k), depth - 1))
            return false;
    return true;
}

/* An item's id itself, or what is computed of it where all items do: elsewhere "does not wrap" is
 * only said for those that come there, and the number may be anything for the row's first one. */
static bool grows_all_along(const struct sl_vector_facts *v, uint32_t block, LLVMValueRef id)
{
    enum sl_wi what;
    unsigned dim;
    while (LLVMIsASExtInst(id) || LLVMIsAZExtInst(id))
        id = LLVMGetOperand(id, 0);
    return sl_wi_parse(id, &what, &dim) || !sl_vector_may_pass_by(&v->plan, block);
}

bool sl_vector_find_split(const struct sl_vector_facts *v, struct sl_vector_guard *split)
{
    if (v->g->sub_groups || v->g->facts->in_step)
        return false;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(v->plan.blocks[b].ref);
        if (v->plan.blocks[b].out_count != 2 || !LLVMIsABranchInst(branch))
            continue;
        LLVMValueRef condition = LLVMGetCondition(branch);
        *split = (struct sl_vector_guard){.condition = condition, .runs_if = true};
        if (!LLVMIsAICmpInst(condition) || !is_inside(v, LLVMGetInstructionParent(condition)))
            continue;
        split->runs_if = sl_guard_read_order(&v->g->split, condition, true, split);
        if ((split->runs_if || sl_guard_read_order(&v->g->split, condition, false, split)) &&
            !split->begins_late && grows_all_along(v, b, split->limits[0].id) &&
            stays(v, condition, FARTHEST))
            return true;
    }
    return false;
}

/* ---- what most of a row does ----------------------------------------------------------------- */

#define SMALL                                                                                      \
    64 /* the most items are from such a number on, and below one that is not known yet            \
        */

/* Of the two ways at a comparison of an id: the one that more items are thought to take. */
static bool is_for_more(const struct sl_vector_guard *side)
{
    const struct sl_vector_limit *l = &side->limits[0];
    bool small = LLVMIsAConstantInt(l->limit) && LLVMConstIntGetSExtValue(l->limit) < SMALL;
    return l->kind == SL_LIMIT_NOT || sl_limit_begins_late(l) == small;
}

bool sl_vector_find_side(const struct sl_vector_facts *v, uint32_t block,
                         struct sl_vector_guard *side)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(v->plan.blocks[block].ref);
    if (v->g->sub_groups || v->plan.blocks[block].out_count != 2 || !LLVMIsABranchInst(branch))
        return false;
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (!LLVMIsAInstruction(condition) || !is_inside(v, LLVMGetInstructionParent(condition)))
        return false;
    bool found = false;
    for (unsigned k = 0; k < 2; k++) {
        struct sl_vector_guard one = {.condition = condition, .runs_if = k, .partly = true};
        if (!sl_guard_read_condition(&v->g->split, condition, k, &one, SL_VECTOR_MOST_LIMITS) ||
            (found && !is_for_more(&one)) || !stays(v, condition, FARTHEST))
            continue;
        *side = one;
        found = true;
    }
    for (uint32_t k = 0; k < side->limit_count && found; k++)
        found = !side->limits[k].id || grows_all_along(v, block, side->limits[k].id);
    return found;
}

/* ---- numbers that a mask leaves as they are -------------------------------------------------- */

bool sl_vector_find_within(const struct sl_vector_facts *v, uint32_t block, LLVMValueRef i,
                           struct sl_vector_guard *side)
{
    uint64_t mask;
    if (v->g->sub_groups || LLVMGetInstructionOpcode(i) != LLVMAnd ||
        !sl_affine_is_constant(LLVMGetOperand(i, 1), &mask) || mask < LEAST_MASK ||
        !sl_affine_is_low_mask(mask))
        return false;
    LLVMValueRef id = LLVMGetOperand(i, 0), limit = LLVMGetOperand(i, 1);
    if (!sl_guard_counts(&v->g->split, id, false) || sl_vector_may_pass_by(&v->plan, block) ||
        !stays(v, id, FARTHEST))
        return false;
    *side = (struct sl_vector_guard){.condition = i, .runs_if = true, .partly = true};
    return sl_guard_add_limit(side, (struct sl_vector_limit){SL_LIMIT_UP_TO, id, limit, false});
}
