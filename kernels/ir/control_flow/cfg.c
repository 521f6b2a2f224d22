/* SPDX-License-Identifier: Apache-2.0 */
/* Numbering of blocks by depth-first search without recursion. No shared state. */
#include "ir/control_flow/cfg.h"

#include "ir/memory.h"
#include <stdlib.h>

struct frame {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to visit next */
};

static unsigned successor_count(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

/* Blocks in post-order; `seen` maps each to itself. */
static void post_order(LLVMBasicBlockRef entry, struct sl_map *seen, struct sl_list *order,
                       uint32_t limit)
{
    struct frame *stack = sl_ir_alloc(limit, sizeof *stack);
    size_t depth = 0;
    stack[depth++] = (struct frame){entry, 0};
    sl_map_set(seen, entry, entry);
    while (depth) {
        struct frame *top = &stack[depth - 1];
        if (top->next == successor_count(top->block)) {
            sl_list_add(order, top->block);
            depth--;
            continue;
        }
        LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, top->next++);
        if (!sl_map_get(seen, to)) {
            sl_map_set(seen, to, to);
            stack[depth++] = (struct frame){to, 0};
        }
    }
    free(stack);
}

static void connect(struct sl_cfg *cfg)
{
    size_t edges = 0;
    for (uint32_t b = 0; b < cfg->count; b++)
        edges += successor_count(cfg->blocks[b].ref);
    cfg->edges = sl_ir_alloc(2 * edges, sizeof *cfg->edges);
    uint32_t *next = cfg->edges;
    for (uint32_t b = 0; b < cfg->count; b++) {
        struct sl_block *block = &cfg->blocks[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
        block->succ = next;
        block->succ_count = successor_count(block->ref);
        for (uint32_t s = 0; s < block->succ_count; s++) {
            block->succ[s] = sl_cfg_number(cfg, LLVMGetSuccessor(end, s));
            cfg->blocks[block->succ[s]].pred_count++;
        }
        next += block->succ_count;
    }
    for (uint32_t b = 0; b < cfg->count; b++) {
        cfg->blocks[b].pred = next;
        next += cfg->blocks[b].pred_count;
        cfg->blocks[b].pred_count = 0;
    }
    for (uint32_t b = 0; b < cfg->count; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            struct sl_block *to = &cfg->blocks[cfg->blocks[b].succ[s]];
            to->pred[to->pred_count++] = b;
        }
}

void sl_cfg_init(struct sl_cfg *cfg, LLVMValueRef function)
{
    *cfg = (struct sl_cfg){0};
    struct sl_map seen = {0};
    struct sl_list order = {0};
    post_order(LLVMGetEntryBasicBlock(function), &seen, &order, LLVMCountBasicBlocks(function));
    cfg->count = order.count;
    cfg->blocks = sl_ir_alloc(cfg->count, sizeof *cfg->blocks);
    for (uint32_t b = 0; b < cfg->count; b++) {
        cfg->blocks[b].ref = order.items[cfg->count - 1 - b];
        sl_map_set(&cfg->numbers, cfg->blocks[b].ref, (void *)(uintptr_t)(b + 1));
    }
    connect(cfg);
    sl_list_finish(&order);
    sl_map_finish(&seen);
}

uint32_t sl_cfg_number(const struct sl_cfg *cfg, LLVMBasicBlockRef block)
{
    uintptr_t number = (uintptr_t)sl_map_get(&cfg->numbers, block);
    return number ? (uint32_t)(number - 1) : SL_NO_BLOCK;
}

void sl_cfg_finish(struct sl_cfg *cfg)
{
    free(cfg->blocks);
    free(cfg->edges);
    sl_map_finish(&cfg->numbers);
    *cfg = (struct sl_cfg){0};
}
