/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a kernel runs faster in vector form, and with how many lanes. Costs are in scalar
 * instructions; what is in a loop counts more. The figures are rough on purpose: they have to tell
 * arithmetic from gathers, not one kernel from the next. No shared state.
 */
#include "vector/interleaved.h"

#include "passes/piece.h"
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_ARRAY 16384 /* bytes of one item's private array; lanes times that must fit */
#define LARGEST_ARRAYS (256 << 10) /* bytes of arrays of one vector's items */
#define WIDEST 64                  /* lanes */
#define MOST_REGROUPED 128         /* elements of one access */
#define LOOP_WEIGHT 8              /* how often a loop is thought to run */
#define DEEPEST 3
#define FAR 6           /* operations that are looked back */
#define SERIAL 6        /* per lane, on top of the instruction itself */
#define QUESTION 4      /* whether the lanes of an access are neighbours */
#define ELEMENTS_MEET 2 /* per lane and element, where both ways of a question come together */
#define WINDOW 6        /* what lanes take of a register, which is loaded for them */
#define SLOW_RETURN 4   /* times what an access costs that waits for another one's store */
#define UPDATE_ITEMS 8  /* that go together where they update memory one by one */
#define CALL 20
#define LOCK 10 /* of an atomic that other threads see */
#define DIVISION 10

/* ---- element sizes -------------------------------------------------------------------------- */

static unsigned bits_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return bits_of(LLVMGetElementType(type));
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

static bool is_number(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind)
        kind = LLVMGetTypeKind(LLVMGetElementType(type));
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* The widest elements that the kernel keeps in memory or computes with as numbers: what ids and
 * addresses are made of does not count. */
static unsigned widest(LLVMValueRef kernel)
{
    unsigned most = 8;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMTypeOf(i);
            if (LLVMIsAStoreInst(i))
                type = LLVMTypeOf(LLVMGetOperand(i, 0));
            else if (!LLVMIsALoadInst(i) && !is_number(type))
                continue;
            unsigned bits = bits_of(type);
            most = bits > most ? bits : most;
        }
    return most;
}

/* Elements of OpenCL's vectors in memory. */
static uint32_t most_parts(LLVMValueRef kernel)
{
    uint32_t most = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMIsAStoreInst(i)  ? LLVMTypeOf(LLVMGetOperand(i, 0))
                               : LLVMIsALoadInst(i) ? LLVMTypeOf(i)
                                                    : NULL;
            uint32_t parts = type ? sl_vector_part_count(type) : 1;
            most = parts > most ? parts : most;
        }
    return most;
}

/* A register of the widest elements; fewer where LLVM would take seconds to regroup elements. */
static uint32_t natural_lanes(const struct sl_vector_target *target, LLVMValueRef kernel)
{
    unsigned bits = widest(kernel), least = target->register_bits / 64;
    uint32_t lanes = target->register_bits / (bits > 32 ? 64 : bits > 16 ? 32 : bits > 8 ? 16 : 8);
    for (uint32_t parts = most_parts(kernel); lanes > least && lanes * parts > MOST_REGROUPED;)
        lanes /= 2;
    return lanes;
}

/* ---- may this kernel have vector forms at all? ---------------------------------------------- */

/* A vector of lanes is made of each: elements of vectors, fields of structs. */
static bool is_known_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
    case LLVMTokenTypeKind:
        return false;
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type) <= SL_VECTOR_MOST_PARTS;
    case LLVMStructTypeKind:
        for (unsigned k = 0; k < LLVMCountStructElementTypes(type); k++) {
            LLVMTypeKind kind = LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, k));
            if (kind == LLVMVectorTypeKind || kind == LLVMStructTypeKind ||
                kind == LLVMArrayTypeKind)
                return false;
        }
        return LLVMCountStructElementTypes(type) <= SL_VECTOR_MOST_PARTS;
    default:
        return true;
    }
}

