/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region in vector form: variables of items become vectors, what lives across barriers is read
 * from and written to the items' places in the context, neighbours at once. No shared state.
 */
#include "vector/control_flow/region.h"

#include "ir/bits.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/region_copy.h"
#include "items/work_item.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/flow_check.h"
#include "vector/analysis/guard.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"
#include "vector/control_flow/compaction.h"
#include "vector/control_flow/flow.h"
#include "vector/control_flow/inner_part.h"
#include "vector/control_flow/region_loops.h"
#include "vector/control_flow/remainder.h"
#include "vector/cost/interleaved.h"
#include "vector/memory/arrays.h"
#include "vector/memory/memory.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TWICE 120 /* instructions of a region that are there for one item once more */

/* ---- variables ------------------------------------------------------------------------------- */

static struct sl_vector_variable *add_variable(struct sl_vector_region *p, LLVMValueRef alloca)
{
    struct sl_vector_variable *variable = sl_ir_alloc(1, sizeof *variable);
    sl_list_add(&p->owned, variable);
    sl_map_set(&p->variables, alloca, variable);
    return variable;
}

static void find_variables(struct sl_vector_region *p)
{
    const struct sl_split *split = &p->g->split;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i)) {
            struct sl_vector_variable *variable = add_variable(p, i);
            variable->stride = sl_vector_array_bytes(p->g->pass, i);
            variable->memory = i; /* until emission: it is an array */
        }
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        struct sl_vector_variable *variable = sl_map_get(&p->variables, slot->variable);
        if (!variable)
            variable = add_variable(p, slot->variable);
        variable->type = slot->type;
        variable->uniform = slot->uniform;
        variable->stride = slot->size;
        variable->kept = slot->array;
        if (!slot->array)
            variable->memory = NULL;
    }
}

static LLVMBasicBlockRef inside(LLVMBasicBlockRef block, void *data)
{
    const struct sl_vector_region *p = data;
    int split_point = sl_split_barrier_at(&p->g->split, block);
    return sl_split_ends_region(&p->g->split, split_point, false) ? NULL : block;
}

/* Scalar variables are only loaded and stored; accesses of another type would need more. */
static bool variables_are_simple(const struct sl_vector_region *p)
{
    const struct sl_split *split = &p->g->split;
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        if (slot->array)
            continue;
        bool bit = LLVMGetTypeKind(slot->type) == LLVMIntegerTypeKind &&
                   LLVMGetIntTypeWidth(slot->type) < 8;
        if (!slot->uniform && !bit && !sl_vector_can_access(slot->type))
            return false;
    }
    return true;
}

/* Where items go on that are not compacted first; NULL: nowhere. */
static LLVMBasicBlockRef target_of(const struct sl_vector_facts *v,
                                   const struct sl_vector_edge *edge)
{
    return sl_split_compacts_at(&v->g->split, edge->target) ? NULL : edge->target;
}

/* Lanes that differ in how they leave must all leave to the same place. */
static bool ends_agree(struct sl_vector_facts *v)
{
    const struct sl_vector_edge *first = NULL;
    if (!sl_bits_has(v->plan.joins, v->plan.count))
        return true;
    for (uint32_t e = 0; e < v->plan.edge_count; e++) {
        const struct sl_vector_edge *edge = &v->plan.edges[e];
        if (edge->to != v->plan.count)
            continue;
        if (first && target_of(v, edge) != target_of(v, first)) {
            v->plan.obstacle = edge->from;
            return false;
        }
        first = edge;
    }
    return true;
}

