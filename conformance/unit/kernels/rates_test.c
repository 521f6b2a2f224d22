/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of constant rates that come to wait for each other, and such that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "timing/flow.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define READ(p) {.kind = SL_STEP_READ, .pipe = p}
#define WRITE(p) {.kind = SL_STEP_WRITE, .pipe = p}
#define LOOP(n) {.kind = SL_STEP_LOOP, .trips = n, .endless = !(n)}
#define OPEN_LOOP(n, on) {.kind = SL_STEP_LOOP, .most = n, .leads_on = on}
#define END {.kind = SL_STEP_END}
#define KERNEL(steps) {steps, COUNT(steps), false}

enum { MOST_PIPES = 4 };

/* Whose ends are not given has them by the steps. */
static struct sl_flow_result check(const struct sl_flow_kernel *kernels, size_t count,
                                   const struct sl_flow_pipe *given, size_t pipe_count)
{
    struct sl_flow_pipe pipes[MOST_PIPES];
    struct sl_flow_result result;
    for (size_t i = 0; i < pipe_count; i++) {
        pipes[i] = given[i];
        for (int end = 0; end < 2; end++)
            pipes[i].kernels[end] = given[i].kernels[end] ? given[i].kernels[end] : SL_FLOW_NOBODY;
    }
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < kernels[k].step_count; i++) {
            const struct sl_flow_step *step = &kernels[k].steps[i];
            if (step->kind != SL_STEP_LOOP && step->kind != SL_STEP_END &&
                pipes[step->pipe].kernels[step->kind] == SL_FLOW_NOBODY)
                pipes[step->pipe].kernels[step->kind] = (int32_t)k;
        }
    assert_int_equal(sl_flow_check(kernels, (uint32_t)count, pipes, (uint32_t)pipe_count, &result),
                     0);
    return result;
}

static void test_both_read_first(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {LOOP(0), READ(1), WRITE(0), END};
    struct sl_flow_step b[] = {LOOP(0), READ(0), WRITE(1), END};
    struct sl_flow_step c[] = {LOOP(0), WRITE(2), END}, d[] = {LOOP(0), READ(2), END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    const struct sl_flow_kernel more[] = {KERNEL(c), KERNEL(d), KERNEL(b), KERNEL(a)};
    const struct sl_flow_pipe pipes[] = {{.depth = 8}, {.depth = 8}, {.depth = 1}};
    struct sl_flow_result r = check(kernels, 2, pipes, 2);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.cycle[0].step, 1);
    assert_int_equal(r.cycle[1].step, 1);
    assert_int_equal(r.cycle[0].kernel + r.cycle[1].kernel, 1);
    assert_int_equal(r.full, UINT32_MAX);
    free(r.cycle);
    r = check(more, 4, pipes, 3); /* the two others go on meanwhile: nothing is sure */
    assert_int_equal(r.count, 2);
    assert_int_equal(r.cycle[0].kernel, 2);
    assert_int_equal(r.cycle[1].kernel, 3);
    free(r.cycle);
}

