/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward data flow with control dependence: a branch on a varying value makes every block between
 * it and its post-dominators vary, and the phis where paths meet again. No shared state.
 */
#include "ir/uniformity.h"

#include "ir/divergence.h"
#include "ir/dominators.h"
#include "ir/memory.h"
#include <stdlib.h>

struct analysis {
    struct sl_uniformity *result;
    const struct sl_cfg *cfg;
    sl_source_fn varies;
    struct sl_divergence parting;
    bool *together; /* all items run this block or none, for they meet there */
    bool *joins;    /* phis of this block vary */
    bool changed;
};

/* Owned by the caller; those that leave the function lead to the number behind all blocks. */
static struct sl_graph_edge *list_edges(const struct sl_cfg *cfg, uint32_t *count)
{
    uint32_t edges = 0;
    for (uint32_t b = 0; b < cfg->count; b++)
        edges += cfg->blocks[b].succ_count + 1;
    struct sl_graph_edge *edge = sl_ir_alloc(edges, sizeof *edge);
    *count = 0;
    for (uint32_t b = 0; b < cfg->count; b++) {
        const struct sl_block *block = &cfg->blocks[b];
        for (uint32_t s = 0; s < block->succ_count; s++)
            edge[(*count)++] = (struct sl_graph_edge){b, block->succ[s]};
        if (!block->succ_count)
            edge[(*count)++] = (struct sl_graph_edge){b, cfg->count};
    }
    return edge;
}

static bool has_meeting(const struct sl_block *block, sl_source_fn meets)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i; i = LLVMGetNextInstruction(i))
        if (meets(i))
            return true;
    return false;
}

/* Every item that comes to the one comes to the other as well. */
static bool go_together(const struct analysis *a, const struct sl_dominators *before,
                        uint32_t first, uint32_t second)
{
    return sl_dominates(before, first, second) && sl_dominates(&a->parting.post, second, first);
}

static void find_together(struct analysis *a, const struct sl_graph_edge *edges,
                          uint32_t edge_count, sl_source_fn meets)
{
    struct sl_dominators before = {0};
    for (uint32_t m = 0; m < a->cfg->count && meets; m++) {
        if (!has_meeting(&a->cfg->blocks[m], meets))
            continue;
        if (!before.idom)
            before = sl_make_dominators(a->cfg->count + 1, edges, edge_count, 0);
        for (uint32_t b = 0; b < a->cfg->count; b++)
            a->together[b] |= go_together(a, &before, b, m) || go_together(a, &before, m, b);
    }
    sl_free_dominators(&before);
}

/* Where items run together, phis vary only if items meet there that came different ways; unless the
 * branch is one that leaves a loop, in which they are in different iterations. */
static void mark_influence(struct analysis *a, uint32_t branch)
{
    struct sl_divergence *d = &a->parting;
    bool *control = a->result->varying_control;
    sl_divergence_follow(d, branch);
    for (uint32_t k = 0; k < d->reached_count && d->reached[k] < a->cfg->count; k++) {
        uint32_t b = d->reached[k];
        bool together = a->together[b] && !d->has[branch];
        bool joins = !together || sl_divergence_joins(d, b);
        bool passed_by = !together && sl_divergence_passes(d, b);
        a->changed |= (joins && !a->joins[b]) || (passed_by && !control[b]);
        a->joins[b] |= joins;
        control[b] |= passed_by;
    }
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

void sl_uniformity_init(struct sl_uniformity *u, const struct sl_cfg *cfg, sl_source_fn source,
                        sl_source_fn meets)
{
    *u = (struct sl_uniformity){.varying_control = sl_ir_alloc(cfg->count, sizeof(bool))};
    struct analysis a = {.result = u, .cfg = cfg, .varies = source, .changed = true};
    a.joins = sl_ir_alloc(cfg->count, sizeof *a.joins);
    a.together = sl_ir_alloc(cfg->count, sizeof *a.together);
    uint32_t edge_count;
    struct sl_graph_edge *edges = list_edges(cfg, &edge_count);
    sl_divergence_init(&a.parting, cfg->count, edges, edge_count);
    find_together(&a, edges, edge_count, meets);
    free(edges);
    while (a.changed) {
        a.changed = false;
        for (uint32_t b = 0; b < cfg->count; b++)
            visit(&a, b);
    }
    sl_divergence_finish(&a.parting);
    free(a.joins);
    free(a.together);
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
