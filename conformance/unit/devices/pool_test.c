/* SPDX-License-Identifier: Apache-2.0 */
/* One launch at a time on work queues, jobs and worker threads of devices/common; and their end. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "cpu/cpu.h"
#include "fpga/fpga.h"
#include "pool_bed.h"

static void every_group_once(void **state)
{
    static const size_t sizes[][2][3] = {
        {{1, 1, 1}, {1, 1, 1}},      {{7, 1, 1}, {2, 1, 1}},       {{1000003, 1, 1}, {1, 1, 1}},
        {{64, 64, 1}, {8, 8, 1}},    {{65, 33, 1}, {8, 8, 1}},     {{5, 7, 11}, {2, 3, 4}},
        {{1, 1, 999}, {1, 1, 1}},    {{1, 4096, 3}, {1, 1, 1}},    {{4096, 4096, 1}, {16, 16, 1}},
        {{17, 19, 23}, {17, 1, 23}}, {{100000, 1, 1}, {64, 1, 1}}, {{2, 2, 2}, {4, 4, 4}},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t *global = sizes[i][0], *local = sizes[i][1];
        size_t total = 1;
        for (int d = 0; d < 3; d++)
            total *= (global[d] + local[d] - 1) / local[d];
        _Atomic uint64_t groups = 0;
        struct args args = {.hits = calloc(total, 1), .groups = &groups};
        for (unsigned turn = 1; turn <= 3; turn++) {
            struct fake_work fake = bed_launch(*state, COUNT, &args, global, local);
            bed_run(*state, &fake);
            assert_int_equal(fake.status, 0);
            assert_int_equal(groups, turn * total);
            for (size_t g = 0; g < total; g++) {
                if (args.hits[g] != turn)
                    fail_msg("case %zu, group %zu of %zu: %u of %u", i, g, total, args.hits[g],
                             turn);
            }
        }
        free((void *)args.hits);
    }
}

static void ten_million_groups(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = bed_launch_1d(*state, COUNT, &args, 10000000);
    bed_run(*state, &fake);
    assert_int_equal(groups, 10000000);
}

static void no_group_at_all(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = bed_launch_1d(*state, COUNT, &args, 0);
    bed_run(*state, &fake);
    assert_int_equal(fake.status, 0);
    assert_int_equal(groups, 0);
}

static void too_many_groups_are_refused(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    const size_t much = (size_t)1 << 40;
    struct fake_work fake =
        bed_launch(*state, COUNT, &args, (size_t[]){much, much, 1}, (size_t[]){1, 1, 1});
    bed_run(*state, &fake);
    assert_int_equal(fake.status, -5);
    assert_int_equal(groups, 0);
}

static void memory_is_there(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    for (size_t local = 1; local <= 4096; local *= 8) {
        struct fake_work fake = bed_launch(*state, MEMORY, &args, (size_t[]){local * 100, 1, 1},
                                           (size_t[]){local, 1, 1});
        groups = 0;
        bed_run(*state, &fake);
        assert_int_equal(groups, 100);
    }
}

static void trap_ends_the_launch(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups, .work_ns = 1000};
    int lines = atomic_load(&fake_log_lines);
    struct fake_work fake = bed_launch_1d(*state, TRAP, &args, 1000);
    bed_run(*state, &fake);
    assert_int_equal(fake.status, -5);
    assert_int_equal(atomic_load(&fake_log_lines), lines + 1);
    assert_true(groups < 1000);
    fake = bed_launch_1d(*state, COUNT, &args, 10);
    bed_run(*state, &fake);
    assert_int_equal(fake.status, 0);
}

static void rounding_mode_is_reset_and_given_back(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    fesetround(FE_UPWARD);
    struct fake_work fake = bed_launch_1d(*state, ROUNDING, &args, 1);
    bed_run(*state, &fake);
    int mode = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(mode, FE_UPWARD);
    assert_int_equal(groups, 1);
}

static void large_private_memory_stays_off_the_caller(void **state)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = bed_launch_1d(*state, HUNGRY, &args, 100);
    bed_run(*state, &fake);
    assert_int_equal(groups, 100);
    struct sl_kernel_info huge = bed_kernels[HUNGRY];
    huge.stack_bytes = 100u << 20;
    const struct sl_module_info other = {.kernel_count = 1, .kernels = &huge};
    struct sl_code *code = sl_code_around(&other);
    fake = bed_launch_1d(*state, 0, &args, 1);
    fake.work.u.kernel.code = code;
    bed_run(*state, &fake);
    assert_int_equal(fake.status, -5);
    free(code);
}

/* An in-order queue as the driver makes one: each end submits the next. */
/* The last command of the last context: queue and device threads go from within finished(). */
static void destroy_all(struct fake_work *fake)
{
    struct bed *bed = fake->data;
    bed->device->ops->work_queue_destroy(bed->work_queue);
    bed->device->ops->stop(bed->device);
}

static void stop_from_within_finished(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct bed bed = {.device = fake_open(sl_cpu_plugin), .code = sl_code_around(&bed_module)};
        bed.work_queue = fake_work_queue(bed.device, false);
        _Atomic uint64_t groups = 0;
        const struct args args = {.groups = &groups};
        struct fake_work fake = bed_launch_1d(&bed, HUNGRY, &args, 100);
        fake.then = destroy_all;
        fake.data = &bed;
        bed.device->ops->submit(bed.work_queue, &fake.work);
        fake_sleep_until(&fake.finished, 1);
        if (i & 1) { /* and up again */
            assert_int_equal(bed.device->ops->start(bed.device), 0);
            bed.device->ops->stop(bed.device);
        }
        bed.device->ops->close(bed.device);
        free(bed.code);
    }
}

static void start_stop_repeats(void **state)
{
    (void)state;
    fake_set("SLUICE_NUM_THREADS", "1");
    struct sl_device *device = fake_open(sl_fpga_plugin);
    assert_int_equal(device->caps.compute_units, 1);
    for (int i = 0; i < 20; i++) {
        device->ops->stop(device);
        assert_int_equal(device->ops->start(device), 0);
    }
    fake_close(device);
    fake_set("SLUICE_NUM_THREADS", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BED(every_group_once),
        SINGLE(every_group_once),
        PINNED(every_group_once),
        BED(ten_million_groups),
        BED(no_group_at_all),
        BED(too_many_groups_are_refused),
        BED(memory_is_there),
        BED(trap_ends_the_launch),
        BED(rounding_mode_is_reset_and_given_back),
        BED(large_private_memory_stays_off_the_caller),
        cmocka_unit_test(stop_from_within_finished),
        cmocka_unit_test(start_stop_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
