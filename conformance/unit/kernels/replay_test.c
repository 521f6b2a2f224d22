/* SPDX-License-Identifier: Apache-2.0 */
/* Replays of traces and the depths found by them, against known answers and a naive replay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "report/depths.h"
#include "report/replay.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- a naive replay -------------------------------------------------------------------------- */

enum { MOST_EVENTS = 400, MOST_RUNS = 8, MOST_PIPES = 8 };

static const struct sl_replay_site *site_at(const struct sl_replay_trace *t, uint32_t run, size_t e)
{
    return &t->sites[t->runs[run].events[e].site];
}

/* Without times: false if some run cannot go on. */
static bool comes_to_its_end(const struct sl_replay_trace *t, const uint32_t *depths)
{
    size_t at[MOST_RUNS] = {0};
    uint64_t fill[MOST_PIPES] = {0};
    bool moved = true, ends = true;
    while (moved) {
        moved = false;
        for (uint32_t run = 0; run < t->run_count; run++)
            for (; at[run] < t->runs[run].event_count; at[run]++, moved = true) {
                const struct sl_replay_site *site = site_at(t, run, at[run]);
                if (site->fails)
                    continue;
                if (site->write ? fill[site->pipe] >= depths[site->pipe] : !fill[site->pipe])
                    break;
                fill[site->pipe] += site->write ? 1u : (uint64_t)-1;
            }
    }
    for (uint32_t run = 0; run < t->run_count; run++)
        ends &= at[run] == t->runs[run].event_count;
    return ends;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* When the run begins: behind all that had ended before. */
static uint64_t begin_of(const struct sl_replay_trace *t, uint32_t run, const uint64_t *ends)
{
    uint64_t begin = 0;
    if (t->timed)
        return t->runs[run].behind == SL_REPLAY_NO_RUN
                   ? t->runs[run].begin
                   : ends[t->runs[run].behind] + t->runs[run].since;
    for (uint32_t other = 0; other < t->run_count; other++)
        if (t->runs[other].end_rank < t->runs[run].starts_after)
            begin = later(begin, ends[other]);
    return begin;
}

/* Behind all that are in front of it, have no later nominal cycle, and are known so far. */
static uint64_t behind_past(const uint64_t *nominals, const uint64_t *times, size_t count,
                            uint64_t nominal, uint64_t begin)
{
    uint64_t least = begin + nominal;
    for (size_t e = 0; e < count; e++)
        if (nominals[e] <= nominal)
            least = later(least, times[e] + nominal - nominals[e]);
    return least;
}

static uint64_t nominals_of[MOST_RUNS][MOST_EVENTS];

static void find_nominals(const struct sl_replay_trace *t)
{
    for (uint32_t run = 0; run < t->run_count; run++) {
        uint64_t nominal = UINT64_MAX;
        for (size_t e = 0; e < t->runs[run].event_count; e++)
            nominals_of[run][e] = nominal += (uint64_t)(int64_t)t->runs[run].events[e].later;
    }
}

/* Times grow until all rules hold. UINT64_MAX: it stands still. */
static uint64_t naive(const struct sl_replay_trace *t, const uint32_t *depths)
{
    static uint64_t times[MOST_RUNS][MOST_EVENTS];
    static uint64_t of_end[MOST_PIPES][2][MOST_EVENTS * MOST_RUNS];
    uint64_t ends[MOST_RUNS] = {0}, end = 0;
    if (!comes_to_its_end(t, depths))
        return UINT64_MAX;
    memset(times, 0, sizeof times);
    memset(of_end, 0, sizeof of_end);
    find_nominals(t);
    for (bool changed = true; changed;) {
        uint32_t counts[MOST_PIPES][2] = {{0}};
        uint64_t next[MOST_PIPES][2] = {{0}};
        changed = false;
        for (uint32_t run = 0; run < t->run_count; run++) {
            const uint64_t begin = begin_of(t, run, ends), *nominals = nominals_of[run];
            const size_t count = t->runs[run].event_count;
            for (size_t e = 0; e < count; e++) {
                const struct sl_replay_site *site = site_at(t, run, e);
                uint32_t p = site->pipe, n = counts[p][site->write], depth = depths[p];
                uint64_t least = behind_past(nominals, times[run], e, nominals[e], begin);
                least = later(least, next[p][site->write]);
                if (!site->fails && !site->write)
                    least = later(least, of_end[p][1][n] + 1);
                if (!site->fails && site->write && n >= depth)
                    least = later(least, of_end[p][0][n - depth] + 1);
                changed |= least > times[run][e];
                times[run][e] = later(least, times[run][e]);
                next[p][site->write] = times[run][e] + 1;
                if (!site->fails)
                    of_end[p][site->write][counts[p][site->write]++] = times[run][e];
            }
            uint64_t last = behind_past(nominals, times[run], count, t->runs[run].through, begin);
            for (size_t e = 0; e < count; e++)
                last = later(last, times[run][e] + 1);
            changed |= last > ends[run];
            ends[run] = later(last, ends[run]);
            end = later(end, last);
        }
    }
    return end;
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* Sites 2 p and 2 p + 1 read and write pipe p; FAILS more, and they find nothing. */
enum { FAILS = 2 * MOST_PIPES };
static struct sl_replay_site plain_sites[2 * FAILS];
static struct sl_replay_pipe inner_pipes[MOST_PIPES];

static void make_sites(void)
{
    for (uint32_t i = 0; i < 2 * FAILS; i++)
        plain_sites[i] = (struct sl_replay_site){i % FAILS / 2, i % 2, i >= FAILS};
}

enum { R0, W0, R1, W1, R2, W2 };

static struct sl_replay_event run_events[MOST_RUNS][MOST_EVENTS];

static struct sl_replay_run run_of(uint32_t number, const uint32_t *pattern, size_t length,
                                   size_t times)
{
    for (size_t i = 0; i < length * times; i++)
        run_events[number][i] = (struct sl_replay_event){pattern[i % length], 1};
    return (struct sl_replay_run){.events = run_events[number],
                                  .event_count = length * times,
                                  .end_rank = UINT32_MAX,
                                  .kernel = number};
}

static struct sl_replay_trace trace_of(struct sl_replay_run *runs, uint32_t count, uint32_t pipes)
{
    make_sites();
    return (struct sl_replay_trace){.sites = plain_sites,
                                    .runs = runs,
                                    .pipes = inner_pipes,
                                    .site_count = 2 * FAILS,
                                    .run_count = count,
                                    .pipe_count = pipes};
}

static int search(struct sl_depths *depths, const struct sl_replay_trace *t, const uint32_t *most,
                  enum sl_depth_kind kind)
{
    struct sl_depth_pipe pipes[MOST_PIPES];
    const char *why = NULL;
    for (uint32_t p = 0; p < t->pipe_count; p++)
        pipes[p] = (struct sl_depth_pipe){kind, most[p], most[p], 1};
    int rc = sl_depths_find(depths, t, pipes, &why);
    assert_true(!rc || why);
    return rc;
}

static void find(struct sl_depths *depths, const struct sl_replay_trace *t, const uint32_t *most)
{
    assert_int_equal(search(depths, t, most, SL_DEPTH_FREE), 0);
}

static const uint32_t *safe_of(const struct sl_depths *depths)
{
    return sl_depths_smallest(depths)->depths;
}

static const uint32_t *fast_of(const struct sl_depths *depths)
{
    return sl_depths_fastest(depths)->depths;
}

/* Of the whole run. */
static uint64_t replayed(const struct sl_replay_trace *t, const uint32_t *depths)
{
    struct sl_replay_state *replay = sl_replay_state_create(t);
    struct sl_replay_result result = {.complete = false};
    assert_non_null(replay);
    sl_replay_run(replay, depths, &result);
    sl_replay_state_destroy(replay);
    return result.complete ? result.cycles : UINT64_MAX;
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0}, reads[] = {R0}, most[] = {9};
    struct sl_replay_run runs[] = {run_of(0, writes, 1, 40), run_of(1, reads, 1, 40)};
    struct sl_replay_trace t = trace_of(runs, 2, 1);
    struct sl_depths depths;
    find(&depths, &t, most);
    assert_int_equal(safe_of(&depths)[0], 1);
    assert_int_equal(sl_depths_smallest(&depths)->cycles, 80);
    assert_int_equal(fast_of(&depths)[0], 2); /* a slot is free the cycle behind its read */
    assert_int_equal(sl_depths_fastest(&depths)->cycles, 41);
    sl_depths_finish(&depths);
}

/* Three packets of one pipe are written before the one that is read first. */
static void test_reconvergence(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0, W0, W0, W1}, reads[] = {R1, R0, R0, R0}, most[] = {7, 4};
    struct sl_replay_run runs[] = {run_of(0, writes, 4, 5), run_of(1, reads, 4, 5)};
    struct sl_replay_trace t = trace_of(runs, 2, 2);
    struct sl_depths depths;
    find(&depths, &t, most);
    assert_int_equal(safe_of(&depths)[0], 3);
    assert_int_equal(safe_of(&depths)[1], 1);
    static const uint32_t less[] = {2, 1};
    assert_true(naive(&t, safe_of(&depths)) < UINT64_MAX);
    assert_true(naive(&t, less) == UINT64_MAX);
    sl_depths_finish(&depths);
}

