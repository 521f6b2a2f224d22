/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The text may come from anywhere: what is missing counts for nothing. */
#include "report/input/design_bounds.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/input/json_row.h"

static void print_rounds(FILE *out, uint64_t rounds)
{
    if (rounds == 1)
        fputs("a round", out);
    else
        fprintf(out, "%llu rounds", (unsigned long long)rounds);
}

/* "3 rounds of 'a', 2 rounds of 'b' and 5 more kernels" */
static void print_kernels(FILE *out, const json_t *kernels)
{
    enum { MOST = 6 };
    size_t count = json_array_size(kernels);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const json_t *row = json_array_get(kernels, i);
        const char *name = json_string_value(json_object_get(row, "kernel"));
        fputs(!i ? "" : i + 1 == count ? " and " : ", ", out);
        print_rounds(out, sl_json_count_of(row, "rounds"));
        fprintf(out, " of '%s'", name ? name : "");
    }
    if (count > MOST)
        fprintf(out, " and what belongs to it of %zu more kernels", count - MOST);
}

static char *words_of(const json_t *bound)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    const char *why = json_string_value(json_object_get(bound, "why"));
    uint64_t cycles = sl_json_count_of(bound, "cycles");
    if (!out)
        return NULL;
    fprintf(out, "at best %llu cycle%s for ", (unsigned long long)cycles, cycles == 1 ? "" : "s");
    print_kernels(out, json_object_get(bound, "kernels"));
    if (why && *why)
        fprintf(out, ": %s", why);
    if (!fclose(out))
        return text;
    free(text);
    return NULL;
}

/* By the name of the pipe. */
static void note_pipes(json_t *rates, const json_t *bound)
{
    const json_t *pipes = json_object_get(bound, "pipes");
    uint64_t cycles = sl_json_count_of(bound, "cycles");
    for (size_t i = 0; i < json_array_size(pipes); i++) {
        const json_t *row = json_array_get(pipes, i);
        const char *name = json_string_value(json_object_get(row, "pipe"));
        uint64_t packets = sl_json_count_of(row, "packets");
        if (name && packets)
            json_object_set_new(rates, name, json_real((double)cycles / (double)packets));
    }
}

void sl_design_bounds_read(struct sl_report_design *design, const json_t *timing)
{
    const json_t *rows = json_object_get(timing, "bounds");
    size_t count = json_array_size(rows);
    json_t *rates = json_object();
    design->bounds = calloc(count + 1, sizeof *design->bounds);
    design->short_of_memory |= !design->bounds || !rates;
    for (size_t i = 0; design->bounds && i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        char *words = words_of(row);
        design->short_of_memory |= !words;
        if (words)
            design->bounds[design->bound_count++] = words;
        note_pipes(rates, row);
    }
    for (size_t i = 0; i < design->pipe_count; i++)
        design->pipes[i].best_cycles =
            json_real_value(json_object_get(rates, design->pipes[i].name));
    json_decref(rates);
}

void sl_design_bounds_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->bound_count; i++)
        free(design->bounds[i]);
    free(design->bounds);
}
