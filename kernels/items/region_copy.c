/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copying a region. What lives across split points is read from the item's place in memory at the
 * start of an item and written back at its end; uniform values come from before the loop and are
 * left in phis for behind it. No shared state.
 */
#include "items/region_copy.h"

#include "ir/bits.h"
#include "items/parallel_access.h"
#include "llvm/intrinsics.h"
#include <stdlib.h>

struct region_copy {
    struct sl_region *region;
    struct sl_group_function *g;
    const struct sl_split *split;
    const struct sl_item *item;
    struct sl_map values;  /* kernel's values and blocks -> copies */
    struct sl_list blocks; /* of the kernel, in reverse post-order */
    struct sl_list phis;   /* of the kernel */
    LLVMBuilderRef top;    /* at the end of the block that starts an item */
    LLVMBasicBlockRef latch;
    LLVMBasicBlockRef *exits; /* per split point: NULL, or the block that ends an item there */
    LLVMBasicBlockRef finish; /* NULL, or the block that ends an item by returning */
    LLVMValueRef *variables;  /* per scalar slot: its variable while the item runs */
    bool *written;            /* per slot: stored to in this region */
    bool *used;               /* per slot: it needs to be there */
};

/* ---- which blocks ---------------------------------------------------------------------------- */

LLVMBasicBlockRef sl_region_start(const struct sl_split *split, uint32_t number)
{
    return number ? split->barriers[number - 1].next : split->first;
}

bool sl_slot_is_live(const struct sl_split *split, uint32_t slot, uint32_t number)
{
    uint32_t block = sl_cfg_number(&split->cfg, sl_region_start(split, number));
    const uint64_t *live = sl_live_in(&split->live, block);
    const size_t *values = split->slots[slot].live;
    return sl_bits_has(live, values[0]) || sl_bits_has(live, values[1]);
}

