/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of kernels: see device_enqueue.h, also for the lock. */
#include "common/runtime/device_enqueue.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/values.h"
#include "common/runtime/code.h"
#include "common/runtime/hosted.h"
#include "common/runtime/job.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/wait.h"

/* ---- queues ---------------------------------------------------------------------------------- */

void sl_nest_init(struct sl_nest *nest, const struct sl_device_caps *caps, unsigned units)
{
    *nest = (struct sl_nest){.caps = caps, .units = units};
    pthread_mutex_init(&nest->lock, NULL);
}

void sl_nest_finish(struct sl_nest *nest)
{
    sl_child_events_finish(nest);
    pthread_mutex_destroy(&nest->lock);
}

int sl_nest_queue_create(struct sl_device *device, uint32_t bytes, struct sl_device_queue **out)
{
    struct sl_nest *nest = &sl_hosted(device)->nest;
    struct sl_device_queue *queue = malloc(sizeof *queue);
    if (!queue)
        return SL_OUT_OF_HOST_MEMORY;
    *queue = (struct sl_device_queue){.nest = nest, .bytes = bytes};
    pthread_mutex_lock(&nest->lock);
    queue->next = nest->queues;
    nest->queues = queue;
    pthread_mutex_unlock(&nest->lock);
    *out = queue;
    return 0;
}

void sl_nest_queue_destroy(struct sl_device_queue *queue)
{
    if (!queue)
        return;
    pthread_mutex_lock(&queue->nest->lock);
    struct sl_device_queue **at = &queue->nest->queues;
    while (*at != queue)
        at = &(*at)->next;
    *at = queue->next;
    pthread_mutex_unlock(&queue->nest->lock);
    free(queue);
}

