/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worker threads: start, spin, sleep, wake, stop. `lock` guards the thread table; sleeping is an
 * event count: `epoch` changes with every wake-up, and a thread sleeps only while it is still the
 * value it read before it last looked for work.
 */
#include "common/runtime/thread_pool.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "common/base/values.h"
#include "common/machine/fpmode.h"
#include "common/runtime/job.h"
#include "sluice/base/thread.h"
#include "sluice/base/wait.h"

enum { SPIN_ROUNDS = 100, MODEST_STACK_BYTES = 8 << 20 };
static const uint64_t watch_ns = 250000;
/* Memory that a thread keeps for kernels like the last one goes when none has come for so long. */
static const uint64_t rest_ns = 50000000;

struct thread {
    struct sl_pool *pool; /* borrowed: outlives its threads */
    struct sl_thread thread;
    unsigned index;
    struct sl_worker worker;
};

struct sl_pool {
    struct sl_pool_desc desc;
    struct sl_places places; /* owned; found before the first thread starts */
    bool placed;
    pthread_mutex_t lock;    /* guards threads, leftover, open */
    struct thread **threads; /* owned, desc.limit entries, `count` used */
    struct thread *leftover; /* owned: ended by stop() on itself, not yet joined */
    bool open;               /* between start and stop: threads may be added */
    atomic_uint count;
    _Alignas(64) _Atomic uint32_t epoch;
    atomic_uint sleeping, spinning;
    atomic_bool stopping, watched;
};

void sl_worker_finish(struct sl_worker *worker)
{
    sl_arena_finish(&worker->arena);
    free(worker->spare);
    worker->spare = NULL;
}

/* ---- the life of a thread -------------------------------------------------------------------- */

static bool epoch_moved(struct sl_pool *pool, uint32_t seen)
{
    return atomic_load_explicit(&pool->epoch, memory_order_seq_cst) != seen;
}

static bool spin(struct sl_pool *pool, uint32_t seen)
{
    /* with one core whoever we wait for needs it */
    int rounds = pool->desc.limit > 1 ? SPIN_ROUNDS : 0;
    bool moved = false;
    atomic_fetch_add_explicit(&pool->spinning, 1, memory_order_seq_cst);
    for (int i = 0; i < rounds && !moved; i++) {
        sl_pause();
        moved = epoch_moved(pool, seen);
    }
    atomic_fetch_sub_explicit(&pool->spinning, 1, memory_order_seq_cst);
    return moved || epoch_moved(pool, seen);
}

/* The part of the calling thread's stack that nothing lies in goes back to the system. */
static void trim_stack(struct sl_worker *worker)
{
    enum { KEPT = 1 << 20, PAGE = 4096 };
    pthread_attr_t attr;
    void *low;
    size_t bytes;
    if (!worker->deep || pthread_getattr_np(pthread_self(), &attr))
        return;
    worker->deep = false;
    if (!pthread_attr_getstack(&attr, &low, &bytes)) {
        uintptr_t from = ((uintptr_t)low + PAGE - 1) & -(uintptr_t)PAGE,
                  to = ((uintptr_t)&attr & -(uintptr_t)PAGE) - KEPT;
        if (to > from)
            madvise((void *)from, to - from, MADV_DONTNEED);
    }
    pthread_attr_destroy(&attr);
}

static bool holds_much(struct sl_pool *pool, const struct sl_worker *worker)
{
    return worker->deep || sl_arena_is_large(&worker->arena) ||
           (pool->desc.ops->rest && pool->desc.ops->rest(pool->desc.owner, false));
}

static void give_back(struct sl_pool *pool, struct sl_worker *worker)
{
    sl_arena_trim(&worker->arena);
    trim_stack(worker);
    if (pool->desc.ops->rest)
        pool->desc.ops->rest(pool->desc.owner, true);
}

static void sleep_long(struct sl_pool *pool, struct sl_worker *worker, uint32_t seen)
{
    if (holds_much(pool, worker)) {
        sl_futex_wait(&pool->epoch, seen, rest_ns);
        if (epoch_moved(pool, seen))
            return;
        give_back(pool, worker);
    }
    sl_futex_wait(&pool->epoch, seen, 0);
}

/* True if nobody woke us. */
static bool sleep_until_woken(struct sl_pool *pool, struct sl_worker *worker, uint32_t seen)
{
    atomic_fetch_add_explicit(&pool->sleeping, 1, memory_order_seq_cst);
    bool watch = !atomic_exchange_explicit(&pool->watched, true, memory_order_seq_cst);
    bool timed = watch && pool->desc.ops->watch(pool->desc.owner);
    if (watch && !timed)
        atomic_store_explicit(&pool->watched, false, memory_order_seq_cst);
    if (timed)
        sl_futex_wait(&pool->epoch, seen, watch_ns);
    else
        sleep_long(pool, worker, seen);
    if (timed)
        atomic_store_explicit(&pool->watched, false, memory_order_seq_cst);
    atomic_fetch_sub_explicit(&pool->sleeping, 1, memory_order_seq_cst);
    return timed && !epoch_moved(pool, seen);
}

static void *thread_main(void *data)
{
    struct thread *self = data;
    struct sl_pool *pool = self->pool;
    sl_fpmode_enter(); /* a thread starts with its creator's mode */
    sl_places_bind(&pool->places, self->index);
    for (bool late = false;;) {
        /* read first: neither work nor the wish to stop can come unnoticed after it */
        uint32_t seen = atomic_load_explicit(&pool->epoch, memory_order_seq_cst);
        if (atomic_load_explicit(&pool->stopping, memory_order_acquire))
            break;
        if (pool->desc.ops->run(pool->desc.owner, &self->worker, late))
            late = false;
        else if (late || !spin(pool, seen))
            late = sleep_until_woken(pool, &self->worker, seen);
    }
    sl_worker_finish(&self->worker);
    return NULL;
}

