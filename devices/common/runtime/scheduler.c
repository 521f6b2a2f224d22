/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which work queues have work and which jobs want company. sched->lock guards both lists; it is
 * taken when a work queue comes to life or falls quiet, when a long job begins and ends, and by
 * idle workers: never on the path of a short work of a busy work queue.
 */
#include "common/runtime/scheduler.h"

#include "common/base/values.h"
#include "common/runtime/estimate.h"
#include "common/runtime/job.h"

/* Looks (a quarter of a millisecond each) without a new submit after which
 * a work queue counts as quiet. */
enum { QUIET_LOOKS = 40 };
/* Works of one work queue that a worker runs before it looks at the other work queues. */
enum { FAIR_RUN = 64 };

/* ---- jobs ------------------------------------------------------------------------------------ */

void sl_sched_publish(struct sl_sched *sched, struct sl_job *job)
{
    pthread_mutex_lock(&sched->lock);
    job->published = job->listed = true;
    job->prev = NULL;
    job->next = sched->jobs;
    if (sched->jobs)
        sched->jobs->prev = job;
    sched->jobs = job;
    pthread_mutex_unlock(&sched->lock);
    sl_pool_wake(sched->pool, job->seats - 1);
}

static void unlist_locked(struct sl_sched *sched, struct sl_job *job)
{
    if (job->prev)
        job->prev->next = job->next;
    else
        sched->jobs = job->next;
    if (job->next)
        job->next->prev = job->prev;
    job->listed = false;
}

static bool exhausted(struct sl_job *job)
{
    return atomic_load_explicit(&job->handed_out, memory_order_relaxed) >= job->total;
}

bool sl_sched_leave(struct sl_sched *sched, struct sl_job *job)
{
    if (!job->published)
        return true;
    pthread_mutex_lock(&sched->lock);
    bool over = exhausted(job);
    if (over && job->listed)
        unlist_locked(sched, job);
    bool last = --job->inside == 0;
    pthread_mutex_unlock(&sched->lock);
    if (last && !over) /* a guest went back to its caller: somebody has to go on */
        sl_pool_wake(sched->pool, 1);
    return last && over;
}

bool sl_sched_left_to_others(struct sl_sched *sched, struct sl_job *job)
{
    if (!job->published)
        return false;
    pthread_mutex_lock(&sched->lock);
    job->cramped = true;
    bool others = job->inside > 1;
    pthread_mutex_unlock(&sched->lock);
    return others;
}

struct sl_job *sl_sched_join(struct sl_sched *sched, const struct sl_work_queue *work_queue,
                             bool guest)
{
    struct sl_job *job = NULL;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_job *at = sched->jobs; at; at = at->next) {
        bool wanted = (!work_queue || at->work_queue == work_queue) && (!guest || at->guests) &&
                      (!job || at->work_queue->priority > job->work_queue->priority);
        if (!wanted || (at->cramped && at->inside) || exhausted(at) ||
            !sl_work_queue_enter(at->work_queue))
            continue;
        if (job)
            sl_work_queue_exit(job->work_queue);
        job = at;
    }
    if (job) {
        job->inside++;
        sl_work_queue_hold(job->work_queue);
    }
    pthread_mutex_unlock(&sched->lock);
    return job;
}

/* ---- work queues ----------------------------------------------------------------------------- */

static void unlink_locked(struct sl_sched *sched, struct sl_work_queue *work_queue)
{
    *(work_queue->prev ? &work_queue->prev->next : &sched->ready) = work_queue->next;
    *(work_queue->next ? &work_queue->next->prev : &sched->ready_tail) = work_queue->prev;
    work_queue->prev = work_queue->next = NULL;
}

static void append_locked(struct sl_sched *sched, struct sl_work_queue *work_queue)
{
    work_queue->prev = sched->ready_tail;
    work_queue->next = NULL;
    *(sched->ready_tail ? &sched->ready_tail->next : &sched->ready) = work_queue;
    sched->ready_tail = work_queue;
}

void sl_sched_register(struct sl_work_queue *work_queue)
{
    struct sl_sched *sched = work_queue->sched;
    pthread_mutex_lock(&sched->lock);
    pthread_mutex_lock(&work_queue->lock);
    if (!work_queue->registered) {
        work_queue->registered = true;
        work_queue->quiet_looks = 0;
        append_locked(sched, work_queue);
    }
    pthread_mutex_unlock(&work_queue->lock);
    pthread_mutex_unlock(&sched->lock);
}

/* Both locks are held. */
static void unregister_locked(struct sl_sched *sched, struct sl_work_queue *work_queue)
{
    if (work_queue->registered)
        unlink_locked(sched, work_queue);
    work_queue->registered = false;
}

void sl_sched_forget(struct sl_work_queue *work_queue)
{
    pthread_mutex_lock(&work_queue->sched->lock);
    pthread_mutex_lock(&work_queue->lock);
    unregister_locked(work_queue->sched, work_queue);
    pthread_mutex_unlock(&work_queue->lock);
    pthread_mutex_unlock(&work_queue->sched->lock);
}

