/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a vector form of this control flow? No shared state. */
#include "vector/analysis/flow_check.h"

#include "ir/bits.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/scope.h"
#include "vector/analysis/shape.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 64 /* of looking anew at a region, which may be large */

/* ---- is there a vector form? ----------------------------------------------------------------- */

/* Each masked block belongs to one sequence, and each sequence ends in one place. */
static bool check_sequence(const struct sl_scope *s, uint32_t root, const uint32_t *roots,
                           uint32_t count, uint32_t *owner, uint32_t id)
{
    const struct sl_vector_plan *plan = s->plan;
    bool *sequence = sl_ir_alloc(plan->count, sizeof *sequence), fine = true;
    uint32_t target = UINT32_MAX;
    sl_scope_find_sequence(s, roots, count, sequence);
    for (uint32_t b = 0; b < plan->count; b++) {
        fine &= !sequence[b] || !owner[b];
        if (sequence[b])
            owner[b] = id;
    }
    for (uint32_t e = 0; e < plan->edge_count && fine; e++) {
        const struct sl_vector_edge *edge = &plan->edges[e];
        bool inside = sequence[edge->from] || (edge->from == root && plan->blocks[root].divergent);
        if (!inside || (edge->to < plan->count && sequence[edge->to]))
            continue;
        fine &= target == UINT32_MAX || target == edge->to;
        fine &= sl_scope_has(s, edge->to) || (!s->loop && edge->to == plan->count);
        target = edge->to;
    }
    free(sequence);
    return fine;
}

/* *root: where it fails. */
static bool check_scope(struct sl_scope *s, uint32_t *root)
{
    const struct sl_vector_plan *plan = s->plan;
    uint32_t *owner = sl_ir_alloc(plan->count, sizeof *owner), id = 0;
    sl_scope_find_masked(s);
    bool fine = s->loop || !sl_scope_is_masked(s, 0);
    for (uint32_t b = 0; b < plan->count && fine; b++) {
        const struct sl_vector_block *block = &plan->blocks[b];
        if (!sl_scope_has(s, b) || sl_scope_is_masked(s, b))
            continue;
        if (block->divergent)
            fine &= check_sequence(s, b, block->out, block->out_count, owner, ++id);
        else
            for (uint32_t k = 0; k < block->out_count; k++) {
                uint32_t to = plan->edges[block->out[k]].to;
                if (sl_scope_has(s, to) && sl_scope_is_masked(s, to))
                    fine &= check_sequence(s, b, &block->out[k], 1, owner, ++id);
            }
        *root = b;
    }
    free(owner);
    free(s->masked);
    return fine;
}

static bool check(struct sl_vector_facts *v, uint32_t *root, uint32_t *loop)
{
    struct sl_scope scope = {.plan = &v->plan};
    *root = *loop = 0;
    bool fine = check_scope(&scope, root);
    for (uint32_t l = 0; l < v->plan.loop_count && fine; l++)
        if (!v->plan.loops[l].divergent) {
            scope = (struct sl_scope){.plan = &v->plan, .loop = *loop = l + 1};
            fine = check_scope(&scope, root);
        }
    return fine;
}

/* ---- a form where all is masked -------------------------------------------------------------- */

static bool leaves_loop(const struct sl_vector_plan *plan, uint32_t b)
{
    const struct sl_vector_block *block = &plan->blocks[b];
    for (uint32_t s = 0; s < block->out_count && block->loop; s++)
        if (!sl_vector_loop_has(plan, block->loop, plan->edges[block->out[s]].to))
            return true;
    return false;
}

/* The nearest branch before `root`, or its own, on which lanes agree becomes one where they part:
 * then what it leads to is masked too. */
static bool mask_more(struct sl_vector_plan *plan, uint32_t root, uint32_t loop)
{
    uint32_t first = loop ? plan->loops[loop - 1].header : 0;
    for (uint32_t b = root;; b = plan->blocks[b].idom) {
        if (!leaves_loop(plan, b) && sl_vector_plan_diverge(plan, b))
            return true;
        if (b == first)
            return false;
    }
}

bool sl_vector_settle_flow(struct sl_vector_facts *v)
{
    uint32_t root, loop, rounds = 0;
    while (!check(v, &root, &loop)) {
        if (++rounds > MOST_ROUNDS || !mask_more(&v->plan, root, loop)) {
            v->plan.obstacle = root;
            return false;
        }
        sl_vector_find_shapes(v);
    }
    return true;
}
