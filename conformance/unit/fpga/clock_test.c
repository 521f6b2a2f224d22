/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a design's clock: its schedule as read from a module, whole and damaged; delays, and
 * times of packets, compared with plain lists of all that ever was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fpga/clock/clock_ring.h"
#include "fpga/clock/clock_schedule.h"
#include "sluice/base/delays.h"

static const char text[] =
    "{\"sluice_timing\":1,\"clock_mhz\":300,\"kernels\":[{\"name\":\"none\",\"loops\":[]},\n"
    "{\"name\":\"sum\",\"loops\":[{\"file\":\"a "
    "\\\"b\\\".cl\",\"line\":3,\"column\":5,\"parent\":-1,"
    "\"pipelined\":false,\"why\":\"iterations run the loops inside\",\"pipes\":[]},"
    "{\"line\":4,\"column\":9,\"parent\":0,\"pipelined\":true,\"ii\":2,\"depth\":7,\"pipes\":["
    "{\"pipe\":\"c\",\"op\":\"read\",\"blocking\":true,\"line\":5,\"column\":6,\"cycle\":0},"
    "{\"op\":\"write\",\"line\":6,\"column\":7,\"cycle\":9}]}],"
    "\"pipes\":[{\"op\":\"write\",\"line\":9,\"column\":2,\"cycle\":3,\"stretch\":2}]}]}";

static void test_schedule(void **state)
{
    (void)state;
    struct sl_clock_schedule schedule;
    assert_int_equal(sl_clock_schedule_read(&schedule, text), 0);
    assert_null(sl_clock_schedule_find(&schedule, "su"));
    assert_int_equal(sl_clock_schedule_find(&schedule, "none")->loop_count, 0);
    const struct sl_clock_kernel *kernel = sl_clock_schedule_find(&schedule, "sum");
    assert_int_equal(kernel->loop_count, 2);
    assert_int_equal(kernel->loops[0].parent, -1);
    assert_false(kernel->loops[0].pipelined);
    const struct sl_clock_loop *loop = &kernel->loops[1];
    assert_int_equal(loop->line, 4);
    assert_int_equal(loop->column, 9);
    assert_int_equal(loop->parent, 0);
    assert_true(loop->pipelined);
    assert_int_equal(loop->interval, 2);
    assert_int_equal(loop->depth, 10); /* behind its last step */
    assert_int_equal(loop->step_count, 2);
    assert_false(loop->steps[0].write);
    assert_true(loop->steps[1].write);
    assert_int_equal(loop->steps[1].cycle, 9);
    assert_int_equal(loop->steps[1].stretch, 0);
    assert_int_equal(kernel->step_count, 1);
    assert_int_equal(kernel->steps[0].cycle, 3);
    assert_int_equal(kernel->steps[0].stretch, 2);
    sl_clock_schedule_finish(&schedule);
}

static void refuse(const char *damaged)
{
    struct sl_clock_schedule schedule;
    assert_int_equal(sl_clock_schedule_read(&schedule, damaged), -1);
    sl_clock_schedule_finish(&schedule);
}

static void test_damage(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "[]",
        "{\"kernels\":[{\"loops\":[]}]}",
        "{\"kernels\":[{\"name\":\"k\",\"loops\":[{\"parent\":0}]}]}",
        "{\"kernels\":[{\"name\":\"k\",\"loops\":[{\"parent\":-2}]}]}",
        "{\"kernels\":[{\"name\":\"k\",\"loops\":[{\"ii\":-1}]}]}",
        "{\"kernels\":[{\"name\":\"k\",\"loops\":[{\"ii\":99999999999999999999}]}]}",
        "{\"kernels\":[{\"name\":\"k\",\"loops\":[{\"pipelined\":maybe}]}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i]);
    for (size_t length = 0; length + 1 < sizeof text; length++) {
        char *cut = strndup(text, length);
        refuse(cut);
        free(cut);
    }
    char deep[256] = "{\"x\":";
    memset(deep + 5, '[', 200);
    refuse(deep);
}

static uint64_t random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* The delay of a cycle is the largest that was held at it or before. */
static void test_delays(void **state)
{
    (void)state;
    enum { STEPS = 2000, WINDOW = 60 };
    static struct sl_delay held[STEPS];
    struct sl_delays time = {0};
    uint64_t random = 1, horizon = 0;
    for (int n = 0; n < STEPS; n++) {
        uint64_t nominal = horizon + random_below(&random, WINDOW), expected = 0;
        for (int i = 0; i < n; i++)
            if (held[i].nominal <= nominal && held[i].delay > expected)
                expected = held[i].delay;
        assert_int_equal(sl_delays_at(&time, nominal), expected);
        held[n] = (struct sl_delay){nominal, expected + random_below(&random, 4)};
        assert_true(sl_delays_hold(&time, nominal, held[n].delay));
        if (random_below(&random, 3) == 0) {
            horizon += random_below(&random, 9);
            sl_delays_advance(&time, horizon);
        }
    }
    assert_true(time.room < 4 * WINDOW);
    sl_delays_finish(&time);
}

