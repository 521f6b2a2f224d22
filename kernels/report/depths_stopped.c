/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/depths_stopped.h"

#include <string.h>

enum { DEEP = 256, TIMES = 16 }; /* what to try next */

typedef unsigned long long number;

/* Of arrays all elements have one depth. */
static size_t base_length(const char *name)
{
    return strcspn(name, "[");
}

static bool is_same_array(const char *a, const char *b)
{
    size_t length = base_length(a);
    return base_length(b) == length && !strncmp(a, b, length);
}

/* Room would let it go on. */
static bool lacks_room(const struct sl_design_wait *wait)
{
    return wait->in_cycle && wait->write && wait->full && !wait->outside;
}

static bool is_first(const struct sl_report_design *d, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (lacks_room(&d->waits[i]) && is_same_array(d->waits[i].pipe, d->waits[at].pipe))
            return false;
    return true;
}

static size_t count_full(const struct sl_report_design *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->wait_count; i++)
        count += lacks_room(&d->waits[i]);
    return count;
}

static void print_full(FILE *out, const struct sl_report_design *d)
{
    for (size_t i = 0; i < d->wait_count; i++)
        if (lacks_room(&d->waits[i]))
            fprintf(out, "  %s holds %llu: more than %llu, for what '%s' writes\n",
                    d->waits[i].pipe, (number)d->waits[i].packets, (number)d->waits[i].depth,
                    d->waits[i].kernel);
}

static void print_needs(FILE *out, const struct sl_report_design *d, size_t full)
{
    if (!d->wait_count)
        fputs("Where it stood still the profile does not say.\n", out);
    else if (!full)
        fprintf(out, "No pipe that is waited for is full%s: deeper pipes do not help.\n",
                d->ring ? " on the way round" : "");
    else if (d->ring)
        fprintf(out, "Kernels wait for each other, so %s deeper:\n",
                full == 1 ? "this pipe has to be" : "at least one of these pipes has to be");
    else
        fprintf(out,
                "No kernels wait for each other in a ring. Whoever reads has to come, or %s to "
                "be deeper:\n",
                full == 1 ? "this pipe has" : "these pipes have");
    print_full(out, d);
    if (full)
        fputs("How much deeper nobody knows: the trace ends there.\n", out);
}

static void print_depths(FILE *out, const struct sl_report_design *d)
{
    size_t width = strlen("pipe");
    for (size_t i = 0; i < d->pipe_count; i++)
        width = strlen(d->pipes[i].name) > width ? strlen(d->pipes[i].name) : width;
    fprintf(out, "\ntried, the depths of the run:\n%-*s  depth  filled\n", (int)width, "pipe");
    for (size_t i = 0; i < d->pipe_count; i++)
        fprintf(out, "%-*s  %5u  %6llu\n", (int)width, d->pipes[i].name, d->pipes[i].depth,
                (number)d->pipes[i].high_water);
}

/* A pipe of the host's, whose depth clCreatePipe is given. */
static bool is_argument(const struct sl_report_design *d, const struct sl_design_wait *wait)
{
    for (size_t i = 0; i < d->pipe_count; i++)
        if (!strcmp(d->pipes[i].name, wait->pipe) && strcmp(d->pipes[i].kind, "argument") != 0)
            return false;
    return true;
}

static number next_depth(const struct sl_design_wait *wait)
{
    number depth = TIMES * (number)wait->depth;
    return depth > DEEP ? depth : DEEP;
}

static void print_setting(FILE *out, const struct sl_report_design *d)
{
    const char *before = "SLUICE_FPGA_DEPTHS='";
    for (size_t i = 0; i < d->wait_count; i++) {
        const struct sl_design_wait *wait = &d->waits[i];
        if (!lacks_room(wait) || !is_first(d, i) || is_argument(d, wait))
            continue;
        fprintf(out, "%s%.*s=%llu", before, (int)base_length(wait->pipe), wait->pipe,
                next_depth(wait));
        before = " ";
    }
    if (*before == ' ')
        fputs("'\n", out);
    for (size_t i = 0; i < d->wait_count; i++)
        if (lacks_room(&d->waits[i]) && is_first(d, i) && is_argument(d, &d->waits[i]))
            fprintf(out, "the pipe that is argument '%s': clCreatePipe with %llu packets\n",
                    d->waits[i].pipe, next_depth(&d->waits[i]));
}

void sl_depths_print_stopped(FILE *out, const struct sl_report_design *d)
{
    size_t full = count_full(d);
    fputs("The run stood still and did not end, so there are no depths that are known to be "
          "enough.\n\n",
          out);
    if (d->stall_count)
        fprintf(out, "%s\n\n", d->stalls[d->last_stall]);
    print_needs(out, d, full);
    print_depths(out, d);
    if (!full)
        return;
    fputs("\nto find out, trace a run that ends, and ask for its depths:\n", out);
    print_setting(out, d);
    fprintf(out,
            "or build the program with -emulator-channel-depth-model=ignore-depth, which makes "
            "each pipe %u deep at least.\nA run that stands still with any depth moves more "
            "packets in than out: its rates do not match.\n",
            DEEP);
}
