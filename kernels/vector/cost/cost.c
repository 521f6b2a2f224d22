/* SPDX-License-Identifier: Apache-2.0 */
/* See cost.h. */
#include "vector/cost/cost.h"

#include "ir/map.h"
#include "items/lane_bound.h"
#include "items/region_copy.h"
#include "items/sub_group_op.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"
#include "vector/cost/recurrence.h"
#include "vector/cost/search.h"
#include "vector/cost/slow_return.h"
#include "vector/memory/gather.h"
#include "vector/memory/record.h"
#include "vector/memory/span.h"
#include "vector/memory/speculative_access.h"
#include "vector/memory/window.h"
#include "vector/operations/combined_atomics.h"
#include "vector/operations/division.h"
#include "vector/operations/image.h"
#include "vector/operations/packed.h"
#include "vector/operations/rare.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "llvm/intrinsics.h"

#include <llvm-c/Target.h>

#define LOOP_WEIGHT 8 /* how often a loop is thought to run */
#define DEEPEST 3
#define FAR 6           /* operations that are looked back */
#define OF_FEW_LANES 6  /* per lane of a gather in a loop that lanes leave */
#define ITEM_STORE 3    /* per lane: out of its register, with its address, to memory */
#define SERIAL 6        /* per lane, on top of the instruction itself */
#define QUESTION 4      /* whether the lanes of an access are neighbours */
#define ELEMENTS_MEET 2 /* per lane and element, where both ways of a question come together */
#define WINDOW 6        /* what lanes take of a register, which is loaded for them */
#define SLOW_RETURN 4   /* times what an access costs that waits for another one's store */
#define CALL 20
#define SUB_GROUP 6 /* operations on registers, for each of them */
#define MATRIX_ROW 16
#define LOCK 10 /* of an atomic that other threads see */
#define DIVISION 10
#define WAITING 40  /* for a division, and what is done with it before the next one */
#define STEP 8      /* what a number takes that waits for the one before */
#define MISTAKEN 10 /* of a branch in a search, every other time taken for the other one */
#define MERGE_STEP                                                                                 \
    6 /* a step through a list waits for what lies there, beside one in another list */
#define LONG_PRODUCT 30 /* a division of 64 bits by a constant */

unsigned sl_vector_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return sl_vector_bits(LLVMGetElementType(type));
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 64;
    default:
        return 8;
    }
}

bool sl_vector_is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind)
        kind = LLVMGetTypeKind(LLVMGetElementType(type));
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static uint64_t registers(const struct sl_vector_costs *c, LLVMTypeRef type)
{
    uint64_t bits = sl_vector_bits(type) < 8 ? 8 : sl_vector_bits(type);
    uint64_t whole = c->v->target->register_bits;
    return (bits * c->v->lanes + whole - 1) / whole * sl_vector_part_count(type);
}

static uint64_t interleaved_registers(const struct sl_vector_costs *c, LLVMTypeRef type)
{
    uint64_t bits = (uint64_t)sl_vector_bits(type) * c->v->lanes * sl_vector_part_count(type);
    uint64_t whole = c->v->target->register_bits;
    return (bits + whole - 1) / whole;
}

/* What the machine needs for one item's value, which may be one of OpenCL's vectors. */
static uint64_t one_item(const struct sl_vector_costs *c, LLVMTypeRef type)
{
    uint64_t bits = (uint64_t)sl_vector_bits(type) * sl_vector_part_count(type);
    uint64_t whole = c->v->target->register_bits;
    return bits > whole ? (bits + whole - 1) / whole : 1;
}

/* Elements that lie side by side in memory go to registers of their own, or back. */
static uint64_t regrouping(const struct sl_vector_costs *c, LLVMTypeRef type)
{
    uint32_t count = sl_vector_part_count(type), steps = 0;
    LLVMTypeRef packed = sl_vector_packed_type(type);
    if (packed)
        return 2 * count * registers(c, packed);
    for (uint32_t k = 1; k < count; k *= 2)
        steps++;
    return registers(c, type) * steps * (sl_vector_bits(type) < 32 ? 3 : 1);
}

