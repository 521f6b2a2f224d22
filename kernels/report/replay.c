/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A run goes on until it has to wait; who moves a packet wakes those that wait at
 * the other end. The order in which runs are taken has no influence on times: each end of a pipe
 * has its operations in the order of the trace, so times are longest ways through a graph.
 */
#include "report/replay.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/base/delays.h"

enum end { READ, WRITE, ENDS };
#define NOBODY UINT32_MAX

struct run_state {
    size_t at; /* the next event */
    /* In the schedule: the loop of the last event, when its iteration began, how far it is. */
    int32_t loop;
    uint32_t step, cycle;    /* step: the one behind that event */
    uint64_t began, nominal; /* as if it never waited: of the iteration, of the last event */
    uint64_t begin, end;     /* cycles: when it started; the one behind all that it has done */
    struct sl_delays delays; /* of nominal cycles */
    uint32_t next;           /* in a list of those that wait, or are ready */
    bool started, waits;
    bool passed; /* by the search for a cycle */
};

struct pipe_state {
    uint64_t *times[ENDS]; /* of each operation: its cycle */
    uint32_t count[ENDS], room[ENDS];
    uint32_t waiting[ENDS]; /* first run in line */
    uint32_t users[ENDS];   /* standing still: the first run that has such an operation ahead */
};

struct sl_replay_state {
    const struct sl_replay_trace *trace;
    struct run_state *runs;
    struct pipe_state *pipes;
    uint64_t *memory;      /* owned: all times */
    uint32_t *by_rank;     /* owned: runs that ended, in the order of their ends */
    uint32_t ready, ended; /* runs that could go on; how many ends in a row, by rank, are over */
    uint32_t rank_count;
    uint64_t *end_time; /* owned; of all runs up to this rank: when the last of them ended */
    const uint32_t *depths;
    struct sl_replay_result *result;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void count_operations(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++)
        for (size_t e = 0; e < t->runs[i].event_count; e++) {
            const struct sl_replay_site *site = &t->sites[t->runs[i].events[e]];
            r->pipes[site->pipe].room[site->write]++;
        }
}