static bool is_known_code(LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!is_known_type(LLVMTypeOf(LLVMGetOperand(i, k))))
            return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMResume:
    case LLVMVAArg:
        return false;
    case LLVMAlloca:
        return LLVMIsAConstantInt(LLVMGetOperand(i, 0));
    default:
        return is_known_type(LLVMTypeOf(i)) &&
               (!LLVMIsAGetElementPtrInst(i) || LLVMGetNumOperands(i) <= SL_VECTOR_MOST_PARTS);
    }
}

uint64_t sl_vector_array_bytes(const struct sl_pass *pass, LLVMValueRef variable)
{
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    return count *
           LLVMABISizeOfType(LLVMGetModuleDataLayout(pass->module), LLVMGetAllocatedType(variable));
}

/* The first instruction that has no vector form; NULL: there is none. */
static LLVMValueRef find_obstacle(const struct sl_pass *pass, LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!is_known_code(i) ||
                (LLVMIsAAllocaInst(i) && sl_vector_array_bytes(pass, i) > LARGEST_ARRAY))
                return i;
    return NULL;
}

/* ---- costs ---------------------------------------------------------------------------------- */

struct cost {
    const struct sl_vector *v;
    uint64_t scalar, vector; /* of all lanes, one run of the piece */
    uint64_t apart;          /* of the latter, what is not the same for all lanes */
    uint64_t updates;        /* of the latter, what updates memory lane by lane */
    uint32_t busiest;        /* varying instructions of the largest innermost loop */
    bool chained;            /* in it a sum waits for itself */
    uint64_t loss;           /* what the dearest instruction costs more at once than in turn */
    LLVMValueRef dearest;    /* NULL: none does */
};

static uint64_t registers(const struct cost *c, LLVMTypeRef type)
{
    uint64_t bits = bits_of(type) < 8 ? 8 : bits_of(type);
    uint64_t whole = c->v->target->register_bits;
    return (bits * c->v->lanes + whole - 1) / whole * sl_vector_part_count(type);
}

static uint64_t interleaved_registers(const struct cost *c, LLVMTypeRef type)
{
    uint64_t bits = (uint64_t)bits_of(type) * c->v->lanes * sl_vector_part_count(type);
    uint64_t whole = c->v->target->register_bits;
    return (bits + whole - 1) / whole;
}

/* What the machine needs for one item's value, which may be one of OpenCL's vectors. */
static uint64_t one_item(const struct cost *c, LLVMTypeRef type)
{
    uint64_t bits = (uint64_t)bits_of(type) * sl_vector_part_count(type);
    uint64_t whole = c->v->target->register_bits;
    return bits > whole ? (bits + whole - 1) / whole : 1;
}

/* Elements that lie side by side in memory go to registers of their own, or back. */
static uint64_t regrouping(const struct cost *c, LLVMTypeRef type)
{
    uint32_t count = sl_vector_part_count(type), steps = 0;
    LLVMTypeRef packed = sl_vector_packed_type(type);
    if (packed)
        return 2 * count * registers(c, packed);
    for (uint32_t k = 1; k < count; k *= 2)
        steps++;
    return registers(c, type) * steps * (bits_of(type) < 32 ? 3 : 1);
}

/* Elements that lanes got as neighbours meet those that they got one by one, each in registers of
 * its own; an item alone has all of them in one register, and asks nothing. */
static uint64_t meeting(const struct cost *c, LLVMTypeRef type)
{
    uint32_t parts = sl_vector_part_count(type);
    if (parts == 1)
        return 0;
    return (uint64_t)c->v->lanes * ELEMENTS_MEET * (sl_vector_packed_type(type) ? 1 : parts);
}

/* What each item loads together with others. */
static bool lies_beside(const struct cost *c, LLVMValueRef i, uint32_t block)
{
    return LLVMIsALoadInst(i) &&
           (sl_map_get(&c->v->walks, i) || sl_vector_is_in_span(c->v, i, block));
}

