/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One region: the blocks between a barrier (or the kernel's entry) and the next barriers, copied
 * into the item loops. What lives across barriers is read from the items' context at the start of
 * an item and written back at its end. No shared state.
 */
#include "passes/group_function.h"
#include "passes/parallel_access.h"

#include "ir/bits.h"
#include <stdlib.h>
#include <string.h>

struct copy {
    struct sl_group_function *g;
    uint32_t number;
    struct sl_map values;  /* kernel's values and blocks -> copies */
    struct sl_list blocks; /* of the kernel, in reverse post-order */
    struct sl_list phis;   /* of the kernel */
    LLVMBuilderRef top;    /* at the end of the block that starts an item */
    LLVMBasicBlockRef latch;
    LLVMValueRef next; /* phi in the latch: number of the region that follows, or -1 */
    LLVMValueRef index;
    LLVMBasicBlockRef *exits; /* per barrier: NULL, or the block that ends an item there */
    LLVMBasicBlockRef finish; /* NULL, or the block that ends an item by returning */
    LLVMValueRef *variables;  /* per scalar slot: its variable while the item runs */
    LLVMValueRef *before;     /* per uniform slot: its value before the item loops */
    bool *written;            /* per slot: stored to in this region */
};

/* ---- which blocks --------------------------------------------------------------------------- */

static void collect_blocks(struct copy *c, LLVMBasicBlockRef start)
{
    const struct sl_cut *cut = &c->g->cut;
    bool *seen = sl_ir_alloc(cut->cfg.count, sizeof *seen);
    uint32_t *stack = sl_ir_alloc(cut->cfg.count, sizeof *stack), depth = 0;
    stack[depth++] = sl_cfg_number(&cut->cfg, start);
    seen[stack[0]] = true;
    while (depth) {
        const struct sl_block *block = &cut->cfg.blocks[stack[--depth]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t to = block->succ[s];
            if (!seen[to] && sl_cut_barrier_at(cut, cut->cfg.blocks[to].ref) < 0) {
                seen[to] = true;
                stack[depth++] = to;
            }
        }
    }
    for (uint32_t b = 0; b < cut->cfg.count; b++)
        if (seen[b])
            sl_list_add(&c->blocks, cut->cfg.blocks[b].ref);
    free(seen);
    free(stack);
}

static void find_written(struct copy *c)
{
    const struct sl_cut *cut = &c->g->cut;
    struct sl_map slots = {0};
    for (uint32_t s = 0; s < cut->slot_count; s++)
        if (!cut->slots[s].array)
            sl_map_set(&slots, cut->slots[s].variable, (void *)(uintptr_t)(s + 1));
    for (size_t b = 0; b < c->blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->blocks.items[b]); i;
             i = LLVMGetNextInstruction(i)) {
            uintptr_t slot =
                LLVMIsAStoreInst(i) ? (uintptr_t)sl_map_get(&slots, LLVMGetOperand(i, 1)) : 0;
            if (slot)
                c->written[slot - 1] = true;
        }
    sl_map_finish(&slots);
}

/* ---- context -------------------------------------------------------------------------------- */

static LLVMValueRef slot_address(struct copy *c, LLVMBuilderRef builder, uint32_t s)
{
    const struct sl_slot *slot = &c->g->cut.slots[s];
    LLVMValueRef base = c->g->storage[s];
    if (slot->uniform)
        return base;
    LLVMValueRef size = sl_emit_i64(&c->g->e, slot->size);
    LLVMValueRef offset = LLVMBuildMul(builder, c->index, size, "");
    LLVMSetNSW(offset, true);
    LLVMSetNUW(offset, true);
    return LLVMBuildInBoundsGEP2(builder, c->g->e.i8, base, &offset, 1, "");
}

static void align_access(LLVMValueRef access, const struct sl_slot *slot, struct copy *c)
{
    LLVMSetAlignment(access, slot->align);
    if (!slot->uniform)
        sl_mark_parallel(access, c->g->e.context, c->g->pass->module);
}

static void read_uniform(struct copy *c)
{
    const struct sl_cut *cut = &c->g->cut;
    for (uint32_t s = 0; s < cut->slot_count; s++)
        if (cut->slots[s].uniform)
            c->before[s] =
                LLVMBuildLoad2(c->g->e.builder, cut->slots[s].type, c->g->storage[s], "");
}

/* Is the slot's old value wanted by code of this region? */
static bool is_live(const struct sl_cut *cut, const struct sl_slot *slot, LLVMBasicBlockRef block)
{
    uint32_t number = sl_cfg_number(&cut->cfg, block);
    return sl_bits_has(sl_live_in(&cut->live, number), slot->live);
}

