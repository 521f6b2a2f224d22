/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is stored as it lies in memory: vectors of an item that came from memory and met others only
 * element by element need not be taken apart into lanes and put together again (quads.c). Such a
 * value is made a second time, in memory's order, where it is stored; who else wants it has it by
 * lanes, and what nobody wants is removed later. No shared state.
 */
#include "vector/memory/memory_order.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/image_call.h"
#include "vector/analysis/shape.h"
#include "vector/memory/quads.h"
#include "vector/memory/speculative_access.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

enum {
    MOST_NODES = 24,
    DEEPEST = 4,
    /* Instructions for eight items and four words: of what is made twice, of what stays in
     * registers in both orders, of putting parts together. */
    MADE_TWICE = 4,
    KEPT_TWICE = 8,
    PUT_TOGETHER = 10,
};

struct tree {
    struct sl_vector *v;
    uint32_t count; /* elements of each value */
    struct sl_list nodes;
    struct sl_map made; /* of these, in memory's order */
    uint32_t cost;
    bool read; /* some of them are read from images, which makes them in memory's order */
};

static bool is_uniform(const struct sl_vector *v, LLVMValueRef value)
{
    return sl_vector_shape_at(&v->facts, value, v->now.block).kind <= SL_SHAPE_UNIFORM;
}

static bool is_in(const struct tree *t, LLVMValueRef value)
{
    for (size_t n = 0; n < t->nodes.count; n++)
        if (t->nodes.items[n] == value)
            return true;
    return false;
}

static unsigned operand_count(LLVMValueRef i)
{
    return LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
}

/* What is made of it now is what it was made of: no loop lies between. */
static bool is_of_this_block(struct sl_vector *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(&v->facts, value);
    const struct sl_vector_plan *plan = &v->facts.plan;
    return known && v->now.block < plan->count && known->block < plan->count &&
           plan->blocks[known->block].loop == plan->blocks[v->now.block].loop;
}

/* It can be had: what only its own block uses is kept nowhere for later ones if items may pass that
 * block by. */
static bool is_at_hand(struct sl_vector *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(&v->facts, value);
    return !known || known->away || known->block == v->now.block ||
           known->block >= v->facts.plan.count ||
           !sl_vector_may_pass_by(&v->facts.plan, known->block);
}

/* From the value that is stored to what is known in memory's order; false: there are others. */
static bool explore(struct tree *t, LLVMValueRef value)
{
    struct sl_vector *v = t->v;
    if (is_in(t, value))
        return true;
    if (is_uniform(v, value) || sl_vector_is_interleaved(&v->facts, value))
        return is_at_hand(v, value);
    if (!LLVMIsAInstruction(value) || !is_of_this_block(v, value) || t->nodes.count == MOST_NODES)
        return false;
    sl_list_add(&t->nodes, value);
    if (sl_map_get(&v->memory.wholes, value)) {
        t->read |= !LLVMIsALoadInst(value);
        return true;
    }
    if (LLVMIsAShuffleVectorInst(value)) {
        t->cost += MADE_TWICE;
        LLVMValueRef scalar = sl_vector_repeated_scalar(value);
        return scalar ? LLVMGetNumMaskElements(value) == t->count && is_at_hand(v, scalar)
                      : sl_vector_is_reordering(value) && explore(t, LLVMGetOperand(value, 0));
    }
    bool all = sl_vector_is_elementwise(value, t->count);
    for (unsigned k = 0; all && k < operand_count(value); k++)
        all = explore(t, LLVMGetOperand(value, k));
    return all;
}

/* Wanted by lanes too. */
static bool has_other_users(const struct tree *t, LLVMValueRef value, LLVMValueRef store)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != store && !is_in(t, LLVMGetUser(use)))
            return true;
    return false;
}

static bool pays(struct tree *t, LLVMValueRef store)
{
    for (size_t n = 0; n < t->nodes.count; n++) {
        LLVMValueRef value = t->nodes.items[n];
        if (!has_other_users(t, value, store))
            continue;
        if (LLVMIsAFreezeInst(value)) /* a second one may be another number */
            return false;
        t->cost += LLVMIsALoadInst(value) ? KEPT_TWICE : MADE_TWICE;
    }
    return t->cost <= PUT_TOGETHER;
}

/* ---- memory's order -------------------------------------------------------------------------- */

static LLVMValueRef make(struct tree *t, LLVMValueRef value);

static LLVMValueRef make_elementwise(struct tree *t, LLVMValueRef i)
{
    LLVMValueRef x[4];
    for (unsigned k = 0; k < operand_count(i); k++)
        x[k] = make(t, LLVMGetOperand(i, k));
    return sl_vector_elementwise(t->v, i, x);
}