/* ---- times of packets ------------------------------------------------------------------------ */

enum { MOVES = 400, DEPTH = 3 };

struct moves { /* all that has happened at both ends */
    uint64_t cycle[2][MOVES];
    uint64_t count[2];
};

static uint64_t before(const struct moves *m, unsigned op, uint64_t cycle)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < m->count[op]; i++)
        count += m->cycle[op][i] < cycle;
    return count;
}

/* What was written and not read in front of the cycle, and whether either end may still change it.
 */
static void check_fill(const struct sl_clock_ring *ring, const struct moves *m, uint64_t cycle)
{
    uint64_t fill;
    assert_true(sl_clock_ring_fill(ring, cycle, &fill));
    assert_int_equal(fill, before(m, SL_PIPE_WRITE, cycle) - before(m, SL_PIPE_READ, cycle));
}

static void check_question(const struct sl_clock_ring *ring, const struct moves *m, unsigned op,
                           uint64_t cycle)
{
    uint64_t number = m->count[op], peers = m->count[!op];
    enum sl_clock_answer got = sl_clock_ring_ask(ring, op, number, cycle);
    if (op == SL_PIPE_WRITE && number < DEPTH)
        assert_int_equal(got, SL_CLOCK_YES);
    else if (peers > (op == SL_PIPE_WRITE ? number - DEPTH : number))
        assert_int_equal(got, m->cycle[!op][op == SL_PIPE_WRITE ? number - DEPTH : number] < cycle
                                  ? SL_CLOCK_YES
                                  : SL_CLOCK_NO);
    else
        assert_int_equal(got, peers && m->cycle[!op][peers - 1] + 1 >= cycle ? SL_CLOCK_NO
                              : !peers && !cycle                             ? SL_CLOCK_NO
                                                                             : SL_CLOCK_OPEN);
}

/* Random moves within the depth, each at the first cycle that is allowed or some later. */
static void test_packets(void **state)
{
    (void)state;
    static struct moves m;
    struct sl_clock_ring *ring = sl_clock_ring_create(DEPTH, SL_CLOCK_BEHIND);
    uint64_t random = 3;
    assert_non_null(ring);
    while (m.count[0] < MOVES && m.count[1] < MOVES) {
        unsigned op = (unsigned)random_below(&random, 2);
        uint64_t fill = m.count[SL_PIPE_WRITE] - m.count[SL_PIPE_READ];
        if (fill == (op == SL_PIPE_WRITE ? DEPTH : 0))
            continue;
        uint64_t number = m.count[op], least = number ? m.cycle[op][number - 1] + 1 : 0;
        uint64_t peer = op == SL_PIPE_READ ? m.cycle[!op][number] + 1
                        : number >= DEPTH  ? m.cycle[!op][number - DEPTH] + 1
                                           : 0;
        assert_int_equal(sl_clock_ring_allowed(ring, op, number), peer > least ? peer : least);
        uint64_t cycle = (peer > least ? peer : least) + random_below(&random, 4);
        assert_true(sl_clock_ring_move(ring, op, 1, cycle));
        m.cycle[op][m.count[op]++] = cycle;
        for (uint64_t back = 0; back < 20 && back <= cycle + 2; back++) {
            check_fill(ring, &m, cycle + 2 - back);
            check_question(ring, &m, SL_PIPE_READ, cycle + 2 - back);
            check_question(ring, &m, SL_PIPE_WRITE, cycle + 2 - back);
        }
    }
    free(ring);
}

/* What somebody was told must not come to pass afterwards. */
static void test_denied(void **state)
{
    (void)state;
    struct sl_clock_ring *ring = sl_clock_ring_create(DEPTH, SL_CLOCK_BEHIND);
    assert_non_null(ring);
    sl_clock_ring_deny(ring, SL_PIPE_WRITE, 10);
    sl_clock_ring_deny(ring, SL_PIPE_WRITE, 7);
    assert_false(sl_clock_ring_move(ring, SL_PIPE_WRITE, 1, 9));
    assert_true(sl_clock_ring_move(ring, SL_PIPE_WRITE, 1, 10)); /* that was about the first */
    sl_clock_ring_deny(ring, SL_PIPE_WRITE, 12);
    assert_true(sl_clock_ring_move(ring, SL_PIPE_READ, 1, 11));
    assert_true(sl_clock_ring_move(ring, SL_PIPE_WRITE, 0, 11)); /* none */
    assert_true(sl_clock_ring_move(ring, SL_PIPE_WRITE, 1, 12));
    assert_false(sl_clock_ring_knows(ring, SL_PIPE_WRITE, 14));
    assert_true(sl_clock_ring_knows(ring, SL_PIPE_WRITE, 13));
    assert_true(sl_clock_ring_move(ring, SL_PIPE_WRITE, 1, 13));
    assert_true(sl_clock_ring_knows(ring, SL_PIPE_WRITE, 99)); /* full */
    free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_delays),   cmocka_unit_test(test_packets),
        cmocka_unit_test(test_denied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