static uint64_t of_access(const struct cost *c, LLVMValueRef i, uint32_t block)
{
    bool store = LLVMIsAStoreInst(i);
    LLVMValueRef pointer = LLVMGetOperand(i, store);
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    const struct sl_vector_variable *variable = sl_map_get(c->v->variables, pointer);
    struct sl_shape shape = sl_vector_shape_at(c->v, pointer, block);
    int64_t size = (int64_t)(bits_of(type) / 8 * sl_vector_part_count(type));
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
        return c->v->target->mask_registers
                   ? (uint64_t)c->v->lanes * (store ? 2 : 3) * sl_vector_part_count(type)
                   : 5 * registers(c, type);
    if (sl_vector_guess_pays(c->v, i, block))
        return whole ? 2 * interleaved_registers(c, type) + QUESTION
                     : 2 * registers(c, type) + regrouping(c, type) + QUESTION + meeting(c, type);
    uint64_t each = store ? c->v->target->scatter : c->v->target->gather;
    if (lies_beside(c, i, block)) /* four words at once */
        return (uint64_t)c->v->lanes * each * (uint64_t)size / 16 + 2 * registers(c, type);
    if (!store && sl_vector_has_window(c->v, i, block))
        return WINDOW * registers(c, type) + QUESTION;
    uint32_t loop = c->v->plan.blocks[block].loop;
    /* What the last turn scattered comes back slowly, and few lanes are left that want it. */
    if ((array && loop && c->v->plan.loops[loop - 1].divergent) ||
        sl_vector_waits_for_scatter(c->v, i, block))
        each *= SLOW_RETURN;
    if (!array && sl_vector_packed_type(type))
        return c->v->lanes * each + regrouping(c, type);
    return (uint64_t)c->v->lanes * each * sl_vector_part_count(type);
}

static uint64_t of_call(const struct cost *c, LLVMValueRef i, uint32_t block, uint64_t *scalar)
{
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(i, &what, &dim) || sl_wi_is_barrier(i) || sl_wi_is_cut(i))
        return *scalar = 0;
    if (sl_vector_is_lanewise_call(i))
        return 2 * registers(c, LLVMTypeOf(i));
    if (sl_vector_has_image_form(c->v, i, block))
        return sl_vector_image_cost(c->v, i, scalar);
    if (sl_vector_is_rare(c->v, i))
        return *scalar = 0;
    if (strncmp(sl_callee_name(i), "llvm.", 5) == 0 &&
        LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        return *scalar = 0;
    *scalar = CALL; /* most of them are loops or branches over elements */
    return (uint64_t)c->v->lanes * (CALL + SERIAL);
}

/* One update of memory, and half the registers' lanes after the other half's before it. Where only
 * some lanes run and each takes its own old value elsewhere, they are few as often as not, and go
 * through their accesses one by one: the lock is no reason to do so together. */
static uint64_t of_combined(const struct cost *c, LLVMValueRef i, uint32_t block, uint64_t *scalar)
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
static uint64_t of_serial_atomic(const struct cost *c, uint32_t block)
{
    uint32_t loop = c->v->plan.blocks[block].loop;
    bool waits = loop && c->v->plan.loops[loop - 1].divergent;
    return (uint64_t)c->v->lanes * SERIAL * (waits ? SLOW_RETURN : 1);
}

static void add(struct cost *c, LLVMValueRef i, uint32_t block, uint64_t weight)
{
    uint64_t scalar = one_item(c, LLVMTypeOf(i)), vector;
    bool divides = LLVMIsABinaryOperator(i) && LLVMGetInstructionOpcode(i) >= LLVMUDiv &&
                   LLVMGetInstructionOpcode(i) <= LLVMSRem && !is_number(LLVMTypeOf(i));
    struct sl_shape shape = sl_vector_shape(c->v, i);
    if (divides)
        scalar = DIVISION * sl_vector_part_count(LLVMTypeOf(i));
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
        vector = bits_of(LLVMTypeOf(i)) > 32 ? c->v->lanes * (scalar + SERIAL)
                                             : DIVISION * registers(c, LLVMTypeOf(i));
    else
        vector = 3 * registers(c, LLVMTypeOf(i)) / 2;
    c->scalar += weight * scalar * c->v->lanes;
    c->vector += weight * vector;
    if (sl_vector_is_update(c->v, i, block))
        c->updates += weight * vector;
    if (shape.kind == SL_SHAPE_VARYING || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind)
        c->apart += weight * vector;
    uint64_t in_turn = scalar * c->v->lanes, loss = vector > in_turn ? vector - in_turn : 0;
    if (weight * loss > c->loss) {
        c->loss = weight * loss;
        c->dearest = i;
    }
}

