/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks, edges and loops of one region, and what divergent branches (ir/control_flow/divergence.h)
 * mean for them. The graphs are small and reducible. No shared state.
 */
#include "vector/analysis/control_flow.h"

#include "ir/bits.h"
#include "ir/control_flow/divergence.h"
#include "ir/control_flow/dominators.h"
#include "ir/map.h"
#include "ir/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- blocks and edges ------------------------------------------------------------------------ */

struct walk {
    struct sl_vector_plan *plan;
    sl_vector_inside_fn inside;
    void *data;
    LLVMBasicBlockRef *order; /* post-order, then blocks */
    uint32_t count;
};

static unsigned successor_count(LLVMBasicBlockRef block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

static LLVMBasicBlockRef successor(struct walk *w, LLVMBasicBlockRef block, unsigned s)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), s);
    return w->inside(to, w->data);
}

static void number_blocks(struct walk *w, LLVMBasicBlockRef start, uint32_t limit)
{
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    } *stack = sl_ir_alloc(limit, sizeof *stack);
    struct sl_map seen = {0};
    uint32_t depth = 0;
    stack[depth++] = (struct frame){start, 0};
    sl_map_set(&seen, start, start);
    while (depth) {
        struct frame *top = &stack[depth - 1];
        if (top->next == successor_count(top->block)) {
            w->order[w->count++] = top->block;
            depth--;
            continue;
        }
        LLVMBasicBlockRef to = successor(w, top->block, top->next++);
        if (to && !sl_map_get(&seen, to)) {
            sl_map_set(&seen, to, to);
            stack[depth++] = (struct frame){to, 0};
        }
    }
    sl_map_finish(&seen);
    free(stack);
}

static void add_edge(struct sl_vector_plan *plan, struct sl_vector_edge edge)
{
    struct sl_vector_block *from = &plan->blocks[edge.from];
    from->out = sl_ir_resize(from->out, from->out_count + 1, sizeof *from->out);
    from->out[from->out_count++] = plan->edge_count;
    if (edge.to < plan->count) {
        struct sl_vector_block *to = &plan->blocks[edge.to];
        to->in = sl_ir_resize(to->in, to->in_count + 1, sizeof *to->in);
        to->in[to->in_count++] = plan->edge_count;
    }
    plan->edges = sl_ir_resize(plan->edges, plan->edge_count + 1, sizeof *plan->edges);
    plan->edges[plan->edge_count++] = edge;
}

static void connect(struct walk *w)
{
    struct sl_vector_plan *plan = w->plan;
    for (uint32_t b = 0; b < plan->count; b++) {
        LLVMBasicBlockRef ref = plan->blocks[b].ref;
        unsigned count = successor_count(ref);
        if (!count)
            add_edge(plan, (struct sl_vector_edge){.from = b, .to = plan->count});
        for (unsigned s = 0; s < count; s++) {
            LLVMBasicBlockRef target = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(ref), s);
            LLVMBasicBlockRef to = w->inside(target, w->data);
            add_edge(plan,
                     (struct sl_vector_edge){.from = b,
                                             .to = to ? sl_vector_number(plan, to) : plan->count,
                                             .target = target,
                                             .successor = s});
        }
    }
}

uint32_t sl_vector_number(const struct sl_vector_plan *plan, LLVMBasicBlockRef block)
{
    uintptr_t number = (uintptr_t)sl_map_get(&plan->numbers, block);
    return number ? (uint32_t)(number - 1) : plan->count;
}

/* ---- dominators ------------------------------------------------------------------------------ */

static bool dominates(const struct sl_vector_plan *plan, uint32_t a, uint32_t b)
{
    while (b > a)
        b = plan->blocks[b].idom;
    return a == b;
}

/* Of the blocks, and of the end by the number behind them. False: from some block the end cannot be
 * reached. */
