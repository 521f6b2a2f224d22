/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which laps need not be computed. Times of a place are linear over laps if they are so many laps
 * ago, of all its operands, and none of those that hold it up less comes to hold it up more: of
 * each that grows faster is known in how many laps it would. Times of a place never fall from lap
 * to lap, which is what is said of operands from before everything was linear.
 */
#include <string.h>

#include "report/laps_data.h"

#define LASTS (2 * SL_LAPS_STRIDE)

/* ---- how it looks ---------------------------------------------------------------------------- */

void sl_laps_note(struct sl_laps_pace *pace, const struct sl_laps_stretch *s, uint32_t lap)
{
    uint64_t sum = 0;
    const int64_t *row = s->rows + (s->row_count - 1) * s->length;
    for (uint32_t i = 0; i < s->length; i++)
        sum += (uint64_t)row[i];
    const uint64_t more = sum - pace->sum;
    for (uint32_t c = 1; c <= SL_LAPS_STRIDE; c++)
        pace->same[c] =
            pace->seen > c && pace->last[(lap - c) % LASTS] == more ? pace->same[c] + 1 : 0;
    pace->last[lap % LASTS] = more;
    pace->sum = sum;
    pace->seen++;
}

static uint32_t likely_stride(const struct sl_laps_pace *pace)
{
    uint32_t c = 1;
    while (c <= SL_LAPS_STRIDE && pace->same[c] < c + 1)
        c++;
    return c;
}

/* ---- how it is ------------------------------------------------------------------------------- */

struct linear {
    const struct sl_laps *l;
    const struct sl_laps_stretch *s;
    const struct sl_laps_block *block;
    uint32_t stride, since, last; /* laps from `since` to `last` are linear */
    uint64_t steps;               /* that are possible */
    bool held;                    /* something goes on to hold up the place that is looked at */
};

static const int64_t *row_of(const struct linear *f, uint32_t lap)
{
    return f->s->rows + (f->block->row + (lap - f->block->first)) * f->s->length;
}

static bool is_linear(const struct linear *f, uint32_t lap)
{
    const uint32_t c = f->stride, of = f->last - (f->last - lap) % c;
    const int64_t *row = row_of(f, lap), *next = row_of(f, lap + c), *end = row_of(f, of),
                  *before = row_of(f, of - c);
    for (uint32_t i = 0; i < f->s->length; i++)
        if (next[i] - row[i] != end[i] - before[i])
            return false;
    return true;
}

/* All that was skipped in front of the block went on as the block does. */
static bool went_on(const struct linear *f, const struct sl_laps_block *before)
{
    const uint32_t c = f->stride, last = before->first + before->count - 1;
    if (before->stride != c)
        return false;
    for (uint32_t back = 0; back < c; back++) {
        const uint32_t of = f->last - (f->last - (last - back)) % c;
        const int64_t *row = f->s->rows + (before->row + before->count - 1 - back) * f->s->length,
                      *end = row_of(f, of), *last_end = row_of(f, of - c);
        for (uint32_t i = 0; i < f->s->length; i++)
            if (row[i] - row[(int64_t)i - (int64_t)(c * f->s->length)] != end[i] - last_end[i])
                return false;
    }
    return true;
}

/* Back from the last laps; false: not even the last but one step is as the last. */
static bool find_since(struct linear *f)
{
    const uint32_t c = f->stride, first = f->block->first;
    if (f->block->count < 3 * c)
        return false;
    f->since = f->last - 2 * c + 1;
    while (f->since > first && is_linear(f, f->since - 1))
        f->since--;
    if (f->since == first && f->block > f->s->blocks && went_on(f, f->block - 1))
        f->since = f->block[-1].since;
    return f->since + 3 * c <= f->last + 1;
}

