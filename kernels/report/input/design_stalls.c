/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Kernels and pipes are told by their names, which the report has. */
#include "report/input/design_stalls.h"

#include <stdlib.h>
#include <string.h>

#include "report/input/json_row.h"

static void mark(struct sl_report_design *design, const json_t *row)
{
    const char *kernel = json_string_value(json_object_get(row, "kernel"));
    const char *pipe = json_string_value(json_object_get(row, "pipe"));
    for (size_t i = 0; kernel && i < design->kernel_count; i++)
        design->kernels[i].still |= !strcmp(design->kernels[i].name, kernel);
    for (size_t i = 0; pipe && i < design->pipe_count; i++)
        design->pipes[i].still |= !strcmp(design->pipes[i].name, pipe);
}

/* Something was ended, or would have to move yet. */
static bool any_unfinished(const struct sl_report_design *design)
{
    bool any = false;
    for (size_t i = 0; i < design->kernel_count && !any; i++)
        any = !design->kernels[i].autorun && design->kernels[i].ended < design->kernels[i].launches;
    return any;
}

/* What waited has not gone on. */
static bool lasts(const json_t *stall)
{
    return !json_is_false(json_object_get(stall, "lasts"));
}

static bool is_listed(const json_t *names, const char *name)
{
    bool found = false;
    for (size_t i = 0; name && i < json_array_size(names) && !found; i++) {
        const char *other = json_string_value(json_array_get(names, i));
        found = other && !strcmp(other, name);
    }
    return found;
}

static uint64_t count_of(const json_t *row, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(row, key));
    return number > 0 ? (uint64_t)number : 0;
}

static void drop_waits(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->wait_count; i++) {
        free(design->waits[i].kernel);
        free(design->waits[i].pipe);
        free(design->waits[i].waits_for);
    }
    free(design->waits);
    design->waits = NULL;
    design->wait_count = 0;
}

/* Of several stalls the last one counts. */
static void read_waits(struct sl_report_design *design, const json_t *stall)
{
    const json_t *rows = json_object_get(stall, "kernels"), *ring = json_object_get(stall, "cycle");
    size_t count = json_array_size(rows);
    drop_waits(design);
    design->ring = json_array_size(ring) > 0;
    design->waits = calloc(count + 1, sizeof *design->waits);
    design->short_of_memory |= !design->waits;
    for (size_t i = 0; design->waits && i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *op = json_string_value(json_object_get(row, "op"));
        const char *state = json_string_value(json_object_get(row, "state"));
        const char *kernel = json_string_value(json_object_get(row, "kernel"));
        design->waits[design->wait_count++] = (struct sl_design_wait){
            .kernel = sl_json_text_of(design, row, "kernel"),
            .pipe = sl_json_text_of(design, row, "pipe"),
            .waits_for = sl_json_text_of(design, row, "waits_for"),
            .packets = count_of(row, "packets"),
            .depth = count_of(row, "depth"),
            .write = op && !strcmp(op, "write"),
            .full = state && !strcmp(state, "full"),
            .in_cycle = !design->ring || is_listed(ring, kernel),
            .outside = json_is_true(json_object_get(row, "outside")),
        };
    }
}

void sl_design_stalls_read(struct sl_report_design *design, const json_t *stalls)
{
    size_t count = json_array_size(stalls);
    design->stalls = calloc(count + 1, sizeof *design->stalls);
    design->short_of_memory |= !design->stalls;
    for (size_t i = 0; i < count; i++)
        design->stopped |= lasts(json_array_get(stalls, i)) && any_unfinished(design);
    for (size_t i = 0; design->stalls && i < count; i++) {
        const json_t *stall = json_array_get(stalls, i);
        const json_t *rows = json_object_get(json_object_get(stall, "stall"), "kernels");
        design->stalls[design->stall_count++] = sl_json_text_of(design, stall, "text");
        if (design->stopped && lasts(stall)) {
            read_waits(design, json_object_get(stall, "stall"));
            design->last_stall = i;
        }
        for (size_t k = 0; design->stopped && lasts(stall) && k < json_array_size(rows); k++)
            mark(design, json_array_get(rows, k));
    }
}

const struct sl_design_wait *sl_design_wait_of(const struct sl_report_design *design, size_t kernel)
{
    const struct sl_design_wait *found = NULL;
    for (size_t i = 0; i < design->wait_count && !found; i++)
        if (!strcmp(design->waits[i].kernel, design->kernels[kernel].name))
            found = &design->waits[i];
    return found;
}

void sl_design_stalls_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->stall_count; i++)
        free(design->stalls[i]);
    free(design->stalls);
    drop_waits(design);
}
