/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A design from the JSON of a profiled run (docs/dataflow.md). The text may come from anywhere:
 * every index is checked, missing members are empty, others are ignored. No shared state.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/input/design.h"
#include "report/input/design_clock.h"
#include "report/input/design_loops.h"
#include "report/input/design_stalls.h"
#include "report/input/json_row.h"

static bool flag_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* -1 for anything that names no row. */
static int32_t index_of(const json_t *object, const char *key, size_t rows)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    return number >= 0 && (uint64_t)number < rows ? (int32_t)number : -1;
}

static void read_kernel(struct sl_report_design *design, const json_t *row)
{
    struct sl_report_kernel *kernel = &design->kernels[design->kernel_count++];
    *kernel = (struct sl_report_kernel){
        .name = sl_json_text_of(design, row, "name"),
        .file = sl_json_text_of(design, row, "file"),
        .line = sl_json_small_of(row, "line"),
        .autorun = flag_of(row, "autorun"),
        .launches = sl_json_count_of(row, "launches"),
        .ended = sl_json_count_of(row, "ended"),
        .run_ns = sl_json_count_of(row, "run_ns"),
        .stall_ns = sl_json_count_of(row, "stall_ns"),
    };
    for (size_t d = 0; d < 3; d++) {
        const json_t *unit = json_array_get(json_object_get(row, "unit"), d);
        kernel->unit[d] = (uint32_t)json_integer_value(unit);
    }
}

/* Without launches of the host, as where only autorun kernels run, all waits count. */
static uint64_t held_of(const struct sl_report_design *design, const json_t *row)
{
    const bool all = !design->busy_ns;
    uint64_t full = sl_json_count_of(row, all ? "full_ns" : "full_held_ns");
    uint64_t empty = sl_json_count_of(row, all ? "empty_ns" : "empty_held_ns");
    return full > empty ? full : empty;
}

static void read_pipe(struct sl_report_design *design, const json_t *row)
{
    design->pipes[design->pipe_count++] = (struct sl_design_pipe){
        .name = sl_json_text_of(design, row, "name"),
        .type = sl_json_text_of(design, row, "type"),
        .kind = sl_json_text_of(design, row, "kind"),
        .host = sl_json_text_of(design, row, "host"),
        .io = sl_json_text_of(design, row, "io"),
        .file = sl_json_text_of(design, row, "file"),
        .line = sl_json_small_of(row, "line"),
        .packet_bytes = sl_json_small_of(row, "packet_bytes"),
        .declared_depth = sl_json_small_of(row, "declared_depth"),
        .depth = sl_json_small_of(row, "depth"),
        .writer = index_of(row, "writer", design->kernel_count),
        .reader = index_of(row, "reader", design->kernel_count),
        .packets = sl_json_count_of(row, "packets"),
        .high_water = sl_json_count_of(row, "high_water"),
        .full_ns = sl_json_count_of(row, "full_ns"),
        .empty_ns = sl_json_count_of(row, "empty_ns"),
        .held_ns = held_of(design, row),
        .mean_fill = json_number_value(json_object_get(row, "mean_fill")),
    };
}

static void read_site(struct sl_report_design *design, const json_t *row)
{
    int32_t kernel = index_of(row, "kernel", design->kernel_count);
    const char *op = json_string_value(json_object_get(row, "op"));
    if (kernel < 0)
        return;
    struct sl_design_site *site = &design->sites[design->site_count++];
    *site = (struct sl_design_site){
        .name = sl_json_text_of(design, row, "name"),
        .file = sl_json_text_of(design, row, "file"),
        .kernel = (uint32_t)kernel,
        .line = sl_json_small_of(row, "line"),
        .column = sl_json_small_of(row, "column"),
        .pipe = index_of(row, "pipe", design->pipe_count),
        .write = op && !strcmp(op, "write"),
        .blocking = flag_of(row, "blocking"),
        .stalls = sl_json_count_of(row, "stalls"),
        .stall_ns = sl_json_count_of(row, "stall_ns"),
    };
    sl_design_site_name(design, site);
}