uint64_t sl_vector_cost(const struct sl_vector *v, LLVMValueRef i, uint32_t block)
{
    struct cost c = {.v = v};
    add(&c, i, block, 1);
    return c.vector;
}

uint64_t sl_vector_regrouping(const struct sl_vector *v, LLVMTypeRef type)
{
    struct cost c = {.v = v};
    return regrouping(&c, type);
}

static bool is_sum(const struct cost *c, LLVMValueRef i)
{
    return LLVMIsAPHINode(i) && is_number(LLVMTypeOf(i)) &&
           sl_vector_shape(c->v, i).kind == SL_SHAPE_VARYING;
}

/* One cache line per lane, of which there are few of one place in a page. */
static bool is_gather(const struct cost *c, LLVMValueRef i, uint32_t block)
{
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
           (of_access(c, i, block) >= (uint64_t)c->v->lanes * c->v->target->gather ||
            lies_beside(c, i, block));
}

static void look_at_loop(struct cost *c, uint32_t loop)
{
    uint32_t varying = 0;
    bool chained = false, gathers = false;
    for (uint32_t b = 0; b < c->v->plan.count; b++) {
        const struct sl_vector_block *block = &c->v->plan.blocks[b];
        if (!sl_vector_loop_has(&c->v->plan, loop, b))
            continue;
        if (block->loop != loop)
            return; /* not an innermost one */
        for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i;
             i = LLVMGetNextInstruction(i)) {
            varying += sl_vector_shape(c->v, i).kind == SL_SHAPE_VARYING;
            chained |= b == c->v->plan.loops[loop - 1].header && is_sum(c, i);
            gathers |= is_gather(c, i, b);
        }
    }
    if (varying > c->busiest) {
        c->busiest = varying;
        c->chained = chained && !gathers;
    }
}

/* LLVM will compute it in front of the loop: a load as well, unless it is of the item's own. */
static bool stays(const struct cost *c, LLVMValueRef value, uint32_t loop, unsigned depth)
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

static void add_block(struct cost *c, uint32_t b)
{
    const struct sl_vector_plan *plan = &c->v->plan;
    uint64_t weight = 2;
    unsigned depth = 0;
    for (uint32_t l = plan->blocks[b].loop; l; l = plan->loops[l - 1].parent, depth++)
        weight *= depth < DEEPEST ? LOOP_WEIGHT : 1;
    uint64_t before = c->vector;
    uint32_t loop = plan->blocks[b].loop;
    uint64_t outside = loop && depth <= DEEPEST ? weight / LOOP_WEIGHT : weight;
    for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref); i;
         i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i))
            add(c, i, b, loop && stays(c, i, loop, FAR) ? outside : weight);
    if (loop && plan->loops[loop - 1].divergent)
        c->vector += (c->vector - before) / 2; /* lanes wait for the one that stays longest */
}

/* Several registers per value hide how long a sum takes, as long as there are enough of them. */
static uint32_t interleave(const struct cost *c)
{
    if (!c->chained)
        return 1;
    return c->busiest <= 6 ? 4 : c->busiest <= 14 ? 2 : 1;
}

/* Most of the time goes into updates, one by one: more items than there are addresses in registers
 * would not make it less. */
static bool is_held_up_by_updates(const struct cost *c)
{
    return c->v->target->mask_registers && 2 * c->updates >= c->vector;
}

