/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which lanes have work and which jobs want company. sched->lock guards both lists; it is taken
 * when a lane comes to life or falls quiet, when a long job begins and ends, and by idle workers:
 * never on the path of a short work of a busy lane.
 */
#include "common/sched.h"

#include "common/job.h"
#include "common/values.h"

/* Looks (a quarter of a millisecond each) without a new submit after which
 * a lane counts as quiet. */
enum { QUIET_LOOKS = 40 };
/* Works of one lane that a worker runs before it looks at the other lanes. */
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

struct sl_job *sl_sched_join(struct sl_sched *sched, const struct sl_lane *lane, bool guest)
{
    struct sl_job *job = NULL;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_job *at = sched->jobs; at; at = at->next) {
        bool wanted = (!lane || at->lane == lane) && (!guest || at->guests) &&
                      (!job || at->lane->priority > job->lane->priority);
        if (!wanted || (at->cramped && at->inside) || exhausted(at) || !sl_lane_enter(at->lane))
            continue;
        if (job)
            sl_lane_exit(job->lane);
        job = at;
    }
    if (job) {
        job->inside++;
        sl_lane_hold(job->lane);
    }
    pthread_mutex_unlock(&sched->lock);
    return job;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static void unlink_locked(struct sl_sched *sched, struct sl_lane *lane)
{
    *(lane->prev ? &lane->prev->next : &sched->ready) = lane->next;
    *(lane->next ? &lane->next->prev : &sched->ready_tail) = lane->prev;
    lane->prev = lane->next = NULL;
}

static void append_locked(struct sl_sched *sched, struct sl_lane *lane)
{
    lane->prev = sched->ready_tail;
    lane->next = NULL;
    *(sched->ready_tail ? &sched->ready_tail->next : &sched->ready) = lane;
    sched->ready_tail = lane;
}

void sl_sched_register(struct sl_lane *lane)
{
    struct sl_sched *sched = lane->sched;
    pthread_mutex_lock(&sched->lock);
    pthread_mutex_lock(&lane->lock);
    if (!lane->registered) {
        lane->registered = true;
        lane->quiet_looks = 0;
        append_locked(sched, lane);
    }
    pthread_mutex_unlock(&lane->lock);
    pthread_mutex_unlock(&sched->lock);
}

/* Both locks are held. */
static void unregister_locked(struct sl_sched *sched, struct sl_lane *lane)
{
    if (lane->registered)
        unlink_locked(sched, lane);
    lane->registered = false;
}

void sl_sched_forget(struct sl_lane *lane)
{
    pthread_mutex_lock(&lane->sched->lock);
    pthread_mutex_lock(&lane->lock);
    unregister_locked(lane->sched, lane);
    pthread_mutex_unlock(&lane->lock);
    pthread_mutex_unlock(&lane->sched->lock);
}

static bool has_work(struct sl_lane *lane, bool late)
{
    bool left_lying = lane->pending_seen &&
                      lane->taken_seen == atomic_load_explicit(&lane->taken, memory_order_relaxed);
    return (left_lying || !late) && atomic_load_explicit(&lane->pending, memory_order_seq_cst) &&
           atomic_load_explicit(&lane->threads, memory_order_relaxed) < lane->limit;
}

/* The next lane with work of those of the highest priority, counted; the one found goes to the end
 * so that all get their turn. */
static struct sl_lane *find_lane(struct sl_sched *sched, bool late, bool *more)
{
    struct sl_lane *found = NULL;
    *more = false;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_lane *lane = sched->ready; lane; lane = lane->next) {
        if (!has_work(lane, late))
            continue;
        *more = found != NULL;
        if (!found || lane->priority > found->priority)
            found = lane;
    }
    if (found) {
        unlink_locked(sched, found);
        append_locked(sched, found);
        sl_lane_hold(found);
    }
    pthread_mutex_unlock(&sched->lock);
    return found;
}

/* Counts a look at a lane without work, which is forgotten when nobody has used it for long: in the
 * same moment, since who submits relies on what is known of it then. */
static void look_at_locked(struct sl_sched *sched, struct sl_lane *lane)
{
    pthread_mutex_lock(&lane->lock);
    bool used = lane->submits != lane->submits_seen || lane->head;
    lane->submits_seen = lane->submits;
    lane->taken_seen = atomic_load_explicit(&lane->taken, memory_order_relaxed);
    lane->pending_seen = lane->head != NULL;
    lane->quiet_looks = used ? 0 : lane->quiet_looks + 1;
    if (lane->quiet_looks > QUIET_LOOKS)
        unregister_locked(sched, lane);
    pthread_mutex_unlock(&lane->lock);
}

/* sl_pool_ops.watch */
static bool watch(void *owner)
{
    struct sl_sched *sched = owner;
    pthread_mutex_lock(&sched->lock);
    for (struct sl_lane *lane = sched->ready, *next; lane; lane = next) {
        next = lane->next;
        look_at_locked(sched, lane);
    }
    bool any = sched->ready != NULL;
    pthread_mutex_unlock(&sched->lock);
    return any;
}

/* Who has less of a claim is left after each work for those who have more. */
static int run_of(struct sl_sched *sched, const struct sl_lane *lane)
{
    const bool yields = lane->priority < SL_PRIORITY_HIGH &&
                        atomic_load_explicit(&sched->urgent, memory_order_relaxed);
    return yields || lane->priority < SL_PRIORITY_MEDIUM ? 1 : FAIR_RUN;
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
    struct sl_lane *lane = find_lane(sched, late, &more);
    if (!lane)
        return false;
    if (more)
        sl_pool_wake(sched->pool, 1);
    for (int i = 0, most = run_of(sched, lane); i < most; i++) {
        struct sl_work *work = sl_lane_take(lane, worker->guest);
        if (!work)
            break;
        ran = true;
        /* what is left is ours, if we are back for it soon */
        uint64_t pending = atomic_load_explicit(&lane->pending, memory_order_relaxed);
        if (pending * sl_job_worth(work) >= SL_JOB_WORTH_WAKING)
            sl_pool_wake(sched->pool, 1);
        sl_job_run(sched, worker, lane, work);
    }
    sl_lane_drop(lane);
    return ran;
}

/* ---- life ------------------------------------------------------------------------------------ */

static const struct sl_pool_ops pool_ops = {.run = run, .watch = watch};

int sl_sched_init(struct sl_sched *sched, const struct sl_sched_desc *desc)
{
    *sched = (struct sl_sched){.host = desc->host,
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