/* The one found goes to the front: programs use few. */
bool sl_nest_has_queue_locked(struct sl_nest *nest, const struct sl_device_queue *queue)
{
    struct sl_device_queue **at = &nest->queues, *found;
    while (*at && *at != queue)
        at = &(*at)->next;
    found = *at;
    if (!found)
        return false;
    *at = found->next;
    found->next = nest->queues;
    nest->queues = found;
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void link_locked(struct sl_child *parent, struct sl_child *node)
{
    node->parent = parent;
    node->prev = NULL;
    node->next = parent->first;
    if (parent->first)
        parent->first->prev = node;
    parent->first = node;
}

static void unlink_locked(struct sl_child *node)
{
    *(node->prev ? &node->prev->next : &node->parent->first) = node->next;
    if (node->next)
        node->next->prev = node->prev;
}

static void note(struct sl_child **list, struct sl_child *node)
{
    node->errand = *list;
    *list = node;
}

static struct sl_child *take(struct sl_child **list)
{
    struct sl_child *node = *list;
    if (node)
        *list = node->errand;
    return node;
}

/* ---- from start to end ----------------------------------------------------------------------- */

void sl_child_arrived_locked(struct sl_child *node, struct sl_errands *errands)
{
    if (--node->waits)
        return;
    bool runs = node->runs && !node->doomed;
    node->root->active += runs;
    note(runs ? &errands->submit : &errands->over, node);
}

void sl_child_add_locked(struct sl_child *parent, struct sl_child *node, struct sl_errands *errands)
{
    node->root = parent->root;
    link_locked(parent, node);
    node->waits++;
    sl_child_arrived_locked(node, errands);
}

/* Nothing names the node any more. */
static void forget_locked(struct sl_child *node, struct sl_errands *errands)
{
    unlink_locked(node);
    if (node->queue)
        node->queue->used -= node->bytes;
    note(&errands->forget, node);
}

static void hand_up_locked(struct sl_child *node)
{
    for (struct sl_child *below; (below = node->first);) {
        unlink_locked(below);
        link_locked(node->parent, below);
    }
}

/* The node, if it and all below it have ended; then perhaps its parent, and so on. */
static void complete_locked(struct sl_nest *nest, struct sl_child *node, struct sl_errands *errands)
{
    while (node->ended && !node->first) {
        struct sl_child *parent = node->parent;
        if (!parent) {
            sl_child_events_end_locked(nest, node, errands);
            note(&errands->done, node);
            return;
        }
        if (node->event)
            sl_child_event_fire_locked(nest, node, errands);
        forget_locked(node, errands);
        node = parent;
    }
}

static void end_locked(struct sl_nest *nest, struct sl_child *node, int status,
                       struct sl_errands *errands)
{
    node->status = status;
    node->end_ns = sl_clock_ns();
    node->ended = true;
    for (struct sl_child *below = node->first; below; below = below->next) {
        if (!below->after_parent)
            continue;
        below->after_parent = false;
        sl_child_arrived_locked(below, errands);
    }
    if (!node->event && node->parent)
        hand_up_locked(node);
    complete_locked(nest, node, errands);
}

void sl_child_settle_locked(struct sl_nest *nest, struct sl_errands *errands)
{
    for (struct sl_child *node; (node = take(&errands->over));) {
        node->start_ns = sl_clock_ns();
        end_locked(nest, node, node->doomed ? SL_EXEC_STATUS_ERROR : 0, errands);
    }
}

/* Nothing of the tree runs, nor will: all that is left waits for user events. */
static void look_stuck_locked(const struct sl_child *root, struct sl_errands *errands)
{
    const struct sl_launch_args *launch = &root->launch->u.kernel;
    if (root->active || !root->first)
        return;
    errands->host = root->work_queue->sched->host;
    errands->topic = root->work_queue->sched->topic;
    snprintf(errands->stuck, sizeof errands->stuck, "%s",
             launch->code->info->kernels[launch->kernel_index].name);
}

void sl_child_started(struct sl_child *node)
{
    node->start_ns = sl_clock_ns();
}

void sl_child_ended(struct sl_nest *nest, struct sl_child *node, int status)
{
    struct sl_errands errands = {0};
    struct sl_child *root = node->root;
    if (node == root)
        root->work_queue->sched->host->ended(root->launch);
    pthread_mutex_lock(&nest->lock);
    root->active--;
    if (status && !root->worst)
        root->worst = status;
    end_locked(nest, node, status, &errands);
    sl_child_settle_locked(nest, &errands);
    look_stuck_locked(root, &errands);
    pthread_mutex_unlock(&nest->lock);
    sl_child_run_errands(&errands);
}

/* The queue may be gone after finished(), but for what the work queue counts for this work. */
static void finish_root(struct sl_child *root)
{
    struct sl_work_queue *work_queue = root->work_queue;
    struct sl_work *launch = root->launch;
    int status = root->worst;
    sl_child_free(root);
    work_queue->sched->host->finished(launch, status);
    sl_work_queue_done(work_queue);
}

void sl_child_run_errands(struct sl_errands *errands)
{
    struct sl_child *node;
    while ((node = take(&errands->forget)))
        sl_child_free(node);
    if (errands->stuck[0])
        errands->host->log(SL_LOG_WARN, errands->topic,
                           "kernels that %s enqueued wait for user events that nobody can set",
                           errands->stuck);
    while ((node = take(&errands->submit)))
        sl_work_queue_submit(node->root->work_queue, &node->work);
    while ((node = take(&errands->done)))
        finish_root(node);
}

/* ---- roots ----------------------------------------------------------------------------------- */

struct sl_child *sl_child_of_job_locked(struct sl_job *job)
{
    if (job->node)
        return job->node;
    struct sl_child *root = calloc(1, sizeof *root);
    if (!root)
        return NULL;
    root->root = root;
    root->work_queue = job->work_queue;
    root->launch = job->work;
    root->active = 1;
    job->node = root;
    return root;
}

struct sl_work *sl_child_launch(struct sl_work *work)
{
    struct sl_child *node = work->kind == SL_WORK_KERNEL ? work->u.kernel.child : NULL;
    return node ? node->root->launch : work;
}

void sl_child_free(struct sl_child *node)
{
    free(node);
}
