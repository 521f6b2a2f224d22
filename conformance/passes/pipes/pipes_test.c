/* SPDX-License-Identifier: Apache-2.0 */
/* Packets through pipes of kernels with one work-item: every operation against plain C, at several
   depths and with limits that move. */
#include "pipes_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- packets --------------------------------------------------------------------------------- */

static void check_size(const char *type, uint32_t depth)
{
    char put[32], take[32], both[80];
    int bad = -1;
    snprintf(put, sizeof put, "put%s", type);
    snprintf(take, sizeof take, "take%s", type);
    snprintf(both, sizeof both, "%s %s", put, take);
    build(both, depth);
    start_task(put, 0, 1, 517);
    start_task(take, 1, 1, &bad, 517);
    run();
    assert_int_equal(bad, 0);
    close_code();
}

static void test_sizes(void **state)
{
    static const char *const types[] = {"1",    "2",     "3",     "12",      "24",     "100",
                                        "1000", "_int2", "_int3", "_float4", "_ulong8"};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        machine = (struct machine){.limits = LIMITS_RANDOM, .seed = (unsigned)i};
        check_size(types[i], 5);
        machine = (struct machine){.limits = LIMITS_TRUE};
        check_size(types[i], 1);
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

static void stream(uint32_t depth)
{
    enum { COUNT = 1000 };
    long out = -1, want = 0;
    for (int i = 0; i < COUNT; i++)
        want = (long)((unsigned long)want * 3 + (unsigned long)(2 * i + 1));
    build("produce relay consume", depth);
    assert_int_equal(find_pipe("first")->depth, depth);
    start_task("consume", 1, 1, &out, COUNT);
    start_task("relay", 0, 1, COUNT);
    start_task("produce", 0, 1, COUNT);
    run();
    assert_true(out == want);
    if (machine.limits == LIMITS_TRUE)
        assert_true(machine.calls <= 4 * (COUNT / depth + 4));
    close_code();
}

static void test_stream(void **state)
{
    (void)state;
    each_case(stream);
}

static void poll(uint32_t depth)
{
    enum { COUNT = 300 };
    int out[COUNT] = {0}, failed[2] = {0, -1};
    build("produce_nb consume_nb", depth);
    start_task("consume_nb", 2, 1, out, failed, COUNT);
    start_task("produce_nb", 0, 1, COUNT);
    run();
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(out[i], i);
    if (machine.limits == LIMITS_TRUE)
        assert_true(failed[0] > 0);
    assert_int_equal(failed[1], 0);
    close_code();
}

static void test_polling(void **state)
{
    (void)state;
    each_case(poll);
}

static void test_failed_read_touches_nothing(void **state)
{
    int out[4] = {-1, -2, -3, -4}, codes[4];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("consume_global", 4);
    start_task("consume_global", 2, 1, out, codes, 4);
    run();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(codes[i], -1);
        assert_int_equal(out[i], -i - 1);
    }
    close_code();
}

static void both_ends(uint32_t depth)
{
    int out[60];
    build("self", depth);
    start_task("self", 1, 1, out, 20);
    run();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(out[3 * i], 1);
        assert_int_equal(out[3 * i + 1], i * 5);
        assert_int_equal(out[3 * i + 2], depth);
    }
    close_code();
}

static void test_both_ends(void **state)
{
    (void)state;
    each_case(both_ends);
}