/* Kernels may have large private arrays: the address space is reserved, pages come when touched. */
static int create_thread(struct thread *thread)
{
    static const size_t sizes[] = {SL_WORKER_STACK, MODEST_STACK_BYTES};
    int rc = 1;
    thread->thread =
        (struct sl_thread){.name = SL_THREAD_PREFIX "work", .run = thread_main, .data = thread};
    for (size_t i = 0; rc && i < sizeof sizes / sizeof *sizes; i++) {
        thread->thread.stack_bytes = thread->worker.stack_bytes = sizes[i];
        rc = sl_thread_start(&thread->thread);
    }
    return rc;
}

static int add_thread_locked(struct sl_pool *pool)
{
    unsigned count = atomic_load_explicit(&pool->count, memory_order_relaxed);
    if (!pool->open || count == pool->desc.limit)
        return SL_OUT_OF_RESOURCES;
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return SL_OUT_OF_HOST_MEMORY;
    thread->pool = pool;
    thread->index = count;
    if (create_thread(thread)) {
        free(thread);
        return SL_OUT_OF_RESOURCES;
    }
    pool->threads[count] = thread;
    atomic_store_explicit(&pool->count, count + 1, memory_order_relaxed);
    return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

int sl_pool_create(const struct sl_pool_desc *desc, struct sl_pool **out)
{
    struct sl_pool *pool = aligned_alloc(_Alignof(struct sl_pool), sizeof *pool);
    if (!pool)
        return SL_OUT_OF_HOST_MEMORY;
    *pool = (struct sl_pool){.desc = *desc};
    pthread_mutex_init(&pool->lock, NULL);
    pool->threads = calloc(desc->limit, sizeof(struct thread *));
    if (desc->cpus)
        sl_places_in(&pool->places, desc->cpus);
    pool->placed = desc->cpus != NULL;
    pool->desc.cpus = NULL;
    if (!pool->threads || (desc->cpus && !pool->places.threads)) {
        sl_pool_destroy(pool);
        return SL_OUT_OF_HOST_MEMORY;
    }
    *out = pool;
    return 0;
}

static void join(struct thread *thread)
{
    if (!thread)
        return;
    pthread_join(thread->thread.id, NULL);
    free(thread);
}

static struct thread *take_leftover(struct sl_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct thread *leftover = pool->leftover;
    pool->leftover = NULL;
    pthread_mutex_unlock(&pool->lock);
    return leftover;
}

void sl_pool_destroy(struct sl_pool *pool)
{
    if (!pool)
        return;
    join(take_leftover(pool));
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    sl_places_finish(&pool->places);
    free(pool);
}

int sl_pool_start(struct sl_pool *pool)
{
    join(take_leftover(pool));
    if (!pool->placed)
        sl_places_find_here(&pool->places, pool->desc.placing, pool->desc.limit);
    pool->placed = true;
    pthread_mutex_lock(&pool->lock);
    atomic_store_explicit(&pool->stopping, false, memory_order_relaxed);
    pool->open = true;
    int rc = add_thread_locked(pool);
    pool->open = !rc;
    pthread_mutex_unlock(&pool->lock);
    return rc;
}

/* The table is emptied first: nobody adds to it any more, and joining needs no lock. */
void sl_pool_stop(struct sl_pool *pool)
{
    join(take_leftover(pool));
    pthread_mutex_lock(&pool->lock);
    unsigned count = atomic_exchange_explicit(&pool->count, 0, memory_order_relaxed);
    pool->open = false;
    atomic_store_explicit(&pool->stopping, true, memory_order_release);
    pthread_mutex_unlock(&pool->lock);
    atomic_fetch_add_explicit(&pool->epoch, 1, memory_order_seq_cst);
    sl_futex_wake(&pool->epoch, INT32_MAX);
    for (unsigned i = 0; i < count; i++) {
        struct thread *thread = pool->threads[i];
        if (pthread_equal(thread->thread.id, pthread_self())) {
            pthread_mutex_lock(&pool->lock);
            pool->leftover = thread;
            pthread_mutex_unlock(&pool->lock);
        } else {
            join(thread);
        }
    }
}

static void add_threads(struct sl_pool *pool, unsigned count)
{
    pthread_mutex_lock(&pool->lock);
    while (count-- && !add_thread_locked(pool))
        ;
    pthread_mutex_unlock(&pool->lock);
}

void sl_pool_wake(struct sl_pool *pool, unsigned count)
{
    atomic_fetch_add_explicit(&pool->epoch, 1, memory_order_seq_cst);
    unsigned awake = atomic_load_explicit(&pool->spinning, memory_order_seq_cst);
    if (awake >= count)
        return;
    count -= awake;
    unsigned asleep = atomic_load_explicit(&pool->sleeping, memory_order_seq_cst);
    if (asleep)
        sl_futex_wake(&pool->epoch, count);
    if (asleep < count &&
        atomic_load_explicit(&pool->count, memory_order_relaxed) < pool->desc.limit)
        add_threads(pool, count - asleep);
}

bool sl_pool_busy(struct sl_pool *pool)
{
    unsigned idle = atomic_load_explicit(&pool->sleeping, memory_order_seq_cst) +
                    atomic_load_explicit(&pool->spinning, memory_order_seq_cst);
    return atomic_load_explicit(&pool->count, memory_order_seq_cst) > idle;
}

bool sl_pool_attended(struct sl_pool *pool)
{
    return atomic_load_explicit(&pool->watched, memory_order_seq_cst) ||
           atomic_load_explicit(&pool->spinning, memory_order_seq_cst);
}
