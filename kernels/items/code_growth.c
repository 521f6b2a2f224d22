/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps regions from repeating too much code. Where several regions flow together, each has its own
 * copy of what follows; with many barriers in conditions that grows with their square. Past a limit
 * the inner splits go, and then all items meet once more where paths join that all of them take.
 * No shared state.
 */
#include "items/barrier_split.h"

#include "ir/control_flow/uniformity.h"
#include "items/work_item.h"
#include <stdlib.h>

#define FREE_GROWTH 4000 /* instructions */
#define GROWTH_FACTOR 4

struct growth {
    const struct sl_split *split;
    uint32_t *sizes;    /* instructions per block */
    uint32_t *reached;  /* per block: from how many region starts */
    uint64_t once, all; /* instructions of the kernel, of all regions together */
};

static uint32_t block_size(LLVMBasicBlockRef block)
{
    uint32_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        count++;
    return count;
}

static void flood(struct growth *w, uint32_t start)
{
    const struct sl_cfg *cfg = &w->split->cfg;
    bool *seen = sl_ir_alloc(cfg->count, sizeof *seen);
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    stack[depth++] = start;
    seen[start] = true;
    while (depth) {
        uint32_t b = stack[--depth];
        w->reached[b]++;
        w->all += w->sizes[b];
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            uint32_t to = cfg->blocks[b].succ[s];
            if (!seen[to] && sl_split_barrier_at(w->split, cfg->blocks[to].ref) < 0) {
                seen[to] = true;
                stack[depth++] = to;
            }
        }
    }
    free(seen);
    free(stack);
}

static bool measure(struct growth *w, const struct sl_split *split)
{
    const struct sl_cfg *cfg = &split->cfg;
    *w = (struct growth){.split = split};
    w->sizes = sl_ir_alloc(cfg->count, sizeof *w->sizes);
    w->reached = sl_ir_alloc(cfg->count, sizeof *w->reached);
    for (uint32_t b = 0; b < cfg->count; b++)
        w->once += w->sizes[b] = block_size(cfg->blocks[b].ref);
    flood(w, sl_cfg_number(cfg, split->first));
    for (uint32_t i = 0; i < split->barrier_count; i++)
        flood(w, sl_cfg_number(cfg, split->barriers[i].next));
    return w->all > GROWTH_FACTOR * w->once + FREE_GROWTH;
}

static void release(struct growth *w)
{
    free(w->sizes);
    free(w->reached);
}

static void drop_inner_splits(struct sl_split *split)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < split->barrier_count; i++) {
        if (split->barriers[i].inner)
            LLVMInstructionEraseFromParent(LLVMGetFirstInstruction(split->barriers[i].block));
        else
            split->barriers[kept++] = split->barriers[i];
    }
    split->barrier_count = kept;
    split->compacts = false;
}

/* Only where the analysis proves that every item comes by: elsewhere items might wait for ever. */
static void meet_at_joins(struct sl_split *split, struct sl_pass *pass, const struct growth *w)
{
    struct sl_emit e;
    struct sl_uniformity uniform;
    sl_emit_init(&e, pass->context);
    sl_uniformity_init(&uniform, &split->cfg, sl_varies_in_group, NULL);
    for (uint32_t b = 0; b < split->cfg.count; b++) {
        const struct sl_block *block = &split->cfg.blocks[b];
        if (block->pred_count < 2 || w->reached[b] < 2 || uniform.varying_control[b] ||
            sl_split_barrier_at(split, block->ref) >= 0)
            continue;
        LLVMValueRef at = LLVMGetFirstInstruction(block->ref);
        while (LLVMIsAPHINode(at))
            at = LLVMGetNextInstruction(at);
        LLVMPositionBuilderBefore(e.builder, at);
        sl_split_isolate(split, sl_wi_emit_barrier(&e, pass->module));
    }
    sl_uniformity_finish(&uniform);
    sl_emit_finish(&e);
    sl_cfg_finish(&split->cfg);
    sl_cfg_init(&split->cfg, split->kernel);
}

void sl_split_limit_growth(struct sl_split *split, struct sl_pass *pass)
{
    struct growth w;
    bool large = measure(&w, split);
    release(&w);
    if (!large || split->apart)
        return;
    drop_inner_splits(split);
    if (measure(&w, split))
        meet_at_joins(split, pass, &w);
    release(&w);
}
