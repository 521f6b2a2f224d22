/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Nodes are taken in their order, each behind all that it comes behind. Edges from
 * a node that went lead from the one that makes it late instead. Of several edges those go that
 * others are behind which say as much: a few steps back are looked at. Whoever has one edge left,
 * goes.
 */
#include "report/times_settle.h"

#include <stdbool.h>
#include <stdlib.h>

#define NONE SL_TIMES_NOWHERE

enum { MOST_COMPARED = 8, MOST_STEPS = 4 };

struct in { /* late as much as `from` is, but for the slack */
    uint32_t from;
    int32_t slack;
};

struct settler {
    const struct sl_times_graph *graph;
    const struct sl_times_node *nodes;
    const unsigned char *stay;
    uint32_t *first;            /* owned, as all of these; count + 2: where edges to a node begin */
    struct in *in, *late_by;    /* late_by: of each node, with the new numbers */
    uint32_t *kept_first, *old; /* of the new nodes; old: their numbers so far */
    struct in *kept;
    uint32_t count, kept_count;
    struct in *row; /* has room for the edges to one node */
};

/* Edges to a node instead of from it. */
static bool turn(struct settler *s)
{
    const struct sl_times_graph *g = s->graph;
    uint32_t most = 0;
    for (uint32_t e = 0; e < g->first[g->count]; e++)
        if (g->edges[e].to < g->count)
            s->first[g->edges[e].to + 2]++;
    for (uint32_t i = 0; i < g->count; i++) {
        most = s->first[i + 2] > most ? s->first[i + 2] : most;
        s->first[i + 2] += s->first[i + 1];
    }
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            if (g->edges[e].to < g->count)
                s->in[s->first[g->edges[e].to + 1]++] = (struct in){i, g->edges[e].slack};
    s->row = malloc((most + (size_t)1) * sizeof *s->row);
    return s->row != NULL;
}

/* There is a way from `from` to `to` with no more slack than that. */
static bool leads(const struct settler *s, uint32_t from, uint32_t to, int64_t slack, int steps)
{
    for (uint32_t e = s->kept_first[to]; e < s->kept_first[to + 1]; e++) {
        const struct in *in = &s->kept[e];
        if (in->slack > slack || in->from < from)
            continue;
        if (in->from == from || (steps && leads(s, from, in->from, slack - in->slack, steps - 1)))
            return true;
    }
    return false;
}

/* One from the same node with less slack stays alone. */
static uint32_t add(struct settler *s, uint32_t count, struct in in)
{
    for (uint32_t i = 0; i < count && i < MOST_COMPARED; i++)
        if (s->row[i].from == in.from) {
            s->row[i].slack = in.slack < s->row[i].slack ? in.slack : s->row[i].slack;
            return count;
        }
    s->row[count] = in;
    return count + 1;
}

/* In new numbers; none that never makes it late. */
static uint32_t gather(struct settler *s, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t e = s->first[node]; e < s->first[node + 1]; e++) {
        const struct in by = s->late_by[s->in[e].from];
        const int64_t slack = (int64_t)by.slack + s->in[e].slack;
        if (by.from != NONE && slack <= s->nodes[s->old[by.from]].spare)
            count = add(s, count, (struct in){by.from, (int32_t)slack});
    }
    return count;
}

static uint32_t drop_implied(struct settler *s, uint32_t count)
{
    for (uint32_t i = 0; count > 1 && count <= MOST_COMPARED && i < count;) {
        bool implied = false;
        for (uint32_t j = 0; j < count && !implied; j++)
            implied = s->row[j].from > s->row[i].from &&
                      leads(s, s->row[i].from, s->row[j].from,
                            (int64_t)s->row[i].slack - s->row[j].slack, MOST_STEPS);
        if (implied)
            s->row[i] = s->row[--count];
        else
            i++;
    }
    return count;
}

static void settle(struct settler *s, uint32_t node)
{
    const uint32_t count = drop_implied(s, gather(s, node));
    if (s->stay[node] == SL_TIMES_GOES && count < 2) {
        s->late_by[node] = count ? s->row[0] : (struct in){NONE, 0};
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        s->kept[s->kept_count++] = s->row[i];
    s->late_by[node] = (struct in){s->count, 0};
    s->old[s->count++] = node;
    s->kept_first[s->count] = s->kept_count;
}

/* Edges from a node again, and what else stays has behind them. */
static int turn_back(const struct settler *s, struct sl_times_graph *out)
{
    uint32_t *first = calloc(s->count + (size_t)2, sizeof *first);
    struct sl_times_edge *edges = malloc((s->kept_count + s->count + (size_t)1) * sizeof *edges);
    if (!first || !edges) {
        free(first);
        free(edges);
        return -1;
    }
    for (uint32_t e = 0; e < s->kept_count; e++)
        first[s->kept[e].from + 2]++;
    for (uint32_t i = 0; i < s->count; i++) {
        first[i + 2] += s->stay[s->old[i]] == SL_TIMES_STAYS_WITH_EDGE;
        first[i + 2] += first[i + 1];
    }
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t e = s->kept_first[i]; e < s->kept_first[i + 1]; e++)
            edges[first[s->kept[e].from + 1]++] =
                (struct sl_times_edge){.to = i, .slack = s->kept[e].slack};
    for (uint32_t i = 0; i < s->count; i++)
        if (s->stay[s->old[i]] == SL_TIMES_STAYS_WITH_EDGE)
            edges[first[i + 1]++] = (struct sl_times_edge){.to = s->count, .slack = INT32_MAX};
    *out = (struct sl_times_graph){.count = s->count, .first = first, .edges = edges};
    return 0;
}

int sl_times_settle_graph(struct sl_times_graph *graph, const struct sl_times_node *nodes,
                          const unsigned char *stay, uint32_t *numbers)
{
    const size_t count = graph->count + (size_t)1, edges = graph->first[graph->count] + (size_t)1;
    struct sl_times_graph settled = {0};
    struct settler s = {.graph = graph,
                        .nodes = nodes,
                        .stay = stay,
                        .first = calloc(count + 1, sizeof *s.first),
                        .in = malloc(edges * sizeof *s.in),
                        .late_by = malloc(count * sizeof *s.late_by),
                        .kept_first = calloc(count, sizeof *s.kept_first),
                        .old = malloc(count * sizeof *s.old),
                        .kept = malloc(edges * sizeof *s.kept)};
    int rc = s.first && s.in && s.late_by && s.kept_first && s.old && s.kept && turn(&s) ? 0 : -1;
    for (uint32_t i = 0; !rc && i < graph->count; i++)
        settle(&s, i);
    rc = rc ? rc : turn_back(&s, &settled);
    for (uint32_t i = 0; !rc && i < graph->count; i++)
        numbers[i] = NONE;
    for (uint32_t i = 0; !rc && i < s.count; i++)
        numbers[s.old[i]] = i;
    if (!rc) {
        sl_times_graph_finish(graph);
        *graph = settled;
    }
    free(s.first);
    free(s.in);
    free(s.late_by);
    free(s.kept_first);
    free(s.old);
    free(s.kept);
    free(s.row);
    return rc;
}
