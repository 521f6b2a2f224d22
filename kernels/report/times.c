/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A lower depth adds edges from reads to writes, which come later in the log as
 * all edges do: so what changes is found in one sweep from there on, each node once. A try ends as
 * soon as a node is so late that the run cannot end in time: how long the rest takes at least is
 * known from a sweep the other way.
 */
#include "report/times.h"

#include <stdlib.h>
#include <string.h>

#include "report/times_graph.h"

enum { READ, WRITE, ENDS };
#define NONE UINT32_MAX

struct pipe {
    uint32_t *nodes[ENDS]; /* in `memory`; of each packet */
    uint32_t count[ENDS], depth;
};

struct node {
    uint64_t time;         /* when it happens */
    uint64_t rest;         /* from there until all is over, at least */
    uint32_t pipe, number; /* of a read: of which packet; NONE: it is none */
};

struct change {
    uint32_t node;
    uint64_t time; /* that it had */
};

struct sl_times {
    const struct sl_replay_trace *trace;
    struct sl_times_graph graph;
    struct pipe *pipes;
    struct node *nodes;        /* owned, as all of these */
    uint64_t *marked;          /* a bit for each node that is later than those behind it know */
    uint32_t *memory, *finish; /* finish: the last node of each run */
    struct change *changes;
    uint32_t change_count, change_room, first_mark, last_mark;
    uint64_t limit;
    uint64_t wasted; /* steps since `rest` was found, in tries that failed */
};

/* ---- edges ----------------------------------------------------------------------------------- */

/* The write for which this read makes room; NONE: there is none. */
static uint32_t freed(const struct sl_times *t, const struct node *node)
{
    const struct pipe *pipe = &t->pipes[node->pipe];
    uint32_t n = node->number;
    if (t->trace->pipes[node->pipe].outside_reads || n >= pipe->count[WRITE] ||
        pipe->depth >= pipe->count[WRITE] - n)
        return NONE;
    return pipe->nodes[WRITE][n + pipe->depth];
}

/* ---- how long the rest takes ----------------------------------------------------------------- */

static uint64_t needs(const struct sl_times *t, uint32_t node, uint64_t distance, uint64_t rest)
{
    uint64_t own = node == NONE ? 0 : t->nodes[node].rest + distance;
    return own > rest ? own : rest;
}

static void find_rests(struct sl_times *t)
{
    const struct sl_times_graph *g = &t->graph;
    for (uint32_t i = g->count; i-- > 0;) {
        struct node *node = &t->nodes[i];
        uint64_t rest = 0;
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            rest = needs(t, g->edges[e].to, g->edges[e].distance, rest);
        if (node->pipe != NONE)
            rest = needs(t, freed(t, node), 1, rest);
        node->rest = rest;
    }
    t->wasted = 0;
}

/* ---- questions ------------------------------------------------------------------------------- */

uint64_t sl_times_cycles(const struct sl_times *t)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < t->trace->run_count; i++)
        last = t->nodes[t->finish[i]].time > last ? t->nodes[t->finish[i]].time : last;
    return last;
}

uint32_t sl_times_fill(const struct sl_times *t, uint32_t p)
{
    const struct pipe *pipe = &t->pipes[p];
    uint32_t gone = 0, most = 1;
    for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
        while (gone < pipe->count[READ] && gone <= n &&
               t->nodes[pipe->nodes[READ][gone]].time < t->nodes[pipe->nodes[WRITE][n]].time)
            gone++;
        most = n + 1 - gone > most ? n + 1 - gone : most;
    }
    return most;
}

uint32_t sl_times_bound(const struct sl_times *t, uint32_t p, uint64_t limit)
{
    const struct pipe *pipe = &t->pipes[p];
    uint32_t gone = 0, bound = 1;
    for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
        uint64_t rest = t->nodes[pipe->nodes[WRITE][n]].rest,
                 latest = limit > rest ? limit - rest : 0;
        while (gone < pipe->count[READ] && gone <= n &&
               t->nodes[pipe->nodes[READ][gone]].time < latest)
            gone++;
        bound = n + 1 - gone > bound ? n + 1 - gone : bound;
    }
    return bound;
}

/* ---- tries ----------------------------------------------------------------------------------- */

/* False: no memory. */
static bool note_change(struct sl_times *t, uint32_t node)
{
    if (t->change_count == t->change_room) {
        uint32_t room = t->change_room ? 2 * t->change_room : 1024;
        struct change *grown = realloc(t->changes, room * sizeof *grown);
        if (!grown)
            return false;
        t->changes = grown;
        t->change_room = room;
    }
    t->changes[t->change_count++] = (struct change){node, t->nodes[node].time};
    return true;
}

/* It happens no earlier than in this cycle; false: that is too late. */
static bool raise(struct sl_times *t, uint32_t number, uint64_t time)
{
    struct node *node = &t->nodes[number];
    if (time <= node->time)
        return true;
    if (time > t->limit || node->rest > t->limit - time)
        return false;
    uint64_t *word = &t->marked[number / 64], bit = UINT64_C(1) << number % 64;
    if (!(*word & bit) && !note_change(t, number))
        return false;
    *word |= bit;
    node->time = time;
    t->first_mark = number < t->first_mark ? number : t->first_mark;
    t->last_mark = number > t->last_mark ? number : t->last_mark;
    return true;
}

/* What comes behind this node hears of its time. */
static bool pass_on(struct sl_times *t, uint32_t number)
{
    const struct sl_times_graph *g = &t->graph;
    const struct node *node = &t->nodes[number];
    uint64_t time = node->time;
    for (uint32_t e = g->first[number]; e < g->first[number + 1]; e++)
        if (!raise(t, g->edges[e].to, time + g->edges[e].distance))
            return false;
    if (node->pipe == NONE)
        return true;
    uint32_t to = freed(t, node);
    return to == NONE || raise(t, to, time + 1);
}

