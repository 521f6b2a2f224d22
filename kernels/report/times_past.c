/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Operations of one site follow each other in the schedule as they do in the
 * program, so of each site it is enough to look at the last one that is no later than the cycle
 * asked for. Where they do not, they are taken apart into rows in which they do. Rows are looked at
 * from the one that was added to last, until nothing in the others can count.
 */
#include "report/times_past.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct stream {
    uint32_t *events; /* owned; none but the first is before the horizon; cycles rise */
    uint32_t first, count, room;
    uint32_t newer, older; /* of those in use, by their last event */
    uint32_t site, sibling;
    uint64_t high; /* no event until its last one has a later cycle */
};

struct sl_past {
    const uint64_t *nominals;
    struct stream *streams; /* owned; the first `used` of `count` are in use */
    uint32_t used, count, newest;
    uint32_t *of_site; /* owned; the first stream, NONE */
    uint64_t high;
    uint32_t *found; /* owned; room for `count` */
};

struct sl_past *sl_past_create(uint32_t site_count)
{
    struct sl_past *past = calloc(1, sizeof *past);
    if (!past)
        return NULL;
    past->of_site = malloc((site_count + (size_t)1) * sizeof *past->of_site);
    if (!past->of_site) {
        free(past);
        return NULL;
    }
    memset(past->of_site, 0xff, (site_count + (size_t)1) * sizeof *past->of_site);
    past->newest = NONE;
    return past;
}

void sl_past_destroy(struct sl_past *past)
{
    if (!past)
        return;
    for (uint32_t s = 0; s < past->count; s++)
        free(past->streams[s].events);
    free(past->streams);
    free(past->of_site);
    free(past->found);
    free(past);
}

void sl_past_clear(struct sl_past *past, const uint64_t *nominals)
{
    for (uint32_t s = 0; s < past->used; s++)
        past->of_site[past->streams[s].site] = NONE;
    past->used = 0;
    past->newest = NONE;
    past->high = 0;
    past->nominals = nominals;
}

/* ---- streams --------------------------------------------------------------------------------- */

static uint32_t last_of(const struct stream *stream)
{
    return stream->events[stream->first + stream->count - 1];
}

static bool has_room(struct sl_past *past)
{
    if (past->used < past->count)
        return true;
    uint32_t more = past->count ? 2 * past->count : 8;
    struct stream *streams = realloc(past->streams, more * sizeof *streams);
    if (!streams)
        return false;
    past->streams = streams;
    uint32_t *found = realloc(past->found, more * sizeof *found);
    if (!found)
        return false;
    past->found = found;
    memset(streams + past->count, 0, (more - past->count) * sizeof *streams);
    past->count = more;
    return true;
}

/* One of the site to which this cycle can be added; NONE: no memory. */
static uint32_t find_stream(struct sl_past *past, uint32_t site, uint64_t nominal)
{
    uint32_t at = past->of_site[site];
    while (at != NONE && past->nominals[last_of(&past->streams[at])] > nominal)
        at = past->streams[at].sibling;
    if (at != NONE || !has_room(past))
        return at;
    at = past->used++;
    struct stream *stream = &past->streams[at];
    stream->first = stream->count = 0;
    stream->newer = stream->older = NONE;
    stream->site = site;
    stream->sibling = past->of_site[site];
    return past->of_site[site] = at;
}

static void make_newest(struct sl_past *past, uint32_t number)
{
    struct stream *stream = &past->streams[number];
    if (past->newest == number)
        return;
    if (stream->newer != NONE)
        past->streams[stream->newer].older = stream->older;
    if (stream->older != NONE)
        past->streams[stream->older].newer = stream->newer;
    stream->newer = NONE;
    stream->older = past->newest;
    if (past->newest != NONE)
        past->streams[past->newest].newer = number;
    past->newest = number;
}

/* False: no memory. */
static bool make_place(struct stream *stream)
{
    if (stream->first > stream->count) { /* half of it is no longer needed */
        memmove(stream->events, stream->events + stream->first,
                stream->count * sizeof *stream->events);
        stream->first = 0;
    }
    if (stream->first + stream->count < stream->room)
        return true;
    uint32_t more = stream->room ? 2 * stream->room : 16;
    uint32_t *events = realloc(stream->events, more * sizeof *events);
    if (!events)
        return false;
    stream->events = events;
    stream->room = more;
    return true;
}

bool sl_past_add(struct sl_past *past, uint32_t event, uint32_t site, uint64_t horizon)
{
    const uint64_t nominal = past->nominals[event];
    uint32_t number = find_stream(past, site, nominal);
    if (number == NONE || !make_place(&past->streams[number]))
        return false;
    struct stream *stream = &past->streams[number];
    stream->events[stream->first + stream->count++] = event;
    while (stream->count > 1 && past->nominals[stream->events[stream->first + 1]] <= horizon) {
        stream->first++;
        stream->count--;
    }
    past->high = nominal > past->high ? nominal : past->high;
    stream->high = past->high;
    make_newest(past, number);
    return true;
}

/* ---- questions ------------------------------------------------------------------------------- */

/* The last one that is no later than that cycle; NONE: there is none. */
static uint32_t last_until(const struct sl_past *past, const struct stream *stream,
                           uint64_t nominal)
{
    uint32_t low = 0, high = stream->count; /* so many of them are no later: at least, at most */
    if (past->nominals[last_of(stream)] <= nominal)
        return last_of(stream);
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (past->nominals[stream->events[stream->first + middle - 1]] <= nominal)
            low = middle;
        else
            high = middle - 1;
    }
    return low ? stream->events[stream->first + low - 1] : NONE;
}

/* Into the row, which is in the order of the program from its end. */
static void insert(uint32_t *row, uint32_t count, uint32_t event)
{
    for (; count && row[count - 1] < event; count--)
        row[count] = row[count - 1];
    row[count] = event;
}

/* Of the row, those that no other one is behind which is no earlier. */
static uint32_t keep_direct(const struct sl_past *past, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!kept || past->nominals[past->found[i]] > past->nominals[past->found[kept - 1]])
            past->found[kept++] = past->found[i];
    return kept;
}

uint32_t sl_past_find(struct sl_past *past, uint64_t nominal, const uint32_t **events)
{
    uint32_t count = 0, best = NONE; /* the latest, of several the one behind the others */
    for (uint32_t s = past->newest; s != NONE; s = past->streams[s].older) {
        const struct stream *stream = &past->streams[s];
        uint64_t most = stream->high < nominal ? stream->high : nominal;
        if (best != NONE && best > last_of(stream) && past->nominals[best] >= most)
            break;
        uint32_t event = last_until(past, stream, nominal);
        if (event == NONE)
            continue;
        insert(past->found, count++, event);
        if (best == NONE || past->nominals[event] > past->nominals[best] ||
            (past->nominals[event] == past->nominals[best] && event > best))
            best = event;
    }
    *events = past->found;
    return keep_direct(past, count);
}

uint32_t sl_past_latest(struct sl_past *past, const uint32_t **events)
{
    for (uint32_t s = 0; s < past->used; s++)
        past->found[s] = last_of(&past->streams[s]);
    *events = past->found;
    return past->used;
}
