/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items whose data lie in records: every third byte, fields of structs, small private arrays. The
 * records of neighbours are one run of memory, of which only the elements that items ask for are
 * touched; accesses of one record's fields that follow each other share it. Without mask registers
 * that is for whole vectors only, and for records of which nothing in front or at the end is left
 * out, stores: nothing at all. No shared state.
 */
#include "vector/memory/record.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/memory/local_place.h"
#include "vector/memory/memory.h"
#include "vector/operations/element.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>
#include <stdlib.h>

#define LARGEST_RECORD 8  /* elements */
#define MOST_ELEMENTS 128 /* of all lanes; LLVM takes long to regroup more */
#define FARTHEST 64       /* instructions that are looked at for other fields */

/* Fields of one record that one block accesses. */
struct record {
    LLVMTypeRef element;
    uint32_t block; /* where they are */
    uint64_t size;  /* of an element, bytes */
    uint32_t count; /* elements from item to item */
    LLVMValueRef base;
    int64_t least;                      /* bytes from `base` to the first element of all */
    LLVMValueRef field[LARGEST_RECORD]; /* the access that has this element, NULL: none */
    uint32_t part[LARGEST_RECORD];      /* which one of its parts */
    bool owned; /* all elements of records of which one is accessed are this thread's memory */
};

static LLVMValueRef pointer_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static bool is_plain(LLVMValueRef i)
{
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

/* Elements from item to item, if they are few; 0: nobody knows, or there is nothing in between. */
static uint32_t step_of(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block)
{
    LLVMTypeRef type = type_of(access);
    const struct sl_vector_variable *variable = sl_map_get(v->variables, pointer_of(access));
    struct sl_shape shape = sl_vector_shape_at(v, pointer_of(access), block);
    if (!is_plain(access) || !sl_vector_can_access(type) || shape.kind != SL_SHAPE_LINEAR ||
        (variable && !variable->memory) || sl_vector_array(v, pointer_of(access)))
        return 0;
    int64_t size = (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module),
                                                sl_vector_part_type(type, 0));
    int64_t count = shape.stride / size;
    bool fits = shape.stride % size == 0 && count > (int64_t)sl_vector_part_count(type) &&
                count <= LARGEST_RECORD;
    return fits ? (uint32_t)count : 0;
}

/* Elements from item to item; 0: there is no record. */
static uint32_t length_of(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block)
{
    const uint32_t count = step_of(v, access, block);
    return count * v->lanes <= MOST_ELEMENTS ? count : 0;
}

uint32_t sl_vector_fit_records(const struct sl_vector_facts *v)
{
    const uint32_t least = v->target->register_bits / 32;
    uint32_t lanes = v->lanes;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            const uint32_t count = is_plain(i) ? step_of(v, i, b) : 0;
            while (count * lanes > MOST_ELEMENTS && lanes > least)
                lanes /= 2;
        }
    return lanes;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* False: it is of another record, or has an element that another access has already. */
static bool add_field(const struct sl_vector_facts *v, struct record *r, LLVMValueRef access)
{
    int64_t offset = 0;
    LLVMValueRef base = sl_llvm_strip_offset(pointer_of(access), &offset);
    if (length_of(v, access, r->block) != r->count || base != r->base ||
        sl_vector_part_type(type_of(access), 0) != r->element)
        return false;
    int64_t at = offset - r->least, size = (int64_t)r->size;
    uint32_t parts = sl_vector_part_count(type_of(access)), highest = 0;
    for (uint32_t k = 0; k < r->count; k++)
        highest = r->field[k] ? k + 1 : highest;
    int64_t first = at / size, down = first < 0 ? -first : 0;
    if (at % size || first + parts > r->count)
        return false;
    if (highest + (uint64_t)down > r->count)
        return false;
    for (uint32_t k = 0; k < parts; k++)
        if (first + k >= 0 && r->field[first + k])
            return false;
    for (uint32_t k = highest; down && k-- > 0;) {
        r->field[k + down] = r->field[k];
        r->part[k + down] = r->part[k];
        r->field[k] = NULL;
    }
    r->least -= down * size;
    for (uint32_t k = 0; k < parts; k++) {
        r->field[first + down + k] = access;
        r->part[first + down + k] = k;
    }
    return true;
}

