/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Edges are found in any order, and put in that of the nodes that they lead from.
 */
#include "report/times_graph.h"

#include <stdlib.h>
#include <string.h>

#include "report/times_past.h"

#define NONE UINT32_MAX

enum { READ, WRITE, ENDS };

struct edge {
    uint32_t from, to, distance;
};

struct chain { /* of a run: the rows of the log that it begins and ends with; NONE: none so far */
    uint32_t begin, finish;
    uint32_t *nodes; /* in `nodes`; of its events */
    uint32_t count;
    uint64_t nominal; /* of the last one, and one more */
};

struct end {              /* of a pipe */
    uint32_t last, count; /* last: the operation */
    uint64_t nominal;     /* and in which cycle of its run */
    uint32_t *packets;    /* in `nodes`; the operations that moved them; of writes only */
};

struct maker {
    const struct sl_replay_trace *trace;
    const struct sl_replay_log *log;
    struct edge *edges; /* owned, as all of these */
    struct chain *chains;
    struct end (*ends)[ENDS];
    uint32_t *nodes;
    uint64_t *nominals, *horizons; /* of a run's events */
    struct sl_past *past;
    size_t edge_count, edge_room;
    uint32_t *rank_node, rank_count;
    bool wrong; /* no memory, or too far */
};

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_edge(struct maker *m, uint32_t from, uint32_t to, uint64_t distance)
{
    if (from == NONE || m->wrong)
        return;
    m->wrong |= distance > UINT32_MAX;
    if (m->edge_count == m->edge_room) {
        size_t room = m->edge_room ? 2 * m->edge_room : 1024;
        struct edge *grown = realloc(m->edges, room * sizeof *grown);
        m->wrong |= !grown || room > UINT32_MAX;
        if (!grown)
            return;
        m->edges = grown;
        m->edge_room = room;
    }
    m->edges[m->edge_count++] = (struct edge){from, to, (uint32_t)distance};
}

static int sort_edges(const struct maker *m, struct sl_times_graph *g)
{
    g->first = calloc(g->count + (size_t)2, sizeof *g->first);
    g->edges = calloc(m->edge_count + 1, sizeof *g->edges);
    if (!g->first || !g->edges)
        return -1;
    for (size_t e = 0; e < m->edge_count; e++)
        g->first[m->edges[e].from + 2]++;
    for (uint32_t i = 0; i < g->count; i++)
        g->first[i + 2] += g->first[i + 1];
    for (size_t e = 0; e < m->edge_count; e++)
        g->edges[g->first[m->edges[e].from + 1]++] =
            (struct sl_times_edge){.to = m->edges[e].to, .distance = m->edges[e].distance};
    return 0;
}

/* ---- between runs, and at pipes -------------------------------------------------------------- */

static void add_move(struct maker *m, uint32_t node, const struct sl_replay_row *row)
{
    const struct sl_replay_site *site = &m->trace->sites[row->site];
    struct chain *chain = &m->chains[row->run];
    struct end *end = &m->ends[site->pipe][site->write];
    const struct end *written = &m->ends[site->pipe][WRITE];
    const struct sl_replay_pipe *pipe = &m->trace->pipes[site->pipe];
    const struct sl_replay_event *event = &m->trace->runs[row->run].events[chain->count];
    uint64_t nominal = chain->nominal + (uint64_t)(int64_t)event->later - 1;
    chain->nominal = nominal + 1;
    chain->nodes[chain->count++] = node;
    /* One operation a cycle; within a run the schedule has them apart already, but for odd ones. */
    if (end->last != NONE && (m->log->rows[end->last].run != row->run || end->nominal >= nominal))
        add_edge(m, end->last, node, 1);
    end->last = node;
    end->nominal = nominal;
    if (site->fails)
        return;
    if (site->write)
        end->packets[end->count] = node;
    else if (!pipe->outside_writes && end->count < written->count)
        add_edge(m, written->packets[end->count], node, 1);
    if (!site->write && !pipe->outside_reads)
        add_edge(m, node, SL_TIMES_NOWHERE, 0);
    end->count++;
}

/* When a run begins. */
static void add_begin(struct maker *m, uint32_t node, const struct sl_replay_run *run)
{
    if (m->trace->timed && run->behind != SL_REPLAY_NO_RUN)
        add_edge(m, m->chains[run->behind].finish, node, run->since);
    else if (!m->trace->timed && run->starts_after && run->starts_after <= m->rank_count)
        add_edge(m, m->rank_node[run->starts_after - 1], node, 0);
}

static void add_row(struct maker *m, uint32_t node, const struct sl_replay_row *row)
{
    struct chain *chain = &m->chains[row->run];
    switch (row->kind) {
    case SL_REPLAY_BEGINS:
        add_begin(m, node, &m->trace->runs[row->run]);
        chain->begin = node;
        break;
    case SL_REPLAY_MOVES:
        add_move(m, node, row);
        break;
    case SL_REPLAY_FINISHES:
        chain->finish = node;
        break;
    case SL_REPLAY_RANKED:
        if (m->rank_count)
            add_edge(m, m->rank_node[m->rank_count - 1], node, 0);
        add_edge(m, chain->finish, node, 0);
        m->rank_node[m->rank_count++] = node;
        break;
    }
}

/* ---- within a run ---------------------------------------------------------------------------- */

