/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Laps of a log: rows that are the same so many rows further on, and whose edges are. Looked for
 * from the middle of what has none so far, by the distances at which its row comes again; if most
 * of it has none by these, from rows that are rare: of a loop in another one those where the inner
 * one begins.
 */
#include <stdlib.h>
#include <string.h>

#include "report/laps_data.h"

enum { LEAST_LAPS = 32, LEAST_NODES = 2048, MOST_DISTANCES = 64, LOOKS = 8, RARE = 4 };
enum { KINDS = 1 << 16 }; /* of rows, told apart by a hash */
#define NOBODY SL_LAPS_NOBODY

struct range {
    uint32_t begin, end;
};

/* ---- where they are -------------------------------------------------------------------------- */

static bool is_same_row(const struct sl_laps *l, uint32_t a, uint32_t b)
{
    const struct sl_replay_row *x = &l->log->rows[a], *y = &l->log->rows[b];
    return x->kind == SL_REPLAY_MOVES && y->kind == SL_REPLAY_MOVES && x->run == y->run &&
           x->site == y->site;
}

static bool has_same_edges(const struct sl_laps *l, uint32_t a, uint32_t b)
{
    uint32_t count = l->first[a + 1] - l->first[a];
    bool same = count == l->first[b + 1] - l->first[b];
    for (uint32_t e = 0; e < count && same; e++) {
        const struct sl_laps_in *x = &l->in[l->first[a] + e], *y = &l->in[l->first[b] + e];
        same = x->distance == y->distance && a - x->from == b - y->from;
    }
    return same;
}

/* How far rows around `at` are those so much further on. */
static struct range extend(const struct sl_laps *l, struct range in, uint32_t at, uint32_t length)
{
    struct range found = {at, at};
    while (found.end + length < in.end && is_same_row(l, found.end, found.end + length) &&
           has_same_edges(l, found.end, found.end + length))
        found.end++;
    while (found.begin > in.begin && is_same_row(l, found.begin - 1, found.begin - 1 + length) &&
           has_same_edges(l, found.begin - 1, found.begin - 1 + length))
        found.begin--;
    found.end += length; /* those further on belong to it */
    return found;
}

static bool is_most(struct range range, struct range in)
{
    return range.end - range.begin > (in.end - in.begin) / 2;
}

/* The most that is laps of one length; 0: none. */
static uint32_t find_length(const struct sl_laps *l, struct range in, uint32_t at,
                            struct range *found)
{
    uint32_t tried = 0, best = 0;
    for (uint32_t next = at + 1; next < in.end && tried < MOST_DISTANCES; next++) {
        if (!is_same_row(l, at, next) || !has_same_edges(l, at, next))
            continue;
        if (best && (next - at) % best == 0)
            continue;
        tried++;
        struct range range = extend(l, in, at, next - at);
        if (range.end - range.begin < LEAST_LAPS * (next - at) ||
            (best && range.end - range.begin < 2 * (found->end - found->begin)))
            continue;
        best = next - at;
        *found = range;
        if (is_most(range, in))
            break;
    }
    return best;
}

/* By what makes rows the same. */
static uint32_t kind_of(const struct sl_laps *l, uint32_t node)
{
    const struct sl_replay_row *row = &l->log->rows[node];
    uint64_t hash = ((uint64_t)row->run << 32 | row->site) * 0x9e3779b97f4a7c15u;
    for (uint32_t e = l->first[node]; e < l->first[node + 1]; e++) {
        hash ^= (uint64_t)(node - l->in[e].from) << 32 | l->in[e].distance;
        hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    }
    return (uint32_t)(hash >> 40) % KINDS;
}

/* Of kinds with so many rows at least the rarest that is near the middle; in.end: there is none. */
static uint32_t find_rare(const struct sl_laps *l, struct range in, const uint32_t *counts,
                          uint32_t least)
{
    const uint32_t middle = in.begin + (in.end - in.begin) / 2,
                   end = middle + (in.end - middle) / 4;
    uint32_t rarest = in.end, count = UINT32_MAX;
    for (uint32_t i = middle; i < end; i++) {
        const uint32_t rows = counts[kind_of(l, i)];
        if (rows < least || rows >= count)
            continue;
        rarest = i;
        count = rows;
    }
    return rarest;
}

/* Only lengths that make more of it laps than `found`, which are laps of length `best`. */
static uint32_t find_rare_length(const struct sl_laps *l, struct range in, uint32_t best,
                                 struct range *found)
{
    uint32_t *counts = calloc(KINDS, sizeof *counts), least = LEAST_LAPS;
    for (uint32_t i = in.begin; counts && i < in.end; i++)
        counts[kind_of(l, i)]++;
    for (uint32_t n = 0; counts && n < RARE && !(best && is_most(*found, in)); n++) {
        const uint32_t at = find_rare(l, in, counts, least);
        if (at == in.end)
            break;
        least = counts[kind_of(l, at)] + 1;
        struct range range;
        const uint32_t length = find_length(l, in, at, &range);
        if (length && (!best || range.end - range.begin > found->end - found->begin)) {
            best = length;
            *found = range;
        }
    }
    free(counts);
    return best;
}

/* ---- what they consist of -------------------------------------------------------------------- */

