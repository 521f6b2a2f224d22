/* SPDX-License-Identifier: Apache-2.0 */
/* Why the runs of a replay stand still. */
#include <stdlib.h>

#include "report/replay_state.h"

/* ---- who uses which end of a pipe ------------------------------------------------------------ */

/* One walk over all events; the last event of each run at each end. `rows` NULL: only counted. */
static void walk(struct sl_replay_state *r, uint32_t *last_run, struct sl_replay_user *rows)
{
    const struct sl_replay_trace *t = r->trace;
    for (uint32_t p = 0; p < t->pipe_count; p++)
        for (int end = 0; end < SL_REPLAY_ENDS; end++) {
            r->pipes[p].user_count[end] = 0;
            last_run[SL_REPLAY_ENDS * p + (uint32_t)end] = SL_REPLAY_NOBODY;
        }
    for (uint32_t i = 0; i < t->run_count; i++)
        for (size_t e = 0; e < t->runs[i].event_count; e++) {
            const struct sl_replay_site *site = &t->sites[t->runs[i].events[e].site];
            struct sl_replay_pipe_state *pipe = &r->pipes[site->pipe];
            if (site->fails)
                continue;
            uint32_t *last = &last_run[SL_REPLAY_ENDS * site->pipe + site->write];
            pipe->user_count[site->write] += *last != i;
            *last = i;
            if (rows)
                rows[pipe->first_user[site->write] + pipe->user_count[site->write] - 1] =
                    (struct sl_replay_user){i, e};
        }
}

int sl_replay_find_users(struct sl_replay_state *r)
{
    uint32_t pipes = r->trace->pipe_count, total = 0;
    uint32_t *last_run = calloc(SL_REPLAY_ENDS * ((size_t)pipes + 1), sizeof *last_run);
    if (!last_run)
        return -1;
    walk(r, last_run, NULL);
    for (uint32_t p = 0; p < pipes; p++)
        for (int end = 0; end < SL_REPLAY_ENDS; end++) {
            r->pipes[p].first_user[end] = total;
            total += r->pipes[p].user_count[end];
        }
    r->users = calloc(total + (size_t)1, sizeof *r->users);
    if (r->users)
        walk(r, last_run, r->users);
    free(last_run);
    return r->users ? 0 : -1;
}

/* The first run that is not through and has such an operation ahead of it. */
static uint32_t user_of(struct sl_replay_state *r, uint32_t number, int end)
{
    struct sl_replay_pipe_state *pipe = &r->pipes[number];
    for (; pipe->user[end] < pipe->user_count[end]; pipe->user[end]++) {
        const struct sl_replay_user *user = &r->users[pipe->first_user[end] + pipe->user[end]];
        if (r->runs[user->run].at <= user->last)
            return user->run;
    }
    return SL_REPLAY_NOBODY;
}

/* ---- a cycle --------------------------------------------------------------------------------- */

/* What a run that waits is about to do. */
static const struct sl_replay_site *next_site(const struct sl_replay_state *r, uint32_t run)
{
    const struct sl_replay_trace *t = r->trace;
    return &t->sites[t->runs[run].events[r->runs[run].at].site];
}

/* Whom this run waits for. */
static uint32_t awaited(struct sl_replay_state *r, uint32_t run)
{
    if (!r->runs[run].started)
        return r->ended < r->trace->run_count ? r->by_rank[r->ended] : SL_REPLAY_NOBODY;
    const struct sl_replay_site *site = next_site(r, run);
    return user_of(r, site->pipe, !site->write);
}

/* If the run waits for room somewhere that is a place to look at. */
static void note_full(struct sl_replay_state *r, uint32_t run, uint32_t *full, uint32_t *count)
{
    if (!r->runs[run].waits || !next_site(r, run)->write)
        return;
    uint32_t pipe = next_site(r, run)->pipe;
    for (uint32_t i = 0; i < *count; i++)
        if (full[i] == pipe)
            return;
    full[(*count)++] = pipe;
}

uint32_t sl_replay_find_cycle(struct sl_replay_state *r, uint32_t *full)
{
    uint32_t count = r->trace->run_count, at = 0, found = 0;
    for (uint32_t i = 0; i < count; i++)
        r->runs[i].passed = false;
    while (at < count && !r->runs[at].waits)
        at++;
    while (at < count && !r->runs[at].passed) {
        r->runs[at].passed = true;
        uint32_t next = awaited(r, at);
        if (next >= count)
            note_full(r, at, full, &found);
        at = next;
    }
    for (uint32_t first = at; at < count;) {
        note_full(r, at, full, &found);
        at = awaited(r, at);
        if (at == first)
            break;
    }
    return found;
}
