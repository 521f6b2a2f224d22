/* SPDX-License-Identifier: Apache-2.0 */
/* What the affine analysis wants to know of a region's values: shapes, and whether operands are
 * still there. No shared state. */
#include "vector/analysis/speculative_stride.h"

#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define LARGEST (INT64_C(1) << 30) /* step from lane to lane */

/* Operands of what was made in a loop that lanes leave at different times are gone behind it. */
static bool is_at_hand(const struct sl_speculation *g, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(g->v, value);
    const struct sl_vector_plan *plan = &g->v->plan;
    if (!known || known->away)
        return false;
    for (uint32_t l = known->block < plan->count ? plan->blocks[known->block].loop : 0; l;
         l = plan->loops[l - 1].parent)
        if (plan->loops[l - 1].divergent && !sl_vector_loop_has(plan, l, g->block))
            return false;
    return true;
}

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    const struct sl_speculation *g = a->user;
    *shape = sl_vector_shape_at(g->v, value, g->block);
    if (shape->kind == SL_SHAPE_VARYING)
        return !LLVMIsAInstruction(value) || !is_at_hand(g, value) || sl_vector_array(g->v, value);
    if (llabs(shape->stride) > LARGEST)
        *shape = sl_shape_varying();
    return true;
}

/* At a distance from it that the launch brings, as the next plane's. */
static bool adds_brought(LLVMValueRef sum, LLVMValueRef value)
{
    return LLVMIsABinaryOperator(sum) &&
           sl_affine_is_brought(LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == value ? 1 : 0));
}

/* What the value leads to is one place of a memory, and no second one beside it. */
static bool leads_to_one(LLVMValueRef value)
{
    unsigned sums = 0, places = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user))
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(user);
        bool on = op == LLVMGetElementPtr && LLVMGetOperand(user, 0) == value;
        bool sum = op == LLVMAdd || op == LLVMOr || op == LLVMSub;
        sums += on || (sum && !adds_brought(user, value));
        places += (op == LLVMGetElementPtr && !on) || op == LLVMLoad || op == LLVMStore;
    }
    return sums <= 1 && !(sums && places);
}

static bool is_sum(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(value)) || op == LLVMGetElementPtr ||
           LLVMIsACastInst(value);
}

/* A row's begin: `y * pitch`, of a pitch that the launch brings. */
static bool has_pitch(LLVMValueRef value, unsigned deepest)
{
    if (!LLVMIsAInstruction(value) || !deepest)
        return false;
    if (LLVMGetInstructionOpcode(value) == LLVMMul)
        return sl_affine_is_brought(LLVMGetOperand(value, 0)) ||
               sl_affine_is_brought(LLVMGetOperand(value, 1));
    if (!is_sum(value) || LLVMIsAGetElementPtrInst(value))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        if (has_pitch(LLVMGetOperand(value, k), deepest - 1))
            return true;
    return false;
}

/* The same for all lanes, and the same in all rounds if it is an address; then a pointer to an
 * image of a batch, perhaps. */
static bool is_row(const struct sl_speculation *g, LLVMValueRef value, unsigned deepest)
{
    if (sl_vector_shape_at(g->v, value, g->block).kind != SL_SHAPE_UNIFORM)
        return false;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind)
        return has_pitch(value, deepest);
    const struct sl_vector_known *known = sl_vector_known(g->v, value);
    return known && known->block < g->v->plan.count && !g->v->plan.blocks[known->block].loop;
}

/* Beside products there are only arguments: `x[i * inc + offset]`, or another product of one:
 * `x[y * pitch + i * inc]`. With a loop's counter or a number beside it the product leads to a row
 * or a record of each item's, and is none of 1. */
static bool only_arguments_beside(const struct sl_speculation *g, LLVMValueRef value,
                                  unsigned deepest)
{
    if (sl_affine_is_brought(value))
        return true;
    if (LLVMIsAConstantInt(value))
        return LLVMIsNull(value);
    if (!LLVMIsAInstruction(value) || !deepest)
        return false;
    if (is_row(g, value, deepest))
        return true;
    if (!leads_to_one(value))
        return false;
    if (LLVMGetInstructionOpcode(value) == LLVMMul)
        return true;
    if (LLVMGetInstructionOpcode(value) == LLVMShl) /* an index becomes bytes */
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
               only_arguments_beside(g, LLVMGetOperand(value, 0), deepest - 1);
    if (!is_sum(value))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        if (!only_arguments_beside(g, LLVMGetOperand(value, k), deepest - 1))
            return false;
    return true;
}

struct sl_affine sl_speculative_affine(struct sl_speculation *g, LLVMValueRef pointer)
{
    return (struct sl_affine){
        .exactness = SL_AFFINE_GUARDED,
        .data = LLVMGetModuleDataLayout(g->v->g->pass->module),
        .items = g->v->lanes,
        .unit_factors = pointer && only_arguments_beside(g, pointer, SL_SPECULATIVE_DEEPEST),
        .deepest = SL_SPECULATIVE_DEEPEST,
        .known = known,
        .user = g,
    };
}

bool sl_vector_speculative_stride(const struct sl_vector_facts *v, LLVMValueRef pointer,
                                  uint32_t block, int64_t *stride)
{
    struct sl_speculation g = {v, block};
    if (sl_vector_shape_at(v, pointer, block).kind != SL_SHAPE_VARYING)
        return false;
    struct sl_affine affine = sl_speculative_affine(&g, pointer);
    struct sl_shape shape = sl_affine_shape(&affine, pointer);
    sl_affine_finish(&affine);
    *stride = shape.stride;
    return shape.kind != SL_SHAPE_VARYING;
}
