/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: placing operations, those with the longest way behind them first. */
#include "timing/modulo_schedule.h"

#include <stdlib.h>
#include <string.h>

#include "timing/recurrence.h"

enum {
    TRIES = 8,  /* placements per operation before the interval grows */
    STEPS = 32, /* by one; then it doubles */
    MOST_INTERVAL = 1 << 16,
};

struct placing {
    const struct sl_loop_graph *graph;
    uint32_t interval;
    int64_t *start, *before; /* of an operation: where it is, -1: nowhere; where it was last */
    int64_t *height;
    uint32_t *order;             /* operations, the most urgent one first */
    uint32_t *first, *next;      /* dependences that lead to an operation */
    uint32_t *first_out, *after; /* and those that leave it */
    uint32_t *taken;             /* of a resource, of a cycle of the interval: ports in use */
};

static uint32_t *slot(struct placing *p, uint32_t operation, int64_t cycle)
{
    size_t row = p->graph->operations[operation].resource;
    return &p->taken[row * p->interval + (size_t)(cycle % p->interval)];
}

static bool has_port(struct placing *p, uint32_t operation, int64_t cycle)
{
    uint32_t resource = p->graph->operations[operation].resource;
    return resource == SL_NO_RESOURCE || *slot(p, operation, cycle) < p->graph->ports[resource];
}

static void take_away(struct placing *p, uint32_t operation)
{
    if (p->graph->operations[operation].resource != SL_NO_RESOURCE)
        --*slot(p, operation, p->start[operation]);
    p->start[operation] = -1;
}

static int64_t earliest(const struct placing *p, uint32_t operation)
{
    int64_t start = 0;
    for (uint32_t i = p->first[operation]; i != UINT32_MAX; i = p->next[i]) {
        const struct sl_loop_dependence *d = &p->graph->dependences[i];
        int64_t from = p->start[d->from];
        if (from < 0 || d->from == operation)
            continue;
        from += (int64_t)d->latency - (int64_t)p->interval * d->distance;
        start = from > start ? from : start;
    }
    return start;
}

static void make_room(struct placing *p, uint32_t operation, int64_t cycle)
{
    uint32_t resource = p->graph->operations[operation].resource;
    for (uint32_t i = 0; !has_port(p, operation, cycle) && i < p->graph->operation_count; i++)
        if (p->graph->operations[i].resource == resource && p->start[i] >= 0 &&
            p->start[i] % p->interval == cycle % p->interval)
            take_away(p, i);
}

static void put(struct placing *p, uint32_t operation, int64_t cycle)
{
    make_room(p, operation, cycle);
    p->start[operation] = p->before[operation] = cycle;
    if (p->graph->operations[operation].resource != SL_NO_RESOURCE)
        ++*slot(p, operation, cycle);
    for (uint32_t i = p->first_out[operation]; i != UINT32_MAX; i = p->after[i]) {
        const struct sl_loop_dependence *d = &p->graph->dependences[i];
        int64_t least = cycle + d->latency - (int64_t)p->interval * d->distance;
        if (d->to != operation && p->start[d->to] >= 0 && p->start[d->to] < least)
            take_away(p, d->to);
    }
}

static void place(struct placing *p, uint32_t operation)
{
    int64_t from = earliest(p, operation), cycle = from;
    while (cycle < from + p->interval && !has_port(p, operation, cycle))
        cycle++;
    if (cycle == from + p->interval)
        cycle = p->before[operation] < from ? from : p->before[operation] + 1;
    put(p, operation, cycle);
}

/* Everything has a place in the end, or the budget is spent. */
static bool place_all(struct placing *p)
{
    uint32_t count = p->graph->operation_count;
    uint64_t budget = (uint64_t)count * TRIES;
    memset(p->start, 0xff, count * sizeof *p->start);
    memset(p->before, 0xff, count * sizeof *p->before);
    memset(p->taken, 0, (size_t)p->graph->resource_count * p->interval * sizeof *p->taken);
    for (uint32_t i = 0; i < count;) {
        if (p->start[p->order[i]] >= 0) {
            i++;
            continue;
        }
        if (!budget--)
            return false;
        place(p, p->order[i]);
        i = 0;
        while (i < count && p->start[p->order[i]] >= 0)
            i++;
    }
    return true;
}

static void link_dependences(struct placing *p)
{
    const struct sl_loop_graph *g = p->graph;
    memset(p->first, 0xff, g->operation_count * sizeof *p->first);
    memset(p->first_out, 0xff, g->operation_count * sizeof *p->first_out);
    for (uint32_t i = 0; i < g->dependence_count; i++) {
        const struct sl_loop_dependence *d = &g->dependences[i];
        p->next[i] = p->first[d->to];
        p->first[d->to] = i;
        p->after[i] = p->first_out[d->from];
        p->first_out[d->from] = i;
    }
}

struct urgency {
    int64_t height;
    uint32_t operation;
};

