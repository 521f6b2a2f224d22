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

#include <string.h>

#include "ir/affine/affine_modulo.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include "items/item_shape.h"
#include "items/work_item.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "llvm/loops/counts/loop_marks.h"
#include "llvm/pass_support.h"

#define DEEPEST 8              /* operations between the id and the comparison */
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

static bool is_slot_for_all(const struct sl_split *split, LLVMValueRef load)
{
    const struct sl_slot *slot = sl_guard_slot_of(split, LLVMGetOperand(load, 0));
    return slot && slot->uniform && !slot->array && slot->type == LLVMTypeOf(load);
}

/* Can guard_count.c make the instruction anew in front of the row? Of two operands at most. */
static bool can_be_made(const struct sl_split *split, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return is_slot_for_all(split, i);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMICmp:
        return true;
    default:
        return false;
    }
}

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    const struct sl_split *split = a->user;
    bool number = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
    if (number && sl_item_shape(a, value, shape))
        return true;
    bool made = number && LLVMIsAInstruction(value) && can_be_made(split, value);
    if (made && !LLVMIsALoadInst(value))
        return false;
    bool same = number && (made || LLVMIsAConstantInt(value) || LLVMIsAArgument(value));
    *shape = same ? sl_shape_uniform() : sl_shape_varying();
    return true;
}

/* Others that do are seldom what parts a row in two large parts. */
static bool may_count(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMAdd || op == LLVMSub || op == LLVMSExt || op == LLVMZExt;
}

static struct sl_shape shape_of(const struct sl_split *split, LLVMValueRef value)
{
    struct sl_affine affine = {.deepest = DEEPEST,
                               .known = known,
                               .user = (void *)(uintptr_t)split,
                               .may_count = may_count};
    struct sl_shape shape = sl_affine_shape(&affine, value);
    sl_affine_finish(&affine);
    return shape;
}

static bool is_same(const struct sl_split *split, LLVMValueRef value)
{
    return shape_of(split, value).kind == SL_SHAPE_UNIFORM;
}

/* It grows by one from item to item of a row: as a signed or unsigned number, without ever
 * wrapping. */
static bool counts(const struct sl_split *split, LLVMValueRef value, bool sign)
{
    struct sl_shape shape = shape_of(split, value);
    return shape.kind == SL_SHAPE_LINEAR && shape.stride == 1 && (sign ? shape.nsw : shape.nuw);
}

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

static const struct order {
    LLVMIntPredicate as_is, swapped, inverse;
    enum sl_vector_limit_kind kind;
    bool sign;
} orders[] = {
    {LLVMIntSLT, LLVMIntSGT, LLVMIntSGE, SL_LIMIT_BELOW, true},
    {LLVMIntSLE, LLVMIntSGE, LLVMIntSGT, SL_LIMIT_UP_TO, true},
    {LLVMIntSGT, LLVMIntSLT, LLVMIntSLE, SL_LIMIT_ABOVE, true},
    {LLVMIntSGE, LLVMIntSLE, LLVMIntSLT, SL_LIMIT_FROM, true},
    {LLVMIntULT, LLVMIntUGT, LLVMIntUGE, SL_LIMIT_BELOW, false},
    {LLVMIntULE, LLVMIntUGE, LLVMIntUGT, SL_LIMIT_UP_TO, false},
    {LLVMIntUGT, LLVMIntULT, LLVMIntULE, SL_LIMIT_ABOVE, false},
    {LLVMIntUGE, LLVMIntULE, LLVMIntULT, SL_LIMIT_FROM, false},
};

static const struct order *find_order(LLVMIntPredicate p)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i].as_is == p)
            return &orders[i];
    return NULL;
}

static bool add_limit(struct sl_vector_guard *guard, struct sl_vector_limit limit)
{
    if (guard->limit_count == SL_VECTOR_MOST_LIMITS)
        return false;
    guard->limits[guard->limit_count++] = limit;
    guard->begins_late |= sl_limit_begins_late(&limit);
    return true;
}

static bool read_equal(const struct sl_split *split, LLVMValueRef compare,
                       struct sl_vector_guard *guard)
{
    for (unsigned k = 0; k < 2; k++) {
        struct sl_vector_limit only = {.kind = SL_LIMIT_ONLY};
        only.id = LLVMGetOperand(compare, k);
        only.limit = LLVMGetOperand(compare, !k);
        if (counts(split, only.id, true) && is_same(split, only.limit))
            return add_limit(guard, only);
    }
    return false;
}

static bool read_order(const struct sl_split *split, LLVMValueRef compare, bool runs_if,
                       struct sl_vector_guard *guard)
{
    const struct order *order = find_order(LLVMGetICmpPredicate(compare));
    if (order && !runs_if)
        order = find_order(order->inverse);
    for (unsigned k = 0; k < 2 && order; k++, order = find_order(order->swapped)) {
        struct sl_vector_limit limit = {.kind = order->kind, .sign = order->sign};
        limit.id = LLVMGetOperand(compare, k);
        limit.limit = LLVMGetOperand(compare, !k);
        if (counts(split, limit.id, limit.sign) && is_same(split, limit.limit))
            return add_limit(guard, limit);
    }
    return false;
}

