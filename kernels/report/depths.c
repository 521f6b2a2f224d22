/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Whether a design of blocking operations comes to its end does not depend on the
 * order in which kernels run, and more depth never hurts. So depths grow from 1 where they close a
 * cycle of waiting kernels until the trace runs; then each in turn shrinks as far as it can, which
 * later ones do not change: they only take more away.
 */
#include "report/depths.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct sl_replay_state *replay;
    const uint32_t *most;
    const bool *fixed;
    bool *full; /* owned */
    uint32_t pipes;
    struct sl_depths *out;
};

/* UINT64_MAX: it stands still. */
static uint64_t cycles_with(struct search *s, const uint32_t *depths)
{
    struct sl_replay_result result = {.complete = false};
    s->out->replays++;
    sl_replay_run(s->replay, depths, &result);
    return result.complete ? result.cycles : UINT64_MAX;
}

/* One of the pipes in the way gets twice as much; false: none of them may. */
static bool grow(struct search *s, uint32_t *depths)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t p = 0; p < s->pipes; p++)
        if (s->full[p] && !s->fixed[p] && depths[p] < s->most[p] &&
            (best == UINT32_MAX || depths[p] < depths[best]))
            best = p;
    if (best == UINT32_MAX)
        return false;
    uint32_t more = depths[best] > s->most[best] / 2 ? s->most[best] : 2 * depths[best];
    depths[best] = more;
    return true;
}

/* As small as it can be with at most so many cycles. `least` is known to be too little, or 0. */
static void shrink(struct search *s, uint32_t *depths, uint32_t p, uint32_t least, uint64_t limit)
{
    uint32_t enough = depths[p];
    while (enough - least > 1) {
        depths[p] = least + (enough - least) / 2;
        if (cycles_with(s, depths) <= limit)
            enough = depths[p];
        else
            least = depths[p];
    }
    depths[p] = enough;
}

static int find_safe(struct search *s, const char **why)
{
    uint32_t *depths = s->out->safe;
    struct sl_replay_result result = {.full = s->full};
    for (uint32_t p = 0; p < s->pipes; p++)
        depths[p] = s->fixed[p] ? s->most[p] : 1;
    for (;;) {
        memset(s->full, 0, s->pipes * sizeof *s->full);
        s->out->replays++;
        sl_replay_run(s->replay, depths, &result);
        if (result.complete)
            break;
        if (grow(s, depths))
            continue;
        *why = "the trace does not come to its end with the depths of its own run";
        return -1;
    }
    for (uint32_t p = 0; p < s->pipes; p++)
        if (!s->fixed[p])
            shrink(s, depths, p, 0, UINT64_MAX - 1);
    s->out->safe_cycles = cycles_with(s, depths);
    return 0;
}

static int find_fast(struct search *s)
{
    uint32_t *depths = s->out->fast;
    struct sl_replay_result result = {.fill = depths};
    uint32_t *unlimited = calloc(s->pipes + (size_t)1, sizeof *unlimited);
    if (!unlimited)
        return -1;
    for (uint32_t p = 0; p < s->pipes; p++)
        unlimited[p] = s->fixed[p] ? s->most[p] : SL_UNLIMITED;
    sl_replay_run(s->replay, unlimited, &result);
    s->out->replays++;
    free(unlimited);
    s->out->fast_cycles = result.cycles;
    bool enough = s->out->safe_cycles <= result.cycles;
    for (uint32_t p = 0; p < s->pipes; p++)
        if (enough || s->fixed[p] || depths[p] < s->out->safe[p])
            depths[p] = s->out->safe[p];
    for (uint32_t p = 0; p < s->pipes; p++)
        if (depths[p] > s->out->safe[p])
            shrink(s, depths, p, s->out->safe[p] - 1, result.cycles);
    return 0;
}

int sl_depths_find(struct sl_depths *out, const struct sl_replay_trace *trace, const uint32_t *most,
                   const bool *fixed, const char **why)
{
    struct search s = {.replay = sl_replay_state_create(trace),
                       .most = most,
                       .fixed = fixed,
                       .full = calloc(trace->pipe_count + (size_t)1, sizeof *s.full),
                       .pipes = trace->pipe_count,
                       .out = out};
    *out = (struct sl_depths){
        .safe = calloc(trace->pipe_count + (size_t)1, sizeof *out->safe),
        .fast = calloc(trace->pipe_count + (size_t)1, sizeof *out->fast),
    };
    int rc = s.replay && s.full && out->safe && out->fast ? 0 : -1;
    *why = "out of memory";
    if (!rc)
        rc = find_safe(&s, why);
    if (!rc && find_fast(&s)) {
        *why = "out of memory";
        rc = -1;
    }
    sl_replay_state_destroy(s.replay);
    free(s.full);
    return rc;
}

void sl_depths_finish(struct sl_depths *depths)
{
    free(depths->safe);
    free(depths->fast);
}

uint64_t sl_depths_cycles(const struct sl_replay_trace *trace, const uint32_t *depths)
{
    struct sl_replay_state *replay = sl_replay_state_create(trace);
    struct sl_replay_result result = {.complete = false};
    if (replay)
        sl_replay_run(replay, depths, &result);
    sl_replay_state_destroy(replay);
    return result.complete ? result.cycles : UINT64_MAX;
}