static bool has_work(struct sl_work_queue *work_queue, bool late)
{
    bool left_lying =
        work_queue->pending_seen &&
        work_queue->taken_seen == atomic_load_explicit(&work_queue->taken, memory_order_relaxed);
    return (left_lying || !late) &&
           atomic_load_explicit(&work_queue->pending, memory_order_seq_cst) &&
           atomic_load_explicit(&work_queue->threads, memory_order_relaxed) < work_queue->limit;
}

/* The next work queue with work of those of the highest priority, counted; the one found goes to
 * the end so that all get their turn. */
static struct sl_work_queue *find_work_queue(struct sl_sched *sched, bool late, bool *more)
{
    struct sl_work_queue *found = NULL;
    *more = false;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_work_queue *work_queue = sched->ready; work_queue;
         work_queue = work_queue->next) {
        if (!has_work(work_queue, late))
            continue;
        *more = found != NULL;
        if (!found || work_queue->priority > found->priority)
            found = work_queue;
    }
    if (found) {
        unlink_locked(sched, found);
        append_locked(sched, found);
        sl_work_queue_hold(found);
    }
    pthread_mutex_unlock(&sched->lock);
    return found;
}

/* Counts a look at a work queue without work, which is forgotten when nobody has used it for long:
 * in the same moment, since who submits relies on what is known of it then. */
static void look_at_locked(struct sl_sched *sched, struct sl_work_queue *work_queue)
{
    pthread_mutex_lock(&work_queue->lock);
    bool used = work_queue->submits != work_queue->submits_seen || work_queue->head;
    work_queue->submits_seen = work_queue->submits;
    work_queue->taken_seen = atomic_load_explicit(&work_queue->taken, memory_order_relaxed);
    work_queue->pending_seen = work_queue->head != NULL;
    work_queue->quiet_looks = used ? 0 : work_queue->quiet_looks + 1;
    if (work_queue->quiet_looks > QUIET_LOOKS)
        unregister_locked(sched, work_queue);
    pthread_mutex_unlock(&work_queue->lock);
}

/* sl_pool_ops.watch */
static bool watch(void *owner)
{
    struct sl_sched *sched = owner;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_work_queue *work_queue = sched->ready, *next; work_queue; work_queue = next) {
        next = work_queue->next;
        look_at_locked(sched, work_queue);
    }
    bool any = sched->ready != NULL;
    pthread_mutex_unlock(&sched->lock);
    return any;
}

/* Who has less of a claim is left after each work for those who have more. */
static int run_of(struct sl_sched *sched, const struct sl_work_queue *work_queue)
{
    const bool yields = work_queue->priority < SL_PRIORITY_HIGH &&
                        atomic_load_explicit(&sched->urgent, memory_order_relaxed);
    return yields || work_queue->priority < SL_PRIORITY_MEDIUM ? 1 : FAIR_RUN;
}

/* sl_pool_ops.run */
static bool run(void *owner, struct sl_worker *worker, bool late)
{
    struct sl_sched *sched = owner;
    struct sl_job *job = sl_sched_join(sched, NULL, worker->guest);
    if (job) {
        sl_job_join(sched, worker, job);
        return true;
    }
    bool more, ran = false;
    struct sl_work_queue *work_queue = find_work_queue(sched, late, &more);
    if (!work_queue)
        return false;
    if (more)
        sl_pool_wake(sched->pool, 1);
    for (int i = 0, most = run_of(sched, work_queue); i < most; i++) {
        struct sl_work *work = sl_work_queue_take(work_queue, worker->guest);
        if (!work)
            break;
        ran = true;
        /* what is left is ours, if we are back for it soon */
        uint64_t pending = atomic_load_explicit(&work_queue->pending, memory_order_relaxed);
        if (pending * sl_job_worth(work) >= SL_JOB_WORTH_WAKING)
            sl_pool_wake(sched->pool, 1);
        sl_job_run(sched, worker, work_queue, work);
    }
    sl_work_queue_drop(work_queue);
    return ran;
}

/* ---- life ------------------------------------------------------------------------------------ */

static const struct sl_pool_ops pool_ops = {.run = run, .watch = watch};

int sl_sched_init(struct sl_sched *sched, const struct sl_sched_desc *desc)
{
    *sched = (struct sl_sched){.host = desc->host,
                               .device = desc->device,
                               .topic = desc->topic,
                               .units = desc->units,
                               .bound = desc->cpus != NULL};
    pthread_mutex_init(&sched->lock, NULL);
    const struct sl_pool_desc pool = {.ops = &pool_ops,
                                      .owner = sched,
                                      .limit = desc->units,
                                      .placing = desc->placing,
                                      .cpus = desc->cpus};
    return sl_pool_create(&pool, &sched->pool);
}

void sl_sched_finish(struct sl_sched *sched)
{
    if (!sched->pool)
        return;
    sl_pool_destroy(sched->pool);
    sched->pool = NULL;
    pthread_mutex_destroy(&sched->lock);
}