/* `id > 0` of numbers without a sign. */
static bool read_not_zero(const struct sl_split *split, LLVMValueRef compare, bool runs_if,
                          struct sl_vector_guard *guard)
{
    LLVMValueRef id = LLVMGetOperand(compare, 0), zero = LLVMGetOperand(compare, 1);
    if (LLVMGetICmpPredicate(compare) != (runs_if ? LLVMIntNE : LLVMIntEQ) ||
        !LLVMIsAConstantInt(zero) || !LLVMIsNull(zero) || !counts(split, id, false))
        return false;
    return add_limit(guard, (struct sl_vector_limit){SL_LIMIT_ABOVE, id, zero, false});
}

/* `id != limit`, of which the items on one side of it are a run. */
static bool read_unequal(const struct sl_split *split, LLVMValueRef compare, bool runs_if,
                         struct sl_vector_guard *guard)
{
    if (LLVMGetICmpPredicate(compare) != (runs_if ? LLVMIntNE : LLVMIntEQ))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        struct sl_vector_limit limit = {.kind = SL_LIMIT_NOT};
        limit.id = LLVMGetOperand(compare, k);
        limit.limit = LLVMGetOperand(compare, !k);
        for (unsigned sign = 0; sign < 2; sign++)
            if (counts(split, limit.id, sign) && is_same(split, limit.limit))
                return add_limit(guard, limit);
    }
    return false;
}

/* The operands of "a and b", or of what is false only where both are; with or without evaluating
 * the second one if the first one decides. */
static bool is_joined(LLVMValueRef value, bool by_and, LLVMValueRef parts[2])
{
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op == (by_and ? LLVMAnd : LLVMOr)) {
        parts[0] = LLVMGetOperand(value, 0);
        parts[1] = LLVMGetOperand(value, 1);
        return true;
    }
    if (op != LLVMSelect)
        return false;
    LLVMValueRef decided = LLVMGetOperand(value, by_and ? 2 : 1);
    parts[0] = LLVMGetOperand(value, 0);
    parts[1] = LLVMGetOperand(value, by_and ? 1 : 2);
    return LLVMIsAConstantInt(decided) && LLVMConstIntGetZExtValue(decided) == !by_and;
}

static bool read_condition(const struct sl_split *split, LLVMValueRef value, bool runs_if,
                           struct sl_vector_guard *guard, unsigned depth)
{
    LLVMValueRef parts[2];
    if (!depth--)
        return false;
    if (is_same(split, value))
        return add_limit(guard,
                         (struct sl_vector_limit){.kind = runs_if ? SL_LIMIT_IF : SL_LIMIT_UNLESS,
                                                  .limit = value});
    if (LLVMIsAICmpInst(value))
        return read_order(split, value, runs_if, guard) ||
               read_not_zero(split, value, runs_if, guard) ||
               (guard->partly && read_unequal(split, value, runs_if, guard));
    /* The second first: it may be no number at all where the first one says no. */
    return is_joined(value, runs_if, parts) &&
           read_condition(split, parts[1], runs_if, guard, depth) &&
           read_condition(split, parts[0], runs_if, guard, depth);
}

static bool read_branch(const struct sl_split *split, LLVMValueRef branch, bool runs_if,
                        struct sl_vector_guard *guard)
{
    LLVMValueRef condition = LLVMGetCondition(branch);
    *guard = (struct sl_vector_guard){.condition = condition, .runs_if = runs_if};
    if (!LLVMIsAInstruction(condition))
        return false;
    if (LLVMIsAICmpInst(condition) &&
        LLVMGetICmpPredicate(condition) == (runs_if ? LLVMIntEQ : LLVMIntNE) &&
        read_equal(split, condition, guard))
        return true;
    return read_condition(split, condition, runs_if, guard, SL_VECTOR_MOST_LIMITS);
}

bool sl_vector_find_guard(const struct sl_vector_facts *v, struct sl_vector_guard *guard)
{
    LLVMBasicBlockRef end = NULL;
    const struct sl_vector_block *block = &v->plan.blocks[0];
    if (v->g->sub_groups || block->in_count || !ends_alike(v, &end))
        return false;
    while (block->out_count == 1 && does_nothing(&v->g->split, block->ref, false)) {
        uint32_t next = v->plan.edges[block->out[0]].to;
        if (next == v->plan.count || v->plan.blocks[next].in_count != 1)
            return false;
        block = &v->plan.blocks[next];
    }
    if (block->out_count != 2 || !does_nothing(&v->g->split, block->ref, false))
        return false;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block->ref);
    if (!LLVMIsABranchInst(branch))
        return false;
    for (uint32_t s = 0; s < 2; s++)
        if (leads_out(v, block->out[s]) && read_branch(&v->g->split, branch, s == 1, guard)) {
            guard->end = end;
            return true;
        }
    return false;
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
        !read_branch(split, branch, leaves == 1, &guard) || guard.limits[0].kind == SL_LIMIT_ONLY ||
        guard.begins_late || reads_memory(LLVMGetCondition(branch), FARTHEST))
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
    if (!from || (from != value && !is_same(&v->g->split, from)))
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
        split->runs_if = read_order(&v->g->split, condition, true, split);
        if ((split->runs_if || read_order(&v->g->split, condition, false, split)) &&
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
        if (!read_condition(&v->g->split, condition, k, &one, SL_VECTOR_MOST_LIMITS) ||
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
    if (!counts(&v->g->split, id, false) || sl_vector_may_pass_by(&v->plan, block) ||
        !stays(v, id, FARTHEST))
        return false;
    *side = (struct sl_vector_guard){.condition = i, .runs_if = true, .partly = true};
    return add_limit(side, (struct sl_vector_limit){SL_LIMIT_UP_TO, id, limit, false});
}
