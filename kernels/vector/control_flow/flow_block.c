/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a sequence, and values that outlive the place where they are made. No shared state. */
#include "vector/control_flow/flow_block.h"

#include "ir/map.h"
#include "items/trap.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/control_flow/flow.h"
#include "vector/control_flow/flow_loop.h"
#include "vector/control_flow/flow_mask.h"
#include "vector/operations/instruction.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/intrinsics.h"

#include <stdlib.h>

#define GUARD_COST 12 /* instructions from which on asking whether any lane wants them pays */

/* ---- values for later ------------------------------------------------------------------------ */

/* Uses that are looked through for one value; where there are more, it is taken as used. */
#define MOST_USES 256

/* A linear value may be computed anew from its operands, in a wider type (instruction.c, widen), by
 * who uses it: then these have to be there as well. So may a shift by half a long (narrowed). */
static bool is_computed_anew(struct sl_flow *f, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(&f->v->facts, value);
    LLVMOpcode op = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : 0;
    if (known && op == LLVMShl && LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
        return true;
    if (!known || known->shape.kind != SL_SHAPE_LINEAR)
        return false;
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMOr;
}

static bool used_outside(struct sl_flow *f, LLVMValueRef value, LLVMBasicBlockRef block,
                         unsigned *fuel)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user) || !*fuel)
            return true;
        --*fuel;
        if (is_computed_anew(f, user) && used_outside(f, user, block, fuel))
            return true;
    }
    return false;
}

bool sl_flow_used_outside_loop(struct sl_flow *f, LLVMValueRef value, uint32_t loop)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMBasicBlockRef parent = LLVMGetInstructionParent(LLVMGetUser(u));
        if (!sl_vector_loop_has(&f->v->facts.plan, loop,
                                sl_vector_number(&f->v->facts.plan, parent)))
            return true;
    }
    return false;
}

/* Likewise for a loop that all lanes leave together: what is linear in it stays so behind it. */
static bool wanted_behind_loop(struct sl_flow *f, LLVMValueRef value, uint32_t loop, unsigned *fuel)
{
    if (!*fuel || sl_flow_used_outside_loop(f, value, loop))
        return true;
    --*fuel;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_computed_anew(f, user) && wanted_behind_loop(f, user, loop, fuel))
            return true;
    }
    return false;
}

static bool has_value(struct sl_flow *f, LLVMValueRef i)
{
    const struct sl_vector_value *code = sl_vector_value(f->v, i);
    return code && (code->scalar || code->parts || code->known->away) &&
           LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

void sl_flow_each_live_out(struct sl_flow *f, uint32_t loop, sl_flow_value_fn visit)
{
    for (uint32_t b = 0; b < f->v->facts.plan.count; b++) {
        if (!sl_vector_loop_has(&f->v->facts.plan, loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
             i = LLVMGetNextInstruction(i)) {
            unsigned fuel = MOST_USES;
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind &&
                wanted_behind_loop(f, i, loop, &fuel))
                visit(f, i);
        }
    }
}

static void store_kept(struct sl_flow *f, uint32_t b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i && f->kept[b];
         i = LLVMGetNextInstruction(i)) {
        const struct sl_vector_value *code = sl_vector_value(f->v, i);
        if (code && code->cells && !code->known->away && has_value(f, i))
            sl_vector_store_cells(f->v, i);
    }
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* A place that the program said it never comes to, without a trap that ends it before. */
static bool is_dead_end(struct sl_flow *f, uint32_t b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(sl_flow_block_of(f, b)->ref);
    LLVMValueRef last = LLVMGetPreviousInstruction(end);
    bool trapped = last && LLVMIsACallInst(last) && !LLVMIsAFunction(LLVMGetCalledValue(last));
    return LLVMGetInstructionOpcode(end) == LLVMUnreachable && !trapped;
}

void sl_flow_emit_code(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    struct sl_vector *v = f->v;
    v->now.block = b;
    v->now.mask = mask;
    f->done[b] = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i))
            sl_vector_emit_instruction(v, i);
    if (is_dead_end(f, b))
        sl_emit_trap(&v->g->e, v->g->launch, SL_TEXT_DEAD_END);
    store_kept(f, b);
}

static bool is_access(struct sl_flow *f, LLVMValueRef i)
{
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return false;
    LLVMValueRef pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) != NULL);
    const struct sl_vector_variable *variable = sl_map_get(f->v->facts.variables, pointer);
    return sl_vector_shape(&f->v->facts, pointer).kind > SL_SHAPE_UNIFORM &&
           !(variable && !variable->memory);
}

/* A division or a root takes as long as many other instructions. */
static uint32_t guarded_cost(struct sl_flow *f, LLVMValueRef i)
{
    bool slow =
        LLVMGetInstructionOpcode(i) == LLVMFDiv || sl_llvm_is_intrinsic(i, SL_INTRINSIC_SQRT);
    bool varies = sl_vector_shape(&f->v->facts, i).kind == SL_SHAPE_VARYING;
    return slow && varies ? GUARD_COST : sl_vector_part_count(LLVMTypeOf(i));
}

static bool wants_guard(struct sl_flow *f, uint32_t b)
{
    uint32_t cost = is_dead_end(f, b) ? GUARD_COST : 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i))
            continue;
        cost += guarded_cost(f, i);
        if (sl_vector_needs_lanes(&f->v->facts, i) ||
            (!f->v->facts.target->mask_registers && is_access(f, i)))
            return true;
    }
    return cost >= GUARD_COST;
}

