/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which OpenCL vectors of items are kept as memory would have them: those of a web of values that
 * are made of each other element by element, if less has to be regrouped at its borders than
 * memory's order saves. Where no loop keeps them LLVM finds shuffles that undo each other itself,
 * but for those of small elements. No shared state.
 */
#include "vector/cost/interleaved.h"

#include "ir/bits.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/cost/cost.h"
#include "vector/cost/pressure.h"
#include "vector/memory/arrays.h"
#include "vector/memory/gather.h"
#include "vector/memory/memory.h"
#include "vector/memory/record.h"
#include "vector/memory/speculative_access.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/packed.h"
#include "vector/operations/value.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define LOOP_WEIGHT 8
#define DEEPEST 3
#define MOST_ELEMENTS 128 /* of all items: beyond it LLVM takes long */

struct web {
    uint64_t saved, costs;
    bool phis;
    bool far;     /* items come from anywhere, or go there */
    bool narrows; /* memory has elements that lanes would have to narrow */
};

struct finder {
    struct sl_vector_facts *v;
    struct sl_list values;
    struct sl_map numbers; /* value -> 1 + its place in `values` */
    struct sl_map met;     /* values that a web takes from outside, counted once */
    size_t *up;            /* another one of the same web, or itself */
    struct web *webs;      /* of those that are themselves */
};

/* ---- candidates ------------------------------------------------------------------------------ */

/* Powers of two, so that items do not straddle registers. */
static bool is_type(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    unsigned count = LLVMGetVectorSize(type), bits = sl_vector_part_bits(type);
    return count > 1 && !(count & (count - 1)) && count <= SL_VECTOR_MOST_PARTS &&
           v->lanes * count <= MOST_ELEMENTS &&
           (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

static uint64_t size_of(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
}

static LLVMTypeRef type_of(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static LLVMValueRef pointer_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

/* To memory that is no variable of the items'. */
static bool is_plain(const struct sl_vector_facts *v, LLVMValueRef access)
{
    LLVMValueRef pointer = pointer_of(access);
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic &&
           !sl_map_get(v->variables, pointer) && !sl_vector_array(v, pointer) &&
           sl_vector_can_access(type_of(access));
}

/* Neighbours in memory, be it unless a number on the way wraps around. */
static bool is_neighbours(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block)
{
    if (!is_plain(v, access))
        return false;
    struct sl_shape shape = sl_vector_shape_at(v, pointer_of(access), block);
    return shape.kind == SL_SHAPE_VARYING
               ? sl_vector_speculation_pays(v, access, block)
               : shape.kind == SL_SHAPE_LINEAR &&
                     shape.stride == (int64_t)size_of(v, type_of(access));
}

/* Each item by itself, in whole registers: four words at least. */
static bool is_far(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block)
{
    return is_plain(v, access) && sl_vector_moves_items(v, type_of(access)) &&
           sl_vector_shape_at(v, pointer_of(access), block).kind > SL_SHAPE_UNIFORM &&
           !sl_vector_record_length(v, access, block);
}

static bool has_fixed_place(LLVMValueRef insert)
{
    LLVMValueRef at = LLVMGetOperand(insert, 2);
    return LLVMIsAConstantInt(at) &&
           LLVMConstIntGetZExtValue(at) < LLVMGetVectorSize(LLVMTypeOf(insert));
}

/* The number that is repeated: what makes a vector of it asks for it in the same block. */
static bool is_at_hand(LLVMValueRef shuffle)
{
    LLVMValueRef from = LLVMGetOperand(shuffle, 0);
    return LLVMGetInstructionParent(from) == LLVMGetInstructionParent(shuffle);
}

static bool is_candidate(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!is_type(v, type) || sl_vector_shape(v, i).kind != SL_SHAPE_VARYING)
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
        return true;
    case LLVMLoad:
        return is_neighbours(v, i, block) || is_far(v, i, block);
    case LLVMShuffleVector:
        return sl_vector_repeated_scalar(i) ? is_at_hand(i) : sl_vector_is_reordering(i);
    case LLVMInsertElement:
        return has_fixed_place(i);
    default:
        return sl_vector_is_elementwise(i, LLVMGetVectorSize(type)) &&
               is_type(v, LLVMTypeOf(LLVMGetOperand(i, 0)));
    }
}

/* ---- webs ------------------------------------------------------------------------------------ */

static size_t number_of(const struct finder *f, LLVMValueRef value)
{
    return (size_t)(uintptr_t)sl_map_get(&f->numbers, value);
}

static size_t root(struct finder *f, size_t n)
{
    while (f->up[n] != n)
        n = f->up[n] = f->up[f->up[n]];
    return n;
}

static void join(struct finder *f, size_t a, size_t b)
{
    f->up[root(f, a)] = root(f, b);
}

/* Operands that are vectors of the item like the value itself; a repeated number is none. */
static unsigned vector_operands(LLVMValueRef i, unsigned *first)
{
    *first = 0;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return 0;
    case LLVMInsertElement:
        return 1;
    case LLVMShuffleVector:
        return sl_vector_repeated_scalar(i) ? 0 : 1;
    case LLVMSelect:
        *first = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) != LLVMVectorTypeKind;
        return 3;
    case LLVMCall:
        return LLVMGetNumArgOperands(i);
    default:
        return (unsigned)LLVMGetNumOperands(i);
    }
}

