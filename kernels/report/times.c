/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A lower depth adds edges from reads to writes, which come later in the log as
 * all edges do: so what changes is found in one sweep from there on, each node once. A try ends as
 * soon as a node is so late that the run cannot end in time: how late each may be at most is known
 * from a sweep the other way.
 *
 * What takes the time are memory accesses. So a node has two small numbers, by how many cycles it
 * is late, against the times at first, and may be; and an edge has by how many its begin may be
 * late before its end is. Edges to nowhere lead to a node behind all others, which is never late.
 * Whoever is late by 2^31 cycles is too late.
 *
 * A pipe that is not deep enough mostly shows in the runs at its ends alone, which hold each other
 * up more and more. So a try goes through these at first, as if all others were never late, as
 * long as that spares more than it takes.
 */
#include "report/times.h"

#include <stdlib.h>
#include <string.h>

#include "report/times_settle.h"

enum { READ, WRITE, ENDS };
#define NONE UINT32_MAX

struct pipe {
    uint32_t *nodes[ENDS]; /* in `memory`; of each packet */
    uint32_t *edges;       /* in `memory`; of each read, that to the write it makes room for */
    uint32_t count[ENDS], depth;
    bool free; /* reads make room */
};

struct change {
    uint32_t node;
    int32_t late; /* that it had */
};

struct sl_times {
    const struct sl_replay_trace *trace;
    struct sl_times_graph graph;
    struct pipe *pipes;
    struct sl_times_node *nodes; /* owned, as all of these */
    uint64_t *base;              /* the time of each node at first */
    uint64_t *marked;            /* a bit for each node that is later than those behind it know */
    uint32_t *memory, *finish;   /* finish: the last node of each run */
    struct change *changes;      /* has room for each node */
    uint64_t slowest;            /* cycles that no depths make it exceed */
    uint64_t wasted;             /* steps since `spare` was found, in tries that failed */
    uint32_t *run_of;            /* of each node */
    uint32_t *at_pipe;           /* of each run: a pipe that it was found to be at, and one more */
    uint32_t near, failed_near;  /* tries of runs at the pipe alone; those of them that failed */
};

static int32_t clip(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static uint64_t time_of(const struct sl_times *t, uint32_t node)
{
    return t->base[node] + (uint64_t)t->nodes[node].late;
}

/* ---- how late each may be -------------------------------------------------------------------- */

static void find_spares(struct sl_times *t)
{
    const struct sl_times_graph *g = &t->graph;
    for (uint32_t i = g->count; i-- > 0;) {
        int64_t spare = (int64_t)(t->slowest - t->base[i]);
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
            const struct sl_times_edge *edge = &g->edges[e];
            int64_t own =
                edge->to == g->count ? INT64_MAX : (int64_t)t->nodes[edge->to].spare + edge->slack;
            spare = own < spare ? own : spare;
        }
        t->nodes[i].spare = clip(spare);
    }
    t->nodes[g->count].spare = INT32_MAX;
    t->wasted = 0;
}

/* ---- questions ------------------------------------------------------------------------------- */

uint64_t sl_times_cycles(const struct sl_times *t)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < t->trace->run_count; i++)
        last = time_of(t, t->finish[i]) > last ? time_of(t, t->finish[i]) : last;
    return last;
}

uint32_t sl_times_fill(const struct sl_times *t, uint32_t p)
{
    const struct pipe *pipe = &t->pipes[p];
    uint32_t gone = 0, most = 1;
    for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
        while (gone < pipe->count[READ] && gone <= n &&
               time_of(t, pipe->nodes[READ][gone]) < time_of(t, pipe->nodes[WRITE][n]))
            gone++;
        most = n + 1 - gone > most ? n + 1 - gone : most;
    }
    return most;
}

static int64_t excess(const struct sl_times *t, uint64_t limit)
{
    return limit < t->slowest ? (int64_t)(t->slowest - limit) : 0;
}

uint32_t sl_times_bound(const struct sl_times *t, uint32_t p, uint64_t limit)
{
    const struct pipe *pipe = &t->pipes[p];
    const int64_t too_much = excess(t, limit);
    uint32_t gone = 0, bound = 1;
    for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
        uint32_t write = pipe->nodes[WRITE][n];
        int64_t latest = (int64_t)t->base[write] + t->nodes[write].spare - too_much;
        while (gone < pipe->count[READ] && gone <= n &&
               (int64_t)time_of(t, pipe->nodes[READ][gone]) < latest)
            gone++;
        bound = n + 1 - gone > bound ? n + 1 - gone : bound;
    }
    return bound;
}

/* ---- tries ----------------------------------------------------------------------------------- */

