/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backward data flow over SSA values. A phi uses its operand at the end of the block the operand
 * comes from and defines its value at the top of its own. No shared state.
 */
#include "ir/control_flow/liveness.h"

#include "ir/bits.h"
#include <stdbool.h>
#include <stdlib.h>

struct rows {
    uint64_t *use, *def, *at_end; /* a row per block; at_end: what phis of successors use */
};

static bool crosses_blocks(LLVMValueRef value)
{
    LLVMBasicBlockRef home = LLVMGetInstructionParent(value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != home)
            return true;
    }
    return false;
}

static void number_values(struct sl_liveness *live, const struct sl_cfg *cfg)
{
    for (uint32_t b = 0; b < cfg->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (!LLVMIsAAllocaInst(i) && crosses_blocks(i)) {
                sl_list_add(&live->values, i);
                sl_map_set(&live->numbers, i, (void *)(uintptr_t)live->values.count);
            }
    live->words = sl_bits_words(live->values.count);
}

static void note_phi(const struct sl_liveness *live, const struct sl_cfg *cfg, LLVMValueRef phi,
                     struct rows *rows)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        uintptr_t number = (uintptr_t)sl_map_get(&live->numbers, LLVMGetIncomingValue(phi, k));
        uint32_t from = sl_cfg_number(cfg, LLVMGetIncomingBlock(phi, k));
        if (number && from != SL_NO_BLOCK)
            sl_bits_add(rows->at_end + from * live->words, number - 1);
    }
}

static void note_block(const struct sl_liveness *live, const struct sl_cfg *cfg, uint32_t b,
                       struct rows *rows)
{
    uint64_t *use = rows->use + b * live->words, *def = rows->def + b * live->words;
    for (LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].ref); i;
         i = LLVMGetNextInstruction(i)) {
        uintptr_t own = (uintptr_t)sl_map_get(&live->numbers, i);
        if (own)
            sl_bits_add(def, own - 1);
        if (LLVMIsAPHINode(i)) {
            note_phi(live, cfg, i, rows);
            continue;
        }
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, k);
            uintptr_t number = (uintptr_t)sl_map_get(&live->numbers, operand);
            if (number && !sl_bits_has(def, number - 1))
                sl_bits_add(use, number - 1);
        }
    }
}

static bool update(struct sl_liveness *live, const struct sl_cfg *cfg, uint32_t b,
                   const struct rows *rows)
{
    bool changed = false;
    uint64_t *in = live->live_in + b * live->words;
    for (size_t w = 0; w < live->words; w++) {
        uint64_t out = rows->at_end[b * live->words + w];
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++)
            out |= live->live_in[cfg->blocks[b].succ[s] * live->words + w];
        uint64_t now = rows->use[b * live->words + w] | (out & ~rows->def[b * live->words + w]);
        changed |= now != in[w];
        in[w] = now;
    }
    return changed;
}

void sl_liveness_init(struct sl_liveness *live, const struct sl_cfg *cfg)
{
    *live = (struct sl_liveness){0};
    number_values(live, cfg);
    size_t size = cfg->count * live->words;
    live->live_in = sl_ir_alloc(size, sizeof(uint64_t));
    struct rows rows = {sl_ir_alloc(size, sizeof(uint64_t)), sl_ir_alloc(size, sizeof(uint64_t)),
                        sl_ir_alloc(size, sizeof(uint64_t))};
    for (uint32_t b = 0; b < cfg->count; b++)
        note_block(live, cfg, b, &rows);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = cfg->count; b-- > 0;)
            changed |= update(live, cfg, b, &rows);
    }
    free(rows.use);
    free(rows.def);
    free(rows.at_end);
}

void sl_liveness_finish(struct sl_liveness *live)
{
    sl_list_finish(&live->values);
    sl_map_finish(&live->numbers);
    free(live->live_in);
    *live = (struct sl_liveness){0};
}
