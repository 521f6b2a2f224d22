/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device side of a command queue: work in, work out. lane->lock guards the queue; a short work
 * of a busy lane touches no other lock.
 */
#include <stdlib.h>

#include "common/caller.h"
#include "common/hosted.h"
#include "common/job.h"
#include "common/sched.h"
#include "common/values.h"
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

int sl_lane_create(struct sl_device *device, const struct sl_lane_desc *desc, struct sl_lane **out)
{
    struct sl_hosted *hosted = sl_hosted(device);
    struct sl_sched *sched = &hosted->sched;
    int rc = desc->bound ? sl_bound_sched(&hosted->bound, &hosted->sched, desc, &sched) : 0;
    if (rc)
        return rc;
    struct sl_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return SL_OUT_OF_HOST_MEMORY;
    lane->sched = sched;
    lane->nest = &hosted->nest;
    lane->limit = desc->units ? least_of(desc->unit_count, sched->units) : sched->units;
    lane->out_of_order = desc->out_of_order;
    lane->caller_runs = desc->caller_runs;
    lane->priority = desc->priority;
    if (desc->caller_runs)
        lane->limit = 1;
    if (lane->priority == SL_PRIORITY_HIGH)
        atomic_fetch_add_explicit(&sched->urgent, 1, memory_order_relaxed);
    lane->guest.guest = true;
    atomic_init(&lane->refs, 1);
    atomic_flag_clear(&lane->guest_inside);
    pthread_mutex_init(&lane->lock, NULL);
    *out = lane;
    return 0;
}

void sl_lane_hold(struct sl_lane *lane)
{
    atomic_fetch_add_explicit(&lane->refs, 1, memory_order_relaxed);
}

void sl_lane_drop(struct sl_lane *lane)
{
    if (atomic_fetch_sub_explicit(&lane->refs, 1, memory_order_acq_rel) != 1)
        return;
    sl_worker_finish(&lane->guest);
    pthread_mutex_destroy(&lane->lock);
    free(lane);
}

void sl_lane_destroy(struct sl_lane *lane)
{
    if (!lane)
        return;
    sl_sched_forget(lane);
    if (lane->priority == SL_PRIORITY_HIGH)
        atomic_fetch_sub_explicit(&lane->sched->urgent, 1, memory_order_relaxed);
    sl_lane_drop(lane);
}

/* ---- out ------------------------------------------------------------------------------------- */

bool sl_lane_enter(struct sl_lane *lane)
{
    if (atomic_fetch_add_explicit(&lane->threads, 1, memory_order_relaxed) < lane->limit)
        return true;
    sl_lane_exit(lane);
    return false;
}

void sl_lane_exit(struct sl_lane *lane)
{
    atomic_fetch_sub_explicit(&lane->threads, 1, memory_order_relaxed);
}

struct sl_work *sl_lane_take(struct sl_lane *lane, bool guest)
{
    if (!atomic_load_explicit(&lane->pending, memory_order_relaxed) || !sl_lane_enter(lane))
        return NULL;
    pthread_mutex_lock(&lane->lock);
    struct sl_work *work = lane->head;
    if (work && guest && !sl_job_suits_guest(lane, work))
        work = NULL;
    if (work) {
        lane->head = work->next;
        if (!lane->head)
            lane->tail = NULL;
        atomic_fetch_sub_explicit(&lane->pending, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&lane->taken, 1, memory_order_relaxed);
        sl_lane_hold(lane);
    }
    pthread_mutex_unlock(&lane->lock);
    if (!work)
        sl_lane_exit(lane);
    return work;
}

void sl_lane_done(struct sl_lane *lane)
{
    atomic_fetch_add_explicit(&lane->done, 1, memory_order_release);
    sl_lane_drop(lane);
}

/* ---- in -------------------------------------------------------------------------------------- */

