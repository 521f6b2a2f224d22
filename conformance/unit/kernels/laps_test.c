/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of patterns that come again and again: what laps say that they take against whole replays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "report/laps.h"
#include "report/replay.h"

enum {
    MOST_RUNS = 8,
    MOST_PIPES = 12,
    MOST_OPERATIONS = 64,
    PHASES = 2,
    TRACES = 150,
    NESTED = 40
};

static uint64_t seed = 1;

static uint32_t below(uint32_t count)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % count;
}

struct operation {
    uint32_t run, site;
};

struct design {
    struct sl_replay_site sites[4 * MOST_PIPES]; /* the second half find nothing */
    struct sl_replay_pipe pipes[MOST_PIPES];
    struct sl_replay_run runs[MOST_RUNS];
    size_t room[MOST_RUNS];
    int64_t nominal[MOST_RUNS]; /* of the last event */
    uint32_t writer[MOST_PIPES], reader[MOST_PIPES];
    struct sl_replay_trace trace;
};

static void add(struct design *d, uint32_t run, uint32_t site, int64_t nominal)
{
    struct sl_replay_run *r = &d->runs[run];
    const struct sl_replay_pipe *pipe = &d->pipes[d->sites[site].pipe];
    if (site % 2 ? pipe->outside_writes : pipe->outside_reads)
        return;
    if (r->event_count == d->room[run]) {
        d->room[run] = d->room[run] ? 2 * d->room[run] : 1024;
        r->events = realloc(r->events, d->room[run] * sizeof *r->events);
        assert_non_null(r->events);
    }
    r->events[r->event_count++] =
        (struct sl_replay_event){site, (int32_t)(nominal - d->nominal[run])};
    d->nominal[run] = nominal;
    r->through = r->through > (uint64_t)nominal + 1 ? r->through : (uint64_t)nominal + 1;
}

/* One round: packets are written before they are read, in some order of them all. */
static uint32_t make_round(const struct design *d, struct operation *round)
{
    uint32_t count = 0, left[MOST_PIPES][2];
    for (uint32_t p = 0; p < d->trace.pipe_count; p++)
        left[p][0] = left[p][1] = below(3) + (p == 0);
    for (uint32_t tries = 0; tries < 4000 && count < MOST_OPERATIONS; tries++) {
        uint32_t p = below(d->trace.pipe_count), write = below(2);
        if (!left[p][write] || (!write && left[p][0] <= left[p][1]))
            continue;
        left[p][write]--;
        round[count++] = (struct operation){write ? d->writer[p] : d->reader[p], 2 * p + write};
    }
    for (uint32_t p = 0; p < d->trace.pipe_count; p++)
        for (; left[p][0] > left[p][1]; left[p][0]--)
            round[count++] = (struct operation){d->reader[p], 2 * p};
    return count;
}

/* Rounds of a pattern, each kernel with an interval and cycles of its own. Of an inner loop: so
 * many rounds, then each kernel does something else for some cycles; 0: there is none. */
static void add_phase(struct design *d, uint32_t rounds, uint32_t inner)
{
    struct operation round[2 * MOST_OPERATIONS];
    int64_t cycles[2 * MOST_OPERATIONS], interval[MOST_RUNS], begin[MOST_RUNS], pause[MOST_RUNS];
    bool fails[2 * MOST_OPERATIONS];
    const uint32_t count = make_round(d, round);
    for (uint32_t k = 0; k < MOST_RUNS; k++) {
        interval[k] = 1 + below(24);
        begin[k] = d->nominal[k] + 1;
        pause[k] = 1 + below(9);
    }
    for (uint32_t i = 0; i < count; i++) {
        cycles[i] = below(20);
        fails[i] = below(10) == 0;
    }
    for (uint32_t n = 0; n < rounds; n++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t run = round[i].run;
            const int64_t pauses = inner ? n / inner * pause[run] : 0;
            const int64_t at = begin[run] + n * interval[run] + pauses + cycles[i];
            if (fails[i])
                add(d, round[i].run, round[i].site + 2 * MOST_PIPES, at);
            add(d, round[i].run, round[i].site, at + fails[i]);
        }
}

/* Packets in front of all rounds, which are read behind them. */
static void add_ahead(struct design *d, const uint32_t *ahead, uint32_t write)
{
    for (uint32_t p = 0; p < d->trace.pipe_count; p++)
        for (uint32_t n = 0; n < ahead[p]; n++) {
            uint32_t run = write ? d->writer[p] : d->reader[p];
            add(d, run, 2 * p + write, d->nominal[run] + 1);
        }
}

