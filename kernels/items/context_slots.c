/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lives across barriers: values become variables ("slots") with a store behind the definition
 * and a load before each use that a barrier leads to, private arrays whose content is needed on
 * both sides of a barrier become slots as they are. What a loop makes of a value for its next round
 * shares the value's slot. No shared state.
 */
#include "items/barrier_split.h"

#include "ir/bits.h"
#include "ir/control_flow/uniformity.h"
#include "items/work_item.h"
#include "llvm/intrinsics.h"
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

struct finder {
    struct sl_split *split;
    struct sl_emit e;
    LLVMTargetDataRef layout;
    struct sl_uniformity in_row;
    uint64_t *crossing; /* of split->live.values: any split point */
    uint64_t *barriers; /* those that cross a barrier */
    size_t *with;       /* per value: the one that it shares a slot with, or itself */
    uint64_t *brought;  /* shares one as what a loop brings the other */
    uint64_t
        *behind; /* of blocks: a split point leads there, the value that is looked at being kept */
    uint32_t *stack;
};

static struct sl_slot *add_slot(struct finder *f, LLVMTypeRef type, uint32_t align)
{
    struct sl_split *split = f->split;
    split->slots = sl_ir_resize(split->slots, split->slot_count + 1, sizeof *split->slots);
    struct sl_slot *slot = &split->slots[split->slot_count++];
    uint32_t natural = LLVMABIAlignmentOfType(f->layout, type);
    *slot = (struct sl_slot){.type = type, .align = align > natural ? align : natural};
    uint64_t size = LLVMABISizeOfType(f->layout, type);
    slot->size = (size + slot->align - 1) / slot->align * slot->align;
    return slot;
}

/* Loops over vectors of i1 are not vectorised: truth is kept in bytes. */
static bool is_truth(const struct finder *f, LLVMTypeRef type)
{
    return type == f->e.i1;
}

static void store_definition(struct finder *f, LLVMValueRef value, struct sl_slot *slot)
{
    LLVMValueRef at = LLVMGetNextInstruction(value);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(f->e.builder, at);
    LLVMValueRef kept = value;
    if (is_truth(f, LLVMTypeOf(value)))
        kept = LLVMBuildZExt(f->e.builder, value, f->e.i8, "");
    LLVMBuildStore(f->e.builder, kept, slot->variable);
}

static LLVMValueRef reload(struct finder *f, LLVMValueRef before, LLVMValueRef value,
                           const struct sl_slot *slot)
{
    LLVMPositionBuilderBefore(f->e.builder, before);
    LLVMValueRef now = LLVMBuildLoad2(f->e.builder, slot->type, slot->variable, "");
    if (is_truth(f, LLVMTypeOf(value)))
        now = LLVMBuildTrunc(f->e.builder, now, f->e.i1, "");
    return now;
}

static void lead_to(struct finder *f, uint32_t block, size_t number, uint32_t home, size_t *count)
{
    if (block == home || sl_bits_has(f->behind, block) ||
        !sl_bits_has(sl_live_in(&f->split->live, block), number))
        return;
    sl_bits_add(f->behind, block);
    f->stack[(*count)++] = block;
}

/* Before the first split point the value itself is there, and what is known of it. */
static void find_behind(struct finder *f, size_t number, uint32_t home)
{
    const struct sl_split *split = f->split;
    size_t count = 0;
    memset(f->behind, 0, sl_bits_words(split->cfg.count) * sizeof *f->behind);
    for (uint32_t b = 0; b < split->barrier_count; b++)
        lead_to(f, sl_cfg_number(&split->cfg, split->barriers[b].next), number, home, &count);
    while (count) {
        const struct sl_block *block = &split->cfg.blocks[f->stack[--count]];
        for (uint32_t s = 0; s < block->succ_count; s++)
            lead_to(f, block->succ[s], number, home, &count);
    }
}

static bool is_behind(const struct finder *f, LLVMBasicBlockRef ref)
{
    uint32_t block = sl_cfg_number(&f->split->cfg, ref);
    return block == SL_NO_BLOCK || sl_bits_has(f->behind, block);
}

/* Entries of one phi for one block must agree, so they share the load. */
static void reload_for_phi(struct finder *f, LLVMValueRef phi, LLVMValueRef value,
                           const struct sl_slot *slot)
{
    struct sl_map done = {0};
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (LLVMGetIncomingValue(phi, k) != value)
            continue;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        if (!is_behind(f, from))
            continue;
        LLVMValueRef now = sl_map_get(&done, from);
        if (!now)
            now = reload(f, LLVMGetBasicBlockTerminator(from), value, slot);
        sl_map_set(&done, from, now);
        LLVMSetOperand(phi, k, now);
    }
    sl_map_finish(&done);
}

static void reload_for(struct finder *f, LLVMValueRef user, LLVMValueRef value,
                       const struct sl_slot *slot)
{
    if (LLVMIsAPHINode(user)) {
        reload_for_phi(f, user, value, slot);
        return;
    }
    if (!is_behind(f, LLVMGetInstructionParent(user)))
        return;
    LLVMValueRef now = reload(f, user, value, slot);
    for (int k = 0; k < LLVMGetNumOperands(user); k++)
        if (LLVMGetOperand(user, k) == value)
            LLVMSetOperand(user, k, now);
}