/* Elements that lanes got as neighbours meet those that they got one by one, each in registers of
 * its own; an item alone has all of them in one register, and asks nothing. */
static uint64_t meeting(const struct sl_vector_costs *c, LLVMTypeRef type)
{
    uint32_t parts = sl_vector_part_count(type);
    if (parts == 1)
        return 0;
    return (uint64_t)c->v->lanes * ELEMENTS_MEET * (sl_vector_packed_type(type) ? 1 : parts);
}

/* What each item loads together with others. */
static bool lies_beside(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block)
{
    return LLVMIsALoadInst(i) &&
           (sl_map_get(&c->v->walks, i) || sl_vector_is_in_span(c->v, i, block));
}

/* In a loop that lanes leave one by one few of them are there to load for, as often as not, and all
 * wait for the last: measured, rows of a sparse matrix and walks through a tree take longer,
 * however fast gathers are. */
static uint64_t lane_cost(const struct sl_vector_costs *c, bool store, uint32_t block)
{
    uint32_t loop = c->v->plan.blocks[block].loop;
    uint64_t cost = store ? c->v->target->scatter : c->v->target->gather;
    bool leaves = loop && c->v->plan.loops[loop - 1].divergent;
    return leaves && cost < OF_FEW_LANES ? OF_FEW_LANES : cost;
}

/* A field comes of several registers by shuffles of two each, of bytes and shorts by twice as many.
 * Few of a record's touch as much memory as all would; and where lanes go apart each has to have
 * its bit of the mask as many times as the record has elements. */
static uint64_t of_record(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block)
{
    const bool store = LLVMIsAStoreInst(i);
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    if (!c->v->target->mask_registers)
        return 5 * registers(c, type);
    const uint64_t alone = (uint64_t)c->v->lanes * (store ? 2 : 3) * sl_vector_part_count(type);
    if (sl_vector_may_pass_by(&c->v->plan, block) || !sl_vector_shares_record(c->v, i, block))
        return alone;
    const uint64_t shuffles = (sl_vector_bits(type) < 32 ? 4u : 2u) * registers(c, type) *
                              (uint64_t)sl_vector_record_length(c->v, i, block);
    return shuffles < alone ? shuffles : alone;
}