/* NULL: the region has a vector form. */
static const char *plan(struct sl_vector_region *p)
{
    struct sl_vector *v = &p->v;
    if (sl_vector_plan_init(&v->facts.plan, (LLVMBasicBlockRef *)p->blocks.items, p->blocks.count,
                            inside, p))
        return "loops with several entries or without an end";
    find_variables(p);
    v->facts.variables = &p->variables;
    p->is_guarded = !v->facts.decided.count && !v->facts.compacted && !p->g->facts->in_step &&
                    sl_vector_find_guard(&v->facts, &p->guard);
    if (p->is_guarded)
        sl_vector_decide(&v->facts.decided, p->guard.condition, p->guard.runs_if);
    v->facts.decided.late |= p->is_guarded && sl_guard_begins_late(&p->guard);
    sl_vector_find_arrays(&v->facts);
    sl_vector_find_shapes(&v->facts);
    if (!sl_vector_settle_flow(&v->facts))
        return "control flow that items cannot take together";
    sl_vector_find_interleaved(&v->facts);
    if (!ends_agree(&v->facts))
        return "items may end at different barriers";
    if (!variables_are_simple(p))
        return "what lives across a barrier is of a type without vectors";
    return NULL;
}

uint32_t sl_vector_region_counts_on(const struct sl_vector_region *p)
{
    return p->v.facts.may_count_on ? p->v.facts.counts_on : 0;
}

void sl_vector_region_free(struct sl_vector_region *p)
{
    if (p->inner)
        sl_vector_inner_free(p->inner);
    sl_vector_finish(&p->v);
    for (size_t k = 0; k < p->owned.count; k++) {
        struct sl_vector_variable *variable = p->owned.items[k];
        free(variable->cells);
        free(variable);
    }
    sl_list_finish(&p->owned);
    sl_list_finish(&p->blocks);
    sl_map_finish(&p->variables);
    free(p->written);
    free(p->used);
    free(p->outcome.after);
    free(p);
}

static struct sl_vector_region *open_plan(struct sl_group_function *g, uint32_t number)
{
    struct sl_vector_region *p = sl_ir_alloc(1, sizeof *p);
    p->g = g;
    p->number = number;
    p->v.g = g;
    p->v.facts.g = g;
    p->v.facts.target = sl_vector_target(g->pass);
    p->v.facts.lanes = g->lanes;
    sl_region_blocks(&g->split, number, false, &p->blocks);
    LLVMBasicBlockRef start = sl_region_start(&g->split, number);
    for (size_t k = 0; k < p->blocks.count; k++)
        if (p->blocks.items[k] == start) {
            p->blocks.items[k] = p->blocks.items[0];
            p->blocks.items[0] = start;
        }
    return p;
}

struct sl_vector_region *sl_vector_region_plan_decided(struct sl_group_function *g, uint32_t number,
                                                       const struct sl_vector_decided *decided)
{
    if (g->lanes < 2 || g->single)
        return NULL;
    struct sl_vector_region *p = open_plan(g, number);
    p->v.facts.decided = *decided;
    p->v.facts.compacted = sl_region_is_compacted(&g->split, number);
    if (!g->facts->in_step && !g->split.compacts && !g->sub_groups)
        p->v.facts.may_count_on = g->facts->may_count_on;
    const char *why = plan(p);
    if (!why)
        return p;
    if (!decided->count)
        sl_pass_remark(g->pass, g->facts, sl_vector_plan_obstacle(&p->v.facts.plan),
                       "items in turn between the barriers around this: %s", why);
    sl_vector_region_free(p);
    return NULL;
}

struct sl_vector_region *sl_vector_region_plan_turns(struct sl_group_function *g, uint32_t number)
{
    if (g->single || g->each_item || g->facts->in_step || g->split.compacts ||
        !g->split.barrier_count)
        return NULL;
    struct sl_vector_region *p = open_plan(g, number);
    const bool planned = !sl_vector_plan_init(
        &p->v.facts.plan, (LLVMBasicBlockRef *)p->blocks.items, p->blocks.count, inside, p);
    p->is_guarded = planned && sl_vector_find_guard(&p->v.facts, &p->guard);
    p->tells = planned && !p->is_guarded && sl_vector_region_is_short(p, MOST_TWICE) &&
               sl_vector_find_turns(&p->v.facts, &p->guard);
    if (p->is_guarded || p->tells)
        return p;
    sl_vector_region_free(p);
    return NULL;
}

struct sl_vector_region *sl_vector_region_plan(struct sl_group_function *g, uint32_t number)
{
    return sl_vector_region_plan_decided(g, number, &(struct sl_vector_decided){0});
}