static bool open_record(const struct sl_vector_facts *v, struct record *r, LLVMValueRef access,
                        uint32_t block)
{
    *r = (struct record){.element = sl_vector_part_type(type_of(access), 0), .block = block};
    r->count = length_of(v, access, block);
    r->size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), r->element);
    r->base = sl_llvm_strip_offset(pointer_of(access), &r->least);
    return r->count && add_field(v, r, access);
}

/* Nothing that others could see, and no access at all. */
static bool is_quiet(LLVMValueRef i)
{
    if (LLVMIsACallInst(i))
        return sl_vector_is_lanewise_call(i);
    return !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) && !LLVMIsATerminatorInst(i) &&
           LLVMGetInstructionOpcode(i) != LLVMFence &&
           LLVMGetInstructionOpcode(i) != LLVMAtomicRMW &&
           LLVMGetInstructionOpcode(i) != LLVMAtomicCmpXchg;
}

/* The access and those behind it that belong to its record. The last one's place. */
static LLVMValueRef collect(const struct sl_vector_facts *v, struct record *r, LLVMValueRef access,
                            uint32_t block)
{
    bool store = LLVMIsAStoreInst(access);
    LLVMValueRef last = access;
    uint32_t steps = 0;
    if (!open_record(v, r, access, block))
        return NULL;
    for (LLVMValueRef i = LLVMGetNextInstruction(access); i && steps < FARTHEST;
         i = LLVMGetNextInstruction(i), steps++) {
        bool alike = is_plain(i) && !LLVMIsAStoreInst(i) == !store;
        if (alike && add_field(v, r, i))
            last = i;
        else if (!is_quiet(i) && (store || !alike))
            break;
    }
    return last;
}

static bool is_whole(const struct record *r, bool store)
{
    bool whole = r->field[r->count - 1];
    for (uint32_t k = 0; k < r->count && store; k++)
        whole &= r->field[k] != NULL;
    return whole;
}

/* The first access in front of this one that it may share a record with. */
static LLVMValueRef first_alike(LLVMValueRef access)
{
    int64_t offset;
    LLVMValueRef base = sl_llvm_strip_offset(pointer_of(access), &offset), first = access;
    bool store = LLVMIsAStoreInst(access);
    uint32_t steps = 0;
    for (LLVMValueRef i = LLVMGetPreviousInstruction(access); i && steps < FARTHEST;
         i = LLVMGetPreviousInstruction(i), steps++) {
        bool alike = is_plain(i) && !LLVMIsAStoreInst(i) == !store;
        if (alike && sl_llvm_strip_offset(pointer_of(i), &offset) == base)
            first = i;
        else if (!is_quiet(i) && (store || !alike))
            break;
    }
    return first;
}

static bool has_field(const struct record *r, LLVMValueRef access)
{
    for (uint32_t k = 0; k < r->count; k++)
        if (r->field[k] == access)
            return true;
    return false;
}

uint32_t sl_vector_record_length(const struct sl_vector_facts *v, LLVMValueRef access,
                                 uint32_t block)
{
    struct record r;
    uint32_t count = length_of(v, access, block);
    if (!count || v->target->mask_registers)
        return count;
    return collect(v, &r, first_alike(access), block) && has_field(&r, access) &&
                   is_whole(&r, LLVMIsAStoreInst(access))
               ? count
               : 0;
}

bool sl_vector_shares_record(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block)
{
    struct record r;
    uint32_t fields = 0;
    if (!collect(v, &r, first_alike(access), block) || !has_field(&r, access))
        return false;
    for (uint32_t k = 0; k < r.count; k++)
        fields += r.field[k] != NULL;
    return 2 * fields >= r.count;
}

