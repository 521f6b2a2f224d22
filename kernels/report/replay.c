/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A run goes on until it has to wait; who moves a packet wakes those that wait at
 * the other end. The order in which runs are taken has no influence on times: each end of a pipe
 * has its operations in the order of the trace, so times are longest ways through a graph.
 */
#include "report/replay.h"

#include <stdlib.h>
#include <string.h>

#include "report/replay_state.h"

enum { READ = SL_REPLAY_READ, WRITE = SL_REPLAY_WRITE, ENDS = SL_REPLAY_ENDS };
#define NOBODY SL_REPLAY_NOBODY

/* ---- memory ---------------------------------------------------------------------------------- */

static void count_operations(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++)
        for (size_t e = 0; e < t->runs[i].event_count; e++) {
            const struct sl_replay_site *site = &t->sites[t->runs[i].events[e].site];
            r->pipes[site->pipe].room[site->write] += !site->fails;
        }
}

/* From the end, where nothing follows. */
static void find_horizons(const struct sl_replay_run *run, uint64_t *horizons)
{
    uint64_t nominal = UINT64_MAX, least = UINT64_MAX;
    for (size_t e = 0; e < run->event_count; e++)
        nominal += (uint64_t)(int64_t)run->events[e].later;
    for (size_t e = run->event_count; e-- > 0;) {
        horizons[e] = least;
        least = nominal < least ? nominal : least;
        nominal -= (uint64_t)(int64_t)run->events[e].later;
    }
}

static int share_memory(struct sl_replay_state *r)
{
    size_t total = 0;
    for (uint32_t i = 0; i < r->trace->run_count; i++)
        total += r->trace->runs[i].event_count;
    for (uint32_t p = 0; p < r->trace->pipe_count; p++)
        total += (size_t)r->pipes[p].room[READ] + r->pipes[p].room[WRITE];
    uint64_t *at = r->memory = calloc(total + 1, sizeof *at);
    for (uint32_t i = 0; at && i < r->trace->run_count; i++) {
        r->runs[i].horizons = at;
        find_horizons(&r->trace->runs[i], at);
        at += r->trace->runs[i].event_count;
    }
    for (uint32_t p = 0; at && p < r->trace->pipe_count; p++)
        for (int end = 0; end < ENDS; end++) {
            r->pipes[p].times[end] = at;
            at += r->pipes[p].room[end];
        }
    return at ? 0 : -1;
}

static void rank_runs(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++)
        r->by_rank[i] = NOBODY;
    for (uint32_t i = 0; i < t->run_count; i++)
        if (t->runs[i].end_rank < t->run_count) {
            r->by_rank[t->runs[i].end_rank] = i;
            r->rank_count++;
        }
}

struct sl_replay_state *sl_replay_state_create(const struct sl_replay_trace *trace)
{
    struct sl_replay_state *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->trace = trace;
    r->runs = calloc(trace->run_count + (size_t)1, sizeof *r->runs);
    r->pipes = calloc(trace->pipe_count + (size_t)1, sizeof *r->pipes);
    r->by_rank = calloc(trace->run_count + (size_t)1, sizeof *r->by_rank);
    r->end_time = calloc(trace->run_count + (size_t)1, sizeof *r->end_time);
    r->order = sl_replay_order_create(trace);
    if (r->runs && r->pipes && r->by_rank && r->end_time && r->order) {
        count_operations(r);
        rank_runs(r);
        if (!share_memory(r) && !sl_replay_find_users(r))
            return r;
    }
    sl_replay_state_destroy(r);
    return NULL;
}

void sl_replay_state_destroy(struct sl_replay_state *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; r->runs && i < r->trace->run_count; i++)
        sl_delays_finish(&r->runs[i].delays);
    free(r->runs);
    free(r->pipes);
    free(r->users);
    free(r->memory);
    free(r->by_rank);
    free(r->end_time);
    sl_replay_order_destroy(r->order);
    free(r);
}

static void clear(struct sl_replay_state *r, const uint32_t *depths)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++) {
        struct sl_delays delays = r->runs[i].delays;
        sl_delays_clear(&delays);
        r->runs[i] =
            (struct sl_replay_run_state){.delays = delays, .horizons = r->runs[i].horizons};
    }
    for (uint32_t p = 0; p < t->pipe_count; p++)
        for (int end = 0; end < ENDS; end++) {
            r->pipes[p].count[end] = r->pipes[p].user[end] = 0;
            r->pipes[p].next[end] = 0;
            r->pipes[p].waiting[end] = NOBODY;
        }
    r->depths = depths;
    r->ready = NOBODY;
    r->ended = 0;
    r->cycles = 0;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_possible(const struct sl_replay_state *r, const struct sl_replay_site *site)
{
    const struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
    const struct sl_replay_pipe *of = &r->trace->pipes[site->pipe];
    if (site->fails)
        return true;
    if (!site->write)
        return of->outside_writes || pipe->count[READ] < pipe->count[WRITE];
    return of->outside_reads || r->depths[site->pipe] == SL_UNLIMITED ||
           pipe->count[WRITE] - pipe->count[READ] < r->depths[site->pipe];
}

static void make_ready(struct sl_replay_state *r, uint32_t run)
{
    r->runs[run].next = r->ready;
    r->ready = run;
}