/* ---- slots ----------------------------------------------------------------------------------- */

static LLVMValueRef first_place(struct sl_vector_region *p, uint32_t s)
{
    struct sl_emit *e = &p->g->e;
    const struct sl_slot *slot = &p->g->split.slots[s];
    LLVMValueRef number = slot->inner ? p->item->at : p->item->index;
    LLVMValueRef offset = sl_emit_mul_exact(e, number, sl_emit_i64(e, slot->size), "");
    return sl_emit_byte_offset(e, slot->inner ? p->g->chunk[s] : p->g->home[s], offset, "");
}

/* i1 is kept as a byte. */
static LLVMTypeRef kept_type(struct sl_vector_region *p, const struct sl_slot *slot)
{
    bool bit =
        LLVMGetTypeKind(slot->type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(slot->type) < 8;
    return bit ? p->g->e.i8 : slot->type;
}

static struct sl_vector_access slot_access(struct sl_vector_region *p, uint32_t s)
{
    const struct sl_slot *slot = &p->g->split.slots[s];
    return (struct sl_vector_access){
        kept_type(p, slot), first_place(p, s), (int64_t)slot->size, slot->align, NULL, NULL};
}

static bool is_kept_as_is(const struct sl_slot *slot)
{
    return sl_vector_can_access(slot->type);
}

static void read_slot(struct sl_vector_region *p, uint32_t s, struct sl_vector_variable *variable)
{
    struct sl_vector *v = &p->v;
    const struct sl_slot *slot = &p->g->split.slots[s];
    LLVMBuilderRef b = p->g->e.builder;
    LLVMValueRef parts[SL_VECTOR_MOST_PARTS];
    struct sl_vector_access access = slot_access(p, s);
    sl_vector_load_linear(v, &access, parts);
    for (uint32_t k = 0; k < variable->cell_count; k++) {
        LLVMTypeRef wide = sl_vector_wide_type(v, sl_vector_part_type(slot->type, k));
        if (!is_kept_as_is(slot))
            parts[k] = LLVMBuildTrunc(b, parts[k], wide, "");
        LLVMBuildStore(b, parts[k], variable->cells[k]);
    }
}

static void write_slot(struct sl_vector_region *p, uint32_t s, struct sl_vector_variable *variable)
{
    struct sl_vector *v = &p->v;
    const struct sl_slot *slot = &p->g->split.slots[s];
    LLVMBuilderRef b = p->g->e.builder;
    LLVMValueRef parts[SL_VECTOR_MOST_PARTS];
    for (uint32_t k = 0; k < variable->cell_count; k++) {
        LLVMTypeRef wide = sl_vector_wide_type(v, sl_vector_part_type(slot->type, k));
        parts[k] = LLVMBuildLoad2(b, wide, variable->cells[k], "");
        if (!is_kept_as_is(slot))
            parts[k] = LLVMBuildZExt(b, parts[k], sl_vector_wide_type(v, p->g->e.i8), "");
    }
    struct sl_vector_access access = slot_access(p, s);
    sl_vector_store_linear(v, &access, parts);
}

static void open_scalar(struct sl_vector_region *p, uint32_t s, struct sl_vector_variable *variable)
{
    struct sl_emit *e = &p->g->e;
    const struct sl_slot *slot = &p->g->split.slots[s];
    variable->cell_count = slot->uniform ? 1 : sl_vector_part_count(slot->type);
    variable->cells = sl_ir_alloc(variable->cell_count, sizeof(*variable->cells));
    for (uint32_t k = 0; k < variable->cell_count; k++) {
        LLVMTypeRef type = slot->uniform
                               ? slot->type
                               : sl_vector_wide_type(&p->v, sl_vector_part_type(slot->type, k));
        variable->cells[k] = sl_emit_entry_alloca(e, p->g->function, type, 0, "now");
    }
    if (!p->number || !sl_slot_is_live(&p->g->split, s, p->number))
        return;
    if (slot->uniform)
        LLVMBuildStore(e->builder, p->region->before[s], variable->cells[0]);
    else if (!p->once)
        read_slot(p, s, variable);
}

static void open_variables(struct sl_vector_region *p)
{
    const struct sl_split *split = &p->g->split;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef fixed = sl_map_get(&p->g->fixed, i);
        if (fixed)
            ((struct sl_vector_variable *)sl_map_get(&p->variables, i))->memory = fixed;
    }
    for (uint32_t s = 0; s < split->slot_count; s++) {
        struct sl_vector_variable *variable = sl_map_get(&p->variables, split->slots[s].variable);
        if (split->slots[s].array)
            variable->memory = first_place(p, s);
        else if (p->used[s])
            open_scalar(p, s, variable);
    }
}

