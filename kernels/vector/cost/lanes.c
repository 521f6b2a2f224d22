/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many lanes machines with few registers take. Bytes are computed with as ints: as many lanes
 * as fill a register with bytes would need four per int. And a chain of operations that wait for
 * each other leaves the machine idle: several registers per value fill it, as long as there are
 * enough of them. No shared state.
 */
#include "vector/cost/lanes.h"

#include "ir/map.h"
#include "items/work_item.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/cost/interleaved.h"
#include "vector/cost/pressure.h"
#include "vector/cost/recurrence.h"
#include "vector/cost/row_walks.h"
#include "vector/operations/value.h"
#include "llvm/intrinsics.h"

#define LONG_LATENCY 8 /* operations that wait for each other: likewise the next vector's */
#define OPERANDS 2     /* registers for a round's numbers beside its sums */
#define LONG_CODE 60   /* instructions beyond which the next vector's are too far away to overlap */

static uint32_t most_pressure(const struct sl_vector_facts *v)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        uint32_t one = sl_vector_pressure(v, b);
        most = one > most ? one : most;
    }
    return most;
}

static bool fits_into(struct sl_vector_facts *v, uint32_t lanes, uint32_t registers)
{
    uint32_t was = v->lanes;
    v->lanes = lanes;
    bool fine = most_pressure(v) <= registers;
    v->lanes = was;
    return fine;
}

static bool fits(struct sl_vector_facts *v, uint32_t lanes)
{
    return fits_into(v, lanes, v->target->registers);
}

static bool is_varying(const struct sl_vector_facts *v, LLVMValueRef i)
{
    return sl_vector_shape(v, i).kind == SL_SHAPE_VARYING;
}

static bool computes_with_words(const struct sl_vector_facts *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = sl_vector_part_type(LLVMTypeOf(i), 0);
            if (is_varying(v, i) && LLVMIsABinaryOperator(i) &&
                LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32)
                return true;
        }
    return false;
}

struct widths {
    uint32_t words, longs; /* values of 32 and of 64 bits that vary */
};

static struct widths count_widths(const struct sl_vector_facts *v)
{
    struct widths w = {0};
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            unsigned width = is_varying(v, i) ? sl_vector_part_bits(LLVMTypeOf(i)) : 0;
            w.words += width == 32;
            w.longs += width == 64;
        }
    return w;
}

/* Doubles on the way from float to float: half a register of floats would be a waste. */
static bool is_mostly_words(const struct sl_vector_facts *v)
{
    struct widths w = count_widths(v);
    return 3 * w.words >= w.longs;
}

static bool has_barrier(const struct sl_vector_facts *v)
{
    bool barrier = false;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            barrier |= sl_wi_is_barrier(i);
    return barrier;
}

/* Then a row may be of all groups side by side, else it is as short as one of them. */
static bool has_long_rows(const struct sl_vector_facts *v)
{
    return !has_barrier(v) && sl_only_global_places(v->g->facts->kernel);
}

/* A group of which nobody asks for more than dimension 0 is one row, which is seldom shorter than a
 * register of words. */
static bool has_wide_rows(const struct sl_vector_facts *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            enum sl_wi what;
            unsigned dim;
            if (sl_wi_parse(i, &what, &dim) && dim)
                return false;
        }
    return true;
}

/* Elements of fewer items fill registers as well, if they lie in memory's order: those of one, as
 * the case may be. */
static uint32_t fit_interleaved(struct sl_vector_facts *v)
{
    uint32_t bits = sl_vector_interleaved_bits(v), lanes = v->lanes;
    v->counts_closely = true;
    while (lanes > 1 && lanes / 2 * bits >= v->target->register_bits &&
           !fits_into(v, lanes, v->target->registers - OPERANDS))
        lanes /= 2;
    v->counts_closely = false;
    return lanes;
}

uint32_t sl_vector_fit_lanes(struct sl_vector_facts *v)
{
    uint32_t lanes = v->lanes, least = v->target->register_bits / 32;
    if (lanes <= least && sl_vector_all_interleaved(v))
        return fit_interleaved(v);
    if (lanes == least / 2 && is_mostly_words(v))
        return least;
    if (lanes > least && !has_long_rows(v))
        return least;
    if (lanes <= least || !computes_with_words(v))
        return lanes;
    while (lanes > least && !fits(v, lanes))
        lanes /= 2;
    return lanes;
}

