/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a kernel runs faster in vector form, by what both forms cost, and with how many lanes. No
 * shared state.
 */
#include "vector/stages.h"

#include "ir/affine/affine_modulo.h"
#include "ir/compile_effort.h"
#include "ir/control_flow/cfg.h"
#include "ir/control_flow/uniformity.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/region_copy.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/flow_check.h"
#include "vector/analysis/guard.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"
#include "vector/cost/cost.h"
#include "vector/cost/interleaved.h"
#include "vector/cost/lanes.h"
#include "vector/cost/local_rows.h"
#include "vector/cost/parts.h"
#include "vector/cost/recurrence.h"
#include "vector/cost/row_walks.h"
#include "vector/cost/unroll_rows.h"
#include "vector/memory/arrays.h"
#include "vector/memory/record.h"
#include "vector/operations/value.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_ARRAY 16384 /* bytes of one item's private array; lanes times that must fit */
#define LARGEST_ARRAYS (256 << 10) /* bytes of arrays of one vector's items */
#define WIDEST 64                  /* lanes */
#define WIDEST_INTEGER 128         /* bits, see keeps_wide */
#define MOST_REGROUPED 128         /* elements of one access */
#define FEWEST_OF_ROWS 4           /* lanes, where rows of groups have no more items */
#define USUAL_ROW 16               /* items of a tile, if nobody says how many */
#define UPDATE_ITEMS 8             /* that go together where they update memory one by one */

/* The widest elements that the kernel keeps in memory or computes with as numbers: what ids and
 * addresses are made of does not count, nor what all items have from the launch. */
static unsigned widest(LLVMValueRef kernel)
{
    unsigned most = 8;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMTypeOf(i);
            if (LLVMIsAStoreInst(i))
                type = LLVMTypeOf(LLVMGetOperand(i, 0));
            else if (LLVMIsALoadInst(i) ? sl_affine_is_brought(i) : !sl_vector_is_number(type))
                continue;
            unsigned bits = sl_vector_bits(type);
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

/* ---- may this kernel have vector forms at all? ----------------------------------------------- */

/* A vector of lanes is made of each: elements of vectors, fields of structs. */
static bool is_known_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
    case LLVMTokenTypeKind:
        return false;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= WIDEST_INTEGER;
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

static bool is_wide(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64;
}

/* A program's own, which go through memory and from round to round; LLVM makes others, for sums of
 * loops and the upper half of products, that are computed with and cut at once. */
static bool keeps_wide(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return is_wide(LLVMTypeOf(LLVMGetOperand(i, 0)));
    case LLVMAlloca:
        return is_wide(LLVMGetAllocatedType(i));
    case LLVMLoad:
    case LLVMPHI:
    case LLVMCall:
    case LLVMUDiv: /* divisions and conversions are ours, of 64 bits at most */
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFPToUI:
    case LLVMFPToSI:
        return is_wide(LLVMTypeOf(i));
    case LLVMUIToFP:
    case LLVMSIToFP:
        return is_wide(LLVMTypeOf(LLVMGetOperand(i, 0)));
    default:
        return false;
    }
}

static bool is_known_code(LLVMValueRef i)
{
    if (keeps_wide(i))
        return false;
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

/* ---- the choice ------------------------------------------------------------------------------ */

/* Several registers per value hide how long a sum takes, as long as there are enough of them. */
static uint32_t interleave(const struct sl_vector_costs *c)
{
    if (!c->recurs)
        return 1;
    return c->busiest <= 6 ? 4 : c->busiest <= 14 ? 2 : 1;
}

/* Most of the time goes into updates, one by one: more items than there are addresses in registers
 * would not make it less. */
static bool is_held_up_by_updates(const struct sl_vector_costs *c)
{
    return c->v->target->mask_registers && 2 * c->updates >= c->vector;
}

static LLVMBasicBlockRef anywhere(LLVMBasicBlockRef block, void *data)
{
    (void)data;
    return block;
}

/* Does a loop compute with elements of which a register has room for twice as many items' at least?
 */
static bool has_narrow_loop(const struct sl_vector_facts *v)
{
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop; i = LLVMGetNextInstruction(i)) {
            unsigned bits = sl_vector_bits(LLVMTypeOf(i));
            if (LLVMIsABinaryOperator(i) && sl_vector_shape(v, i).kind == SL_SHAPE_VARYING &&
                bits >= 8 && bits * v->lanes * 2 <= v->target->register_bits)
                return true;
        }
    return false;
}

/* Vectors of so many items at most begin where shapes count on it. */
static uint32_t most_on_multiples(const struct sl_vector_facts *v)
{
    uint32_t part = v->counts_on ? sl_vector_parts(v).least : 0;
    return part ? part : WIDEST;
}

