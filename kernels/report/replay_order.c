/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least depth of a pipe, by a replay without times: who can go on does. It goes through all
 * operations once for each pipe, so what it has of them is no more than it needs, side by side.
 */
#include <stdlib.h>

#include "report/replay_state.h"

enum { READ = SL_REPLAY_READ, WRITE = SL_REPLAY_WRITE, ENDS = SL_REPLAY_ENDS };
#define NOBODY SL_REPLAY_NOBODY
#define ENDLESS (UINT64_MAX / 2) /* all others are less, and it may become more */

struct order_pipe {
    uint64_t packets, room;
    uint32_t waiting[ENDS];  /* first run in line */
    uint32_t room_of_packet; /* what a read gives: 0 where room is only granted */
};

struct order_run {
    const uint32_t *moves; /* in `moves`: twice the pipe, and one more if it writes */
    size_t at, count;
    uint32_t next; /* in a list of those that wait, or are ready */
    bool started;
};

struct sl_replay_order {
    const struct sl_replay_trace *trace;
    struct order_pipe *pipes; /* owned, as all of these */
    struct order_run *runs;
    uint32_t *moves;
    uint32_t ready, ended; /* as in struct sl_replay_state */
    uint64_t fill;         /* the most that the pipe had whose room is granted */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void find_moves(struct sl_replay_order *o)
{
    uint32_t *at = o->moves;
    for (uint32_t i = 0; i < o->trace->run_count; i++) {
        const struct sl_replay_run *run = &o->trace->runs[i];
        o->runs[i].moves = at;
        for (size_t e = 0; e < run->event_count; e++) {
            const struct sl_replay_site *site = &o->trace->sites[run->events[e].site];
            if (!site->fails)
                *at++ = 2 * site->pipe + site->write;
        }
        o->runs[i].count = (size_t)(at - o->runs[i].moves);
    }
}

struct sl_replay_order *sl_replay_order_create(const struct sl_replay_trace *trace)
{
    size_t total = 0;
    for (uint32_t i = 0; i < trace->run_count; i++)
        total += trace->runs[i].event_count;
    struct sl_replay_order *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->trace = trace;
    o->pipes = calloc(trace->pipe_count + (size_t)1, sizeof *o->pipes);
    o->runs = calloc(trace->run_count + (size_t)1, sizeof *o->runs);
    o->moves = calloc(total + 1, sizeof *o->moves);
    if (!o->pipes || !o->runs || !o->moves) {
        sl_replay_order_destroy(o);
        return NULL;
    }
    find_moves(o);
    return o;
}

void sl_replay_order_destroy(struct sl_replay_order *o)
{
    if (!o)
        return;
    free(o->pipes);
    free(o->runs);
    free(o->moves);
    free(o);
}

static void clear(struct sl_replay_order *o, const uint32_t *depths)
{
    const struct sl_replay_trace *t = o->trace;
    for (uint32_t p = 0; p < t->pipe_count; p++) {
        const bool endless = t->pipes[p].outside_reads || depths[p] == SL_UNLIMITED;
        o->pipes[p] = (struct order_pipe){.packets = t->pipes[p].outside_writes ? ENDLESS : 0,
                                          .room = endless ? ENDLESS : depths[p],
                                          .waiting = {NOBODY, NOBODY},
                                          .room_of_packet = 1};
    }
    for (uint32_t i = 0; i < t->run_count; i++) {
        o->runs[i].at = 0;
        o->runs[i].started = false;
    }
    o->ready = NOBODY;
    o->ended = 0;
    o->fill = 1;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void make_ready(struct sl_replay_order *o, uint32_t run)
{
    o->runs[run].next = o->ready;
    o->ready = run;
}

static void wake(struct sl_replay_order *o, struct order_pipe *pipe, int end)
{
    while (pipe->waiting[end] != NOBODY) {
        const uint32_t run = pipe->waiting[end];
        pipe->waiting[end] = o->runs[run].next;
        make_ready(o, run);
    }
}

static void start_runs(struct sl_replay_order *o)
{
    for (uint32_t i = 0; i < o->trace->run_count; i++) {
        if (o->runs[i].started || o->trace->runs[i].starts_after > o->ended)
            continue;
        o->runs[i].started = true;
        make_ready(o, i);
    }
}

static void end_run(struct sl_replay_order *o, const uint32_t *by_rank, uint32_t rank_count)
{
    const uint32_t before = o->ended;
    while (o->ended < rank_count) {
        const uint32_t run = by_rank[o->ended];
        if (run == NOBODY || o->runs[run].at < o->runs[run].count || !o->runs[run].started)
            break;
        o->ended++;
    }
    if (o->ended > before)
        start_runs(o);
}

/* Until it has to wait: false, or to its end. */
static bool go_on(struct sl_replay_order *o, uint32_t number)
{
    struct order_run *run = &o->runs[number];
    for (; run->at < run->count; run->at++) {
        const int end = (int)(run->moves[run->at] % ENDS);
        struct order_pipe *pipe = &o->pipes[run->moves[run->at] / ENDS];
        if (!(end == WRITE ? pipe->room : pipe->packets)) {
            run->next = pipe->waiting[end];
            pipe->waiting[end] = number;
            return false;
        }
        if (end == WRITE) {
            pipe->room--;
            pipe->packets++;
            if (!pipe->room_of_packet && pipe->packets > o->fill)
                o->fill = pipe->packets;
        } else {
            pipe->packets--;
            pipe->room += pipe->room_of_packet;
        }
        if (pipe->waiting[!end] != NOBODY)
            wake(o, pipe, !end);
    }
    return true;
}

static void go_on_all(struct sl_replay_order *o, const struct sl_replay_state *r)
{
    while (o->ready != NOBODY) {
        const uint32_t run = o->ready;
        o->ready = o->runs[run].next;
        if (go_on(o, run))
            end_run(o, r->by_rank, r->rank_count);
    }
}

/* All else goes on as far as it can before each write: nothing can be written later than that. Less
 * than it has is not enough as soon as all of that is in use. */
uint32_t sl_replay_least(struct sl_replay_state *r, const uint32_t *depths, uint32_t number)
{
    struct sl_replay_order *o = r->order;
    struct order_pipe *pipe = &o->pipes[number];
    clear(o, depths);
    pipe->room = pipe->room_of_packet = 0;
    start_runs(o);
    go_on_all(o, r);
    while (pipe->waiting[WRITE] != NOBODY && o->fill < depths[number]) {
        pipe->room = 1;
        wake(o, pipe, WRITE);
        go_on_all(o, r);
    }
    return (uint32_t)o->fill;
}
