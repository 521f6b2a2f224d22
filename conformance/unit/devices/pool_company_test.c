/* SPDX-License-Identifier: Apache-2.0 */
/* Several threads, work queues and works at once: who may run what, and that nothing is lost. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "pool_bed.h"

struct chain {
    struct bed *bed;
    struct fake_work *works;
    unsigned next, count;
};

static void submit_next(struct fake_work *fake)
{
    struct chain *chain = fake->data;
    if (chain->next < chain->count)
        chain->bed->device->ops->submit(chain->bed->work_queue, &chain->works[chain->next++].work);
}

static void submits_from_finished(void **state)
{
    enum { LENGTH = 20000 };
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct chain chain = {.bed = *state, .next = 1, .count = LENGTH};
    chain.works = calloc(LENGTH, sizeof *chain.works);
    for (unsigned i = 0; i < LENGTH; i++) {
        chain.works[i] = bed_launch_1d(*state, COUNT, &args, i % 5);
        chain.works[i].then = submit_next;
        chain.works[i].data = &chain;
    }
    chain.bed->device->ops->submit(chain.bed->work_queue, &chain.works[0].work);
    fake_wait(chain.bed->work_queue, chain.works, LENGTH);
    assert_int_equal(groups, LENGTH / 5 * (0 + 1 + 2 + 3 + 4));
    free(chain.works);
}

static void backlog(void **state)
{
    enum { LENGTH = 20000 };
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work *works = calloc(LENGTH, sizeof *works);
    for (unsigned i = 0; i < LENGTH; i++) {
        works[i] = bed_launch_1d(bed, COUNT, &args, 2);
        bed->device->ops->submit(bed->work_queue, &works[i].work);
    }
    fake_wait(bed->work_queue, works, LENGTH);
    assert_int_equal(groups, 2 * LENGTH);
    free(works);
}

static void *work_queue_user(void *data)
{
    enum { LAUNCHES = 300, GROUPS = 700 };
    struct bed bed = *(struct bed *)data;
    for (int round = 0; round < 3; round++) {
        bed.work_queue = fake_work_queue(bed.device, round & 1);
        _Atomic uint64_t groups = 0;
        const struct args args = {.groups = &groups, .work_ns = 20};
        struct fake_work works[LAUNCHES];
        for (unsigned i = 0; i < LAUNCHES; i++) {
            works[i] = bed_launch_1d(&bed, COUNT, &args, i % 10 ? 3 : GROUPS);
            bed.device->ops->submit(bed.work_queue, &works[i].work);
            if (i % 16 == 0)
                fake_wait(bed.work_queue, &works[i], 1);
        }
        fake_wait(bed.work_queue, works, LAUNCHES);
        assert_int_equal(groups, LAUNCHES / 10 * GROUPS + (LAUNCHES - LAUNCHES / 10) * 3);
        bed.device->ops->work_queue_destroy(bed.work_queue);
    }
    return NULL;
}

static void many_work_queues_many_threads(void **state)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work_queue_user, *state), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void *waiter(void *data)
{
    struct chain *chain = data;
    fake_wait(chain->bed->work_queue, chain->works, chain->count);
    return NULL;
}

static void many_waiters_one_work_queue(void **state)
{
    enum { THREADS = 6, LENGTH = 500 };
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups, .work_ns = 100};
    struct chain chain = {.bed = bed, .count = LENGTH};
    pthread_t threads[THREADS];
    chain.works = calloc(LENGTH, sizeof *chain.works);
    for (unsigned i = 0; i < LENGTH; i++)
        chain.works[i] = bed_launch_1d(bed, COUNT, &args, i % 50);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, waiter, &chain);
    for (unsigned i = 0; i < LENGTH; i++)
        bed->device->ops->submit(bed->work_queue, &chain.works[i].work);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(groups, LENGTH / 50 * (49 * 50 / 2));
    free(chain.works);
}

static atomic_int inside_now, inside_most;

static void watch_company(const void *block, const struct sl_launch *l, struct sl_group *group)
{
    int now = atomic_fetch_add(&inside_now, 1) + 1, most = atomic_load(&inside_most);
    while (now > most && !atomic_compare_exchange_weak(&inside_most, &most, now))
        ;
    burn(20000 * group->count);
    count_groups(block, l, group);
    atomic_fetch_sub(&inside_now, 1);
}

static void sub_device_limits_threads(void **state)
{
    struct bed *bed = *state;
    const struct sl_kernel_info kernel = {.name = "company", .run = watch_company};
    const struct sl_module_info info = {.kernel_count = 1, .kernels = &kernel};
    struct bed mine = {.device = bed->device, .code = sl_code_around(&info)};
    const uint32_t unit = 0;
    const struct sl_work_queue_desc desc = {.out_of_order = true, .units = &unit, .unit_count = 1};
    assert_int_equal(bed->device->ops->work_queue_create(bed->device, &desc, &mine.work_queue), 0);
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work works[4];
    inside_most = 0;
    for (int i = 0; i < 4; i++) {
        works[i] = bed_launch_1d(&mine, 0, &args, 40);
        bed->device->ops->submit(mine.work_queue, &works[i].work);
    }
    fake_wait(mine.work_queue, works, 4);
    assert_int_equal(groups, 160);
    assert_int_equal(inside_most, 1);
    bed->device->ops->work_queue_destroy(mine.work_queue);
    free(mine.code);
}

static void long_launch_is_shared(void **state)
{
    struct bed *bed = *state;
    if (bed->device->caps.compute_units < 2)
        skip();
    const struct sl_kernel_info kernel = {.name = "company", .run = watch_company};
    const struct sl_module_info info = {.kernel_count = 1, .kernels = &kernel};
    struct bed mine = *bed;
    mine.code = sl_code_around(&info);
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    inside_most = 0;
    struct fake_work fake = bed_launch_1d(&mine, 0, &args, 2000);
    bed_run(&mine, &fake);
    assert_int_equal(groups, 2000);
    assert_true(inside_most >= 2);
    free(mine.code);
}

static void native(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void native_functions_run(void **state)
{
    atomic_int calls = 0;
    struct fake_work fake = {.work = {.kind = SL_WORK_NATIVE}};
    fake.work.u.native = (struct sl_native){.function = native, .args = &calls};
    bed_run(*state, &fake);
    assert_int_equal(calls, 1);
}

/* What the caller does not wait for: it notes its thread and lasts until the caller lets it go, and
 * long enough for a measurement to call it long even if that was before it began. */