/* The second kernel is started when the first has ended. */
static void test_start_after(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0}, reads[] = {R0}, most[] = {6};
    struct sl_replay_run runs[] = {run_of(0, writes, 1, 5), run_of(1, reads, 1, 5)};
    runs[0].end_rank = 0;
    runs[1].starts_after = 1;
    struct sl_replay_trace t = trace_of(runs, 2, 1);
    struct sl_depths depths;
    find(&depths, &t, most);
    assert_int_equal(safe_of(&depths)[0], 5);
    assert_int_equal(sl_depths_smallest(&depths)->cycles, 10);
    sl_depths_finish(&depths);
}

/* Two runs wait for each other, and very many for one of them: found in one look at them all. */
static void test_many_stand_still(void **state)
{
    (void)state;
    enum { RUNS = 400000 };
    static struct sl_replay_event first[] = {{R1, 1}, {W0, 1}}, others[] = {{R1, 1}},
                                  last[] = {{R0, 1}, {W1, 1}};
    static const uint32_t most[] = {1, 1};
    struct sl_replay_run *runs = calloc(RUNS, sizeof *runs);
    assert_non_null(runs);
    for (uint32_t i = 0; i < RUNS; i++)
        runs[i] = (struct sl_replay_run){
            .events = others, .event_count = 1, .end_rank = UINT32_MAX, .kernel = i};
    runs[0].events = first;
    runs[0].event_count = COUNT(first);
    runs[RUNS - 1].events = last;
    runs[RUNS - 1].event_count = COUNT(last);
    struct sl_replay_trace t = trace_of(runs, RUNS, 2);
    struct sl_depths depths;
    assert_int_equal(search(&depths, &t, most, SL_DEPTH_FREE), -1);
    sl_depths_finish(&depths);
    free(runs);
}

