/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that wait for their own results: generators of random numbers, ciphers, iterations towards
 * a root. What an iteration takes is found by going round a few times and looking when its results
 * are there; what it could take is as many operations as the machine begins meanwhile. Several
 * registers per value fill the difference. Figures are cycles of machines with registers of 512
 * bits, roughly. No shared state.
 */
#include "vector/cost/recurrence.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/cost/cost.h"
#include "vector/cost/lanes.h"
#include "vector/operations/value.h"
#include "llvm/intrinsics.h"

#include <stdlib.h>

#define ITERATIONS 8
#define PER_CYCLE 2 /* operations that begin */
#define FILL 3      /* times that much is wanted: they wait for each other's units as well */
#define MOST_TIMES 4
#define DEEPEST 6 /* operations from a division back to the last turn */

struct recurrence {
    const struct sl_vector_facts *v;
    LLVMBasicBlockRef block;
    struct sl_map ready; /* value of the block -> cycle in which it is known */
    uint32_t begun;      /* operations of an iteration, those counted twice that take two places */
};

struct effort {
    uint32_t latency, places;
};

static struct effort effort_of(LLVMValueRef i)
{
    LLVMTypeKind kind = LLVMGetTypeKind(sl_vector_part_type(LLVMTypeOf(i), 0));
    bool real = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMMul:
        return (struct effort){3, 2};
    case LLVMFDiv:
        return (struct effort){12, 16};
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return (struct effort){20, 24};
    case LLVMCall:
        if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_SQRT))
            return (struct effort){16, 20};
        break;
    case LLVMSelect:
        return (struct effort){1, 1};
    default:
        break;
    }
    return real ? (struct effort){4, 2} : (struct effort){1, 1};
}

static bool is_varying(const struct recurrence *c, LLVMValueRef i)
{
    return sl_vector_shape(c->v, i).kind == SL_SHAPE_VARYING;
}

/* A loop of one block that does nothing but compute. */
static bool open_recurrence(struct recurrence *c, const struct sl_vector_loop *loop)
{
    c->block = c->v->plan.blocks[loop->header].ref;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->block);
    if (loop->divergent || LLVMGetNumSuccessors(end) != 2 ||
        (LLVMGetSuccessor(end, 0) != c->block && LLVMGetSuccessor(end, 1) != c->block))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_varying(c, i) || LLVMIsATerminatorInst(i) || LLVMIsAPHINode(i))
            continue;
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || sl_vector_part_count(LLVMTypeOf(i)) > 1 ||
            (LLVMIsACallInst(i) && !sl_vector_is_lanewise_call(i)))
            return false;
        c->begun += effort_of(i).places;
    }
    return true;
}

static uintptr_t when(const struct recurrence *c, LLVMValueRef value)
{
    return (uintptr_t)sl_map_get(&c->ready, value);
}

static LLVMValueRef from_last_iteration(const struct recurrence *c, LLVMValueRef phi)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == c->block)
            return LLVMGetIncomingValue(phi, k);
    return phi;
}

/* Phis take what they are given all at once. */
static void begin_iteration(struct recurrence *c)
{
    uint32_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        count++;
    uintptr_t *given = sl_ir_alloc(count, sizeof *given), *next = given;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        *next++ = when(c, from_last_iteration(c, i));
    next = given;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        sl_map_set(&c->ready, i, (void *)*next++);
    free(given);
}

/* When the last result that the next iteration waits for is there. */
static uintptr_t go_round(struct recurrence *c)
{
    uintptr_t last = 0;
    begin_iteration(c);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); i; i = LLVMGetNextInstruction(i)) {
        uintptr_t begins = 0;
        if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) || !is_varying(c, i))
            continue;
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            uintptr_t one = when(c, LLVMGetOperand(i, (unsigned)k));
            begins = one > begins ? one : begins;
        }
        sl_map_set(&c->ready, i, (void *)(begins + effort_of(i).latency));
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->block); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        uintptr_t one = is_varying(c, i) ? when(c, from_last_iteration(c, i)) : 0;
        last = one > last ? one : last;
    }
    return last;
}

/* Registers per value from which on the loop would be full. */
static uint32_t times_to_fill(const struct sl_vector_facts *v, const struct sl_vector_loop *loop)
{
    struct recurrence c = {.v = v};
    uint32_t times = 1;
    if (open_recurrence(&c, loop)) {
        uintptr_t half = 0, all = 0;
        for (unsigned iteration = 0; iteration < ITERATIONS; iteration++) {
            all = go_round(&c);
            half = iteration < ITERATIONS / 2 ? all : half;
        }
        uintptr_t room = PER_CYCLE * FILL * (all - half) / (ITERATIONS - ITERATIONS / 2);
        while (times < MOST_TIMES && c.begun * times < room)
            times *= 2;
    }
    sl_map_finish(&c.ready);
    return times;
}

