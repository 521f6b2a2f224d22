/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A sweep goes through the log once; each node comes when all are through that an
 * edge leads from, which come earlier in the log. */
#include "report/laps.h"

#include <stdlib.h>
#include <string.h>

#include "report/laps_data.h"

enum { READ, WRITE, ENDS };
#define NOBODY SL_LAPS_NOBODY

/* ---- one after the other --------------------------------------------------------------------- */

static const struct sl_replay_site *moved_at(const struct sl_laps *l, uint32_t node)
{
    const struct sl_replay_row *row = &l->log->rows[node];
    const struct sl_replay_site *site = &l->trace->sites[row->site];
    return row->kind == SL_REPLAY_MOVES && !site->fails ? site : NULL;
}

/* When there is room for this packet. */
static int64_t room_at(const struct sl_laps *l, uint32_t pipe, uint32_t packet)
{
    if (!l->reads[pipe] || packet < l->depths[pipe] ||
        packet - l->depths[pipe] >= l->read_count[pipe])
        return 0;
    return sl_laps_time(l, l->reads[pipe][packet - l->depths[pipe]]) + 1;
}

static bool step(struct sl_laps *l, uint32_t node)
{
    const struct sl_replay_row *row = &l->log->rows[node];
    const struct sl_replay_run *run = &l->trace->runs[row->run];
    const struct sl_replay_site *site = moved_at(l, node);
    int64_t time = 0;
    if (row->kind == SL_REPLAY_BEGINS && l->trace->timed && run->behind == SL_REPLAY_NO_RUN)
        time = (int64_t)run->begin;
    for (uint32_t e = l->first[node]; e < l->first[node + 1]; e++) {
        int64_t least = sl_laps_time(l, l->in[e].from) + l->in[e].distance;
        time = least > time ? least : time;
    }
    if (site && site->write) {
        int64_t least = room_at(l, site->pipe, l->done[WRITE][site->pipe]);
        time = least > time ? least : time;
    }
    if (site)
        l->done[site->write][site->pipe]++;
    l->times[node] = time;
    return time <= l->limit;
}

/* ---- laps ------------------------------------------------------------------------------------ */

struct lap {
    const int64_t *near[SL_LAPS_NEAR]; /* the row of so many laps before; the first: its own */
    uint32_t number, near_count;
};

static int64_t operand(const struct sl_laps *l, const struct sl_laps_stretch *s,
                       const struct lap *lap, const struct sl_laps_edge *edge)
{
    if (edge->laps < lap->near_count)
        return lap->near[edge->laps][edge->place];
    if (edge->laps <= lap->number)
        return sl_laps_place_time(s, lap->number - edge->laps, edge->place);
    return sl_laps_time(l, s->begin + edge->place - (edge->laps - lap->number) * s->length);
}

static int64_t room_in_lap(const struct sl_laps *l, const struct sl_laps_stretch *s,
                           const struct lap *lap, const struct sl_laps_edge *room,
                           const struct sl_laps_place *place, uint32_t per_lap)
{
    if (room->laps != NOBODY && room->laps <= lap->number)
        return operand(l, s, lap, room) + 1;
    return room_at(l, place->pipe,
                   s->written_before[place->pipe] + lap->number * per_lap + place->packet);
}

static void start_lap(const struct sl_laps_stretch *s, uint32_t number, int64_t *row,
                      struct lap *lap)
{
    const struct sl_laps_block *block = &s->blocks[s->block_count - 1];
    lap->number = number;
    lap->near_count = block->count < SL_LAPS_NEAR ? block->count : SL_LAPS_NEAR;
    for (uint32_t i = 0; i < lap->near_count; i++)
        lap->near[i] = row - (size_t)i * s->length;
}

/* False: it is too late. */
static bool go_through(const struct sl_laps *l, const struct sl_laps_stretch *s, uint32_t number,
                       const struct sl_laps_edge *rooms, const uint32_t *per_lap, int64_t *row)
{
    struct lap lap;
    int64_t most = 0;
    start_lap(s, number, row, &lap);
    for (uint32_t i = 0; i < s->length; i++) {
        const struct sl_laps_place *place = &s->places[i];
        int64_t time = 0;
        for (uint32_t e = place->first_edge; e < place[1].first_edge; e++) {
            int64_t least = operand(l, s, &lap, &s->edges[e]) + s->edges[e].distance;
            time = least > time ? least : time;
        }
        if (place->pipe != NOBODY) {
            int64_t least = room_in_lap(l, s, &lap, &rooms[i], place, per_lap[place->pipe]);
            time = least > time ? least : time;
        }
        row[i] = time;
        most = time > most ? time : most;
    }
    return most <= l->limit;
}