/* Not what the run itself had. */
static void test_contradiction(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0, W0, W1}, reads[] = {R1, R0, R0}, most[] = {1, 1};
    struct sl_replay_run runs[] = {run_of(0, writes, 3, 2), run_of(1, reads, 3, 2)};
    struct sl_replay_trace t = trace_of(runs, 2, 2);
    struct sl_depths depths;
    assert_int_equal(search(&depths, &t, most, SL_DEPTH_FREE), -1);
    sl_depths_finish(&depths);
}

static void test_outside(void **state)
{
    (void)state;
    static const uint32_t events[] = {R0, W1}, most[] = {4, 4};
    struct sl_replay_run runs[] = {run_of(0, events, 2, 50)};
    struct sl_replay_trace t = trace_of(runs, 1, 2);
    struct sl_replay_pipe pipes[] = {{.outside_writes = true}, {.outside_reads = true}};
    struct sl_depths depths;
    t.pipes = pipes;
    assert_int_equal(search(&depths, &t, most, SL_DEPTH_KEPT), 0);
    assert_int_equal(safe_of(&depths)[0], 4);
    assert_int_equal(fast_of(&depths)[1], 4);
    assert_int_equal(sl_depths_smallest(&depths)->cycles, 100);
    sl_depths_finish(&depths);
}

