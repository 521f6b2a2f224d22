/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may still act when something on a device is stuck: user events and what waits for them,
 * threads that sleep, ask or run. A native function that does not return plays the stuck launch;
 * the question is asked on a thread with a name of the driver's, while this one waits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "base/api.h"
#include "base/object/callback_thread.h"
#include "commands/device_callbacks/outlook.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "fake_device.h"
#include "fake_pipe.h"
#include "platform/context.h"

enum { ASK_MS = 40 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue, other, unordered;
static atomic_bool let_go;
static atomic_int staying;
static cl_event stuck;

static void pause_ms(long ms)
{
    const struct timespec moment = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

static void CL_CALLBACK stay(void *data)
{
    (void)data;
    atomic_fetch_add(&staying, 1);
    while (!atomic_load(&let_go))
        pause_ms(1);
}

static void CL_CALLBACK pass(void *data)
{
    (void)data;
}

/* One that stays has begun on return: no thread that waits runs it. */
static cl_event enqueue(cl_command_queue where, void(CL_CALLBACK *function)(void *), cl_uint count,
                        const cl_event *list)
{
    cl_event event;
    int before = atomic_load(&staying);
    assert_int_equal(
        sl_clEnqueueNativeKernel(where, function, NULL, 0, 0, NULL, NULL, count, list, &event), 0);
    sl_clFlush(where);
    while (function == stay && atomic_load(&staying) == before)
        pause_ms(1);
    return event;
}

static int setup(void **state)
{
    (void)state;
    device = fake_device(FAKE_THREADS);
    context = fake_context(device);
    queue = sl_clCreateCommandQueue(context, device, 0, NULL);
    other = sl_clCreateCommandQueue(context, device, 0, NULL);
    unordered =
        sl_clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    atomic_store(&let_go, false);
    stuck = enqueue(queue, stay, 0, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    atomic_store(&let_go, true);
    sl_clFinish(queue);
    sl_clReleaseEvent(stuck);
    sl_clReleaseCommandQueue(queue);
    sl_clReleaseCommandQueue(other);
    sl_clReleaseCommandQueue(unordered);
    sl_clReleaseContext(context);
    return 0;
}

/* ---- the question ---------------------------------------------------------------------------- */

struct question {
    cl_event helpful;          /* the command that would help; or NULL */
    int sleepers;              /* that must be there first, */
    int asked;                 /* and so many questions, before each look */
    const pthread_t *computes; /* NULL, or who must have had its processor between two looks */
    bool begins;               /* a thread that may not have come to rest yet */
    int looks;                 /* more of them, which all see a host that asks */
    enum sl_outlook answer;
    int missed; /* of `looks` */
};

static bool helps(const void *data, const struct sl_work *work)
{
    const struct question *q = data;
    return q->helpful && work == &q->helpful->work;
}

static atomic_int questions; /* that this thread has asked, in a loop */

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void await_questions(const struct question *q)
{
    int before = atomic_load(&questions);
    while (atomic_load(&questions) - before < q->asked)
        pause_ms(1);
}

/* Again until a thread that computes was seen to compute, however little of a machine there is for
 * it: it had more than a twentieth of the time from before one look until after the next. */
static enum sl_outlook look_at_busy(const struct question *q, const struct sl_stuck *what)
{
    enum { TRIES = 500, SHARE = 20 };
    enum sl_outlook answer = SL_OUTLOOK_NOBODY;
    clockid_t used;
    pthread_getcpuclockid(*q->computes, &used);
    for (int i = 0; i < TRIES; i++) {
        uint64_t start = clock_ns(CLOCK_MONOTONIC);
        sl_outlook(stuck->queue->impl, what);
        uint64_t before = clock_ns(used);
        pause_ms(ASK_MS);
        uint64_t had = clock_ns(used) - before;
        answer = sl_outlook(stuck->queue->impl, what);
        if (had * SHARE > clock_ns(CLOCK_MONOTONIC) - start)
            break;
    }
    return answer;
}

/* How many of the looks do not, whatever the host's thread is about just then. A thread that had no
 * processor before a look, or behind it, does not ask: on a busy machine that may last. */
static int looks_that_miss(int looks, const struct sl_stuck *what)
{
    int missed = 0;
    for (int i = 0, last = atomic_load(&questions); i < looks; i++) {
        const int before = atomic_load(&questions);
        const bool misses = sl_outlook(stuck->queue->impl, what) != SL_OUTLOOK_ASKING;
        for (int turn = 0; misses && turn < 1000 && atomic_load(&questions) == before; turn++)
            sched_yield();
        missed += misses && before != last && atomic_load(&questions) != before;
        last = before;
    }
    return missed;
}

/* Twice: how much of a processor a thread uses is known from the second time on. */
static void *asks(void *data)
{
    struct question *q = data;
    struct sl_work *work = &stuck->work;
    const struct sl_stuck what = {
        .works = &work, .count = 1, .helps = helps, .data = q, .lasting_ns = 60000000000u};
    pthread_setname_np(pthread_self(), "sluice-test");
    for (int i = 0; i < 5000 && atomic_load(&fake_waits) < q->sleepers; i++)
        pause_ms(1);
    await_questions(q);
    sl_outlook(NULL, &what);
    pause_ms(ASK_MS);
    await_questions(q);
    q->answer = q->computes ? look_at_busy(q, &what) : sl_outlook(stuck->queue->impl, &what);
    for (int i = 0; q->begins && q->answer == SL_OUTLOOK_BUSY && i < 500; i++) {
        pause_ms(ASK_MS);
        q->answer = sl_outlook(stuck->queue->impl, &what);
    }
    q->missed = looks_that_miss(q->looks, &what);
    atomic_store(&let_go, true);
    return NULL;
}

/* While this thread waits for `list`. */
static void expect_answer(enum sl_outlook wanted, cl_uint count, const cl_event *list,
                          struct question q)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, asks, &q), 0);
    sl_clWaitForEvents(count, list);
    pthread_join(thread, NULL);
    assert_int_equal(q.answer, wanted);
}