/* The widest elements decided so far, and narrower ones may do most of the work. */
static struct sl_vector_costs widen_for_narrow(struct sl_vector_facts *v, struct sl_vector_costs c)
{
    while (v->target->mask_registers && v->lanes * 2 <= most_on_multiples(v) &&
           has_narrow_loop(v) && sl_vector_has_room(v, v->lanes * 2) &&
           v->lanes * 2 * most_parts(v->g->facts->kernel) <= WIDEST &&
           v->lanes * 2 * sl_vector_arrays_bytes(v) <= LARGEST_ARRAYS) {
        v->lanes *= 2;
        struct sl_vector_costs wider = sl_vector_cost_of_region(v);
        if (wider.apart * 10 > c.apart * 2 * 9) {
            v->lanes /= 2;
            break;
        }
        c = wider;
    }
    return c;
}

static uint32_t registers_per_value(struct sl_vector_facts *v, const struct sl_vector_costs *c)
{
    if (!v->target->mask_registers)
        return sl_vector_fill_registers(v);
    const uint32_t wishes[] = {interleave(c), sl_vector_fill_recurrence(v),
                               sl_vector_fill_wide_units(v), sl_vector_fill_words(v)};
    uint32_t most = 1;
    for (size_t k = 0; k < sizeof wishes / sizeof *wishes; k++)
        most = wishes[k] > most ? wishes[k] : most;
    return most;
}

static bool has_barrier(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_wi_is_barrier(i))
                return true;
    return false;
}

/* Items meet that know their row: groups are tiles, of 8 x 8 to 32 x 32 mostly. */
static bool has_tiles(LLVMValueRef kernel)
{
    enum sl_wi what;
    unsigned dim;
    bool knows_row = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            knows_row |= sl_wi_parse(i, &what, &dim) && dim == 1 && what == SL_WI_LOCAL_ID;
    return knows_row && has_barrier(kernel);
}

/* Rows of groups whose size is known are so many vectors, or else in part empty; those of a tile
 * are, whatever waits, seldom longer than the usual one. */
static uint32_t times_in_rows(const struct sl_vector_facts *v, uint32_t times)
{
    uint32_t row = v->g->facts->required[0];
    bool tiles = !row && times > 1 && has_tiles(v->g->facts->kernel);
    while (times > 1 && (tiles ? v->lanes * times > USUAL_ROW : row && row % (v->lanes * times)))
        times /= 2;
    return times;
}

/* *why: what decided for items in turn; *cost: of as many items as a vector ever has. */
static uint32_t judge(struct sl_vector_facts *v, LLVMValueRef *why, uint64_t *cost)
{
    struct sl_vector_costs c = widen_for_narrow(v, sl_vector_cost_of_region(v));
    bool pays = c.vector < c.scalar;
    sl_pass_remark(v->g->pass, v->g->facts, pays ? NULL : c.dearest,
                   "%u items cost %llu at once, %llu in turn%s%s", v->lanes,
                   (unsigned long long)c.vector / 2, (unsigned long long)c.scalar / 2,
                   pays || !c.dearest ? "" : "; dearest at once: ",
                   pays || !c.dearest ? "" : sl_instruction_name(c.dearest));
    *why = c.dearest;
    *cost = (pays ? c.vector : c.scalar) * WIDEST / v->lanes;
    if (!pays)
        return 1;
    if (is_held_up_by_updates(&c))
        return v->lanes < UPDATE_ITEMS ? v->lanes : UPDATE_ITEMS;
    uint32_t times = registers_per_value(v, &c);
    times = sl_vector_leave_room_for_rows(v, times_in_rows(v, times));
    uint32_t lanes = v->lanes * times, most = most_on_multiples(v);
    while (most * most_parts(v->g->facts->kernel) > WIDEST)
        most /= 2;
    return lanes <= v->lanes || most <= v->lanes ? v->lanes : lanes < most ? lanes : most;
}

/* What one vector of items keeps in arrays should stay in the cache. */
static void limit_arrays(struct sl_vector_facts *v)
{
    uint64_t bytes = sl_vector_arrays_bytes(v);
    while (v->lanes > v->target->register_bits / 64 && v->lanes * bytes > LARGEST_ARRAYS)
        v->lanes /= 2;
}

/* Items beyond a guard's limit are left out before the others run together (guard.c). */
static void find_guard(struct sl_vector_facts *v)
{
    struct sl_vector_guard guard;
    if (!sl_vector_find_guard(v, &guard))
        return;
    sl_vector_decide(&v->decided, guard.condition, guard.runs_if);
    v->decided.late = sl_guard_begins_late(&guard);
}