static void find_used(struct sl_vector_region *p)
{
    const struct sl_split *split = &p->g->split;
    struct sl_list blocks = {0};
    p->written = sl_ir_alloc(split->slot_count, sizeof *p->written);
    p->used = sl_ir_alloc(split->slot_count, sizeof *p->used);
    for (uint32_t b = 0; b < p->v.facts.plan.count; b++)
        sl_list_add(&blocks, p->v.facts.plan.blocks[b].ref);
    sl_slots_used(split, &blocks, p->written, p->used);
    sl_list_finish(&blocks);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void open_latch(struct sl_vector_region *p)
{
    LLVMBuilderRef b = p->g->e.builder;
    const struct sl_split *split = &p->g->split;
    LLVMBasicBlockRef back = LLVMGetInsertBlock(b);
    p->latch = LLVMAppendBasicBlockInContext(p->g->e.context, p->g->function, "lanes.next");
    LLVMPositionBuilderAtEnd(b, p->latch);
    p->region->next = LLVMBuildPhi(b, p->g->e.i32, "next");
    for (uint32_t s = 0; s < split->slot_count; s++)
        if (split->slots[s].uniform && p->written[s])
            p->region->after[s] = LLVMBuildPhi(b, split->slots[s].type, "after");
    LLVMPositionBuilderAtEnd(b, back);
}

/* Those lanes that go to a split point that compacts are put behind the items that went there
 * before. */
static void compact_lanes(struct sl_vector_region *p, uint32_t edge)
{
    struct sl_vector *v = &p->v;
    const struct sl_split *split = &p->g->split;
    LLVMBuilderRef b = p->g->e.builder;
    uint32_t to = (uint32_t)sl_split_barrier_at(split, v->facts.plan.edges[edge].target) + 1;
    struct sl_vector_column *columns = sl_ir_alloc(split->slot_count + 1, sizeof *columns);
    struct sl_vector_column *next = columns;
    LLVMValueRef mask = v->now.entry_mask;
    LLVMValueRef cell = v->now.edge_masks[edge];
    if (cell)
        mask = LLVMBuildLoad2(b, LLVMTypeOf(mask), cell, "");
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        if (slot->array || !sl_slot_is_live(split, s, to))
            continue;
        struct sl_vector_variable *variable = sl_map_get(&p->variables, slot->variable);
        LLVMTypeRef wide = sl_vector_wide_type(v, kept_type(p, slot));
        LLVMValueRef value = LLVMBuildLoad2(
            b, sl_vector_wide_type(v, sl_vector_part_type(slot->type, 0)), variable->cells[0], "");
        if (LLVMTypeOf(value) != wide)
            value = LLVMBuildZExt(b, value, wide, "");
        *next++ = (struct sl_vector_column){value, p->g->chunk[s], slot->align};
    }
    sl_vector_compact_lanes(v, mask, columns, (uint32_t)(next - columns));
    free(columns);
}

int32_t sl_vector_region_way_to(const struct sl_split *split, LLVMBasicBlockRef target)
{
    int split_point = target ? sl_split_barrier_at(split, target) : -1;
    return split_point < 0 || split->barriers[split_point].compacts ? -1 : split_point + 1;
}

