/* SPDX-License-Identifier: Apache-2.0 */
/* Kosaraju's two walks, which find cycles in the order of the graph; then that order is cut. */
#include "fpga/cluster/partition.h"

#include <stdlib.h>

/* Rows of all arrays are nodes, or groups: sets of nodes that cycles join, in the order of data. */
struct walk {
    const struct sl_partition *graph;
    uint32_t *first, *next[2]; /* edges of a node, by direction: from, to; UINT32_MAX ends */
    uint32_t *stack, *at;      /* of nodes; the edge that each is at */
    uint32_t *finished;        /* nodes, in that order */
    uint32_t *group;           /* of a node; UINT32_MAX: not seen */
    uint64_t *load;            /* of a group */
    uint32_t groups;
};

static uint32_t end_of(const struct walk *w, uint32_t edge, unsigned backwards)
{
    const struct sl_partition_edge *e = &w->graph->edges[edge];
    return backwards ? e->from : e->to;
}

static void link_edges(struct walk *w, unsigned backwards)
{
    const struct sl_partition *graph = w->graph;
    for (uint32_t i = 0; i < graph->count; i++)
        w->first[i] = UINT32_MAX;
    for (uint32_t e = graph->edge_count; e-- > 0;) { /* so that the first one comes first */
        uint32_t node = end_of(w, e, !backwards);
        w->next[backwards][e] = w->first[node];
        w->first[node] = e;
    }
}

/* All that can be reached from the node and was not seen gets the group; *finished: how many nodes
 * are through. */
static void visit(struct walk *w, uint32_t node, uint32_t group, unsigned backwards,
                  uint32_t *finished)
{
    uint32_t depth = 0;
    w->stack[depth++] = node;
    w->group[node] = group;
    w->at[node] = w->first[node];
    while (depth) {
        uint32_t n = w->stack[depth - 1], e = w->at[n];
        if (e == UINT32_MAX) {
            if (!backwards)
                w->finished[(*finished)++] = n;
            depth--;
            continue;
        }
        w->at[n] = w->next[backwards][e];
        uint32_t to = end_of(w, e, backwards);
        if (w->group[to] != UINT32_MAX)
            continue;
        w->group[to] = group;
        w->at[to] = w->first[to];
        w->stack[depth++] = to;
    }
}

static void forget(struct walk *w)
{
    for (uint32_t i = 0; i < w->graph->count; i++)
        w->group[i] = UINT32_MAX;
}

static void find_groups(struct walk *w)
{
    uint32_t count = w->graph->count, finished = 0;
    link_edges(w, 0);
    forget(w);
    for (uint32_t i = count; i-- > 0;) /* so that the first node comes first in the end */
        if (w->group[i] == UINT32_MAX)
            visit(w, i, 0, 0, &finished);
    link_edges(w, 1);
    forget(w);
    for (uint32_t i = count; i-- > 0;) {
        if (w->group[w->finished[i]] == UINT32_MAX)
            visit(w, w->finished[i], w->groups++, 1, &finished);
    }
    for (uint32_t i = 0; i < count; i++)
        w->load[w->group[i]] += w->graph->load[i];
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* How many parts there are when none may have more than `most`; part_of: by group, or NULL. */
static uint32_t fill(const struct walk *w, uint64_t most, uint32_t *part_of)
{
    uint32_t parts = 1;
    uint64_t sum = 0;
    for (uint32_t g = 0; g < w->groups; g++) {
        if (sum + w->load[g] > most && sum) {
            parts++;
            sum = 0;
        }
        sum += w->load[g];
        if (part_of)
            part_of[g] = parts - 1;
    }
    return parts;
}

static uint64_t least_most(const struct walk *w, uint32_t parts)
{
    uint64_t low = 0, high = 0;
    for (uint32_t g = 0; g < w->groups; g++) {
        low = w->load[g] > low ? w->load[g] : low;
        high += w->load[g];
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (fill(w, middle, NULL) <= parts)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool weigh(struct sl_partition *graph, uint32_t parts)
{
    uint64_t *load = calloc(parts, sizeof *load), *packets = calloc(parts, sizeof *packets);
    bool room = load && packets;
    for (uint32_t i = 0; room && i < graph->count; i++)
        load[graph->part[i]] += graph->load[i];
    for (uint32_t i = 0; room && i < graph->edge_count; i++) {
        const struct sl_partition_edge *e = &graph->edges[i];
        if (graph->part[e->from] == graph->part[e->to])
            continue;
        packets[graph->part[e->from]] += e->packets;
        packets[graph->part[e->to]] += e->packets;
    }
    graph->most = graph->crossing = 0;
    for (uint32_t p = 0; room && p < parts; p++) {
        uint64_t sum = load[p] + packets[p] * graph->packet_load;
        graph->most = sum > graph->most ? sum : graph->most;
        graph->crossing = packets[p] > graph->crossing ? packets[p] : graph->crossing;
    }
    free(load);
    free(packets);
    return room;
}

static uint32_t divide(struct walk *w, struct sl_partition *graph, uint32_t parts)
{
    find_groups(w);
    uint32_t used = fill(w, least_most(w, parts), w->stack);
    for (uint32_t i = 0; i < graph->count; i++)
        graph->part[i] = w->stack[w->group[i]];
    return weigh(graph, used) ? used : 0;
}

uint32_t sl_partition(struct sl_partition *graph, uint32_t parts)
{
    uint32_t n = graph->count + 1, e = graph->edge_count + 1;
    struct walk w = {.graph = graph,
                     .first = malloc(n * sizeof(uint32_t)),
                     .next = {malloc(e * sizeof(uint32_t)), malloc(e * sizeof(uint32_t))},
                     .stack = malloc(n * sizeof(uint32_t)),
                     .at = malloc(n * sizeof(uint32_t)),
                     .finished = malloc(n * sizeof(uint32_t)),
                     .group = malloc(n * sizeof(uint32_t)),
                     .load = calloc(n, sizeof(uint64_t))};
    uint32_t used = 0;
    if (w.first && w.next[0] && w.next[1] && w.stack && w.at && w.finished && w.group && w.load)
        used = divide(&w, graph, parts);
    free(w.first);
    free(w.next[0]);
    free(w.next[1]);
    free(w.stack);
    free(w.at);
    free(w.finished);
    free(w.group);
    free(w.load);
    return used;
}
