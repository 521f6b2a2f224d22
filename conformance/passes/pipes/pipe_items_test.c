/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes of kernels with many work-items, reservations, pipes as arguments, and what is refused:
   against plain C, at several depths and with limits that move. */
#include "pipes_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- many items ------------------------------------------------------------------------------ */

enum { ITEMS = 60 };
static const size_t local_sizes[] = {1, 4, 60, 7, 64};
#define LOCAL_SIZES (sizeof local_sizes / sizeof *local_sizes)

static void in_order(uint32_t depth)
{
    for (size_t l = 0; l < LOCAL_SIZES; l++) {
        int out[ITEMS], factor = 3;
        build("items_in_order sink", depth);
        struct arguments a = kernel("items_in_order");
        add(&a, &factor, sizeof factor);
        start(&a, ITEMS, local_sizes[l]);
        start_task("sink", 1, 1, out, ITEMS);
        run();
        for (int i = 0; i < ITEMS; i++)
            assert_int_equal(out[i], i * 3);
        close_code();
    }
}

static void test_items_in_order(void **state)
{
    (void)state;
    machine = (struct machine){.limits = LIMITS_RANDOM};
    in_order(1);
    machine = (struct machine){.limits = LIMITS_TRUE};
    in_order(16);
}

static void test_items_take_turns_whole(void **state)
{
    int in[5 * ITEMS], out[2 * ITEMS], rounds = 5;
    (void)state;
    for (int i = 0; i < 5 * ITEMS; i++)
        in[i] = i * i;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("items_with_loop sink", 2);
    struct arguments a = kernel("items_with_loop");
    add_pointer(&a, in);
    add(&a, &rounds, sizeof rounds);
    start(&a, ITEMS, 20);
    start_task("sink", 1, 1, out, 2 * ITEMS);
    run();
    for (int x = 0; x < ITEMS; x++) {
        int sum = 0;
        for (int k = 0; k < rounds; k++)
            sum += in[k * ITEMS + x];
        assert_int_equal(out[2 * x], x);
        assert_int_equal(out[2 * x + 1], sum);
    }
    close_code();
}

static void barriers(uint32_t depth)
{
    enum { LOCAL = 6, GROUPS = 4, EACH = LOCAL * 2 + LOCAL / 2 };
    int out[GROUPS * EACH], *at = out;
    build("items_with_barriers sink", depth);
    struct arguments a = kernel("items_with_barriers");
    uint64_t offset = 0;
    add(&a, &offset, sizeof offset);
    start(&a, LOCAL * GROUPS, LOCAL);
    start_task("sink", 1, 1, out, GROUPS * EACH);
    run();
    for (int g = 0; g < GROUPS; g++) {
        for (int x = 0; x < LOCAL; x++)
            assert_int_equal(*at++, g * LOCAL + x);
        for (int x = 0; x < LOCAL; x++)
            assert_int_equal(*at++, (g * LOCAL + LOCAL - 1 - x) * 10);
        for (int x = 0; x < LOCAL; x += 2)
            assert_int_equal(*at++, x);
    }
    close_code();
}

static void test_barriers(void **state)
{
    (void)state;
    each_case(barriers);
}

static int plain_branches(int *out, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (i % 5 == 4)
            continue;
        if (i % 3 == 0)
            out[n++] = i;
        if (i % 3 <= 1)
            out[n++] = -i;
        for (int k = 0; i % 3 == 2 && k < i % 4; k++)
            out[n++] = i * 100 + k;
        if (i == count - 2)
            break;
    }
    return n;
}

static void branches(uint32_t depth)
{
    int want[400], out[400], count = plain_branches(want, 99);
    build("branches sink", depth);
    start_task("branches", 0, 1, 99);
    start_task("sink", 1, 1, out, count);
    run();
    assert_memory_equal(out, want, (size_t)count * sizeof *out);
    close_code();
}

static void test_branches(void **state)
{
    (void)state;
    each_case(branches);
}

/* ---- reservations ---------------------------------------------------------------------------- */

static void test_reservation(void **state)
{
    int out[3] = {0}, got[30];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("reserve sink", 4);
    start_task("reserve", 1, 1, out, 30);
    start_task("sink", 1, 1, got, 30);
    run();
    for (int i = 0; i < 30; i++)
        assert_int_equal(got[i], i);
    assert_true(out[0] > 0);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], -10);
    close_code();
}