static void test_declared_blocking(void **state)
{
    int out = 0, drained[50];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("two_kinds drain_waiting", 8);
    start_task("two_kinds", 1, 1, &out, 50);
    start_task("drain_waiting", 1, 1, drained, 50);
    run();
    assert_int_equal(out, 1 - 42);
    for (int i = 0; i < 50; i++)
        assert_int_equal(drained[i], i);
    close_code();
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void arrays(uint32_t depth)
{
    short out[100];
    build("spread gather", depth);
    assert_int_equal(code.pass.pipe_tables.ring_count, 6);
    start_task("spread", 0, 1, 100);
    start_task("gather", 1, 1, out, 100);
    run();
    for (int i = 0; i < 100; i++)
        assert_int_equal(out[i], i);
    const struct sl_pipe_info *last = find_pipe("grid[2][1]");
    assert_int_equal(last->ring->tail, 16);
    assert_ptr_equal(last->ring->info, last);
    close_code();
}

static void test_arrays(void **state)
{
    (void)state;
    each_case(arrays);
}

static void mixed(uint32_t depth)
{
    for (int at = 1; at <= 2; at++) {
        int out[40];
        build("mix unmix", depth);
        start_task("mix", 0, 2, 20, at);
        start_task("unmix", 1, 2, out, 20, at);
        run();
        for (int i = 0; i < 20; i++) {
            assert_int_equal(out[2 * i], at == 1 ? -i : i);
            assert_int_equal(out[2 * i + 1], at == 1 ? i : -i);
        }
        close_code();
    }
}

static void test_mixed_indices(void **state)
{
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    mixed(64);
    machine = (struct machine){.limits = LIMITS_RANDOM};
    mixed(2);
}

static void test_unrolled_lanes(void **state)
{
    int out[80];
    (void)state;
    machine = (struct machine){.limits = LIMITS_RANDOM};
    build("low_lanes high_lanes all_lanes", 3);
    start_task("low_lanes", 0, 1, 20);
    start_task("high_lanes", 0, 1, 20);
    start_task("all_lanes", 1, 1, out, 20);
    run();
    for (int i = 0; i < 80; i++)
        assert_int_equal(out[i], i);
    const struct sl_kernel_facts *low, *high;
    lower_find(&code, "low_lanes", &low);
    lower_find(&code, "high_lanes", &high);
    assert_int_equal(low->component, high->component);
    assert_ptr_equal(&code.pass.kernels[find_pipe("lanes[1]")->writer], low);
    assert_ptr_equal(&code.pass.kernels[find_pipe("lanes[2]")->writer], high);
    close_code();
}

/* ---- autorun --------------------------------------------------------------------------------- */

static void units(uint32_t depth)
{
    int out[31];
    build("stage feed collect", depth);
    assert_int_equal(code.pass.kernel_count, 7);
    for (uint32_t k = 0; k < 7; k++)
        if (code.pass.kernels[k].flags & SL_KERNEL_AUTORUN) {
            struct arguments a = kernel(code.pass.kernels[k].name);
            assert_string_equal(code.pass.kernels[a.facts->first_unit].name, "stage");
            start(&a, 1, 1);
        }
    start_task("feed", 0, 1, 30);
    start_task("collect", 1, 1, out, 30);
    run();
    for (int i = 0; i < 30; i++)
        assert_int_equal(out[i], (i << 8) + 31);
    assert_int_equal(out[30], 0);
    close_code();
}

static void test_compute_units(void **state)
{
    (void)state;
    each_case(units);
}

/* ---- waiting for memory ---------------------------------------------------------------------- */

static void test_spinning(void **state)
{
    int flag[2] = {0, 0};
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("write_and_spin read_and_set", 4);
    start_task("write_and_spin", 1, 0, flag);
    start_task("read_and_set", 1, 0, flag);
    run();
    assert_int_equal(flag[0], 77);
    assert_int_equal(flag[1], 77);
    close_code();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_stream),
        cmocka_unit_test(test_polling),        cmocka_unit_test(test_failed_read_touches_nothing),
        cmocka_unit_test(test_both_ends),      cmocka_unit_test(test_declared_blocking),
        cmocka_unit_test(test_arrays),         cmocka_unit_test(test_mixed_indices),
        cmocka_unit_test(test_unrolled_lanes), cmocka_unit_test(test_compute_units),
        cmocka_unit_test(test_spinning),
    };
    return run_pipe_tests(argc, argv, tests, sizeof tests / sizeof *tests);
}