/* Records in the kernel's own local memory, if they can begin at the elements that all records of
 * their size in it begin at. A group's items run on one thread: nobody else writes between. What
 * one access leaves and another takes is then the same registers, which pass from store to load
 * within a few cycles; parts of a register do not. */
static void take_whole(const struct sl_vector_facts *v, struct record *r)
{
    LLVMValueRef any = NULL;
    uint32_t first = 0, highest = 0;
    for (uint32_t k = r->count; k-- > 0;)
        if (r->field[k]) {
            highest = highest ? highest : k;
            any = r->field[first = k];
        }
    uint64_t place, piece = r->count * r->size;
    if (!any || !v->target->mask_registers ||
        !sl_vector_local_place(v, pointer_of(any), piece, &place))
        return;
    /* Where the access's own first element lies, and where it is to be then. */
    int64_t offset = 0;
    sl_llvm_strip_offset(pointer_of(any), &offset);
    const int64_t at = (offset - r->least) / (int64_t)r->size;
    const int64_t up = (int64_t)(place / r->size) - at;
    if (place % r->size || up < 0 || highest + (uint64_t)up >= r->count)
        return;
    for (uint32_t k = highest + 1; up && k-- > first;) {
        r->field[k + up] = r->field[k];
        r->part[k + up] = r->part[k];
        r->field[k] = NULL;
    }
    r->least -= up * (int64_t)r->size;
    r->owned = true;
}

/* ---- the run of memory ----------------------------------------------------------------------- */

static LLVMValueRef address(struct sl_vector *v, const struct record *r, LLVMValueRef access)
{
    int64_t offset = 0;
    sl_llvm_strip_offset(pointer_of(access), &offset);
    LLVMValueRef at = sl_vector_scalar(v, pointer_of(access));
    LLVMValueRef bytes = LLVMConstInt(v->g->e.i64, (uint64_t)(r->least - offset), true);
    return LLVMBuildGEP2(v->g->e.builder, v->g->e.i8, at, &bytes, 1, "");
}

/* The elements that lanes ask for. */
static LLVMValueRef fields_of(struct sl_vector *v, const struct record *r)
{
    LLVMValueRef wanted[MOST_ELEMENTS];
    for (uint32_t n = 0; n < v->facts.lanes * r->count; n++)
        wanted[n] = LLVMConstInt(v->g->e.i1, r->field[n % r->count] != NULL, false);
    return LLVMConstVector(wanted, v->facts.lanes * r->count);
}

/* The elements that are touched: those that the active lanes ask for, or all of their records. */
static LLVMValueRef mask_of(struct sl_vector *v, const struct record *r)
{
    LLVMValueRef lanes = sl_vector_repeat_mask(v, v->now.mask, r->count);
    return r->owned ? lanes : LLVMBuildAnd(v->g->e.builder, lanes, fields_of(v, r), "");
}

static uint32_t align_of(const struct record *r)
{
    if (r->owned)
        return (uint32_t)r->size * r->count;
    uint32_t least = (uint32_t)r->size;
    for (uint32_t k = 0; k < r->count; k++)
        if (r->field[k] && LLVMGetAlignment(r->field[k]) < least)
            least = LLVMGetAlignment(r->field[k]);
    return least;
}

/* Only one access's promises (aliasing and the like) can be copied: those of the only one, and
 * only if no more is touched. */
static void annotate(const struct record *r, LLVMValueRef now, LLVMValueRef access)
{
    if (r->owned)
        return;
    for (uint32_t k = 0; k < r->count; k++)
        if (r->field[k] && r->field[k] != access)
            return;
    sl_llvm_copy_flags(access, now);
}

static LLVMValueRef load_run(struct sl_vector *v, const struct record *r, LLVMValueRef load)
{
    LLVMTypeRef wide = LLVMVectorType(r->element, v->facts.lanes * r->count);
    LLVMValueRef from = address(v, r, load), all;
    if (!v->facts.target->mask_registers || (r->owned && sl_vector_all_run(v))) {
        all = LLVMBuildLoad2(v->g->e.builder, wide, from, "");
        LLVMSetAlignment(all, align_of(r));
        return all;
    }
    LLVMTypeRef types[] = {wide, v->g->e.ptr};
    LLVMValueRef args[] = {from, mask_of(v, r), LLVMGetPoison(wide)};
    all = sl_vector_intrinsic(v, "llvm.masked.load", types, 2, args, 3);
    sl_llvm_set_argument_alignment(all, 0, align_of(r));
    return all;
}

