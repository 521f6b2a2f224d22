/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. An event comes behind each one that is in front of it in the program and has no
 * later nominal cycle. Of these only the last ones need an edge: those that no other such one is
 * between. All operations of one step of a loop are in order, so for each step it is enough to look
 * at the last one.
 */
#include "report/times_graph.h"

#include <stdlib.h>
#include <string.h>

struct past { /* of a step: its last operations, none of which is behind the horizon but the first
               */
    uint32_t *nodes; /* owned */
    uint32_t first, count, room;
};

struct chain {          /* of a run */
    struct past *steps; /* owned */
    uint32_t step_count;
    uint32_t base; /* behind this node is everything; NONE: the run has not begun */
};

struct maker {
    struct sl_times_graph *graph;
    uint32_t *before, *first; /* owned: edges by the node that they lead to, where a node's begin */
    const struct sl_replay_trace *trace;
    const struct sl_replay_log *log;
    struct chain *chains; /* owned; of each run */
    uint32_t *found;      /* owned; edges of one node */
    uint32_t found_count, found_room, edge_count, edge_room;
    uint32_t *rank_node; /* owned; of each that was ranked, in order */
    uint32_t rank_count;
    bool no_memory;
};

#define NONE UINT32_MAX

/* ---- lists ----------------------------------------------------------------------------------- */

static bool grow(struct maker *m, uint32_t **rows, uint32_t count, uint32_t *room)
{
    if (count < *room)
        return true;
    uint32_t more = *room ? 2 * *room : 16;
    uint32_t *grown = realloc(*rows, more * sizeof *grown);
    m->no_memory |= !grown;
    if (!grown)
        return false;
    *rows = grown;
    *room = more;
    return true;
}

static void find(struct maker *m, uint32_t node)
{
    if (node != NONE && grow(m, &m->found, m->found_count, &m->found_room))
        m->found[m->found_count++] = node;
}

static int by_number_down(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* What was found becomes the node's edges, but for what another one is behind of. */
static void add_edges(struct maker *m, uint32_t node, bool in_run)
{
    const struct sl_replay_row *rows = m->log->rows;
    if (m->found_count > 1)
        qsort(m->found, m->found_count, sizeof *m->found, by_number_down);
    for (uint32_t i = 0; i < m->found_count; i++) {
        uint32_t from = m->found[i];
        uint32_t last = m->edge_count > m->first[node] ? m->before[m->edge_count - 1] : NONE;
        if (in_run && last != NONE && rows[from].nominal <= rows[last].nominal)
            continue;
        if (grow(m, &m->before, m->edge_count, &m->edge_room))
            m->before[m->edge_count++] = from;
    }
    m->found_count = 0;
    m->first[node + 1] = m->edge_count;
}

/* ---- the past of a run ----------------------------------------------------------------------- */

/* The last one that is no later than that cycle. */
static uint32_t last_until(const struct maker *m, const struct past *past, uint64_t nominal)
{
    uint32_t low = 0, high = past->count; /* so many of them are no later: at least, at most */
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (m->log->rows[past->nodes[past->first + middle - 1]].nominal <= nominal)
            low = middle;
        else
            high = middle - 1;
    }
    return low ? past->nodes[past->first + low - 1] : NONE;
}

static void find_past(struct maker *m, struct chain *chain, uint64_t nominal)
{
    find(m, chain->base);
    for (uint32_t s = 0; s < chain->step_count; s++)
        if (chain->steps[s].count)
            find(m, last_until(m, &chain->steps[s], nominal));
}

/* Everything of this run that comes later is behind this node. */
static void begin_anew(struct chain *chain, uint32_t node)
{
    chain->base = node;
    for (uint32_t s = 0; s < chain->step_count; s++)
        chain->steps[s].first = chain->steps[s].count = 0;
}

static bool has_steps(struct maker *m, struct chain *chain, uint32_t count)
{
    if (count <= chain->step_count)
        return true;
    struct past *steps = realloc(chain->steps, count * sizeof *steps);
    m->no_memory |= !steps;
    if (!steps)
        return false;
    memset(steps + chain->step_count, 0, (count - chain->step_count) * sizeof *steps);
    chain->steps = steps;
    chain->step_count = count;
    return true;
}

static void remember(struct maker *m, struct past *past, uint32_t node, uint64_t horizon)
{
    while (past->count > 1 && m->log->rows[past->nodes[past->first + 1]].nominal <= horizon) {
        past->first++;
        past->count--;
    }
    if (past->first > past->count) { /* half of it is no longer needed */
        memmove(past->nodes, past->nodes + past->first, past->count * sizeof *past->nodes);
        past->first = 0;
    }
    if (grow(m, &past->nodes, past->first + past->count, &past->room))
        past->nodes[past->first + past->count++] = node;
}