static void keep_for_later(struct sl_flow *f, uint32_t b)
{
    LLVMBasicBlockRef ref = sl_flow_block_of(f, b)->ref;
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        unsigned fuel = MOST_USES;
        if (!has_value(f, i) || !used_outside(f, i, ref, &fuel))
            continue;
        if (!sl_vector_value(f->v, i)->cells)
            sl_vector_make_cells(f->v, i, false);
        sl_vector_store_cells(f->v, i);
        sl_vector_value(f->v, i)->known->away = true;
    }
}

#define MANY_BLOCKS 100

/* Nobody reads what a skipped block would have made. Saying so keeps its variables from reaching
 * back to where the function begins, which matters where there are many. */
static void forget_if_skipped(struct sl_flow *f, uint32_t b, LLVMValueRef question)
{
    struct sl_vector *v = f->v;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(sl_flow_builder(f));
    if (f->kept[b] || v->facts.plan.count <= MANY_BLOCKS)
        return;
    LLVMPositionBuilderBefore(sl_flow_builder(f), question);
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i)) {
        const struct sl_vector_value *code = has_value(f, i) ? sl_vector_value(v, i) : NULL;
        if (!code || !code->known->away)
            continue;
        uint32_t count = code->cell_scalar ? 1 : sl_vector_kept_count(v, i);
        for (uint32_t k = 0; k < count; k++)
            LLVMBuildStore(sl_flow_builder(f), LLVMGetPoison(code->cell_types[k]), code->cells[k]);
    }
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), here);
}

/* ---- blocks with a copy for all lanes -------------------------------------------------------- */

#define LARGEST_COPY 400 /* instructions */

/* Where masks cost, accesses without them do not: most branches that could part lanes do not. */
static bool wants_copy(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    uint32_t accesses = 0, size = 0;
    if (f->v->facts.target->mask_registers || LLVMIsConstant(mask) || is_dead_end(f, b))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(sl_flow_block_of(f, b)->ref); i;
         i = LLVMGetNextInstruction(i)) {
        size += sl_vector_part_count(LLVMTypeOf(i));
        accesses += is_access(f, i);
    }
    return accesses && size <= LARGEST_COPY;
}

static bool is_used_later(struct sl_flow *f, LLVMValueRef value, LLVMBasicBlockRef block)
{
    unsigned fuel = MOST_USES;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
        if (LLVMIsATerminatorInst(LLVMGetUser(u)))
            return true;
    return used_outside(f, value, block, &fuel);
}

static void emit_copy(struct sl_flow *f, uint32_t b, LLVMValueRef mask, LLVMBasicBlockRef then)
{
    LLVMBasicBlockRef ref = sl_flow_block_of(f, b)->ref;
    sl_flow_emit_code(f, b, mask);
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAPHINode(i) || !has_value(f, i) || !is_used_later(f, i, ref))
            continue;
        if (!sl_vector_value(f->v, i)->cells)
            sl_vector_make_cells(f->v, i, false);
        sl_vector_store_cells(f->v, i);
    }
    LLVMBuildBr(sl_flow_builder(f), then);
}

static void emit_twice(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    LLVMBasicBlockRef ref = sl_flow_block_of(f, b)->ref;
    LLVMBasicBlockRef full = sl_flow_new_block(f, "all"), part = sl_flow_new_block(f, "not.all"),
                      then = sl_flow_new_block(f, "behind");
    LLVMBuildCondBr(sl_flow_builder(f), sl_vector_all(f->v, mask), full, part);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), full);
    emit_copy(f, b, LLVMConstAllOnes(LLVMTypeOf(mask)), then);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), part);
    emit_copy(f, b, mask, then);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), then);
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && has_value(f, i) && is_used_later(f, i, ref))
            sl_vector_value(f->v, i)->known->away = true;
    f->v->now.mask = mask;
}

void sl_flow_emit_for(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    f->v->now.block = b;
    if (wants_copy(f, b, mask))
        emit_twice(f, b, mask);
    else
        sl_flow_emit_code(f, b, mask);
}

/* One block for some lanes. Its phis are set, or it is the header of the loop that runs. */
void sl_flow_emit_masked(struct sl_flow *f, uint32_t b, LLVMValueRef mask)
{
    bool guard = wants_guard(f, b);
    LLVMBasicBlockRef then = NULL;
    LLVMValueRef question = NULL;
    f->v->now.block = b;
    if (guard) {
        LLVMBasicBlockRef run = sl_flow_new_block(f, "some");
        then = sl_flow_new_block(f, "skip");
        question = LLVMBuildCondBr(sl_flow_builder(f), sl_vector_any(f->v, mask), run, then);
        LLVMPositionBuilderAtEnd(sl_flow_builder(f), run);
    }
    sl_flow_emit_for(f, b, mask);
    sl_flow_set_edge_masks(f, b, mask);
    if (!guard)
        return;
    keep_for_later(f, b);
    forget_if_skipped(f, b, question);
    LLVMBuildBr(sl_flow_builder(f), then);
    LLVMPositionBuilderAtEnd(sl_flow_builder(f), then);
}

static uint32_t loop_headed_by(struct sl_flow *f, uint32_t b)
{
    uint32_t loop = sl_flow_block_of(f, b)->loop;
    return loop && f->v->facts.plan.loops[loop - 1].header == b ? loop : 0;
}

void sl_flow_emit_in_sequence(struct sl_flow *f, uint32_t b, uint32_t around)
{
    uint32_t loop = loop_headed_by(f, b);
    if (f->done[b])
        return;
    if (loop && loop != around) {
        sl_flow_emit_loop(f, loop);
        return;
    }
    LLVMValueRef mask =
        sl_flow_arriving(f, sl_flow_block_of(f, b)->in, sl_flow_block_of(f, b)->in_count);
    f->v->now.block = b;
    sl_flow_set_phis_of_sequence(f, b);
    sl_flow_emit_masked(f, b, mask);
}
