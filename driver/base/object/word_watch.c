/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. `lock` guards the state of the thread and what was added; the thread alone has
 * the list of what it watches. It sleeps on all words at once by futex_waitv (Linux 5.16); where
 * that is missing, or words are too many for it, it looks each millisecond while there are any.
 */
#include "base/object/word_watch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/log/error.h"
#include "base/thread/graph_walk.h"
#include "sluice/base/thread.h"
#include "sluice/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_word_watch *added;
static struct sl_thread thread;
static bool running;     /* `thread` is to be joined */
static bool stopping;    /* it ends */
static bool joining;     /* somebody waits for its end */
static atomic_uint news; /* changes with `added` and `stopping`: the thread sleeps on it, too */

/* ---- sleeping -------------------------------------------------------------------------------- */

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449 /* on all machines */
#endif
enum { MOST_WORDS = 128, WORD_IS_32_BITS = 2, POLL_NS = 1000000 };
struct sleep_word { /* struct futex_waitv of newer headers; without a flag it is for all processes
                     */
    uint64_t value, address;
    uint32_t flags, reserved;
};

static struct sleep_word sleep_word(const atomic_uint *word, uint32_t seen)
{
    return (struct sleep_word){seen, (uintptr_t)word, WORD_IS_32_BITS, 0};
}

/* 0: too many. */
static unsigned gather(const struct sl_word_watch *watched, uint32_t heard,
                       struct sleep_word words[MOST_WORDS])
{
    unsigned count = 0;
    words[count++] = sleep_word(&news, heard);
    for (; watched; watched = watched->next) {
        if (count == MOST_WORDS)
            return 0;
        words[count++] = sleep_word(watched->word, watched->seen);
    }
    return count;
}

static void sleep_until_changed(const struct sl_word_watch *watched, uint32_t heard)
{
    static struct sleep_word words[MOST_WORDS]; /* there is one thread at a time */
    const struct timespec moment = {.tv_nsec = POLL_NS};
    const unsigned count = gather(watched, heard, words);
    if (count == 1)
        syscall(SYS_futex, &news, FUTEX_WAIT, heard, NULL, NULL, 0);
    else if (!count || (syscall(SYS_futex_waitv, words, count, 0, NULL, 0) < 0 && errno != EAGAIN &&
                        errno != EINTR))
        syscall(SYS_futex, &news, FUTEX_WAIT, heard, &moment, NULL, 0);
}

void sl_word_watch_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void tell_locked(void)
{
    atomic_fetch_add_explicit(&news, 1, memory_order_release);
    sl_word_watch_wake(&news);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static bool still_watched(struct sl_word_watch *watch)
{
    const uint32_t now = atomic_load_explicit(watch->word, memory_order_acquire);
    if (watch->looked && now == watch->seen)
        return true;
    watch->looked = true;
    watch->seen = now;
    return watch->look(watch);
}

static void look_at_all(struct sl_word_watch **at)
{
    sl_graph_walk_begin(); /* what a look ends may be the last of a context */
    for (struct sl_word_watch *watch; (watch = *at);) {
        struct sl_word_watch *next = watch->next;
        if (still_watched(watch))
            at = &watch->next;
        else
            *at = next;
    }
    sl_graph_walk_end();
}

static void move_all(struct sl_word_watch **from, struct sl_word_watch **to)
{
    while (*from) {
        struct sl_word_watch *watch = *from;
        *from = watch->next;
        watch->next = *to;
        *to = watch;
    }
}

/* What was added joins the list; false: it is time to end, and the list is for the next thread: a
 * new context may have come meanwhile. */
static bool take_added(struct sl_word_watch **watched, uint32_t *heard)
{
    pthread_mutex_lock(&lock);
    const bool go_on = !stopping;
    if (go_on)
        move_all(&added, watched);
    else
        move_all(watched, &added);
    *heard = atomic_load_explicit(&news, memory_order_acquire);
    pthread_mutex_unlock(&lock);
    return go_on;
}

static void *watch_main(void *unused)
{
    struct sl_word_watch *watched = NULL;
    uint32_t heard;
    (void)unused;
    while (take_added(&watched, &heard)) {
        look_at_all(&watched);
        sleep_until_changed(watched, heard);
    }
    return NULL;
}

static cl_int start_locked(void)
{
    if (running)
        return CL_SUCCESS;
    thread = (struct sl_thread){.name = SL_THREAD_PREFIX "words", .run = watch_main};
    running = !sl_thread_start(&thread);
    return running ? CL_SUCCESS
                   : sl_refuse(CL_OUT_OF_RESOURCES, "the thread for semaphores does not start");
}

cl_int sl_word_watch_add(struct sl_word_watch *watch)
{
    watch->looked = false;
    pthread_mutex_lock(&lock);
    cl_int rc = start_locked();
    if (!rc) {
        watch->next = added;
        added = watch;
        tell_locked();
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void sl_word_watch_shutdown(void)
{
    pthread_mutex_lock(&lock);
    const bool join = running && !joining && !pthread_equal(thread.id, pthread_self());
    if (join) {
        stopping = joining = true;
        tell_locked();
    }
    pthread_mutex_unlock(&lock);
    if (!join)
        return;
    pthread_join(thread.id, NULL);
    pthread_mutex_lock(&lock);
    running = stopping = joining = false;
    if (added) {
        cl_int rc = start_locked();
        (void)rc;
    }
    pthread_mutex_unlock(&lock);
}