static uint32_t rounds_before(const struct sl_map *depth, LLVMValueRef i)
{
    uintptr_t most = 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t one = (uintptr_t)sl_map_get(depth, LLVMGetOperand(i, (unsigned)k));
        most = one > most ? one : most;
    }
    return (uint32_t)most;
}

/* Operations on floating-point numbers, and how many of them wait for one another. */
struct rounds {
    uint32_t operations, longest;
};

/* Products of words are two where they are asked for: two steps, which take as long as two and a
 * half of a float on machines with wide units. */
static uint32_t operations_of(const struct sl_vector_facts *v, LLVMValueRef i, bool products)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    if (!is_varying(v, i) || LLVMIsALoadInst(i) || LLVMIsAPHINode(i))
        return 0;
    if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
        return 1;
    return products && kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 32 &&
                   LLVMGetInstructionOpcode(i) == LLVMMul
               ? 2
               : 0;
}

/* loop: 0: all blocks; else its own ones, once through. */
static struct rounds count_rounds(const struct sl_vector_facts *v, uint32_t loop, bool products)
{
    struct sl_map depth = {0};
    struct rounds r = {0};
    for (uint32_t b = 0; b < v->plan.count; b++) {
        if (loop && v->plan.blocks[b].loop != loop)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            uint32_t computes = operations_of(v, i, products);
            uint32_t rounds = rounds_before(&depth, i) + computes;
            r.operations += computes;
            r.longest = rounds > r.longest ? rounds : r.longest;
            sl_map_set(&depth, i, (void *)(uintptr_t)rounds);
        }
    }
    sl_map_finish(&depth);
    return r;
}

/* Most of it waits for the operation before. */
static bool is_latency_bound(struct rounds r, uint32_t shortest)
{
    return r.longest >= shortest && r.operations < 2 * r.longest;
}

static bool is_memory_access(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

/* An innermost loop without memory: that would be something to overlap with, and have more to
 * fetch. */
static bool only_computes(const struct sl_vector_facts *v, uint32_t loop)
{
    for (uint32_t b = 0; b < v->plan.count; b++) {
        if (sl_vector_loop_has(&v->plan, loop, b) && v->plan.blocks[b].loop != loop)
            return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop == loop; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) ? !sl_vector_is_lanewise_call(i) : is_memory_access(i))
                return false;
    }
    return true;
}

/* One that does nothing but wait for its own results. */
static bool only_waits(const struct sl_vector_facts *v, uint32_t loop)
{
    return only_computes(v, loop) && is_latency_bound(count_rounds(v, loop, false), 1);
}

/* All its time goes by in such loops, of whose chains four do not fill the machine. Straight code
 * overlaps with the next vector's. */
static bool only_loops_wait(const struct sl_vector_facts *v)
{
    bool all = v->plan.loop_count > 0;
    for (uint32_t l = 1; l <= v->plan.loop_count && all; l++)
        all = only_waits(v, l);
    return all;
}

/* Does a loop, or code without any, wait for its own results? Of divergent loops those that only
 * compute, if they are asked for: more lanes stay as long as the last of them. */
static bool waits(const struct sl_vector_facts *v, bool divergent)
{
    uint32_t varying = 0;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        const struct sl_vector_block *block = &v->plan.blocks[b];
        uint32_t loop = block->loop;
        bool header = loop && v->plan.loops[loop - 1].header == b;
        if (loop && v->plan.loops[loop - 1].divergent && !(divergent && only_computes(v, loop)))
            return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i;
             i = LLVMGetNextInstruction(i)) {
            varying += is_varying(v, i);
            if (header && LLVMIsAPHINode(i) && is_varying(v, i))
                return true;
        }
    }
    return !v->plan.loop_count &&
           (varying > LONG_CODE || is_latency_bound(count_rounds(v, 0, false), LONG_LATENCY));
}

/* Does straight code wait for its products? */
static bool waits_for_products(const struct sl_vector_facts *v)
{
    return !v->plan.loop_count && is_latency_bound(count_rounds(v, 0, true), LONG_LATENCY);
}

/* Long code whose operations mostly wait for each other: what waits fills the machine's queues, so
 * that it does not come to the next vector's, and values in memory cost less. */
