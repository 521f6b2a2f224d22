/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forward data flow with control dependence: a branch on a varying value makes every block between
 * it and its post-dominators vary, and the phis where paths meet again; unless both ways lead to
 * places where all items meet, for then they go one way whatever it asks. No shared state.
 */
#include "ir/control_flow/uniformity.h"

#include "ir/bits.h"
#include "ir/control_flow/divergence.h"
#include "ir/control_flow/dominators.h"
#include "ir/memory.h"
#include <stdlib.h>

struct analysis {
    struct sl_uniformity *result;
    const struct sl_cfg *cfg;
    sl_source_fn varies;
    struct sl_map varying; /* instructions */
    struct sl_divergence parting;
    bool *meets; /* all items meet in this block */
    uint32_t meeting_count;
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

/* ---- where items meet ------------------------------------------------------------------------ */

static bool has_meeting(const struct sl_block *block, sl_source_fn meets)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->ref); i; i = LLVMGetNextInstruction(i))
        if (meets(i))
            return true;
    return false;
}

static void find_meetings(struct analysis *a, sl_source_fn meets)
{
    for (uint32_t b = 0; b < a->cfg->count && meets; b++) {
        a->meets[b] = has_meeting(&a->cfg->blocks[b], meets);
        a->meeting_count += a->meets[b];
    }
}

/* Every item that comes to the one comes to the other as well. */
static bool go_together(const struct analysis *a, const struct sl_dominators *before,
                        uint32_t first, uint32_t second)
{
    return sl_dominates(before, first, second) && sl_dominates(&a->parting.post, second, first);
}

static void find_together(struct analysis *a, const struct sl_graph_edge *edges,
                          uint32_t edge_count)
{
    struct sl_dominators before = {0};
    for (uint32_t m = 0; m < a->cfg->count; m++) {
        if (!a->meets[m])
            continue;
        if (!before.idom)
            before = sl_make_dominators(a->cfg->count + 1, edges, edge_count, 0);
        for (uint32_t b = 0; b < a->cfg->count; b++)
            a->together[b] |= go_together(a, &before, b, m) || go_together(a, &before, m, b);
    }
    sl_free_dominators(&before);
}

/* Where items meet next on a way that begins with this block, as a row of bits. Are they sure to?
 */
static bool find_next_meetings(const struct analysis *a, uint32_t first, uint64_t *meetings)
{
    const struct sl_cfg *cfg = a->cfg;
    uint32_t *stack = sl_ir_alloc(cfg->count, sizeof *stack), depth = 0;
    uint64_t *seen = sl_ir_alloc(sl_bits_words(cfg->count), sizeof *seen);
    bool sure = true;
    stack[depth++] = first;
    sl_bits_add(seen, first);
    while (depth) {
        uint32_t b = stack[--depth];
        const struct sl_block *block = &cfg->blocks[b];
        if (a->meets[b]) {
            sl_bits_add(meetings, b);
            continue;
        }
        sure &= block->succ_count > 0;
        for (uint32_t s = 0; s < block->succ_count; s++) {
            if (!sl_bits_has(seen, block->succ[s]))
                stack[depth++] = block->succ[s];
            sl_bits_add(seen, block->succ[s]);
        }
    }
    free(stack);
    free(seen);
    return sure;
}

/* Items that meet for sure have all the others with them, and those cannot have gone the way that
 * leads elsewhere. Where both ways may also lead past where items meet, to the kernel's end for
 * example, items may part, and none comes there. */
static bool meetings_decide(const struct analysis *a, uint32_t branch)
{
    const struct sl_block *from = &a->cfg->blocks[branch];
    if (a->meeting_count < 2 || from->succ_count != 2 ||
        !LLVMIsABranchInst(LLVMGetBasicBlockTerminator(from->ref)))
        return false;
    size_t words = sl_bits_words(a->cfg->count);
    uint64_t *ways[2], both = 0, any[2] = {0};
    bool sure = false;
    for (unsigned k = 0; k < 2; k++) {
        ways[k] = sl_ir_alloc(words, sizeof *ways[k]);
        sure |= find_next_meetings(a, from->succ[k], ways[k]);
    }
    for (size_t w = 0; w < words; w++) {
        both |= ways[0][w] & ways[1][w];
        any[0] |= ways[0][w];
        any[1] |= ways[1][w];
    }
    free(ways[0]);
    free(ways[1]);
    return sure && any[0] && any[1] && !both;
}

/* ---- the fixed point ------------------------------------------------------------------------- */

/* Where items run together, phis vary only if items meet there that came different ways; unless the
 * branch is one that leaves a loop, in which they are in different iterations. */
static void part(struct analysis *a, uint32_t branch)
{
    struct sl_divergence *d = &a->parting;
    bool *control = a->result->varying_control;
    a->result->parts[branch] = true;
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
        if (sl_map_get(&a->varying, LLVMGetOperand(i, k)))
            return true;
    return false;
}

static void visit(struct analysis *a, uint32_t b)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(a->cfg->blocks[b].ref); i;
         i = LLVMGetNextInstruction(i)) {
        if (sl_map_get(&a->varying, i) || !varies(a, b, i))
            continue;
        sl_map_set(&a->varying, i, i);
        a->changed = true;
        if (LLVMIsATerminatorInst(i) && a->cfg->blocks[b].succ_count > 1 && !meetings_decide(a, b))
            part(a, b);
    }
}

/* The others: instructions that are made later are none of them. */
static void keep_uniform(struct analysis *a)
{
    for (uint32_t b = 0; b < a->cfg->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(a->cfg->blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (!sl_map_get(&a->varying, i))
                sl_map_set(&a->result->uniform, i, i);
}

void sl_uniformity_init(struct sl_uniformity *u, const struct sl_cfg *cfg, sl_source_fn source,
                        sl_source_fn meets)
{
    *u = (struct sl_uniformity){.cfg = cfg,
                                .varying_control = sl_ir_alloc(cfg->count, sizeof(bool)),
                                .parts = sl_ir_alloc(cfg->count, sizeof(bool))};
    struct analysis a = {.result = u, .cfg = cfg, .varies = source, .changed = true};
    a.meets = sl_ir_alloc(cfg->count, sizeof *a.meets);
    a.joins = sl_ir_alloc(cfg->count, sizeof *a.joins);
    a.together = sl_ir_alloc(cfg->count, sizeof *a.together);
    uint32_t edge_count;
    struct sl_graph_edge *edges = list_edges(cfg, &edge_count);
    sl_divergence_init(&a.parting, cfg->count, edges, edge_count);
    find_meetings(&a, meets);
    find_together(&a, edges, edge_count);
    free(edges);
    while (a.changed) {
        a.changed = false;
        for (uint32_t b = 0; b < cfg->count; b++)
            visit(&a, b);
    }
    keep_uniform(&a);
    sl_divergence_finish(&a.parting);
    sl_map_finish(&a.varying);
    free(a.meets);
    free(a.joins);
    free(a.together);
}

bool sl_is_uniform(const struct sl_uniformity *u, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || sl_map_get(&u->uniform, value);
}

bool sl_parts_items(const struct sl_uniformity *u, LLVMBasicBlockRef block)
{
    uint32_t b = sl_cfg_number(u->cfg, block);
    return b == SL_NO_BLOCK || u->parts[b];
}

void sl_uniformity_finish(struct sl_uniformity *u)
{
    sl_map_finish(&u->uniform);
    free(u->varying_control);
    free(u->parts);
    *u = (struct sl_uniformity){0};
}
