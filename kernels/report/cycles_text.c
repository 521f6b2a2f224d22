/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Every number of the file is checked before it is an index. */
#include "cycles_text.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"

struct page {
    struct sl_report_design design;
    const json_t *clock, *schedule; /* in the file */
    FILE *out;
    int width; /* of names */
};

typedef unsigned long long number;

static number count_of(const json_t *row, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(row, key));
    return value > 0 ? (number)value : 0;
}

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

static const struct sl_report_kernel *kernel_of(const struct page *p, const json_t *row)
{
    number kernel = count_of(row, "kernel");
    return kernel < p->design.kernel_count ? &p->design.kernels[kernel] : NULL;
}

/* The loops of a kernel in the schedule; NULL: it has none. */
static const json_t *loops_of(const struct page *p, const char *kernel)
{
    const json_t *kernels = json_object_get(p->schedule, "kernels");
    for (size_t i = 0; i < json_array_size(kernels); i++)
        if (!strcmp(text_of(json_array_get(kernels, i), "name"), kernel))
            return json_object_get(json_array_get(kernels, i), "loops");
    return NULL;
}

static number iterations_of(const json_t *row, size_t loop)
{
    const json_t *counts = json_array_get(json_object_get(row, "loops"), loop);
    json_int_t value = json_integer_value(json_array_get(counts, 1));
    return value > 0 ? (number)value : 0;
}

static number entries_of(const json_t *row, size_t loop)
{
    const json_t *counts = json_array_get(json_object_get(row, "loops"), loop);
    json_int_t value = json_integer_value(json_array_get(counts, 0));
    return value > 0 ? (number)value : 0;
}

/* ---- what limits the design ------------------------------------------------------------------ */

static number work_of(const json_t *row)
{
    number busy = count_of(row, "busy"), stalled = count_of(row, "stalled");
    return busy > stalled ? busy - stalled : 0;
}

/* Cycles that a loop takes if it never waits. */
static number loop_work(const json_t *loop, const json_t *row, size_t at)
{
    number entries = entries_of(row, at), iterations = iterations_of(row, at);
    number depth = count_of(loop, "depth"), ii = count_of(loop, "ii");
    if (!json_is_true(json_object_get(loop, "pipelined")) || iterations < entries)
        return 0;
    return (iterations - entries) * ii + entries * depth;
}

static void print_loop_in_words(const struct page *p, const json_t *row, const char *kernel)
{
    const json_t *loops = loops_of(p, kernel), *most = NULL;
    number cycles = 0;
    for (size_t i = 0; i < json_array_size(loops); i++) {
        number work = loop_work(json_array_get(loops, i), row, i);
        if (work <= cycles)
            continue;
        cycles = work;
        most = json_array_get(loops, i);
    }
    if (most)
        fprintf(p->out, ", %llu of them in the loop at %s:%llu (%s)", cycles, text_of(most, "file"),
                count_of(most, "line"), text_of(most, "why"));
}

static void print_words(const struct page *p)
{
    const json_t *kernels = json_object_get(p->clock, "kernels"), *most = NULL;
    number cycles = count_of(p->clock, "cycles"), mhz = count_of(p->schedule, "clock_mhz");
    fprintf(p->out, "%llu cycles", cycles);
    if (mhz)
        fprintf(p->out, ", %llu.%03llu us at %llu MHz", cycles / mhz, cycles % mhz * 1000 / mhz,
                mhz);
    putc('\n', p->out);
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *row = json_array_get(kernels, i);
        if (kernel_of(p, row) && (!most || work_of(row) > work_of(most)))
            most = row;
    }
    if (!most || !work_of(most))
        return;
    const char *name = kernel_of(p, most)->name;
    fprintf(p->out, "'%s' has most to do: %llu cycles without waiting", name, work_of(most));
    print_loop_in_words(p, most, name);
    putc('\n', p->out);
    const json_t *doubts = json_object_get(p->clock, "doubts");
    for (size_t i = 0; i < json_array_size(doubts); i++) {
        const char *doubt = json_string_value(json_array_get(doubts, i));
        fprintf(p->out, "not exact: %s\n", doubt ? doubt : "");
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_kernels(const struct page *p)
{
    const json_t *kernels = json_object_get(p->clock, "kernels");
    fprintf(p->out, "\n%-*s      runs       begin         end        busy     waiting\n", p->width,
            "kernel");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *row = json_array_get(kernels, i);
        const struct sl_report_kernel *kernel = kernel_of(p, row);
        if (kernel)
            fprintf(p->out, "%-*s  %8llu  %10llu  %10llu  %10llu  %10llu\n", p->width, kernel->name,
                    count_of(row, "runs"), count_of(row, "begin"), count_of(row, "end"),
                    count_of(row, "busy"), count_of(row, "stalled"));
    }
}