static bool is_long_and_waits(struct rounds r)
{
    return r.operations > LONG_CODE / 2 && r.operations < 4 * r.longest;
}

/* Is all code that computes with floating-point numbers such? */
static bool waits_at_length(const struct sl_vector_facts *v)
{
    uint32_t count = v->plan.loop_count;
    bool all = true, any = false;
    for (uint32_t l = count ? 1 : 0; l <= count && all; l++) {
        struct rounds r = count_rounds(v, l, false);
        any |= r.operations > 0;
        all = !r.operations || is_long_and_waits(r);
    }
    return all && any;
}

/* Units for divisions and roots are busy with one register for as long as that waits. */
static bool divides_while_lanes_differ(const struct sl_vector_facts *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++) {
        uint32_t loop = v->plan.blocks[b].loop;
        if (!loop || !v->plan.loops[loop - 1].divergent)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (is_varying(v, i) && (LLVMGetInstructionOpcode(i) == LLVMFDiv ||
                                     sl_llvm_is_intrinsic(i, SL_INTRINSIC_SQRT)))
                return true;
    }
    return false;
}

/* Do lanes leave all loops one by one, which only compute with floating-point numbers? Each round
 * waits for the one before, and the next vector's come after the last of them. */
static bool leaves_while_computing(const struct sl_vector_facts *v)
{
    bool all = v->plan.loop_count > 0 && !divides_while_lanes_differ(v);
    for (uint32_t l = 1; l <= v->plan.loop_count && all; l++)
        all = v->plan.loops[l - 1].divergent && only_computes(v, l) &&
              count_rounds(v, l, false).operations;
    return all;
}

uint32_t sl_vector_fill_registers(struct sl_vector_facts *v)
{
    uint32_t times = 4, rows = sl_vector_rows_in_cache(v);
    if (leaves_while_computing(v) && has_long_rows(v) && fits(v, 2 * v->lanes))
        return 2;
    if (!waits(v, false) || !has_long_rows(v))
        return 1;
    while (times > 1 && v->lanes * times > rows)
        times /= 2;
    /* Some values in memory cost less than waiting: measured, half as many again. */
    while (times > 1 && !fits_into(v, v->lanes * times, v->target->registers * 3 / 2))
        times /= 2;
    if (times == 1 && waits_at_length(v) && fits_into(v, v->lanes * 2, v->target->registers * 3))
        return 2;
    return times == 4 && only_loops_wait(v) && fits(v, 8 * v->lanes) ? 8 : times;
}

/* Operations on integers are done in a cycle: few wait, and registers are worth more to them. */
static uint32_t registers_to_use(const struct sl_vector_facts *v)
{
    uint32_t real = 0, all = 0;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeKind kind = LLVMGetTypeKind(sl_vector_part_type(LLVMTypeOf(i), 0));
            all += is_varying(v, i);
            real += is_varying(v, i) && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind);
        }
    return real * 4 >= all ? v->target->registers * 3 / 2 : v->target->registers;
}

uint32_t sl_vector_fill_words(struct sl_vector_facts *v)
{
    struct widths w = count_widths(v);
    bool half = v->lanes == v->target->register_bits / 64 && w.words > 2 * w.longs;
    return half && has_wide_rows(v) && fits(v, 2 * v->lanes) && !sl_vector_has_own_rows(v) ? 2 : 1;
}

/* How many registers per value a loop wants that reads memory and adds to several sums, which do
 * not wait for each other: twice as many operations as are begun while one is done. 0: there are
 * other loops. */
static uint32_t times_for_sums(const struct sl_vector_facts *v)
{
    enum { IN_FLIGHT = 8, ROOM = 2 };
    uint32_t times = 0;
    for (uint32_t l = 1; l <= v->plan.loop_count; l++) {
        struct rounds r = count_rounds(v, l, false);
        if (v->plan.loops[l - 1].divergent || !r.longest)
            return 0;
        uint32_t one = (ROOM * IN_FLIGHT * r.longest + r.operations - 1) / r.operations;
        times = one > times ? one : times;
    }
    return times;
}

/* Loops that compute with integers and ask two things of them at once. Comparisons of several
 * registers each have a mask of their own, which are put together and taken apart for each `and`,
 * and that takes longer than what the loop waits for. */
