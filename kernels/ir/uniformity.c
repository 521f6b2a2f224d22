/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward data flow with control dependence: a branch on a varying value makes every block between
 * it and its post-dominators vary, and the phis where paths meet again. No shared state.
 */
#include "ir/uniformity.h"

#include "ir/dominators.h"
#include "ir/memory.h"
#include <stdlib.h>
#include <string.h>

struct analysis {
    struct sl_uniformity *result;
    const struct sl_cfg *cfg;
    sl_source_fn varies;
    struct sl_dominators post; /* of blocks, from the end, whose number is behind all */
    bool *together;            /* all items run this block or none, for they meet there */
    bool *joins;               /* phis of this block vary */
    bool changed;
    struct reach {
        uint32_t branch, *blocks,
            count;     /* between a branch and where all its ways have met again */
        bool *has;     /* the same per block; that one included */
        uint32_t *way; /* per block, by which way items come: a successor's number behind all
                          blocks, or the block where ways met; SL_NO_BLOCK: not known */
    } reach;           /* of the branch that is looked at */
};

/* Of the function's blocks; backwards: from its ends, of which the last number stands for all. */
static struct sl_dominators find_dominators(const struct analysis *a, bool backwards)
{
    uint32_t count = a->cfg->count, edges = 0;
    for (uint32_t b = 0; b < count; b++)
        edges += a->cfg->blocks[b].succ_count + 1;
    struct sl_graph_edge *edge = sl_ir_alloc(edges, sizeof *edge);
    edges = 0;
    for (uint32_t b = 0; b < count; b++) {
        const struct sl_block *block = &a->cfg->blocks[b];
        for (uint32_t s = 0; s < block->succ_count; s++)
            edge[edges++] = backwards ? (struct sl_graph_edge){block->succ[s], b}
                                      : (struct sl_graph_edge){b, block->succ[s]};
        if (backwards && !block->succ_count)
            edge[edges++] = (struct sl_graph_edge){count, b};
    }
    struct sl_dominators found = sl_make_dominators(count + 1, edge, edges, backwards ? count : 0);
    free(edge);
    return found;
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
    return sl_dominates(before, first, second) && sl_dominates(&a->post, second, first);
}

static void find_together(struct analysis *a, sl_source_fn meets)
{
    struct sl_dominators before = {0};
    for (uint32_t m = 0; m < a->cfg->count && meets; m++) {
        if (!has_meeting(&a->cfg->blocks[m], meets))
            continue;
        if (!before.idom)
            before = find_dominators(a, false);
        for (uint32_t b = 0; b < a->cfg->count; b++)
            a->together[b] |= go_together(a, &before, b, m) || go_together(a, &before, m, b);
    }
    sl_free_dominators(&before);
}

/* All ways from a block that can leave the function come by the other one. Where none leaves,
 * nothing stops. */
static bool ends(const struct analysis *a, uint32_t from, uint32_t block)
{
    return a->post.idom[from] != SL_NO_NODE && sl_dominates(&a->post, block, from);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void find_reach(struct analysis *a, uint32_t branch)
{
    struct reach *r = &a->reach;
    r->branch = branch;
    r->count = 0;
    uint32_t from = branch;
    for (uint32_t next = 0;; from = r->blocks[next++]) {
        for (uint32_t s = 0; s < a->cfg->blocks[from].succ_count; s++) {
            uint32_t to = a->cfg->blocks[from].succ[s];
            if (r->has[to])
                continue;
            r->has[to] = true;
            r->blocks[r->count++] = to;
        }
        while (next < r->count && r->blocks[next] != branch && ends(a, branch, r->blocks[next]))
            next++;
        if (next == r->count)
            break;
    }
    if (r->count)
        qsort(r->blocks, r->count, sizeof *r->blocks, by_number);
}

static void forget_reach(struct reach *r)
{
    for (uint32_t k = 0; k < r->count; k++) {
        r->has[r->blocks[k]] = false;
        r->way[r->blocks[k]] = SL_NO_BLOCK;
    }
}

static uint32_t way_by(const struct analysis *a, uint32_t from, uint32_t to)
{
    const struct reach *r = &a->reach;
    const struct sl_block *block = &a->cfg->blocks[from];
    if (from != r->branch)
        return r->has[from] && !ends(a, r->branch, from) ? r->way[from] : SL_NO_BLOCK;
    uint32_t way = SL_NO_BLOCK;
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (block->succ[s] == to)
            way = way == SL_NO_BLOCK ? a->cfg->count + s : to;
    return way;
}

static bool follow_ways(struct analysis *a)
{
    struct reach *r = &a->reach;
    bool changed = false;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t b = r->blocks[k];
        const struct sl_block *block = &a->cfg->blocks[b];
        for (uint32_t p = 0; p < block->pred_count && r->way[b] != b; p++) {
            uint32_t way = way_by(a, block->pred[p], b);
            if (way == SL_NO_BLOCK || way == r->way[b])
                continue;
            r->way[b] = r->way[b] == SL_NO_BLOCK ? way : b;
            changed = true;
        }
    }
    return changed;
}

/* Where items run together, phis vary only if items meet there that came different ways; unless the
 * branch is one that leaves a loop, in which they are in different turns. */
static void mark_influence(struct analysis *a, uint32_t branch)
{
    struct reach *r = &a->reach;
    bool *control = a->result->varying_control;
    find_reach(a, branch);
    while (follow_ways(a))
        ;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t b = r->blocks[k];
        bool together = a->together[b] && !r->has[branch];
        bool joins = !together || r->way[b] == b;
        bool passed_by = !together && (b == branch || !ends(a, branch, b));
        a->changed |= (joins && !a->joins[b]) || (passed_by && !control[b]);
        a->joins[b] |= joins;
        control[b] |= passed_by;
    }
    forget_reach(r);
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
    a.post = find_dominators(&a, true);
    find_together(&a, meets);
    a.reach.blocks = sl_ir_alloc(cfg->count, sizeof *a.reach.blocks);
    a.reach.has = sl_ir_alloc(cfg->count, sizeof *a.reach.has);
    a.reach.way = sl_ir_alloc(cfg->count, sizeof *a.reach.way);
    memset(a.reach.way, 0xff, cfg->count * sizeof *a.reach.way);
    while (a.changed) {
        a.changed = false;
        for (uint32_t b = 0; b < cfg->count; b++)
            visit(&a, b);
    }
    sl_free_dominators(&a.post);
    free(a.joins);
    free(a.together);
    free(a.reach.blocks);
    free(a.reach.has);
    free(a.reach.way);
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
