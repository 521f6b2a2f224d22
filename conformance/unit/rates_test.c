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
#define READ(p) {SL_STEP_READ, p, 0, false}
#define WRITE(p) {SL_STEP_WRITE, p, 0, false}
#define LOOP(n) {SL_STEP_LOOP, 0, n, !(n)}
#define END {SL_STEP_END, 0, 0, false}
#define KERNEL(steps) {steps, COUNT(steps), false}

static struct sl_flow_result check(const struct sl_flow_kernel *kernels, size_t count,
                                   const struct sl_flow_pipe *pipes, size_t pipe_count)
{
    struct sl_flow_result result;
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
            assert_int_equal(r.enough, 5);
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
    assert_int_equal(r.enough, 0);
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
    assert_int_equal(r.enough, 2);
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
    const struct sl_flow_pipe open[] = {{.depth = 1, .free = {false, true}}, {.depth = 1}};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_read_first), cmocka_unit_test(test_first_packet),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_rates),
        cmocka_unit_test(test_itself),          cmocka_unit_test(test_others),
        cmocka_unit_test(test_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
