/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device side of one command queue: works come in (submit), go to threads in order or not, and
 * who waits for one may run it himself (assist). work_queue->lock guards the queue; a short
 * work of a busy work queue touches no other lock.
 */
#include <stdlib.h>

#include "common/base/values.h"
#include "common/runtime/caller.h"
#include "common/runtime/estimate.h"
#include "common/runtime/guest.h"
#include "common/runtime/hosted.h"
#include "common/runtime/job.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/stack.h"
#include "sluice/base/wait.h"

/* How long a waiting thread watches others finish before it goes to sleep. */
static const uint64_t patience_ns = 20000;
/* Threads woken by a long submit; who comes first wakes the others when it publishes the job. */
enum { FIRST_WAKE = 4 };
/* Flushes without effect before one wakes a thread for a single short work. */
enum { PATIENT_FLUSHES = 3 };

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

int sl_work_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                         struct sl_work_queue **out)
{
    struct sl_hosted *hosted = sl_hosted(device);
    struct sl_sched *sched = &hosted->sched;
    int rc = desc->bound ? sl_bound_sched(&hosted->bound, &hosted->sched, desc, &sched) : 0;
    if (rc)
        return rc;
    struct sl_work_queue *work_queue = calloc(1, sizeof *work_queue);
    if (!work_queue)
        return SL_OUT_OF_HOST_MEMORY;
    work_queue->sched = sched;
    work_queue->nest = &hosted->nest;
    work_queue->limit = desc->units ? least_of(desc->unit_count, sched->units) : sched->units;
    work_queue->out_of_order = desc->out_of_order;
    work_queue->caller_runs = desc->caller_runs;
    work_queue->priority = desc->priority;
    if (desc->caller_runs)
        work_queue->limit = 1;
    if (work_queue->priority == SL_PRIORITY_HIGH)
        atomic_fetch_add_explicit(&sched->urgent, 1, memory_order_relaxed);
    work_queue->guest.guest = true;
    atomic_init(&work_queue->refs, 1);
    atomic_flag_clear(&work_queue->guest_inside);
    pthread_mutex_init(&work_queue->lock, NULL);
    *out = work_queue;
    return 0;
}

void sl_work_queue_hold(struct sl_work_queue *work_queue)
{
    atomic_fetch_add_explicit(&work_queue->refs, 1, memory_order_relaxed);
}

void sl_work_queue_drop(struct sl_work_queue *work_queue)
{
    if (atomic_fetch_sub_explicit(&work_queue->refs, 1, memory_order_acq_rel) != 1)
        return;
    sl_worker_finish(&work_queue->guest);
    pthread_mutex_destroy(&work_queue->lock);
    free(work_queue);
}

void sl_work_queue_destroy(struct sl_work_queue *work_queue)
{
    if (!work_queue)
        return;
    sl_sched_forget(work_queue);
    if (work_queue->priority == SL_PRIORITY_HIGH)
        atomic_fetch_sub_explicit(&work_queue->sched->urgent, 1, memory_order_relaxed);
    sl_work_queue_drop(work_queue);
}

/* ---- out ------------------------------------------------------------------------------------- */

bool sl_work_queue_enter(struct sl_work_queue *work_queue)
{
    if (atomic_fetch_add_explicit(&work_queue->threads, 1, memory_order_relaxed) <
        work_queue->limit)
        return true;
    sl_work_queue_exit(work_queue);
    return false;
}

void sl_work_queue_exit(struct sl_work_queue *work_queue)
{
    atomic_fetch_sub_explicit(&work_queue->threads, 1, memory_order_relaxed);
}

struct sl_work *sl_work_queue_take(struct sl_work_queue *work_queue, bool guest)
{
    if (!atomic_load_explicit(&work_queue->pending, memory_order_relaxed) ||
        !sl_work_queue_enter(work_queue))
        return NULL;
    pthread_mutex_lock(&work_queue->lock);
    struct sl_work *work = work_queue->head;
    if (work && guest && !sl_job_suits_guest(work_queue, work))
        work = NULL;
    if (work) {
        work_queue->head = work->next;
        if (!work_queue->head)
            work_queue->tail = NULL;
        atomic_fetch_sub_explicit(&work_queue->pending, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&work_queue->taken, 1, memory_order_relaxed);
        sl_work_queue_hold(work_queue);
    }
    pthread_mutex_unlock(&work_queue->lock);
    if (!work)
        sl_work_queue_exit(work_queue);
    return work;
}

void sl_work_queue_done(struct sl_work_queue *work_queue)
{
    atomic_fetch_add_explicit(&work_queue->done, 1, memory_order_release);
    sl_work_queue_drop(work_queue);
}

/* ---- in -------------------------------------------------------------------------------------- */