static bool has_uniform(const struct sl_split *split)
{
    return !split->apart && !split->compacts;
}

/* The slot of the value's pair; NULL: it has none, or not yet. */
static struct sl_slot *find_shared(const struct finder *f, const struct sl_slot *like)
{
    const struct sl_split *split = f->split;
    const size_t number = like->live[0], with = f->with[number];
    for (uint32_t s = 0; s < split->slot_count && with != number; s++) {
        struct sl_slot *slot = &split->slots[s];
        if (slot->live[0] == with && slot->type == like->type && !slot->inner && !slot->uniform)
            return like->inner || like->uniform ? NULL : slot;
    }
    return NULL;
}

static struct sl_slot *slot_for(struct finder *f, size_t number)
{
    LLVMValueRef value = f->split->live.values.items[number];
    LLVMTypeRef type = is_truth(f, LLVMTypeOf(value)) ? f->e.i8 : LLVMTypeOf(value);
    struct sl_slot like = {.type = type, .live = {number, number}};
    like.inner = !sl_bits_has(f->barriers, number);
    like.uniform =
        has_uniform(f->split) && sl_is_uniform(like.inner ? &f->in_row : &f->split->uniform, value);
    struct sl_slot *slot = find_shared(f, &like);
    if (slot) {
        slot->live[sl_bits_has(f->brought, number)] = number;
        return slot;
    }
    slot = add_slot(f, type, 0);
    slot->live[0] = slot->live[1] = number;
    slot->inner = like.inner;
    slot->uniform = like.uniform;
    slot->variable = sl_emit_entry_alloca(&f->e, f->split->kernel, type, 0, "kept");
    return slot;
}

static void demote(struct finder *f, size_t number)
{
    LLVMValueRef value = f->split->live.values.items[number];
    struct sl_slot *slot = slot_for(f, number);
    find_behind(f, number, sl_cfg_number(&f->split->cfg, LLVMGetInstructionParent(value)));
    struct sl_list users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        sl_list_add(&users, LLVMGetUser(use));
    struct sl_map done = {0};
    for (size_t i = 0; i < users.count; i++)
        if (!sl_map_get(&done, users.items[i])) {
            sl_map_set(&done, users.items[i], users.items[i]);
            reload_for(f, users.items[i], value, slot);
        }
    store_definition(f, value, slot);
    sl_map_finish(&done);
    sl_list_finish(&users);
}

static void find_crossing(struct finder *f)
{
    const struct sl_split *split = f->split;
    f->crossing = sl_ir_alloc(split->live.words, sizeof *f->crossing);
    f->barriers = sl_ir_alloc(split->live.words, sizeof *f->barriers);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    for (uint32_t b = 0; b < split->barrier_count; b++) {
        uint32_t next = sl_cfg_number(&split->cfg, split->barriers[b].next);
        for (size_t v = 0; v < split->live.values.count; v++)
            if (sl_bits_has(sl_live_in(&split->live, next), v) &&
                LLVMGetInstructionParent(split->live.values.items[v]) != entry) {
                sl_bits_add(f->crossing, v);
                if (!split->barriers[b].inner)
                    sl_bits_add(f->barriers, v);
            }
    }
}

/* ---- private arrays -------------------------------------------------------------------------- */

enum event { NOTHING, USED, BEGINS, ENDS, DERIVES };

struct array_uses {
    struct sl_map users; /* instruction -> event */
    struct sl_list pointers;
    bool escapes;
};

static bool derives(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) ||
           LLVMIsABitCastInst(user) || LLVMIsAFreezeInst(user);
}

static enum event event_of(LLVMValueRef user)
{
    if (derives(user))
        return DERIVES;
    if (sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME_START))
        return BEGINS;
    return sl_llvm_is_intrinsic(user, SL_INTRINSIC_LIFETIME_END) ? ENDS : USED;
}

static void collect_uses(LLVMValueRef variable, struct array_uses *uses)
{
    sl_list_add(&uses->pointers, variable);
    for (size_t p = 0; p < uses->pointers.count; p++)
        for (LLVMUseRef use = LLVMGetFirstUse(uses->pointers.items[p]); use;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            uses->escapes |=
                LLVMIsAPtrToIntInst(user) ||
                (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == uses->pointers.items[p]);
            if (sl_map_get(&uses->users, user))
                continue;
            sl_map_set(&uses->users, user, (void *)(uintptr_t)event_of(user));
            if (derives(user))
                sl_list_add(&uses->pointers, user);
        }
}

struct array_flow {
    enum event *first, *last; /* per block */
    bool *needed, *filled;    /* at the start of each block */
};

static void note_events(const struct sl_cfg *cfg, const struct array_uses *uses,
                        struct array_flow *flow)
{
    for (uint32_t b = 0; b < cfg->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            enum event event = (enum event)(uintptr_t)sl_map_get(&uses->users, i);
            if (event == NOTHING || event == DERIVES ||
                (event == ENDS && flow->first[b] == NOTHING))
                continue;
            if (flow->first[b] == NOTHING)
                flow->first[b] = event;
            flow->last[b] = event;
        }
}