/* ---- schedules ------------------------------------------------------------------------------- */

/* A loop: an iteration's operations, in the order of the program, are in these cycles of it. */
static void set_cycles(struct sl_replay_run *run, const uint64_t *cycles, size_t count,
                       uint64_t interval, uint64_t depth)
{
    uint64_t last = UINT64_MAX, began = 0;
    for (size_t e = 0; e < run->event_count; e++) {
        began = e / count * interval;
        run->events[e].later = (int32_t)(began + cycles[e % count] - last);
        last = began + cycles[e % count];
    }
    run->through = began + depth;
}

/* One kernel writes two pipes in each iteration; one way takes 10 cycles more until both meet. */
static void test_latency(void **state)
{
    (void)state;
    enum { TIMES = 100, LATENCY = 10 };
    static const uint32_t most[] = {64, 64, 64};
    static const uint32_t fork[] = {W0, W1}, pass[] = {R0, W2}, join[] = {R1, R2};
    static const uint64_t at_once[] = {0, 0}, late[] = {0, LATENCY};
    struct sl_replay_run runs[] = {run_of(0, fork, 2, TIMES), run_of(1, pass, 2, TIMES),
                                   run_of(2, join, 2, TIMES)};
    struct sl_replay_trace t = trace_of(runs, 3, 3);
    set_cycles(&runs[0], at_once, 2, 1, 1);
    set_cycles(&runs[1], late, 2, 1, 11);
    set_cycles(&runs[2], at_once, 2, 1, 1);
    struct sl_depths depths;
    find(&depths, &t, most);
    assert_int_equal(safe_of(&depths)[0], 1);
    assert_int_equal(safe_of(&depths)[1], 1);
    assert_int_equal(safe_of(&depths)[2], 1);
    /* write 0, read 1, write 11, read 12 of the first packet; the last one is 99 later */
    assert_int_equal(sl_depths_fastest(&depths)->cycles, 12 + TIMES);
    assert_int_equal(fast_of(&depths)[0], 2);
    assert_int_equal(fast_of(&depths)[1],
                     13); /* from cycle 0 to 12, and the slot is free behind it */
    assert_int_equal(fast_of(&depths)[2], 2);
    sl_depths_finish(&depths);
}

/* Four copies of an operation in an iteration, each with a cycle. */
static void test_copies(void **state)
{
    (void)state;
    static const uint32_t write[] = {W0}, depths[] = {SL_UNLIMITED};
    static const uint64_t cycles[] = {3, 4, 5, 6};
    struct sl_replay_run runs[] = {run_of(0, write, 1, 40)};
    struct sl_replay_trace t = trace_of(runs, 1, 1);
    struct sl_replay_pipe pipe = {.outside_reads = true};
    t.pipes = &pipe;
    set_cycles(&runs[0], cycles, 4, 6, 9);
    assert_int_equal(replayed(&t, depths), 9 * 6 + 9); /* until the loop has run dry */
}

/* By a clock: a launch in cycle 7, one behind it in its queue, and one of another queue, which was
 * submitted last and begins in 0. */