/* Nodes that are late are marked, and noted with what they were. */
struct front {
    struct sl_times_node *nodes;
    uint64_t *marked;
    struct change *changes, *next;
    int64_t too_much; /* of a node's `spare`, for the limit of this try */
    bool failed;      /* something is too late */
    uint32_t near;    /* 0, or of runs at this pipe only, and one more */
    const uint32_t *run_of, *at_pipe;
};

/* It is late by so much at least. `marks`: of the nodes of its word. */
static inline __attribute__((always_inline)) void raise(struct front *f, uint32_t number,
                                                        int64_t late, uint64_t *marks)
{
    struct sl_times_node *node = &f->nodes[number];
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (late <= node->late || (f->near && f->at_pipe[f->run_of[number]] != f->near))
        return;
    f->failed |= late > node->spare - f->too_much;
    if (f->failed)
        return;
    if (!(*marks & bit))
        *f->next++ = (struct change){number, node->late};
    *marks |= bit;
    node->late = (int32_t)late;
}

/* The late nodes of this word tell those behind them, in their order. Most of these are in the same
 * word, whose marks are kept in a register meanwhile: else each node had to wait for memory. */
static inline void tell(const struct sl_times_graph *g, struct front *f, uint32_t word)
{
    uint64_t bits = f->marked[word];
    while (bits && !f->failed) {
        const uint32_t number = 64 * word + (uint32_t)__builtin_ctzll(bits);
        const int64_t late = f->nodes[number].late;
        bits &= bits - 1;
        for (uint32_t e = g->first[number]; e < g->first[number + 1]; e++) {
            const struct sl_times_edge edge = g->edges[e];
            if (edge.to / 64 == word)
                raise(f, edge.to, late - edge.slack, &bits);
            else
                raise(f, edge.to, late - edge.slack, &f->marked[edge.to / 64]);
        }
    }
    f->marked[word] = 0;
}

/* False: something is too late. */
static bool sweep(const struct sl_times_graph *g, struct front *front, uint32_t first)
{
    struct front f = *front;
    for (uint32_t word = first / 64; word <= g->count / 64 && !f.failed; word++)
        if (f.marked[word])
            tell(g, &f, word);
    *front = f;
    return !f.failed;
}

/* Reads make room for the writes that are so much behind. */
static void set_edges(struct sl_times *t, const struct pipe *pipe, uint32_t depth)
{
    for (uint32_t n = 0; n < pipe->count[READ]; n++) {
        struct sl_times_edge *edge = &t->graph.edges[pipe->edges[n]];
        bool any = n < pipe->count[WRITE] && depth < pipe->count[WRITE] - n;
        edge->to = any ? pipe->nodes[WRITE][n + depth] : t->graph.count;
        edge->slack = any ? clip((int64_t)(t->base[edge->to] - t->base[pipe->nodes[READ][n]]) - 1)
                          : INT32_MAX;
    }
}

/* Writes that now find no room in their cycle; false: one of them would be too late. */
static bool raise_writes(const struct sl_times *t, const struct pipe *pipe, struct front *front,
                         uint32_t *first)
{
    *first = t->graph.count;
    for (uint32_t n = 0; n < pipe->count[READ] && !front->failed; n++) {
        const struct sl_times_edge *edge = &t->graph.edges[pipe->edges[n]];
        int64_t late = t->nodes[pipe->nodes[READ][n]].late;
        if (late <= edge->slack)
            continue;
        raise(front, edge->to, late - edge->slack, &front->marked[edge->to / 64]);
        *first = edge->to < *first ? edge->to : *first;
    }
    return !front->failed;
}

static void undo(const struct front *f)
{
    for (struct change *at = f->next; at-- > f->changes;) {
        f->nodes[at->node].late = at->late;
        f->marked[at->node / 64] = 0;
    }
}

static void find_near(struct sl_times *t, uint32_t p)
{
    const struct pipe *pipe = &t->pipes[p];
    for (int end = 0; end < ENDS; end++)
        for (uint32_t n = 0; n < pipe->count[end]; n++)
            t->at_pipe[t->run_of[pipe->nodes[end][n]]] = p + 1;
}

/* The pipe's edges are those of the depth that is tried. */
static bool go_through(struct sl_times *t, const struct pipe *pipe, uint32_t near, uint64_t limit)
{
    struct front front = {t->nodes, t->marked, t->changes, t->changes, excess(t, limit),
                          false,    near,      t->run_of,  t->at_pipe};
    uint32_t first;
    const bool good = raise_writes(t, pipe, &front, &first) && sweep(&t->graph, &front, first);
    if (near || !good)
        undo(&front);
    if (!good)
        t->wasted += (uint64_t)(front.next - front.changes);
    return good;
}

/* It takes an eighth, or less, of what it takes to go through all. */
static bool is_near_worth_it(const struct sl_times *t)
{
    enum { FIRST = 8, WORTH = 8 };
    return t->near < FIRST + WORTH * t->failed_near;
}