static void limit_steps(struct linear *f, uint64_t steps)
{
    f->steps = steps < f->steps ? steps : f->steps;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* `lap` has come at `time`, by each step `growth` later; this may hold it up by way of that edge,
 * which is not there in the first `without` steps. */
static void look_at(struct linear *f, uint32_t lap, int64_t time, int64_t growth,
                    const struct sl_laps_edge *edge, uint64_t without)
{
    if (without > f->steps)
        return;
    const int64_t c = f->stride, from = (int64_t)lap - edge->laps, since = f->since;
    const int64_t steps = from >= since ? 0 : (since - from + c - 1) / c;
    const uint32_t at = (uint32_t)(from + steps * c);
    const uint32_t like = f->last - (f->last - at) % f->stride;
    const int64_t own = row_of(f, like)[edge->place] - row_of(f, like - f->stride)[edge->place];
    const int64_t value = sl_laps_place_time(f->s, at, edge->place) + edge->distance;
    if (value > time) { /* perhaps soon */
        limit_steps(f, without ? without - 1 : 0);
        return;
    }
    f->held |= !steps && value == time && own == growth;
    if (own > growth)
        limit_steps(f,
                    (uint64_t)steps + (uint64_t)((time + steps * growth - value) / (own - growth)));
}

/* Steps until a packet needs the room of another. */
static uint64_t steps_without(const struct linear *f, const struct sl_laps_place *place,
                              uint32_t lap)
{
    const uint64_t per_lap = f->s->of_pipe[place->pipe].count;
    const uint64_t packet = f->s->written_before[place->pipe] + lap * per_lap + place->packet;
    const uint64_t depth = f->l->depths[place->pipe];
    return packet >= depth ? 0 : (depth - packet + per_lap * f->stride - 1) / (per_lap * f->stride);
}

static void look_at_place(struct linear *f, uint32_t lap, uint32_t number)
{
    const struct sl_laps_place *place = &f->s->places[number];
    const int64_t time = row_of(f, lap)[number];
    const int64_t growth = time - row_of(f, lap - f->stride)[number];
    struct sl_laps_edge room;
    f->held = false;
    for (uint32_t e = place->first_edge; e < place[1].first_edge && f->steps; e++)
        look_at(f, lap, time, growth, &f->s->edges[e], 0);
    if (place->pipe != SL_LAPS_NOBODY && f->steps) {
        if (sl_laps_room(f->l, f->s, place, &room))
            look_at(f, lap, time, growth, &room, steps_without(f, place, lap));
        else if (f->s->read_before[place->pipe] &&
                 sl_laps_time(f->l, f->l->reads[place->pipe][f->s->read_before[place->pipe] - 1]) >=
                     time)
            f->steps = 0;
    }
    if (!f->held)
        f->steps = 0;
}

uint32_t sl_laps_skip(const struct sl_laps *l, struct sl_laps_stretch *s, struct sl_laps_pace *pace,
                      uint32_t lap)
{
    struct sl_laps_block *block = &s->blocks[s->block_count - 1];
    struct linear f = {.l = l, .s = s, .block = block, .last = lap};
    f.stride = likely_stride(pace);
    if (lap < pace->next_look || f.stride > SL_LAPS_STRIDE)
        return 0;
    pace->next_look = lap + 2 + pace->seen / 4;
    if (!find_since(&f))
        return 0;
    f.steps = (s->count - 1 - lap) / f.stride;
    for (uint32_t back = 0; back < f.stride && f.steps; back++)
        for (uint32_t i = 0; i < s->length && f.steps; i++)
            look_at_place(&f, lap - back, i);
    block->stride = f.stride;
    block->since = f.since;
    return (uint32_t)f.steps * f.stride;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* The packet that is written in lap 0 needs the room of one that was read so many laps before. */
bool sl_laps_room(const struct sl_laps *l, const struct sl_laps_stretch *s,
                  const struct sl_laps_place *place, struct sl_laps_edge *edge)
{
    const struct sl_laps_reads *reads = &s->of_pipe[place->pipe];
    if (!reads->count)
        return false;
    const int64_t packet = (int64_t)s->written_before[place->pipe] + place->packet -
                           (int64_t)l->depths[place->pipe] - s->read_before[place->pipe];
    const int64_t lap = floor_div(packet, reads->count);
    if (lap < -(int64_t)UINT32_MAX)
        return false;
    *edge = (struct sl_laps_edge){
        .place = s->reads[reads->first + (uint32_t)(packet - lap * reads->count)],
        .laps = (uint32_t)-lap,
        .distance = 1};
    return true;
}
