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
    return &t->sites[t->runs[run].events[e]];
}

/* Without loops: event after event, each a cycle. Times grow until all rules hold, or one is beyond
 * what any schedule takes: then they never do. UINT64_MAX: it stands still. */
static uint64_t naive(const struct sl_replay_trace *t, const uint32_t *depths)
{
    static uint64_t times[MOST_RUNS][MOST_EVENTS];
    static uint64_t of_end[MOST_PIPES][2][MOST_EVENTS * MOST_RUNS];
    const uint64_t beyond = 2 * MOST_EVENTS * MOST_RUNS;
    memset(times, 0, sizeof times);
    for (bool changed = true; changed;) {
        uint32_t counts[MOST_PIPES][2] = {{0}};
        changed = false;
        for (uint32_t run = 0; run < t->run_count; run++)
            for (size_t e = 0; e < t->runs[run].event_count; e++) {
                const struct sl_replay_site *site = site_at(t, run, e);
                of_end[site->pipe][site->write][counts[site->pipe][site->write]++] = times[run][e];
            }
        for (uint32_t p = 0; p < t->pipe_count; p++)
            if (counts[p][1] > counts[p][0] && counts[p][1] - counts[p][0] > depths[p])
                return UINT64_MAX; /* what nobody reads has no room */
        memset(counts, 0, sizeof counts);
        for (uint32_t run = 0; run < t->run_count; run++) {
            uint64_t before = 0;
            for (uint32_t other = 0; other < t->run_count; other++)
                if (t->runs[other].end_rank < t->runs[run].starts_after &&
                    t->runs[other].event_count &&
                    times[other][t->runs[other].event_count - 1] + 1 > before)
                    before = times[other][t->runs[other].event_count - 1] + 1;
            for (size_t e = 0; e < t->runs[run].event_count; e++) {
                const struct sl_replay_site *site = site_at(t, run, e);
                uint32_t n = counts[site->pipe][site->write]++, depth = depths[site->pipe];
                uint64_t least = e ? times[run][e - 1] + 1 : before;
                if (!site->write && of_end[site->pipe][1][n] + 1 > least)
                    least = of_end[site->pipe][1][n] + 1;
                if (site->write && n >= depth && of_end[site->pipe][0][n - depth] + 1 > least)
                    least = of_end[site->pipe][0][n - depth] + 1;
                if (least > beyond)
                    return UINT64_MAX;
                changed |= least > times[run][e];
                times[run][e] = least > times[run][e] ? least : times[run][e];
            }
        }
    }
    uint64_t end = 0;
    for (uint32_t run = 0; run < t->run_count; run++)
        for (size_t e = 0; e < t->runs[run].event_count; e++)
            end = times[run][e] + 1 > end ? times[run][e] + 1 : end;
    return end;
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* Sites 2 p and 2 p + 1 read and write pipe p. */
static struct sl_replay_site plain_sites[2 * MOST_PIPES];
static struct sl_replay_pipe inner_pipes[MOST_PIPES];

static void make_sites(void)
{
    for (uint32_t i = 0; i < 2 * MOST_PIPES; i++)
        plain_sites[i] = (struct sl_replay_site){i / 2, i % 2, -1, i};
}

enum { R0, W0, R1, W1, R2, W2 };

static uint32_t run_events[MOST_RUNS][MOST_EVENTS];

static struct sl_replay_run run_of(uint32_t number, const uint32_t *pattern, size_t length,
                                   size_t times)
{
    for (size_t i = 0; i < length * times; i++)
        run_events[number][i] = pattern[i % length];
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
                                    .site_count = 2 * MOST_PIPES,
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
    static uint32_t first[] = {R1, W0}, others[] = {R1}, last[] = {R0, W1};
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

/* One kernel writes two pipes in each iteration; one way takes 10 cycles more until both meet. */
static void test_latency(void **state)
{
    (void)state;
    enum { TIMES = 100, LATENCY = 10 };
    static const uint32_t most[] = {64, 64, 64};
    static const uint32_t fork[] = {W0, W1}, pass[] = {R0, W2}, join[] = {R1, R2};
    struct sl_replay_run runs[] = {run_of(0, fork, 2, TIMES), run_of(1, pass, 2, TIMES),
                                   run_of(2, join, 2, TIMES)};
    struct sl_replay_trace t = trace_of(runs, 3, 3);
    struct sl_replay_step steps[3][2] = {
        {{W0, 0}, {W1, 0}}, {{R0, 0}, {W2, LATENCY}}, {{R1, 0}, {R2, 0}}};
    struct sl_replay_loop loops[] = {
        {steps[0], 2, 1, 1}, {steps[1], 2, 1, 11}, {steps[2], 2, 1, 1}};
    static const int32_t loop_of[] = {1, 0, 2, 0, 2, 1};
    t.loops = loops;
    t.loop_count = 3;
    for (uint32_t i = 0; i < 6; i++)
        plain_sites[i].loop = loop_of[i];
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
    struct sl_replay_run runs[] = {run_of(0, write, 1, 40)};
    struct sl_replay_trace t = trace_of(runs, 1, 1);
    struct sl_replay_step steps[] = {{W0, 3}, {W0, 4}, {W0, 5}, {W0, 6}};
    struct sl_replay_loop loop = {steps, 4, 6, 9};
    struct sl_replay_pipe pipe = {.outside_reads = true};
    t.loops = &loop;
    t.loop_count = 1;
    t.pipes = &pipe;
    plain_sites[W0].loop = 0;
    struct sl_replay_state *replay = sl_replay_state_create(&t);
    struct sl_replay_result result = {0};
    assert_non_null(replay);
    sl_replay_run(replay, depths, &result);
    assert_true(result.complete);
    assert_int_equal(result.cycles, 9 * 6 + 9); /* until the loop has run dry */
    sl_replay_state_destroy(replay);
}

/* ---- random traces --------------------------------------------------------------------------- */

/* One order of all operations that is possible; what each kernel does in it is its trace. */
static void draw(struct sl_replay_run *runs, uint32_t kernels, uint32_t pipes, uint32_t *most)
{
    uint32_t writer[MOST_PIPES], reader[MOST_PIPES], fill[MOST_PIPES] = {0};
    for (uint32_t k = 0; k < kernels; k++)
        runs[k] = (struct sl_replay_run){run_events[k], 0, 0, UINT32_MAX, k};
    for (uint32_t p = 0; p < pipes; p++) {
        writer[p] = (uint32_t)rand() % kernels;
        reader[p] = (uint32_t)rand() % kernels;
        most[p] = 1;
    }
    for (int i = 0; i < 60; i++) {
        uint32_t p = (uint32_t)rand() % pipes;
        bool write = !fill[p] || (rand() % 2 && fill[p] < 6);
        struct sl_replay_run *run = &runs[write ? writer[p] : reader[p]];
        run->events[run->event_count++] = 2 * p + write;
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

/* Each kernel is a loop with its sites in any order and in any cycles, which iterations leave out
 * some of. */
static void test_random_loops(void **state)
{
    (void)state;
    srand(352);
    for (int round = 0; round < 600; round++) {
        struct sl_replay_run runs[MOST_RUNS];
        struct sl_replay_step steps[MOST_RUNS][2 * MOST_PIPES];
        struct sl_replay_loop loops[MOST_RUNS];
        uint32_t most[MOST_PIPES] = {0}, kernels = 1 + (uint32_t)rand() % 5;
        uint32_t pipes = 1 + (uint32_t)rand() % MOST_PIPES;
        struct sl_replay_trace t = trace_of(runs, kernels, pipes);
        struct sl_depths depths;
        draw(runs, kernels, pipes, most);
        for (uint32_t k = 0; k < kernels; k++) {
            loops[k] = (struct sl_replay_loop){steps[k], 0, 1 + (uint32_t)rand() % 4, 1};
            for (uint32_t i = 0; i < 2 * pipes; i++) {
                uint32_t site = (i * 3 + (uint32_t)round) % (2 * pipes);
                bool mine = false;
                for (size_t e = 0; e < runs[k].event_count; e++)
                    mine |= runs[k].events[e] == site;
                if (!mine || plain_sites[site].loop >= 0 || (2 * pipes) % 3 == 0 || rand() % 6 == 0)
                    continue; /* in no loop */
                uint32_t cycle = (uint32_t)rand() % 20;
                plain_sites[site].loop = (int32_t)k;
                steps[k][loops[k].step_count++] = (struct sl_replay_step){site, cycle};
                loops[k].depth = cycle + 1 > loops[k].depth ? cycle + 1 : loops[k].depth;
            }
        }
        t.loops = loops;
        t.loop_count = kernels;
        find(&depths, &t, most);
        check_each(&t, &depths, most, replayed);
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
        sites[2 * p] = (struct sl_replay_site){p, false, -1, 2 * p};
        sites[2 * p + 1] = (struct sl_replay_site){p, true, -1, 2 * p + 1};
        kinds[p] = (struct sl_depth_pipe){SL_DEPTH_FREE, TIMES, TIMES, 4};
    }
    for (uint32_t k = 0; k <= PIPES; k++) { /* a chain; each passes blocks on, later ones longer */
        uint32_t block = 1 + k / 4, *events = calloc(2 * TIMES, sizeof *events);
        size_t count = 0;
        assert_non_null(events);
        for (uint32_t n = 0; n < TIMES; n += block)
            for (uint32_t end = 0; end < 2; end++)
                for (uint32_t i = 0; i < block && n + i < TIMES; i++)
                    if (end ? k < PIPES : k > 0)
                        events[count++] = end ? 2 * k + 1 : 2 * (k - 1);
        runs[k] = (struct sl_replay_run){events, count, 0, UINT32_MAX, k};
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
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_loops),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_many_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