static void test_begins(void **state)
{
    (void)state;
    static const uint32_t write[] = {W0}, read[] = {R0}, other[] = {W1}, depths[] = {64, 64};
    struct sl_replay_run runs[] = {run_of(0, write, 1, 10), run_of(1, read, 1, 10),
                                   run_of(2, other, 1, 5)};
    struct sl_replay_trace t = trace_of(runs, 3, 2);
    struct sl_replay_pipe pipes[] = {{.outside_reads = false}, {.outside_reads = true}};
    struct sl_depths found;
    t.timed = true;
    t.pipes = pipes;
    for (uint32_t i = 0; i < 3; i++) {
        runs[i].end_rank = i;
        runs[i].starts_after = i;
        runs[i].behind = i == 1 ? 0 : SL_REPLAY_NO_RUN;
    }
    runs[0].begin = 7;
    runs[0].through = 100;
    assert_int_equal(replayed(&t, depths), 7 + 100 + 10);
    assert_int_equal(replayed(&t, depths), naive(&t, depths));
    find(&found, &t, depths);
    assert_int_equal(sl_depths_fastest(&found)->cycles, 7 + 100 + 10);
    assert_int_equal(safe_of(&found)[0],
                     10); /* the reader is submitted when the writer has ended */
    sl_depths_finish(&found);
    runs[1].since = 4000; /* of what came in between */
    assert_int_equal(replayed(&t, depths), 7 + 100 + 4000 + 10);
    assert_int_equal(naive(&t, depths), 7 + 100 + 4000 + 10);
    find(&found, &t, depths);
    assert_int_equal(sl_depths_fastest(&found)->cycles, 7 + 100 + 4000 + 10);
    sl_depths_finish(&found);
}

/* Two reads that find nothing take the pipe's end for a cycle each. */
static void test_failures(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0}, reads[] = {FAILS + R0, FAILS + R0, R0}, depths[] = {4};
    struct sl_replay_run runs[] = {run_of(0, writes, 1, 1), run_of(1, reads, 3, 1)};
    struct sl_replay_trace t = trace_of(runs, 2, 1);
    runs[0].events[0].later = 6; /* in cycle 5 */
    assert_int_equal(replayed(&t, depths), 7);
    runs[0].events[0].later = 1;
    runs[1].events[1].later = 0;
    runs[1].events[2].later = 0; /* all in cycle 0 */
    assert_int_equal(replayed(&t, depths), 3);
}

/* ---- random traces --------------------------------------------------------------------------- */

/* One order of all operations that is possible; what each kernel does in it is its trace. */
static void draw(struct sl_replay_run *runs, uint32_t kernels, uint32_t pipes, uint32_t *most)
{
    uint32_t writer[MOST_PIPES], reader[MOST_PIPES], fill[MOST_PIPES] = {0};
    for (uint32_t k = 0; k < kernels; k++)
        runs[k] =
            (struct sl_replay_run){.events = run_events[k], .end_rank = UINT32_MAX, .kernel = k};
    for (uint32_t p = 0; p < pipes; p++) {
        writer[p] = (uint32_t)rand() % kernels;
        reader[p] = (uint32_t)rand() % kernels;
        most[p] = 1;
    }
    for (int i = 0; i < 60; i++) {
        uint32_t p = (uint32_t)rand() % pipes;
        bool write = !fill[p] || (rand() % 2 && fill[p] < 6);
        struct sl_replay_run *run = &runs[write ? writer[p] : reader[p]];
        if (rand() % 8 == 0)
            run->events[run->event_count++] = (struct sl_replay_event){FAILS + 2 * p + write, 1};
        run->events[run->event_count++] = (struct sl_replay_event){2 * p + write, 1};
        fill[p] += write ? 1u : (uint32_t)-1;
        most[p] = fill[p] > most[p] ? fill[p] : most[p];
    }
}

