/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. Whether a design of blocking operations comes to its end does not depend on the
 * order in which kernels run, and more depth never hurts. So depths grow from 1 where they close a
 * cycle of waiting kernels until the trace runs; then each in turn shrinks as far as it can, which
 * later ones do not change: they only take more away. How fast they are is found the other way
 * round: from pipes without end each shrinks as far as the cycles of the run allow, then as far as
 * some more cycles do, and so on.
 */
#include "report/depths.h"

#include <stdlib.h>
#include <string.h>

#include "report/laps.h"
#include "report/times.h"

struct search {
    const struct sl_replay_trace *trace;
    const struct sl_depth_pipe *kinds;
    struct sl_replay_state *replay; /* owned, as all of these */
    struct sl_replay_log log;
    struct sl_laps *laps; /* or, where the trace has none: */
    struct sl_times *times;
    uint64_t cycles; /* with `now` */
    uint32_t *own, *safe, *most, *now;
    uint32_t pipes;
    bool *fixed, *settled;
    uint64_t safe_cycles;
    struct sl_depths *out;
    const char *why;
};

static int fail(struct search *s, const char *why)
{
    s->why = why;
    return -1;
}

static uint32_t *copy(const uint32_t *depths, uint32_t count)
{
    uint32_t *copied = calloc(count + (size_t)1, sizeof *copied);
    if (copied)
        memcpy(copied, depths, count * sizeof *copied);
    return copied;
}

/* ---- no kernel waits for ever ---------------------------------------------------------------- */

/* What each pipe has at most, by the run and its clock. */
static int find_most(struct search *s)
{
    uint32_t *fill = calloc(s->pipes + (size_t)1, sizeof *fill);
    struct sl_replay_result result = {.fill = fill};
    if (!fill)
        return fail(s, "out of memory");
    for (uint32_t p = 0; p < s->pipes; p++)
        s->own[p] = s->kinds[p].own;
    sl_replay_run(s->replay, s->own, &result);
    s->out->tries++;
    s->out->own_cycles = result.complete ? result.cycles : UINT64_MAX;
    for (uint32_t p = 0; p < s->pipes; p++) {
        const struct sl_depth_pipe *kind = &s->kinds[p];
        uint32_t most = kind->most > fill[p] ? kind->most : fill[p];
        bool spare = kind->kind == SL_DEPTH_BOUNDED && result.complete && most < kind->own;
        s->fixed[p] = kind->kind != SL_DEPTH_FREE;
        s->most[p] = spare ? most + 1 : s->fixed[p] ? kind->own : kind->most;
        s->most[p] += !s->most[p];
    }
    free(fill);
    return 0;
}

static int find_safe(struct search *s)
{
    uint32_t *proven = calloc(s->pipes + (size_t)1, sizeof *proven);
    if (!proven)
        return fail(s, "out of memory");
    for (uint32_t p = 0; p < s->pipes; p++)
        s->safe[p] = s->fixed[p] ? s->most[p] : 1;
    bool runs = sl_replay_grow(s->replay, s->safe, s->most, proven);
    for (uint32_t p = 0; runs && p < s->pipes; p++) {
        if (s->fixed[p] || s->safe[p] == 1 || s->safe[p] == proven[p])
            continue;
        uint32_t least = sl_replay_least(s->replay, s->safe, p);
        s->safe[p] = least < s->safe[p] ? least : s->safe[p];
        s->out->tries++;
    }
    free(proven);
    struct sl_replay_result result = {.log = &s->log};
    if (runs)
        sl_replay_run(s->replay, s->safe, &result);
    if (!result.complete)
        return fail(s, "the trace does not come to its end with the depths of its own run");
    s->safe_cycles = result.cycles;
    return s->log.no_memory ? fail(s, "out of memory") : 0;
}

/* ---- as fast as possible --------------------------------------------------------------------- */

/* True, and the pipe has it, if the run takes no more cycles than the limit. */
static bool try(struct search *s, uint32_t p, uint32_t depth, uint64_t limit)
{
    s->out->tries++;
    if (!s->laps)
        return sl_times_try(s->times, p, depth, limit);
    const uint32_t before = s->now[p];
    s->now[p] = depth;
    const uint64_t cycles = sl_laps_cycles(s->laps, s->now, limit);
    s->cycles = cycles <= limit ? cycles : s->cycles;
    s->now[p] = cycles <= limit ? depth : before;
    return cycles <= limit;
}

/* As little as so many cycles allow: up from the least that may do, in steps that grow, until it is
 * enough; then between. */
static void shrink(struct search *s, uint32_t p, uint64_t limit)
{
    if (s->now[p] == s->safe[p])
        return;
    uint32_t bound = s->laps ? 1 : sl_times_bound(s->times, p, limit), step = 1;
    uint32_t too_little = (bound > s->safe[p] ? bound : s->safe[p]) - 1;
    uint32_t enough = s->now[p];
    while (enough > too_little + 1) {
        uint32_t gap = enough - too_little;
        uint32_t depth = !step ? too_little + gap / 2 : gap > step ? too_little + step : enough - 1;
        if (try(s, p, depth, limit)) {
            enough = depth;
            step = 0;
        } else {
            too_little = depth;
            step *= 2;
        }
    }
    s->now[p] = enough;
}

