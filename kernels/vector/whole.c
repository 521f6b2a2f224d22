/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is stored as it lies in memory: vectors of an item that came from memory and met others only
 * element by element need not be taken apart into lanes and put together again (quads.c). Such a
 * value is made a second time, in memory's order, where it is stored; who else wants it has it by
 * lanes, and what nobody wants is removed later. No shared state.
 */
#include "vector/vector.h"

#include "compiler/shim/pass_support.h"

enum {
    MOST_NODES = 24,
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
};

static bool is_uniform(const struct sl_vector *v, LLVMValueRef value)
{
    return sl_vector_shape_at(v, value, v->block).kind <= SL_SHAPE_UNIFORM;
}

/* Of one item's number: all elements are it. NULL: another shuffle. */
static LLVMValueRef repeated_scalar(LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
        if (LLVMGetMaskValue(i, k) != 0)
            return NULL;
    bool first = LLVMIsAInsertElementInst(from) && LLVMIsAConstantInt(LLVMGetOperand(from, 2)) &&
                 LLVMConstIntGetZExtValue(LLVMGetOperand(from, 2)) == 0;
    return first ? LLVMGetOperand(from, 1) : NULL;
}

/* The same elements in another order. */
static bool is_reordering(const struct tree *t, LLVMValueRef i)
{
    bool all = LLVMGetNumMaskElements(i) == t->count &&
               sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0))) == t->count;
    for (unsigned k = 0; all && k < t->count; k++)
        all = LLVMGetMaskValue(i, k) >= 0 && (uint32_t)LLVMGetMaskValue(i, k) < t->count;
    return all;
}

static bool is_elementwise(const struct tree *t, LLVMValueRef i)
{
    if (LLVMIsACastInst(i)) /* some casts regroup */
        return sl_vector_part_count(LLVMTypeOf(LLVMGetOperand(i, 0))) == t->count;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFNeg:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFreeze:
        return true;
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMVectorTypeKind;
    case LLVMCall:
        return sl_vector_is_elementwise_call(i);
    default:
        return false;
    }
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
static bool is_of_this_turn(struct sl_vector *v, LLVMValueRef value)
{
    const struct sl_vector_value *known = sl_vector_value(v, value);
    const struct sl_vector_plan *plan = &v->plan;
    return known && v->block < plan->count && known->block < plan->count &&
           plan->blocks[known->block].loop == plan->blocks[v->block].loop;
}

/* It can be had: what only its own block uses is kept nowhere for later ones if items may pass that
 * block by. */
static bool is_at_hand(struct sl_vector *v, LLVMValueRef value)
{
    const struct sl_vector_value *known = sl_vector_value(v, value);
    return !known || known->in_cells || known->block == v->block || known->block >= v->plan.count ||
           !sl_vector_may_pass_by(&v->plan, known->block);
}