/* Each point takes what it says, and more with one less of any pipe; the points are in order. */
static void check_points(const struct sl_replay_trace *t, const struct sl_depths *d,
                         uint64_t (*cycles)(const struct sl_replay_trace *, const uint32_t *))
{
    const uint32_t *safe = safe_of(d);
    for (uint32_t i = 0; i < d->count; i++) {
        const struct sl_depths_point *point = &d->points[i];
        uint64_t limit = i + 1 < d->count ? point->cycles : UINT64_MAX - 1;
        assert_int_equal(cycles(t, point->depths), point->cycles);
        assert_true(!i || (point->cycles > point[-1].cycles && point->bytes < point[-1].bytes));
        for (uint32_t p = 0; p < t->pipe_count; p++) {
            uint32_t less[MOST_PIPES];
            memcpy(less, point->depths, t->pipe_count * sizeof *less);
            assert_true(less[p] >= safe[p] && safe[p] >= 1);
            if (--less[p] && (less[p] >= safe[p] || i + 1 == d->count))
                assert_true(cycles(t, less) > limit);
        }
    }
}

static void check_each(const struct sl_replay_trace *t, const struct sl_depths *d,
                       const uint32_t *most,
                       uint64_t (*cycles)(const struct sl_replay_trace *, const uint32_t *))
{
    uint32_t unlimited[MOST_PIPES];
    for (uint32_t p = 0; p < t->pipe_count; p++) {
        unlimited[p] = SL_UNLIMITED;
        assert_true(safe_of(d)[p] <= most[p]);
    }
    assert_int_equal(sl_depths_fastest(d)->cycles, cycles(t, unlimited));
    check_points(t, d, cycles);
}

static void test_random(void **state)
{
    (void)state;
    srand(351);
    for (int round = 0; round < 400; round++) {
        struct sl_replay_run runs[MOST_RUNS];
        uint32_t most[MOST_PIPES] = {0}, kernels = 1 + (uint32_t)rand() % 5;
        uint32_t pipes = 1 + (uint32_t)rand() % MOST_PIPES;
        struct sl_replay_trace t = trace_of(runs, kernels, pipes);
        struct sl_depths depths;
        draw(runs, kernels, pipes, most);
        find(&depths, &t, most);
        check_each(&t, &depths, most, naive);
        sl_depths_finish(&depths);
    }
}

/* Each kernel is a loop in which its sites are in any cycles, with iterations that leave out some
 * of them, or, now and then, all; or its loop ends and begins again. */
static void draw_cycles(struct sl_replay_run *run)
{
    uint64_t cycle_of[2 * FAILS], began = 0, last = UINT64_MAX, high = 0;
    const uint64_t interval = 1 + (uint64_t)rand() % 4;
    for (uint32_t i = 0; i < 2 * FAILS; i++)
        cycle_of[i] = (uint64_t)rand() % 20;
    for (size_t e = 0; e < run->event_count; e++) {
        if (rand() % 3 == 0)
            began += interval * (1 + (uint64_t)rand() % 2);
        if (rand() % 16 == 0)
            began = high + (uint64_t)rand() % 3;
        uint64_t nominal = began + cycle_of[run->events[e].site];
        run->events[e].later = (int32_t)(nominal - last);
        last = nominal;
        high = later(high, nominal + 1);
    }
    run->through = rand() % 4 ? high + (uint64_t)rand() % 3 : (uint64_t)rand() % (high + 1);
}

static void test_random_loops(void **state)
{
    (void)state;
    srand(352);
    for (int round = 0; round < 1000; round++) {
        struct sl_replay_run runs[MOST_RUNS];
        uint32_t most[MOST_PIPES] = {0}, kernels = 1 + (uint32_t)rand() % 5;
        uint32_t pipes = 1 + (uint32_t)rand() % MOST_PIPES;
        struct sl_replay_trace t = trace_of(runs, kernels, pipes);
        struct sl_depths depths;
        draw(runs, kernels, pipes, most);
        t.timed = true;
        for (uint32_t k = 0; k < kernels; k++) {
            draw_cycles(&runs[k]);
            runs[k].behind = SL_REPLAY_NO_RUN;
            runs[k].begin = rand() % 3 ? 0 : (uint64_t)rand() % 30;
        }
        find(&depths, &t, most);
        check_each(&t, &depths, most, naive);
        assert_int_equal(replayed(&t, most), naive(&t, most));
        sl_depths_finish(&depths);
    }
}

