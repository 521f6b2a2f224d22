/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether LLVM's passes for loops and straight-line vectors may find something in a kernel that
 * runs item by item. They take half of the optimiser's time, and a loop that moves packets has
 * nothing for them: its operations may call the runtime. No shared state.
 */
#include "groups/group_function.h"

#include "ir/memory.h"
#include "pipes/pipe.h"
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

bool sl_wants_loop_passes(const struct sl_group_function *g)
{
    const struct sl_cfg *cfg = &g->cut.cfg;
    if (!(g->facts->flags & SL_KERNEL_USES_PIPES))
        return true;
    bool *moves = sl_ir_alloc(cfg->count, sizeof *moves), wants = false;
    for (uint32_t b = 0; b < cfg->count; b++) {
        moves[b] = has_pipe_operation(cfg->blocks[b].ref);
        wants |= is_long(cfg->blocks[b].ref);
    }
    for (uint32_t b = 0; b < cfg->count && !wants; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count && !wants; s++)
            wants =
                cfg->blocks[b].succ[s] <= b && is_free_of(moves, cfg, cfg->blocks[b].succ[s], b);
    free(moves);
    return wants;
}