/* From the value that is stored to what is known in memory's order; false: there are others. */
static bool explore(struct tree *t, LLVMValueRef value)
{
    struct sl_vector *v = t->v;
    if (is_in(t, value))
        return true;
    if (is_uniform(v, value))
        return is_at_hand(v, value);
    if (!LLVMIsAInstruction(value) || !is_of_this_turn(v, value) || t->nodes.count == MOST_NODES)
        return false;
    sl_list_add(&t->nodes, value);
    if (sl_map_get(&v->wholes, value))
        return true;
    if (LLVMIsAShuffleVectorInst(value)) {
        t->cost += MADE_TWICE;
        LLVMValueRef scalar = repeated_scalar(value);
        return scalar ? LLVMGetNumMaskElements(value) == t->count && is_at_hand(v, scalar)
                      : is_reordering(t, value) && explore(t, LLVMGetOperand(value, 0));
    }
    bool all = is_elementwise(t, value);
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

/* ---- memory's order ------------------------------------------------------------------------- */

/* An element for each of all items' elements: of one item's vector or of one number per item, or
 * another of the same item. */
static LLVMValueRef shuffled(const struct tree *t, LLVMValueRef from, LLVMValueRef reordering,
                             bool by_item)
{
    LLVMValueRef numbers[64 * SL_VECTOR_MOST_PARTS];
    uint32_t all = t->v->lanes * t->count;
    for (uint32_t n = 0; n < all; n++) {
        uint32_t item = n / t->count, k = n % t->count;
        uint32_t element = reordering ? (uint32_t)LLVMGetMaskValue(reordering, k) : k;
        uint32_t at = by_item ? item : reordering ? item * t->count + element : k;
        numbers[n] = sl_emit_i32(&t->v->g->e, at);
    }
    return LLVMBuildShuffleVector(t->v->g->e.builder, from, LLVMGetPoison(LLVMTypeOf(from)),
                                  LLVMConstVector(numbers, all), "");
}

static LLVMValueRef make(struct tree *t, LLVMValueRef value);

static LLVMValueRef operation(struct tree *t, LLVMValueRef i, LLVMValueRef *x)
{
    LLVMBuilderRef b = t->v->g->e.builder;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (LLVMIsACastInst(i)) {
        LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(i));
        return LLVMBuildCast(b, op, x[0], LLVMVectorType(element, t->v->lanes * t->count), "");
    }
    switch (op) {
    case LLVMFNeg:
        return LLVMBuildFNeg(b, x[0], "");
    case LLVMFreeze:
        return LLVMBuildFreeze(b, x[0], "");
    case LLVMICmp:
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(i), x[0], x[1], "");
    case LLVMFCmp:
        return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(i), x[0], x[1], "");
    case LLVMSelect:
        return LLVMBuildSelect(b, x[0], x[1], x[2], "");
    default:
        return LLVMBuildBinOp(b, op, x[0], x[1], "");
    }
}

static LLVMValueRef make_elementwise(struct tree *t, LLVMValueRef i)
{
    LLVMValueRef x[4], now;
    for (unsigned k = 0; k < operand_count(i); k++)
        x[k] = make(t, LLVMGetOperand(i, k));
    if (LLVMIsACallInst(i))
        return sl_vector_elementwise_call(t->v, i, x);
    now = operation(t, i, x);
    if (LLVMIsAInstruction(now))
        sl_llvm_copy_flags(i, now);
    return now;
}

static LLVMValueRef make(struct tree *t, LLVMValueRef value)
{
    struct sl_vector *v = t->v;
    LLVMValueRef now = sl_map_get(&t->made, value), loaded = sl_map_get(&v->wholes, value);
    if (now)
        return now;
    if (loaded)
        return LLVMBuildLoad2(v->g->e.builder, LLVMGetAllocatedType(loaded), loaded, "");
    if (is_uniform(v, value))
        return shuffled(t, sl_vector_scalar(v, value), NULL, false);
    if (!LLVMIsAShuffleVectorInst(value))
        now = make_elementwise(t, value);
    else if (repeated_scalar(value))
        now = shuffled(t, sl_vector_part(v, repeated_scalar(value), 0), NULL, true);
    else
        now = shuffled(t, make(t, LLVMGetOperand(value, 0)), value, false);
    sl_map_set(&t->made, value, now);
    return now;
}

/* A block that all lanes run may have another copy for when some do: both store it. */
void sl_vector_keep_whole(struct sl_vector *v, LLVMValueRef load, LLVMValueRef all)
{
    LLVMValueRef variable = sl_map_get(&v->wholes, load);
    LLVMTypeRef type = LLVMTypeOf(all);
    if (!sl_vector_has_quads(v, LLVMGetElementType(type), sl_vector_part_count(LLVMTypeOf(load))))
        return;
    if (!variable) {
        variable = sl_emit_entry_alloca(&v->g->e, v->g->function, type, 0, "whole");
        sl_map_set(&v->wholes, load, variable);
    }
    LLVMBuildStore(v->g->e.builder, all, variable);
}

LLVMValueRef sl_vector_whole(struct sl_vector *v, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), now = NULL;
    LLVMTypeRef type = LLVMTypeOf(value);
    struct tree t = {.v = v, .count = sl_vector_part_count(type)};
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
        sl_vector_has_quads(v, LLVMGetElementType(type), t.count) && explore(&t, value) &&
        pays(&t, store))
        now = make(&t, value);
    sl_list_finish(&t.nodes);
    sl_map_finish(&t.made);
    return now;
}