/* What does not wait: all packets that the run had, by its order or by its clock, and one more; if
 * that is more than the pipe had something may have failed, and it keeps its depth. */
static void test_bounded(void **state)
{
    (void)state;
    static const uint32_t writes[] = {W0}, reads[] = {R0};
    struct sl_replay_run runs[] = {run_of(0, writes, 1, 40), run_of(1, reads, 1, 40)};
    struct sl_replay_trace t = trace_of(runs, 2, 1);
    static const struct sl_depth_pipe rows[] = {
        {SL_DEPTH_BOUNDED, 9, 1, 4}, {SL_DEPTH_BOUNDED, 9, 5, 4}, {SL_DEPTH_BOUNDED, 5, 5, 4}};
    static const uint32_t right[] = {3, 6, 5};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sl_depths depths;
        const char *why;
        assert_int_equal(sl_depths_find(&depths, &t, &rows[i], &why), 0);
        assert_int_equal(safe_of(&depths)[0], right[i]);
        assert_int_equal(fast_of(&depths)[0], right[i]);
        sl_depths_finish(&depths);
    }
}

/* A hundred pipes with a hundred thousand packets: less than a second of an idle processor. */
static void test_many_pipes(void **state)
{
    (void)state;
    enum { PIPES = 100, TIMES = 1000 };
    struct sl_replay_site *sites = calloc(2 * PIPES, sizeof *sites);
    struct sl_replay_pipe *pipes = calloc(PIPES, sizeof *pipes);
    struct sl_depth_pipe *kinds = calloc(PIPES, sizeof *kinds);
    struct sl_replay_run runs[PIPES + 1];
    struct sl_depths depths;
    const char *why;
    assert_true(sites && pipes && kinds);
    for (uint32_t p = 0; p < PIPES; p++) {
        sites[2 * p] = (struct sl_replay_site){p, false, false};
        sites[2 * p + 1] = (struct sl_replay_site){p, true, false};
        kinds[p] = (struct sl_depth_pipe){SL_DEPTH_FREE, TIMES, TIMES, 4};
    }
    for (uint32_t k = 0; k <= PIPES; k++) { /* a chain; each passes blocks on, later ones longer */
        uint32_t block = 1 + k / 4;
        struct sl_replay_event *events = calloc(2 * TIMES, sizeof *events);
        size_t count = 0;
        assert_non_null(events);
        for (uint32_t n = 0; n < TIMES; n += block)
            for (uint32_t end = 0; end < 2; end++)
                for (uint32_t i = 0; i < block && n + i < TIMES; i++)
                    if (end ? k < PIPES : k > 0)
                        events[count++] =
                            (struct sl_replay_event){end ? 2 * k + 1 : 2 * (k - 1), 1};
        runs[k] = (struct sl_replay_run){
            .events = events, .event_count = count, .end_rank = UINT32_MAX, .kernel = k};
    }
    struct sl_replay_trace t = {.sites = sites,
                                .runs = runs,
                                .pipes = pipes,
                                .site_count = 2 * PIPES,
                                .run_count = PIPES + 1,
                                .pipe_count = PIPES};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    assert_int_equal(sl_depths_find(&depths, &t, kinds, &why), 0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    print_message("%u pipes, %llu depths tried, %u points: %.2f s\n", PIPES,
                  (unsigned long long)depths.tries, depths.count, seconds);
    assert_int_equal(replayed(&t, fast_of(&depths)), sl_depths_fastest(&depths)->cycles);
    assert_int_equal(replayed(&t, safe_of(&depths)), sl_depths_smallest(&depths)->cycles);
    sl_depths_finish(&depths);
    for (uint32_t k = 0; k <= PIPES; k++)
        free(runs[k].events);
    free(sites);
    free(pipes);
    free(kinds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_reconvergence),
        cmocka_unit_test(test_start_after),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_many_stand_still),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_begins),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_loops),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_many_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