static void find_candidates(struct finder *f)
{
    for (uint32_t b = 0; b < f->v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (is_candidate(f->v, i, b)) {
                sl_list_add(&f->values, i);
                sl_map_set(&f->numbers, i, (void *)(uintptr_t)f->values.count);
            }
}

static void find_webs(struct finder *f)
{
    f->up = sl_ir_alloc(f->values.count, sizeof *f->up);
    f->webs = sl_ir_alloc(f->values.count, sizeof *f->webs);
    for (size_t n = 0; n < f->values.count; n++)
        f->up[n] = n;
    for (size_t n = 0; n < f->values.count; n++) {
        unsigned first, end = vector_operands(f->values.items[n], &first);
        for (unsigned k = first; k < end; k++) {
            size_t other = number_of(f, LLVMGetOperand(f->values.items[n], k));
            if (other)
                join(f, n, other - 1);
        }
    }
}

/* ---- what it saves and costs ----------------------------------------------------------------- */

static uint64_t weight_in(const struct sl_vector_facts *v, uint32_t block)
{
    uint64_t weight = 1;
    unsigned depth = 0;
    for (uint32_t l = block < v->plan.count ? v->plan.blocks[block].loop : 0; l && depth < DEEPEST;
         l = v->plan.loops[l - 1].parent, depth++)
        weight *= LOOP_WEIGHT;
    return weight;
}

static uint64_t weight_of(const struct sl_vector_facts *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    return weight_in(v, known ? known->block : v->plan.count);
}

static uint64_t registers(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    uint64_t bits = sl_vector_part_bits(type);
    bits = (bits < 8 ? 8 : bits) * v->lanes * LLVMGetVectorSize(type);
    return (bits + v->target->register_bits - 1) / v->target->register_bits;
}

/* From outside of the web, in a register per element. */
static uint64_t cost_of_operand(struct finder *f, LLVMValueRef operand)
{
    struct sl_vector_facts *v = f->v;
    if (number_of(f, operand) || sl_vector_shape(v, operand).kind != SL_SHAPE_VARYING ||
        !LLVMIsAInstruction(operand) || sl_map_get(&f->met, operand))
        return 0;
    sl_map_set(&f->met, operand, operand);
    return weight_of(v, operand) * sl_vector_regrouping(v, LLVMTypeOf(operand));
}

/* What lanes do with registers per element for nothing, or with one mask instead of several. */
static uint64_t cost_of_making(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    const struct sl_vector_plan *plan = &v->plan;
    uint32_t loop = plan->blocks[block].loop;
    LLVMValueRef on;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMShuffleVector:
        return registers(v, LLVMTypeOf(i));
    case LLVMInsertElement:
        return 2 * registers(v, LLVMTypeOf(i));
    case LLVMSelect:
        on = LLVMGetOperand(i, 0);
        return LLVMGetTypeKind(LLVMTypeOf(on)) != LLVMVectorTypeKind &&
                       sl_vector_shape(v, on).kind == SL_SHAPE_VARYING
                   ? registers(v, LLVMTypeOf(i))
                   : 0;
    case LLVMPHI:
        return sl_bits_has(plan->joins, block) || (loop && plan->loops[loop - 1].divergent)
                   ? 2 * registers(v, LLVMTypeOf(i))
                   : 0;
    default:
        return 0;
    }
}

