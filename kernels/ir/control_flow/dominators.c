/* SPDX-License-Identifier: Apache-2.0 */
/* The iterative method of Cooper, Harvey and Kennedy. No shared state. */
#include "ir/control_flow/dominators.h"

#include "ir/memory.h"

#include <stdlib.h>

struct lists {
    uint32_t *begin, *node; /* of node n: node[begin[n]] up to node[begin[n + 1]] */
};

struct search {
    uint32_t count;
    struct lists out, in;
    uint32_t *order, *number; /* of nodes that are reached, in reverse post-order; and back */
    uint32_t reached;
    uint32_t *idom; /* by numbers of this order */
};

static struct lists make_lists(uint32_t count, const struct sl_graph_edge *edges, uint32_t n,
                               bool back)
{
    struct lists l = {sl_ir_alloc(count + 2, sizeof(uint32_t)), sl_ir_alloc(n, sizeof(uint32_t))};
    for (uint32_t e = 0; e < n; e++)
        l.begin[(back ? edges[e].to : edges[e].from) + 2]++;
    for (uint32_t b = 2; b <= count; b++)
        l.begin[b] += l.begin[b - 1];
    for (uint32_t e = 0; e < n; e++)
        l.node[l.begin[(back ? edges[e].to : edges[e].from) + 1]++] =
            back ? edges[e].from : edges[e].to;
    return l;
}

static void free_lists(struct lists *l)
{
    free(l->begin);
    free(l->node);
}

static void number_nodes(struct search *s, uint32_t root)
{
    uint32_t *stack = sl_ir_alloc(s->count, sizeof *stack), depth = 0, done = s->count;
    uint32_t *next = sl_ir_alloc(s->count, sizeof *next);
    bool *seen = sl_ir_alloc(s->count, sizeof *seen);
    seen[root] = true;
    stack[depth++] = root;
    while (depth) {
        uint32_t top = stack[depth - 1], at = s->out.begin[top] + next[top];
        if (at == s->out.begin[top + 1]) {
            s->order[--done] = top;
            depth--;
            continue;
        }
        next[top]++;
        uint32_t to = s->out.node[at];
        if (!seen[to])
            stack[depth++] = to;
        seen[to] = true;
    }
    s->reached = s->count - done;
    for (uint32_t n = 0; n < s->count; n++)
        s->number[n] = SL_NO_NODE;
    for (uint32_t k = 0; k < s->reached; k++)
        s->number[s->order[k] = s->order[done + k]] = k;
    free(stack);
    free(next);
    free(seen);
}

static uint32_t meet(const uint32_t *idom, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = idom[a];
        while (b > a)
            b = idom[b];
    }
    return a;
}

static bool visit(struct search *s, uint32_t k)
{
    uint32_t node = s->order[k], now = SL_NO_NODE;
    for (uint32_t i = s->in.begin[node]; i < s->in.begin[node + 1]; i++) {
        uint32_t from = s->number[s->in.node[i]];
        if (from != SL_NO_NODE && s->idom[from] != SL_NO_NODE)
            now = now == SL_NO_NODE ? from : meet(s->idom, now, from);
    }
    bool changed = now != s->idom[k];
    s->idom[k] = now;
    return changed;
}

uint32_t *sl_find_dominators(uint32_t count, const struct sl_graph_edge *edges, uint32_t edge_count,
                             uint32_t root)
{
    struct search s = {.count = count,
                       .out = make_lists(count, edges, edge_count, false),
                       .in = make_lists(count, edges, edge_count, true),
                       .order = sl_ir_alloc(count, sizeof(uint32_t)),
                       .number = sl_ir_alloc(count, sizeof(uint32_t)),
                       .idom = sl_ir_alloc(count, sizeof(uint32_t))};
    number_nodes(&s, root);
    for (uint32_t k = 1; k < s.reached; k++)
        s.idom[k] = SL_NO_NODE;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 1; k < s.reached; k++)
            changed |= visit(&s, k);
    }
    uint32_t *result = sl_ir_alloc(count, sizeof *result);
    for (uint32_t n = 0; n < count; n++)
        result[n] = s.number[n] == SL_NO_NODE ? SL_NO_NODE : s.order[s.idom[s.number[n]]];
    free_lists(&s.out);
    free_lists(&s.in);
    free(s.order);
    free(s.number);
    free(s.idom);
    return result;
}

struct tree {
    uint32_t *child, *sibling; /* the first one below a node, and the next beside it */
};

static struct tree make_tree(uint32_t count, const uint32_t *idom)
{
    struct tree t = {sl_ir_alloc(count, sizeof(uint32_t)), sl_ir_alloc(count, sizeof(uint32_t))};
    for (uint32_t n = 0; n < count; n++)
        t.child[n] = t.sibling[n] = SL_NO_NODE;
    for (uint32_t n = count; n-- > 0;) {
        if (idom[n] == SL_NO_NODE || idom[n] == n)
            continue;
        t.sibling[n] = t.child[idom[n]];
        t.child[idom[n]] = n;
    }
    return t;
}

/* Down to the first child, else on to a sibling, of the node or of one above it. */
static void number_tree(struct sl_dominators *d, const struct tree *t, uint32_t root)
{
    uint32_t number = 0, n = root;
    d->enter[n] = number++;
    for (;;) {
        uint32_t next = t->child[n];
        while (next == SL_NO_NODE) {
            d->leave[n] = number;
            if (n == root)
                return;
            next = t->sibling[n];
            n = d->idom[n];
        }
        d->enter[n = next] = number++;
    }
}

struct sl_dominators sl_make_dominators(uint32_t count, const struct sl_graph_edge *edges,
                                        uint32_t edge_count, uint32_t root)
{
    struct sl_dominators d = {sl_find_dominators(count, edges, edge_count, root),
                              sl_ir_alloc(count, sizeof(uint32_t)),
                              sl_ir_alloc(count, sizeof(uint32_t))};
    struct tree t = make_tree(count, d.idom);
    number_tree(&d, &t, root);
    free(t.child);
    free(t.sibling);
    return d;
}

void sl_free_dominators(struct sl_dominators *d)
{
    free(d->idom);
    free(d->enter);
    free(d->leave);
}

bool sl_dominates(const struct sl_dominators *d, uint32_t a, uint32_t b)
{
    if (d->idom[b] == SL_NO_NODE)
        return true;
    return d->idom[a] != SL_NO_NODE && d->enter[a] <= d->enter[b] && d->enter[b] < d->leave[a];
}
