/* SPDX-License-Identifier: Apache-2.0 */
/* An application's thread with a real-time priority waits for what another thread is about to do on
 * the same processor. To yield is not enough: it yields to nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/api.h"
#include "base/thread/spin_lock.h"
#include "commands/queue/queue.h"
#include "fake_device.h"
#include "sluice/base/wait.h"

/* The kernel takes a real-time thread's processor away for a twentieth of each second at most: a
 * wait that never sleeps costs a second. */
enum { ROUNDS = 8, MOST_SECONDS = 2 };

/* ---- one processor for both ------------------------------------------------------------------ */

/* What the usual thread lets go of when it has been told to and has worked for a moment. */
struct other {
    atomic_bool told, ready;
    void (*let_go)(struct other *);
    cl_command_queue queue;
    struct sl_spin_lock end_lock;
};

static void *usual_thread(void *data)
{
    struct other *other = data;
    atomic_store(&other->ready, true);
    while (!atomic_load(&other->told))
        sched_yield();
    for (volatile unsigned i = 0; i < 100000; i++)
        ;
    other->let_go(other);
    return NULL;
}

static void pin(pthread_t thread)
{
    cpu_set_t all, one;
    assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(pthread_setaffinity_np(thread, sizeof one, &one), 0);
}

static void await(struct other *other, void (*wait)(struct other *))
{
    struct sched_param real_time = {.sched_priority = 1}, usual = {0};
    pthread_t thread;
    atomic_store(&other->ready, false);
    atomic_store(&other->told, false);
    assert_int_equal(pthread_create(&thread, NULL, usual_thread, other), 0);
    while (!atomic_load(&other->ready))
        sched_yield();
    pin(thread);
    pin(pthread_self());
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &real_time))
        skip(); /* not for this user */
    atomic_store(&other->told, true);
    wait(other);
    assert_int_equal(pthread_setschedparam(pthread_self(), SCHED_OTHER, &usual), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void in_time(struct other *other, void (*begin)(struct other *),
                    void (*wait)(struct other *))
{
    cpu_set_t all;
    assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof all, &all), 0);
    uint64_t start = sl_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        begin(other);
        await(other, wait);
    }
    uint64_t spent = sl_clock_ns() - start;
    assert_int_equal(pthread_setaffinity_np(pthread_self(), sizeof all, &all), 0);
    assert_true(spent < MOST_SECONDS * 1000000000ull);
}

/* ---- what is waited for ---------------------------------------------------------------------- */

static void let_go_of_queue(struct other *other)
{
    sl_queue_end_leaving(other->queue);
}

static void new_queue(struct other *other)
{
    cl_device_id device = fake_device(FAKE_INLINE);
    cl_context context = fake_context(device);
    other->queue = sl_clCreateCommandQueue(context, device, 0, NULL);
    assert_non_null(other->queue);
    assert_int_equal(sl_clReleaseContext(context), CL_SUCCESS);
    sl_queue_begin_leaving(other->queue);
}

static void release_queue(struct other *other)
{
    assert_int_equal(sl_clReleaseCommandQueue(other->queue), CL_SUCCESS);
}

static void test_queue_that_is_left(void **state)
{
    (void)state;
    struct other other = {.let_go = let_go_of_queue};
    in_time(&other, new_queue, release_queue);
}

static void give_turn(struct other *other)
{
    sl_spin_give(&other->end_lock);
}

static void hold_turn(struct other *other)
{
    sl_spin_take(&other->end_lock);
}

static void take_and_give_turn(struct other *other)
{
    sl_spin_take(&other->end_lock);
    sl_spin_give(&other->end_lock);
}

static void test_turn(void **state)
{
    (void)state;
    struct other other = {.let_go = give_turn};
    in_time(&other, hold_turn, take_and_give_turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_that_is_left),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