/* The same with a packet on its way before the loop. */
static void test_first_packet(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {WRITE(0), LOOP(0), READ(1), WRITE(0), END};
    struct sl_flow_step b[] = {LOOP(0), READ(0), WRITE(1), END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    const struct sl_flow_pipe pipes[] = {{.depth = 1}, {.depth = 1}};
    struct sl_flow_result r = check(kernels, 2, pipes, 2);
    assert_int_equal(r.count, 0);
    free(r.cycle);
}

static void test_depth(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {LOOP(0), LOOP(5), WRITE(0), END, WRITE(1), END};
    struct sl_flow_step b[] = {LOOP(0), READ(1), LOOP(5), READ(0), END, END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    for (uint32_t depth = 1; depth < 8; depth++) {
        const struct sl_flow_pipe pipes[] = {{.depth = depth}, {.depth = 1}};
        struct sl_flow_result r = check(kernels, 2, pipes, 2);
        assert_int_equal(r.count, depth < 5 ? 2 : 0);
        if (r.count) {
            assert_int_equal(r.full, 0);
            assert_int_equal(r.need_count, 1);
            assert_int_equal(r.needs[0].pipe, 0);
            assert_int_equal(r.needs[0].depth, 5);
        }
        free(r.cycle);
    }
}

static void test_rates(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {LOOP(0), WRITE(0), WRITE(0), WRITE(1), END};
    struct sl_flow_step b[] = {LOOP(0), READ(0), READ(1), END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    const struct sl_flow_pipe pipes[] = {{.depth = 100}, {.depth = 1}};
    struct sl_flow_result r = check(kernels, 2, pipes, 2);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.full, 0);
    assert_int_equal(r.need_count, 0);
    free(r.cycle);
}

static void test_itself(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {WRITE(0), WRITE(0), READ(0), READ(0)};
    const struct sl_flow_kernel kernels[] = {KERNEL(a)};
    const struct sl_flow_pipe shallow[] = {{.depth = 1}}, deep[] = {{.depth = 2}};
    struct sl_flow_result r = check(kernels, 1, shallow, 1);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.cycle[0].step, 1);
    assert_int_equal(r.needs[0].depth, 2);
    free(r.cycle);
    r = check(kernels, 1, deep, 1);
    assert_int_equal(r.count, 0);
    free(r.cycle);
}

/* Who has ended, or is not known, may come again. */
static void test_others(void **state)
{
    (void)state;
    struct sl_flow_step five[] = {LOOP(5), WRITE(0), END}, nine[] = {LOOP(9), READ(0), END};
    struct sl_flow_step reads[] = {LOOP(0), READ(0), WRITE(1), END};
    struct sl_flow_step back[] = {LOOP(0), READ(1), WRITE(0), END};
    const struct sl_flow_kernel ends[] = {KERNEL(five), KERNEL(nine)};
    const struct sl_flow_kernel waits[] = {KERNEL(reads), KERNEL(back)};
    const struct sl_flow_pipe pipes[] = {{.depth = 1}, {.depth = 1}};
    const struct sl_flow_pipe open[] = {{.depth = 1, .kernels = {0, SL_FLOW_UNKNOWN}},
                                        {.depth = 1}};
    struct sl_flow_result r = check(ends, 2, pipes, 2);
    assert_int_equal(r.count, 0);
    free(r.cycle);
    r = check(waits, 2, open, 2);
    assert_int_equal(r.count, 0);
    free(r.cycle);
    r = check(waits, 2, pipes, 2);
    assert_int_equal(r.count, 2);
    free(r.cycle);
}

/* An autorun kernel begins again. */
static void test_restarts(void **state)
{
    (void)state;
    struct sl_flow_step one[] = {READ(0), WRITE(1)}, many[] = {LOOP(100), WRITE(0), END, READ(1)};
    struct sl_flow_kernel kernels[] = {KERNEL(one), KERNEL(many)};
    const struct sl_flow_pipe pipes[] = {{.depth = 1}, {.depth = 1}};
    kernels[0].restarts = true;
    struct sl_flow_result r = check(kernels, 2, pipes, 2);
    assert_int_equal(r.count, 2); /* the answers find no room */
    assert_int_equal(r.full == 0 || r.full == 1, 1);
    free(r.cycle);
}

/* Each as much as it takes beside the other. */
static void test_two_depths(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {LOOP(0),  LOOP(3), WRITE(0), END, LOOP(5),
                               WRITE(1), END,     WRITE(2), END};
    struct sl_flow_step b[] = {LOOP(0), READ(2), LOOP(5), READ(1), END, LOOP(3), READ(0), END, END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    const struct sl_flow_pipe pipes[] = {{.depth = 1}, {.depth = 1}, {.depth = 1}};
    struct sl_flow_result r = check(kernels, 2, pipes, 3);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.need_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(r.needs[i].depth, r.needs[i].pipe == 0 ? 3 : 5);
    free(r.cycle);
}

/* A loop that may end goes on as long as it can. */
static void test_open_loops(void **state)
{
    (void)state;
    struct sl_flow_step a[] = {OPEN_LOOP(0, true), WRITE(0), END, WRITE(1)};
    struct sl_flow_step short_a[] = {OPEN_LOOP(4, true), WRITE(0), END, WRITE(1)};
    struct sl_flow_step b[] = {READ(1), OPEN_LOOP(0, false), READ(0), END};
    const struct sl_flow_kernel kernels[] = {KERNEL(a), KERNEL(b)};
    const struct sl_flow_kernel fewer[] = {KERNEL(short_a), KERNEL(b)};
    const struct sl_flow_pipe pipes[] = {{.depth = 4}, {.depth = 1}};
    const struct sl_flow_pipe shallow[] = {{.depth = 3}, {.depth = 1}};
    struct sl_flow_result r = check(kernels, 2, pipes, 2);
    assert_int_equal(r.count, 2);
    const struct sl_flow_wait *writer = &r.cycle[r.cycle[0].kernel != 0];
    assert_int_equal(writer->rounds, 5);
    assert_int_equal(writer->loop, 0);
    assert_int_equal(r.need_count, 0);
    free(r.cycle);
    r = check(fewer, 2, pipes, 2);
    assert_int_equal(r.count, 0);
    free(r.cycle);
    r = check(fewer, 2, shallow, 2);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.needs[0].depth, 4);
    free(r.cycle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_read_first), cmocka_unit_test(test_first_packet),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_rates),
        cmocka_unit_test(test_itself),          cmocka_unit_test(test_others),
        cmocka_unit_test(test_restarts),        cmocka_unit_test(test_two_depths),
        cmocka_unit_test(test_open_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