/* The node behind those of the run's past, of which it has this nominal cycle. */
static void add_past(struct maker *m, const struct chain *chain, uint32_t node, uint64_t nominal)
{
    const uint32_t *events;
    uint32_t count = sl_past_find(m->past, nominal, &events);
    if (!count)
        add_edge(m, chain->begin, node, nominal);
    for (uint32_t i = 0; i < count; i++)
        add_edge(m, chain->nodes[events[i]], node, nominal - m->nominals[events[i]]);
}

static void find_nominals(struct maker *m, const struct sl_replay_run *run)
{
    uint64_t nominal = UINT64_MAX, least = UINT64_MAX;
    for (size_t e = 0; e < run->event_count; e++)
        m->nominals[e] = nominal += (uint64_t)(int64_t)run->events[e].later;
    for (size_t e = run->event_count; e-- > 0;) {
        m->horizons[e] = least;
        least = m->nominals[e] < least ? m->nominals[e] : least;
    }
}

/* All of them are over when it is through. */
static void add_finish(struct maker *m, const struct chain *chain, uint64_t through)
{
    const uint32_t *events;
    add_past(m, chain, chain->finish, through);
    uint32_t count = sl_past_latest(m->past, &events);
    for (uint32_t i = 0; i < count; i++)
        add_edge(m, chain->nodes[events[i]], chain->finish, 1);
}

static void add_run(struct maker *m, uint32_t number)
{
    const struct sl_replay_run *run = &m->trace->runs[number];
    const struct chain *chain = &m->chains[number];
    if (chain->begin == NONE || chain->finish == NONE)
        return;
    find_nominals(m, run);
    sl_past_clear(m->past, m->nominals);
    for (uint32_t e = 0; e < chain->count && !m->wrong; e++) {
        add_past(m, chain, chain->nodes[e], m->nominals[e]);
        m->wrong |= !sl_past_add(m->past, e, run->events[e].site, m->horizons[e]);
    }
    add_finish(m, chain, run->through);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static size_t count_events(const struct sl_replay_trace *t, size_t *most)
{
    size_t total = 0;
    *most = 0;
    for (uint32_t i = 0; i < t->run_count; i++) {
        total += t->runs[i].event_count;
        *most = t->runs[i].event_count > *most ? t->runs[i].event_count : *most;
    }
    return total;
}

/* Runs' events first, then those of pipes' ends that write. */
static void share_nodes(struct maker *m, size_t total)
{
    const struct sl_replay_trace *t = m->trace;
    uint32_t *at = m->nodes;
    for (uint32_t i = 0; i < t->run_count; i++) {
        m->chains[i] = (struct chain){.begin = NONE, .finish = NONE, .nodes = at};
        at += t->runs[i].event_count;
    }
    for (uint32_t p = 0; p < t->pipe_count; p++)
        m->ends[p][READ].last = m->ends[p][WRITE].last = NONE;
    for (size_t i = 0; i < m->log->count; i++) {
        const struct sl_replay_row *row = &m->log->rows[i];
        if (row->kind == SL_REPLAY_MOVES && t->sites[row->site].write)
            m->ends[t->sites[row->site].pipe][WRITE].count++;
    }
    at = m->nodes + total;
    for (uint32_t p = 0; p < t->pipe_count; p++) {
        m->ends[p][WRITE].packets = at;
        at += m->ends[p][WRITE].count;
        m->ends[p][WRITE].count = 0;
    }
}

static void finish_maker(struct maker *m)
{
    sl_past_destroy(m->past);
    free(m->edges);
    free(m->chains);
    free(m->ends);
    free(m->nodes);
    free(m->nominals);
    free(m->horizons);
    free(m->rank_node);
}

int sl_times_graph_make(struct sl_times_graph *g, const struct sl_replay_trace *trace,
                        const struct sl_replay_log *log)
{
    size_t most, total = count_events(trace, &most);
    struct maker m = {.trace = trace, .log = log};
    *g = (struct sl_times_graph){.count = (uint32_t)log->count};
    m.chains = calloc(trace->run_count + (size_t)1, sizeof *m.chains);
    m.ends = calloc(trace->pipe_count + (size_t)1, sizeof *m.ends);
    m.nodes = calloc(2 * total + 1, sizeof *m.nodes);
    m.nominals = calloc(most + 1, sizeof *m.nominals);
    m.horizons = calloc(most + 1, sizeof *m.horizons);
    m.rank_node = calloc(trace->run_count + (size_t)1, sizeof *m.rank_node);
    m.past = sl_past_create(trace->site_count);
    m.wrong =
        !m.chains || !m.ends || !m.nodes || !m.nominals || !m.horizons || !m.rank_node || !m.past;
    if (!m.wrong)
        share_nodes(&m, total);
    for (uint32_t i = 0; i < g->count && !m.wrong; i++)
        add_row(&m, i, &log->rows[i]);
    for (uint32_t i = 0; i < trace->run_count && !m.wrong; i++)
        add_run(&m, i);
    int rc = m.wrong ? -1 : sort_edges(&m, g);
    finish_maker(&m);
    return rc;
}

void sl_times_graph_finish(struct sl_times_graph *g)
{
    free(g->first);
    free(g->edges);
    *g = (struct sl_times_graph){0};
}
