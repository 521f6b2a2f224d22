/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With an interval II a dependence weighs latency - II * distance, and starts exist if no cycle has
 * a positive weight. Longest ways are relaxed until nothing changes, or the ways that were found
 * close a cycle: that one asks for a larger II, and the search goes on from there.
 */
#include "timing/recurrence.h"

#include <stdlib.h>
#include <string.h>

static int64_t weight(const struct sl_loop_dependence *d, uint32_t interval)
{
    return (int64_t)d->latency - (int64_t)interval * d->distance;
}

#define NO_WAY UINT32_MAX

struct search {
    const struct sl_loop_graph *graph;
    int64_t *start;
    uint32_t *by;    /* of an operation: the dependence that set its start */
    uint32_t *color; /* of a walk back: its number */
};

static bool relax(struct search *s, uint32_t interval)
{
    const struct sl_loop_graph *g = s->graph;
    bool changed = false;
    for (uint32_t i = 0; i < g->dependence_count; i++) {
        const struct sl_loop_dependence *d = &g->dependences[i];
        int64_t start = s->start[d->from] + weight(d, interval);
        if (start <= s->start[d->to])
            continue;
        s->start[d->to] = start;
        s->by[d->to] = i;
        changed = true;
    }
    return changed;
}

/* An operation on a cycle of the ways back; NO_WAY: there is none. */
static uint32_t find_cycle(struct search *s)
{
    const struct sl_loop_graph *g = s->graph;
    memset(s->color, 0, g->operation_count * sizeof *s->color);
    for (uint32_t first = 0; first < g->operation_count; first++) {
        uint32_t at = first;
        while (!s->color[at] && s->by[at] != NO_WAY) {
            s->color[at] = first + 1;
            at = g->dependences[s->by[at]].from;
        }
        if (s->color[at] == first + 1)
            return at;
        s->color[at] = s->color[at] ? s->color[at] : first + 1;
    }
    return NO_WAY;
}

/* NO_WAY: none is too long for this interval. */
static uint32_t too_long(struct search *s, uint32_t interval)
{
    uint32_t count = s->graph->operation_count, found = NO_WAY;
    memset(s->start, 0, count * sizeof *s->start);
    memset(s->by, 0xff, count * sizeof *s->by);
    while (found == NO_WAY && relax(s, interval))
        found = find_cycle(s);
    return found;
}

static int keep(const struct search *s, uint32_t on, struct sl_loop_schedule *out)
{
    const struct sl_loop_graph *g = s->graph;
    uint32_t at = on;
    out->recurrence_count = out->recurrence_latency = out->recurrence_distance = 0;
    do { /* from the last dependence to the first */
        const struct sl_loop_dependence *d = &g->dependences[s->by[at]];
        out->recurrence_latency += (uint32_t)d->latency;
        out->recurrence_distance += d->distance;
        out->recurrence[out->recurrence_count++] = s->by[at];
        at = d->from;
    } while (at != on);
    for (uint32_t i = 0; i < out->recurrence_count / 2; i++) {
        uint32_t *a = &out->recurrence[i];
        uint32_t *b = &out->recurrence[out->recurrence_count - 1 - i];
        uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
    if (!out->recurrence_distance)
        return -1;
    out->recurrence_interval =
        (out->recurrence_latency + out->recurrence_distance - 1) / out->recurrence_distance;
    return 0;
}

int sl_find_recurrences(const struct sl_loop_graph *g, struct sl_loop_schedule *out)
{
    size_t count = g->operation_count;
    struct search s = {.graph = g,
                       .start = calloc(count + 1, sizeof *s.start),
                       .by = calloc(count + 1, sizeof *s.by),
                       .color = calloc(count + 1, sizeof *s.color)};
    out->recurrence = calloc(count + 1, sizeof *out->recurrence);
    out->recurrence_interval = 1;
    int rc = s.start && s.by && s.color && out->recurrence ? 0 : -1;
    while (!rc) {
        uint32_t on = too_long(&s, out->recurrence_interval);
        if (on == NO_WAY)
            break;
        rc = keep(&s, on, out);
    }
    free(s.start);
    free(s.by);
    free(s.color);
    return rc;
}

void sl_earliest_starts(const struct sl_loop_graph *g, uint32_t interval, int64_t *starts)
{
    bool changed = true;
    memset(starts, 0, g->operation_count * sizeof *starts);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < g->dependence_count; i++) {
            const struct sl_loop_dependence *d = &g->dependences[i];
            int64_t start = starts[d->from] + weight(d, interval);
            changed |= start > starts[d->to];
            starts[d->to] = start > starts[d->to] ? start : starts[d->to];
        }
    }
}

void sl_heights(const struct sl_loop_graph *g, uint32_t interval, int64_t *heights)
{
    bool changed = true;
    for (uint32_t i = 0; i < g->operation_count; i++)
        heights[i] = g->operations[i].latency;
    while (changed) {
        changed = false;
        for (uint32_t i = g->dependence_count; i-- > 0;) {
            const struct sl_loop_dependence *d = &g->dependences[i];
            int64_t height = heights[d->to] + weight(d, interval);
            changed |= height > heights[d->from];
            heights[d->from] = height > heights[d->from] ? height : heights[d->from];
        }
    }
}
