/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private arrays laid out by lane: element after element, of each those of all lanes side by side.
 * An index that lanes agree on is then one access for all of them. An element is what all accesses
 * of the array move, or what the vectors among them are made of; addresses move in these lanes
 * times as far as the kernel's do. Arrays whose addresses go elsewhere stay item after item.
 * No shared state.
 */
#include "vector/memory/arrays.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "ir/pass.h"
#include "vector/analysis/facts.h"
#include "vector/memory/array_copy.h"
#include "vector/memory/memory.h"
#include "vector/operations/value.h"
#include "llvm/intrinsics.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define MOST_STEPS 6 /* from an index back to what it was made of */

/* ---- which ones ------------------------------------------------------------------------------ */

struct candidate {
    LLVMValueRef variable;
    struct sl_list pointers; /* into it */
    struct sl_map seen;      /* the same */
    struct sl_list copies;   /* calls that fill or copy parts of it, if they are asked for */
    bool wants_copies;
    uint64_t element, bytes;
    bool out;
};

static LLVMTargetDataRef layout(const struct sl_vector_facts *v)
{
    return LLVMGetModuleDataLayout(v->g->pass->module);
}

static unsigned zeros_of(uint64_t number)
{
    return number ? (unsigned)__builtin_ctzll(number) : 64;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Low bits of the integer that are known to be zeros: LLVM likes to index by bytes. */
static unsigned low_zeros(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstantInt(value))
        return zeros_of(LLVMConstIntGetZExtValue(value));
    if (!LLVMIsAInstruction(value) || !depth)
        return 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc)
        return low_zeros(LLVMGetOperand(value, 0), depth - 1);
    if (op == LLVMSelect)
        return least(low_zeros(LLVMGetOperand(value, 1), depth - 1),
                     low_zeros(LLVMGetOperand(value, 2), depth - 1));
    if (!LLVMIsABinaryOperator(value))
        return 0;
    LLVMValueRef by = LLVMGetOperand(value, 1);
    unsigned a = low_zeros(LLVMGetOperand(value, 0), depth - 1);
    if (op == LLVMShl)
        return LLVMIsAConstantInt(by) ? a + least((unsigned)LLVMConstIntGetZExtValue(by), 64) : a;
    unsigned b = low_zeros(by, depth - 1);
    switch (op) {
    case LLVMMul:
        return a + b;
    case LLVMAnd:
        return a > b ? a : b;
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return least(a, b);
    default:
        return 0;
    }
}

/* Every index moves by whole elements. */
static bool keeps_elements(LLVMTargetDataRef data, LLVMValueRef gep, uint64_t element)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
        uint64_t step;
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            step = LLVMOffsetOfElement(data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), 1, false);
        } else {
            if (k > 1)
                type = LLVMGetElementType(type);
            step = LLVMABISizeOfType(data, type);
        }
        if (zeros_of(step) + low_zeros(index, MOST_STEPS) < zeros_of(element))
            return false;
    }
    return true;
}

static bool is_access(LLVMValueRef user, LLVMValueRef pointer)
{
    bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
    return (store || LLVMIsALoadInst(user)) && !LLVMGetVolatile(user) &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
}

static bool is_scalar_address(LLVMValueRef user)
{
    return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind &&
           (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user));
}

static void add_pointer(struct candidate *c, LLVMValueRef pointer)
{
    if (sl_map_get(&c->seen, pointer))
        return;
    sl_map_set(&c->seen, pointer, pointer);
    sl_list_add(&c->pointers, pointer);
}

/* False: the array cannot be laid out by lane, for what this user does. */
static bool add_use(LLVMTargetDataRef data, struct candidate *c, LLVMValueRef user,
                    LLVMValueRef pointer)
{
    if (is_scalar_address(user)) {
        add_pointer(c, user);
        return true;
    }
    if (sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME))
        return true;
    if (c->wants_copies && sl_vector_can_expand(user)) {
        sl_list_add(&c->copies, user);
        return true;
    }
    if (!is_access(user, pointer))
        return false;
    LLVMTypeRef type =
        LLVMIsAStoreInst(user) ? LLVMTypeOf(LLVMGetOperand(user, 0)) : LLVMTypeOf(user);
    if (!sl_vector_can_access(type))
        return false;
    uint64_t element = LLVMStoreSizeOfType(data, sl_vector_part_type(type, 0));
    bool same = !c->element || c->element == element;
    c->element = element;
    return same;
}