static uint64_t of_access(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block)
{
    bool store = LLVMIsAStoreInst(i);
    LLVMValueRef pointer = LLVMGetOperand(i, store);
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    const struct sl_vector_variable *variable = sl_map_get(c->v->variables, pointer);
    struct sl_shape shape = sl_vector_shape_at(c->v, pointer, block);
    int64_t size = (int64_t)(sl_vector_bits(type) / 8 * sl_vector_part_count(type));
    if (variable && !variable->memory)
        return registers(c, type);
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return c->v->lanes * SERIAL;
    if (shape.kind <= SL_SHAPE_UNIFORM)
        return 2;
    const struct sl_vector_array *array = sl_vector_array(c->v, pointer);
    if (array && shape.kind == SL_SHAPE_LINEAR && shape.stride == array->element)
        return 2 * registers(c, type);
    bool whole = sl_vector_is_interleaved(c->v, store ? LLVMGetOperand(i, 0) : i);
    if (whole && shape.kind == SL_SHAPE_LINEAR && shape.stride == size)
        return 2 * interleaved_registers(c, type);
    if (shape.kind == SL_SHAPE_LINEAR && (shape.stride == size || shape.stride == -size))
        return 2 * registers(c, type) + regrouping(c, type);
    bool every_other = !store && !c->v->target->mask_registers && sl_vector_part_count(type) == 1;
    if (every_other && shape.kind == SL_SHAPE_LINEAR && shape.stride == 2 * size)
        return 5 * registers(c, type);
    if (sl_vector_record_length(c->v, i, block))
        return of_record(c, i, block);
    if (sl_vector_speculation_pays(c->v, i, block))
        return whole ? 2 * interleaved_registers(c, type) + QUESTION
                     : 2 * registers(c, type) + regrouping(c, type) + QUESTION + meeting(c, type);
    uint64_t each = lane_cost(c, store, block);
    if ((whole || store) && sl_vector_moves_items(c->v, type))
        return (uint64_t)c->v->lanes *
                   (store ? ITEM_STORE : each + (size < 16)) + /* put together */
               (whole ? interleaved_registers(c, type) : registers(c, type) + regrouping(c, type));
    if (lies_beside(c, i, block)) /* four words at once */
        return (uint64_t)c->v->lanes * each * (uint64_t)size / 16 + 2 * registers(c, type);
    if (!store && sl_vector_has_window(c->v, i, block))
        return WINDOW * registers(c, type) + QUESTION;
    uint32_t loop = c->v->plan.blocks[block].loop;
    /* What the last iteration scattered comes back slowly, and few lanes are left that want it. */
    if ((array && loop && c->v->plan.loops[loop - 1].divergent) ||
        sl_vector_waits_for_scatter(c->v, i, block))
        each *= SLOW_RETURN;
    if (!array && sl_vector_packed_type(type))
        return c->v->lanes * each + regrouping(c, type);
    return (uint64_t)c->v->lanes * each * sl_vector_part_count(type);
}

static uint64_t of_call(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block,
                        uint64_t *scalar)
{
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(i, &what, &dim) || sl_wi_is_barrier(i) || sl_wi_is_inner_split(i))
        return *scalar = 0;
    struct sl_sub_group_op op;
    if (sl_sub_group_op(i, &op))
        return (op.kind == SL_SUB_GROUP_MATRIX ? MATRIX_ROW : SUB_GROUP) *
               registers(c, LLVMTypeOf(i));
    if (sl_lane_bound(i, NULL))
        return SUB_GROUP * registers(c, LLVMTypeOf(i));
    if (sl_vector_is_lanewise_call(i))
        return 2 * registers(c, LLVMTypeOf(i));
    if (sl_vector_has_image_form(c->v, i, block))
        return sl_vector_image_cost(c->v, i, scalar);
    if (sl_vector_is_rare(c->v, i))
        return *scalar = 0;
    if (sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY) &&
        LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        return *scalar = 0;
    *scalar = CALL; /* most of them are loops or branches over elements */
    return (uint64_t)c->v->lanes * (CALL + SERIAL);
}

/* One update of memory, and half the registers' lanes after the other half's before it. Where only
 * some lanes run and each takes its own old value elsewhere, they are few as often as not, and go
 * through their accesses one by one: the lock is no reason to do so together. */
static uint64_t of_combined(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block,
                            uint64_t *scalar)
{
    bool used = LLVMGetFirstUse(i), own = LLVMIsAAtomicRMWInst(i) && LLVMIsAtomicSingleThread(i);
    bool few = used && sl_vector_may_pass_by(&c->v->plan, block);
    uint64_t lock = own || few ? 1 : LOCK, steps = 0;
    for (uint32_t k = 1; k < c->v->lanes; k *= 2)
        steps++;
    *scalar = lock;
    return lock + steps * (used ? 4 : 2) * registers(c, LLVMTypeOf(i));
}

/* Lane by lane; and while some go round a loop once more the others wait for them. */
static uint64_t of_serial_atomic(const struct sl_vector_costs *c, uint32_t block)
{
    uint32_t loop = c->v->plan.blocks[block].loop;
    bool waits = loop && c->v->plan.loops[loop - 1].divergent;
    return (uint64_t)c->v->lanes * SERIAL * (waits ? SLOW_RETURN : 1);
}