static int by_urgency(const void *a, const void *b)
{
    const struct urgency *x = a, *y = b;
    if (x->height != y->height)
        return x->height < y->height ? 1 : -1;
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static int sort(struct placing *p)
{
    uint32_t count = p->graph->operation_count;
    struct urgency *rows = calloc(count + 1, sizeof *rows);
    if (!rows)
        return -1;
    sl_heights(p->graph, p->interval, p->height);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (struct urgency){p->height[i], i};
    qsort(rows, count, sizeof *rows, by_urgency);
    for (uint32_t i = 0; i < count; i++)
        p->order[i] = rows[i].operation;
    free(rows);
    return 0;
}

static void finish_placing(struct placing *p)
{
    free(p->start);
    free(p->before);
    free(p->height);
    free(p->order);
    free(p->first);
    free(p->next);
    free(p->first_out);
    free(p->after);
    free(p->taken);
}

static int begin_placing(struct placing *p)
{
    size_t count = p->graph->operation_count + (size_t)1;
    size_t edges = p->graph->dependence_count + (size_t)1;
    p->start = calloc(count, sizeof *p->start);
    p->before = calloc(count, sizeof *p->before);
    p->height = calloc(count, sizeof *p->height);
    p->order = calloc(count, sizeof *p->order);
    p->first = calloc(count, sizeof *p->first);
    p->first_out = calloc(count, sizeof *p->first_out);
    p->next = calloc(edges, sizeof *p->next);
    p->after = calloc(edges, sizeof *p->after);
    if (!p->start || !p->before || !p->height || !p->order || !p->first || !p->first_out ||
        !p->next || !p->after)
        return -1;
    link_dependences(p);
    return 0;
}

/* 1: no place within this interval. */
static int try_interval(struct placing *p)
{
    size_t cells = (size_t)p->graph->resource_count * p->interval + 1;
    free(p->taken);
    p->taken = calloc(cells, sizeof *p->taken);
    if (!p->taken || sort(p))
        return -1;
    return place_all(p) ? 0 : 1;
}

/* An interval in which an iteration ends before the next one begins, however it is placed: with a
 * longer one each operation has the same cycle. */
static uint32_t enough(const struct sl_loop_graph *g)
{
    uint64_t cycles = 1;
    for (uint32_t i = 0; i < g->operation_count; i++)
        cycles += (uint64_t)g->operations[i].latency + 1;
    for (uint32_t i = 0; i < g->dependence_count; i++)
        cycles += (uint64_t)llabs((long long)g->dependences[i].latency);
    return cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

/* What resources limit takes a search, whose tables are as large as the interval; all else starts
 * as early as it can. */
static int choose_starts(const struct sl_loop_graph *g, struct sl_loop_schedule *out)
{
    const uint32_t most = enough(g);
    struct placing p = {.graph = g, .interval = out->interval < most ? out->interval : most};
    int rc = begin_placing(&p);
    if (!rc && !g->resource_count)
        sl_earliest_starts(g, p.interval, p.start);
    else if (!rc)
        for (uint32_t tries = 0; (rc = try_interval(&p)) > 0; tries++) {
            p.interval += tries < STEPS ? 1 : p.interval;
            rc = p.interval > MOST_INTERVAL ? -1 : 0;
            if (rc)
                break;
        }
    out->interval = p.interval > out->interval ? p.interval : out->interval;
    for (uint32_t i = 0; !rc && i < g->operation_count; i++) {
        uint32_t end = (uint32_t)p.start[i] + g->operations[i].latency;
        out->start[i] = (uint32_t)p.start[i];
        out->depth = end > out->depth ? end : out->depth;
    }
    finish_placing(&p);
    return rc;
}

static void find_resource(const struct sl_loop_graph *g, struct sl_loop_schedule *out)
{
    out->resource = SL_NO_RESOURCE;
    out->resource_interval = 1;
    for (uint32_t r = 0; r < g->resource_count; r++) {
        uint32_t interval = (g->uses[r] + g->ports[r] - 1) / g->ports[r];
        if (interval <= out->resource_interval)
            continue;
        out->resource_interval = interval;
        out->resource = r;
    }
}

int sl_modulo_schedule(const struct sl_loop_graph *g, struct sl_loop_schedule *out)
{
    *out = (struct sl_loop_schedule){0};
    out->start = calloc(g->operation_count + (size_t)1, sizeof *out->start);
    if (!out->start || sl_find_recurrences(g, out))
        return -1;
    find_resource(g, out);
    out->interval = out->recurrence_interval > out->resource_interval ? out->recurrence_interval
                                                                      : out->resource_interval;
    if (out->interval < g->least_interval)
        out->interval = g->least_interval;
    return choose_starts(g, out);
}

void sl_modulo_finish(struct sl_loop_schedule *schedule)
{
    free(schedule->start);
    free(schedule->recurrence);
    *schedule = (struct sl_loop_schedule){0};
}
