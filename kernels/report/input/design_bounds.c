/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The text may come from anywhere: what is missing counts for nothing. */
#include "report/input/design_bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    size_t count = json_array_size(kernels), once = 0;
    for (size_t i = 0; i < count; i++)
        once += sl_json_count_of(json_array_get(kernels, i), "rounds") == 1;
    if (once == count && count > MOST) {
        fprintf(out, "a round of each of %zu kernels", count);
        return;
    }
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

/* The name of a pipe, or of a kernel and its argument. */
static char *key_of(const char *kernel, const char *pipe)
{
    char *key = NULL;
    return asprintf(&key, "%s%s%s", kernel ? kernel : "", kernel ? " " : "", pipe) < 0 ? NULL : key;
}

static char *key_of_pipe(const struct sl_report_design *design, const struct sl_design_pipe *pipe)
{
    int32_t kernel = pipe->writer >= 0 ? pipe->writer : pipe->reader;
    bool argument = !strcmp(pipe->kind, "argument") && kernel >= 0;
    return key_of(argument ? design->kernels[kernel].name : NULL, pipe->name);
}

static void note_pipes(json_t *rates, const json_t *bound)
{
    const json_t *pipes = json_object_get(bound, "pipes");
    uint64_t cycles = sl_json_count_of(bound, "cycles");
    for (size_t i = 0; i < json_array_size(pipes); i++) {
        const json_t *row = json_array_get(pipes, i);
        const char *name = json_string_value(json_object_get(row, "pipe"));
        const char *kernel = json_string_value(json_object_get(row, "kernel"));
        uint64_t packets = sl_json_count_of(row, "packets");
        char *key = name && packets ? key_of(kernel, name) : NULL;
        if (key)
            json_object_set_new(rates, key, json_real((double)cycles / (double)packets));
        free(key);
    }
}

/* Of kernels whose work-items meet, each by itself. */
static void read_groups(struct sl_report_design *design, const json_t *timing)
{
    const json_t *kernels = json_object_get(timing, "kernels");
    size_t count = json_array_size(kernels);
    design->groups = calloc(count + 1, sizeof *design->groups);
    design->short_of_memory |= !design->groups;
    for (size_t k = 0; design->groups && k < count; k++) {
        const json_t *kernel = json_array_get(kernels, k),
                     *items = json_object_get(kernel, "items");
        const char *why = json_string_value(json_object_get(items, "why"));
        const char *name = json_string_value(json_object_get(kernel, "name"));
        char *words = NULL;
        if (!why || !name || !json_is_true(json_object_get(items, "groups")))
            continue;
        if (asprintf(&words, "'%s': %s", name, why) < 0)
            design->short_of_memory = true;
        else
            design->groups[design->group_count++] = words;
    }
}

void sl_design_say(struct sl_report_design *design, const char *words)
{
    for (size_t i = 0; i < design->said_count; i++)
        if (strstr(words, design->said[i]))
            return;
    char **grown = realloc(design->said, (design->said_count + 1) * sizeof *grown);
    design->short_of_memory |= !grown;
    if (!grown)
        return;
    design->said = grown;
    design->said[design->said_count] = sl_design_copy(design, words);
    design->said_count += design->said[design->said_count] != NULL;
}

/* Kernels that are bound to wait for each other. */
static void read_deadlocks(struct sl_report_design *design, const json_t *timing)
{
    const json_t *rows = json_object_get(timing, "deadlocks");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *words = json_object_get(json_array_get(rows, i), "words");
        if (json_is_string(words))
            sl_design_say(design, json_string_value(words));
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
    for (size_t i = 0; i < design->pipe_count; i++) {
        char *key = key_of_pipe(design, &design->pipes[i]);
        if (key)
            design->pipes[i].best_cycles = json_real_value(json_object_get(rates, key));
        free(key);
    }
    json_decref(rates);
    read_groups(design, timing);
    read_deadlocks(design, timing);
}

void sl_design_bounds_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->bound_count; i++)
        free(design->bounds[i]);
    for (size_t i = 0; i < design->group_count; i++)
        free(design->groups[i]);
    for (size_t i = 0; i < design->said_count; i++)
        free(design->said[i]);
    free(design->said);
    free(design->bounds);
    free(design->groups);
}
