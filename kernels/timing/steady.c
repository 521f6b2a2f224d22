/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Rounds of the kernels are put together to such numbers that each pipe gets as
 * many packets as are taken out of it: each operation of all these is a node of a graph, and edges
 * say by how much it comes behind others at least.
 */
#include "timing/steady.h"

#include <stdlib.h>
#include <string.h>

#include "timing/cycle_ratio.h"

enum { MOST_NODES = 30000, MOST_EDGES = 400000 };

struct graph {
    const struct sl_steady_kernel *kernels;
    const struct sl_steady_pipe *pipes;
    uint32_t kernel_count, pipe_count;
    uint64_t *rounds;            /* owned; of kernels; 0: not looked at so far, or in no group */
    uint64_t *divisors;          /* owned; rounds[k] / divisors[k] while they are being found */
    uint32_t *group, *line;      /* owned; of kernels, from 1; kernels to look at */
    uint32_t *first;             /* owned; of kernels: their first node */
    struct sl_ratio_edge *edges; /* owned */
    uint8_t *reasons;            /* owned; of edges */
    uint32_t node_count, edge_count;
    bool too_large;
};

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    return b ? divisor_of(b, a % b) : a;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static uint64_t moved_in_round(const struct sl_steady_kernel *kernel, uint32_t pipe, bool write)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < kernel->count; i++)
        count += kernel->operations[i].pipe == pipe && kernel->operations[i].write == write;
    return count;
}

static bool is_joined(const struct graph *g, uint32_t pipe)
{
    const int32_t *kernels = g->pipes[pipe].kernels;
    return kernels[0] >= 0 && kernels[1] >= 0 && g->kernels[kernels[0]].count &&
           g->kernels[kernels[1]].count;
}

/* The rounds of the kernel at one end of the pipe make those of the one at the other end. False:
 * they do not match. */
static bool balance(struct graph *g, uint32_t pipe, bool from, uint32_t *waiting, uint32_t group)
{
    const uint32_t a = (uint32_t)g->pipes[pipe].kernels[from];
    const uint32_t b = (uint32_t)g->pipes[pipe].kernels[!from];
    uint64_t here = moved_in_round(&g->kernels[a], pipe, from);
    uint64_t there = moved_in_round(&g->kernels[b], pipe, !from);
    if (!here || !there)
        return here == there;
    uint64_t over = g->rounds[a] * here, under = g->divisors[a] * there;
    uint64_t common = divisor_of(over, under);
    over /= common;
    under /= common;
    if (over > UINT32_MAX || under > UINT32_MAX)
        return false;
    if (g->group[b])
        return g->rounds[b] == over && g->divisors[b] == under;
    g->group[b] = group;
    g->rounds[b] = over;
    g->divisors[b] = under;
    g->line[(*waiting)++] = b;
    return true;
}

/* Of the group of kernels around this one; how many, all in g->line. */
static uint32_t find_rounds(struct graph *g, uint32_t first, bool *match)
{
    uint32_t waiting = 1;
    const uint32_t group = first + 1;
    g->line[0] = first;
    g->group[first] = group;
    g->rounds[first] = g->divisors[first] = 1;
    *match = true;
    for (uint32_t n = 0; n < waiting; n++)
        for (uint32_t p = 0; p < g->pipe_count; p++)
            for (int write = 0; write < 2; write++)
                if (is_joined(g, p) && g->pipes[p].kernels[write] == (int32_t)g->line[n])
                    *match &= balance(g, p, write, &waiting, group);
    return waiting;
}