static bool sweep(struct sl_times *t)
{
    for (uint32_t word = t->first_mark / 64; word <= t->last_mark / 64; word++)
        while (t->marked[word]) {
            uint32_t node = 64 * word + (uint32_t)__builtin_ctzll(t->marked[word]);
            t->marked[word] &= t->marked[word] - 1;
            if (!pass_on(t, node))
                return false;
        }
    return true;
}

/* Writes that now find no room in their cycle; false: one of them would be too late. */
static bool raise_writes(struct sl_times *t, const struct pipe *pipe)
{
    for (uint32_t n = pipe->depth; n < pipe->count[WRITE]; n++)
        if (!raise(t, pipe->nodes[WRITE][n], t->nodes[pipe->nodes[READ][n - pipe->depth]].time + 1))
            return false;
    return true;
}

static void begin(struct sl_times *t, uint64_t limit)
{
    t->limit = limit;
    t->change_count = 0;
    t->first_mark = NONE;
    t->last_mark = 0;
}

static void undo(struct sl_times *t)
{
    for (uint32_t i = t->change_count; i-- > 0;)
        t->nodes[t->changes[i].node].time = t->changes[i].time;
    if (t->first_mark <= t->last_mark)
        memset(t->marked + t->first_mark / 64, 0,
               (t->last_mark / 64 - t->first_mark / 64 + 1) * sizeof *t->marked);
}

bool sl_times_try(struct sl_times *t, uint32_t p, uint32_t depth, uint64_t limit)
{
    struct pipe *pipe = &t->pipes[p];
    uint32_t before = pipe->depth;
    if (t->wasted > t->graph.count / 2)
        find_rests(t);
    begin(t, limit);
    pipe->depth = depth;
    if (t->trace->pipes[p].outside_reads || (raise_writes(t, pipe) && sweep(t)))
        return true;
    undo(t);
    pipe->depth = before;
    t->wasted += t->change_count;
    return false;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* In the order of the log each node is through before those behind it. */
static bool find_times(struct sl_times *t)
{
    for (uint32_t i = 0; i < t->graph.count; i++) {
        begin(t, UINT64_MAX);
        if (!pass_on(t, i))
            return false;
    }
    memset(t->marked, 0, (t->graph.count / 64 + 1) * sizeof *t->marked);
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void count_operations(struct sl_times *t, const struct sl_replay_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct sl_replay_row *row = &log->rows[i];
        const struct sl_replay_run *run = &t->trace->runs[row->run];
        t->nodes[i].pipe = NONE;
        if (row->kind == SL_REPLAY_FINISHES)
            t->finish[row->run] = (uint32_t)i;
        if (row->kind == SL_REPLAY_BEGINS && t->trace->timed && run->behind == SL_REPLAY_NO_RUN)
            t->nodes[i].time = run->begin;
        if (row->kind != SL_REPLAY_MOVES || t->trace->sites[row->site].fails)
            continue;
        const struct sl_replay_site *site = &t->trace->sites[row->site];
        uint32_t number = t->pipes[site->pipe].count[site->write]++;
        if (site->write)
            continue;
        t->nodes[i].pipe = site->pipe;
        t->nodes[i].number = number;
    }
}

static void share_memory(struct sl_times *t, const struct sl_replay_log *log)
{
    uint32_t *at = t->memory;
    for (uint32_t p = 0; p < t->trace->pipe_count; p++)
        for (int end = 0; end < ENDS; end++) {
            t->pipes[p].nodes[end] = at;
            at += t->pipes[p].count[end];
            t->pipes[p].count[end] = 0;
        }
    for (uint32_t i = 0; i < t->graph.count; i++) {
        const struct sl_replay_row *row = &log->rows[i];
        if (row->kind != SL_REPLAY_MOVES || t->trace->sites[row->site].fails)
            continue;
        const struct sl_replay_site *site = &t->trace->sites[row->site];
        struct pipe *pipe = &t->pipes[site->pipe];
        pipe->nodes[site->write][pipe->count[site->write]++] = i;
    }
}

struct sl_times *sl_times_create(const struct sl_replay_trace *trace,
                                 const struct sl_replay_log *log, const uint32_t *depths,
                                 const bool *fixed)
{
    struct sl_times *t = log->count < NONE ? calloc(1, sizeof *t) : NULL;
    size_t count = log->count + 1;
    if (!t)
        return NULL;
    t->trace = trace;
    t->pipes = calloc(trace->pipe_count + (size_t)1, sizeof *t->pipes);
    t->finish = calloc(trace->run_count + (size_t)1, sizeof *t->finish);
    t->nodes = calloc(count, sizeof *t->nodes);
    t->marked = calloc(count / 64 + 1, sizeof *t->marked);
    t->memory = calloc(count, sizeof *t->memory);
    bool able = t->pipes && t->finish && t->nodes && t->marked && t->memory &&
                !sl_times_graph_make(&t->graph, trace, log);
    for (uint32_t p = 0; able && p < trace->pipe_count; p++)
        t->pipes[p].depth = fixed[p] ? depths[p] : SL_UNLIMITED;
    if (able) {
        count_operations(t, log);
        share_memory(t, log);
        able = find_times(t);
    }
    if (able) {
        find_rests(t);
        return t;
    }
    sl_times_destroy(t);
    return NULL;
}

void sl_times_destroy(struct sl_times *t)
{
    if (!t)
        return;
    sl_times_graph_finish(&t->graph);
    free(t->pipes);
    free(t->finish);
    free(t->nodes);
    free(t->marked);
    free(t->memory);
    free(t->changes);
    free(t);
}
