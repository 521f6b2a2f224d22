/* SPDX-License-Identifier: Apache-2.0 */
/* When what a replay does happens: the rules of the clock (docs/timing_model.md). */
#include <stdlib.h>

#include "report/replay_state.h"

void sl_replay_note(struct sl_replay_state *r, enum sl_replay_kind kind, uint32_t run,
                    uint32_t site)
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
    log->rows[log->count++] = (struct sl_replay_row){kind, run, site};
}

static uint64_t real_time(const struct sl_replay_run_state *run, uint64_t nominal)
{
    return run->begin + nominal + sl_delays_at(&run->delays, nominal);
}

static void reach(struct sl_replay_run_state *run, uint64_t cycle)
{
    run->end = cycle > run->end ? cycle : run->end;
}

/* The pipe lets it happen no earlier: one operation a cycle, behind its packet or room. */
static uint64_t allowed(const struct sl_replay_state *r, const struct sl_replay_site *site)
{
    const struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
    const struct sl_replay_pipe *of = &r->trace->pipes[site->pipe];
    uint32_t depth = r->depths[site->pipe], n = pipe->count[site->write];
    uint64_t own = pipe->next[site->write], peer = 0;
    if (site->fails)
        return own;
    if (site->write && !of->outside_reads && n >= depth)
        peer = pipe->times[SL_REPLAY_READ][n - depth] + 1;
    else if (!site->write && !of->outside_writes)
        peer = pipe->times[SL_REPLAY_WRITE][n] + 1;
    return own > peer ? own : peer;
}

/* What has a later nominal cycle is late by so much; all that is left if memory is out. */
static void hold(struct sl_replay_run_state *run, uint64_t nominal, uint64_t delay)
{
    if (sl_delays_hold(&run->delays, nominal, delay))
        return;
    sl_delays_clear(&run->delays);
    run->delays.base = delay;
}

uint64_t sl_replay_time(struct sl_replay_state *r, uint32_t number,
                        const struct sl_replay_site *site)
{
    struct sl_replay_run_state *run = &r->runs[number];
    const struct sl_replay_event *event = &r->trace->runs[number].events[run->at];
    uint64_t nominal = run->nominal + (uint64_t)(int64_t)event->later - 1;
    uint64_t time = real_time(run, nominal), least = allowed(r, site);
    if (time < least) {
        hold(run, nominal, least - run->begin - nominal);
        time = least;
    }
    run->nominal = nominal + 1;
    sl_delays_advance(&run->delays, run->horizons[run->at]);
    reach(run, time + 1);
    r->pipes[site->pipe].next[site->write] = time + 1;
    sl_replay_note(r, SL_REPLAY_MOVES, number, event->site);
    return time;
}

void sl_replay_finish_run(struct sl_replay_state *r, uint32_t number)
{
    struct sl_replay_run_state *run = &r->runs[number];
    reach(run, real_time(run, r->trace->runs[number].through));
    r->cycles = run->end > r->cycles ? run->end : r->cycles;
    sl_replay_note(r, SL_REPLAY_FINISHES, number, 0);
}