/* Whole numbers of them. False: far too many. */
static bool make_whole(struct graph *g, uint32_t kernels)
{
    uint64_t whole = 1, nodes = 0;
    for (uint32_t i = 0; i < kernels && whole <= MOST_NODES; i++)
        whole *= g->divisors[g->line[i]] / divisor_of(whole, g->divisors[g->line[i]]);
    for (uint32_t i = 0; i < kernels && whole <= MOST_NODES && nodes <= MOST_NODES; i++) {
        uint32_t k = g->line[i];
        g->rounds[k] *= whole / g->divisors[k];
        if (g->rounds[k] > MOST_NODES)
            return false;
        g->first[k] = (uint32_t)nodes;
        nodes += g->rounds[k] * g->kernels[k].count;
    }
    g->node_count = (uint32_t)nodes;
    return whole <= MOST_NODES && nodes <= MOST_NODES;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_edge(struct graph *g, uint32_t from, uint32_t to, uint64_t cycles, int64_t rounds,
                     enum sl_steady_reason reason)
{
    g->too_large |= g->edge_count == MOST_EDGES;
    if (g->too_large)
        return;
    g->reasons[g->edge_count] = (uint8_t)reason;
    g->edges[g->edge_count++] = (struct sl_ratio_edge){from, to, (int64_t)cycles, rounds};
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Of operation `at` of all that the kernel ever does: its nominal cycle. */
static int64_t nominal_at(const struct sl_steady_kernel *kernel, int64_t at)
{
    int64_t round = floor_of(at, kernel->count);
    const struct sl_steady_operation *o = &kernel->operations[at - round * kernel->count];
    return (int64_t)o->nominal + round * (int64_t)kernel->length;
}

/* `latest`: of operations, the last nominal cycle of all in front, in the round or before it. */
static void find_latest(const struct sl_steady_kernel *kernel, int64_t *latest)
{
    int64_t most = INT64_MIN;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < kernel->count; i++) {
            int64_t nominal =
                (int64_t)kernel->operations[i].nominal - (pass ? 0 : (int64_t)kernel->length);
            most = nominal > most ? nominal : most;
            latest[i] = most;
        }
}

/* Who waits holds up what is behind it in the program and has no earlier nominal cycle: of those in
 * front that have none later, the ones that are held up by no other of them. */
static void follow_schedule(struct graph *g, uint32_t k, const int64_t *latest)
{
    const struct sl_steady_kernel *kernel = &g->kernels[k];
    const int64_t count = kernel->count, all = (int64_t)g->rounds[k] * count;
    for (int64_t at = 0; at < all && !g->too_large; at++) {
        int64_t nominal = nominal_at(kernel, at), taken = INT64_MIN;
        for (int64_t y = at - 1;; y--) {
            int64_t round = floor_of(y, count);
            if (latest[y - round * count] + round * (int64_t)kernel->length <= taken)
                break;
            int64_t before = nominal_at(kernel, y);
            if (before > nominal || before <= taken)
                continue;
            taken = before;
            int64_t rounds = floor_of(y, all);
            add_edge(g, g->first[k] + (uint32_t)(y - rounds * all), g->first[k] + (uint32_t)at,
                     (uint64_t)(nominal - before), -rounds, SL_STEADY_SCHEDULE);
        }
    }
}

/* Nodes that move packets of that end, in their order; how many. */
static uint32_t nodes_of_end(const struct graph *g, uint32_t pipe, bool write, uint32_t *nodes)
{
    const uint32_t k = (uint32_t)g->pipes[pipe].kernels[write];
    const struct sl_steady_kernel *kernel = &g->kernels[k];
    uint32_t count = 0;
    for (uint64_t n = 0; n < g->rounds[k] * kernel->count; n++) {
        const struct sl_steady_operation *o = &kernel->operations[n % kernel->count];
        if (o->pipe == pipe && o->write == write)
            nodes[count++] = g->first[k] + (uint32_t)n;
    }
    return count;
}

/* One operation a cycle at each end. */
static void keep_apart(struct graph *g, const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_edge(g, nodes[i], nodes[i + 1 < count ? i + 1 : 0], 1, i + 1 == count, SL_STEADY_END);
}

/* What `to` moves n-th comes a cycle behind what `from` has moved as number n - behind. */
static void follow_peer(struct graph *g, const struct sl_steady_pipe *pipe, uint32_t *const ends[2],
                        uint32_t count, bool write)
{
    const int64_t behind = write ? pipe->depth : 0;
    const int64_t shift = (int64_t)pipe->before[write] - (int64_t)pipe->before[!write] - behind;
    for (uint32_t i = 0; i < count; i++) {
        int64_t rounds = floor_of(shift + i, count);
        add_edge(g, ends[!write][shift + i - rounds * count], ends[write][i], 1, -rounds,
                 write ? SL_STEADY_ROOM : SL_STEADY_PACKET);
    }
}

static void add_pipe(struct graph *g, uint32_t pipe, uint32_t *const ends[2])
{
    uint32_t count = nodes_of_end(g, pipe, true, ends[1]);
    if (nodes_of_end(g, pipe, false, ends[0]) != count || !count)
        return;
    for (int write = 0; write < 2; write++) {
        keep_apart(g, ends[write], count);
        follow_peer(g, &g->pipes[pipe], ends, count, write);
    }
}

/* An end whose peer nobody knows. */
static void add_open_pipe(struct graph *g, uint32_t pipe, uint32_t group, uint32_t *scratch)
{
    for (int write = 0; write < 2; write++) {
        int32_t k = g->pipes[pipe].kernels[write];
        if (k >= 0 && g->group[k] == group)
            keep_apart(g, scratch, nodes_of_end(g, pipe, write, scratch));
    }
}

static int make_edges(struct graph *g, uint32_t group, uint32_t kernels)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < kernels; i++)
        if (g->kernels[g->line[i]].count > most)
            most = g->kernels[g->line[i]].count;
    int64_t *latest = calloc(most + (size_t)1, sizeof *latest);
    uint32_t *nodes = calloc(2 * (size_t)g->node_count + 1, sizeof *nodes);
    int rc = latest && nodes ? 0 : -1;
    g->edge_count = 0;
    for (uint32_t i = 0; i < kernels && !rc; i++) {
        find_latest(&g->kernels[g->line[i]], latest);
        follow_schedule(g, g->line[i], latest);
    }
    for (uint32_t p = 0; p < g->pipe_count && !rc; p++) {
        uint32_t *const ends[2] = {nodes, nodes + g->node_count};
        if (!is_joined(g, p))
            add_open_pipe(g, p, group, nodes);
        else if (g->group[g->pipes[p].kernels[0]] == group)
            add_pipe(g, p, ends);
    }
    free(latest);
    free(nodes);
    return rc;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static struct sl_steady_step step_of(const struct graph *g, uint32_t kernels, uint32_t edge)
{
    uint32_t node = g->edges[edge].to, k = 0;
    for (uint32_t i = 0; i < kernels && g->first[g->line[i]] <= node; i++) /* in their order */
        k = g->line[i];
    return (struct sl_steady_step){k, (node - g->first[k]) % g->kernels[k].count,
                                   (enum sl_steady_reason)g->reasons[edge]};
}