static int share_memory(struct sl_replay_state *r)
{
    size_t total = 0;
    for (uint32_t p = 0; p < r->trace->pipe_count; p++)
        total += (size_t)r->pipes[p].room[READ] + r->pipes[p].room[WRITE];
    uint64_t *at = r->memory = calloc(total + 1, sizeof *at);
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
    if (r->runs && r->pipes && r->by_rank && r->end_time) {
        count_operations(r);
        rank_runs(r);
        if (!share_memory(r))
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
    free(r->memory);
    free(r->by_rank);
    free(r->end_time);
    free(r);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The step behind `from` that is this operation; step_count: there is none in this iteration. */
static uint32_t find_step(const struct sl_replay_loop *loop, uint32_t from, uint32_t place)
{
    while (from < loop->step_count && loop->steps[from].place != place)
        from++;
    return from;
}

static uint64_t real_time(const struct run_state *run, uint64_t nominal)
{
    return run->begin + nominal + sl_delays_at(&run->delays, nominal);
}

static void reach(struct run_state *run, uint64_t cycle)
{
    run->end = cycle > run->end ? cycle : run->end;
}

/* Behind the last event: the loop that it is in has run dry, or a cycle is over. */
static uint64_t behind(const struct sl_replay_state *r, const struct run_state *run)
{
    if (!run->at)
        return 0;
    return run->loop < 0 ? run->nominal + 1 : run->began + r->trace->loops[run->loop].depth;
}

/* In another loop than the last event. */
static void enter_loop(const struct sl_replay_state *r, struct run_state *run, int32_t loop)
{
    run->began = behind(r, run);
    reach(run, real_time(run, run->began));
    sl_delays_advance(&run->delays, run->began);
    run->loop = loop;
    run->step = 0;
    run->cycle = 0;
}

/* The nominal cycle of this event. */
static uint64_t scheduled(const struct sl_replay_state *r, struct run_state *run,
                          const struct sl_replay_site *site)
{
    if (site->loop != run->loop || site->loop < 0 || !run->at)
        enter_loop(r, run, site->loop);
    if (site->loop < 0)
        return run->began;
    const struct sl_replay_loop *loop = &r->trace->loops[site->loop];
    uint32_t step = find_step(loop, run->step, site->place);
    if (step == loop->step_count) { /* an iteration later */
        run->began += loop->interval;
        sl_delays_advance(&run->delays, run->began);
        step = find_step(loop, 0, site->place);
    }
    run->step = step + 1;
    run->cycle = loop->steps[step].cycle;
    return run->began + run->cycle;
}

/* The pipe lets it happen no earlier: one operation a cycle, behind its packet or room. */
static uint64_t allowed(const struct sl_replay_state *r, const struct sl_replay_site *site)
{
    const struct pipe_state *pipe = &r->pipes[site->pipe];
    const struct sl_replay_pipe *of = &r->trace->pipes[site->pipe];
    uint32_t depth = r->depths[site->pipe], n = pipe->count[site->write];
    uint64_t own = n ? pipe->times[site->write][n - 1] + 1 : 0, peer = 0;
    if (site->write && !of->outside_reads && n >= depth)
        peer = pipe->times[READ][n - depth] + 1;
    else if (!site->write && !of->outside_writes)
        peer = pipe->times[WRITE][n] + 1;
    return own > peer ? own : peer;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_possible(const struct sl_replay_state *r, const struct sl_replay_site *site)
{
    const struct pipe_state *pipe = &r->pipes[site->pipe];
    const struct sl_replay_pipe *of = &r->trace->pipes[site->pipe];
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

static void wake(struct sl_replay_state *r, struct pipe_state *pipe, enum end end)
{
    while (pipe->waiting[end] != NOBODY) {
        uint32_t run = pipe->waiting[end];
        pipe->waiting[end] = r->runs[run].next;
        r->runs[run].waits = false;
        make_ready(r, run);
    }
}

/* What has a later nominal cycle is late by so much; all that is left if memory is out. */
static void hold(struct run_state *run, uint64_t delay)
{
    if (sl_delays_hold(&run->delays, run->nominal, delay))
        return;
    sl_delays_clear(&run->delays);
    run->delays.base = delay;
}

static void move(struct sl_replay_state *r, struct run_state *run,
                 const struct sl_replay_site *site)
{
    struct pipe_state *pipe = &r->pipes[site->pipe];
    run->nominal = scheduled(r, run, site);
    uint64_t time = real_time(run, run->nominal), least = allowed(r, site);
    if (time < least) {
        hold(run, least - run->begin - run->nominal);
        time = least;
    }
    run->at++;
    reach(run, time + 1);
    pipe->times[site->write][pipe->count[site->write]++] = time;
    wake(r, pipe, !site->write);
}

static void start_runs(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++) {
        struct run_state *run = &r->runs[i];
        if (run->started || t->runs[i].starts_after > r->ended)
            continue;
        run->started = true;
        run->begin = t->runs[i].starts_after ? r->end_time[t->runs[i].starts_after - 1] : 0;
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
        r->end_time[r->ended++] = own > last ? own : last;
    }
    if (r->ended > before)
        start_runs(r);
}

static void go_on(struct sl_replay_state *r, uint32_t number)
{
    const struct sl_replay_run *of = &r->trace->runs[number];
    struct run_state *run = &r->runs[number];
    while (run->at < of->event_count) {
        const struct sl_replay_site *site = &r->trace->sites[of->events[run->at]];
        if (!is_possible(r, site)) {
            struct pipe_state *pipe = &r->pipes[site->pipe];
            run->next = pipe->waiting[site->write];
            pipe->waiting[site->write] = number;
            run->waits = true;
            return;
        }
        move(r, run, site);
    }
    reach(run, real_time(run, behind(r, run)));
    r->result->cycles = run->end > r->result->cycles ? run->end : r->result->cycles;
    end_run(r);
}

static void clear(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t i = 0; i < t->run_count; i++) {
        struct sl_delays delays = r->runs[i].delays;
        sl_delays_clear(&delays);
        r->runs[i] = (struct run_state){.delays = delays};
    }
    for (uint32_t p = 0; p < t->pipe_count; p++) {
        struct pipe_state *pipe = &r->pipes[p];
        pipe->count[READ] = pipe->count[WRITE] = 0;
        pipe->waiting[READ] = pipe->waiting[WRITE] = NOBODY;
    }
    for (uint32_t i = 0; i < t->run_count; i++)
        r->runs[i].loop = -1;
    r->ready = NOBODY;
    r->ended = 0;
}

/* ---- standing still -------------------------------------------------------------------------- */

/* Runs that are not through and have such an operation ahead of them, for all pipes. */
static void find_users(struct sl_replay_state *r)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t p = 0; p < t->pipe_count; p++)
        r->pipes[p].users[READ] = r->pipes[p].users[WRITE] = NOBODY;
    for (uint32_t i = 0; i < t->run_count; i++)
        for (size_t e = r->runs[i].at; e < t->runs[i].event_count; e++) {
            const struct sl_replay_site *site = &t->sites[t->runs[i].events[e]];
            uint32_t *user = &r->pipes[site->pipe].users[site->write];
            if (*user == NOBODY)
                *user = i;
        }
}