/* What all items of the group share: barriers tell (sl_split_find_slots asks where there are some).
 */
static void find_uniform(struct sl_split *split)
{
    if (!has_barrier(split->kernel))
        return;
    sl_cfg_init(&split->cfg, split->kernel);
    sl_uniformity_init(&split->uniform, &split->cfg, sl_varies_in_group, sl_wi_is_barrier);
}

static void forget_uniform(struct sl_split *split)
{
    sl_uniformity_finish(&split->uniform);
    sl_cfg_finish(&split->cfg);
}

/* Is each sub-group a vector? */
static bool fits_in_step(struct sl_vector_facts *v, bool flows, LLVMValueRef *why)
{
    *why = flows ? NULL : sl_vector_plan_obstacle(&v->plan);
    bool large = v->lanes * most_parts(v->g->facts->kernel) > MOST_REGROUPED ||
                 v->lanes * sl_vector_arrays_bytes(v) > LARGEST_ARRAYS;
    sl_pass_remark(v->g->pass, v->g->facts, *why, "%s",
                   *why    ? "control flow that items of a sub-group cannot take together"
                   : large ? "sub-groups are too many items for vectors of them"
                           : "sub-groups are vectors");
    return !*why && !large;
}

/* Rows of groups that are less than a vector fill one of as many lanes, or nearly, if local memory
 * has no room for more items. What a tile's row is nobody knows before the launch; hardly more than
 * a register of words. */
static uint32_t lanes_of_rows(const struct sl_kernel_facts *facts,
                              const struct sl_vector_target *target, uint32_t lanes)
{
    uint32_t row = facts->required[0], words = target->register_bits / 32;
    if (!row) {
        uint32_t most = sl_vector_most_in_row(facts), few = FEWEST_OF_ROWS;
        lanes = lanes > words && has_tiles(facts->kernel) ? words : lanes;
        while (few < lanes && few < most)
            few *= 2;
        return few < lanes ? few : lanes;
    }
    bool even = row >= FEWEST_OF_ROWS && !(row & (row - 1));
    return even && row < lanes ? row : lanes;
}

/* Rows of groups begin at a local id that is a multiple of all; global ids do not. */
static bool is_dear(uint32_t counts_on)
{
    return counts_on & (SL_VECTOR_GLOBAL_MULTIPLE | SL_VECTOR_NATURAL);
}

/* Not more lanes than shapes count on, which were found for fewer. */
static uint32_t fit_on_multiples(const struct sl_vector_facts *v, uint32_t lanes)
{
    uint32_t most = most_on_multiples(v);
    return lanes > v->lanes && lanes > most ? v->lanes : lanes;
}

/* What came of it. */
struct weighed {
    uint32_t lanes;
    uint32_t fewer; /* so many items would have one number where as many as now have several, and
                       fill a vector nearly as well; 0: there is no such number of them */
    uint32_t most;  /* lanes that there might be, and */
    uint32_t may_count_on; /* what vectors might count on (facts.h), of the question */
    uint32_t counts_on;
    uint64_t cost;    /* of as many items as a vector ever has */
    LLVMValueRef why; /* what decided for items in turn */
    bool walks;       /* loops were marked to be unrolled, after which it is another kernel */
};

enum mark { MARK_NONE, MARK_UNLESS_PARTED, MARK_ALL }; /* such loops; not if another form may do */