static int tell(struct graph *g, uint32_t kernels, const struct sl_cycle_ratio *ratio,
                void (*take)(void *, const struct sl_steady_bound *), void *data)
{
    uint64_t *rounds = calloc(g->kernel_count + (size_t)1, sizeof *rounds);
    struct sl_steady_step *steps = calloc(ratio->count + (size_t)1, sizeof *steps);
    int rc = rounds && steps ? 0 : -1;
    uint64_t common = ratio->cycles;
    for (uint32_t i = 0; i < kernels && !rc; i++) {
        rounds[g->line[i]] = g->rounds[g->line[i]] * ratio->rounds;
        common = divisor_of(common, rounds[g->line[i]]);
    }
    for (uint32_t i = 0; i < kernels && !rc; i++)
        rounds[g->line[i]] /= common;
    for (uint32_t i = 0; i < ratio->count && !rc; i++)
        steps[i] = step_of(g, kernels, ratio->edges[i]);
    const struct sl_steady_bound bound = {
        .cycles = ratio->cycles / common,
        .rounds = rounds,
        .steps = steps,
        .step_count = ratio->count,
    };
    if (!rc)
        take(data, &bound);
    free(rounds);
    free(steps);
    return rc;
}

static int find_bound(struct graph *g, uint32_t first,
                      void (*take)(void *, const struct sl_steady_bound *), void *data)
{
    struct sl_cycle_ratio ratio = {0};
    bool match;
    uint32_t kernels = find_rounds(g, first, &match);
    if (!match || !make_whole(g, kernels))
        return 0;
    g->too_large = false;
    if (make_edges(g, first + 1, kernels))
        return -1;
    int rc = g->too_large ? 1 : sl_cycle_ratio_find(g->edges, g->edge_count, g->node_count, &ratio);
    if (!rc)
        rc = tell(g, kernels, &ratio, take, data);
    free(ratio.edges);
    return rc < 0 ? -1 : 0;
}

int sl_steady_bounds(const struct sl_steady_kernel *kernels, uint32_t kernel_count,
                     const struct sl_steady_pipe *pipes, uint32_t pipe_count,
                     void (*take)(void *, const struct sl_steady_bound *), void *data)
{
    const size_t count = kernel_count + (size_t)1;
    struct graph g = {
        .kernels = kernels,
        .pipes = pipes,
        .kernel_count = kernel_count,
        .pipe_count = pipe_count,
        .rounds = calloc(count, sizeof *g.rounds),
        .divisors = calloc(count, sizeof *g.divisors),
        .group = calloc(count, sizeof *g.group),
        .line = calloc(count, sizeof *g.line),
        .first = calloc(count, sizeof *g.first),
        .edges = malloc(MOST_EDGES * sizeof *g.edges),
        .reasons = malloc(MOST_EDGES * sizeof *g.reasons),
    };
    bool fine = g.rounds && g.divisors && g.group && g.line && g.first && g.edges && g.reasons;
    int rc = fine ? 0 : -1;
    for (uint32_t k = 0; k < kernel_count && !rc; k++)
        if (kernels[k].count && !g.group[k])
            rc = find_bound(&g, k, take, data);
    free(g.rounds);
    free(g.divisors);
    free(g.group);
    free(g.line);
    free(g.first);
    free(g.edges);
    free(g.reasons);
    return rc;
}