uint32_t sl_vector_times_to_fill(const struct sl_vector_facts *v)
{
    uint32_t times = v->plan.loop_count ? 1 : 0;
    for (uint32_t l = 0; l < v->plan.loop_count && times; l++) {
        struct recurrence c = {.v = v};
        bool known = open_recurrence(&c, &v->plan.loops[l]);
        uint32_t one = known ? times_to_fill(v, &v->plan.loops[l]) : 0;
        sl_map_finish(&c.ready);
        times = !known ? 0 : one > times ? one : times;
    }
    return times;
}

uint32_t sl_vector_fill_recurrence(struct sl_vector_facts *v)
{
    uint32_t times = 1;
    for (uint32_t l = 0; l < v->plan.loop_count; l++) {
        uint32_t one = times_to_fill(v, &v->plan.loops[l]);
        times = one > times ? one : times;
    }
    while (times > 1 && !sl_vector_has_room(v, v->lanes * times))
        times /= 2;
    return times;
}

/* ---- numbers that wait in turn --------------------------------------------------------------- */

static bool computes_number(LLVMValueRef i)
{
    return sl_vector_is_number(LLVMTypeOf(i)) &&
           (LLVMIsABinaryOperator(i) || sl_llvm_is_intrinsic(i, SL_INTRINSIC_FMA));
}

static uintptr_t steps_before(const struct sl_map *steps, LLVMValueRef i)
{
    uintptr_t most = 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t one = (uintptr_t)sl_map_get(steps, LLVMGetOperand(i, (unsigned)k));
        most = one > most ? one : most;
    }
    return most;
}

uint32_t sl_vector_steps_of_round(const struct sl_vector_facts *v, uint32_t loop)
{
    const struct sl_vector_plan *plan = &v->plan;
    uint32_t header = plan->loops[loop - 1].header;
    struct sl_map steps = {0}; /* and one more, of what follows from the round before */
    uintptr_t longest = 1;
    for (uint32_t b = 0; b < plan->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref);
             i && plan->blocks[b].loop == loop; i = LLVMGetNextInstruction(i)) {
            bool carried = b == header && LLVMIsAPHINode(i);
            uintptr_t before = carried ? sl_vector_is_number(LLVMTypeOf(i)) &&
                                             sl_vector_shape(v, i).kind == SL_SHAPE_VARYING
                                       : steps_before(&steps, i);
            sl_map_set(&steps, i, (void *)(before ? before + computes_number(i) : 0));
        }
    for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[header].ref); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i) && sl_vector_is_number(LLVMTypeOf(i)); k++) {
            uint32_t from = sl_vector_number(plan, LLVMGetIncomingBlock(i, k));
            bool again = from < plan->count && sl_vector_loop_has(plan, loop, from);
            uintptr_t one = again ? (uintptr_t)sl_map_get(&steps, LLVMGetIncomingValue(i, k)) : 0;
            longest = one > longest ? one : longest;
        }
    sl_map_finish(&steps);
    return (uint32_t)longest - 1;
}

/* ---- divisions ------------------------------------------------------------------------------- */

static bool is_stored(const struct sl_vector_plan *plan, uint32_t loop, LLVMValueRef base)
{
    for (uint32_t b = 0; base && b < plan->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref);
             i && plan->blocks[b].loop == loop; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && sl_address_base(LLVMGetOperand(i, 1)) == base)
                return true;
    return false;
}

static bool is_from_last_turn(const struct sl_vector_facts *v, uint32_t loop, LLVMValueRef value,
                              unsigned deepest)
{
    const struct sl_vector_plan *plan = &v->plan;
    if (!LLVMIsAInstruction(value) || !deepest)
        return false;
    uint32_t block = sl_vector_number(plan, LLVMGetInstructionParent(value));
    if (plan->blocks[block].loop != loop)
        return false;
    if (LLVMIsAPHINode(value))
        return block == plan->loops[loop - 1].header && sl_vector_is_number(LLVMTypeOf(value));
    if (LLVMIsALoadInst(value))
        return is_stored(plan, loop, sl_address_base(LLVMGetOperand(value, 0)));
    if (!sl_vector_is_number(LLVMTypeOf(value)))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        if (is_from_last_turn(v, loop, LLVMGetOperand(value, (unsigned)k), deepest - 1))
            return true;
    return false;
}

bool sl_vector_waits_for_division(const struct sl_vector_facts *v, LLVMValueRef division,
                                  uint32_t block)
{
    uint32_t loop = v->plan.blocks[block].loop;
    return loop && LLVMGetInstructionOpcode(division) == LLVMFDiv &&
           (is_from_last_turn(v, loop, LLVMGetOperand(division, 0), DEEPEST) ||
            is_from_last_turn(v, loop, LLVMGetOperand(division, 1), DEEPEST));
}