/* Whom this run waits for. */
static uint32_t awaited(const struct sl_replay_state *r, uint32_t run)
{
    const struct sl_replay_trace *t = r->trace;
    if (!r->runs[run].started)
        return r->ended < t->run_count ? r->by_rank[r->ended] : NOBODY;
    const struct sl_replay_site *site = &t->sites[t->runs[run].events[r->runs[run].at]];
    return r->pipes[site->pipe].users[!site->write];
}

/* If the run waits for room somewhere that is a place to look at. */
static void note_full(struct sl_replay_state *r, uint32_t run)
{
    const struct sl_replay_trace *t = r->trace;
    if (!r->runs[run].waits)
        return;
    const struct sl_replay_site *site = &t->sites[t->runs[run].events[r->runs[run].at]];
    if (site->write)
        r->result->full[site->pipe] = true;
}

/* The full pipes on a cycle of runs that wait for each other, or the one that nobody will read. */
static void find_cycle(struct sl_replay_state *r)
{
    uint32_t count = r->trace->run_count, at = 0;
    while (at < count && !r->runs[at].waits)
        at++;
    find_users(r);
    while (at < count && !r->runs[at].passed) {
        r->runs[at].passed = true;
        uint32_t next = awaited(r, at);
        if (next >= count)
            note_full(r, at);
        at = next;
    }
    for (uint32_t first = at; at < count;) {
        note_full(r, at);
        at = awaited(r, at);
        if (at == first)
            return;
    }
}

/* A packet is there from its write on until the cycle behind its read. */
static void find_fill(struct sl_replay_state *r)
{
    for (uint32_t p = 0; p < r->trace->pipe_count; p++) {
        const struct pipe_state *pipe = &r->pipes[p];
        uint32_t gone = 0, most = 0;
        for (uint32_t n = 0; n < pipe->count[WRITE]; n++) {
            while (gone < pipe->count[READ] && pipe->times[READ][gone] < pipe->times[WRITE][n])
                gone++;
            most = n + 1 - gone > most ? n + 1 - gone : most;
        }
        r->result->fill[p] = most;
    }
}

void sl_replay_run(struct sl_replay_state *r, const uint32_t *depths,
                   struct sl_replay_result *result)
{
    const struct sl_replay_trace *t = r->trace;
    r->depths = depths;
    r->result = result;
    result->complete = true;
    result->cycles = 0;
    clear(r);
    start_runs(r);
    while (r->ready != NOBODY) {
        uint32_t run = r->ready;
        r->ready = r->runs[run].next;
        go_on(r, run);
    }
    for (uint32_t i = 0; i < t->run_count; i++)
        result->complete &= r->runs[i].at == t->runs[i].event_count;
    if (!result->complete && result->full)
        find_cycle(r);
    if (result->complete && result->fill)
        find_fill(r);
}