static void print_loops_of(const struct page *p, const json_t *row, const char *kernel)
{
    const json_t *loops = loops_of(p, kernel);
    for (size_t i = 0; i < json_array_size(loops); i++) {
        const json_t *loop = json_array_get(loops, i);
        if (entries_of(row, i))
            fprintf(p->out, "%-*s  %8llu  %10llu  %10llu  line %llu: %s\n", p->width, kernel,
                    entries_of(row, i), iterations_of(row, i), loop_work(loop, row, i),
                    count_of(loop, "line"), text_of(loop, "why"));
    }
}

static void print_loops(const struct page *p)
{
    const json_t *kernels = json_object_get(p->clock, "kernels");
    fprintf(p->out, "\n%-*s   entries  iterations      cycles  loop\n", p->width, "kernel");
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *row = json_array_get(kernels, i);
        if (kernel_of(p, row))
            print_loops_of(p, row, kernel_of(p, row)->name);
    }
}

static void print_pipes(const struct page *p)
{
    const json_t *pipes = json_object_get(p->clock, "pipes");
    if (json_array_size(pipes))
        fprintf(p->out, "\n%-*s     depth     packets   full (wr)  empty (rd)\n", p->width, "pipe");
    for (size_t i = 0; i < json_array_size(pipes); i++) {
        const json_t *row = json_array_get(pipes, i);
        number pipe = count_of(row, "pipe");
        if (pipe >= p->design.pipe_count)
            continue;
        const struct sl_design_pipe *of = &p->design.pipes[pipe];
        fprintf(p->out, "%-*s  %8u  %10llu  %10llu  %10llu\n", p->width, of->name, of->depth,
                (number)of->packets, count_of(row, "full"), count_of(row, "empty"));
    }
}

static void print_sites(const struct page *p)
{
    const json_t *sites = json_object_get(p->clock, "sites");
    if (json_array_size(sites))
        fprintf(p->out, "\ncycles that were waited\n");
    for (size_t i = 0; i < json_array_size(sites); i++) {
        const json_t *row = json_array_get(sites, i);
        number site = count_of(row, "site");
        if (site >= p->design.site_count)
            continue;
        const struct sl_design_site *of = &p->design.sites[site];
        fprintf(p->out, "%10llu  %s:%u:%u: %s of %s in %s\n", count_of(row, "cycles"), of->file,
                of->line, of->column, of->write ? "write" : "read",
                of->pipe < 0 ? "an argument" : p->design.pipes[of->pipe].name,
                p->design.kernels[of->kernel].name);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void measure_names(struct page *p)
{
    size_t width = strlen("kernel");
    for (size_t i = 0; i < p->design.kernel_count; i++)
        if (strlen(p->design.kernels[i].name) > width)
            width = strlen(p->design.kernels[i].name);
    for (size_t i = 0; i < p->design.pipe_count; i++)
        if (strlen(p->design.pipes[i].name) > width)
            width = strlen(p->design.pipes[i].name);
    p->width = width < 1000 ? (int)width : 1000;
}

static const char *what_is_missing(const struct page *p)
{
    if (!p->clock)
        return "there is no clock in it: programs need -sluice-timing";
    if (!json_is_true(json_object_get(p->clock, "whole")))
        return "the clock is not that of a whole run: counters were pulled";
    return NULL;
}

int sl_cycles_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    struct page page = {.out = out};
    int rc = sl_design_from_json(&page.design, profile, bytes, why, size);
    json_t *root = rc ? NULL : json_loadb(profile, bytes, 0, NULL);
    if (!rc) {
        page.clock = json_object_get(root, "clock");
        page.schedule = json_object_get(root, "schedule");
        const char *missing = what_is_missing(&page);
        rc = missing ? -1 : 0;
        if (missing)
            snprintf(why, size, "%s", missing);
    }
    if (!rc) {
        measure_names(&page);
        print_words(&page);
        print_kernels(&page);
        print_loops(&page);
        print_pipes(&page);
        print_sites(&page);
    }
    json_decref(root);
    sl_design_finish(&page.design);
    return rc;
}