/* ---- rows of the log ------------------------------------------------------------------------- */

static void add_move(struct maker *m, uint32_t node, const struct sl_replay_row *row)
{
    struct chain *chain = &m->chains[row->run];
    find_past(m, chain, row->nominal);
    add_edges(m, node, true);
    if (m->trace->sites[row->site].loop < 0)
        begin_anew(chain, node);
    else if (has_steps(m, chain, row->step + 1))
        remember(m, &chain->steps[row->step], node, row->horizon);
}

static void add_row(struct maker *m, uint32_t node, const struct sl_replay_row *row)
{
    struct chain *chain = &m->chains[row->run];
    uint32_t after = m->trace->runs[row->run].starts_after;
    switch (row->kind) {
    case SL_REPLAY_BEGINS:
        find(m, after && after <= m->rank_count ? m->rank_node[after - 1] : NONE);
        add_edges(m, node, false);
        begin_anew(chain, node);
        break;
    case SL_REPLAY_ENTERS:
    case SL_REPLAY_FINISHES:
        find_past(m, chain, row->nominal);
        add_edges(m, node, true);
        begin_anew(chain, node);
        break;
    case SL_REPLAY_MOVES:
        add_move(m, node, row);
        break;
    case SL_REPLAY_RANKED:
        find(m, m->rank_count ? m->rank_node[m->rank_count - 1] : NONE);
        find(m, chain->base);
        add_edges(m, node, false);
        m->rank_node[m->rank_count++] = node;
        break;
    }
}

/* ---- the other way round --------------------------------------------------------------------- */

/* Ranks are no part of a run: nothing takes time between them. */
static uint64_t distance(const struct maker *m, uint32_t from, uint32_t to)
{
    const struct sl_replay_row *rows = m->log->rows;
    bool in_run = rows[from].run == rows[to].run && rows[to].kind != SL_REPLAY_RANKED &&
                  rows[to].kind != SL_REPLAY_BEGINS;
    return in_run ? rows[to].nominal - rows[from].nominal : 0;
}

static int turn_edges(struct maker *m)
{
    struct sl_times_graph *g = m->graph;
    g->edges = calloc(m->edge_count + (size_t)1, sizeof *g->edges);
    if (!g->edges)
        return -1;
    for (uint32_t e = 0; e < m->edge_count; e++)
        g->first[m->before[e] + 1]++;
    for (uint32_t i = 0; i < g->count; i++)
        g->first[i + 1] += g->first[i];
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            uint64_t far = distance(m, m->before[e], i);
            if (far > UINT32_MAX)
                return -1;
            g->edges[g->first[m->before[e]]++] = (struct sl_times_edge){i, (uint32_t)far};
        }
    memmove(g->first + 1, g->first, g->count * sizeof *g->first);
    g->first[0] = 0;
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void finish_maker(struct maker *m)
{
    for (uint32_t i = 0; m->chains && i < m->trace->run_count; i++) {
        for (uint32_t s = 0; s < m->chains[i].step_count; s++)
            free(m->chains[i].steps[s].nodes);
        free(m->chains[i].steps);
    }
    free(m->chains);
    free(m->rank_node);
    free(m->found);
    free(m->before);
    free(m->first);
}

int sl_times_graph_make(struct sl_times_graph *g, const struct sl_replay_trace *trace,
                        const struct sl_replay_log *log)
{
    struct maker m = {.graph = g, .trace = trace, .log = log};
    *g = (struct sl_times_graph){.count = (uint32_t)log->count};
    g->first = calloc(g->count + (size_t)2, sizeof *g->first);
    m.first = calloc(g->count + (size_t)2, sizeof *m.first);
    m.chains = calloc(trace->run_count + (size_t)1, sizeof *m.chains);
    m.rank_node = calloc(trace->run_count + (size_t)1, sizeof *m.rank_node);
    m.no_memory = !g->first || !m.first || !m.chains || !m.rank_node;
    for (uint32_t i = 0; !m.no_memory && i < trace->run_count; i++)
        m.chains[i].base = NONE;
    for (uint32_t i = 0; i < g->count && !m.no_memory; i++)
        add_row(&m, i, &log->rows[i]);
    int rc = m.no_memory ? -1 : turn_edges(&m);
    finish_maker(&m);
    return rc;
}

void sl_times_graph_finish(struct sl_times_graph *g)
{
    free(g->first);
    free(g->edges);
}
