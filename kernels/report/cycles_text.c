/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/cycles_text.h"

#include <string.h>

#include "report/advice.h"

struct page {
    struct sl_report_design design;
    FILE *out;
    int width; /* of names */
};

typedef unsigned long long number;

/* ---- in words -------------------------------------------------------------------------------- */

static void tell(void *data, const char *text)
{
    fprintf(data, "- %s\n", text);
}

static void print_memory(const struct page *p)
{
    bool any = false;
    for (size_t i = 0; i < p->design.loop_count && !any; i++)
        any = p->design.loops[i].iterations && p->design.loops[i].global_bytes;
    sl_advice_memory(&p->design, p->out);
    fputs(any ? "\n" : "", p->out);
}

static void print_stalls(const struct page *p)
{
    for (size_t i = 0; i < p->design.stall_count; i++)
        fprintf(p->out, "%s\n\n", p->design.stalls[i]);
}

static void print_words(const struct page *p)
{
    print_stalls(p);
    sl_advice_length(&p->design, p->out);
    putc('\n', p->out);
    if (sl_advice_unclocked(&p->design, p->out))
        putc('\n', p->out);
    if (sl_advice_stopped(&p->design, p->out))
        putc('\n', p->out);
    if (sl_advice_ring(&p->design, p->out))
        putc('\n', p->out);
    sl_advice_most(&p->design, p->out);
    if (!p->design.stopped)
        putc('\n', p->out);
    sl_advice_best(&p->design, p->out);
    fputs(p->design.bound_count ? "\n" : "", p->out);
    sl_advice_groups(&p->design, p->out);
    fputs(p->design.group_count ? "\n" : "", p->out);
    print_memory(p);
    for (const char *at = p->design.doubts; at && *at;) {
        size_t length = strcspn(at, "\n");
        fprintf(p->out, "not exact: %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    sl_advice_give(&p->design, tell, p->out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* What it has waited has no end. */
static void print_still(const struct page *p, size_t at)
{
    const struct sl_report_kernel *kernel = &p->design.kernels[at];
    const struct sl_design_wait *wait = sl_design_wait_of(&p->design, at);
    fprintf(p->out, "%-*s  %8llu  %10llu  %10s  %10s  stands still", p->width, kernel->name,
            (number)kernel->runs, (number)kernel->begin, "-", "-");
    if (wait)
        fprintf(p->out, " since %llu: %s %s (%s)", (number)kernel->end,
                wait->write ? "writes" : "reads", wait->pipe, wait->write ? "full" : "empty");
    putc('\n', p->out);
}

static void print_kernels(const struct page *p)
{
    fprintf(p->out, "\n%-*s      runs       begin         end        busy     waiting\n", p->width,
            "kernel");
    for (size_t i = 0; i < p->design.kernel_count; i++) {
        const struct sl_report_kernel *kernel = &p->design.kernels[i];
        if (!kernel->runs)
            continue;
        if (kernel->still)
            print_still(p, i);
        else
            fprintf(p->out, "%-*s  %8llu  %10llu  %10llu  %10llu  %10llu\n", p->width, kernel->name,
                    (number)kernel->runs, (number)kernel->begin, (number)kernel->end,
                    (number)kernel->busy, (number)kernel->late);
    }
}

static void print_loops(const struct page *p)
{
    const bool whole = !p->design.stopped; /* else the last iterations have only begun */
    fprintf(p->out, "\n%-*s   entries  iterations%s  loop\n", p->width, "kernel",
            whole ? "      cycles" : "");
    for (size_t i = 0; i < p->design.loop_count; i++) {
        const struct sl_design_loop *loop = &p->design.loops[i];
        if (!loop->entries)
            continue;
        fprintf(p->out, "%-*s  %8llu  %10llu", p->width, loop->unit, (number)loop->entries,
                (number)loop->iterations);
        if (whole && loop->pipelined)
            fprintf(p->out, "  %10llu", (number)loop->cycles);
        else if (whole)
            fprintf(p->out, "  %10s", "-");
        fprintf(p->out, "  line %u: %s", loop->line, loop->why);
        if (loop->units > 1)
            fprintf(p->out, "; of %u compute units the one with most", loop->units);
        putc('\n', p->out);
    }
}

static void print_pipes(const struct page *p)
{
    bool any = false;
    for (size_t i = 0; i < p->design.pipe_count; i++) {
        const struct sl_design_pipe *pipe = &p->design.pipes[i];
        if (!pipe->full_cycles && !pipe->empty_cycles)
            continue;
        if (!any)
            fprintf(p->out, "\n%-*s     depth     packets   full (wr)  empty (rd)\n", p->width,
                    "pipe");
        any = true;
        fprintf(p->out, "%-*s  %8u  %10llu  %10llu  %10llu\n", p->width, pipe->name, pipe->depth,
                (number)pipe->packets, (number)pipe->full_cycles, (number)pipe->empty_cycles);
    }
}

static void print_sites(const struct page *p)
{
    bool any = false;
    for (size_t i = 0; i < p->design.site_count; i++) {
        const struct sl_design_site *site = &p->design.sites[i];
        if (!site->wait_cycles)
            continue;
        fputs(any ? "" : "\ncycles that were waited\n", p->out);
        any = true;
        fprintf(p->out, "%10llu  %s:%u:%u: %s of %s%s in %s\n", (number)site->wait_cycles,
                site->file, site->line, site->column, site->write ? "write" : "read",
                site->of_array   ? "an element of "
                : site->pipe < 0 ? "an argument "
                                 : "",
                site->pipe < 0 || site->of_array ? site->name : p->design.pipes[site->pipe].name,
                p->design.kernels[site->kernel].name);
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

int sl_cycles_print(FILE *out, const char *profile, size_t bytes, char *why, size_t size)
{
    static const char *const missing[] = {
        [SL_DESIGN_UNTIMED] = "there is no clock in it: build the program with -sluice-timing or "
                              "SLUICE_FPGA_TIMING=1",
        [SL_DESIGN_CLOCK_LOST] = "the clock is not that of a whole run: counters were pulled",
        [SL_DESIGN_TIMED] = NULL,
    };
    struct page page = {.out = out};
    int rc = sl_design_from_json(&page.design, profile, bytes, why, size);
    if (!rc && missing[page.design.clock]) {
        snprintf(why, size, "%s", missing[page.design.clock]);
        rc = -1;
    }
    if (!rc) {
        measure_names(&page);
        print_words(&page);
        print_kernels(&page);
        print_loops(&page);
        print_pipes(&page);
        print_sites(&page);
    }
    sl_design_finish(&page.design);
    return rc;
}
