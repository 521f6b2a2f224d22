/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in each pipe in the course of a run with a clock: time is cut into equal parts, and of
 * each the least and the most is told, so that no part hides what happens in it. Of pipes between
 * two kernels, as long as all operations were kept. No shared state.
 */
#include <stdlib.h>
#include <string.h>

#include "report/input/design_clock.h"
#include "report/input/json_row.h"

enum { PARTS = 4000, MOST_PIPES = 100 };

struct change {
    uint64_t cycle; /* it counts from then on */
    uint32_t row;
    int64_t packets;
};

struct counter {
    struct sl_report_design *design;
    struct change *changes; /* owned */
    size_t change_count;
    uint32_t *row;   /* owned; of each pipe: its number among those told, from 1; 0: it is not */
    uint64_t *known; /* owned; of each kernel: the last cycle of which something was kept */
    uint64_t width;  /* cycles of a part */
    uint64_t end;    /* until this cycle everything is known */
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
    c->changes[c->change_count++] = (struct change){cycle, c->row[pipe], change * (int64_t)packets};
}

/* Kernels run ahead of each other: events do not come in the order of cycles. */
static int by_cycle(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* So many packets in all cycles from one to another, in parts that begin with `least` above `most`.
 */
static void cover(struct sl_design_fill *fill, uint64_t from, uint64_t to, int64_t packets)
{
    uint32_t now = packets > 0 ? (uint32_t)packets : 0;
    uint64_t part = from < to ? from / fill->width : PARTS;
    for (; part < PARTS && part * fill->width < to; part++) {
        fill->least[part] = now < fill->least[part] ? now : fill->least[part];
        fill->most[part] = now > fill->most[part] ? now : fill->most[part];
        fill->count = (uint32_t)part + 1;
    }
}

/* `at`: the first change of this pipe. Returns the first of the next one. */
static size_t add_fills(struct counter *c, uint32_t pipe, size_t at)
{
    struct sl_report_design *design = c->design;
    struct sl_design_fill *fill = &design->fills[design->fill_count++];
    uint64_t cycle = 0;
    int64_t now = 0;
    *fill = (struct sl_design_fill){.pipe = pipe, .width = c->width};
    fill->least = malloc(PARTS * sizeof *fill->least);
    fill->most = calloc(PARTS, sizeof *fill->most);
    design->short_of_memory |= !fill->least || !fill->most;
    bool able = fill->least && fill->most;
    if (able)
        memset(fill->least, 0xff, PARTS * sizeof *fill->least);
    for (; at < c->change_count && c->changes[at].row == c->row[pipe]; at++) {
        uint64_t until = c->changes[at].cycle < c->end ? c->changes[at].cycle : c->end;
        if (able && until > cycle)
            cover(fill, cycle, until, now);
        cycle = until;
        now += c->changes[at].packets;
    }
    if (able)
        cover(fill, cycle, c->end, now);
    return at;
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
    c.changes = calloc(json_array_size(events) + 1, sizeof *c.changes);
    design->fills = calloc(told + (size_t)1, sizeof *design->fills);
    c.known = calloc(design->kernel_count + 1, sizeof *c.known);
    bool able = c.row && c.changes && c.known && design->fills;
    design->short_of_memory |= !able;
    if (able) {
        for (size_t i = 0; i < json_array_size(events); i++)
            count(&c, json_array_get(events, i));
        if (sl_json_count_of(clock, "events_left_out"))
            find_end(&c);
        qsort(c.changes, c.change_count, sizeof *c.changes, by_cycle);
        size_t at = 0;
        for (uint32_t p = 0; p < design->pipe_count; p++)
            if (c.row[p])
                at = add_fills(&c, p, at);
    }
    free(c.row);
    free(c.changes);
    free(c.known);
}