static LLVMValueRef make(struct tree *t, LLVMValueRef value)
{
    struct sl_vector *v = t->v;
    LLVMValueRef now = sl_map_get(&t->made, value), loaded = sl_map_get(&v->memory.wholes, value);
    if (now)
        return now;
    if (loaded)
        return LLVMBuildLoad2(v->g->e.builder, LLVMGetAllocatedType(loaded), loaded, "");
    if (is_uniform(v, value) || sl_vector_is_interleaved(&v->facts, value))
        return sl_vector_interleaved(v, value);
    if (!LLVMIsAShuffleVectorInst(value))
        now = make_elementwise(t, value);
    else if (sl_vector_repeated_scalar(value))
        now = sl_vector_to_all(v, sl_vector_part(v, sl_vector_repeated_scalar(value), 0),
                               SL_VECTOR_FROM_NUMBERS, NULL, t->count);
    else
        now = sl_vector_to_all(v, make(t, LLVMGetOperand(value, 0)), SL_VECTOR_FROM_ITEMS, value,
                               t->count);
    sl_map_set(&t->made, value, now);
    return now;
}

/* A block that all lanes run may have another copy for when some do: both store it. */
void sl_vector_keep_whole(struct sl_vector *v, LLVMValueRef load, LLVMValueRef all)
{
    LLVMValueRef variable = sl_map_get(&v->memory.wholes, load);
    LLVMTypeRef type = LLVMTypeOf(all);
    if (LLVMIsALoadInst(load) && !sl_vector_has_quads(&v->facts, LLVMGetElementType(type),
                                                      sl_vector_part_count(LLVMTypeOf(load))))
        return;
    if (!variable) {
        variable = sl_emit_entry_alloca(&v->g->e, v->g->function, type, 0, "whole");
        sl_map_set(&v->memory.wholes, load, variable);
    }
    LLVMBuildStore(v->g->e.builder, all, variable);
}

LLVMValueRef sl_vector_whole(struct sl_vector *v, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), now = NULL;
    LLVMTypeRef type = LLVMTypeOf(value);
    struct tree t = {.v = v, .count = sl_vector_part_count(type)};
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && explore(&t, value) &&
        (t.read || sl_vector_has_quads(&v->facts, LLVMGetElementType(type), t.count)) &&
        pays(&t, store))
        now = make(&t, value);
    sl_list_finish(&t.nodes);
    sl_map_finish(&t.made);
    return now;
}

/* ---- what could be whole --------------------------------------------------------------------- */

/* It can be had in memory's order once it is emitted. */
static bool could_be_whole(const struct sl_vector *v, LLVMValueRef value, uint32_t count,
                           unsigned depth)
{
    if (is_uniform(v, value) || (LLVMIsACallInst(value) && sl_vector_is_image_read(value)))
        return true;
    bool all = depth && LLVMIsAInstruction(value) && sl_vector_is_elementwise(value, count);
    for (unsigned k = 0; all && k < operand_count(value); k++)
        all = could_be_whole(v, LLVMGetOperand(value, k), count, depth - 1);
    return all;
}

/* A store of it, of neighbours, be it unless a number on the way wraps around. */
static bool is_plain_store(const struct sl_vector *v, LLVMValueRef store, LLVMValueRef value)
{
    uint32_t block = sl_vector_number(&v->facts.plan, LLVMGetInstructionParent(store));
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetOperand(store, 0) != value || block >= v->facts.plan.count ||
        LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic ||
        sl_map_get(v->facts.variables, pointer) || sl_vector_array(&v->facts, pointer))
        return false;
    struct sl_shape shape = sl_vector_shape_at(&v->facts, pointer, block);
    if (sl_vector_part_bits(type) != 32)
        return false;
    return (shape.kind == SL_SHAPE_LINEAR &&
            shape.stride == (int64_t)(sl_vector_part_count(type) * 4)) ||
           (shape.kind == SL_SHAPE_VARYING && sl_vector_speculation_pays(&v->facts, store, block));
}

static bool wants_whole(const struct sl_vector *v, LLVMValueRef value, unsigned depth)
{
    uint32_t count = sl_vector_part_count(LLVMTypeOf(value));
    bool all = LLVMGetFirstUse(value) && depth;
    for (LLVMUseRef use = LLVMGetFirstUse(value); all && use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user))
            all = is_plain_store(v, user, value);
        else
            all = could_be_whole(v, user, count, DEEPEST) && wants_whole(v, user, depth - 1);
    }
    return all;
}

bool sl_vector_wants_whole(const struct sl_vector *v, LLVMValueRef read)
{
    return wants_whole(v, read, DEEPEST);
}
