/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/depths_text.h"

#include <stdlib.h>
#include <string.h>

#include "report/depths.h"
#include "report/input/trace.h"

struct page {
    const struct sl_trace_file *file;
    const struct sl_depths *depths;
    FILE *out;
};

static void print_head(const struct page *p)
{
    const struct sl_trace_file *file = p->file;
    fprintf(p->out, "%llu operations of %u runs of kernels on %u pipes; ",
            (unsigned long long)file->event_count, file->replay.run_count, file->replay.pipe_count);
    if (file->scheduled)
        fprintf(p->out, "cycles by the schedule of the loops\n\n");
    else
        fprintf(p->out, "one operation a cycle: the program was built without -sluice-timing\n\n");
}

static int longest_name(const struct sl_report_design *d)
{
    size_t longest = strlen("pipe");
    for (size_t i = 0; i < d->pipe_count; i++)
        longest = strlen(d->pipes[i].name) > longest ? strlen(d->pipes[i].name) : longest;
    return (int)longest;
}

/* Those of the run itself first. */
static void print_cycles(const struct page *p, int width)
{
    const struct sl_report_design *d = &p->file->design;
    uint32_t *depths = calloc(d->pipe_count + 1, sizeof *depths);
    uint64_t own = UINT64_MAX;
    for (size_t i = 0; depths && i < d->pipe_count; i++)
        depths[i] = d->pipes[i].depth ? d->pipes[i].depth : 1;
    if (depths)
        own = sl_depths_cycles(&p->file->replay, depths);
    fprintf(p->out, "cycles%*s  ", width > 6 ? width - 6 : 0, "");
    if (own == UINT64_MAX)
        fprintf(p->out, "%5s", "");
    else
        fprintf(p->out, "%5llu", (unsigned long long)own);
    fprintf(p->out, "  %6s  %11llu  %10llu\n", "", (unsigned long long)p->depths->safe_cycles,
            (unsigned long long)p->depths->fast_cycles);
    free(depths);
}

static void print_table(const struct page *p)
{
    const struct sl_report_design *d = &p->file->design;
    int width = longest_name(d);
    fprintf(p->out, "%-*s  depth  filled  no deadlock  full speed\n", width, "pipe");
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct sl_design_pipe *pipe = &d->pipes[i];
        fprintf(p->out, "%-*s  %5u  %6llu  ", width, pipe->name, pipe->depth,
                (unsigned long long)pipe->high_water);
        if (p->file->fixed[i])
            fprintf(p->out, "%11u  %10u  kept: %s\n", pipe->depth, pipe->depth,
                    p->file->why_fixed[i]);
        else
            fprintf(p->out, "%11u  %10u\n", p->depths->safe[i], p->depths->fast[i]);
    }
    print_cycles(p, width);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Of an array all elements have one depth. */
static size_t base_length(const char *name)
{
    return strcspn(name, "[");
}

static bool is_first(const struct sl_report_design *d, size_t at)
{
    size_t length = base_length(d->pipes[at].name);
    for (size_t i = 0; i < at; i++)
        if (base_length(d->pipes[i].name) == length &&
            !strncmp(d->pipes[i].name, d->pipes[at].name, length))
            return false;
    return true;
}

static uint32_t deepest(const struct page *p, size_t first, const uint32_t *depths)
{
    const struct sl_report_design *d = &p->file->design;
    size_t length = base_length(d->pipes[first].name);
    uint32_t most = 0;
    for (size_t i = first; i < d->pipe_count; i++)
        if (base_length(d->pipes[i].name) == length && depths[i] > most &&
            !strncmp(d->pipes[i].name, d->pipes[first].name, length))
            most = depths[i];
    return most;
}

static void print_attributes(const struct page *p, const char *title, const uint32_t *depths)
{
    const struct sl_report_design *d = &p->file->design;
    fprintf(p->out, "\n%s:\n", title);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct sl_design_pipe *pipe = &d->pipes[i];
        if (p->file->fixed[i] || !is_first(d, i))
            continue;
        fprintf(p->out, "%s:%u: %.*s __attribute__((depth(%u)))\n", pipe->file, pipe->line,
                (int)base_length(pipe->name), pipe->name, deepest(p, i, depths));
    }
}

static void print_notes(const struct page *p)
{
    uint32_t after = 0;
    for (uint32_t i = 0; i < p->file->replay.run_count; i++)
        after += p->file->replay.runs[i].starts_after > 0;
    if (after)
        fprintf(p->out,
                "\n%u runs were submitted when others had ended, and are taken to need that: what "
                "those wrote for them has to fit.\n",
                after);
}

int sl_depths_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    struct sl_trace_file file;
    struct sl_depths depths = {0};
    const char *reason;
    int rc = sl_trace_read(&file, profile, bytes, why, size);
    if (!rc && sl_depths_find(&depths, &file.replay, file.most, file.fixed, &reason)) {
        snprintf(why, size, "%s", reason);
        rc = -1;
    }
    if (!rc) {
        const struct page page = {&file, &depths, out};
        print_head(&page);
        print_table(&page);
        print_attributes(&page, "no deadlock", depths.safe);
        print_attributes(&page, "full speed", depths.fast);
        print_notes(&page);
    }
    sl_depths_finish(&depths);
    sl_trace_finish(&file);
    return rc;
}