static bool try_depth(struct sl_times *t, uint32_t p, uint64_t limit)
{
    const struct pipe *pipe = &t->pipes[p];
    if (is_near_worth_it(t)) {
        find_near(t, p);
        const bool good = go_through(t, pipe, p + 1, limit);
        t->near++;
        t->failed_near += !good;
        if (!good)
            return false;
    }
    return go_through(t, pipe, 0, limit);
}

bool sl_times_try(struct sl_times *t, uint32_t p, uint32_t depth, uint64_t limit)
{
    struct pipe *pipe = &t->pipes[p];
    if (t->wasted > t->graph.count / 2)
        find_spares(t);
    if (!pipe->free)
        return true;
    set_edges(t, pipe, depth);
    const bool good = try_depth(t, p, limit);
    if (good)
        pipe->depth = depth;
    else
        set_edges(t, pipe, pipe->depth);
    return good;
}

/* ---- at first -------------------------------------------------------------------------------- */

/* In the order of the log each node is through before those behind it; in the end edges have their
 * slack. */
static void find_base(struct sl_times *t)
{
    struct sl_times_graph *g = &t->graph;
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
            const struct sl_times_edge *edge = &g->edges[e];
            uint64_t least = t->base[i] + edge->distance;
            if (edge->to != NONE && t->base[edge->to] < least)
                t->base[edge->to] = least;
        }
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
            struct sl_times_edge *edge = &g->edges[e];
            if (edge->to == NONE)
                *edge = (struct sl_times_edge){.to = g->count, .slack = INT32_MAX};
            else
                edge->slack = clip((int64_t)(t->base[edge->to] - t->base[i]) - edge->distance);
        }
}

/* Depths that are fixed hold from the begin on. */
static void set_fixed(struct sl_times *t, const uint32_t *depths, const bool *fixed)
{
    for (uint32_t p = 0; p < t->trace->pipe_count; p++) {
        struct pipe *pipe = &t->pipes[p];
        pipe->depth = fixed[p] ? depths[p] : SL_UNLIMITED;
        for (uint32_t n = 0; pipe->free && fixed[p] && n < pipe->count[READ]; n++) {
            struct sl_times_edge *edge = &t->graph.edges[pipe->edges[n]];
            if (n >= pipe->count[WRITE] || pipe->depth >= pipe->count[WRITE] - n)
                continue;
            edge->to = pipe->nodes[WRITE][n + pipe->depth];
            edge->distance = 1;
        }
    }
}

/* ---- depths that stay ------------------------------------------------------------------------ */

/* Nodes of pipes whose depth changes, which reads have an edge for, and the last ones of runs. */
static void find_stays(struct sl_times *t, const bool *settled, unsigned char *stay)
{
    for (uint32_t i = 0; i < t->trace->run_count; i++)
        stay[t->finish[i]] = SL_TIMES_STAYS;
    for (uint32_t p = 0; p < t->trace->pipe_count; p++) {
        struct pipe *pipe = &t->pipes[p];
        if (!pipe->free || settled[p])
            continue;
        set_edges(t, pipe, SL_UNLIMITED);
        for (uint32_t n = 0; n < pipe->count[WRITE]; n++)
            stay[pipe->nodes[WRITE][n]] = SL_TIMES_STAYS;
        for (uint32_t n = 0; n < pipe->count[READ]; n++)
            stay[pipe->nodes[READ][n]] = SL_TIMES_STAYS_WITH_EDGE;
    }
}

static void renumber(struct sl_times *t, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] != NONE) {
            t->base[numbers[i]] = t->base[i];
            t->nodes[numbers[i]] = t->nodes[i];
            t->run_of[numbers[i]] = t->run_of[i];
        }
    t->base[t->graph.count] = 0;
    t->nodes[t->graph.count] = (struct sl_times_node){0};
    for (uint32_t i = 0; i < t->trace->run_count; i++)
        t->finish[i] = numbers[t->finish[i]];
}

static void renumber_pipe(struct sl_times *t, struct pipe *pipe, const uint32_t *numbers)
{
    for (int end = 0; end < ENDS; end++)
        for (uint32_t n = 0; n < pipe->count[end]; n++)
            pipe->nodes[end][n] = numbers[pipe->nodes[end][n]];
    for (uint32_t n = 0; n < pipe->count[READ]; n++)
        pipe->edges[n] = t->graph.first[pipe->nodes[READ][n] + 1] - 1;
}