/* Of a load or a store in memory's order. Small elements of a word go to lanes by shifts, as many
 * as it takes to widen them where they are; those of a long or more have to be narrowed as
 * well. */
static uint64_t saved_by_access(const struct sl_vector_facts *v, LLVMTypeRef type, struct web *web)
{
    LLVMTypeRef packed = sl_vector_packed_type(type);
    bool is_long = packed && LLVMGetIntTypeWidth(packed) > 32;
    web->narrows |= packed ? is_long : sl_vector_part_bits(type) < 32;
    return packed && !is_long ? 0 : sl_vector_regrouping(v, type);
}

static void count_access(const struct sl_vector_facts *v, LLVMValueRef access, LLVMTypeRef type,
                         uint64_t weight, uint32_t block, struct web *web)
{
    web->saved += weight * saved_by_access(v, type, web);
    web->far |= !is_neighbours(v, access, block);
}

static void count_users(struct finder *f, LLVMValueRef value, struct web *web)
{
    struct sl_vector_facts *v = f->v;
    uint64_t apart = 0, regrouping = sl_vector_regrouping(v, LLVMTypeOf(value));
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        uint32_t block = sl_vector_number(&v->plan, LLVMGetInstructionParent(user));
        uint64_t weight = weight_in(v, block);
        if (number_of(f, user))
            continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && block < v->plan.count &&
            (is_neighbours(v, user, block) || is_far(v, user, block)))
            count_access(v, user, LLVMTypeOf(value), weight, block, web);
        else if (weight * regrouping > apart)
            apart = weight * regrouping;
    }
    web->costs += apart;
}

static void count(struct finder *f, size_t n)
{
    LLVMValueRef i = f->values.items[n];
    struct web *web = &f->webs[root(f, n)];
    uint32_t block = sl_vector_known(f->v, i)->block;
    unsigned first, end = vector_operands(i, &first);
    uint64_t weight = weight_in(f->v, block);
    for (unsigned k = first; k < end; k++)
        web->costs += cost_of_operand(f, LLVMGetOperand(i, k));
    web->costs += weight * cost_of_making(f->v, i, block);
    if (LLVMIsALoadInst(i))
        count_access(f->v, i, LLVMTypeOf(i), weight, block, web);
    web->phis |= LLVMIsAPHINode(i) != NULL;
    count_users(f, i, web);
}

uint32_t sl_vector_find_interleaved(struct sl_vector_facts *v)
{
    struct finder f = {.v = v};
    uint32_t found = 0;
    find_candidates(&f);
    find_webs(&f);
    for (size_t n = 0; n < f.values.count; n++)
        count(&f, n);
    for (size_t n = 0; n < f.values.count; n++) {
        const struct web *web = &f.webs[root(&f, n)];
        bool pays =
            web->saved > web->costs && (web->phis || web->far || (web->narrows && !web->costs));
        ((struct sl_vector_known *)sl_map_get(&v->values, f.values.items[n]))->interleaved = pays;
        found += pays;
    }
    free(f.up);
    free(f.webs);
    sl_list_finish(&f.values);
    sl_map_finish(&f.numbers);
    sl_map_finish(&f.met);
    return found;
}

/* ---- questions ------------------------------------------------------------------------------- */

bool sl_vector_all_interleaved(const struct sl_vector_facts *v)
{
    bool any = false;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop; i = LLVMGetNextInstruction(i)) {
            bool is = sl_vector_is_interleaved(v, i);
            any |= is;
            if (!is && sl_vector_shape(v, i).kind == SL_SHAPE_VARYING && !LLVMIsAStoreInst(i) &&
                !sl_vector_is_spare_address(v, i))
                return false;
        }
    return any;
}

uint32_t sl_vector_interleaved_bits(const struct sl_vector_facts *v)
{
    uint32_t least = 0;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && v->plan.blocks[b].loop; i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = LLVMTypeOf(i);
            uint32_t bits = sl_vector_is_interleaved(v, i)
                                ? sl_vector_part_bits(type) * sl_vector_part_count(type)
                                : 0;
            least = bits && (!least || bits < least) ? bits : least;
        }
    return least;
}
