/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/depths_text.h"

#include <stdlib.h>
#include <string.h>

#include "report/depths.h"
#include "report/depths_stopped.h"
#include "report/input/demangle.h"
#include "report/input/trace.h"

struct page {
    const struct sl_trace_file *file;
    const struct sl_depths *depths;
    FILE *out;
    char **shown; /* owned; of each pipe, its name as the program has it */
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

static int longest_name(const struct page *p)
{
    size_t longest = strlen("pipe");
    for (size_t i = 0; i < p->file->design.pipe_count; i++)
        longest = strlen(p->shown[i]) > longest ? strlen(p->shown[i]) : longest;
    return (int)longest;
}

/* Those of the run itself first. */
static void print_cycles(const struct page *p, int width)
{
    uint64_t own = p->depths->own_cycles;
    fprintf(p->out, "cycles%*s  ", width > 6 ? width - 6 : 0, "");
    if (own == UINT64_MAX)
        fprintf(p->out, "%5s", "");
    else
        fprintf(p->out, "%5llu", (unsigned long long)own);
    fprintf(p->out, "  %6s  %11llu  %10llu\n", "",
            (unsigned long long)sl_depths_smallest(p->depths)->cycles,
            (unsigned long long)sl_depths_fastest(p->depths)->cycles);
}

static void print_table(const struct page *p)
{
    const struct sl_report_design *d = &p->file->design;
    const uint32_t *safe = sl_depths_smallest(p->depths)->depths;
    const uint32_t *fast = sl_depths_fastest(p->depths)->depths;
    int width = longest_name(p);
    fprintf(p->out, "%-*s  depth  filled  no deadlock  full speed\n", width, "pipe");
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct sl_design_pipe *pipe = &d->pipes[i];
        const char *why = p->file->why_kept[i];
        bool kept = p->file->pipes[i].kind == SL_DEPTH_KEPT;
        fprintf(p->out, "%-*s  %5u  %6llu  %11u  %10u%s%s\n", width, p->shown[i], pipe->depth,
                (unsigned long long)pipe->high_water, safe[i], fast[i],
                kept  ? "  kept: "
                : why ? "  "
                      : "",
                why ? why : "");
    }
    print_cycles(p, width);
}

/* ---- between --------------------------------------------------------------------------------- */

/* Which depths are others than in the row above. */
static void print_changes(const struct page *p, uint32_t point)
{
    const struct sl_report_design *d = &p->file->design;
    const uint32_t *depths = p->depths->points[point].depths;
    const char *comma = "";
    for (size_t i = 0; point && i < d->pipe_count; i++)
        if (depths[i] != p->depths->points[point - 1].depths[i]) {
            fprintf(p->out, "%s%s %u", comma, p->shown[i], depths[i]);
            comma = ", ";
        }
    fprintf(p->out, "%s\n", point ? "" : "full speed");
}

static void print_points(const struct page *p)
{
    if (p->depths->count < 2)
        return;
    fprintf(p->out, "\nfrom full speed to no deadlock, with what is less than in the row above:\n");
    fprintf(p->out, "%10s  %10s\n", "cycles", "bytes");
    for (uint32_t i = 0; i < p->depths->count; i++) {
        const struct sl_depths_point *point = &p->depths->points[i];
        fprintf(p->out, "%10llu  %10llu  ", (unsigned long long)point->cycles,
                (unsigned long long)point->bytes);
        print_changes(p, i);
    }
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Of an array all elements have one depth. */
static size_t base_length(const char *name)
{
    return strcspn(name, "[");
}

/* Depths are for what something went through, whoever was there. */
static bool counts(const struct page *p, size_t at)
{
    return p->file->pipes[at].kind != SL_DEPTH_KEPT;
}

static bool is_same_array(const struct page *p, size_t a, size_t b)
{
    const char *x = p->file->design.pipes[a].name, *y = p->file->design.pipes[b].name;
    return base_length(x) == base_length(y) && !strncmp(x, y, base_length(x));
}

/* Of those of an array that count. */
static bool is_first(const struct page *p, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (counts(p, i) && is_same_array(p, i, at))
            return false;
    return counts(p, at);
}

static uint32_t deepest(const struct page *p, size_t first, const uint32_t *depths)
{
    uint32_t most = 0;
    for (size_t i = 0; i < p->file->design.pipe_count; i++)
        if (depths[i] > most && is_same_array(p, i, first) &&
            (counts(p, i) || p->file->design.pipes[i].packets))
            most = depths[i];
    return most;
}

static void print_attributes(const struct page *p, const char *title, const uint32_t *depths)
{
    const struct sl_report_design *d = &p->file->design;
    fprintf(p->out, "\n%s:\n", title);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct sl_design_pipe *pipe = &d->pipes[i];
        if (!is_first(p, i))
            continue;
        const bool same = !strcmp(p->shown[i], pipe->name);
        fprintf(p->out, "%s:%u: %.*s __attribute__((depth(%u)))\n", pipe->file, pipe->line,
                (int)(same ? base_length(pipe->name) : strlen(p->shown[i])), p->shown[i],
                deepest(p, i, depths));
    }
}