/* Without masks a block for all lanes has a copy for some of them, which comes later and has to
 * load anew. */
static bool may_have_run(struct sl_vector *v)
{
    return v->facts.target->mask_registers || sl_vector_all_run(v);
}

bool sl_vector_load_record(struct sl_vector *v, LLVMValueRef load)
{
    struct record r;
    if (!may_have_run(v))
        return false;
    if (sl_vector_value(v, load)->parts)
        return true; /* with the first field */
    if (!collect(&v->facts, &r, load, v->now.block) ||
        (!v->facts.target->mask_registers && !is_whole(&r, false)))
        return false;
    take_whole(&v->facts, &r);
    LLVMValueRef all = load_run(v, &r, load), parts[LARGEST_RECORD];
    annotate(&r, all, load);
    sl_vector_deinterleave(v, all, r.count, parts);
    for (uint32_t k = 0; k < r.count; k++)
        if (r.field[k])
            sl_vector_set_part(v, r.field[k], r.part[k], parts[k]);
    return true;
}

/* ---- stores: with the last field ------------------------------------------------------------- */

struct delayed {
    struct record record;
    LLVMValueRef last;
};

static struct delayed *plan_stores(struct sl_vector *v, LLVMValueRef store)
{
    struct delayed now = {.last = collect(&v->facts, &now.record, store, v->now.block)};
    if (!now.last || (!v->facts.target->mask_registers && !is_whole(&now.record, true)))
        return NULL;
    take_whole(&v->facts, &now.record);
    struct delayed *kept = sl_ir_alloc(1, sizeof *kept);
    *kept = now;
    sl_list_add(&v->memory.records, kept);
    for (uint32_t k = 0; k < now.record.count; k++)
        if (now.record.field[k])
            sl_map_set(&v->memory.delayed, now.record.field[k], kept);
    return kept;
}

static void emit_stores(struct sl_vector *v, const struct record *r, LLVMValueRef store)
{
    LLVMValueRef parts[LARGEST_RECORD];
    for (uint32_t k = 0; k < r->count; k++)
        parts[k] = r->field[k] ? sl_vector_part(v, LLVMGetOperand(r->field[k], 0), r->part[k])
                               : LLVMGetPoison(sl_vector_wide_type(v, r->element));
    LLVMValueRef all = sl_vector_interleave(v, parts, r->count);
    if (r->owned && !is_whole(r, true))
        all = LLVMBuildSelect(v->g->e.builder, fields_of(v, r), all, load_run(v, r, store), "");
    if (!v->facts.target->mask_registers || (r->owned && sl_vector_all_run(v))) {
        LLVMValueRef plain = LLVMBuildStore(v->g->e.builder, all, address(v, r, store));
        LLVMSetAlignment(plain, align_of(r));
        annotate(r, plain, store);
        return;
    }
    LLVMTypeRef types[] = {LLVMTypeOf(all), v->g->e.ptr};
    LLVMValueRef args[] = {all, address(v, r, store), mask_of(v, r)};
    LLVMValueRef now = sl_vector_intrinsic(v, "llvm.masked.store", types, 2, args, 3);
    sl_llvm_set_argument_alignment(now, 1, align_of(r));
    annotate(r, now, store);
}

bool sl_vector_store_record(struct sl_vector *v, LLVMValueRef store)
{
    struct delayed *record = may_have_run(v) ? sl_map_get(&v->memory.delayed, store) : NULL;
    if (!may_have_run(v))
        return false;
    if (!record)
        record = plan_stores(v, store);
    if (record && record->last == store)
        emit_stores(v, &record->record, store);
    return record != NULL;
}
