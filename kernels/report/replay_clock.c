/* SPDX-License-Identifier: Apache-2.0 */
/* When what a replay does happens: the rules of the clock (docs/timing.md). */
#include <stdlib.h>

#include "report/replay_state.h"

void sl_replay_note(struct sl_replay_state *r, const struct sl_replay_row *row)
{
    struct sl_replay_log *log = r->log;
    if (!log || log->no_memory)
        return;
    if (log->count == log->room) {
        size_t room = log->room ? 2 * log->room : 1024;
        struct sl_replay_row *rows = realloc(log->rows, room * sizeof *rows);
        log->no_memory = !rows;
        if (!rows)
            return;
        log->rows = rows;
        log->room = room;
    }
    log->rows[log->count++] = *row;
}

/* The step behind `from` that is this operation; step_count: there is none in this iteration. */
static uint32_t find_step(const struct sl_replay_loop *loop, uint32_t from, uint32_t place)
{
    while (from < loop->step_count && loop->steps[from].place != place)
        from++;
    return from;
}

static uint64_t real_time(const struct sl_replay_run_state *run, uint64_t nominal)
{
    return run->begin + nominal + sl_delays_at(&run->delays, nominal);
}

static void reach(struct sl_replay_run_state *run, uint64_t cycle)
{
    run->end = cycle > run->end ? cycle : run->end;
}

/* Behind the last event: the loop that it is in has run dry, or a cycle is over. */
static uint64_t behind(const struct sl_replay_state *r, const struct sl_replay_run_state *run)
{
    if (!run->at)
        return 0;
    return run->loop < 0 ? run->nominal + 1 : run->began + r->trace->loops[run->loop].depth;
}

/* In another loop than the last event. */
static void enter_loop(struct sl_replay_state *r, uint32_t number, int32_t loop)
{
    struct sl_replay_run_state *run = &r->runs[number];
    run->began = behind(r, run);
    reach(run, real_time(run, run->began));
    sl_delays_advance(&run->delays, run->began);
    run->loop = loop;
    run->step = 0;
    run->cycle = 0;
    if (loop >= 0)
        sl_replay_note(r, &(struct sl_replay_row){
                              .nominal = run->began, .kind = SL_REPLAY_ENTERS, .run = number});
}

/* The nominal cycle of this event. */
static uint64_t scheduled(struct sl_replay_state *r, uint32_t number,
                          const struct sl_replay_site *site)
{
    struct sl_replay_run_state *run = &r->runs[number];
    if (site->loop != run->loop || site->loop < 0 || !run->at)
        enter_loop(r, number, site->loop);
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
    const struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
    const struct sl_replay_pipe *of = &r->trace->pipes[site->pipe];
    uint32_t depth = r->depths[site->pipe], n = pipe->count[site->write];
    uint64_t own = n ? pipe->times[site->write][n - 1] + 1 : 0, peer = 0;
    if (site->write && !of->outside_reads && n >= depth)
        peer = pipe->times[SL_REPLAY_READ][n - depth] + 1;
    else if (!site->write && !of->outside_writes)
        peer = pipe->times[SL_REPLAY_WRITE][n] + 1;
    return own > peer ? own : peer;
}

/* What has a later nominal cycle is late by so much; all that is left if memory is out. */
static void hold(struct sl_replay_run_state *run, uint64_t delay)
{
    if (sl_delays_hold(&run->delays, run->nominal, delay))
        return;
    sl_delays_clear(&run->delays);
    run->delays.base = delay;
}

uint64_t sl_replay_time(struct sl_replay_state *r, uint32_t number,
                        const struct sl_replay_site *site)
{
    struct sl_replay_run_state *run = &r->runs[number];
    run->nominal = scheduled(r, number, site);
    uint64_t time = real_time(run, run->nominal), least = allowed(r, site);
    if (time < least) {
        hold(run, least - run->begin - run->nominal);
        time = least;
    }
    reach(run, time + 1);
    sl_replay_note(r, &(struct sl_replay_row){
                          .nominal = run->nominal,
                          .horizon = run->began,
                          .kind = SL_REPLAY_MOVES,
                          .run = number,
                          .site = r->trace->runs[number].events[run->at],
                          .step = run->step ? run->step - 1 : 0,
                      });
    return time;
}

void sl_replay_finish_run(struct sl_replay_state *r, uint32_t number)
{
    struct sl_replay_run_state *run = &r->runs[number];
    uint64_t last = behind(r, run);
    reach(run, real_time(run, last));
    r->cycles = run->end > r->cycles ? run->end : r->cycles;
    sl_replay_note(
        r, &(struct sl_replay_row){.nominal = last, .kind = SL_REPLAY_FINISHES, .run = number});
}