static void expect_waiting(enum sl_outlook wanted, cl_uint count, const cl_event *list,
                           cl_event helpful)
{
    expect_answer(wanted, count, list, (struct question){.helpful = helpful, .sleepers = 1});
}

static void expect(enum sl_outlook wanted, cl_event helpful)
{
    expect_waiting(wanted, 1, &stuck, helpful);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static void test_nobody(void **state)
{
    (void)state;
    expect(SL_OUTLOOK_NOBODY, NULL);
}

static void test_behind_in_order(void **state)
{
    (void)state;
    cl_event behind = enqueue(queue, pass, 0, NULL);
    expect_waiting(SL_OUTLOOK_NOBODY, 1, &behind, NULL);
    sl_clReleaseEvent(behind);
}

static void set_and_release(cl_event gate)
{
    sl_clSetUserEventStatus(gate, CL_COMPLETE);
    sl_clReleaseEvent(gate);
}

/* Nobody waits for it, or only commands that would not help. */
static void test_unrelated_user_event(void **state)
{
    (void)state;
    cl_event alone = sl_clCreateUserEvent(context, NULL),
             gate = sl_clCreateUserEvent(context, NULL);
    cl_event beside = enqueue(other, pass, 1, &gate);
    expect(SL_OUTLOOK_NOBODY, NULL);
    set_and_release(gate);
    set_and_release(alone);
    sl_clFinish(other);
    sl_clReleaseEvent(beside);
}

static void test_gated_help(void **state)
{
    (void)state;
    cl_event gate = sl_clCreateUserEvent(context, NULL);
    cl_event help = enqueue(other, pass, 1, &gate);
    expect(SL_OUTLOOK_EXPECTED, help);
    set_and_release(gate);
    sl_clFinish(other);
    sl_clReleaseEvent(help);
}

/* By way of the order of a queue, a marker and a barrier. */
static void test_gated_far(void **state)
{
    (void)state;
    cl_event gate = sl_clCreateUserEvent(context, NULL), marker, barrier;
    cl_event first = enqueue(other, pass, 1, &gate), second = enqueue(other, pass, 0, NULL);
    assert_int_equal(sl_clEnqueueMarkerWithWaitList(other, 0, NULL, &marker), 0);
    assert_int_equal(sl_clEnqueueBarrierWithWaitList(unordered, 1, &marker, &barrier), 0);
    cl_event help = enqueue(unordered, pass, 0, NULL);
    expect(SL_OUTLOOK_EXPECTED, help);
    set_and_release(gate);
    sl_clFinish(other);
    sl_clFinish(unordered);
    const cl_event all[] = {first, second, marker, barrier, help};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sl_clReleaseEvent(all[i]);
}

/* It waits for what is stuck as well. */
static void test_gated_and_stuck(void **state)
{
    (void)state;
    cl_event gate = sl_clCreateUserEvent(context, NULL), both[] = {gate, stuck};
    cl_event help = enqueue(other, pass, 2, both);
    expect(SL_OUTLOOK_NOBODY, help);
    set_and_release(gate);
    sl_clFinish(other);
    sl_clReleaseEvent(help);
}

static void CL_CALLBACK heard(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}

static void test_gated_callback(void **state)
{
    (void)state;
    cl_event gate = sl_clCreateUserEvent(context, NULL);
    cl_event beside = enqueue(other, pass, 1, &gate);
    assert_int_equal(sl_clSetEventCallback(beside, CL_COMPLETE, heard, NULL), 0);
    expect(SL_OUTLOOK_EXPECTED, NULL);
    set_and_release(gate);
    sl_clFinish(other);
    sl_clReleaseEvent(beside);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *waits_for(void *event)
{
    cl_event e = event;
    sl_clWaitForEvents(1, &e);
    return NULL;
}

/* Two threads sleep: one for what is stuck, one for something else. */
static void with_sleeper(cl_event event, enum sl_outlook wanted)
{
    struct question q = {.sleepers = 2};
    pthread_t asker, sleeper;
    assert_int_equal(pthread_create(&sleeper, NULL, waits_for, event), 0);
    assert_int_equal(pthread_create(&asker, NULL, asks, &q), 0);
    sl_clWaitForEvents(1, &stuck);
    pthread_join(asker, NULL);
    assert_int_equal(q.answer, wanted);
    if (event->type == CL_COMMAND_USER)
        sl_clSetUserEventStatus(event, CL_COMPLETE);
    pthread_join(sleeper, NULL);
}

static void test_sleeps_for_user_event(void **state)
{
    (void)state;
    cl_event gate = sl_clCreateUserEvent(context, NULL);
    with_sleeper(gate, SL_OUTLOOK_EXPECTED);
    sl_clReleaseEvent(gate);
}

static void test_sleeps_as_well(void **state)
{
    (void)state;
    with_sleeper(stuck, SL_OUTLOOK_NOBODY);
}

/* That one can end, and its thread act. */
static void test_sleeps_for_other(void **state)
{
    (void)state;
    cl_event running = enqueue(other, stay, 0, NULL);
    with_sleeper(running, SL_OUTLOOK_EXPECTED);
    sl_clReleaseEvent(running);
}

/* Of what a call waits for all must end. */
static void test_sleeps_for_all(void **state)
{
    (void)state;
    cl_event running = enqueue(other, stay, 0, NULL), all[] = {running, stuck};
    expect_waiting(SL_OUTLOOK_NOBODY, 2, all, NULL);
    sl_clReleaseEvent(running);
}

static atomic_bool end_of_thread;

static pthread_mutex_t rest_lock = PTHREAD_MUTEX_INITIALIZER;

/* Until this thread lets it go: one that wakes now and then may be seen waiting for a processor. */
static void *rests(void *data)
{
    (void)data;
    pthread_mutex_lock(&rest_lock);
    pthread_mutex_unlock(&rest_lock);
    return NULL;
}

static void *computes(void *data)
{
    (void)data;
    while (!atomic_load(&end_of_thread))
        ;
    return NULL;
}

static void beside_thread(pthread_t thread, void *(*run)(void *), enum sl_outlook wanted)
{
    bool quiet = run != computes;
    struct question q = {.sleepers = 1, .begins = quiet};
    if (!quiet)
        q.computes = &thread;
    expect_answer(wanted, 1, &stuck, q);
    atomic_store(&end_of_thread, true);
    if (quiet)
        pthread_mutex_unlock(&rest_lock);
    pthread_join(thread, NULL);
}

static void beside(void *(*run)(void *), enum sl_outlook wanted)
{
    pthread_t thread;
    atomic_store(&end_of_thread, false);
    assert_int_equal(pthread_create(&thread, NULL, run, NULL), 0);
    beside_thread(thread, run, wanted);
}

static void test_quiet_thread(void **state)
{
    (void)state;
    pthread_mutex_lock(&rest_lock);
    beside(rests, SL_OUTLOOK_QUIET);
}

struct started {
    pthread_t thread;
    atomic_bool done;
};

static void start_resting(void *data)
{
    struct started *started = data;
    pthread_create(&started->thread, NULL, rests, NULL);
    atomic_store(&started->done, true);
}

/* A thread is called as who starts it. */
static void test_quiet_thread_of_a_callback(void **state)
{
    struct started started = {0};
    (void)state;
    pthread_mutex_lock(&rest_lock);
    assert_int_equal(sl_callback_post(start_resting, &started), 0);
    while (!atomic_load(&started.done) || sl_callback_busy())
        pause_ms(1);
    beside_thread(started.thread, rests, SL_OUTLOOK_QUIET);
}

static void test_quiet_thread_of_a_namesake(void **state)
{
    char name[16];
    (void)state;
    assert_int_equal(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    pthread_setname_np(pthread_self(), SL_THREAD_PREFIX "player");
    pthread_mutex_lock(&rest_lock);
    beside(rests, SL_OUTLOOK_QUIET);
    pthread_setname_np(pthread_self(), name);
}

static void test_busy_thread(void **state)
{
    (void)state;
    beside(computes, SL_OUTLOOK_BUSY);
}

/* This thread asks for what is stuck, in a loop. */
static void test_asking(void **state)
{
    struct question q = {.asked = 2, .looks = 20000};
    cl_int status = CL_QUEUED;
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, asks, &q), 0);
    while (status > CL_COMPLETE) {
        sl_clGetEventInfo(stuck, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
        atomic_fetch_add(&questions, 1);
    }
    pthread_join(thread, NULL);
    assert_int_equal(q.answer, SL_OUTLOOK_ASKING);
    assert_int_equal(q.missed, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_nobody),
        TEST(test_behind_in_order),
        TEST(test_gated_help),
        TEST(test_unrelated_user_event),
        TEST(test_gated_far),
        TEST(test_gated_and_stuck),
        TEST(test_gated_callback),
        TEST(test_sleeps_for_user_event),
        TEST(test_sleeps_as_well),
        TEST(test_sleeps_for_other),
        TEST(test_sleeps_for_all),
        TEST(test_quiet_thread),
        TEST(test_quiet_thread_of_a_callback),
        TEST(test_quiet_thread_of_a_namesake),
        TEST(test_busy_thread),
        TEST(test_asking),
    };
    return cmocka_run_group_tests_name("outlook", tests, NULL, NULL);
}