static void describe(LLVMTargetDataRef data, struct candidate *c)
{
    add_pointer(c, c->variable);
    for (size_t p = 0; p < c->pointers.count && !c->out; p++) {
        LLVMValueRef pointer = c->pointers.items[p];
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !c->out; use = LLVMGetNextUse(use))
            c->out = !add_use(data, c, LLVMGetUser(use), pointer);
    }
    c->out |= !c->element || c->bytes % c->element || (c->element & (c->element - 1));
    for (size_t p = 0; p < c->pointers.count && !c->out; p++)
        if (LLVMIsAGetElementPtrInst(c->pointers.items[p]))
            c->out = !keeps_elements(data, c->pointers.items[p], c->element);
}

static bool is_of_any(const struct candidate *all, uint32_t count, LLVMValueRef pointer,
                      uint64_t element)
{
    if (LLVMIsAUndefValue(pointer))
        return true;
    for (uint32_t k = 0; k < count; k++)
        if (!all[k].out && all[k].element == element && sl_map_get(&all[k].seen, pointer))
            return true;
    return false;
}

static void forget(struct candidate *c)
{
    sl_list_finish(&c->pointers);
    sl_list_finish(&c->copies);
    sl_map_finish(&c->seen);
}

/* Addresses that may be of one array or another: both must be laid out alike. */
static bool meets_others(const struct candidate *all, uint32_t count, const struct candidate *c)
{
    for (size_t p = 0; p < c->pointers.count; p++) {
        LLVMValueRef pointer = c->pointers.items[p];
        if (LLVMIsAPHINode(pointer)) {
            for (unsigned k = 0; k < LLVMCountIncoming(pointer); k++)
                if (!is_of_any(all, count, LLVMGetIncomingValue(pointer, k), c->element))
                    return true;
        } else if (LLVMIsASelectInst(pointer)) {
            for (unsigned k = 1; k < 3; k++)
                if (!is_of_any(all, count, LLVMGetOperand(pointer, k), c->element))
                    return true;
        }
    }
    return false;
}

static uint32_t find_candidates(struct sl_vector_facts *v, struct candidate **all)
{
    uint32_t count = 0;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(v->g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i))
            continue;
        const struct sl_vector_variable *variable = sl_map_get(v->variables, i);
        if (variable && (!variable->memory || variable->kept))
            continue;
        *all = sl_ir_resize(*all, count + 1, sizeof **all);
        struct candidate *c = &(*all)[count++];
        *c = (struct candidate){.variable = i, .bytes = sl_vector_array_bytes(v->g->pass, i)};
        describe(layout(v), c);
    }
    return count;
}

void sl_vector_find_arrays(struct sl_vector_facts *v)
{
    struct candidate *all = NULL;
    uint32_t count = find_candidates(v, &all);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < count; k++)
            if (!all[k].out && meets_others(all, count, &all[k]))
                all[k].out = changed = true;
    }
    for (uint32_t k = 0; k < count; k++) {
        struct sl_vector_array *array = all[k].out ? NULL : sl_ir_alloc(1, sizeof *array);
        if (array) {
            *array =
                (struct sl_vector_array){all[k].variable, (uint32_t)all[k].element, all[k].bytes};
            sl_list_add(&v->array_list, array);
            for (size_t p = 0; p < all[k].pointers.count; p++)
                sl_map_set(&v->arrays, all[k].pointers.items[p], array);
        }
        forget(&all[k]);
    }
    free(all);
}

/* A pointer may be both ends of one copy. */
static void expand(struct candidate *c)
{
    struct sl_map done = {0};
    for (size_t k = 0; k < c->copies.count && !c->out; k++)
        c->out = LLVMConstIntGetZExtValue(LLVMGetArgOperand(c->copies.items[k], 2)) % c->element;
    for (size_t k = 0; k < c->copies.count && !c->out; k++)
        if (!sl_map_get(&done, c->copies.items[k])) {
            sl_map_set(&done, c->copies.items[k], c->variable);
            sl_vector_expand_copy(c->copies.items[k], c->element);
        }
    sl_map_finish(&done);
}

void sl_vector_expand_copies(const struct sl_pass *pass, LLVMValueRef kernel)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
    struct sl_list variables = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i))
            sl_list_add(&variables, i);
    for (size_t k = 0; k < variables.count; k++) {
        struct candidate c = {.variable = variables.items[k], .wants_copies = true};
        c.bytes = sl_vector_array_bytes(pass, c.variable);
        describe(LLVMGetModuleDataLayout(pass->module), &c);
        expand(&c);
        forget(&c);
    }
    sl_list_finish(&variables);
}

uint64_t sl_vector_array_bytes(const struct sl_pass *pass, LLVMValueRef variable)
{
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    return count *
           LLVMABISizeOfType(LLVMGetModuleDataLayout(pass->module), LLVMGetAllocatedType(variable));
}

uint64_t sl_vector_arrays_bytes(const struct sl_vector_facts *v)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < v->array_list.count; k++)
        sum += ((const struct sl_vector_array *)v->array_list.items[k])->bytes;
    return sum;
}
