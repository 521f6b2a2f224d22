/* SPDX-License-Identifier: Apache-2.0 */
/* Draws how the kernels of a design are written. */
#include "graph.h"

static enum graph_form form_of(const struct graph_op *op, struct graph_random *random)
{
    enum { WRITTEN_OUT = 5 };
    uint32_t drawn = draw_below(random, 100);
    if (op->bounds)
        return FORM_LOOP;
    if (drawn < 30 && op->times && op->times <= WRITTEN_OUT)
        return FORM_TEXT;
    return drawn < 60 ? FORM_LOOP : drawn < 85 ? FORM_HELPER : FORM_NESTED;
}

static void shape_op(struct graph_op *op, struct graph_random *random)
{
    op->form = form_of(op, random);
    op->choice = draw_chance(random, 60) ? CHOICE_INDEX : draw_below(random, CHOICE_COUNT);
    op->spelling = draw_below(random, 1u << 31);
}

/* All compute units are one kernel, written once. */
static void shape_process(struct graph_process *first, struct graph_random *random)
{
    first->loop = draw_below(random, LOOP_COUNT);
    first->attributes = draw_below(random, 1u << 31);
    for (uint32_t i = 0; i < first->op_count; i++)
        shape_op(&first->ops[i], random);
}

void graph_shape(struct graph *graph, struct graph_random *random)
{
    for (uint32_t i = 0; i < graph->process_count; i++)
        if (!graph->processes[i].unit)
            shape_process(&graph->processes[i], random);
}