static void leave(struct sl_vector *v, const uint32_t *edges, uint32_t count, void *data)
{
    struct sl_vector_region *p = data;
    const struct sl_split *split = &p->g->split;
    LLVMBuilderRef b = p->g->e.builder;
    int32_t next = sl_vector_region_way_to(split, v->facts.plan.edges[edges[0]].target);
    v->now.mask = v->now.entry_mask;
    for (uint32_t k = 0; k < count; k++)
        if (sl_split_compacts_at(split, v->facts.plan.edges[edges[k]].target))
            compact_lanes(p, edges[k]);
    LLVMValueRef number = LLVMConstInt(p->g->e.i32, (uint64_t)(int64_t)next, true);
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        if (slot->array || slot->uniform || !p->written[s])
            continue;
        if (next > 0 && sl_slot_is_live(split, s, (uint32_t)next))
            write_slot(p, s, sl_map_get(&p->variables, slot->variable));
    }
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        if (!slot->uniform || !p->written[s])
            continue;
        struct sl_vector_variable *variable = sl_map_get(&p->variables, slot->variable);
        LLVMValueRef value = next > 0 && sl_slot_is_live(split, s, (uint32_t)next)
                                 ? LLVMBuildLoad2(b, slot->type, variable->cells[0], "")
                                 : LLVMGetPoison(slot->type);
        LLVMAddIncoming(p->region->after[s], &value, &from, 1);
    }
    LLVMAddIncoming(p->region->next, &number, &from, 1);
    sl_vector_add_way(p->region, next);
    LLVMBuildBr(b, p->latch);
}

/* ---- all ------------------------------------------------------------------------------------- */

static LLVMValueRef place(void *data, LLVMValueRef value)
{
    struct sl_vector_region *p = data;
    const struct sl_vector_variable *variable = sl_map_get(&p->variables, value);
    enum sl_wi what;
    unsigned dim;
    if (variable)
        return variable->memory;
    if (sl_wi_parse(value, &what, &dim))
        return p->g->places[what][dim];
    LLVMValueRef kernel = p->g->split.kernel;
    if (LLVMIsAArgument(value))
        for (unsigned a = 0; a < LLVMCountParams(kernel); a++)
            if (LLVMGetParam(kernel, a) == value)
                return LLVMGetParam(p->g->function, a);
    return NULL;
}

/* Ids of compacted items are read from where they were compacted. */
static void place_compacted_ids(struct sl_vector_region *p)
{
    struct sl_vector *v = &p->v;
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    struct sl_vector_access access = {
        e->i32,
        sl_emit_byte_offset(e, p->g->compacted.offsets,
                            sl_emit_mul_exact(e, p->item->at, sl_emit_i64(e, 4), ""), ""),
        4,
        4,
        NULL,
        NULL};
    LLVMValueRef offsets, first = p->g->compacted.first;
    sl_vector_load_linear(v, &access, &offsets);
    LLVMValueRef wide = LLVMBuildZExt(b, offsets, sl_vector_wide_type(v, e->i64), "");
    LLVMValueRef low = LLVMBuildTrunc(b, first, e->i32, "");
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(p->g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        enum sl_wi what;
        unsigned dim;
        if (!sl_wi_parse(i, &what, &dim) || dim || !sl_wi_is_item(what))
            continue;
        LLVMValueRef ids = what == SL_WI_GLOBAL_LOW
                               ? LLVMBuildAdd(b, sl_vector_splat(v, low), offsets, "")
                               : LLVMBuildAdd(b, sl_vector_splat(v, first), wide, "");
        sl_vector_set_part(v, i, 0, ids);
    }
}

/* Of kernels whose sub-groups are the vectors. */
static void place_sub_group(struct sl_vector_region *p)
{
    const struct sl_emit *e = &p->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef size = sl_emit_i64(e, p->v.facts.lanes), first = p->item->index;
    LLVMValueRef left = LLVMBuildNUWSub(b, p->g->items, first, "");
    LLVMValueRef count = sl_emit_min(e, left, size, "sub.group");
    p->g->places[SL_WI_SUB_GROUP_LANE][0] = sl_emit_i32(e, 0);
    p->g->places[SL_WI_SUB_GROUP_ID][0] =
        LLVMBuildTrunc(b, LLVMBuildUDiv(b, first, size, ""), e->i32, "");
    p->g->places[SL_WI_SUB_GROUP_ITEMS][0] = LLVMBuildTrunc(b, count, e->i32, "");
}