static void read_span(struct sl_report_design *design, const json_t *row)
{
    int32_t kernel = index_of(row, "kernel", design->kernel_count);
    const char *state = json_string_value(json_object_get(row, "state"));
    struct sl_design_span span = {
        .kernel = (uint32_t)kernel,
        .start_ns = sl_json_count_of(row, "start_ns"),
        .end_ns = sl_json_count_of(row, "end_ns"),
    };
    if (kernel < 0 || span.end_ns < span.start_ns)
        return;
    if (state && !strcmp(state, "full"))
        span.state = SL_DESIGN_FULL;
    else if (state && !strcmp(state, "empty"))
        span.state = SL_DESIGN_EMPTY;
    design->spans[design->span_count++] = span;
}

/* In this order: later parts refer to rows of earlier ones. */
static const struct {
    const char *key;
    size_t row_bytes, array_at;
    void (*read)(struct sl_report_design *, const json_t *row);
} parts[] = {
    {"kernels", sizeof(struct sl_report_kernel), offsetof(struct sl_report_design, kernels),
     read_kernel},
    {"pipes", sizeof(struct sl_design_pipe), offsetof(struct sl_report_design, pipes), read_pipe},
    {"sites", sizeof(struct sl_design_site), offsetof(struct sl_report_design, sites), read_site},
    {"timeline", sizeof(struct sl_design_span), offsetof(struct sl_report_design, spans),
     read_span},
};

static void read_parts(struct sl_report_design *design, const json_t *root)
{
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        const json_t *rows = json_object_get(root, parts[p].key);
        void *array = calloc(json_array_size(rows) + 1, parts[p].row_bytes);
        design->short_of_memory |= !array;
        memcpy((char *)design + parts[p].array_at, &array, sizeof array);
        for (size_t i = 0; array && i < json_array_size(rows); i++)
            parts[p].read(design, json_array_get(rows, i));
    }
}

/* What clBuildProgram gets has no name: a program of that kind is called by its first kernels. */
static void name_program(struct sl_report_design *design)
{
    enum { SHOWN = 3 };
    static const char unnamed[] = "<source>";
    char *text = NULL;
    size_t bytes;
    if (!design->title || strcmp(design->title, unnamed) != 0 || !design->kernel_count)
        return;
    FILE *out = open_memstream(&text, &bytes);
    design->short_of_memory |= !out;
    if (!out)
        return;
    const size_t count = design->kernel_count, shown = count > SHOWN + 1 ? SHOWN : count;
    for (size_t k = 0; k < shown; k++)
        fprintf(out, "%s%s", k ? ", " : "", design->kernels[k].name);
    if (count > shown)
        fprintf(out, " and %zu more kernels", count - shown);
    if (fclose(out)) {
        design->short_of_memory = true;
        free(text);
        return;
    }
    free(design->title);
    design->title = text;
}

int sl_design_from_json(struct sl_report_design *design, const char *text, size_t bytes, char *why,
                        size_t size)
{
    json_error_t error;
    json_t *root = json_loadb(text, bytes, 0, &error);
    if (!root) {
        snprintf(why, size, "line %d, column %d: %s", error.line, error.column, error.text);
        return -1;
    }
    int rc = -1;
    if (json_integer_value(json_object_get(root, "sluice_profile")) != 1) {
        snprintf(why, size, "no profile of this version: \"sluice_profile\" is not 1");
    } else if (!json_is_array(json_object_get(root, "kernels")) ||
               !json_is_array(json_object_get(root, "pipes"))) {
        snprintf(why, size, "no whole profile: it has no \"kernels\" or no \"pipes\"");
    } else {
        design->title = sl_json_text_of(design, root, "program");
        design->time_ns = sl_json_count_of(root, "time_ns");
        design->busy_ns = sl_json_count_of(root, "busy_ns");
        design->profiled = true;
        read_parts(design, root);
        design->busy_ns = design->busy_ns ? design->busy_ns : design->time_ns;
        name_program(design);
        sl_design_stalls_read(design, json_object_get(root, "stalls"));
        sl_design_loops_read(design, json_object_get(root, "schedule"));
        sl_design_clock_read(design, json_object_get(root, "clock"));
        rc = sl_design_whole(design, why, size);
    }
    json_decref(root);
    return rc;
}