/* The whole kernel, as if barriers were nothing. most: lanes, 0: as many as there may be. */
static struct weighed weigh(struct sl_pass *pass, struct sl_kernel_facts *facts, uint32_t most,
                            uint32_t may_count_on, enum mark mark)
{
    struct sl_group_function g = {.pass = pass, .facts = facts, .split = {.kernel = facts->kernel}};
    struct sl_map none = {0};
    const struct sl_vector_target *target = sl_vector_target(pass);
    struct sl_vector_facts v = {.g = &g, .target = target, .variables = &none};
    struct weighed w = {.lanes = 1, .most = most, .may_count_on = may_count_on};
    v.may_count_on = facts->in_step ? 0 : may_count_on;
    v.lanes = facts->in_step ? facts->sub_group_size : natural_lanes(target, facts->kernel);
    if (!facts->in_step)
        v.lanes = lanes_of_rows(facts, target, v.lanes);
    if (most)
        v.lanes = most;
    uint32_t count = LLVMCountBasicBlocks(facts->kernel);
    LLVMBasicBlockRef *blocks = sl_ir_alloc(count, sizeof(*blocks));
    LLVMGetBasicBlocks(facts->kernel, blocks);
    bool flows = !sl_vector_plan_init(&v.plan, blocks, count, anywhere, NULL);
    if (flows) {
        if (!facts->in_step)
            find_guard(&v);
        if (!has_barrier(facts->kernel)) /* behind one, arrays are kept item after item */
            sl_vector_find_arrays(&v);
        if (!facts->in_step)
            limit_arrays(&v);
        find_uniform(&g.split);
        sl_vector_find_shapes(&v);
        flows = sl_vector_settle_flow(&v);
        uint32_t interleaved = flows ? sl_vector_find_interleaved(&v) : 0;
        if (interleaved)
            sl_pass_remark(pass, facts, NULL, "%u values stay in memory's order", interleaved);
        if (!target->mask_registers && !facts->in_step && !most)
            v.lanes = fit_on_multiples(&v, sl_vector_fit_lanes(&v));
        else if (!facts->in_step)
            v.lanes = sl_vector_fit_records(&v);
    }
    if (facts->in_step) {
        w.lanes = fits_in_step(&v, flows, &w.why) ? v.lanes : 1;
    } else if (flows && v.lanes == 1) {
        sl_pass_remark(pass, facts, NULL, "an item's own vectors fill the registers");
    } else if (flows) {
        uint32_t fewer = sl_vector_parts(&v).fewer;
        sl_vector_find_walks(&v);
        w.fewer = 2 * fewer >= v.lanes ? fewer : 0;
        w.lanes = judge(&v, &w.why, &w.cost);
        w.counts_on = v.counts_on;
        bool marks =
            mark == MARK_ALL || (mark == MARK_UNLESS_PARTED && !w.fewer && !is_dear(v.counts_on));
        w.walks = marks && w.lanes > 1 && sl_vector_mark_walks(&v);
    } else {
        w.why = sl_vector_plan_obstacle(&v.plan);
        sl_pass_remark(pass, facts, w.why, "control flow that items cannot take together");
    }
    free(blocks);
    forget_uniform(&g.split);
    sl_vector_facts_finish(&v);
    return w;
}

/* Clearly, for there is more code then. */
static bool is_cheaper(const struct weighed *a, const struct weighed *b, unsigned percent)
{
    return a->lanes > 1 && a->cost * 100 < b->cost * percent;
}

/* As many lanes as ever, or as few as share a row; vectors that begin where that is of use, or
 * where their row of work-items does. */
static struct weighed weigh_forms(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    struct weighed all = weigh(pass, facts, 0, SL_VECTOR_ANY_MULTIPLE, MARK_UNLESS_PARTED), w = all;
    if (!all.fewer && !is_dear(all.counts_on))
        return w;
    if (is_dear(all.counts_on)) {
        w = weigh(pass, facts, 0, SL_VECTOR_LOCAL_MULTIPLE, MARK_NONE);
        w = is_cheaper(&all, &w, 75) ? all : w;
    }
    if (all.fewer) {
        struct weighed fewer = weigh(pass, facts, all.fewer, SL_VECTOR_ANY_MULTIPLE, MARK_NONE);
        w = is_cheaper(&fewer, &w, 90) ? fewer : w;
    }
    return weigh(pass, facts, w.most, w.may_count_on, MARK_ALL);
}

static bool has_loop(LLVMValueRef kernel)
{
    struct sl_cfg cfg;
    bool found = false;
    sl_cfg_init(&cfg, kernel);
    for (uint32_t b = 0; b < cfg.count && !found; b++)
        for (uint32_t s = 0; s < cfg.blocks[b].succ_count && !found; s++)
            found = cfg.blocks[b].succ[s] <= b;
    sl_cfg_finish(&cfg);
    return found;
}

/* NULL: the kernel may have a vector form. */
static const char *objection(const struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    if (!sl_pass_has(pass, SL_PASS_OPTIMIZE))
        return "optimisation is off";
    if (!sl_vector_target(pass))
        return "there is none for this machine";
    if (facts->task ||
        facts->flags & (SL_KERNEL_USES_PIPES | SL_KERNEL_SINGLE_TASK | SL_KERNEL_AUTORUN))
        return "it has pipes, or one item";
    if (facts->sub_group_stops)
        return "its sub-groups need not go in step";
    /* LLVM computes several rounds of its loops at once, which it does not where items are. */
    if (!facts->in_step && sl_items_do_the_same(facts->kernel) && has_loop(facts->kernel))
        return "all items do the same";
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
    struct weighed w = weigh_forms(pass, facts);
    if (w.walks && sl_vector_unroll_walks(pass, facts))
        w = weigh(pass, facts, w.most, w.may_count_on, MARK_NONE);
    facts->may_count_on = w.may_count_on;
    uint32_t lanes = w.lanes;
    LLVMValueRef cause = lanes > 1 ? NULL : w.why;
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
