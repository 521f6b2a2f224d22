/* SPDX-License-Identifier: Apache-2.0 */
/* Who starts what was held back: a worker that looks, or a flush. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "common/runtime/scheduler.h"
#include "common/runtime/thread_pool.h"
#include "pool_bed.h"

static void starts_without_anybody_waiting(void **state)
{
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    for (int i = 0; i < 20; i++) {
        struct fake_work fake = bed_launch_1d(bed, COUNT, &args, 1);
        bed->device->ops->submit(bed->work_queue, &fake.work);
        fake_sleep_until(&fake.finished, 1);
        burn(i * 2000000); /* from busy work queues to quiet ones */
    }
    assert_int_equal(groups, 20);
}

/*
 * The linker puts these before the pool's own (--wrap). While `unwatched` the work queues believe
 * that somebody will look at them, and nobody does: what was held back lies there until it is
 * flushed.
 */
int __real_sl_pool_create(const struct sl_pool_desc *, struct sl_pool **);
int __wrap_sl_pool_create(const struct sl_pool_desc *, struct sl_pool **);
bool __real_sl_pool_attended(struct sl_pool *);
bool __wrap_sl_pool_attended(struct sl_pool *);

static atomic_bool unwatched;
static bool (*real_watch)(void *);

static bool watch(void *owner)
{
    return !unwatched && real_watch(owner);
}

int __wrap_sl_pool_create(const struct sl_pool_desc *desc, struct sl_pool **out)
{
    static struct sl_pool_ops ops;
    struct sl_pool_desc changed = *desc;
    real_watch = desc->ops->watch;
    ops = (struct sl_pool_ops){.run = desc->ops->run, .watch = watch};
    changed.ops = &ops;
    return __real_sl_pool_create(&changed, out);
}

bool __wrap_sl_pool_attended(struct sl_pool *pool)
{
    return unwatched || __real_sl_pool_attended(pool);
}

static int set_up_unwatched(void **state)
{
    unwatched = true;
    return bed_set_up(state);
}

static int tear_down_unwatched(void **state)
{
    int rc = bed_tear_down(state);
    unwatched = false;
    return rc;
}

static void flush_starts(void **state)
{
    enum { MOST_FLUSHES = 4 }; /* the first ones may leave a short work to who waits for it */
    struct bed *bed = *state;
    const struct sl_device_ops *ops = bed->device->ops;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work first = bed_launch_1d(bed, COUNT, &args, 3);
    ops->submit(bed->work_queue, &first.work); /* a work queue nobody knew yet: starts at once */
    fake_sleep_until(&first.finished, 1);
    burn(20000000); /* the worker falls asleep */
    int held = 0;
    for (int i = 0; i < 10; i++) {
        struct fake_work fake = bed_launch_1d(bed, COUNT, &args, 3);
        ops->submit(bed->work_queue, &fake.work);
        burn(5000000);
        held += !atomic_load(&fake.finished);
        for (int n = 0; n < MOST_FLUSHES; n++)
            ops->flush(bed->work_queue);
        fake_sleep_until(&fake.finished, 1); /* for ever, if flush() did nothing */
        burn(5000000);
    }
    assert_int_equal(groups, 33);
    if (!held)
        skip(); /* a machine so slow that no launch counts as short */
}

/* With nobody to look after what was held back the first flush is enough. */
static void first_flush_starts(void **state)
{
    struct bed *bed = *state;
    const struct sl_device_ops *ops = bed->device->ops;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    struct fake_work works[2];
    for (int i = 0; i < 2; i++) {
        works[i] = bed_launch_1d(bed, COUNT, &args, 3);
        ops->submit(bed->work_queue, &works[i].work);
        if (!i)
            fake_sleep_until(&works[0].finished, 1);
        burn(20000000);
    }
    bool held = !atomic_load(&works[1].finished);
    unwatched = false; /* the work queues see now that nobody is awake */
    ops->flush(bed->work_queue);
    fake_sleep_until(&works[1].finished, 1);
    assert_int_equal(groups, 6);
    if (!held)
        skip();
}

/* A work queue that is known, a worker that sleeps, launches whose cost has been measured. */
static void teach(struct bed *bed, const struct args *args)
{
    for (int i = 0; i < 100; i++) {
        struct fake_work fake = bed_launch_1d(bed, COUNT, args, 1);
        bed_run(bed, &fake);
    }
    burn(20000000);
}