static void test_group_reservation(void **state)
{
    enum { LOCAL = 5, GROUPS = 6 };
    int out[LOCAL * GROUPS];
    uint64_t ids[LOCAL * GROUPS];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("reserve_groups produce", 7);
    struct arguments a = kernel("reserve_groups");
    add_pointer(&a, out);
    add_pointer(&a, ids);
    start(&a, LOCAL * GROUPS, LOCAL);
    start_task("produce", 0, 1, LOCAL * GROUPS);
    run();
    for (int i = 0; i < LOCAL * GROUPS; i++) {
        int g = i / LOCAL, x = i % LOCAL;
        assert_int_equal(out[i], g * LOCAL + LOCAL - 1 - x);
        assert_int_equal(ids[i], g * LOCAL + 1);
    }
    close_code();
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void push(struct sl_pipe_ring *ring, const void *packet)
{
    memcpy(ring->slots + (ring->tail++ & ring->mask) * ring->packet_bytes, packet,
           ring->packet_bytes);
}

static void arguments(uint32_t depth)
{
    struct sl_pipe_ring *in = device_ring(4, 40), *out = device_ring(4, 40 + depth);
    int count = 40;
    for (int i = 0; i < count; i++)
        push(in, &i);
    build("arg_relay", depth);
    out->attention = depth == 3;
    struct arguments a = kernel("arg_relay");
    assert_int_equal(a.facts->args[0].kind, SL_ARG_PIPE);
    assert_int_equal(a.facts->args[0].pipe.packet_bytes, 4);
    add_pointer(&a, in);
    add_pointer(&a, out);
    add(&a, &count, sizeof count);
    start(&a, 1, 1);
    run();
    assert_int_equal(in->head, 40);
    assert_int_equal(out->tail, 40);
    for (int i = 0; i < count; i++)
        assert_int_equal(((int *)out->slots)[i], i + 1000);
    if (machine.limits == LIMITS_TRUE)
        assert_int_equal(machine.notified, depth == 3 ? 40 : 0);
    free(in->slots);
    free(in);
    free(out->slots);
    free(out);
    close_code();
}

static void test_arguments(void **state)
{
    (void)state;
    each_case(arguments);
}

static void test_blocking_arguments(void **state)
{
    struct sl_pipe_ring *a = device_ring(8, 2), *b = device_ring(8, 3), *c = device_ring(8, 64);
    int count = 30;
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("arg_blocking", 1);
    struct sl_pipe_ring *ends[3][2] = {{a, b}, {b, c}, {c, a}};
    float start_value[2] = {1, 2};
    push(a, start_value);
    for (int k = 0; k < 3; k++) {
        struct arguments args = kernel("arg_blocking");
        add_pointer(&args, ends[k][0]);
        add_pointer(&args, ends[k][1]);
        add(&args, &count, sizeof count);
        start(&args, 1, 1);
    }
    run();
    assert_int_equal(a->tail, 31);
    assert_int_equal(c->head, 30);
    assert_true(((float *)a->slots)[0] == 1);
    struct sl_pipe_ring *all[] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        free(all[k]->slots);
        free(all[k]);
    }
    close_code();
}

static void test_one_pipe_twice(void **state)
{
    (void)state;
    for (int l = 0; l < LIMITS_COUNT; l++) {
        struct sl_pipe_ring *ring = device_ring(4, 64);
        int count = 20;
        machine = (struct machine){.limits = (enum limits)l};
        build("arg_same", 1);
        struct arguments a = kernel("arg_same");
        add_pointer(&a, ring);
        add_pointer(&a, ring);
        add(&a, &count, sizeof count);
        start(&a, 1, 1);
        run();
        assert_int_equal(ring->tail, 40);
        for (int i = 0; i < 40; i++)
            assert_int_equal(((int *)ring->slots)[i], i % 2 ? -(i / 2) : i / 2);
        free(ring->slots);
        free(ring);
        close_code();
    }
}

static void test_argument_reservation(void **state)
{
    struct sl_pipe_ring *ring = device_ring(4, 50);
    int out[41], count = 40;
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    for (int i = 0; i < count; i++)
        push(ring, &i);
    build("arg_reserve", 1);
    struct arguments a = kernel("arg_reserve");
    add_pointer(&a, ring);
    add_pointer(&a, out);
    add(&a, &count, sizeof count);
    start(&a, 1, 1);
    run();
    for (int i = 0; i < count; i++)
        assert_int_equal(out[i], i);
    assert_int_equal(out[40], 50);
    free(ring->slots);
    free(ring);
    close_code();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void check_refused(const char *kernels, const char *words[])
{
    if (!begin(kernels, 4))
        fail_msg("%s: not refused", kernels);
    for (int i = 0; words[i]; i++)
        if (!strstr(code.pass.error, words[i]))
            fail_msg("%s: '%s' is not in '%s'", kernels, words[i], code.pass.error);
    close_code();
}

static void test_connections(void **state)
{
    (void)state;
    check_refused("produce produce_nb consume_nb",
                  (const char *[]){"'first'", "'produce'", "'produce_nb'", "written", NULL});
    check_refused("relay sink produce",
                  (const char *[]){"'first'", "'relay'", "'sink'", "read", NULL});
    check_refused("low_lanes mix unmix spread gather high_lanes all_lanes two_kinds stage unmix "
                  "collect feed produce self",
                  (const char *[]){"'first'", "'self'", NULL});
    assert_int_equal(begin("produce", 4), 0);
    assert_non_null(code.pass.warnings);
    assert_non_null(strstr(code.pass.warnings, "'first' is never read"));
    close_code();
    assert_int_equal(begin("produce sink", 4), 0);
    assert_null(code.pass.warnings);
    close_code();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_in_order), cmocka_unit_test(test_items_take_turns_whole),
        cmocka_unit_test(test_barriers),       cmocka_unit_test(test_branches),
        cmocka_unit_test(test_reservation),    cmocka_unit_test(test_group_reservation),
        cmocka_unit_test(test_arguments),      cmocka_unit_test(test_blocking_arguments),
        cmocka_unit_test(test_one_pipe_twice), cmocka_unit_test(test_argument_reservation),
        cmocka_unit_test(test_connections),
    };
    return run_pipe_tests(argc, argv, tests, sizeof tests / sizeof *tests);
}