void sl_times_settle(struct sl_times *t, const bool *settled)
{
    const uint32_t count = t->graph.count;
    unsigned char *stay = calloc(count + (size_t)1, 1);
    uint32_t *numbers = malloc((count + (size_t)1) * sizeof *numbers);
    bool done = false;
    if (stay && numbers) {
        find_stays(t, settled, stay);
        done = !sl_times_settle_graph(&t->graph, t->nodes, stay, numbers);
    }
    if (done)
        renumber(t, numbers, count);
    for (uint32_t p = 0; p < t->trace->pipe_count; p++) {
        struct pipe *pipe = &t->pipes[p];
        if (settled[p])
            pipe->free = false;
        if (!pipe->free)
            continue;
        if (done)
            renumber_pipe(t, pipe, numbers);
        set_edges(t, pipe, pipe->depth);
    }
    free(stay);
    free(numbers);
    if (done)
        find_spares(t);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const struct sl_replay_site *moved_at(const struct sl_times *t,
                                             const struct sl_replay_row *row)
{
    const struct sl_replay_site *site = &t->trace->sites[row->site];
    return row->kind == SL_REPLAY_MOVES && !site->fails ? site : NULL;
}

static void count_operations(struct sl_times *t, const struct sl_replay_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct sl_replay_row *row = &log->rows[i];
        const struct sl_replay_run *run = &t->trace->runs[row->run];
        const struct sl_replay_site *site = moved_at(t, row);
        t->run_of[i] = row->run;
        if (row->kind == SL_REPLAY_FINISHES)
            t->finish[row->run] = (uint32_t)i;
        if (row->kind == SL_REPLAY_BEGINS && t->trace->timed && run->behind == SL_REPLAY_NO_RUN)
            t->base[i] = run->begin;
        if (site)
            t->pipes[site->pipe].count[site->write]++;
    }
}

static uint32_t edge_to_nowhere(const struct sl_times *t, uint32_t node)
{
    uint32_t e = t->graph.first[node];
    while (t->graph.edges[e].to != NONE)
        e++;
    return e;
}

static void share_memory(struct sl_times *t, const struct sl_replay_log *log)
{
    uint32_t *at = t->memory;
    for (uint32_t p = 0; p < t->trace->pipe_count; p++) {
        struct pipe *pipe = &t->pipes[p];
        pipe->free = !t->trace->pipes[p].outside_reads;
        pipe->edges = at;
        at += pipe->count[READ];
        for (int end = 0; end < ENDS; end++) {
            pipe->nodes[end] = at;
            at += pipe->count[end];
            pipe->count[end] = 0;
        }
    }
    for (uint32_t i = 0; i < t->graph.count; i++) {
        const struct sl_replay_site *site = moved_at(t, &log->rows[i]);
        if (!site)
            continue;
        struct pipe *pipe = &t->pipes[site->pipe];
        if (!site->write && pipe->free)
            pipe->edges[pipe->count[READ]] = edge_to_nowhere(t, i);
        pipe->nodes[site->write][pipe->count[site->write]++] = i;
    }
}

struct sl_times *sl_times_create(const struct sl_replay_trace *trace,
                                 const struct sl_replay_log *log, struct sl_times_graph *graph,
                                 const uint32_t *depths, const bool *fixed, uint64_t slowest)
{
    struct sl_times *t = log->count < NONE ? calloc(1, sizeof *t) : NULL;
    size_t count = log->count + 1;
    if (!t) {
        sl_times_graph_finish(graph);
        return NULL;
    }
    t->trace = trace;
    t->graph = *graph;
    *graph = (struct sl_times_graph){0};
    t->slowest = slowest;
    t->pipes = calloc(trace->pipe_count + (size_t)1, sizeof *t->pipes);
    t->finish = calloc(trace->run_count + (size_t)1, sizeof *t->finish);
    t->nodes = calloc(count, sizeof *t->nodes);
    t->base = calloc(count, sizeof *t->base);
    t->changes = calloc(count, sizeof *t->changes);
    t->marked = calloc(count / 64 + 1, sizeof *t->marked);
    t->memory = calloc(2 * count, sizeof *t->memory);
    t->run_of = malloc(count * sizeof *t->run_of);
    t->at_pipe = calloc(trace->run_count + (size_t)1, sizeof *t->at_pipe);
    if (!t->pipes || !t->finish || !t->nodes || !t->base || !t->changes || !t->marked ||
        !t->memory || !t->run_of || !t->at_pipe) {
        sl_times_destroy(t);
        return NULL;
    }
    count_operations(t, log);
    share_memory(t, log);
    set_fixed(t, depths, fixed);
    find_base(t);
    find_spares(t);
    return t;
}

void sl_times_destroy(struct sl_times *t)
{
    if (!t)
        return;
    sl_times_graph_finish(&t->graph);
    free(t->pipes);
    free(t->finish);
    free(t->nodes);
    free(t->base);
    free(t->marked);
    free(t->memory);
    free(t->changes);
    free(t->run_of);
    free(t->at_pipe);
    free(t);
}
