/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of a design from the schedule that a build with -sluice-timing keeps (docs/timing.md). The
 * text may come from anywhere: missing members are empty, others are ignored. No shared state.
 */
#include "report/input/design_loops.h"
#include "report/input/design_bounds.h"
#include "report/input/design_regions.h"
#include "report/input/json_row.h"

#include <stdlib.h>
#include <string.h>

static void read_loop(struct sl_report_design *design, const json_t *kernel, const json_t *row)
{
    uint32_t nesting = sl_json_small_of(row, "nesting");
    enum { DEEPEST = 64 };
    design->loops[design->loop_count++] = (struct sl_design_loop){
        .kernel = sl_json_text_of(design, kernel, "name"),
        .file = sl_json_text_of(design, row, "file"),
        .why = sl_json_text_of(design, row, "why"),
        .limit = sl_json_text_of(design, row, "limit"),
        .text = sl_json_text_of(design, row, "text"),
        .line = sl_json_small_of(row, "line"),
        .nesting = nesting < DEEPEST ? nesting : DEEPEST,
        .pipelined = json_is_true(json_object_get(row, "pipelined")),
        .interleaved = json_is_true(json_object_get(row, "interleaved")),
        .items = json_is_true(json_object_get(row, "items")),
        .interval = sl_json_small_of(row, "ii"),
        .depth = sl_json_small_of(row, "depth"),
        .global_bytes = sl_json_small_of(row, "global_bytes"),
        .trips = sl_json_count_of(row, "trips"),
    };
}

void sl_design_loops_read(struct sl_report_design *design, const json_t *timing)
{
    const json_t *kernels = json_object_get(timing, "kernels");
    size_t count = 0;
    if (json_integer_value(json_object_get(timing, "sluice_timing")) != 1)
        return;
    for (size_t k = 0; k < json_array_size(kernels); k++)
        count += json_array_size(json_object_get(json_array_get(kernels, k), "loops"));
    design->clock_mhz = sl_json_small_of(timing, "clock_mhz");
    design->global_bytes = sl_json_small_of(timing, "global_bytes");
    design->loops = calloc(count + 1, sizeof *design->loops);
    design->short_of_memory |= !design->loops;
    for (size_t k = 0; design->loops && k < json_array_size(kernels); k++) {
        const json_t *kernel = json_array_get(kernels, k);
        const json_t *loops = json_object_get(kernel, "loops");
        for (size_t i = 0; i < json_array_size(loops); i++)
            read_loop(design, kernel, json_array_get(loops, i));
    }
    sl_design_bounds_read(design, timing);
    sl_design_regions_read(design, timing);
}

void sl_design_loops_from_text(struct sl_report_design *design, const char *text)
{
    json_t *timing = text ? json_loads(text, 0, NULL) : NULL;
    sl_design_loops_read(design, timing);
    json_decref(timing);
}

void sl_design_loops_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->loop_count; i++) {
        free(design->loops[i].kernel);
        free(design->loops[i].file);
        free(design->loops[i].why);
        free(design->loops[i].limit);
        free(design->loops[i].text);
    }
    free(design->loops);
    sl_design_bounds_finish(design);
    sl_design_regions_finish(design);
}

size_t sl_design_kernel_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool numbered = dot && dot > name && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return numbered ? (size_t)(dot - name) : strlen(name);
}

bool sl_design_loop_is_of(const struct sl_report_design *design, const struct sl_design_loop *loop,
                          const char *kernel)
{
    size_t stem = sl_design_kernel_stem(kernel);
    for (size_t i = 0; i < design->loop_count && kernel[stem]; i++)
        if (!strcmp(design->loops[i].kernel, kernel))
            stem = strlen(kernel); /* kernels from SPIR-V may be called so */
    return strlen(loop->kernel) == stem && !memcmp(loop->kernel, kernel, stem);
}