/* True if a thread should be woken for what has come together. */
static bool push(struct sl_work_queue *work_queue, struct sl_work *work, bool *registered)
{
    uint64_t worth = sl_job_worth(work);
    work->next = NULL;
    pthread_mutex_lock(&work_queue->lock);
    work_queue->held = work_queue->head ? work_queue->held + worth : worth;
    bool enough = work_queue->head && work_queue->held >= SL_JOB_WORTH_WAKING;
    if (enough)
        work_queue->held = 0;
    *(work_queue->tail ? &work_queue->tail->next : &work_queue->head) = work;
    work_queue->tail = work;
    work_queue->submits++;
    atomic_store_explicit(&work_queue->flushes, 0, memory_order_relaxed);
    *registered = work_queue->registered;
    /* seq_cst: before the question whether somebody will look, see sl_pool_attended */
    atomic_fetch_add_explicit(&work_queue->pending, 1, memory_order_seq_cst);
    pthread_mutex_unlock(&work_queue->lock);
    return enough;
}

/* A worker that submits from within finished() looks at the work queue next. */
static bool is_attended(const struct sl_sched *sched)
{
    return sl_job_reporting_on_worker(sched) || sl_pool_attended(sched->pool);
}

void sl_work_queue_submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    struct sl_pool *pool = work_queue->sched->pool;
    if (work_queue->caller_runs) {
        sl_caller_run(work_queue, work);
        return;
    }
    /* asked first: once pushed the work may be over and gone at any time, and the work queue with
     * it */
    bool is_long = sl_job_is_long(sl_job_estimate(work));
    unsigned threads = work_queue->limit;
    bool registered;
    sl_work_queue_hold(work_queue);
    bool enough = push(work_queue, work, &registered);
    if (!registered)
        sl_sched_register(work_queue);
    if (is_long)
        sl_pool_wake(pool, threads > 2 ? least_of(threads - 1, FIRST_WAKE) : 1);
    else if (!registered || enough || !is_attended(work_queue->sched))
        sl_pool_wake(pool, 1);
    sl_work_queue_drop(work_queue);
}

/* A single short work still waits a moment for whoever flushed to come and run it; one who flushes
 * again and again is polling and will not. */
void sl_work_queue_flush(struct sl_work_queue *work_queue)
{
    struct sl_pool *pool = work_queue->sched->pool;
    unsigned pending = atomic_load_explicit(&work_queue->pending, memory_order_relaxed);
    if (!pending)
        return;
    unsigned before = atomic_fetch_add_explicit(&work_queue->flushes, 1, memory_order_relaxed);
    if (pending > 1 || before >= PATIENT_FLUSHES || !is_attended(work_queue->sched))
        sl_pool_wake(pool, 1);
}

/* ---- a waiting thread helps ------------------------------------------------------------------ */

static void wake_for_pending(struct sl_work_queue *work_queue)
{
    if (atomic_load_explicit(&work_queue->pending, memory_order_relaxed))
        sl_pool_wake(work_queue->sched->pool, 1);
}

static bool assist_as_guest(struct sl_work_queue *work_queue)
{
    struct sl_sched *sched = work_queue->sched;
    if (sched->bound || sl_stack_left() < SL_GUEST_ROOM_BYTES) {
        wake_for_pending(work_queue);
        return false;
    }
    struct sl_work *work = sl_work_queue_take(work_queue, true);
    if (work) {
        sl_job_run(sched, &work_queue->guest, work_queue, work);
        return true;
    }
    wake_for_pending(work_queue);
    if (atomic_load_explicit(&work_queue->taken, memory_order_relaxed) ==
        atomic_load_explicit(&work_queue->done, memory_order_relaxed))
        return false;
    struct sl_job *job = sl_sched_join(sched, work_queue, true);
    if (job)
        sl_job_join(sched, &work_queue->guest, job);
    return job != NULL;
}

/* Others are at it: falling asleep costs more than the little that is usually left. */
static bool see_progress(struct sl_work_queue *work_queue)
{
    unsigned done = atomic_load_explicit(&work_queue->done, memory_order_acquire);
    if (work_queue->sched->units == 1 ||
        done == atomic_load_explicit(&work_queue->taken, memory_order_relaxed))
        return false;
    uint64_t start = sl_clock_ns();
    while (atomic_load_explicit(&work_queue->done, memory_order_acquire) == done) {
        if (sl_clock_ns() - start > patience_ns)
            return false;
        sl_pause();
    }
    return true;
}

bool sl_work_queue_assist(struct sl_work_queue *work_queue)
{
    bool ran = false;
    if (!atomic_flag_test_and_set_explicit(&work_queue->guest_inside, memory_order_acquire)) {
        ran = assist_as_guest(work_queue);
        atomic_flag_clear_explicit(&work_queue->guest_inside, memory_order_release);
    }
    if (ran || see_progress(work_queue))
        return true;
    wake_for_pending(
        work_queue); /* another thread may be the guest, and may leave before it is ours */
    return false;
}