/* That of 64 bits is made as one of doubles, which takes twice as long as one of floats. */
static uint64_t of_division(const struct sl_vector_costs *c, LLVMValueRef i)
{
    uint64_t times = registers(c, LLVMTypeOf(i));
    if (sl_vector_bits(LLVMTypeOf(i)) <= 32)
        return DIVISION * times;
    if (sl_vector_bits(LLVMTypeOf(i)) > 64)
        return c->v->lanes * (DIVISION + SERIAL);
    return LLVMIsConstant(LLVMGetOperand(i, 1)) ? LONG_PRODUCT * times : 3 * DIVISION * times;
}

static void add(struct sl_vector_costs *c, LLVMValueRef i, uint32_t block, uint64_t weight)
{
    uint64_t scalar = one_item(c, LLVMTypeOf(i)), vector;
    bool divides = sl_vector_is_division(i);
    struct sl_shape shape = sl_vector_shape(c->v, i);
    if (divides)
        scalar = DIVISION * sl_vector_part_count(LLVMTypeOf(i));
    else if (sl_vector_is_search(c->v, i))
        scalar += MISTAKEN;
    else if (sl_vector_is_merge_step(c->v, i))
        scalar += MERGE_STEP;
    else if (shape.kind == SL_SHAPE_VARYING && sl_vector_waits_for_division(c->v, i, block))
        scalar += WAITING;
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        vector = of_access(c, i, block);
    else if (sl_vector_is_interleaved(c->v, i))
        vector = interleaved_registers(c, LLVMTypeOf(i));
    else if (sl_vector_can_combine(c->v, i, block))
        vector = of_combined(c, i, block, &scalar);
    else if (LLVMIsACallInst(i))
        vector = of_call(c, i, block, &scalar);
    else if (LLVMGetInstructionOpcode(i) == LLVMAtomicRMW ||
             LLVMGetInstructionOpcode(i) == LLVMAtomicCmpXchg)
        vector = of_serial_atomic(c, block);
    else if (shape.kind != SL_SHAPE_VARYING)
        vector = scalar;
    else if (divides)
        vector = of_division(c, i);
    else
        vector = 3 * registers(c, LLVMTypeOf(i)) / 2;
    c->scalar += weight * scalar * c->v->lanes;
    c->vector += weight * vector;
    if (sl_vector_is_update(c->v, i, block))
        c->updates += weight * vector;
    if (shape.kind == SL_SHAPE_VARYING || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        c->apart += weight * vector;
    uint64_t serial = scalar * c->v->lanes, loss = vector > serial ? vector - serial : 0;
    if (weight * loss > c->loss) {
        c->loss = weight * loss;
        c->dearest = i;
    }
}

uint64_t sl_vector_cost(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    struct sl_vector_costs c = {.v = v};
    add(&c, i, block, 1);
    return c.vector;
}

uint64_t sl_vector_regrouping(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    struct sl_vector_costs c = {.v = v};
    return regrouping(&c, type);
}

static bool is_sum(const struct sl_vector_costs *c, LLVMValueRef i)
{
    return LLVMIsAPHINode(i) && sl_vector_is_number(LLVMTypeOf(i)) &&
           sl_vector_shape(c->v, i).kind == SL_SHAPE_VARYING;
}

/* One cache line per lane, of which there are few of one place in a page. */
static bool is_gather(const struct sl_vector_costs *c, LLVMValueRef i, uint32_t block)
{
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
           (of_access(c, i, block) >=
                (uint64_t)c->v->lanes * lane_cost(c, LLVMIsAStoreInst(i), block) ||
            lies_beside(c, i, block));
}

static void look_at_loop(struct sl_vector_costs *c, uint32_t loop)
{
    uint32_t varying = 0;
    bool recurs = false, gathers = false;
    for (uint32_t b = 0; b < c->v->plan.count; b++) {
        const struct sl_vector_block *block = &c->v->plan.blocks[b];
        if (!sl_vector_loop_has(&c->v->plan, loop, b))
            continue;
        if (block->loop != loop)
            return; /* not an innermost one */
        for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i;
             i = LLVMGetNextInstruction(i)) {
            varying += sl_vector_shape(c->v, i).kind == SL_SHAPE_VARYING;
            recurs |= b == c->v->plan.loops[loop - 1].header && is_sum(c, i);
            gathers |= is_gather(c, i, b);
        }
    }
    if (varying > c->busiest) {
        c->busiest = varying;
        c->recurs = recurs && !gathers;
    }
}