/* So many of the laps that are skipped get rows: those behind them look at them. */
static uint32_t shown(uint32_t stride)
{
    return 3 * stride > SL_LAPS_NEAR ? 3 * stride : SL_LAPS_NEAR;
}

static bool add_skipped(struct sl_laps_stretch *s, struct sl_laps_pace *pace, uint32_t lap,
                        uint32_t laps, uint32_t stride)
{
    const uint32_t first = lap + laps - shown(stride) + 1, next = pace->next_look;
    const uint32_t blocks = s->block_count;
    *pace = (struct sl_laps_pace){.next_look = next};
    for (uint32_t at = first; at <= lap + laps; at++) {
        int64_t *row = sl_laps_add_row(s, at, at == first);
        if (!row)
            return false;
        const uint32_t now = s->block_count;
        s->block_count = blocks; /* as if it were not there yet */
        for (uint32_t i = 0; i < s->length; i++)
            row[i] = sl_laps_place_time(s, at, i);
        s->block_count = now;
        sl_laps_note(pace, s, at);
    }
    return true;
}

static bool go_on(struct sl_laps *l, struct sl_laps_stretch *s, const struct sl_laps_edge *rooms,
                  const uint32_t *per_lap)
{
    struct sl_laps_pace pace = {0};
    s->row_count = s->block_count = 0;
    for (uint32_t lap = 0; lap < s->count; lap++) {
        int64_t *row = sl_laps_add_row(s, lap, !lap);
        if (!row)
            l->limit = -1;
        if (!row || !go_through(l, s, lap, rooms, per_lap, row))
            return false;
        sl_laps_note(&pace, s, lap);
        const uint32_t skipped = sl_laps_skip(l, s, &pace, lap);
        const uint32_t stride = s->blocks[s->block_count - 1].stride;
        if (skipped < 2 * shown(stride))
            continue;
        if (!add_skipped(s, &pace, lap, skipped, stride)) {
            l->limit = -1;
            return false;
        }
        lap += skipped;
    }
    return true;
}

static bool go_through_laps(struct sl_laps *l, struct sl_laps_stretch *s)
{
    const uint32_t pipes = l->trace->pipe_count;
    struct sl_laps_edge *rooms = calloc(s->length, sizeof *rooms);
    uint32_t *per_lap = calloc(pipes + (size_t)1, sizeof *per_lap);
    bool able = rooms && per_lap;
    memcpy(s->read_before, l->done[READ], pipes * sizeof *s->read_before);
    memcpy(s->written_before, l->done[WRITE], pipes * sizeof *s->written_before);
    for (uint32_t i = 0; able && i < s->length; i++) {
        const struct sl_replay_site *site = moved_at(l, s->begin + i);
        per_lap[site ? site->pipe : pipes] += site && site->write;
        if (s->places[i].pipe == NOBODY || !sl_laps_room(l, s, &s->places[i], &rooms[i]))
            rooms[i].laps = NOBODY;
    }
    if (!able)
        l->limit = -1;
    able = able && go_on(l, s, rooms, per_lap);
    for (uint32_t p = 0; p < pipes; p++) {
        l->done[READ][p] += s->count * s->of_pipe[p].count;
        l->done[WRITE][p] += per_lap ? s->count * per_lap[p] : 0;
    }
    free(rooms);
    free(per_lap);
    return able;
}

/* ---- a sweep --------------------------------------------------------------------------------- */

static bool go_through_all(struct sl_laps *l)
{
    uint32_t node = 0;
    bool able = true;
    for (uint32_t i = 0; i <= l->stretch_count && able; i++) {
        struct sl_laps_stretch *s = i < l->stretch_count ? &l->stretches[i] : NULL;
        for (uint32_t end = s ? s->begin : l->count; node < end && able; node++)
            able = step(l, node);
        able = able && (!s || go_through_laps(l, s));
        node = s ? s->begin + s->length * s->count : node;
    }
    return able;
}