static void wake(struct sl_replay_state *r, struct sl_replay_pipe_state *pipe, int end)
{
    while (pipe->waiting[end] != NOBODY) {
        uint32_t run = pipe->waiting[end];
        pipe->waiting[end] = r->runs[run].next;
        r->runs[run].waits = false;
        make_ready(r, run);
    }
}

static void move(struct sl_replay_state *r, uint32_t number, const struct sl_replay_site *site)
{
    struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
    uint64_t time = r->timed ? sl_replay_time(r, number, site) : 0;
    r->runs[number].at++;
    if (site->fails)
        return;
    if (r->timed)
        pipe->times[site->write][pipe->count[site->write]] = time;
    pipe->count[site->write]++;
    wake(r, pipe, !site->write);
}

static uint64_t begin_of(const struct sl_replay_state *r, const struct sl_replay_run *run)
{
    if (r->trace->timed)
        return run->behind == SL_REPLAY_NO_RUN ? run->begin : r->runs[run->behind].end + run->since;
    return run->starts_after ? r->end_time[run->starts_after - 1] : 0;
}

static void start_runs(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++) {
        struct sl_replay_run_state *run = &r->runs[i];
        if (run->started || t->runs[i].starts_after > r->ended)
            continue;
        run->started = true;
        run->begin = begin_of(r, &t->runs[i]);
        sl_replay_note(r, SL_REPLAY_BEGINS, i, 0);
        make_ready(r, i);
    }
}

/* A run has ended: others may start that began behind it. */
static void end_run(struct sl_replay_state *r)
{
    uint32_t before = r->ended;
    while (r->ended < r->rank_count) {
        uint32_t run = r->by_rank[r->ended];
        if (run == NOBODY || r->runs[run].at < r->trace->runs[run].event_count ||
            !r->runs[run].started)
            break;
        uint64_t last = r->ended ? r->end_time[r->ended - 1] : 0, own = r->runs[run].end;
        sl_replay_note(r, SL_REPLAY_RANKED, run, 0);
        r->end_time[r->ended++] = own > last ? own : last;
    }
    if (r->ended > before)
        start_runs(r);
}

static void go_on(struct sl_replay_state *r, uint32_t number)
{
    const struct sl_replay_run *of = &r->trace->runs[number];
    struct sl_replay_run_state *run = &r->runs[number];
    while (run->at < of->event_count) {
        const struct sl_replay_site *site = &r->trace->sites[of->events[run->at].site];
        if (!is_possible(r, site)) {
            struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
            run->next = pipe->waiting[site->write];
            pipe->waiting[site->write] = number;
            run->waits = true;
            return;
        }
        move(r, number, site);
    }
    sl_replay_finish_run(r, number);
    end_run(r);
}

static void go_on_all(struct sl_replay_state *r)
{
    while (r->ready != NOBODY) {
        uint32_t run = r->ready;
        r->ready = r->runs[run].next;
        go_on(r, run);
    }
}

static bool is_complete(const struct sl_replay_state *r)
{
    for (uint32_t i = 0; i < r->trace->run_count; i++)
        if (r->runs[i].at < r->trace->runs[i].event_count)
            return false;
    return true;
}

/* A packet is there from its write on until the cycle behind its read. */
static void find_fill(struct sl_replay_state *r, uint32_t *fill)
{
    for (uint32_t p = 0; p < r->trace->pipe_count; p++) {
        const struct sl_replay_pipe_state *pipe = &r->pipes[p];
        uint32_t gone = 0, most = 0;
        for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
            while (gone < pipe->count[READ] && pipe->times[READ][gone] < pipe->times[WRITE][n])
                gone++;
            most = n + 1 > gone + most ? n + 1 - gone : most;
        }
        fill[p] = most;
    }
}

void sl_replay_run(struct sl_replay_state *r, const uint32_t *depths,
                   struct sl_replay_result *result)
{
    clear(r, depths);
    r->timed = true;
    r->log = result->log;
    start_runs(r);
    go_on_all(r);
    r->log = NULL;
    result->complete = is_complete(r);
    result->cycles = r->cycles;
    if (result->complete && result->fill)
        find_fill(r, result->fill);
}

/* ---- depths ---------------------------------------------------------------------------------- */

/* One of the full pipes, the deepest, takes another packet: so few of them get deep, and less is in
 * vain than if all of them do. False: none of them may. */
static bool grow_one(struct sl_replay_state *r, const uint32_t *full, uint32_t count,
                     uint32_t *depths, const uint32_t *most, uint32_t *proven)
{
    uint32_t best = NOBODY, able = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = full[i];
        if (depths[p] >= most[p])
            continue;
        able++;
        if (best == NOBODY || depths[p] > depths[best])
            best = p;
    }
    if (best == NOBODY)
        return false;
    depths[best]++;
    if (able == 1) /* nothing else helps */
        proven[best] = depths[best];
    wake(r, &r->pipes[best], WRITE);
    return true;
}

bool sl_replay_grow(struct sl_replay_state *r, uint32_t *depths, const uint32_t *most,
                    uint32_t *proven)
{
    uint32_t *full = calloc(r->trace->pipe_count + (size_t)1, sizeof *full);
    bool able = full != NULL;
    clear(r, depths);
    r->timed = false;
    start_runs(r);
    go_on_all(r);
    while (able && !is_complete(r)) {
        able = grow_one(r, full, sl_replay_find_cycle(r, full), depths, most, proven);
        go_on_all(r);
    }
    free(full);
    return able;
}
