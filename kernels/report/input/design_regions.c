/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. What a group takes in a region is what its visits there take: each the cycles of
 * an item, and as many more as the others of the group come behind it. No shared state.
 */
#include "report/input/design_regions.h"

#include <stdlib.h>

#include "report/input/json_row.h"

/* Items of a group that follow each other; 0: not known. */
static uint64_t items_of(const json_t *items)
{
    const json_t *group = json_object_get(items, "group");
    const uint64_t cycles = sl_json_count_of(group, "cycles"),
                   base = sl_json_count_of(items, "base"), each = sl_json_count_of(items, "each");
    return each && cycles > base ? (cycles - base) / each : 0;
}

static void read_visits(struct sl_design_region *region, const json_t *items, size_t number)
{
    const json_t *visits = json_object_get(items, "visits");
    const uint64_t count = items_of(items);
    for (size_t v = 0; v < json_array_size(visits); v++) {
        const json_t *visit = json_array_get(visits, v);
        const uint32_t apart = sl_json_small_of(visit, "apart");
        if (sl_json_count_of(visit, "region") != number)
            continue;
        region->visits++;
        region->apart = apart > region->apart ? apart : region->apart;
        region->cycles += sl_json_count_of(visit, "cycles") + (count - 1) * apart;
    }
}

static void read_regions(struct sl_report_design *design, const json_t *kernel)
{
    const json_t *items = json_object_get(kernel, "items"),
                 *group = json_object_get(items, "group"),
                 *rows = json_object_get(items, "regions");
    const size_t count = items_of(items) ? json_array_size(rows) : 0;
    struct sl_design_region *grown =
        realloc(design->regions, (design->region_count + count + 1) * sizeof *grown);
    design->short_of_memory |= !grown;
    if (!grown)
        return;
    design->regions = grown;
    for (size_t r = 0; r < count; r++) {
        const json_t *row = json_array_get(rows, r);
        struct sl_design_region *region = &grown[design->region_count++];
        *region = (struct sl_design_region){
            .kernel = sl_json_text_of(design, kernel, "name"),
            .line = sl_json_small_of(row, "line"),
            .first = !sl_json_small_of(row, "column"),
            .depth = sl_json_small_of(row, "depth"),
            .groups = sl_json_small_of(group, "groups"),
            .group_cycles = sl_json_count_of(group, "cycles"),
        };
        read_visits(region, items, r);
    }
}

void sl_design_regions_read(struct sl_report_design *design, const json_t *timing)
{
    const json_t *kernels = json_object_get(timing, "kernels");
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const json_t *kernel = json_array_get(kernels, k);
        if (json_is_true(json_object_get(json_object_get(kernel, "items"), "groups")))
            read_regions(design, kernel);
    }
}

void sl_design_regions_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->region_count; i++)
        free(design->regions[i].kernel);
    free(design->regions);
}