static void print_setting(const struct page *p, const char *title, const uint32_t *depths)
{
    const struct sl_report_design *d = &p->file->design;
    const char *space = "";
    fprintf(p->out, "%s: SLUICE_FPGA_DEPTHS='", title);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct sl_design_pipe *pipe = &d->pipes[i];
        if (!is_first(p, i))
            continue;
        fprintf(p->out, "%s%.*s=%u", space, (int)base_length(pipe->name), pipe->name,
                deepest(p, i, depths));
        space = " ";
    }
    fputs("'\n", p->out);
}

static void print_notes(const struct page *p)
{
    uint32_t after = 0;
    for (uint32_t i = 0; i < p->file->replay.run_count; i++)
        after += p->file->replay.runs[i].starts_after > 0;
    if (after)
        fprintf(p->out,
                "\n%u run%s submitted when others had ended, and %s taken to need that: what "
                "those wrote for %s has to fit.\n",
                after, after == 1 ? " was" : "s were", after == 1 ? "is" : "are",
                after == 1 ? "it" : "them");
    uint64_t clock = p->file->design.cycles, own = p->depths->own_cycles;
    if (p->file->design.clock == SL_DESIGN_TIMED && own != UINT64_MAX && own != clock)
        fprintf(p->out,
                "\nThe run took %llu cycles by its clock, not %llu: a trace has neither rates of "
                "what is outside, nor who came first where several kernels use one end of a pipe. "
                "Full speed may need more.\n",
                (unsigned long long)clock, (unsigned long long)own);
}

/* Some launches never end. */
static void print_unfinished(const struct page *p)
{
    const struct sl_replay_trace *replay = &p->file->replay;
    uint32_t unfinished = 0;
    for (uint32_t i = 0; i < replay->run_count; i++)
        unfinished += replay->runs[i].end_rank == UINT32_MAX &&
                      !p->file->design.kernels[replay->runs[i].kernel].autorun;
    if (unfinished)
        fprintf(p->out, "%u run%s of kernels had not ended: what %s beyond that is not known.\n\n",
                unfinished, unfinished == 1 ? "" : "s", unfinished == 1 ? "it needs" : "they need");
}

static void print_page(const struct page *p)
{
    const uint32_t *safe = sl_depths_smallest(p->depths)->depths;
    const uint32_t *fast = sl_depths_fastest(p->depths)->depths;
    print_unfinished(p);
    print_table(p);
    print_points(p);
    print_attributes(p, "no deadlock", safe);
    print_attributes(p, "full speed", fast);
    fputs("\nto try them, whatever the source says:\n", p->out);
    print_setting(p, "no deadlock", safe);
    print_setting(p, "full speed", fast);
    print_notes(p);
}

static char **readable_names(const struct sl_report_design *d)
{
    char **names = calloc(d->pipe_count + 1, sizeof *names);
    bool whole = names != NULL;
    for (size_t i = 0; whole && i < d->pipe_count; i++)
        whole = (names[i] = sl_readable_names(__cxa_demangle, d->pipes[i].name,
                                              strlen(d->pipes[i].name), NULL));
    for (size_t i = 0; names && !whole && i < d->pipe_count; i++)
        free(names[i]);
    if (whole)
        return names;
    free(names);
    return NULL;
}

/* False: no memory. */
static bool print_found(const struct sl_trace_file *file, const struct sl_depths *depths, FILE *out)
{
    const struct page page = {file, depths, out, readable_names(&file->design)};
    if (!page.shown)
        return false;
    print_head(&page);
    if (file->design.stopped)
        sl_depths_print_stopped(out, &file->design);
    else
        print_page(&page);
    for (size_t i = 0; i < file->design.pipe_count; i++)
        free(page.shown[i]);
    free(page.shown);
    return true;
}

int sl_depths_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    struct sl_trace_file file;
    struct sl_depths depths = {0};
    const char *reason;
    int rc = sl_trace_read(&file, profile, bytes, why, size);
    bool stopped = !rc && file.design.stopped;
    if (!rc && !stopped && sl_depths_find(&depths, &file.replay, file.pipes, &reason)) {
        snprintf(why, size, "%s", reason);
        rc = -1;
    }
    if (!rc && !print_found(&file, &depths, out)) {
        snprintf(why, size, "out of memory");
        rc = -1;
    }
    sl_depths_finish(&depths);
    sl_trace_finish(&file);
    return rc;
}