bool sl_region_blocks(const struct sl_split *split, uint32_t number, bool inner_divide,
                      struct sl_list *blocks)
{
    bool *seen = sl_ir_alloc(split->cfg.count, sizeof *seen), met = false;
    uint32_t *stack = sl_ir_alloc(split->cfg.count, sizeof *stack), depth = 0;
    stack[depth++] = sl_cfg_number(&split->cfg, sl_region_start(split, number));
    seen[stack[0]] = true;
    while (depth) {
        const struct sl_block *block = &split->cfg.blocks[stack[--depth]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t to = block->succ[s];
            int split_point = sl_split_barrier_at(split, split->cfg.blocks[to].ref);
            met |= split_point >= 0 && !sl_split_ends_region(split, split_point, false);
            if (seen[to] || sl_split_ends_region(split, split_point, inner_divide))
                continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    for (uint32_t b = 0; b < split->cfg.count; b++)
        if (seen[b])
            sl_list_add(blocks, split->cfg.blocks[b].ref);
    free(seen);
    free(stack);
    return met;
}

bool sl_region_is_compacted(const struct sl_split *split, uint32_t number)
{
    return number && split->barriers[number - 1].compacts;
}

bool sl_region_has_inner_splits(const struct sl_split *split, uint32_t number)
{
    struct sl_list blocks = {0};
    bool met = sl_region_blocks(split, number, false, &blocks);
    sl_list_finish(&blocks);
    return met;
}

static bool compacts_anywhere(const struct sl_split *split)
{
    for (uint32_t k = 0; k < split->barrier_count; k++)
        if (split->barriers[k].compacts)
            return true;
    return false;
}

void sl_slots_used(const struct sl_split *split, const struct sl_list *blocks, bool *written,
                   bool *used)
{
    struct sl_map slots = {0};
    bool all = compacts_anywhere(split); /* items take along what later regions want */
    for (uint32_t s = 0; s < split->slot_count; s++) {
        used[s] = all || split->slots[s].array;
        if (!split->slots[s].array)
            sl_map_set(&slots, split->slots[s].variable, (void *)(uintptr_t)(s + 1));
    }
    for (size_t b = 0; b < blocks->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks->items[b]); i;
             i = LLVMGetNextInstruction(i))
            for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
                uintptr_t slot = operand && LLVMIsAAllocaInst(operand)
                                     ? (uintptr_t)sl_map_get(&slots, operand)
                                     : 0;
                if (!slot)
                    continue;
                used[slot - 1] = true;
                written[slot - 1] |= LLVMIsAStoreInst(i) && k == 1;
            }
    sl_map_finish(&slots);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static LLVMValueRef slot_address(struct region_copy *c, LLVMBuilderRef builder, uint32_t s)
{
    const struct sl_slot *slot = &c->split->slots[s];
    LLVMValueRef size = sl_emit_i64(&c->g->e, slot->size);
    LLVMValueRef number = slot->inner ? c->item->at : c->item->index;
    LLVMValueRef offset = LLVMBuildMul(builder, number, size, "");
    LLVMSetNSW(offset, true);
    LLVMSetNUW(offset, true);
    LLVMValueRef base = slot->inner ? c->g->chunk[s] : c->g->home[s];
    return LLVMBuildInBoundsGEP2(builder, c->g->e.i8, base, &offset, 1, "");
}

static void mark_access(struct region_copy *c, LLVMValueRef access, const struct sl_slot *slot)
{
    LLVMSetAlignment(access, slot->align);
    sl_mark_parallel(access, c->g->e.context, c->g->pass->module);
}

static void load_slot(struct region_copy *c, uint32_t s)
{
    const struct sl_slot *slot = &c->split->slots[s];
    if (slot->array) {
        sl_map_set(&c->values, slot->variable, slot_address(c, c->top, s));
        return;
    }
    c->variables[s] = sl_emit_entry_alloca(&c->g->e, c->g->function, slot->type, 0, "now");
    sl_map_set(&c->values, slot->variable, c->variables[s]);
    if (!c->region->number || !sl_slot_is_live(c->split, s, c->region->number))
        return;
    LLVMValueRef value = c->region->before[s];
    if (!slot->uniform) {
        value = LLVMBuildLoad2(c->top, slot->type, slot_address(c, c->top, s), "");
        mark_access(c, value, slot);
    }
    LLVMBuildStore(c->top, value, c->variables[s]);
}

/* Every phi of the latch needs an entry for each end; poison where nobody reads it. */
static LLVMValueRef leave_uniform(struct region_copy *c, LLVMBuilderRef builder, uint32_t s,
                                  int32_t next)
{
    LLVMTypeRef type = c->split->slots[s].type;
    if (next < 0 || !sl_slot_is_live(c->split, s, next))
        return LLVMGetPoison(type);
    return LLVMBuildLoad2(builder, type, c->variables[s], "");
}

static void save_slots(struct region_copy *c, LLVMBuilderRef builder, int32_t next,
                       LLVMBasicBlockRef block)
{
    for (uint32_t s = 0; s < c->split->slot_count; s++) {
        const struct sl_slot *slot = &c->split->slots[s];
        if (slot->array || !c->written[s])
            continue;
        if (slot->uniform) {
            LLVMValueRef value = leave_uniform(c, builder, s, next);
            LLVMAddIncoming(c->region->after[s], &value, &block, 1);
        } else if (next > 0 && sl_slot_is_live(c->split, s, next)) {
            LLVMValueRef value = LLVMBuildLoad2(builder, slot->type, c->variables[s], "");
            mark_access(c, LLVMBuildStore(builder, value, slot_address(c, builder, s)), slot);
        }
    }
}

/* ---- ends of an item ------------------------------------------------------------------------- */

static LLVMBasicBlockRef exit_by_return(struct region_copy *c);

/* Where a split point compacts, the item's slots go behind those of the ones before it. */
static LLVMBasicBlockRef add_compacting_exit(struct region_copy *c, int32_t to)
{
    struct sl_group_function *g = c->g;
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->e.context, g->function, "item.pack");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(g->e.context);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMValueRef at = LLVMBuildLoad2(b, g->e.i32, g->compacted.count, "");
    LLVMValueRef id = g->places[SL_WI_GLOBAL_ID][0];
    LLVMValueRef offset = LLVMBuildSub(b, id, g->compacted.first, "");
    offset = LLVMBuildTrunc(b, offset, g->e.i32, "");
    LLVMValueRef where = LLVMBuildInBoundsGEP2(b, g->e.i32, g->compacted.offsets, &at, 1, "");
    LLVMBuildStore(b, offset, where);
    for (uint32_t s = 0; s < c->split->slot_count; s++) {
        const struct sl_slot *slot = &c->split->slots[s];
        if (slot->array || !sl_slot_is_live(c->split, s, (uint32_t)to))
            continue;
        LLVMTypeRef element = LLVMArrayType2(g->e.i8, slot->size);
        LLVMValueRef value = LLVMBuildLoad2(b, slot->type, c->variables[s], "");
        where = LLVMBuildInBoundsGEP2(b, element, g->chunk[s], &at, 1, "");
        LLVMSetAlignment(LLVMBuildStore(b, value, where), slot->align);
    }
    LLVMBuildStore(b, LLVMBuildAdd(b, at, sl_emit_i32(&g->e, 1), ""), g->compacted.count);
    LLVMBuildBr(b, exit_by_return(c));
    LLVMDisposeBuilder(b);
    return block;
}