static LLVMBasicBlockRef region_start(const struct sl_cut *cut, uint32_t number)
{
    return number ? cut->barriers[number - 1].next : cut->first;
}

static void load_slot(struct copy *c, uint32_t s)
{
    const struct sl_cut *cut = &c->g->cut;
    const struct sl_slot *slot = &cut->slots[s];
    if (slot->array) {
        sl_map_set(&c->values, slot->variable, slot_address(c, c->top, s));
        return;
    }
    c->variables[s] = sl_emit_entry_alloca(&c->g->e, c->g->function, slot->type, 0, "now");
    sl_map_set(&c->values, slot->variable, c->variables[s]);
    if (!c->number || !is_live(cut, slot, region_start(cut, c->number)))
        return;
    LLVMValueRef value = c->before[s];
    if (!slot->uniform) {
        value = LLVMBuildLoad2(c->top, slot->type, slot_address(c, c->top, s), "");
        align_access(value, slot, c);
    }
    LLVMBuildStore(c->top, value, c->variables[s]);
}

static void save_slots(struct copy *c, LLVMBuilderRef builder, uint32_t barrier)
{
    const struct sl_cut *cut = &c->g->cut;
    for (uint32_t s = 0; s < cut->slot_count; s++) {
        const struct sl_slot *slot = &cut->slots[s];
        if (slot->array || !c->written[s] || !is_live(cut, slot, cut->barriers[barrier].next))
            continue;
        LLVMValueRef value = LLVMBuildLoad2(builder, slot->type, c->variables[s], "");
        align_access(LLVMBuildStore(builder, value, slot_address(c, builder, s)), slot, c);
    }
}

/* ---- ends of an item ------------------------------------------------------------------------ */

static LLVMBasicBlockRef add_exit(struct copy *c, int32_t next)
{
    struct sl_group_function *g = c->g;
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(g->e.context, g->function, "item.end");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(g->e.context);
    LLVMPositionBuilderAtEnd(builder, block);
    if (next > 0)
        save_slots(c, builder, next - 1);
    LLVMBuildBr(builder, c->latch);
    LLVMDisposeBuilder(builder);
    LLVMValueRef value = LLVMConstInt(g->e.i32, (uint64_t)(int64_t)next, true);
    LLVMAddIncoming(c->next, &value, &block, 1);
    return block;
}

static LLVMBasicBlockRef exit_to(struct copy *c, uint32_t barrier)
{
    if (!c->exits[barrier])
        c->exits[barrier] = add_exit(c, (int32_t)barrier + 1);
    return c->exits[barrier];
}

static LLVMBasicBlockRef exit_by_return(struct copy *c)
{
    if (!c->finish)
        c->finish = add_exit(c, -1);
    return c->finish;
}

/* ---- copying -------------------------------------------------------------------------------- */

static LLVMValueRef place(struct copy *c, LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) ? c->g->places[what][dim] : NULL;
}

static LLVMBasicBlockRef map_block(struct copy *c, LLVMBasicBlockRef block)
{
    int barrier = sl_cut_barrier_at(&c->g->cut, block);
    return barrier >= 0 ? exit_to(c, barrier) : sl_map_get(&c->values, block);
}

static LLVMValueRef map_value(struct copy *c, LLVMValueRef value);

static void map_operands(struct copy *c, LLVMValueRef i)
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
static LLVMValueRef copy_from_prologue(struct copy *c, LLVMValueRef value)
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

static LLVMValueRef map_value(struct copy *c, LLVMValueRef value)
{
    LLVMValueRef now = sl_map_get(&c->values, value);
    if (now || !LLVMIsAInstruction(value))
        return now ? now : value;
    return copy_from_prologue(c, value);
}

static void copy_phi(struct copy *c, LLVMValueRef phi)
{
    LLVMValueRef now = LLVMBuildPhi(c->g->e.builder, LLVMTypeOf(phi), "");
    if (LLVMCanValueUseFastMathFlags(phi))
        LLVMSetFastMathFlags(now, LLVMGetFastMathFlags(phi));
    sl_map_set(&c->values, phi, now);
    sl_list_add(&c->phis, phi);
}

/* Variables in the context have no lifetime that LLVM could know of. */
static bool is_stray_lifetime(struct copy *c, LLVMValueRef i)
{
    return strncmp(sl_callee_name(i), "llvm.lifetime.", 14) == 0 &&
           !LLVMIsAAllocaInst(map_value(c, LLVMGetArgOperand(i, 0)));
}

