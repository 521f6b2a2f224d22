/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether LLVM's passes for loops and straight-line vectors may find something in a kernel that
 * runs item by item. They take half of the optimiser's time, and a loop that moves packets has
 * nothing for them: its operations may call the runtime. No shared state.
 */
#include "pipes/pipe.h"

#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "pipes/stages.h"
#include <stdlib.h>

#define MANY 32 /* instructions of a block that may well be alike */

static bool has_pipe_operation(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && sl_pipe_is_opaque(i))
            return true;
    return false;
}

static bool is_long(LLVMBasicBlockRef block)
{
    uint32_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        count += !LLVMIsACallInst(i);
    return count > MANY;
}

/* The loop of this header and backward edge; blocks that only lead into an inner one are part of
 * it.
 */
static bool is_free_of(const bool *moves, const struct sl_cfg *cfg, uint32_t header, uint32_t latch)
{
    bool *seen = sl_ir_alloc(cfg->count, sizeof *seen), found = moves[header];
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    seen[header] = true;
    if (!seen[latch])
        stack[depth++] = latch;
    seen[latch] = true;
    while (depth && !found) {
        const struct sl_block *block = &cfg->blocks[stack[--depth]];
        found = moves[block - cfg->blocks];
        for (uint32_t p = 0; p < block->pred_count; p++)
            if (!seen[block->pred[p]]) {
                seen[block->pred[p]] = true;
                stack[depth++] = block->pred[p];
            }
    }
    free(seen);
    free(stack);
    return !found;
}

static bool only_moves_packets(LLVMValueRef kernel)
{
    struct sl_cfg cfg;
    sl_cfg_init(&cfg, kernel);
    bool *moves = sl_ir_alloc(cfg.count, sizeof *moves), gains = false;
    for (uint32_t b = 0; b < cfg.count; b++) {
        moves[b] = has_pipe_operation(cfg.blocks[b].ref);
        gains |= is_long(cfg.blocks[b].ref);
    }
    for (uint32_t b = 0; b < cfg.count && !gains; b++)
        for (uint32_t s = 0; s < cfg.blocks[b].succ_count && !gains; s++)
            gains = cfg.blocks[b].succ[s] <= b && is_free_of(moves, &cfg, cfg.blocks[b].succ[s], b);
    free(moves);
    sl_cfg_finish(&cfg);
    return !gains;
}

int sl_pass_pipe_loops(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (!(facts->flags & SL_KERNEL_USES_PIPES) || facts->elsewhere)
            continue;
        if (sl_pass_has(pass, SL_PASS_OPTIMIZE) && sl_pipe_take_originals(pass, facts->kernel))
            return -1;
        facts->only_moves_packets = only_moves_packets(facts->kernel);
    }
    return 0;
}