static bool find_dominators(struct sl_vector_plan *plan)
{
    struct sl_graph_edge *edges = sl_ir_alloc(plan->edge_count, sizeof *edges);
    for (uint32_t e = 0; e < plan->edge_count; e++)
        edges[e] = (struct sl_graph_edge){plan->edges[e].from, plan->edges[e].to};
    uint32_t *before = sl_find_dominators(plan->count + 1, edges, plan->edge_count, 0);
    sl_divergence_init(&plan->parting, plan->count, edges, plan->edge_count);
    free(edges);
    bool whole = true;
    for (uint32_t b = 0; b < plan->count; b++) {
        plan->blocks[b].idom = before[b];
        plan->blocks[b].ipdom = plan->parting.post.idom[b];
        if (plan->blocks[b].ipdom != SL_NO_NODE)
            continue;
        whole = false;
        plan->obstacle = b;
    }
    free(before);
    return whole;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static struct sl_vector_loop *loop_at(struct sl_vector_plan *plan, uint32_t header)
{
    for (uint32_t l = 0; l < plan->loop_count; l++)
        if (plan->loops[l].header == header)
            return &plan->loops[l];
    plan->loops = sl_ir_resize(plan->loops, plan->loop_count + 1, sizeof *plan->loops);
    struct sl_vector_loop *loop = &plan->loops[plan->loop_count++];
    *loop = (struct sl_vector_loop){.header = header};
    loop->blocks = sl_ir_alloc(plan->words, sizeof *loop->blocks);
    sl_bits_add(loop->blocks, header);
    return loop;
}

static void collect_loop(struct sl_vector_plan *plan, struct sl_vector_loop *loop, uint32_t latch)
{
    uint32_t *stack = sl_ir_alloc(plan->count + 1, sizeof *stack), depth = 0;
    if (!sl_bits_has(loop->blocks, latch))
        stack[depth++] = latch;
    sl_bits_add(loop->blocks, latch);
    while (depth) {
        const struct sl_vector_block *block = &plan->blocks[stack[--depth]];
        for (uint32_t i = 0; i < block->in_count; i++) {
            uint32_t from = plan->edges[block->in[i]].from;
            if (sl_bits_has(loop->blocks, from))
                continue;
            sl_bits_add(loop->blocks, from);
            stack[depth++] = from;
        }
    }
    free(stack);
}

static bool find_loops(struct sl_vector_plan *plan)
{
    for (uint32_t h = 0; h < plan->count; h++)
        for (uint32_t i = 0; i < plan->blocks[h].in_count; i++) {
            uint32_t from = plan->edges[plan->blocks[h].in[i]].from;
            if (from < h)
                continue;
            if (!dominates(plan, h, from)) {
                plan->obstacle = from;
                return false;
            }
            collect_loop(plan, loop_at(plan, h), from);
        }
    for (uint32_t l = 0; l < plan->loop_count; l++) {
        plan->loops[l].parent = plan->blocks[plan->loops[l].header].loop;
        for (uint32_t b = 0; b < plan->count; b++)
            if (sl_bits_has(plan->loops[l].blocks, b))
                plan->blocks[b].loop = l + 1;
    }
    return true;
}

bool sl_vector_loop_has(const struct sl_vector_plan *plan, uint32_t loop, uint32_t block)
{
    return block < plan->count && sl_bits_has(plan->loops[loop - 1].blocks, block);
}

/* ---- divergence ------------------------------------------------------------------------------ */

bool sl_vector_plan_diverge(struct sl_vector_plan *plan, uint32_t b)
{
    struct sl_vector_block *block = &plan->blocks[b];
    if (block->divergent || block->out_count < 2)
        return false;
    block->divergent = true;
    block->influence = sl_ir_alloc(plan->words, sizeof *block->influence);
    sl_divergence_follow(&plan->parting, b);
    for (uint32_t j = 0; j <= plan->count; j++) {
        if (sl_divergence_passes(&plan->parting, j))
            sl_bits_add(block->influence, j);
        if (sl_divergence_joins(&plan->parting, j))
            sl_bits_add(plan->joins, j);
    }
    for (uint32_t l = block->loop; l; l = plan->loops[l - 1].parent)
        if (sl_bits_has(block->influence, plan->loops[l - 1].header))
            plan->loops[l - 1].divergent = true;
    return true;
}

bool sl_vector_may_pass_by(const struct sl_vector_plan *plan, uint32_t block)
{
    for (uint32_t b = 0; b < plan->count; b++)
        if (plan->blocks[b].divergent && sl_bits_has(plan->blocks[b].influence, block))
            return true;
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

int sl_vector_plan_init(struct sl_vector_plan *plan, LLVMBasicBlockRef *blocks, uint32_t count,
                        sl_vector_inside_fn inside, void *data)
{
    *plan = (struct sl_vector_plan){0};
    struct walk w = {.plan = plan, .inside = inside, .data = data};
    w.order = sl_ir_alloc(count, sizeof(*w.order));
    number_blocks(&w, blocks[0], count);
    plan->count = w.count;
    plan->words = sl_bits_words(plan->count + 1);
    plan->blocks = sl_ir_alloc(plan->count, sizeof *plan->blocks);
    plan->joins = sl_ir_alloc(plan->words, sizeof *plan->joins);
    for (uint32_t b = 0; b < plan->count; b++) {
        plan->blocks[b].ref = w.order[plan->count - 1 - b];
        sl_map_set(&plan->numbers, plan->blocks[b].ref, (void *)(uintptr_t)(b + 1));
    }
    free(w.order);
    connect(&w);
    return find_dominators(plan) && find_loops(plan) ? 0 : -1;
}

LLVMValueRef sl_vector_plan_obstacle(const struct sl_vector_plan *plan)
{
    return LLVMGetBasicBlockTerminator(plan->blocks[plan->obstacle].ref);
}

void sl_vector_plan_finish(struct sl_vector_plan *plan)
{
    for (uint32_t b = 0; b < plan->count; b++) {
        free(plan->blocks[b].out);
        free(plan->blocks[b].in);
        free(plan->blocks[b].influence);
    }
    for (uint32_t l = 0; l < plan->loop_count; l++)
        free(plan->loops[l].blocks);
    free(plan->blocks);
    free(plan->edges);
    free(plan->loops);
    free(plan->joins);
    sl_map_finish(&plan->numbers);
    sl_divergence_finish(&plan->parting);
    *plan = (struct sl_vector_plan){0};
}