static LLVMBasicBlockRef add_exit(struct region_copy *c, int32_t next)
{
    struct sl_group_function *g = c->g;
    struct sl_region *region = c->region;
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->e.context, g->function, "item.end");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->e.context);
    LLVMPositionBuilderAtEnd(builder, block);
    save_slots(c, builder, next, block);
    LLVMBuildBr(builder, c->latch);
    LLVMDisposeBuilder(builder);
    LLVMValueRef value = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)next, true);
    LLVMAddIncoming(region->next, &value, &block, 1);
    region->ways = sl_ir_resize(region->ways, region->way_count + 1, sizeof *region->ways);
    region->ways[region->way_count++].next = next;
    return block;
}

static LLVMBasicBlockRef exit_to(struct region_copy *c, uint32_t split_point)
{
    int32_t next = (int32_t)split_point + 1;
    if (!c->exits[split_point])
        c->exits[split_point] = c->split->barriers[split_point].compacts
                                    ? add_compacting_exit(c, next)
                                    : add_exit(c, next);
    return c->exits[split_point];
}

static LLVMBasicBlockRef exit_by_return(struct region_copy *c)
{
    if (!c->finish)
        c->finish = add_exit(c, -1);
    return c->finish;
}

/* ---- copying --------------------------------------------------------------------------------- */

static LLVMValueRef place(struct region_copy *c, LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) ? c->g->places[what][dim] : NULL;
}

static LLVMBasicBlockRef map_block(struct region_copy *c, LLVMBasicBlockRef block)
{
    int split_point = sl_split_barrier_at(c->split, block);
    if (sl_split_ends_region(c->split, split_point, c->region->chunked))
        return exit_to(c, split_point);
    return sl_map_get(&c->values, block);
}

static LLVMValueRef map_value(struct region_copy *c, LLVMValueRef value);

static void map_operands(struct region_copy *c, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        if (!operand)
            continue;
        LLVMValueRef now = LLVMValueIsBasicBlock(operand)
                               ? LLVMBasicBlockAsValue(map_block(c, LLVMValueAsBasicBlock(operand)))
                               : map_value(c, operand);
        if (now != operand)
            LLVMSetOperand(i, k, now);
    }
}

/* A value of the prologue comes into the region with its first use. */
static LLVMValueRef copy_from_prologue(struct region_copy *c, LLVMValueRef value)
{
    LLVMValueRef now = place(c, value);
    if (!now) {
        now = LLVMInstructionClone(value);
        map_operands(c, now);
        LLVMInsertIntoBuilder(c->top, now);
    }
    sl_map_set(&c->values, value, now);
    return now;
}

static LLVMValueRef map_value(struct region_copy *c, LLVMValueRef value)
{
    LLVMValueRef now = sl_map_get(&c->values, value);
    if (now || !LLVMIsAInstruction(value))
        return now ? now : value;
    return copy_from_prologue(c, value);
}

static void copy_phi(struct region_copy *c, LLVMValueRef phi)
{
    LLVMValueRef now = LLVMBuildPhi(c->g->e.builder, LLVMTypeOf(phi), "");
    if (LLVMCanValueUseFastMathFlags(phi))
        LLVMSetFastMathFlags(now, LLVMGetFastMathFlags(phi));
    sl_map_set(&c->values, phi, now);
    sl_list_add(&c->phis, phi);
}

/* Variables in the context have no lifetime that LLVM could know of. */
static bool is_stray_lifetime(struct region_copy *c, LLVMValueRef i)
{
    return sl_llvm_is_intrinsic(i, SL_INTRINSIC_LIFETIME) &&
           !LLVMIsAAllocaInst(map_value(c, LLVMGetArgOperand(i, 0)));
}

static void copy_instruction(struct region_copy *c, LLVMValueRef i)
{
    LLVMBuilderRef builder = c->g->e.builder;
    if (i == c->region->decided)
        return;
    if (LLVMIsAPHINode(i)) {
        copy_phi(c, i);
        return;
    }
    if (LLVMIsAReturnInst(i)) {
        LLVMBuildBr(builder, exit_by_return(c));
        return;
    }
    if (sl_wi_is_inner_split(i) || is_stray_lifetime(c, i))
        return;
    LLVMValueRef now = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(builder, now);
    map_operands(c, now);
    sl_map_set(&c->values, i, now);
}

static void fill_phis(struct region_copy *c)
{
    for (size_t p = 0; p < c->phis.count; p++) {
        LLVMValueRef old = c->phis.items[p], now = sl_map_get(&c->values, old);
        for (unsigned k = 0; k < LLVMCountIncoming(old); k++) {
            LLVMBasicBlockRef from = sl_map_get(&c->values, LLVMGetIncomingBlock(old, k));
            if (!from)
                continue;
            LLVMValueRef value = map_value(c, LLVMGetIncomingValue(old, k));
            LLVMAddIncoming(now, &value, &from, 1);
        }
    }
}