/* True if a thread should be woken for what has come together. */
static bool push(struct sl_lane *lane, struct sl_work *work, bool *registered)
{
    uint64_t worth = sl_job_worth(work);
    work->next = NULL;
    pthread_mutex_lock(&lane->lock);
    lane->held = lane->head ? lane->held + worth : worth;
    bool enough = lane->head && lane->held >= SL_JOB_WORTH_WAKING;
    if (enough)
        lane->held = 0;
    *(lane->tail ? &lane->tail->next : &lane->head) = work;
    lane->tail = work;
    lane->submits++;
    atomic_store_explicit(&lane->flushes, 0, memory_order_relaxed);
    *registered = lane->registered;
    /* seq_cst: before the question whether somebody will look, see sl_pool_attended */
    atomic_fetch_add_explicit(&lane->pending, 1, memory_order_seq_cst);
    pthread_mutex_unlock(&lane->lock);
    return enough;
}

/* A worker that submits from within finished() looks at the lane next. */
static bool is_attended(const struct sl_sched *sched)
{
    return sl_job_reporting_on_worker(sched) || sl_pool_attended(sched->pool);
}

void sl_lane_submit(struct sl_lane *lane, struct sl_work *work)
{
    struct sl_pool *pool = lane->sched->pool;
    if (lane->caller_runs) {
        sl_caller_run(lane, work);
        return;
    }
    /* asked first: once pushed the work may be over and gone at any time, and the lane with it */
    bool is_long = sl_job_is_long(sl_job_estimate(work));
    unsigned threads = lane->limit;
    bool registered;
    sl_lane_hold(lane);
    bool enough = push(lane, work, &registered);
    if (!registered)
        sl_sched_register(lane);
    if (is_long)
        sl_pool_wake(pool, threads > 2 ? least_of(threads - 1, FIRST_WAKE) : 1);
    else if (!registered || enough || !is_attended(lane->sched))
        sl_pool_wake(pool, 1);
    sl_lane_drop(lane);
}

/* A single short work still waits a moment for whoever flushed to come and run it; one who flushes
 * again and again is polling and will not. */
void sl_lane_flush(struct sl_lane *lane)
{
    struct sl_pool *pool = lane->sched->pool;
    unsigned pending = atomic_load_explicit(&lane->pending, memory_order_relaxed);
    if (!pending)
        return;
    unsigned before = atomic_fetch_add_explicit(&lane->flushes, 1, memory_order_relaxed);
    if (pending > 1 || before >= PATIENT_FLUSHES || !is_attended(lane->sched))
        sl_pool_wake(pool, 1);
}

/* ---- a waiting thread helps ------------------------------------------------------------------ */

static void wake_for_pending(struct sl_lane *lane)
{
    if (atomic_load_explicit(&lane->pending, memory_order_relaxed))
        sl_pool_wake(lane->sched->pool, 1);
}

static bool assist_as_guest(struct sl_lane *lane)
{
    struct sl_sched *sched = lane->sched;
    if (sched->bound || sl_stack_left() < SL_GUEST_ROOM_BYTES) {
        wake_for_pending(lane);
        return false;
    }
    struct sl_work *work = sl_lane_take(lane, true);
    if (work) {
        sl_job_run(sched, &lane->guest, lane, work);
        return true;
    }
    wake_for_pending(lane);
    if (atomic_load_explicit(&lane->taken, memory_order_relaxed) ==
        atomic_load_explicit(&lane->done, memory_order_relaxed))
        return false;
    struct sl_job *job = sl_sched_join(sched, lane, true);
    if (job)
        sl_job_join(sched, &lane->guest, job);
    return job != NULL;
}

/* Others are at it: falling asleep costs more than the little that is usually left. */
static bool see_progress(struct sl_lane *lane)
{
    unsigned done = atomic_load_explicit(&lane->done, memory_order_acquire);
    if (lane->sched->units == 1 || done == atomic_load_explicit(&lane->taken, memory_order_relaxed))
        return false;
    uint64_t start = sl_clock_ns();
    while (atomic_load_explicit(&lane->done, memory_order_acquire) == done) {
        if (sl_clock_ns() - start > patience_ns)
            return false;
        sl_pause();
    }
    return true;
}

bool sl_lane_assist(struct sl_lane *lane)
{
    bool ran = false;
    if (!atomic_flag_test_and_set_explicit(&lane->guest_inside, memory_order_acquire)) {
        ran = assist_as_guest(lane);
        atomic_flag_clear_explicit(&lane->guest_inside, memory_order_release);
    }
    if (ran || see_progress(lane))
        return true;
    wake_for_pending(lane); /* another thread may be the guest, and may leave before it is ours */
    return false;
}