uint64_t sl_laps_cycles(struct sl_laps *l, const uint32_t *depths, uint64_t limit)
{
    int64_t last = 0;
    l->depths = depths;
    l->limit = limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
    for (int end = 0; end < ENDS; end++)
        memset(l->done[end], 0, l->trace->pipe_count * sizeof *l->done[end]);
    for (uint32_t i = 0; i < l->stretch_count; i++)
        l->stretches[i].block_count = l->stretches[i].row_count = 0;
    if (!go_through_all(l))
        return l->limit < 0 ? UINT64_MAX : limit + 1;
    for (uint32_t i = 0; i < l->finish_count; i++)
        last = l->times[l->finishes[i]] > last ? l->times[l->finishes[i]] : last;
    return (uint64_t)last;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Edges to a node instead of from it. */
static bool turn_edges(struct sl_laps *l, const struct sl_times_graph *g)
{
    size_t edges = g->first[g->count];
    l->first = calloc(g->count + (size_t)2, sizeof *l->first);
    l->in = calloc(edges + 1, sizeof *l->in);
    if (!l->first || !l->in)
        return false;
    for (size_t e = 0; e < edges; e++)
        if (g->edges[e].to != SL_TIMES_NOWHERE)
            l->first[g->edges[e].to + 2]++;
    for (uint32_t i = 0; i < g->count; i++)
        l->first[i + 2] += l->first[i + 1];
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            if (g->edges[e].to != SL_TIMES_NOWHERE)
                l->in[l->first[g->edges[e].to + 1]++] =
                    (struct sl_laps_in){i, g->edges[e].distance};
    return true;
}

static void share_reads(struct sl_laps *l)
{
    const struct sl_replay_trace *t = l->trace;
    uint32_t *at = l->read_memory;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct sl_replay_site *site = moved_at(l, i);
        l->read_count[site ? site->pipe : t->pipe_count] += site && !site->write;
    }
    for (uint32_t p = 0; p < t->pipe_count; p++) {
        l->reads[p] = at;
        at += l->read_count[p];
        l->read_count[p] = 0;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        const struct sl_replay_site *site = moved_at(l, i);
        if (site && !site->write)
            l->reads[site->pipe][l->read_count[site->pipe]++] = i;
    }
    for (uint32_t p = 0; p < t->pipe_count; p++)
        if (t->pipes[p].outside_reads)
            l->reads[p] = NULL;
}

static void list_finishes(struct sl_laps *l)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->log->rows[i].kind == SL_REPLAY_FINISHES)
            l->finishes[l->finish_count++] = i;
}

static bool prepare(struct sl_laps *l, const struct sl_times_graph *graph)
{
    const size_t pipes = l->trace->pipe_count + (size_t)1;
    bool able = turn_edges(l, graph);
    l->times = calloc(l->count + (size_t)1, sizeof *l->times);
    l->reads = calloc(pipes, sizeof *l->reads);
    l->read_memory = calloc(l->count + (size_t)1, sizeof *l->read_memory);
    l->read_count = calloc(pipes, sizeof *l->read_count);
    l->finishes = calloc(l->trace->run_count + (size_t)1, sizeof *l->finishes);
    for (int end = 0; end < ENDS; end++)
        l->done[end] = calloc(pipes, sizeof *l->done[end]);
    able = able && l->finishes && l->times && l->reads && l->read_memory && l->read_count &&
           l->done[READ] && l->done[WRITE];
    if (able) {
        share_reads(l);
        list_finishes(l);
    }
    return able && sl_laps_find(l);
}

/* Laps are most of it. */
static bool is_worth(const struct sl_laps *l)
{
    uint64_t in_laps = 0;
    for (uint32_t i = 0; i < l->stretch_count; i++)
        in_laps += (uint64_t)l->stretches[i].length * l->stretches[i].count;
    return in_laps > l->count - l->count / 8;
}

struct sl_laps *sl_laps_create(const struct sl_replay_trace *trace, const struct sl_replay_log *log,
                               const struct sl_times_graph *graph)
{
    struct sl_laps *l = log->count < NOBODY ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->trace = trace;
    l->log = log;
    l->count = (uint32_t)log->count;
    if (prepare(l, graph) && is_worth(l))
        return l;
    sl_laps_destroy(l);
    return NULL;
}

void sl_laps_destroy(struct sl_laps *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->stretch_count; i++) {
        struct sl_laps_stretch *s = &l->stretches[i];
        free(s->places);
        free(s->edges);
        free(s->of_pipe);
        free(s->reads);
        free(s->rows);
        free(s->blocks);
        free(s->read_before);
        free(s->written_before);
    }
    free(l->first);
    free(l->in);
    free(l->times);
    free(l->reads);
    free(l->read_memory);
    free(l->read_count);
    free(l->finishes);
    free(l->done[READ]);
    free(l->done[WRITE]);
    free(l);
}
