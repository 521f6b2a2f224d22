/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Of a ratio p/q that some cycle has a better one is that of any cycle whose sum of
 * cycles * q - rounds * p is positive, which Bellman's and Ford's relaxation finds; when there is
 * none, p/q is the best. Each step takes the ratio of a real cycle, so the last one is exact.
 */
#include "timing/cycle_ratio.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };
static const uint64_t most_work = 60000000; /* edges that are looked at: some 0.1 s */

struct search {
    const struct sl_ratio_edge *edges;
    uint32_t edge_count, node_count;
    uint64_t work;
    int64_t *longest;     /* owned; of nodes: the longest way to it, as it were */
    uint32_t *by, *seen;  /* owned; of nodes: the last edge of that way; scratch */
    uint64_t p, q;        /* the ratio */
    uint32_t first, size; /* a cycle that is better: any node of it, and its edges */
};

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* No sum of these numbers leaves 64 bits. */
static bool is_small(const struct search *s)
{
    double most = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        double gain = (double)llabs(s->edges[e].cycles) * (double)s->q +
                      (double)llabs(s->edges[e].rounds) * (double)s->p;
        most = gain > most ? gain : most;
    }
    return most * ((double)s->node_count + 1) < 4e18;
}

/* A cycle of the edges by which nodes were reached last is one whose sum is positive. */
static bool find_cycle(struct search *s)
{
    memset(s->seen, 0, s->node_count * sizeof *s->seen);
    for (uint32_t start = 0; start < s->node_count; start++) {
        uint32_t n = start;
        while (!s->seen[n] && s->by[n] != NONE) {
            s->seen[n] = start + 1;
            n = s->edges[s->by[n]].from;
        }
        if (s->by[n] != NONE && s->seen[n] == start + 1) {
            s->first = n;
            return true;
        }
        s->seen[n] = start + 1;
    }
    return false;
}

/* 1: a better cycle was found; 0: there is none; -1: it takes too long. */
static int improve(struct search *s)
{
    const int64_t p = (int64_t)s->p, q = (int64_t)s->q;
    memset(s->longest, 0, s->node_count * sizeof *s->longest);
    memset(s->by, 0xff, s->node_count * sizeof *s->by);
    for (bool changed = true; changed;) {
        changed = false;
        s->work += s->edge_count;
        if (s->work > most_work)
            return -1;
        for (uint32_t e = 0; e < s->edge_count; e++) {
            const struct sl_ratio_edge *edge = &s->edges[e];
            int64_t way = s->longest[edge->from] + edge->cycles * q - edge->rounds * p;
            if (way <= s->longest[edge->to])
                continue;
            s->longest[edge->to] = way;
            s->by[edge->to] = e;
            changed = true;
        }
        if (changed && find_cycle(s))
            return 1;
    }
    return 0;
}

/* Its ratio; false: it goes round in no rounds. */
static bool take_cycle(struct search *s)
{
    int64_t cycles = 0, rounds = 0;
    uint32_t n = s->first;
    s->size = 0;
    do {
        const struct sl_ratio_edge *edge = &s->edges[s->by[n]];
        cycles += edge->cycles;
        rounds += edge->rounds;
        s->size++;
        n = edge->from;
    } while (n != s->first);
    if (rounds <= 0 || cycles <= 0)
        return false;
    uint64_t divisor = divisor_of((uint64_t)cycles, (uint64_t)rounds);
    s->p = (uint64_t)cycles / divisor;
    s->q = (uint64_t)rounds / divisor;
    return true;
}

static int keep_cycle(const struct search *s, struct sl_cycle_ratio *result)
{
    uint32_t *edges = realloc(result->edges, s->size * sizeof *edges);
    if (!edges)
        return -1;
    uint32_t n = s->first;
    for (uint32_t i = s->size; i-- > 0; n = s->edges[s->by[n]].from)
        edges[i] = s->by[n];
    *result = (struct sl_cycle_ratio){s->p, s->q, edges, s->size};
    return 0;
}

static int search(struct search *s, struct sl_cycle_ratio *result)
{
    for (int better = 1; better;) {
        better = is_small(s) ? improve(s) : -1;
        if (better < 0 || (better && !take_cycle(s)))
            return 1;
        if (better && keep_cycle(s, result))
            return -1;
    }
    return result->count ? 0 : 1;
}

int sl_cycle_ratio_find(const struct sl_ratio_edge *edges, uint32_t edge_count, uint32_t nodes,
                        struct sl_cycle_ratio *result)
{
    struct search s = {
        .edges = edges,
        .edge_count = edge_count,
        .node_count = nodes,
        .longest = calloc(nodes + (size_t)1, sizeof *s.longest),
        .by = calloc(nodes + (size_t)1, sizeof *s.by),
        .seen = calloc(nodes + (size_t)1, sizeof *s.seen),
        .q = 1,
    };
    *result = (struct sl_cycle_ratio){0};
    int rc = s.longest && s.by && s.seen ? search(&s, result) : -1;
    if (rc) {
        free(result->edges);
        result->edges = NULL;
    }
    free(s.longest);
    free(s.by);
    free(s.seen);
    return rc;
}
