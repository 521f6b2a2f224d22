/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a random design as OpenCL C: what it declares, and the loops of its kernels. */
#include "graph.h"

/* ---- declarations ---------------------------------------------------------------------------- */

static void declare_link(const struct graph_link *link, uint32_t number, uint32_t at,
                         struct text *source)
{
    if (link->via == VIA_ARGUMENT || (link->array && link->array_first != at))
        return;
    text_add(source, "%s %s g%u_c%u", link->via == VIA_CHANNEL ? "channel" : "pipe",
             packet_name(link->type), number, at);
    if (link->array)
        text_add(source, "[%u]", link->array);
    if (link->depth)
        text_add(source, " __attribute__((depth(%u)))", link->depth);
    /* one that polls at either end never waits by itself */
    if (link->via == VIA_PIPE && !link->polling_write && !link->polling_read)
        text_add(source, " __attribute__((blocking))");
    text_add(source, ";\n");
}

static int uses(const struct graph_process *plan, uint32_t link, int write)
{
    for (uint32_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i].link == link && plan->ops[i].write == write)
            return 1;
    return 0;
}

uint32_t graph_arguments(const struct graph *graph, uint32_t process, uint32_t links[MOST_OPS],
                         int write[MOST_OPS])
{
    uint32_t count = 0;
    for (uint32_t link = 0; link < graph->link_count; link++)
        for (int end = 1; graph->links[link].via == VIA_ARGUMENT && end >= 0; end--)
            if (uses(&graph->processes[process], link, end)) {
                links[count] = link;
                write[count++] = end;
            }
    return count;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void section(const struct graph *graph, uint32_t number, uint32_t process,
                    enum graph_section which, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    for (uint32_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i].section == which)
            graph_operation(graph, number, process, i, to);
}

/* The operations of a round as the states of a machine that takes one step after the other. */
static void states(const struct graph *graph, uint32_t number, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    uint32_t state = 0;
    text_add(to, "    switch (state) {\n");
    for (uint32_t i = 0; i < plan->op_count; i++) {
        if (plan->ops[i].section != SECTION_ROUNDS)
            continue;
        text_add(to, "    case %u:\n", state++);
        graph_operation(graph, number, process, i, to);
        text_add(to, "    state = %u; break;\n", state);
    }
    text_add(to, "    default: state = 0; r++;\n    }\n");
}

/* Around the operations of a round. %s: the condition to go on. */
static const struct {
    const char *begin, *end;
} loops[LOOP_COUNT] = {
    [LOOP_FOR] = {"    for (; %s; r++) {\n", "    }\n"},
    [LOOP_WHILE] = {"    while (%s) {\n", "    r++;\n    }\n"},
    [LOOP_BREAK] = {"    for (;;) {\n    if (!(%s)) break;\n", "    ++r;\n    }\n"},
    [LOOP_STATES] = {"    uint state = 0;\n    while (%s) {\n", "    }\n"},
};

/* What people write in front of loops; values do not depend on it. Half of the loops have none. */
static void hint(const struct graph_process *plan, struct text *to)
{
    static const char *const words[] = {"ivdep",
                                        "ii 1",
                                        "max_concurrency 2",
                                        "loop_coalesce",
                                        "speculated_iterations 0",
                                        "nofusion",
                                        "disable_loop_pipelining",
                                        "unroll 2"};
    const uint32_t draw = plan->seed >> 8, count = sizeof words / sizeof *words;
    if (draw % 2)
        text_add(to, "    #pragma %s\n", words[draw / 2 % count]);
}

static void rounds(const struct graph *graph, uint32_t number, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    if (plan->loop != LOOP_STATES)
        hint(plan, to);
    text_add(to, loops[plan->loop].begin, plan->runs == RUNS_FOR_EVER ? "true" : "r < first + n");
    if (plan->loop == LOOP_STATES)
        states(graph, number, process, to);
    else
        section(graph, number, process, SECTION_ROUNDS, to);
    text_add(to, "%s", loops[plan->loop].end);
}

int graph_is_bounded(const struct graph_process *plan)
{
    for (uint32_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i].bounds && !plan->ops[i].write)
            return 1;
    return 0;
}

static void parameters(const struct graph *graph, uint32_t process, struct text *to)
{
    uint32_t links[MOST_OPS];
    int write[MOST_OPS];
    uint32_t count = graph_arguments(graph, process, links, write);
    text_add(to, "global uint *o, uint at");
    for (uint32_t i = 0; i < count; i++) {
        text_add(to, ", ");
        graph_pipe_parameter(graph, links[i], write[i], to);
    }
}

static void head(const struct graph *graph, uint32_t number, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    graph_attributes(plan, to);
    text_add(to, "kernel void g%u_k%u(", number, process);
    if (graph_is_launched(plan))
        parameters(graph, process, to);
    text_add(to, ") {\n    uint s = %uu", plan->seed);
    if (plan->items > 1)
        text_add(to, " + (uint)get_global_id(0) * 7919u");
    if (plan->units > 1)
        text_add(to, " + get_compute_id(0) * 7919u");
    text_add(to, ", n = %uu, first = ", graph_is_bounded(plan) ? 0 : plan->rounds);
    if (plan->items > 1)
        text_add(to, "(uint)get_global_id(0) * %uu, r = first;\n", plan->rounds);
    else
        text_add(to, "0, r = 0;\n");
}

/* Without a loop where there is one round. */
static void kernel(const struct graph *graph, uint32_t number, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    graph_declare_helpers(graph, number, process, to);
    head(graph, number, process, to);
    section(graph, number, process, SECTION_BEFORE, to);
    if (plan->rounds == 1 && plan->runs != RUNS_FOR_EVER && !graph_is_bounded(plan))
        section(graph, number, process, SECTION_ROUNDS, to);
    else
        rounds(graph, number, process, to);
    section(graph, number, process, SECTION_BEHIND, to);
    if (graph_is_launched(plan))
        text_add(to, "    o[at%s] = s;\n", plan->items > 1 ? " + (uint)get_global_id(0)" : "");
    text_add(to, "}\n");
}

void graph_declare(const struct graph *graph, uint32_t number, struct text *source)
{
    packet_declare_all(source);
    text_add(source, "#define NEXT(s) ((s) * 1664525u + 1013904223u)\n"
                     "#define MIX(s, v) (((s) ^ (v)) * 2654435761u + 40503u)\n"
                     "#define VALUE(s) ((s) ^ (s) >> 15)\n#define TIMES(s) (((s) >> 20) %% 5)\n");
    graph_declare_picks(source);
    for (uint32_t i = 0; i < graph->link_count; i++)
        declare_link(&graph->links[i], number, i, source);
    for (uint32_t i = 0; i < graph->process_count; i++)
        if (!graph->processes[i].unit)
            kernel(graph, number, i, source);
}