static LLVMBasicBlockRef anywhere(LLVMBasicBlockRef block, void *data)
{
    (void)data;
    return block;
}

static struct cost cost_of_piece(const struct sl_vector *v)
{
    struct cost c = {.v = v};
    for (uint32_t b = 0; b < v->plan.count; b++)
        add_block(&c, b);
    for (uint32_t l = 1; l <= v->plan.loop_count; l++)
        look_at_loop(&c, l);
    return c;
}

/* Does a loop compute with elements of which a register has room for twice as many items' at least?
 */
static bool has_narrow_loop(const struct sl_vector *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop; i = LLVMGetNextInstruction(i)) {
            unsigned bits = bits_of(LLVMTypeOf(i));
            if (LLVMIsABinaryOperator(i) && sl_vector_shape(v, i).kind == SL_SHAPE_VARYING &&
                bits >= 8 && bits * v->lanes * 2 <= v->target->register_bits)
                return true;
        }
    return false;
}

/* The widest elements decided so far, and narrower ones may do most of the work. */
static struct cost widen_for_narrow(struct sl_vector *v, struct cost c)
{
    while (v->target->mask_registers && has_narrow_loop(v) && sl_vector_has_room(v, v->lanes * 2) &&
           v->lanes * 2 * most_parts(v->g->facts->kernel) <= WIDEST &&
           v->lanes * 2 * sl_vector_arrays_bytes(v) <= LARGEST_ARRAYS) {
        v->lanes *= 2;
        struct cost wider = cost_of_piece(v);
        if (wider.apart * 10 > c.apart * 2 * 9) {
            v->lanes /= 2;
            break;
        }
        c = wider;
    }
    return c;
}

/* *why: what decided for items in turn. */
static uint32_t judge(struct sl_vector *v, LLVMValueRef *why)
{
    struct cost c = widen_for_narrow(v, cost_of_piece(v));
    bool pays = c.vector < c.scalar;
    sl_pass_remark(v->g->pass, v->g->facts, pays ? NULL : c.dearest,
                   "%u items cost %llu at once, %llu in turn%s%s", v->lanes,
                   (unsigned long long)c.vector / 2, (unsigned long long)c.scalar / 2,
                   pays || !c.dearest ? "" : "; dearest at once: ",
                   pays || !c.dearest ? "" : sl_instruction_name(c.dearest));
    *why = c.dearest;
    if (!pays)
        return 1;
    if (is_held_up_by_updates(&c))
        return v->lanes < UPDATE_ITEMS ? v->lanes : UPDATE_ITEMS;
    uint32_t times = v->target->mask_registers ? interleave(&c) : sl_vector_fill_registers(v);
    uint32_t fill = v->target->mask_registers ? sl_vector_fill_chain(v) : 1;
    times = fill > times ? fill : times;
    const struct sl_vector_loop *waiting =
        v->target->mask_registers ? NULL : sl_vector_waiting_loop(v, times);
    if (waiting) {
        *why = LLVMGetFirstInstruction(v->plan.blocks[waiting->header].ref);
        sl_pass_remark(v->g->pass, v->g->facts, *why, "the loop would wait for its own results");
        return 1;
    }
    times = sl_vector_leave_room_for_rows(v, times);
    uint32_t lanes = v->lanes * times, most = WIDEST / most_parts(v->g->facts->kernel);
    return lanes <= v->lanes || most <= v->lanes ? v->lanes : lanes < most ? lanes : most;
}

static bool has_barrier(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_wi_is_barrier(i))
                return true;
    return false;
}

/* What one vector of items keeps in arrays should stay in the cache. */
static void limit_arrays(struct sl_vector *v)
{
    uint64_t bytes = sl_vector_arrays_bytes(v);
    while (v->lanes > v->target->register_bits / 64 && v->lanes * bytes > LARGEST_ARRAYS)
        v->lanes /= 2;
}

/* Items beyond a guard's limit are left out before the others run together (clip.c). */
static void find_guard(struct sl_vector *v)
{
    struct sl_vector_clip clip;
    if (!sl_vector_find_clip(v, &clip))
        return;
    sl_vector_decide(&v->decided, clip.condition, clip.runs_if);
}

