/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks of a scope run for some of its lanes only. No shared state. */
#include "vector/analysis/scope.h"

#include "ir/bits.h"
#include "ir/memory.h"
#include "vector/analysis/control_flow.h"

bool sl_scope_has(const struct sl_scope *s, uint32_t b)
{
    return b < s->plan->count && (!s->loop || sl_vector_loop_has(s->plan, s->loop, b));
}

bool sl_scope_is_masked(const struct sl_scope *s, uint32_t b)
{
    return sl_bits_has(s->masked, b);
}

void sl_scope_find_masked(struct sl_scope *s)
{
    const struct sl_vector_plan *plan = s->plan;
    s->masked = sl_ir_alloc(plan->words, sizeof *s->masked);
    for (uint32_t b = 0; b < plan->count; b++) {
        if (!plan->blocks[b].divergent || (s->loop && !sl_vector_loop_has(plan, s->loop, b)))
            continue;
        for (size_t w = 0; w < plan->words; w++)
            s->masked[w] |= plan->blocks[b].influence[w];
    }
}

void sl_scope_find_sequence(const struct sl_scope *s, const uint32_t *edges, uint32_t count,
                            bool *sequence)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = s->plan->edges[edges[k]].to;
        if (!sl_scope_has(s, to) || !sl_scope_is_masked(s, to) || sequence[to])
            continue;
        sequence[to] = true;
        sl_scope_find_sequence(s, s->plan->blocks[to].out, s->plan->blocks[to].out_count, sequence);
    }
}