static bool flow_step(const struct sl_cfg *cfg, uint32_t b, struct array_flow *flow)
{
    const struct sl_block *block = &cfg->blocks[b];
    bool needed = flow->first[b] == USED, filled = false;
    if (flow->first[b] == NOTHING)
        for (uint32_t s = 0; s < block->succ_count; s++)
            needed |= flow->needed[block->succ[s]];
    for (uint32_t p = 0; p < block->pred_count; p++) {
        uint32_t from = block->pred[p];
        filled |= flow->last[from] == USED || (flow->last[from] == NOTHING && flow->filled[from]);
    }
    bool changed = needed != flow->needed[b] || filled != flow->filled[b];
    flow->needed[b] = needed;
    flow->filled[b] = filled;
    return changed;
}

static bool crosses_barrier(const struct sl_split *split, LLVMValueRef variable)
{
    struct array_uses uses = {0};
    struct array_flow flow = {sl_ir_alloc(split->cfg.count, sizeof(enum event)),
                              sl_ir_alloc(split->cfg.count, sizeof(enum event)),
                              sl_ir_alloc(split->cfg.count, sizeof(bool)),
                              sl_ir_alloc(split->cfg.count, sizeof(bool))};
    collect_uses(variable, &uses);
    note_events(&split->cfg, &uses, &flow);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < split->cfg.count; b++)
            changed |= flow_step(&split->cfg, b, &flow);
    }
    bool crosses = uses.escapes;
    for (uint32_t i = 0; i < split->barrier_count; i++) {
        uint32_t next = sl_cfg_number(&split->cfg, split->barriers[i].next);
        crosses |= flow.needed[next] && flow.filled[next];
    }
    free(flow.first);
    free(flow.last);
    free(flow.needed);
    free(flow.filled);
    sl_map_finish(&uses.users);
    sl_list_finish(&uses.pointers);
    return crosses;
}

static void find_arrays(struct finder *f, const struct sl_list *variables)
{
    for (size_t i = 0; i < variables->count; i++) {
        LLVMValueRef variable = variables->items[i];
        if (!crosses_barrier(f->split, variable))
            continue;
        uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
        LLVMTypeRef type = LLVMGetAllocatedType(variable);
        if (count != 1)
            type = LLVMArrayType2(type, count);
        struct sl_slot *slot = add_slot(f, type, LLVMGetAlignment(variable));
        slot->variable = variable;
        slot->array = true;
    }
}

/* ---- the context of one item ----------------------------------------------------------------- */

static int by_alignment(const void *a, const void *b)
{
    const struct sl_slot *x = a, *y = b;
    return (x->align < y->align) - (x->align > y->align);
}

/* Strictest alignment first, so that a multiple of every offset is aligned as the slot needs. */
static void lay_out(struct sl_split *split)
{
    if (split->slot_count)
        qsort(split->slots, split->slot_count, sizeof *split->slots, by_alignment);
    for (uint32_t s = 0; s < split->slot_count; s++) {
        struct sl_slot *slot = &split->slots[s];
        if (slot->inner)
            split->per_item_inner += slot->uniform ? 0 : slot->size;
        if (slot->uniform || slot->inner)
            continue;
        if (slot->align > split->align)
            split->align = slot->align;
        slot->offset = split->per_item;
        split->per_item += slot->size;
    }
}

void sl_split_find_slots(struct sl_split *split, struct sl_pass *pass)
{
    struct finder f = {.split = split, .layout = LLVMGetModuleDataLayout(pass->module)};
    sl_emit_init(&f.e, pass->context);
    struct sl_list variables = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i))
            sl_list_add(&variables, i);
    if (has_uniform(split)) {
        sl_uniformity_init(&split->uniform, &split->cfg, sl_varies_in_group, sl_wi_is_barrier);
        sl_uniformity_init(&f.in_row, &split->cfg, sl_varies_in_row, sl_wi_is_barrier);
    }
    find_crossing(&f);
    f.behind = sl_ir_alloc(sl_bits_words(split->cfg.count), sizeof *f.behind);
    f.stack = sl_ir_alloc(split->cfg.count, sizeof *f.stack);
    f.with = sl_ir_alloc(split->live.values.count, sizeof *f.with);
    f.brought = sl_ir_alloc(split->live.words, sizeof *f.brought);
    sl_split_find_pairs(split, f.barriers, f.with, f.brought);
    for (size_t v = 0; v < split->live.values.count; v++)
        if (sl_bits_has(f.crossing, v))
            demote(&f, v);
    sl_split_store_pairs(split, f.e.builder);
    find_arrays(&f, &variables);
    lay_out(split);
    sl_uniformity_finish(&f.in_row);
    free(f.crossing);
    free(f.barriers);
    free(f.behind);
    free(f.stack);
    free(f.with);
    free(f.brought);
    sl_list_finish(&variables);
    sl_emit_finish(&f.e);
}
