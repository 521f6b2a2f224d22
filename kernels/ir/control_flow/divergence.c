/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each way out of the branch has a name, which goes along the edges until two names meet; the block
 * where they do names what follows. The same search that finds where a variable assigned on both
 * ways would need a phi. No shared state.
 */
#include "ir/control_flow/divergence.h"

#include "ir/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- the graph ------------------------------------------------------------------------------- */

static void list_neighbours(const struct sl_graph_edge *edges, uint32_t edge_count, uint32_t count,
                            bool backwards, uint32_t **list, uint32_t **first)
{
    *list = sl_ir_alloc(edge_count + 1, sizeof **list);
    *first = sl_ir_alloc(count + 2, sizeof **first);
    for (uint32_t e = 0; e < edge_count; e++)
        (*first)[(backwards ? edges[e].to : edges[e].from) + 1]++;
    for (uint32_t b = 0; b <= count; b++)
        (*first)[b + 1] += (*first)[b];
    uint32_t *next = sl_ir_alloc(count + 1, sizeof *next);
    memcpy(next, *first, (count + 1) * sizeof *next);
    for (uint32_t e = 0; e < edge_count; e++) {
        uint32_t from = backwards ? edges[e].to : edges[e].from;
        (*list)[next[from]++] = backwards ? edges[e].from : edges[e].to;
    }
    free(next);
}

static struct sl_dominators find_post_dominators(uint32_t count, const struct sl_graph_edge *edges,
                                                 uint32_t edge_count)
{
    struct sl_graph_edge *turned = sl_ir_alloc(edge_count + 1, sizeof *turned);
    for (uint32_t e = 0; e < edge_count; e++)
        turned[e] = (struct sl_graph_edge){edges[e].to, edges[e].from};
    struct sl_dominators post = sl_make_dominators(count + 1, turned, edge_count, count);
    free(turned);
    return post;
}

void sl_divergence_init(struct sl_divergence *d, uint32_t count, const struct sl_graph_edge *edges,
                        uint32_t edge_count)
{
    *d = (struct sl_divergence){.count = count};
    d->post = find_post_dominators(count, edges, edge_count);
    list_neighbours(edges, edge_count, count, false, &d->out, &d->first_out);
    list_neighbours(edges, edge_count, count, true, &d->in, &d->first_in);
    d->reached = sl_ir_alloc(count + 1, sizeof *d->reached);
    d->has = sl_ir_alloc(count + 1, sizeof *d->has);
    d->way = sl_ir_alloc(count + 1, sizeof *d->way);
    memset(d->way, 0xff, (count + 1) * sizeof *d->way);
}

void sl_divergence_finish(struct sl_divergence *d)
{
    sl_free_dominators(&d->post);
    free(d->out);
    free(d->in);
    free(d->first_out);
    free(d->first_in);
    free(d->reached);
    free(d->has);
    free(d->way);
    *d = (struct sl_divergence){0};
}

/* ---- which blocks ---------------------------------------------------------------------------- */

/* All ways from the branch that can leave the graph come by this block. Where none leaves, nothing
 * stops. */
static bool ends(const struct sl_divergence *d, uint32_t block)
{
    return d->post.idom[d->branch] != SL_NO_NODE && sl_dominates(&d->post, block, d->branch);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void find_reached(struct sl_divergence *d)
{
    uint32_t from = d->branch;
    for (uint32_t next = 0;; from = d->reached[next++]) {
        for (uint32_t s = d->first_out[from]; s < d->first_out[from + 1]; s++) {
            uint32_t to = d->out[s];
            if (d->has[to])
                continue;
            d->has[to] = true;
            d->reached[d->reached_count++] = to;
        }
        while (next < d->reached_count && d->reached[next] != d->branch &&
               ends(d, d->reached[next]))
            next++;
        if (next == d->reached_count)
            break;
    }
    if (d->reached_count)
        qsort(d->reached, d->reached_count, sizeof *d->reached, by_number);
}

static void forget(struct sl_divergence *d)
{
    for (uint32_t k = 0; k < d->reached_count; k++) {
        d->has[d->reached[k]] = false;
        d->way[d->reached[k]] = SL_NO_NODE;
    }
    d->reached_count = 0;
}

/* ---- by which ways --------------------------------------------------------------------------- */

static uint32_t way_by(const struct sl_divergence *d, uint32_t from, uint32_t to)
{
    if (from != d->branch)
        return d->has[from] && !ends(d, from) ? d->way[from] : SL_NO_NODE;
    uint32_t way = SL_NO_NODE, first = d->first_out[from];
    for (uint32_t s = first; s < d->first_out[from + 1]; s++)
        if (d->out[s] == to)
            way = way == SL_NO_NODE ? d->count + 1 + (s - first) : to;
    return way;
}

static bool follow_ways(struct sl_divergence *d)
{
    bool changed = false;
    for (uint32_t k = 0; k < d->reached_count; k++) {
        uint32_t b = d->reached[k];
        for (uint32_t p = d->first_in[b]; p < d->first_in[b + 1] && d->way[b] != b; p++) {
            uint32_t way = way_by(d, d->in[p], b);
            if (way == SL_NO_NODE || way == d->way[b])
                continue;
            d->way[b] = d->way[b] == SL_NO_NODE ? way : b;
            changed = true;
        }
    }
    return changed;
}

void sl_divergence_follow(struct sl_divergence *d, uint32_t branch)
{
    forget(d);
    d->branch = branch;
    find_reached(d);
    while (follow_ways(d))
        ;
}

bool sl_divergence_passes(const struct sl_divergence *d, uint32_t block)
{
    return d->has[block] && (block == d->branch || !ends(d, block));
}

bool sl_divergence_joins(const struct sl_divergence *d, uint32_t block)
{
    return d->has[block] && d->way[block] == block;
}
