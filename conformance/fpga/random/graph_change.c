/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to designs that are complete: see graph_make.h. */
#include "graph_make.h"

#include <string.h>

/* ---- autorun --------------------------------------------------------------------------------- */

static int covers(const struct graph_op *op, uint32_t link)
{
    return link >= op->link && link < op->link + op->span;
}

/* Is the other end of the operation in a process that comes to an end? */
static int ends_elsewhere(const struct graph *graph, uint32_t which, const struct graph_op *op)
{
    for (uint32_t i = 0; i < graph->process_count; i++)
        for (uint32_t k = 0; k < graph->processes[i].op_count; k++) {
            const struct graph_op *other = &graph->processes[i].ops[k];
            if (other->write == op->write || !covers(other, op->link))
                continue;
            if (i == which || !graph_is_launched(&graph->processes[i]))
                return 0;
        }
    return 1;
}

/* Its endless rounds must come to rest: one unconditional operation whose other end is elsewhere.
 * All elements of an array are at an end together, or the first one is. */
static int may_run_for_ever(const struct graph *graph, uint32_t which)
{
    const struct graph_process *process = &graph->processes[which];
    int rests = 0;
    for (uint32_t i = 0; i < process->op_count; i++) {
        const struct graph_op *op = &process->ops[i];
        if (graph->links[op->link].via == VIA_ARGUMENT)
            return 0;
        rests |= op->section == SECTION_ROUNDS && op->every == 1 && op->times > 0 &&
                 op->span == 1 && ends_elsewhere(graph, which, op);
    }
    return rests && process->items == 1 && graph_is_launched(process);
}

static int has_behind(const struct graph_process *process)
{
    return process->op_count && process->ops[process->op_count - 1].section == SECTION_BEHIND;
}

void graph_make_autorun(struct graph *graph, struct graph_random *random)
{
    uint32_t which = draw_below(random, graph->process_count);
    struct graph_process *process = &graph->processes[which];
    if (!draw_chance(random, 45) || !may_run_for_ever(graph, which))
        return;
    process->runs = has_behind(process) || draw_chance(random, 40) ? RUNS_AND_AGAIN : RUNS_FOR_EVER;
}

/* ---- room ------------------------------------------------------------------------------------ */

void graph_widen(struct graph *graph, struct graph_random *random)
{
    enum { MUCH = 64 };
    struct graph_result result;
    graph_interpret(graph, DEPTHS_STRICT, &result);
    if (!graph_blocks(&result) || draw_chance(random, 33))
        return;
    for (uint32_t i = 0; i < graph->link_count; i++)
        graph->links[i].depth = MUCH;
}

/* ---- damage ---------------------------------------------------------------------------------- */

void graph_damage(struct graph *graph, struct graph_random *random)
{
    struct graph_process *process = &graph->processes[draw_below(random, graph->process_count)];
    if (!process->op_count || !graph_is_launched(process))
        return;
    uint32_t which = draw_below(random, process->op_count);
    struct graph_op *op = &process->ops[which];
    if (op->bounds)
        return;
    switch (draw_below(random, 4)) {
    case 0:
        memmove(op, op + 1, (--process->op_count - which) * sizeof *op);
        break;
    case 1:
        if (op->times)
            op->times += 1 + draw_below(random, 3);
        break;
    case 2:
        process->rounds += 1 + draw_below(random, 3);
        break;
    default:
        op->every += op->section == SECTION_ROUNDS;
        break;
    }
}

/* ---- polling --------------------------------------------------------------------------------- */

/* Autorun kernels have no end: one that polls would never come to rest. */
static int used_by_autorun(const struct graph *graph, uint32_t link)
{
    for (uint32_t i = 0; i < graph->process_count; i++)
        for (uint32_t k = 0; k < graph->processes[i].op_count; k++)
            if (!graph_is_launched(&graph->processes[i]) &&
                covers(&graph->processes[i].ops[k], link))
                return 1;
    return 0;
}

/* The elements of an array are used by the same lines. */
static int array_used_by_autorun(const struct graph *graph, uint32_t first)
{
    int used = 0;
    for (uint32_t i = first; i < graph->link_count; i++)
        used |= graph->links[i].array_first == first && used_by_autorun(graph, i);
    return used;
}

/* A design that never deadlocks keeps its meaning when ends poll. */
void graph_make_pollers(struct graph *graph, struct graph_random *random)
{
    struct graph_result result;
    graph_interpret(graph, DEPTHS_STRICT, &result);
    if (graph_blocks(&result))
        return;
    for (uint32_t i = 0; i < graph->link_count; i++) {
        struct graph_link *link = &graph->links[i], *first = &graph->links[link->array_first];
        if (link != first) {
            link->polling_write = first->polling_write;
            link->polling_read = first->polling_read;
        } else if (!array_used_by_autorun(graph, i)) {
            link->polling_write = draw_chance(random, 20);
            link->polling_read = draw_chance(random, 20);
        }
    }
}
