/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on ids, read as limits of a guard. No shared state. */
#include "vector/analysis/guard_limits.h"

#include "ir/affine/affine_modulo.h"
#include "items/item_shape.h"
#include "llvm/pass_support.h"

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
    struct sl_affine affine = {.deepest = SL_GUARD_DEEPEST,
                               .known = known,
                               .user = (void *)(uintptr_t)split,
                               .may_count = may_count};
    struct sl_shape shape = sl_affine_shape(&affine, value);
    sl_affine_finish(&affine);
    return shape;
}

bool sl_guard_is_same(const struct sl_split *split, LLVMValueRef value)
{
    return shape_of(split, value).kind == SL_SHAPE_UNIFORM;
}

bool sl_guard_counts(const struct sl_split *split, LLVMValueRef value, bool sign)
{
    struct sl_shape shape = shape_of(split, value);
    return shape.kind == SL_SHAPE_LINEAR && shape.stride == 1 && (sign ? shape.nsw : shape.nuw);
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

bool sl_guard_add_limit(struct sl_vector_guard *guard, struct sl_vector_limit limit)
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
        if (sl_guard_counts(split, only.id, true) && sl_guard_is_same(split, only.limit))
            return sl_guard_add_limit(guard, only);
    }
    return false;
}

bool sl_guard_read_order(const struct sl_split *split, LLVMValueRef compare, bool runs_if,
                         struct sl_vector_guard *guard)
{
    const struct order *order = find_order(LLVMGetICmpPredicate(compare));
    if (order && !runs_if)
        order = find_order(order->inverse);
    for (unsigned k = 0; k < 2 && order; k++, order = find_order(order->swapped)) {
        struct sl_vector_limit limit = {.kind = order->kind, .sign = order->sign};
        limit.id = LLVMGetOperand(compare, k);
        limit.limit = LLVMGetOperand(compare, !k);
        if (sl_guard_counts(split, limit.id, limit.sign) && sl_guard_is_same(split, limit.limit))
            return sl_guard_add_limit(guard, limit);
    }
    return false;
}

/* `id > 0` of numbers without a sign. */
static bool read_not_zero(const struct sl_split *split, LLVMValueRef compare, bool runs_if,
                          struct sl_vector_guard *guard)
{
    LLVMValueRef id = LLVMGetOperand(compare, 0), zero = LLVMGetOperand(compare, 1);
    if (LLVMGetICmpPredicate(compare) != (runs_if ? LLVMIntNE : LLVMIntEQ) ||
        !LLVMIsAConstantInt(zero) || !LLVMIsNull(zero) || !sl_guard_counts(split, id, false))
        return false;
    return sl_guard_add_limit(guard, (struct sl_vector_limit){SL_LIMIT_ABOVE, id, zero, false});
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
            if (sl_guard_counts(split, limit.id, sign) && sl_guard_is_same(split, limit.limit))
                return sl_guard_add_limit(guard, limit);
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

bool sl_guard_read_condition(const struct sl_split *split, LLVMValueRef value, bool runs_if,
                             struct sl_vector_guard *guard, unsigned depth)
{
    LLVMValueRef parts[2];
    if (!depth--)
        return false;
    if (sl_guard_is_same(split, value))
        return sl_guard_add_limit(
            guard, (struct sl_vector_limit){.kind = runs_if ? SL_LIMIT_IF : SL_LIMIT_UNLESS,
                                            .limit = value});
    if (LLVMIsAICmpInst(value))
        return sl_guard_read_order(split, value, runs_if, guard) ||
               read_not_zero(split, value, runs_if, guard) ||
               (guard->partly && read_unequal(split, value, runs_if, guard));
    /* The second first: it may be no number at all where the first one says no. */
    return is_joined(value, runs_if, parts) &&
           sl_guard_read_condition(split, parts[1], runs_if, guard, depth) &&
           sl_guard_read_condition(split, parts[0], runs_if, guard, depth);
}

bool sl_guard_read_branch(const struct sl_split *split, LLVMValueRef branch, bool runs_if,
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
    return sl_guard_read_condition(split, condition, runs_if, guard, SL_VECTOR_MOST_LIMITS);
}
