/* SPDX-License-Identifier: Apache-2.0 */
/* When what a sweep has gone through happens: outside of laps each node has a number, within those
 * each lap that was computed a row; the others go on as those in front of them. */
#include <stdlib.h>

#include "report/laps_data.h"

static int64_t in_row(const struct sl_laps_stretch *s, const struct sl_laps_block *b, uint32_t lap,
                      uint32_t place)
{
    return s->rows[(b->row + (lap - b->first)) * s->length + place];
}

int64_t sl_laps_place_time(const struct sl_laps_stretch *s, uint32_t lap, uint32_t place)
{
    uint32_t at = s->block_count - 1;
    while (at && s->blocks[at].first > lap)
        at--;
    const struct sl_laps_block *b = &s->blocks[at];
    const uint32_t last = b->first + b->count - 1;
    if (lap <= last)
        return in_row(s, b, lap, place);
    const uint32_t steps = (lap - last + b->stride - 1) / b->stride;
    const uint32_t like = lap - steps * b->stride;
    const int64_t time = in_row(s, b, like, place);
    return time + (int64_t)steps * (time - in_row(s, b, like - b->stride, place));
}

int64_t sl_laps_time(const struct sl_laps *l, uint32_t node)
{
    for (uint32_t i = 0; i < l->stretch_count; i++) {
        const struct sl_laps_stretch *s = &l->stretches[i];
        if (node >= s->begin && node - s->begin < s->length * s->count)
            return sl_laps_place_time(s, (node - s->begin) / s->length,
                                      (node - s->begin) % s->length);
    }
    return l->times[node];
}

static bool add_block(struct sl_laps_stretch *s, uint32_t lap)
{
    if (s->block_count == s->block_room) {
        uint32_t room = s->block_room ? 2 * s->block_room : 8;
        struct sl_laps_block *grown = realloc(s->blocks, room * sizeof *grown);
        if (!grown)
            return false;
        s->blocks = grown;
        s->block_room = room;
    }
    s->blocks[s->block_count++] = (struct sl_laps_block){.first = lap, .row = s->row_count};
    return true;
}

int64_t *sl_laps_add_row(struct sl_laps_stretch *s, uint32_t lap, bool apart)
{
    if (s->row_count == s->row_room) {
        size_t room = s->row_room ? 2 * s->row_room : 64;
        int64_t *grown = realloc(s->rows, room * s->length * sizeof *grown);
        if (!grown)
            return NULL;
        s->rows = grown;
        s->row_room = room;
    }
    if (apart && !add_block(s, lap))
        return NULL;
    s->blocks[s->block_count - 1].count++;
    return s->rows + s->row_count++ * s->length;
}
