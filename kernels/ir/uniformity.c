/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward data flow with control dependence: a branch on a varying value makes every block between
 * it and its post-dominators vary, and the phis where paths meet again. No shared state.
 */
#include "ir/uniformity.h"

#include "ir/bits.h"
#include "ir/memory.h"
#include <stdlib.h>
#include <string.h>

struct analysis {
    struct sl_uniformity *result;
    const struct sl_cfg *cfg;
    sl_source_fn varies;
    size_t words;
    uint64_t *post; /* post-dominators: a row of blocks per block */
    bool *joins;    /* phis of this block vary */
    bool changed;
};

static bool meet_successors(struct analysis *a, uint32_t b, uint64_t *row)
{
    const struct sl_block *block = &a->cfg->blocks[b];
    bool changed = false;
    for (size_t w = 0; w < a->words; w++) {
        uint64_t all = block->succ_count ? ~UINT64_C(0) : 0;
        for (uint32_t s = 0; s < block->succ_count; s++)
            all &= a->post[block->succ[s] * a->words + w];
        if (b / 64 == w)
            all |= UINT64_C(1) << b % 64;
        changed |= all != row[w];
        row[w] = all;
    }
    return changed;
}

static void find_post_dominators(struct analysis *a)
{
    size_t size = a->cfg->count * a->words * sizeof *a->post;
    a->post = sl_ir_alloc(1, size);
    memset(a->post, 0xff, size);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = a->cfg->count; b-- > 0;)
            changed |= meet_successors(a, b, a->post + b * a->words);
    }
}

/* Blocks that cannot leave the function have every block as post-dominator: nothing stops there. */
static bool ends(const struct analysis *a, uint32_t from, uint32_t block)
{
    const uint64_t *row = a->post + from * a->words;
    for (uint32_t b = 0; b < a->cfg->count; b++)
        if (!sl_bits_has(row, b))
            return sl_bits_has(row, block);
    return a->cfg->count == 1;
}

static void mark_influence(struct analysis *a, uint32_t branch)
{
    const struct sl_cfg *cfg = a->cfg;
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    bool *seen = sl_ir_alloc(cfg->count, sizeof *seen);
    uint32_t from = branch;
    for (;;) {
        for (uint32_t s = 0; s < cfg->blocks[from].succ_count; s++) {
            uint32_t to = cfg->blocks[from].succ[s];
            if (seen[to])
                continue;
            seen[to] = true;
            a->changed |= !a->joins[to];
            a->joins[to] = true;
            if (to != branch && ends(a, branch, to))
                continue;
            a->changed |= !a->result->varying_control[to];
            a->result->varying_control[to] = true;
            stack[depth++] = to;
        }
        if (!depth)
            break;
        from = stack[--depth];
    }
    free(seen);
    free(stack);
}

static bool varies(const struct analysis *a, uint32_t b, LLVMValueRef i)
{
    if (a->result->varying_control[b] || a->varies(i) || (LLVMIsAPHINode(i) && a->joins[b]))
        return true;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (sl_map_get(&a->result->varying, LLVMGetOperand(i, k)))
            return true;
    return false;
}

static void visit(struct analysis *a, uint32_t b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(a->cfg->blocks[b].ref); i;
         i = LLVMGetNextInstruction(i)) {
        if (sl_map_get(&a->result->varying, i) || !varies(a, b, i))
            continue;
        sl_map_set(&a->result->varying, i, i);
        a->changed = true;
        if (LLVMIsATerminatorInst(i) && a->cfg->blocks[b].succ_count > 1)
            mark_influence(a, b);
    }
}

void sl_uniformity_init(struct sl_uniformity *u, const struct sl_cfg *cfg, sl_source_fn source)
{
    *u = (struct sl_uniformity){.varying_control = sl_ir_alloc(cfg->count, sizeof(bool))};
    struct analysis a = {.result = u, .cfg = cfg, .varies = source, .changed = true};
    a.words = sl_bits_words(cfg->count);
    a.joins = sl_ir_alloc(cfg->count, sizeof *a.joins);
    find_post_dominators(&a);
    while (a.changed) {
        a.changed = false;
        for (uint32_t b = 0; b < cfg->count; b++)
            visit(&a, b);
    }
    free(a.post);
    free(a.joins);
}

bool sl_is_uniform(const struct sl_uniformity *u, LLVMValueRef value)
{
    return !sl_map_get(&u->varying, value);
}

void sl_uniformity_finish(struct sl_uniformity *u)
{
    sl_map_finish(&u->varying);
    free(u->varying_control);
    *u = (struct sl_uniformity){0};
}
