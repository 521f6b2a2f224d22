/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline in cycles: time is cut into equal parts, and in each a kernel does what it does for
 * the most of it. So it stays small however long the run was. No shared state.
 */
#include <stdlib.h>
#include <string.h>

#include "report/input/design_clock.h"
#include "report/input/json_row.h"

enum { PARTS = 800, MOST_KERNELS = 200 }; /* as many rows as timeline.c draws */

struct part {
    uint64_t cycles[SL_DESIGN_STATES]; /* those that run include all others */
};

struct cutter {
    struct sl_report_design *design;
    struct part *parts; /* owned; of each kernel */
    uint64_t *known;    /* owned; of each kernel: until which cycle it is known what it did */
    size_t kernels, count;
    uint64_t width; /* cycles of a part */
};

static void cover(struct cutter *c, size_t kernel, enum sl_design_state state, uint64_t from,
                  uint64_t to)
{
    if (kernel >= c->kernels || to > c->design->cycles)
        return;
    while (from < to) {
        uint64_t part = from / c->width, end = (part + 1) * c->width;
        end = end < to ? end : to;
        c->parts[kernel * c->count + part].cycles[state] += end - from;
        from = end;
    }
}

static void cover_wait(struct cutter *c, const json_t *row)
{
    const char *what = json_string_value(json_array_get(row, 2));
    uint64_t cycle = sl_json_count_at(row, 0), waited = sl_json_count_at(row, 5);
    uint64_t kernel = sl_json_count_at(row, 1);
    if (kernel < c->kernels && cycle > c->known[kernel])
        c->known[kernel] = cycle;
    if (what && waited && waited <= cycle)
        cover(c, kernel, !strcmp(what, "write") ? SL_DESIGN_FULL : SL_DESIGN_EMPTY, cycle - waited,
              cycle);
}

/* Without events all that is known is when it began and ended. */
static void cover_runs(struct cutter *c, size_t kernel, bool some_left_out)
{
    const struct sl_report_kernel *row = &c->design->kernels[kernel];
    const struct sl_design_wait *last = sl_design_wait_of(c->design, kernel);
    if (!row->runs)
        return;
    cover(c, kernel, SL_DESIGN_RUN, row->begin, last ? c->design->cycles : row->end);
    if (last)
        cover(c, kernel, last->write ? SL_DESIGN_FULL : SL_DESIGN_EMPTY, row->end,
              c->design->cycles);
    if (some_left_out)
        cover(c, kernel, SL_DESIGN_UNKNOWN, c->known[kernel], row->end);
}

/* -1: it does nothing. */
static int state_of(const struct part *part)
{
    uint64_t full = part->cycles[SL_DESIGN_FULL], empty = part->cycles[SL_DESIGN_EMPTY];
    if (!part->cycles[SL_DESIGN_RUN])
        return -1;
    if (2 * part->cycles[SL_DESIGN_UNKNOWN] > part->cycles[SL_DESIGN_RUN])
        return SL_DESIGN_UNKNOWN;
    if (2 * (full + empty) <= part->cycles[SL_DESIGN_RUN])
        return SL_DESIGN_RUN;
    return full > empty ? SL_DESIGN_FULL : SL_DESIGN_EMPTY;
}

static void add_spans(struct cutter *c, size_t kernel)
{
    struct sl_report_design *design = c->design;
    int before = -1;
    for (size_t p = 0; p < c->count; p++) {
        int state = state_of(&c->parts[kernel * c->count + p]);
        uint64_t from = p * c->width, to = from + c->width;
        to = to < design->cycles ? to : design->cycles;
        if (state >= 0 && state == before)
            design->cycle_spans[design->cycle_span_count - 1].end_ns = to;
        else if (state >= 0)
            design->cycle_spans[design->cycle_span_count++] =
                (struct sl_design_span){(uint32_t)kernel, (enum sl_design_state)state, from, to};
        before = state;
    }
}

void sl_design_cycle_spans_read(struct sl_report_design *design, const json_t *clock)
{
    const json_t *events = json_object_get(clock, "events");
    bool some_left_out = sl_json_count_of(clock, "events_left_out") > 0;
    struct cutter c = {.design = design};
    c.kernels = design->kernel_count < MOST_KERNELS ? design->kernel_count : MOST_KERNELS;
    c.width = design->cycles / PARTS + 1;
    c.count = design->cycles / c.width + 1;
    c.parts = calloc(c.kernels * c.count + 1, sizeof *c.parts);
    c.known = calloc(c.kernels + 1, sizeof *c.known);
    design->cycle_spans = calloc(c.kernels * c.count + 1, sizeof *design->cycle_spans);
    bool able = c.parts && c.known && design->cycle_spans;
    design->waits_kept = events != NULL;
    design->short_of_memory |= !able;
    for (size_t i = 0; able && i < json_array_size(events); i++)
        cover_wait(&c, json_array_get(events, i));
    for (size_t k = 0; able && k < c.kernels; k++) {
        cover_runs(&c, k, some_left_out);
        add_spans(&c, k);
    }
    free(c.parts);
    free(c.known);
}
