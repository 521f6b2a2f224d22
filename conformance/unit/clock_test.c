/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a design's clock: its schedule as read from a module, whole and damaged, and delays
 * compared with a plain list of all that was ever held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fpga/profile/clock_schedule.h"
#include "fpga/profile/clock_time.h"

static const char text[] =
    "{\"sluice_timing\":1,\"clock_mhz\":300,\"kernels\":[{\"name\":\"none\",\"loops\":[]},\n"
    "{\"name\":\"sum\",\"loops\":[{\"file\":\"a "
    "\\\"b\\\".cl\",\"line\":3,\"column\":5,\"parent\":-1,"
    "\"pipelined\":false,\"why\":\"iterations run the loops inside\",\"pipes\":[]},"
    "{\"line\":4,\"column\":9,\"parent\":0,\"pipelined\":true,\"ii\":2,\"depth\":7,\"pipes\":["
    "{\"pipe\":\"c\",\"op\":\"read\",\"blocking\":true,\"line\":5,\"column\":6,\"cycle\":0},"
    "{\"op\":\"write\",\"line\":6,\"column\":7,\"cycle\":9}]}]}]}";

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
    static struct sl_clock_delay held[STEPS];
    struct sl_clock_time time = {0};
    uint64_t random = 1, horizon = 0;
    for (int n = 0; n < STEPS; n++) {
        uint64_t nominal = horizon + random_below(&random, WINDOW), expected = 0;
        for (int i = 0; i < n; i++)
            if (held[i].nominal <= nominal && held[i].delay > expected)
                expected = held[i].delay;
        assert_int_equal(sl_clock_time_delay(&time, nominal), expected);
        held[n] = (struct sl_clock_delay){nominal, expected + random_below(&random, 4)};
        assert_true(sl_clock_time_hold(&time, nominal, held[n].delay));
        if (random_below(&random, 3) == 0) {
            horizon += random_below(&random, 9);
            sl_clock_time_advance(&time, horizon);
        }
    }
    assert_true(time.room < 4 * WINDOW);
    sl_clock_time_finish(&time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_delays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