static bool joins_masks(const struct sl_vector_facts *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++) {
        uint32_t loop = v->plan.blocks[b].loop;
        if (!loop || v->plan.loops[loop - 1].divergent || count_rounds(v, loop, true).longest)
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (is_varying(v, i) && sl_vector_part_bits(LLVMTypeOf(i)) == 1 &&
                (LLVMIsABinaryOperator(i) || LLVMIsASelectInst(i)))
                return true;
    }
    return false;
}

/* Lanes leave a loop one by one: each round waits for the question whether to go on, and for what
 * that follows from. A second vector's rounds are done meanwhile. */
static bool waits_to_go_on(const struct sl_vector_facts *v)
{
    bool any = false;
    for (uint32_t l = 0; l < v->plan.loop_count; l++)
        any |= v->plan.loops[l].divergent;
    return any;
}

static uintptr_t most_before(const struct sl_map *depth, LLVMValueRef i)
{
    uintptr_t most = 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        uintptr_t one = (uintptr_t)sl_map_get(depth, LLVMGetOperand(i, (unsigned)k));
        most = one > most ? one : most;
    }
    return most;
}

/* How many operations of a round wait for each other from what the round before made to what the
 * next one gets: `waits` has 0 for what does not wait at all. */
struct round {
    uintptr_t operations, longest;
    bool integers; /* it has nothing else, and no address follows from the round before */
    bool reads;
};

static void add_to_round(struct round *r, struct sl_map *waits, LLVMValueRef i, bool carried)
{
    LLVMTypeKind kind = LLVMGetTypeKind(sl_vector_part_type(LLVMTypeOf(i), 0));
    bool load = LLVMIsALoadInst(i), computes = !load && !LLVMIsAPHINode(i);
    uintptr_t before = carried ? 0 : most_before(waits, i);
    uintptr_t depth = carried ? 1 : before ? before + computes : 0;
    r->integers &=
        (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) && !(load && before);
    r->reads |= load;
    r->operations += computes;
    r->longest = depth > r->longest ? depth : r->longest;
    sl_map_set(waits, i, (void *)depth);
}

/* A loop of integers that reads memory has much to do in each round, and little of it waits for the
 * round before. */
static bool is_full_of_integers(const struct sl_vector_facts *v, uint32_t loop)
{
    enum { MUCH = 12, IN_FLIGHT = 4 };
    struct sl_map waits = {0};
    struct round r = {.integers = !v->plan.loops[loop - 1].divergent};
    for (uint32_t b = 0; b < v->plan.count; b++) {
        bool header = v->plan.loops[loop - 1].header == b;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop == loop; i = LLVMGetNextInstruction(i))
            if (is_varying(v, i) && !LLVMIsATerminatorInst(i))
                add_to_round(&r, &waits, i, header && LLVMIsAPHINode(i));
    }
    sl_map_finish(&waits);
    return r.integers && r.reads && r.operations >= MUCH && r.operations >= IN_FLIGHT * r.longest;
}

static bool are_full_of_integers(const struct sl_vector_facts *v)
{
    bool all = v->plan.loop_count > 0;
    for (uint32_t l = 1; l <= v->plan.loop_count && all; l++)
        all = is_full_of_integers(v, l);
    return all;
}

uint32_t sl_vector_fill_wide_units(struct sl_vector_facts *v)
{
    /* More registers gain little where products wait, and double the code. */
    uint32_t times = waits(v, true) ? 4 : waits_for_products(v) || waits_to_go_on(v) ? 2 : 1;
    if (are_full_of_integers(v))
        times = 1;
    if (!sl_pass_has(v->g->pass, SL_PASS_WIDE_UNITS) || times == 1 || !has_long_rows(v) ||
        divides_while_lanes_differ(v) || sl_vector_has_own_rows(v) || joins_masks(v))
        return 1;
    while (times > 1 && !fits_into(v, v->lanes * times, registers_to_use(v)))
        times /= 2;
    /* A loop that is full with fewer gains nothing by values that lie in memory. */
    uint32_t enough = sl_vector_times_to_fill(v);
    if (!enough)
        enough = times_for_sums(v);
    while (enough && times > enough && !fits(v, v->lanes * times))
        times /= 2;
    return times;
}

bool sl_vector_has_room(struct sl_vector_facts *v, uint32_t lanes)
{
    return has_long_rows(v) && fits(v, lanes);
}
