/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Every number of the file is checked before it is an index. */
#include "report/input/design_clock.h"
#include "report/input/json_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a loop in which work-items take turns: as if it were never idle, but no less than one of them
 * takes by itself. */
static uint64_t cycles_of_turns(const struct sl_design_loop *loop)
{
    const uint64_t all = loop->iterations * loop->interval + loop->depth - loop->interval;
    const uint64_t alone =
        loop->entries ? (loop->iterations + loop->entries - 1) / loop->entries * loop->depth : 0;
    return all > alone ? all : alone;
}

/* Entries without an iteration take none, and how many there were is not told: no more than the
 * kernel had to do. */
static uint64_t cycles_of(const struct sl_design_loop *loop, uint64_t most)
{
    const uint64_t entries = loop->entries < loop->iterations ? loop->entries : loop->iterations;
    uint64_t cycles = 0;
    if (loop->interleaved && loop->iterations)
        cycles = cycles_of_turns(loop);
    else if (loop->pipelined)
        cycles = (loop->iterations - entries) * loop->interval + entries * loop->depth;
    return cycles < most ? cycles : most;
}

/* Of several compute units a loop keeps the counts of the one with most. */
static void read_counts(struct sl_design_loop *loop, const struct sl_report_kernel *kernel,
                        const json_t *counts)
{
    struct sl_design_loop unit = *loop;
    unit.entries = sl_json_count_at(counts, 0);
    unit.iterations = sl_json_count_at(counts, 1);
    unit.cycles = cycles_of(&unit, sl_report_work(kernel));
    unit.units += unit.entries > 0;
    unit.iterations_all += unit.iterations;
    unit.unit = kernel->name;
    if (!loop->units || unit.cycles > loop->cycles ||
        (unit.cycles == loop->cycles && unit.iterations > loop->iterations)) {
        *loop = unit;
        return;
    }
    loop->units = unit.units;
    loop->iterations_all = unit.iterations_all;
}

static void read_loops(struct sl_report_design *design, const struct sl_report_kernel *kernel,
                       const json_t *rows)
{
    size_t at = 0;
    for (size_t i = 0; i < design->loop_count; i++)
        if (sl_design_loop_is_of(design, &design->loops[i], kernel->name))
            read_counts(&design->loops[i], kernel, json_array_get(rows, at++));
}

static void read_kernel(struct sl_report_design *design, const json_t *row)
{
    uint64_t at = sl_json_count_of(row, "kernel");
    if (at >= design->kernel_count)
        return;
    struct sl_report_kernel *kernel = &design->kernels[at];
    kernel->runs = sl_json_count_of(row, "runs");
    kernel->begin = sl_json_count_of(row, "begin");
    kernel->end = sl_json_count_of(row, "end");
    kernel->busy = sl_json_count_of(row, "busy");
    kernel->late = sl_json_count_of(row, "stalled");
    read_loops(design, kernel, json_object_get(row, "loops"));
}

static void read_pipe(struct sl_report_design *design, const json_t *row)
{
    uint64_t at = sl_json_count_of(row, "pipe");
    if (at >= design->pipe_count)
        return;
    design->pipes[at].full_cycles = sl_json_count_of(row, "full");
    design->pipes[at].empty_cycles = sl_json_count_of(row, "empty");
}

static void read_site(struct sl_report_design *design, const json_t *row)
{
    uint64_t at = sl_json_count_of(row, "site");
    if (at < design->site_count)
        design->sites[at].wait_cycles = sl_json_count_of(row, "cycles");
}

static void read_rows(struct sl_report_design *design, const json_t *rows,
                      void (*read)(struct sl_report_design *, const json_t *))
{
    for (size_t i = 0; i < json_array_size(rows); i++)
        read(design, json_array_get(rows, i));
}

/* One text, each reason on a line of its own. */
static char *join_doubts(struct sl_report_design *design, const json_t *rows)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; out && i < json_array_size(rows); i++) {
        const char *doubt = json_string_value(json_array_get(rows, i));
        fprintf(out, "%s%s", i ? "\n" : "", doubt ? doubt : "");
    }
    bool failed = !out || fclose(out);
    char *copy = failed ? NULL : sl_design_copy(design, text);
    design->short_of_memory |= !copy;
    free(text);
    return copy;
}

void sl_design_clock_read(struct sl_report_design *design, const json_t *clock)
{
    if (!json_is_object(clock))
        return;
    design->clock =
        json_is_true(json_object_get(clock, "whole")) ? SL_DESIGN_TIMED : SL_DESIGN_CLOCK_LOST;
    design->doubts = join_doubts(design, json_object_get(clock, "doubts"));
    if (design->clock != SL_DESIGN_TIMED)
        return;
    design->cycles = sl_json_count_of(clock, "cycles");
    read_rows(design, json_object_get(clock, "kernels"), read_kernel);
    read_rows(design, json_object_get(clock, "pipes"), read_pipe);
    read_rows(design, json_object_get(clock, "sites"), read_site);
    sl_design_cycle_spans_read(design, clock);
    sl_design_cycle_fills_read(design, clock);
}