static uint64_t bytes_of(const struct search *s, const uint32_t *depths)
{
    uint64_t bytes = 0;
    for (uint32_t p = 0; p < s->pipes; p++)
        if (s->kinds[p].kind != SL_DEPTH_KEPT)
            bytes += (uint64_t)depths[p] * s->kinds[p].bytes;
    return bytes;
}

/* Only what is smaller than the one in front of it. */
static int add_point(struct search *s, const uint32_t *depths, uint64_t cycles)
{
    struct sl_depths *out = s->out;
    uint64_t bytes = bytes_of(s, depths);
    if (out->count && out->points[out->count - 1].bytes <= bytes)
        return 0;
    struct sl_depths_point *point = &out->points[out->count];
    *point = (struct sl_depths_point){copy(depths, s->pipes), cycles, bytes};
    if (!point->depths)
        return fail(s, "out of memory");
    out->count++;
    return 0;
}

static int find_point(struct search *s, uint64_t limit)
{
    for (uint32_t p = 0; p < s->pipes; p++)
        if (!s->fixed[p])
            shrink(s, p, limit);
    return add_point(s, s->now, s->laps ? s->cycles : sl_times_cycles(s->times));
}

/* The fills of pipes without end are enough. */
static int begin_in_laps(struct search *s)
{
    uint32_t *fill = calloc(s->pipes + (size_t)1, sizeof *fill);
    struct sl_replay_result result = {.fill = fill};
    if (!fill)
        return fail(s, "out of memory");
    for (uint32_t p = 0; p < s->pipes; p++)
        s->now[p] = s->fixed[p] ? s->safe[p] : SL_UNLIMITED;
    sl_replay_run(s->replay, s->now, &result);
    for (uint32_t p = 0; p < s->pipes; p++)
        if (!s->fixed[p])
            s->now[p] = fill[p] > s->safe[p] ? fill[p] : s->safe[p];
    free(fill);
    s->cycles = result.cycles;
    return 0;
}

static int begin(struct search *s)
{
    struct sl_times_graph graph = {0};
    const bool made = s->log.count < UINT32_MAX && !sl_times_graph_make(&graph, s->trace, &s->log);
    s->laps = made ? sl_laps_create(s->trace, &s->log, &graph) : NULL;
    if (made && !s->laps)
        s->times = sl_times_create(s->trace, &s->log, &graph, s->safe, s->fixed, s->safe_cycles);
    sl_times_graph_finish(&graph);
    if (s->laps)
        return begin_in_laps(s);
    if (!s->times)
        return fail(s, "out of memory");
    s->cycles = sl_times_cycles(s->times);
    for (uint32_t p = 0; p < s->pipes; p++) {
        uint32_t fill = s->fixed[p] ? 0 : sl_times_fill(s->times, p);
        s->now[p] = fill > s->safe[p] ? fill : s->safe[p];
        if (!s->fixed[p])
            sl_times_try(s->times, p, s->now[p], UINT64_MAX);
        s->settled[p] = s->fixed[p] || s->now[p] == s->safe[p];
    }
    sl_times_settle(s->times, s->settled);
    return 0;
}

/* Then limits that come nearer and nearer to the cycles that the smallest depths take. */
static int find_points(struct search *s)
{
    uint64_t fast = s->cycles;
    int rc = find_point(s, fast);
    for (int between = SL_DEPTHS_POINTS - 2; between > 0 && s->safe_cycles > fast && !rc; between--)
        rc = find_point(s, fast + ((s->safe_cycles - fast) >> (2 * between - 1)));
    return rc ? rc : add_point(s, s->safe, s->safe_cycles);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int search(struct search *s)
{
    if (!s->replay || !s->own || !s->safe || !s->most || !s->now || !s->fixed || !s->settled)
        return fail(s, "out of memory");
    if (find_most(s) || find_safe(s) || begin(s))
        return -1;
    return find_points(s);
}

int sl_depths_find(struct sl_depths *out, const struct sl_replay_trace *trace,
                   const struct sl_depth_pipe *kinds, const char **why)
{
    size_t count = trace->pipe_count + (size_t)1;
    struct search s = {.trace = trace,
                       .kinds = kinds,
                       .replay = sl_replay_state_create(trace),
                       .own = calloc(count, sizeof *s.own),
                       .safe = calloc(count, sizeof *s.safe),
                       .most = calloc(count, sizeof *s.most),
                       .now = calloc(count, sizeof *s.now),
                       .fixed = calloc(count, sizeof *s.fixed),
                       .settled = calloc(count, sizeof *s.settled),
                       .pipes = trace->pipe_count,
                       .out = out};
    *out = (struct sl_depths){.own_cycles = UINT64_MAX};
    int rc = search(&s);
    *why = s.why;
    sl_laps_destroy(s.laps);
    sl_times_destroy(s.times);
    sl_replay_state_destroy(s.replay);
    free(s.log.rows);
    free(s.own);
    free(s.safe);
    free(s.most);
    free(s.now);
    free(s.fixed);
    free(s.settled);
    return rc;
}

void sl_depths_finish(struct sl_depths *depths)
{
    for (uint32_t i = 0; i < depths->count; i++)
        free(depths->points[i].depths);
}
