/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two values in one slot: a phi and what one of its ways brings, as a sum that a loop with barriers
 * goes on with. Each is written behind its definition and read where it is needed, so that nothing
 * is lost unless one is needed behind the definition of the other. No shared state.
 */
#include "items/barrier_split.h"

#include "ir/bits.h"
#include "ir/map.h"

/* ---- what is needed when --------------------------------------------------------------------- */

static bool is_live_at_end(const struct sl_split *split, uint32_t b, size_t number)
{
    const struct sl_block *block = &split->cfg.blocks[b];
    LLVMValueRef value = split->live.values.items[number];
    for (uint32_t s = 0; s < block->succ_count; s++) {
        if (sl_bits_has(sl_live_in(&split->live, block->succ[s]), number))
            return true;
        for (LLVMValueRef phi = LLVMGetFirstInstruction(split->cfg.blocks[block->succ[s]].ref);
             phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
            for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
                if (LLVMGetIncomingBlock(phi, k) == block->ref &&
                    LLVMGetIncomingValue(phi, k) == value)
                    return true;
    }
    return false;
}

static bool uses(LLVMValueRef i, LLVMValueRef value)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (LLVMGetOperand(i, (unsigned)k) == value)
            return true;
    return false;
}

/* Behind the definition of the one, which is none of that definition's operands. */
static bool is_needed_behind(const struct sl_split *split, size_t number, size_t definition)
{
    LLVMValueRef value = split->live.values.items[number];
    LLVMValueRef other = split->live.values.items[definition];
    uint32_t b = sl_cfg_number(&split->cfg, LLVMGetInstructionParent(other));
    if (b == SL_NO_BLOCK || is_live_at_end(split, b, number))
        return true;
    for (LLVMValueRef i = LLVMGetNextInstruction(other); i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAPHINode(i) && uses(i, value))
            return true;
    return false;
}

static bool are_live_together(const struct sl_split *split, size_t a, size_t b)
{
    for (uint32_t block = 0; block < split->cfg.count; block++) {
        const uint64_t *live = sl_live_in(&split->live, block);
        if (sl_bits_has(live, a) && sl_bits_has(live, b))
            return true;
    }
    return false;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Truth is kept as a byte that is made of it: neither what is stored nor what is read is the value.
 */
static bool is_truth(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool may_share(const struct sl_split *split, size_t a, size_t b)
{
    LLVMValueRef one = split->live.values.items[a], other = split->live.values.items[b];
    return a != b && LLVMTypeOf(one) == LLVMTypeOf(other) && !is_truth(one) &&
           LLVMGetInstructionParent(one) != LLVMGetInstructionParent(other) &&
           !is_needed_behind(split, a, b) && !is_needed_behind(split, b, a) &&
           !are_live_together(split, a, b);
}

/* What comes on this way instead of the brought value can be written at the block's end: wherever
 * that leads to, nothing else is to be there. */
static bool may_store_at_end(const struct sl_split *split, LLVMBasicBlockRef from, size_t phi,
                             size_t brought)
{
    const uint32_t b = sl_cfg_number(&split->cfg, from);
    return b != SL_NO_BLOCK && from != LLVMGetEntryBasicBlock(split->kernel) &&
           !is_live_at_end(split, b, phi) && !is_live_at_end(split, b, brought);
}

static bool may_bring(const struct sl_split *split, size_t phi, size_t brought)
{
    LLVMValueRef to = split->live.values.items[phi], value = split->live.values.items[brought];
    for (unsigned k = 0; k < LLVMCountIncoming(to); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(to, k);
        if (sl_split_barrier_at(split, from) >= 0)
            return false;
        if (LLVMGetIncomingValue(to, k) != value && !may_store_at_end(split, from, phi, brought))
            return false;
    }
    return may_share(split, phi, brought);
}

/* The number of what the phi's way brings, if that is kept and has no pair; else the phi's own. */
static size_t find_brought(const struct sl_split *split, const uint64_t *kept, const size_t *with,
                           size_t phi)
{
    LLVMValueRef to = split->live.values.items[phi];
    for (unsigned k = 0; k < LLVMCountIncoming(to); k++) {
        const size_t number =
            (size_t)(uintptr_t)sl_map_get(&split->live.numbers, LLVMGetIncomingValue(to, k));
        if (number && sl_bits_has(kept, number - 1) && with[number - 1] == number - 1 &&
            may_bring(split, phi, number - 1))
            return number - 1;
    }
    return phi;
}

void sl_split_find_pairs(const struct sl_split *split, const uint64_t *kept, size_t *with,
                         uint64_t *brought)
{
    const size_t count = split->live.values.count;
    for (size_t v = 0; v < count; v++)
        with[v] = v;
    if (split->apart || split->compacts)
        return;
    for (size_t v = 0; v < count; v++) {
        if (!LLVMIsAPHINode(split->live.values.items[v]) || !sl_bits_has(kept, v) || with[v] != v)
            continue;
        const size_t other = find_brought(split, kept, with, v);
        if (other == v)
            continue;
        with[v] = other;
        with[other] = v;
        sl_bits_add(brought, other);
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

static LLVMValueRef find_store(LLVMValueRef value, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value)
            return user;
    }
    return NULL;
}

/* The value, or what was read of the slot for it. */
static bool is_there(LLVMValueRef incoming, LLVMValueRef value, LLVMValueRef variable)
{
    return incoming == value ||
           (LLVMIsALoadInst(incoming) && LLVMGetOperand(incoming, 0) == variable);
}

void sl_split_store_pairs(const struct sl_split *split, LLVMBuilderRef builder)
{
    for (uint32_t s = 0; s < split->slot_count; s++) {
        const struct sl_slot *slot = &split->slots[s];
        if (slot->array || slot->live[0] == slot->live[1])
            continue;
        LLVMValueRef phi = split->live.values.items[slot->live[0]];
        LLVMValueRef brought = split->live.values.items[slot->live[1]];
        LLVMInstructionEraseFromParent(find_store(phi, slot->variable));
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef incoming = LLVMGetIncomingValue(phi, k);
            if (is_there(incoming, brought, slot->variable))
                continue;
            LLVMPositionBuilderBefore(builder,
                                      LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
            LLVMBuildStore(builder, incoming, slot->variable);
        }
    }
}
