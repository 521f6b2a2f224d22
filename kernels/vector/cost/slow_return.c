/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads from anywhere in loops that store to anywhere in the same memory, as steps of a
 * factorisation do with a column. A machine hands a scattered number on to a gather only when it
 * has reached the cache, which takes several times as long as a store that is loaded again as it
 * was made. Where lanes store one by one each number is handed on, and only a loop whose iterations
 * follow each other at once waits; not one with a barrier in each iteration, nor does that where
 * gathers are fast, which takes long enough for all items of a group. No loop waits that has
 * another one in it: meanwhile the number arrives; nor one that stores where it has just loaded,
 * and goes on from there. No shared state.
 */
#include "vector/cost/slow_return.h"

#include "ir/map.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"
#include "vector/memory/record.h"
#include "vector/memory/speculative_access.h"

#include <llvm-c/Target.h>

static bool is_scattered(const struct sl_vector_facts *v, LLVMValueRef store, uint32_t block)
{
    LLVMValueRef to = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    struct sl_shape shape = sl_vector_shape_at(v, to, block);
    int64_t size = (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
    if (sl_map_get(v->variables, to) || sl_vector_array(v, to) ||
        sl_vector_record_length(v, store, block))
        return false;
    if (shape.kind == SL_SHAPE_LINEAR)
        return shape.stride != size && shape.stride != -size;
    return shape.kind == SL_SHAPE_VARYING && !sl_vector_speculation_pays(v, store, block);
}

static bool has_barrier(const struct sl_vector_plan *plan, uint32_t loop)
{
    for (uint32_t b = 0; b < plan->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref);
             i && sl_vector_loop_has(plan, loop, b); i = LLVMGetNextInstruction(i))
            if (sl_wi_is_barrier(i))
                return true;
    return false;
}

static bool has_inner_loop(const struct sl_vector_plan *plan, uint32_t loop)
{
    for (uint32_t b = 0; b < plan->count; b++)
        if (plan->blocks[b].loop != loop && sl_vector_loop_has(plan, loop, b))
            return true;
    return false;
}

/* What counts in each round of the loop, and nothing that memory says, which may be the same again.
 */
static bool goes_on(const struct sl_vector_plan *plan, uint32_t loop, LLVMValueRef value,
                    unsigned deepest)
{
    if (LLVMIsAPHINode(value))
        return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
               sl_vector_number(plan, LLVMGetInstructionParent(value)) ==
                   plan->loops[loop - 1].header;
    if (!deepest || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
                      LLVMIsAGetElementPtrInst(value)))
        return false;
    bool counts = false;
    for (int k = 0; k < LLVMGetNumOperands(value); k++) {
        LLVMValueRef of = LLVMGetOperand(value, (unsigned)k);
        if (LLVMIsALoadInst(of))
            return false;
        counts |= goes_on(plan, loop, of, deepest - 1);
    }
    return counts;
}

static bool is_slow_at_gathers(const struct sl_vector_target *target)
{
    enum { SLOW = 6 };
    return target->mask_registers && target->gather >= SLOW;
}

bool sl_vector_waits_for_scatter(const struct sl_vector_facts *v, LLVMValueRef load, uint32_t block)
{
    const struct sl_vector_plan *plan = &v->plan;
    uint32_t loop = plan->blocks[block].loop;
    LLVMValueRef from = LLVMIsALoadInst(load) ? sl_address_base(LLVMGetOperand(load, 0)) : NULL;
    if (!from || !loop || has_inner_loop(plan, loop))
        return false;
    for (uint32_t b = 0; b < plan->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref);
             i && plan->blocks[b].loop == loop; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && sl_address_base(LLVMGetOperand(i, 1)) == from &&
                is_scattered(v, i, b) &&
                !(LLVMGetOperand(i, 1) == LLVMGetOperand(load, 0) &&
                  goes_on(plan, loop, LLVMGetOperand(i, 1), 6)))
                return is_slow_at_gathers(v->target) || !has_barrier(plan, loop);
    return false;
}