static const struct sl_replay_site *site_of(const struct sl_laps *l, uint32_t node)
{
    return &l->trace->sites[l->log->rows[node].site];
}

static void fill_place(const struct sl_laps *l, struct sl_laps_stretch *s, uint32_t place,
                       uint32_t *edge, uint32_t *written)
{
    const uint32_t node = s->begin + s->length + place; /* of the second lap */
    const struct sl_replay_site *site = site_of(l, node);
    s->places[place] = (struct sl_laps_place){.first_edge = *edge, .pipe = NOBODY};
    for (uint32_t e = l->first[node]; e < l->first[node + 1]; e++) {
        uint32_t back = node - l->in[e].from, laps = (back + s->length - 1 - place) / s->length;
        s->edges[(*edge)++] = (struct sl_laps_edge){
            .place = place + laps * s->length - back, .laps = laps, .distance = l->in[e].distance};
    }
    if (site->fails || !site->write)
        return;
    if (l->reads[site->pipe])
        s->places[place].pipe = site->pipe;
    s->places[place].packet = written[site->pipe]++;
}

static void fill_reads(const struct sl_laps *l, struct sl_laps_stretch *s)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->length; i++) {
        const struct sl_replay_site *site = site_of(l, s->begin + i);
        s->of_pipe[site->pipe].count += !site->fails && !site->write;
    }
    for (uint32_t p = 0; p < l->trace->pipe_count; p++) {
        s->of_pipe[p].first = at;
        at += s->of_pipe[p].count;
        s->of_pipe[p].count = 0;
    }
    for (uint32_t i = 0; i < s->length; i++) {
        const struct sl_replay_site *site = site_of(l, s->begin + i);
        if (!site->fails && !site->write)
            s->reads[s->of_pipe[site->pipe].first + s->of_pipe[site->pipe].count++] = i;
    }
}

/* As many packets go out of each pipe in a lap as into it, or none do. */
static bool is_balanced(const struct sl_laps *l, const struct sl_laps_stretch *s,
                        const uint32_t *written)
{
    bool balanced = true;
    for (uint32_t p = 0; p < l->trace->pipe_count; p++)
        balanced &= !l->reads[p] || !written[p] || !s->of_pipe[p].count ||
                    written[p] == s->of_pipe[p].count;
    return balanced;
}

static bool fill(struct sl_laps *l, struct sl_laps_stretch *s)
{
    const size_t pipes = l->trace->pipe_count + (size_t)1;
    const uint32_t first = s->begin + s->length;
    uint32_t edge = 0, *written = calloc(pipes, sizeof *written);
    s->places = calloc(s->length + (size_t)1, sizeof *s->places);
    s->edges = calloc(l->first[first + s->length] - l->first[first] + (size_t)1, sizeof *s->edges);
    s->of_pipe = calloc(pipes, sizeof *s->of_pipe);
    s->reads = calloc(s->length, sizeof *s->reads);
    s->read_before = calloc(pipes, sizeof *s->read_before);
    s->written_before = calloc(pipes, sizeof *s->written_before);
    bool able = written && s->places && s->edges && s->of_pipe && s->reads && s->read_before &&
                s->written_before;
    for (uint32_t i = 0; able && i < s->length; i++)
        fill_place(l, s, i, &edge, written);
    if (able) {
        s->places[s->length] = (struct sl_laps_place){.first_edge = edge, .pipe = NOBODY};
        fill_reads(l, s);
        if (!is_balanced(l, s, written))
            s->count = 0;
    }
    free(written);
    return able;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* In front of those that come behind it. */
static struct sl_laps_stretch *put(struct sl_laps *l, uint32_t begin)
{
    uint32_t at = l->stretch_count++;
    for (; at && l->stretches[at - 1].begin > begin; at--)
        l->stretches[at] = l->stretches[at - 1];
    l->stretches[at] = (struct sl_laps_stretch){.begin = begin};
    return &l->stretches[at];
}

/* The longest range without laps is looked at, from its middle. */
static bool look(struct sl_laps *l, struct range in, struct range *found)
{
    uint32_t length = find_length(l, in, in.begin + (in.end - in.begin) / 2, found);
    if (!length || !is_most(*found, in))
        length = find_rare_length(l, in, length, found);
    if (!length)
        return false;
    struct sl_laps_stretch *s = put(l, found->begin);
    s->length = length;
    s->count = (found->end - found->begin) / length;
    found->end = found->begin + s->count * length;
    return true;
}

/* A stack of what has not been looked at. */
bool sl_laps_find(struct sl_laps *l)
{
    struct range left[2 * SL_LAPS_STRETCHES] = {{0, l->count}};
    uint32_t count = 1, looks = 0;
    while (count && l->stretch_count < SL_LAPS_STRETCHES && looks++ < 4 * LOOKS) {
        struct range in = left[--count], found;
        if (in.end - in.begin < LEAST_NODES || !look(l, in, &found))
            continue;
        if (count + 2 <= 2 * SL_LAPS_STRETCHES) {
            left[count++] = (struct range){in.begin, found.begin};
            left[count++] = (struct range){found.end, in.end};
        }
    }
    for (uint32_t i = 0; i < l->stretch_count; i++)
        if (!fill(l, &l->stretches[i]))
            return false;
    return true;
}