void sl_vector_region_emit_lanes(const struct sl_item *item, void *data)
{
    struct sl_vector_region *p = data;
    struct sl_vector *v = &p->v;
    p->item = item;
    v->now.entry_mask = v->now.mask = item->mask;
    v->now.block = v->facts.plan.count;
    v->now.place = place;
    v->now.data = p;
    open_latch(p);
    open_variables(p);
    if (v->facts.compacted)
        place_compacted_ids(p);
    if (p->g->facts->in_step)
        place_sub_group(p);
    v->now.top = LLVMCreateBuilderInContext(p->g->e.context);
    sl_vector_emit_flow(v, leave, p);
    LLVMDisposeBuilder(v->now.top);
    LLVMPositionBuilderAtEnd(p->g->e.builder, p->latch);
}

void sl_vector_region_begin(struct sl_vector_region *p, struct sl_region *region)
{
    p->region = region;
    p->g->region = p->number;
    region->after = sl_ir_alloc(p->g->split.slot_count, sizeof(*region->after));
    find_used(p);
}

static const struct sl_vector_variable *scalar_of(const struct sl_vector_region *p,
                                                  LLVMValueRef pointer)
{
    const struct sl_vector_variable *variable = sl_map_get(&p->variables, pointer);
    return variable && !variable->memory && variable->uniform ? variable : NULL;
}

/* The same for all items of the group if its operands are, and computing it once more would change
 * nothing. */
static bool may_be_one(const struct sl_vector_region *p, LLVMValueRef i)
{
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(i, &what, &dim))
        return !sl_wi_is_item(what) && !sl_wi_is_of_sub_group(what);
    if (LLVMIsALoadInst(i))
        return scalar_of(p, LLVMGetOperand(i, 0));
    if (LLVMIsAStoreInst(i))
        return scalar_of(p, LLVMGetOperand(i, 1));
    return !LLVMIsACallInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !LLVMIsAFenceInst(i) && !LLVMIsAAllocaInst(i);
}

/* What is computed in front of this region is looked at where it is used, but for what paths or
 * turns of a loop there decided; `known` has what has been found to be one. */
static bool is_one(const struct sl_vector_region *p, LLVMValueRef i, struct sl_map *known)
{
    if (!may_be_one(p, i))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (!LLVMIsAInstruction(operand) || scalar_of(p, operand) || sl_map_get(known, operand))
            continue;
        uint32_t block = sl_vector_number(&p->v.facts.plan, LLVMGetInstructionParent(operand));
        bool before = block == p->v.facts.plan.count;
        if (before && (LLVMIsAPHINode(operand) || !is_one(p, operand, known)))
            return false;
        sl_map_set(known, operand, operand);
    }
    return true;
}

bool sl_vector_region_is_one(const struct sl_vector_region *p)
{
    struct sl_map known = {0};
    bool one = p->number && !p->v.facts.plan.loop_count;
    for (uint32_t b = 0; b < p->v.facts.plan.count && one; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->v.facts.plan.blocks[b].ref); i && one;
             i = LLVMGetNextInstruction(i))
            one = is_one(p, i, &known);
    sl_map_finish(&known);
    return one;
}

void sl_vector_region_emit_once(struct sl_vector_region *p, struct sl_region *region)
{
    const struct sl_emit *e = &p->g->e;
    LLVMValueRef zero = sl_emit_i64(e, 0);
    LLVMValueRef mask = LLVMConstAllOnes(LLVMVectorType(e->i1, p->v.facts.lanes));
    struct sl_item only = {.index = zero, .at = zero, .mask = mask};
    sl_vector_region_begin(p, region);
    p->once = true;
    sl_vector_region_emit_lanes(&only, p);
}