static void copy_instruction(struct copy *c, LLVMValueRef i)
{
    LLVMBuilderRef builder = c->g->e.builder;
    if (LLVMIsAPHINode(i)) {
        copy_phi(c, i);
        return;
    }
    if (LLVMIsAReturnInst(i)) {
        LLVMBuildBr(builder, exit_by_return(c));
        return;
    }
    if (is_stray_lifetime(c, i))
        return;
    LLVMValueRef now = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(builder, now);
    map_operands(c, now);
    sl_map_set(&c->values, i, now);
}

static void fill_phis(struct copy *c)
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

static void copy_blocks(struct copy *c)
{
    struct sl_group_function *g = c->g;
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

static void map_parameters(struct copy *c)
{
    LLVMValueRef kernel = c->g->cut.kernel;
    for (unsigned p = 0; p < LLVMCountParams(kernel); p++)
        sl_map_set(&c->values, LLVMGetParam(kernel, p), LLVMGetParam(c->g->function, p));
}

static void map_variables(struct copy *c)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->g->cut.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef fixed = sl_map_get(&c->g->fixed, i);
        if (fixed)
            sl_map_set(&c->values, i, fixed);
    }
    for (uint32_t s = 0; s < c->g->cut.slot_count; s++)
        load_slot(c, s);
}

/* ---- the region ----------------------------------------------------------------------------- */

static void emit_item(struct sl_group_function *g, LLVMValueRef index, void *data)
{
    struct copy *c = data;
    c->index = index;
    c->top = LLVMCreateBuilderInContext(g->e.context);
    LLVMBasicBlockRef start = LLVMGetInsertBlock(g->e.builder);
    c->latch = LLVMAppendBasicBlockInContext(g->e.context, g->function, "item.next");
    LLVMPositionBuilderAtEnd(g->e.builder, c->latch);
    c->next = LLVMBuildPhi(g->e.builder, g->e.i32, "next");
    LLVMPositionBuilderAtEnd(c->top, start);
    map_parameters(c);
    map_variables(c);
    copy_blocks(c);
    LLVMBuildBr(c->top, sl_map_get(&c->values, region_start(&g->cut, c->number)));
    LLVMPositionBuilderAtEnd(g->e.builder, c->latch);
    LLVMDisposeBuilder(c->top);
}

static LLVMBasicBlockRef begin_of(struct sl_group_function *g, uint32_t number)
{
    struct sl_region *region = &g->regions[number];
    if (!region->begin)
        region->begin = LLVMAppendBasicBlockInContext(g->e.context, g->function, "region");
    return region->begin;
}

/* All items agree on where to go on, so the last one's word counts. */
static void dispatch(struct copy *c)
{
    struct sl_group_function *g = c->g;
    unsigned ways = LLVMCountIncoming(c->next);
    if (!ways) {
        LLVMBuildUnreachable(g->e.builder);
        return;
    }
    LLVMBasicBlockRef *targets = sl_ir_alloc(ways, sizeof *targets);
    for (unsigned k = 0; k < ways; k++) {
        long long next = LLVMConstIntGetSExtValue(LLVMGetIncomingValue(c->next, k));
        targets[k] = next < 0 ? g->group_end : begin_of(g, next);
    }
    if (ways == 1) {
        LLVMBuildBr(g->e.builder, targets[0]);
    } else {
        LLVMValueRef choice = LLVMBuildSwitch(g->e.builder, c->next, targets[0], ways - 1);
        for (unsigned k = 1; k < ways; k++)
            LLVMAddCase(choice, LLVMGetIncomingValue(c->next, k), targets[k]);
    }
    free(targets);
}

void sl_region_emit(struct sl_group_function *g, uint32_t number)
{
    const struct sl_cut *cut = &g->cut;
    struct copy c = {.g = g, .number = number};
    c.exits = sl_ir_alloc(cut->barrier_count, sizeof(*c.exits));
    c.variables = sl_ir_alloc(cut->slot_count, sizeof(*c.variables));
    c.before = sl_ir_alloc(cut->slot_count, sizeof(*c.before));
    c.written = sl_ir_alloc(cut->slot_count, sizeof *c.written);
    collect_blocks(&c, region_start(cut, number));
    find_written(&c);
    LLVMPositionBuilderAtEnd(g->e.builder, begin_of(g, number));
    read_uniform(&c);
    sl_item_loops_emit(g, emit_item, &c);
    dispatch(&c);
    free(c.exits);
    free(c.variables);
    free(c.before);
    free(c.written);
    sl_list_finish(&c.blocks);
    sl_list_finish(&c.phis);
    sl_map_finish(&c.values);
}