static int count_finished(struct fake_work *works, int count)
{
    int finished = 0;
    for (int i = 0; i < count; i++)
        finished += atomic_load(&works[i].finished);
    return finished;
}

/* Launches that do next to nothing wait for the thread that will wait for them, many as they are.
 */
static void tiny_launches_wake_nobody(void **state)
{
    enum { MANY = 200, MOST_NS = 400 };
    struct bed *bed = *state;
    static struct fake_work works[MANY];
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    teach(bed, &args);
    uint64_t cost_ns = bed->code->cost_ps[COUNT] / 1000;
    for (int i = 0; i < MANY; i++) {
        works[i] = bed_launch_1d(bed, COUNT, &args, 1);
        bed->device->ops->submit(bed->work_queue, &works[i].work);
    }
    burn(5000000);
    int finished = count_finished(works, MANY);
    fake_wait(bed->work_queue, works, MANY);
    assert_int_equal(groups, 100 + MANY);
    if (cost_ns > MOST_NS)
        skip(); /* a machine so slow that they are not tiny */
    assert_int_equal(finished, 0);
}

static void worthwhile_launches_wake(void **state)
{
    enum { SOME = 6 };
    struct bed *bed = *state;
    struct fake_work works[SOME];
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups, .work_ns = 3000};
    teach(bed, &args);
    for (int i = 0; i < SOME; i++) {
        works[i] = bed_launch_1d(bed, COUNT, &args, 1);
        bed->device->ops->submit(bed->work_queue, &works[i].work);
    }
    /* the last one may lie there alone, when the worker is back asleep */
    fake_sleep_until(&works[0].finished, 1);
    fake_sleep_until(&works[1].finished, 1);
    fake_wait(bed->work_queue, works, SOME);
    assert_int_equal(groups, 100 + SOME);
}

/* Who would wait while another thread is the work queue's guest does not leave what is held back to
 * it: it may go away before. */
static void second_waiter_wakes(void **state)
{
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    teach(bed, &args);
    struct fake_work fake = bed_launch_1d(bed, COUNT, &args, 1);
    assert_false(atomic_flag_test_and_set(&bed->work_queue->guest_inside));
    bed->device->ops->submit(bed->work_queue, &fake.work);
    bed->device->ops->assist(bed->work_queue);
    fake_sleep_until(&fake.finished, 1);
    atomic_flag_clear(&bed->work_queue->guest_inside);
    assert_int_equal(groups, 101);
}

/* A work queue may be found quiet in the very moment in which it gets something to do: who submits
 * has seen that it is known, and wakes nobody. */
static atomic_bool stop;

static void *look_all_the_time(void *sched)
{
    while (!stop)
        real_watch(sched);
    return NULL;
}

static bool is_forgotten(struct sl_work_queue *work_queue)
{
    pthread_mutex_lock(&work_queue->lock);
    bool forgotten = work_queue->head && !work_queue->registered;
    pthread_mutex_unlock(&work_queue->lock);
    return forgotten;
}

static void work_queue_with_work_stays_known(void **state)
{
    enum { TIMES = 50000, QUIET_NS = 20000 };
    struct bed *bed = *state;
    _Atomic uint64_t groups = 0;
    const struct args args = {.groups = &groups};
    pthread_t watcher;
    int forgotten = 0;
    teach(bed, &args);
    stop = false;
    assert_int_equal(pthread_create(&watcher, NULL, look_all_the_time, bed->work_queue->sched), 0);
    for (int i = 0; i < TIMES; i++) {
        burn((uint64_t)i * 7919 % QUIET_NS);
        struct fake_work fake = bed_launch_1d(bed, COUNT, &args, 1);
        bed->device->ops->submit(bed->work_queue, &fake.work);
        forgotten += is_forgotten(bed->work_queue);
        fake_wait(bed->work_queue, &fake, 1);
    }
    stop = true;
    pthread_join(watcher, NULL);
    assert_int_equal(forgotten, 0);
    assert_int_equal(groups, 100 + TIMES);
}

#define UNWATCHED(test) cmocka_unit_test_setup_teardown(test, set_up_unwatched, tear_down_unwatched)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BED(starts_without_anybody_waiting),
        SINGLE(starts_without_anybody_waiting),
        UNWATCHED(flush_starts),
        UNWATCHED(first_flush_starts),
        UNWATCHED(tiny_launches_wake_nobody),
        UNWATCHED(worthwhile_launches_wake),
        UNWATCHED(second_waiter_wakes),
        UNWATCHED(work_queue_with_work_stays_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