/* LLVM will compute it in front of the loop: a load as well, unless it is of the item's own. */
static bool stays(const struct sl_vector_costs *c, LLVMValueRef value, uint32_t loop,
                  unsigned depth)
{
    if (!LLVMIsAInstruction(value) ||
        !sl_vector_loop_has(&c->v->plan, loop,
                            sl_vector_number(&c->v->plan, LLVMGetInstructionParent(value))))
        return true;
    if (!depth || LLVMIsAPHINode(value) || LLVMIsACallInst(value) || LLVMIsAStoreInst(value) ||
        LLVMIsATerminatorInst(value) || LLVMIsAAtomicRMWInst(value) ||
        LLVMIsAAtomicCmpXchgInst(value) || LLVMIsAFenceInst(value))
        return false;
    if (LLVMIsALoadInst(value) &&
        (LLVMGetVolatile(value) || sl_vector_array(c->v, LLVMGetOperand(value, 0)) ||
         sl_map_get(c->v->variables, LLVMGetOperand(value, 0))))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        if (!stays(c, LLVMGetOperand(value, (unsigned)k), loop, depth - 1))
            return false;
    return true;
}

static uint64_t weight_of(const struct sl_vector_plan *plan, uint32_t b)
{
    uint64_t weight = 2;
    unsigned depth = 0;
    for (uint32_t l = plan->blocks[b].loop; l; l = plan->loops[l - 1].parent, depth++)
        weight *= depth < DEEPEST ? LOOP_WEIGHT : 1;
    return weight;
}

/* Items in turn wait for their numbers, each for its own, as filters do that feed back what they
 * made. A sum alone is no more than what is added to it takes. */
static void add_waiting(struct sl_vector_costs *c, uint32_t loop)
{
    enum { FEWEST = 2 };
    uint32_t steps = sl_vector_steps_of_round(c->v, loop);
    if (steps >= FEWEST && !c->v->plan.loops[loop - 1].divergent)
        c->scalar +=
            weight_of(&c->v->plan, c->v->plan.loops[loop - 1].header) * steps * STEP * c->v->lanes;
}

static void add_block(struct sl_vector_costs *c, uint32_t b)
{
    const struct sl_vector_plan *plan = &c->v->plan;
    uint64_t weight = weight_of(plan, b), before = c->vector;
    uint32_t loop = plan->blocks[b].loop;
    unsigned depth = 0;
    for (uint32_t l = loop; l; l = plan->loops[l - 1].parent)
        depth++;
    uint64_t outside = loop && depth <= DEEPEST ? weight / LOOP_WEIGHT : weight;
    for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref); i;
         i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i))
            add(c, i, b, loop && stays(c, i, loop, FAR) ? outside : weight);
    if (loop && plan->loops[loop - 1].divergent)
        c->vector += (c->vector - before) / 2; /* lanes wait for the one that stays longest */
}

struct sl_vector_costs sl_vector_cost_of_region(const struct sl_vector_facts *v)
{
    struct sl_vector_costs c = {.v = v};
    for (uint32_t b = 0; b < v->plan.count; b++)
        add_block(&c, b);
    for (uint32_t l = 1; l <= v->plan.loop_count; l++) {
        look_at_loop(&c, l);
        add_waiting(&c, l);
    }
    return c;
}
