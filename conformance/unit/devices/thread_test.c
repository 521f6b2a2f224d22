/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of ours: what they are called, that signals and the application's thread-local data leave
 * them alone, and that what they start for the application is not called as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>

#include "cpu/cpu.h"
#include "fake_host.h"
#include "sluice/base/stack.h"
#include "sluice/base/thread.h"

/* More than the least stack, and than the default one below. It lies on the stack of each thread.
 */
enum { LARGE_BYTES = 600 << 10, WANTED_BYTES = 100 << 10 };
static _Thread_local char large[LARGE_BYTES];

struct seen {
    struct sl_thread thread;
    char name[16];
    sigset_t blocked;
    size_t left;
    sem_t done;
};

static void *look(void *data)
{
    struct seen *seen = data;
    memset(large, 1, sizeof large);
    pthread_getname_np(pthread_self(), seen->name, sizeof seen->name);
    pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
    seen->left = sl_stack_left();
    sem_post(&seen->done);
    return NULL;
}

static void check(struct seen *seen, size_t stack_bytes)
{
    assert_string_equal(seen->name, "sluice-look");
    assert_int_equal(sigismember(&seen->blocked, SIGINT), 1);
    assert_int_equal(sigismember(&seen->blocked, SIGUSR1), 1);
    assert_int_equal(sigismember(&seen->blocked, SIGSEGV), 0);
    assert_int_equal(sigismember(&seen->blocked, SIGFPE), 0);
    if (stack_bytes)
        assert_in_range(seen->left, stack_bytes - (8 << 10), stack_bytes + (64 << 10));
    else
        assert_true(seen->left > 200 << 10);
}

static void start(size_t stack_bytes)
{
    struct seen seen = {
        .thread = {.name = "sluice-look", .stack_bytes = stack_bytes, .run = look, .data = &seen}};
    sigset_t before, after;
    sem_init(&seen.done, 0, 0);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(sl_thread_start(&seen.thread), 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < NSIG; i++)
        assert_int_equal(sigismember(&before, i), sigismember(&after, i));
    assert_int_equal(pthread_join(seen.thread.id, NULL), 0);
    check(&seen, stack_bytes);
    assert_int_equal(sl_thread_start_detached(&seen.thread), 0);
    sem_wait(&seen.done);
    while (sem_wait(&seen.done)) /* EINTR */
        ;
    check(&seen, stack_bytes);
    sem_destroy(&seen.done);
}

static void test_start(void **state)
{
    (void)state;
    start(0);
    start(WANTED_BYTES);
}

/* `ulimit -s 64`: the default is less than the thread-local data alone. */
static void test_small_default(void **state)
{
    pthread_attr_t usual, small;
    (void)state;
    assert_int_equal(pthread_getattr_default_np(&usual), 0);
    pthread_attr_init(&small);
    assert_int_equal(pthread_attr_setstacksize(&small, 64 << 10), 0);
    if (pthread_setattr_default_np(&small)) /* glibc knows what it needs */
        skip();
    start(0);
    start(WANTED_BYTES);
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&usual);
    pthread_attr_destroy(&small);
}

static void test_no_memory(void **state)
{
    struct rlimit before, low = {1 << 20, 1 << 20};
    struct sl_thread thread = {
        .name = "sluice-look", .stack_bytes = (size_t)1 << 30, .run = look}; /* none is left over */
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* which want memory too */
    skip();
#endif
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    low.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    int error = sl_thread_start(&thread);
    setrlimit(RLIMIT_AS, &before);
    assert_in_range(error, ENOMEM < EAGAIN ? ENOMEM : EAGAIN, ENOMEM < EAGAIN ? EAGAIN : ENOMEM);
}

/* ---- the application's code ------------------------------------------------------------------ */

struct native {
    char own[16], started[16], nested[16];
};

static void *note_name(void *name)
{
    pthread_getname_np(pthread_self(), name, 16);
    return NULL;
}

static void note_names(void *data)
{
    struct native *native = data;
    pthread_t thread;
    note_name(native->own);
    if (!pthread_create(&thread, NULL, note_name, native->started))
        pthread_join(thread, NULL);
}

static bool is_ours(const char *name)
{
    return !strncmp(name, SL_THREAD_PREFIX, strlen(SL_THREAD_PREFIX));
}

/* What a native function starts is the application's. */
static void test_native(void **state)
{
    struct native native = {0}, *arg = &native;
    (void)state;
    struct sl_device *device = fake_open(sl_cpu_plugin);
    struct sl_work_queue *queue = fake_work_queue(device, false);
    for (int round = 0; round < 2; round++) {
        struct fake_work work = {.work = {.kind = SL_WORK_NATIVE, .u.native = {note_names, arg}}};
        device->ops->submit(queue, &work.work);
        fake_sleep_until(&work.finished, 1);
        assert_false(is_ours(native.own));
        assert_false(is_ours(native.started));
        assert_int_not_equal(*native.started, 0);
    }
    device->ops->work_queue_destroy(queue);
    fake_close(device);
}

static void *lend(void *data)
{
    struct native *native = data;
    struct sl_thread_name name;
    sl_thread_lend(&name);
    note_name(native->nested);
    sl_thread_return(&name);
    note_name(native->own);
    return NULL;
}

static void test_lent(void **state)
{
    struct native native = {0};
    struct sl_thread thread = {.name = "sluice-lent", .run = lend, .data = &native};
    (void)state;
    assert_int_equal(sl_thread_start(&thread), 0);
    pthread_join(thread.id, NULL);
    assert_string_equal(native.own, "sluice-lent");
    assert_false(is_ours(native.nested));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),     cmocka_unit_test(test_small_default),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_lent),
        cmocka_unit_test(test_native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