/* The whole kernel, as if barriers were nothing. *walks, if that is asked for: loops were marked to
 * be unrolled, after which it is another one. */
static uint32_t weigh(struct sl_pass *pass, struct sl_kernel_facts *facts,
                      const struct sl_vector_target *target, LLVMValueRef *why, bool *walks)
{
    struct sl_group_function g = {.pass = pass, .facts = facts, .cut = {.kernel = facts->kernel}};
    struct sl_map none = {0};
    struct sl_vector v = {.g = &g, .target = target, .variables = &none};
    v.lanes = natural_lanes(target, facts->kernel);
    uint32_t count = LLVMCountBasicBlocks(facts->kernel), best = 1;
    LLVMBasicBlockRef *blocks = sl_ir_alloc(count, sizeof(*blocks));
    LLVMGetBasicBlocks(facts->kernel, blocks);
    bool flows = !sl_vector_plan_init(&v.plan, blocks, count, anywhere, NULL);
    if (flows) {
        find_guard(&v);
        if (!has_barrier(facts->kernel)) /* behind one, arrays are kept item after item */
            sl_vector_find_arrays(&v);
        limit_arrays(&v);
        sl_vector_find_shapes(&v);
        flows = sl_vector_settle_flow(&v);
        uint32_t interleaved = flows ? sl_vector_find_interleaved(&v) : 0;
        if (interleaved)
            sl_pass_remark(pass, facts, NULL, "%u values stay in memory's order", interleaved);
        if (!target->mask_registers)
            v.lanes = sl_vector_fit_lanes(&v);
    }
    if (flows) {
        sl_vector_find_walks(&v);
        best = judge(&v, why);
        if (walks)
            *walks = best > 1 && sl_vector_mark_walks(&v);
    } else {
        *why = sl_vector_plan_obstacle(&v.plan);
        sl_pass_remark(pass, facts, *why, "control flow that items cannot take together");
    }
    free(blocks);
    sl_vector_finish(&v);
    return best;
}

/* NULL: the kernel may have a vector form. */
static const char *objection(const struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    if (!pass->optimize)
        return "optimisation is off";
    if (!sl_vector_target(pass))
        return "there is none for this machine";
    if (facts->flags & (SL_KERNEL_USES_PIPES | SL_KERNEL_SINGLE_TASK | SL_KERNEL_AUTORUN))
        return "it has pipes, or one item";
    if (facts->sub_group_stops)
        return "its sub-groups need not go in step";
    return sl_is_too_large(facts->kernel) ? "it is too large" : NULL;
}

static uint32_t choose_lanes(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    const char *why = objection(pass, facts);
    LLVMValueRef obstacle = why ? NULL : find_obstacle(pass, facts->kernel);
    if (why || obstacle) {
        sl_pass_remark(pass, facts, obstacle, "no vector form: %s",
                       why ? why : sl_instruction_name(obstacle));
        return 1;
    }
    sl_vector_expand_copies(pass, facts->kernel);
    LLVMValueRef cause = NULL;
    bool walks = false;
    uint32_t lanes = weigh(pass, facts, sl_vector_target(pass), &cause, &walks);
    if (walks && sl_vector_unroll_walks(pass, facts))
        lanes = weigh(pass, facts, sl_vector_target(pass), &cause, NULL);
    if (lanes > 1)
        cause = NULL;
    if (lanes > 1 && !sl_pass_step(pass, "vector form", facts))
        lanes = 1;
    if (lanes > 1)
        sl_pass_remark(pass, facts, NULL, "%u items at once", lanes);
    else
        sl_pass_remark(pass, facts, cause, "items in turn");
    return lanes;
}

int sl_pass_vector_choice(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (!pass->kernels[k].elsewhere)
            pass->kernels[k].lanes = choose_lanes(pass, &pass->kernels[k]);
    return 0;
}
