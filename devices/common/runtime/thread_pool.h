/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker threads themselves: started when they are first needed, up to the limit
 * (machine/topology.h), and asleep
 * when nothing is to do. The pool knows nothing of work: each thread asks its owner (scheduler.h)
 * for some, and when there is none spins for some microseconds and then sleeps until
 * sl_pool_wake().
 */
#ifndef SL_DEVICES_THREAD_POOL_H
#define SL_DEVICES_THREAD_POOL_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>

#include "common/machine/place.h"
#include "common/memory/arena.h"
#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_pool;
struct sl_job;

/* A worker's stack, and what of it is not for the variables of a work-item. */
#define SL_WORKER_STACK ((size_t)64 << 20)
#define SL_SPARE_STACK ((size_t)4 << 20)

/* What a thread needs to run work; also exists once per work queue, for threads of the application.
 */
struct sl_worker {
    struct sl_arena arena;
    struct sl_job *spare; /* owned: the job struct of the last work, kept for the next */
    jmp_buf trap;         /* where a kernel that cannot continue ends up */
    bool guest;           /* a thread of the application: small stack, wants to be back soon */
    size_t stack_bytes;   /* of the thread; 0: an application's */
    bool deep;            /* a kernel may have touched much of the stack */
};
void sl_worker_finish(struct sl_worker *);

struct sl_pool_ops {
    /* Runs some work if there is any; false when not. `late`: nobody woke the thread, it only looks
     * after what was already there when watch() was called. */
    bool (*run)(void *owner, struct sl_worker *, bool late);
    /* The thread is going to sleep. True if one thread should look again after a moment although
     * nobody calls sl_pool_wake(). */
    bool (*watch)(void *owner);
    /* A thread has been idle for a moment: true if the owner keeps much memory that nobody uses,
     * which goes when it is asked with `now`. NULL: it never does. */
    bool (*rest)(void *owner, bool now);
};

struct sl_pool_desc {
    const struct sl_pool_ops *ops;
    void *owner;
    unsigned limit; /* threads */
    enum sl_placing placing;
    const cpu_set_t *cpus; /* all threads stay there; copied. NULL: as placing says */
};

int sl_pool_create(const struct sl_pool_desc *, struct sl_pool **);
void sl_pool_destroy(struct sl_pool *); /* stopped or never started; NULL is a no-op */

/* Starts the first thread; from here on wake() may start more. */
int sl_pool_start(struct sl_pool *);
/* Ends and joins all threads. Called on one of them, that one ends when it returns to the pool and
 * is joined by the next start, stop or destroy. */
void sl_pool_stop(struct sl_pool *);

/* There is work for `count` more threads. Cheap when they are awake. */
void sl_pool_wake(struct sl_pool *, unsigned count);
/* Some thread is neither asleep nor looking for work. */
bool sl_pool_busy(struct sl_pool *);
/* Some idle thread will look for work soon without being woken. */
bool sl_pool_attended(struct sl_pool *);

SL_END_C

#endif
