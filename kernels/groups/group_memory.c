/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a work-group function has the private memory of its items: what no barrier splits once for
 * each thread, on its stack or in the context; slots for each item of the group, or of a chunk. No
 * shared state.
 */
#include "groups/group_function.h"
#include "groups/sub_group.h"

#include "ir/memory.h"
#include "vector/analysis/target.h"
#include <llvm-c/Target.h>

#define STACK_BUDGET 8192       /* bytes of the thread's stack for all variables together */
#define CHUNK_SIZE 64           /* items that pass inner splits together */
#define LARGEST_COMPACTION 2048 /* the same where those that come by are compacted */
#define SMALLEST_COMPACTION 256
#define COMPACTION_BYTES 16384
#define COMPACTION_SLACK 16 /* whole registers are stored, from any place on */
#define CHUNK_BYTES 32768   /* of stack for what they carry along, at most */
#define CONTEXT_ALIGN 64    /* what sl_group.context guarantees */
#define MANY_SLOTS 8        /* so many of one item's lie in one set of the nearest cache at most */

static uint64_t round_up(uint64_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

static bool is_slot(const struct sl_split *split, LLVMValueRef variable)
{
    for (uint32_t s = 0; s < split->slot_count; s++)
        if (split->slots[s].variable == variable)
            return true;
    return false;
}

/* A variable that no barrier splits: one per thread, which its items use in turn. */
static void place_fixed(struct sl_group_function *g, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
    if (count != 1)
        type = LLVMArrayType2(type, count);
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(g->pass->module), type) * g->lanes;
    uint32_t align = LLVMGetAlignment(variable);
    if (g->lanes > 1 && align < SL_VECTOR_ARRAY_ALIGN)
        align = SL_VECTOR_ARRAY_ALIGN;
    LLVMValueRef now;
    if (size > SL_LARGE_VARIABLE || size > STACK_BUDGET - g->stack) {
        uint64_t offset = round_up(g->facts->context_fixed, align);
        now = sl_emit_byte_offset(&g->e, g->context, sl_emit_i64(&g->e, offset), "large");
        g->facts->context_fixed = offset + size;
    } else {
        type = g->lanes > 1 ? LLVMArrayType2(type, g->lanes) : type;
        now = sl_emit_entry_copy(&g->e, g->function, type, align, "", variable);
        g->stack += size;
    }
    g->facts->private_bytes += size / g->lanes;
    sl_map_set(&g->fixed, variable, now);
}

static uint32_t strictest_alignment(const struct sl_split *split)
{
    uint32_t align = split->align;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && LLVMGetAlignment(i) > align)
            align = LLVMGetAlignment(i);
    return align;
}

static void align_context(struct sl_group_function *g, uint32_t align)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef address = LLVMBuildPtrToInt(b, g->context, g->e.i64, "");
    LLVMValueRef slack =
        LLVMBuildAnd(b, LLVMBuildNeg(b, address, ""), sl_emit_i64(&g->e, align - 1), "");
    g->context = sl_emit_byte_offset(&g->e, g->context, slack, "context");
}

void sl_group_place_variables(struct sl_group_function *g)
{
    struct sl_kernel_facts *facts = g->facts;
    uint32_t align = strictest_alignment(&g->split);
    if (g->split.apart && align < SL_SUB_GROUP_ALIGN)
        align = SL_SUB_GROUP_ALIGN;
    if (align > CONTEXT_ALIGN)
        align_context(g, align);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && !is_slot(&g->split, i))
            place_fixed(g, i);
    uint32_t unit = align > CONTEXT_ALIGN ? align : CONTEXT_ALIGN;
    if (g->split.apart)
        sl_sub_groups_reserve(g);
    facts->context_per_item = g->split.per_item;
    facts->private_bytes += g->split.per_item;
    facts->context_fixed = round_up(facts->context_fixed, unit);
    g->slots_begin = facts->context_fixed;
    g->slot_gap = g->split.slot_count > MANY_SLOTS && !g->split.apart ? unit : 0;
    facts->context_fixed += g->split.slot_count * g->slot_gap;
    if (align > CONTEXT_ALIGN && (facts->context_fixed || facts->context_per_item))
        facts->context_fixed += align;
}

/* Slots are arrays over the items of the group, one behind the other; many with a gap in between:
 * groups have 64, 256 or 1024 items, and what an item has in all of them would have one place in
 * the cache. */
void sl_group_place_slots(struct sl_group_function *g)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef begin =
        sl_emit_byte_offset(e, g->context, sl_emit_i64(e, g->slots_begin), "slots");
    for (uint32_t s = 0; s < g->split.slot_count; s++) {
        const struct sl_slot *slot = &g->split.slots[s];
        if (slot->inner)
            continue;
        if (slot->uniform) {
            g->home[s] = sl_emit_entry_alloca(e, g->function, slot->type, 0, "shared");
            continue;
        }
        LLVMValueRef offset = sl_emit_mul_exact(e, g->items, sl_emit_i64(e, slot->offset), "");
        offset = LLVMBuildAdd(e->builder, offset, sl_emit_i64(e, s * g->slot_gap), "");
        g->home[s] = sl_emit_byte_offset(e, begin, offset, "slot");
    }
}

/* Long chunks, so that compacted items fill vectors but for a few at the end. Offsets are written
 * as far as items were compacted, and read in whole vectors. */
static uint32_t place_compacted(struct sl_group_function *g)
{
    const struct sl_emit *e = &g->e;
    uint32_t size = LARGEST_COMPACTION;
    while (size > SMALLEST_COMPACTION &&
           (g->split.per_item_inner + sizeof(int32_t)) * size > COMPACTION_BYTES)
        size /= 2;
    g->compacted.count = sl_emit_entry_alloca(e, g->function, e->i32, 0, "packed");
    LLVMTypeRef all = LLVMArrayType2(e->i32, size + COMPACTION_SLACK);
    g->compacted.offsets = sl_emit_entry_copy(e, g->function, all, CONTEXT_ALIGN, "offsets", NULL);
    return size;
}

/* The same for the items of a chunk, on the stack. */
void sl_group_place_chunk_slots(struct sl_group_function *g)
{
    bool any = false;
    for (uint32_t b = 0; b < g->split.barrier_count; b++)
        any |= g->split.barriers[b].inner;
    if (!any || (!g->split.compacts && g->split.per_item_inner * CHUNK_SIZE > CHUNK_BYTES))
        return;
    g->chunk_size = g->split.compacts ? place_compacted(g) : CHUNK_SIZE;
    uint32_t slack = g->split.compacts ? COMPACTION_SLACK : 0;
    for (uint32_t s = 0; s < g->split.slot_count; s++) {
        const struct sl_slot *slot = &g->split.slots[s];
        if (slot->array || (!slot->inner && !slot->uniform))
            continue;
        LLVMTypeRef type = slot->uniform
                               ? slot->type
                               : LLVMArrayType2(g->e.i8, slot->size * (g->chunk_size + slack));
        uint32_t align = slot->uniform ? 0 : CONTEXT_ALIGN;
        if (align && slot->align > align)
            align = slot->align;
        g->chunk[s] = sl_emit_entry_copy(&g->e, g->function, type, align, "chunk", NULL);
    }
}
