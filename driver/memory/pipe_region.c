/* SPDX-License-Identifier: Apache-2.0 */
/* See pipe_region.h. */
#include "memory/pipe_region.h"

#include "base/log/heard.h"
#include "base/object/alloc.h"
#include "sluice/device.h"

static void append(struct sl_pipe_regions *regions, struct sl_pipe_region *region)
{
    if (regions->last)
        regions->last->next = region;
    else
        regions->first = region;
    regions->last = region;
}

static void drop_first(struct sl_pipe_regions *regions)
{
    struct sl_pipe_region *region = regions->first;
    regions->first = region->next;
    if (!regions->first)
        regions->last = NULL;
    sl_free(region);
}

bool sl_pipe_region_map(struct sl_pipe_regions *regions, const struct sl_pipe_region_end *end,
                        struct sl_pipe_region *region, size_t want_bytes)
{
    size_t bytes = 0;
    void *start = end->device->ops->pipe_map(end->pipe, end->write, want_bytes, &bytes);
    sl_heard_now();
    if (!start || !bytes)
        return false;
    *region = (struct sl_pipe_region){.start = start, .bytes = bytes};
    append(regions, region);
    return true;
}

void sl_pipe_region_give_back(struct sl_pipe_regions *regions, const struct sl_pipe_region_end *end)
{
    for (struct sl_pipe_region *region; (region = regions->first);) {
        size_t bytes = region->returned - region->given;
        if (bytes)
            end->device->ops->pipe_unmap(end->pipe, end->write, bytes);
        region->given = region->returned;
        if (region->given < region->bytes)
            return;
        drop_first(regions);
    }
}

/* The oldest that `start` can mean: the ring may have come round while a part was still out. */
static struct sl_pipe_region *find(const struct sl_pipe_regions *regions, const void *start)
{
    struct sl_pipe_region *region = regions->first;
    while (region && (region->start != start || region->returned == region->bytes))
        region = region->next;
    return region;
}

cl_int sl_pipe_region_unmap(struct sl_pipe_regions *regions, const struct sl_pipe_region_end *end,
                            const void *start, size_t bytes)
{
    struct sl_pipe_region *region = find(regions, start);
    if (!region || bytes > region->bytes - region->returned || bytes % end->packet_bytes)
        return CL_INVALID_VALUE;
    region->returned += bytes;
    sl_pipe_region_give_back(regions, end);
    return CL_SUCCESS;
}

void sl_pipe_regions_finish(struct sl_pipe_regions *regions)
{
    while (regions->first)
        drop_first(regions);
}
