/* SPDX-License-Identifier: Apache-2.0 */
/* See search.h. No shared state. */
#include "vector/cost/search.h"

#include "vector/analysis/shape.h"

#define FARTHEST 8 /* operations that are looked back */
#define FUEL 300   /* for one choice */

struct search {
    LLVMValueRef choice;
    unsigned fuel;
};

static bool stops(struct search *s, LLVMValueRef value, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || !depth || !s->fuel)
        return true;
    s->fuel--;
    return false;
}

/* Is this the choice, as it comes around the loop? */
static bool is_choice(struct search *s, LLVMValueRef value, unsigned depth)
{
    if (value == s->choice)
        return true;
    if (stops(s, value, depth) || !LLVMIsAPHINode(value))
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(value); k++)
        if (is_choice(s, LLVMGetIncomingValue(value, k), depth - 1))
            return true;
    return false;
}

static bool is_computed(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsACmpInst(value) ||
           LLVMIsASelectInst(value) || LLVMIsAGetElementPtrInst(value) || LLVMIsAFreezeInst(value);
}

/* Does an address follow from the choice of the round before? */
static bool follows(struct search *s, LLVMValueRef value, unsigned depth)
{
    if (stops(s, value, depth))
        return false;
    if (LLVMIsAPHINode(value))
        return is_choice(s, value, 3);
    for (int k = 0; is_computed(value) && k < LLVMGetNumOperands(value); k++)
        if (follows(s, LLVMGetOperand(value, (unsigned)k), depth - 1))
            return true;
    return false;
}

/* Does the question ask what was loaded from such an address? */
static bool asks_memory(struct search *s, LLVMValueRef value, unsigned depth)
{
    if (stops(s, value, depth))
        return false;
    if (LLVMIsALoadInst(value))
        return follows(s, LLVMGetOperand(value, 0), FARTHEST);
    for (int k = 0; is_computed(value) && k < LLVMGetNumOperands(value); k++)
        if (asks_memory(s, LLVMGetOperand(value, (unsigned)k), depth - 1))
            return true;
    return false;
}

static bool is_varying_number(const struct sl_vector_facts *v, LLVMValueRef i)
{
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
           sl_vector_shape(v, i).kind == SL_SHAPE_VARYING;
}

bool sl_vector_is_search(const struct sl_vector_facts *v, LLVMValueRef i)
{
    struct search s = {.choice = i, .fuel = FUEL};
    return LLVMIsASelectInst(i) && is_varying_number(v, i) &&
           asks_memory(&s, LLVMGetOperand(i, 0), FARTHEST);
}

bool sl_vector_is_merge_step(const struct sl_vector_facts *v, LLVMValueRef i)
{
    struct search s = {.choice = i, .fuel = FUEL};
    if (!LLVMIsABinaryOperator(i) || LLVMGetInstructionOpcode(i) != LLVMAdd ||
        !is_varying_number(v, i))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef truth = LLVMGetOperand(i, k);
        if ((LLVMIsAZExtInst(truth) || LLVMIsASExtInst(truth)) &&
            asks_memory(&s, LLVMGetOperand(truth, 0), FARTHEST))
            return true;
    }
    return false;
}
