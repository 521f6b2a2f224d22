/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a ring on their way to the peer. No lock: one end has one owner at a time. */
#include "fpga/cluster/segments.h"

#include <stdlib.h>

struct sl_segments *sl_segments_create(void)
{
    return calloc(1, sizeof(struct sl_segments));
}

void sl_segments_destroy(struct sl_segments *segments)
{
    if (!segments)
        return;
    free(segments->rows);
    free(segments);
}

static struct sl_segment *row(struct sl_segments *segments, uint32_t n)
{
    return &segments->rows[(segments->start + n) & (segments->capacity - 1)];
}

static bool grow(struct sl_segments *segments)
{
    uint32_t capacity = segments->capacity ? 2 * segments->capacity : 8;
    struct sl_segment *rows = malloc(capacity * sizeof *rows);
    if (!rows)
        return false;
    for (uint32_t i = 0; i < segments->used; i++)
        rows[i] = *row(segments, i);
    free(segments->rows);
    segments->rows = rows;
    segments->start = 0;
    segments->capacity = capacity;
    return true;
}

bool sl_segments_push(struct sl_segments *segments, uint64_t index, uint64_t count, bool open)
{
    uint64_t first = sl_segments_end(segments, index);
    struct sl_segment *last = segments->used ? row(segments, segments->used - 1) : NULL;
    segments->end = first + count;
    if (last && !open && !last->open) {
        last->count += count;
        return true;
    }
    if (segments->used == segments->capacity && !grow(segments)) {
        segments->end = first;
        return false;
    }
    *row(segments, segments->used++) = (struct sl_segment){first, count, open};
    return true;
}

struct sl_segment *sl_segments_find(struct sl_segments *segments, uint64_t first)
{
    for (uint32_t i = 0; segments && i < segments->used; i++) {
        struct sl_segment *segment = row(segments, i);
        if (segment->first == first && segment->open)
            return segment;
    }
    return NULL;
}

uint64_t sl_segments_pop(struct sl_segments *segments, uint64_t index)
{
    while (segments->used && !row(segments, 0)->open) {
        index = row(segments, 0)->first + row(segments, 0)->count;
        segments->start++;
        segments->used--;
    }
    return segments->used ? row(segments, 0)->first : index;
}

uint64_t sl_segments_give(struct sl_segments *segments, uint64_t index, uint64_t count)
{
    while (count && segments->used) {
        struct sl_segment *segment = row(segments, 0);
        uint64_t part = segment->count < count ? segment->count : count;
        segment->first += part;
        segment->count -= part;
        segment->open = segment->count != 0;
        count -= part;
        index = sl_segments_pop(segments, segment->first);
    }
    return index;
}
