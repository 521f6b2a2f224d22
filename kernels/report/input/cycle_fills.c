/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in each pipe in the course of a run with a clock: time is cut into equal parts, and a
 * number told for the end of each. Of pipes between two kernels, as long as all operations were
 * kept. No shared state.
 */
#include <stdlib.h>
#include <string.h>

#include "report/input/design_clock.h"
#include "report/input/json_row.h"

enum { PARTS = 200, MOST_PIPES = 100 };

struct counter {
    struct sl_report_design *design;
    int64_t *changes; /* owned; of each pipe that is told, in each part */
    uint32_t *row;    /* owned; of each pipe: its number among those, from 1; 0: it is not told */
    uint64_t *known;  /* owned; of each kernel: the last cycle of which something was kept */
    uint64_t width;   /* cycles of a part */
    uint64_t end;     /* until this cycle everything is known */
};

static bool is_told(const struct sl_design_pipe *pipe)
{
    return pipe->writer >= 0 && pipe->reader >= 0 && !pipe->other_writers && !pipe->other_readers &&
           !*pipe->host && !*pipe->io && pipe->packets;
}

static void count(struct counter *c, const json_t *event)
{
    const char *what = json_string_value(json_array_get(event, 2));
    uint64_t cycle = sl_json_count_at(event, 0), pipe = sl_json_count_at(event, 3);
    uint64_t packets = sl_json_count_at(event, 4), kernel = sl_json_count_at(event, 1);
    if (kernel < c->design->kernel_count && cycle > c->known[kernel])
        c->known[kernel] = cycle;
    if (!what || pipe >= c->design->pipe_count || !c->row[pipe] || packets > UINT32_MAX ||
        cycle >= c->design->cycles)
        return;
    int64_t change = !strcmp(what, "write") ? 1 : !strcmp(what, "read") ? -1 : 0;
    c->changes[(c->row[pipe] - 1) * (size_t)PARTS + cycle / c->width] += change * (int64_t)packets;
}

static void add_fills(struct counter *c, uint32_t pipe)
{
    struct sl_report_design *design = c->design;
    const int64_t *changes = &c->changes[(c->row[pipe] - 1) * (size_t)PARTS];
    struct sl_design_fill *fill = &design->fills[design->fill_count];
    int64_t now = 0;
    fill->values = calloc(PARTS, sizeof *fill->values);
    design->short_of_memory |= !fill->values;
    if (!fill->values)
        return;
    fill->pipe = pipe;
    fill->width = c->width;
    for (; fill->count < PARTS && fill->count * c->width < c->end; fill->count++) {
        now += changes[fill->count];
        fill->values[fill->count] = now > 0 ? (uint32_t)now : 0;
    }
    design->fill_count++;
}

/* Of kernels that move packets of these pipes the first one that is not known any further. */
static void find_end(struct counter *c)
{
    for (size_t p = 0; p < c->design->pipe_count; p++)
        if (c->row[p])
            for (int end = 0; end < 2; end++) {
                const struct sl_design_pipe *pipe = &c->design->pipes[p];
                uint64_t known = c->known[end ? pipe->reader : pipe->writer];
                c->end = known < c->end ? known : c->end;
            }
}

void sl_design_cycle_fills_read(struct sl_report_design *design, const json_t *clock)
{
    const json_t *events = json_object_get(clock, "events");
    if (!json_array_size(events))
        return;
    struct counter c = {
        .design = design, .width = design->cycles / PARTS + 1, .end = design->cycles};
    uint32_t told = 0;
    c.row = calloc(design->pipe_count + 1, sizeof *c.row);
    for (size_t p = 0; c.row && p < design->pipe_count && told < MOST_PIPES; p++)
        if (is_told(&design->pipes[p]))
            c.row[p] = ++told;
    c.changes = calloc((size_t)told * PARTS + 1, sizeof *c.changes);
    design->fills = calloc(told + (size_t)1, sizeof *design->fills);
    c.known = calloc(design->kernel_count + 1, sizeof *c.known);
    bool able = c.row && c.changes && c.known && design->fills;
    design->short_of_memory |= !able;
    if (able) {
        for (size_t i = 0; i < json_array_size(events); i++)
            count(&c, json_array_get(events, i));
        if (sl_json_count_of(clock, "events_left_out"))
            find_end(&c);
        for (uint32_t p = 0; p < design->pipe_count; p++)
            if (c.row[p])
                add_fills(&c, p);
    }
    free(c.row);
    free(c.changes);
    free(c.known);
}