static void copy_blocks(struct region_copy *c)
{
    struct sl_group_function *g = c->g;
    if (c->region->decided)
        sl_map_set(&c->values, c->region->decided, LLVMConstInt(g->e.i1, c->region->holds, false));
    for (size_t b = 0; b < c->blocks.count; b++)
        sl_map_set(&c->values, c->blocks.items[b],
                   LLVMAppendBasicBlockInContext(g->e.context, g->function, ""));
    for (size_t b = 0; b < c->blocks.count; b++) {
        LLVMPositionBuilderAtEnd(g->e.builder, sl_map_get(&c->values, c->blocks.items[b]));
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->blocks.items[b]); i;
             i = LLVMGetNextInstruction(i))
            copy_instruction(c, i);
    }
    fill_phis(c);
}

static void map_parameters(struct region_copy *c)
{
    LLVMValueRef kernel = c->split->kernel;
    for (unsigned p = 0; p < LLVMCountParams(kernel); p++)
        sl_map_set(&c->values, LLVMGetParam(kernel, p), LLVMGetParam(c->g->function, p));
}

static void map_variables(struct region_copy *c)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->split->kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef fixed = sl_map_get(&c->g->fixed, i);
        if (fixed)
            sl_map_set(&c->values, i, fixed);
    }
    for (uint32_t s = 0; s < c->split->slot_count; s++)
        if (c->used[s])
            load_slot(c, s);
}

/* ---- the region ------------------------------------------------------------------------------ */

static void open_latch(struct region_copy *c)
{
    LLVMBuilderRef builder = c->g->e.builder;
    c->latch = LLVMAppendBasicBlockInContext(c->g->e.context, c->g->function, "item.next");
    LLVMPositionBuilderAtEnd(builder, c->latch);
    c->region->next = LLVMBuildPhi(builder, c->g->e.i32, "next");
    for (uint32_t s = 0; s < c->split->slot_count; s++)
        if (c->split->slots[s].uniform && c->written[s])
            c->region->after[s] = LLVMBuildPhi(builder, c->split->slots[s].type, "after");
}

/* A compacted item is not where its neighbours would make one think. */
static void place_packed_item(struct sl_group_function *g, const struct sl_item *item)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef at = item->at;
    LLVMValueRef from = LLVMBuildInBoundsGEP2(b, g->e.i32, g->compacted.offsets, &at, 1, "");
    LLVMValueRef offset = LLVMBuildLoad2(b, g->e.i32, from, "");
    LLVMValueRef wide = LLVMBuildZExt(b, offset, g->e.i64, "");
    LLVMValueRef id = sl_emit_add_exact(&g->e, g->compacted.first, wide, "gid.x");
    g->places[SL_WI_GLOBAL_ID][0] = id;
    g->places[SL_WI_GLOBAL_LOW][0] = LLVMBuildTrunc(b, id, g->e.i32, "gid.low");
}

static void emit_item(const struct sl_item *item, void *data)
{
    struct region_copy *c = data;
    struct sl_group_function *g = c->g;
    if (sl_region_is_compacted(c->split, c->region->number))
        place_packed_item(g, item);
    LLVMBasicBlockRef start = LLVMGetInsertBlock(g->e.builder);
    c->item = item;
    c->top = LLVMCreateBuilderInContext(g->e.context);
    LLVMPositionBuilderAtEnd(c->top, start);
    open_latch(c);
    map_parameters(c);
    map_variables(c);
    copy_blocks(c);
    LLVMBuildBr(c->top, sl_map_get(&c->values, sl_region_start(c->split, c->region->number)));
    LLVMDisposeBuilder(c->top);
    LLVMPositionBuilderAtEnd(g->e.builder, c->latch);
}

void sl_region_emit_copy(struct sl_region *region, const struct sl_rows *rows)
{
    const struct sl_split *split = &region->g->split;
    struct region_copy c = {.region = region, .g = region->g, .split = split};
    c.exits = sl_ir_alloc(split->barrier_count, sizeof(*c.exits));
    c.variables = sl_ir_alloc(split->slot_count, sizeof(*c.variables));
    c.written = sl_ir_alloc(split->slot_count, sizeof *c.written);
    c.used = sl_ir_alloc(split->slot_count, sizeof *c.used);
    region->after = sl_ir_alloc(split->slot_count, sizeof(*region->after));
    sl_region_blocks(split, region->number, region->chunked, &c.blocks);
    sl_slots_used(split, &c.blocks, c.written, c.used);
    sl_items_emit(region->g, rows, emit_item, &c);
    free(c.exits);
    free(c.variables);
    free(c.written);
    free(c.used);
    sl_list_finish(&c.blocks);
    sl_list_finish(&c.phis);
    sl_map_finish(&c.values);
}

void sl_region_finish(struct sl_region *region)
{
    free(region->ways);
    free(region->after);
}