static void make(struct design *d, bool nested)
{
    uint32_t ahead[MOST_PIPES];
    *d = (struct design){.trace = {.site_count = 4 * MOST_PIPES,
                                   .run_count = 2 + below(MOST_RUNS - 1),
                                   .pipe_count = 2 + below(MOST_PIPES - 1)}};
    d->trace.sites = d->sites;
    d->trace.pipes = d->pipes;
    d->trace.runs = d->runs;
    for (uint32_t i = 0; i < 4 * MOST_PIPES; i++)
        d->sites[i] = (struct sl_replay_site){i % (2 * MOST_PIPES) / 2, i % 2, i >= 2 * MOST_PIPES};
    for (uint32_t k = 0; k < d->trace.run_count; k++) {
        d->runs[k] = (struct sl_replay_run){.end_rank = UINT32_MAX, .kernel = k};
        d->nominal[k] = -1;
    }
    for (uint32_t p = 0; p < d->trace.pipe_count; p++) {
        d->writer[p] = below(d->trace.run_count);
        d->reader[p] = below(d->trace.run_count);
        d->pipes[p] = (struct sl_replay_pipe){below(16) == 0, below(16) == 0};
        ahead[p] = below(4) ? 0 : below(9);
    }
    add_ahead(d, ahead, 1);
    const uint32_t inner = 70 + below(80);
    for (uint32_t phase = 0; phase < PHASES && !nested; phase++)
        add_phase(d, 200 + below(800), 0);
    if (nested)
        add_phase(d, inner * (40 + below(40)), inner);
    add_ahead(d, ahead, 0);
}

static void drop(struct design *d)
{
    for (uint32_t k = 0; k < MOST_RUNS; k++)
        free(d->runs[k].events);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double in_laps, in_replays;

static void compare(struct sl_laps *laps, struct sl_replay_state *replay, const uint32_t *depths)
{
    struct sl_replay_result result = {.complete = false};
    double begin = seconds();
    sl_replay_run(replay, depths, &result);
    double between = seconds();
    uint64_t cycles = sl_laps_cycles(laps, depths, UINT64_MAX);
    in_replays += between - begin;
    in_laps += seconds() - between;
    assert_true(result.complete);
    assert_int_equal(cycles, result.cycles);
    assert_int_equal(sl_laps_cycles(laps, depths, cycles), cycles);
    assert_true(sl_laps_cycles(laps, depths, cycles - 1) > cycles - 1);
}

/* With the least depths, and many that are no less. False: it has no laps. */
static bool check(struct design *d)
{
    uint32_t safe[MOST_PIPES], most[MOST_PIPES], proven[MOST_PIPES] = {0}, depths[MOST_PIPES];
    struct sl_replay_log log = {0};
    struct sl_replay_result result = {.log = &log};
    struct sl_replay_state *replay = sl_replay_state_create(&d->trace);
    assert_non_null(replay);
    for (uint32_t p = 0; p < MOST_PIPES; p++) {
        safe[p] = 1;
        most[p] = 4096;
    }
    assert_true(sl_replay_grow(replay, safe, most, proven));
    sl_replay_run(replay, safe, &result);
    assert_true(result.complete);
    struct sl_times_graph graph;
    assert_int_equal(sl_times_graph_make(&graph, &d->trace, &log), 0);
    struct sl_laps *laps = sl_laps_create(&d->trace, &log, &graph);
    sl_times_graph_finish(&graph);
    for (uint32_t n = 0; laps && n < 12; n++) {
        const uint32_t more = n < 6 ? 4 : n < 9 ? 40 : 1000;
        for (uint32_t p = 0; p < MOST_PIPES; p++)
            depths[p] = !n ? safe[p] : below(6) == 0 ? SL_UNLIMITED : safe[p] + below(more);
        compare(laps, replay, depths);
    }
    const bool found = laps != NULL;
    sl_laps_destroy(laps);
    sl_replay_state_destroy(replay);
    free(log.rows);
    return found;
}

static void check_all(uint32_t traces, bool nested)
{
    uint32_t found = 0;
    in_laps = in_replays = 0;
    for (uint32_t n = 0; n < traces; n++) {
        struct design d;
        seed = n + 1;
        make(&d, nested);
        found += check(&d);
        drop(&d);
    }
    print_message("%u of %u traces have laps; %.1f times as fast as replays\n", found, traces,
                  in_replays / in_laps);
    assert_true(found > traces / 2);
}

static void test_random(void **state)
{
    (void)state;
    check_all(TRACES, false);
}

static void test_nested(void **state)
{
    (void)state;
    check_all(NESTED, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_nested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