static struct {
    atomic_int go, on_caller;
    pthread_t caller;
} other;

static void last(void)
{
    if (pthread_equal(pthread_self(), other.caller))
        atomic_store(&other.on_caller, 1);
    int turns = 0;
    do
        burn(100000);
    while (++turns < 5000 && !atomic_load(&other.go));
}

static void last_native(void *data)
{
    (void)data;
    last();
}

static void last_kernel(const void *block, const struct sl_launch *l, struct sl_group *group)
{
    last();
    count_groups(block, l, group);
}

/* Submits `long_one` and a short kernel, and waits for the kernel only. */
static void wait_past(struct bed *bed, struct fake_work *long_one)
{
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work fake = bed_launch_1d(bed, COUNT, &args, 1);
    other.go = other.on_caller = 0;
    other.caller = pthread_self();
    bed->device->ops->submit(bed->work_queue, &long_one->work);
    bed->device->ops->submit(bed->work_queue, &fake.work);
    fake_wait(bed->work_queue, &fake, 1);
    int over = atomic_load(&long_one->finished);
    atomic_store(&other.go, 1);
    fake_wait(bed->work_queue, long_one, 1);
    assert_int_equal(over, 0);
    assert_int_equal(other.on_caller, 0);
    assert_int_equal(groups, 1);
}

static void natives_stay_off_the_caller(void **state)
{
    struct bed *bed = *state;
    if (bed->device->caps.compute_units < 2)
        skip();
    for (int i = 0; i < 50; i++) {
        struct fake_work fake = {.work = {.kind = SL_WORK_NATIVE}};
        fake.work.u.native = (struct sl_native){.function = last_native};
        wait_past(bed, &fake);
    }
}

/* One group: at first not measured, then known to be long. */
static void long_works_of_others_stay_off_the_caller(void **state)
{
    struct bed mine = *(struct bed *)*state;
    if (mine.device->caps.compute_units < 2)
        skip();
    struct sl_kernel_info both[] = {bed_kernels[COUNT], {.name = "last", .run = last_kernel}};
    const struct sl_module_info info = {.kernel_count = 2, .kernels = both};
    mine.code = sl_code_around(&info);
    for (int i = 0; i < 5; i++) {
        _Atomic uint64_t ran = 0;
        const struct args args = {.groups = &ran};
        struct fake_work fake = bed_launch_1d(&mine, 1, &args, 1);
        wait_past(&mine, &fake);
        assert_int_equal(ran, 1);
    }
    free(mine.code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BED(submits_from_finished),
        SINGLE(submits_from_finished),
        BED(backlog),
        SINGLE(backlog),
        BED(many_work_queues_many_threads),
        SINGLE(many_work_queues_many_threads),
        BED(many_waiters_one_work_queue),
        BED(sub_device_limits_threads),
        BED(long_launch_is_shared),
        BED(native_functions_run),
        BED(natives_stay_off_the_caller),
        BED(long_works_of_others_stay_off_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
