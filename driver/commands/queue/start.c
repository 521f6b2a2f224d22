/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting and finishing commands, with the time stamps of profiling. No lock: a command here
 * belongs to the one thread that starts or ends it.
 */
#include "commands/queue/start.h"
#include "base/thread/clock.h"
#include "commands/queue/command_heard.h"

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/thread/graph_walk.h"
#include "commands/queue/command_order.h"
#include "commands/queue/command_trace.h"
#include "commands/queue/event.h"
#include "commands/queue/event_callback.h"
#include "commands/queue/failure_told.h"
#include "commands/queue/queue.h"
#include "platform/context.h"
#include "platform/own_extensions.h"

/*
 * Commands that this thread made ready and has not yet started. Starting one may finish it and make
 * others ready; those join the list instead of nesting, so that chains of any length are fine.
 */
static _Thread_local struct {
    struct sl_step *head, *tail;
    bool running;
} ready;

static void stamp(cl_event e, int time)
{
    if (e->timed)
        e->when_ns[time] = sl_now_ns();
}

/* A device need not say when it started, and clocks of threads may be read in any order. */
static void settle_times(cl_event e, cl_int status)
{
    stamp(e, SL_TIME_COMPLETE);
    if (!e->when_ns[SL_TIME_ENDED])
        e->when_ns[SL_TIME_ENDED] = e->when_ns[SL_TIME_COMPLETE];
    for (int i = SL_TIME_SUBMITTED; i < SL_TIME_COUNT; i++)
        if (e->when_ns[i] < e->when_ns[i - 1])
            e->when_ns[i] = e->when_ns[i - 1];
    sl_command_timeline(e, status);
}

static void report_failure(cl_event e, cl_int status)
{
    sl_failure_happens(e, status);
    const char *name = sl_command_name(e->type);
    sl_log(SL_LOG_INFO, "cmd", "%s %p ended with %s", name, (void *)e, sl_error_name(status));
    if ((e->how == SL_HOW_DEVICE || e->how == SL_HOW_REPLAY) &&
        status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
        !atomic_load_explicit(&e->explained, memory_order_relaxed))
        sl_context_notify(e->context, "%s ended with %s", name, sl_error_name(status));
}

void sl_step_ready(struct sl_step *step)
{
    step->next = NULL;
    if (ready.tail)
        ready.tail->next = step;
    else
        ready.head = step;
    ready.tail = step;
}

static void release_dependents(struct sl_edge *edge, cl_int status)
{
    while (edge) {
        cl_event to = edge->to;
        bool listed = edge->listed;
        edge = edge->next; /* it is gone as soon as `to` is not ours to wait for */
        bool awaited = to->caller_runs;
        atomic_int *waits = &to->waits;
        if (listed && status < 0)
            sl_edge_failure(to, status);
        atomic_store_explicit(&to->heard_ns, UINT64_MAX, memory_order_relaxed);
        int before = atomic_fetch_sub_explicit(waits, 1, memory_order_acq_rel);
        if (before == 1)
            sl_step_ready(&to->step);
        else if (awaited && before == 2)
            sl_event_wake(waits);
    }
}

/* Ends a command; its dependents go to this thread's ready list. */
static void settle(cl_event e, cl_int status)
{
    e->result = status;
    sl_heard_ended(e);
    if (e->on_finish)
        e->on_finish(e);
    if (e->timed)
        settle_times(e, status);
    sl_command_trace(e, SL_STEP_ENDED, status);
    if (status < 0)
        report_failure(e, status);
    sl_command_drop_held(e);
    struct sl_edge *out = sl_edge_end(e, status);
    bool waiters = atomic_load(&e->waiters);
    struct sl_event_callback *due = sl_event_due(e, status);
    /* Nobody who saw the status shall find traces of us: drop first, wake by address afterwards. */
    atomic_int *word = &e->status;
    cl_command_queue queue = e->queue;
    sl_drop(e);
    if (queue)
        sl_queue_end_leaving(queue);
    if (waiters)
        sl_event_wake(word);
    sl_event_post(due);
    release_dependents(out, status);
}

static void advance(cl_event e, cl_int status)
{
    atomic_store(&e->status, status);
    sl_event_post(sl_event_due(e, status));
}

static void start(cl_event e)
{
    cl_int rc;
    stamp(e, SL_TIME_SUBMITTED);
    if (atomic_load_explicit(&e->failed_wait, memory_order_relaxed)) {
        settle(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    sl_command_trace(e, SL_STEP_SUBMITTED, 0);
    switch (e->how) {
    case SL_HOW_DEVICE:
        advance(e, CL_SUBMITTED);
        rc = e->on_start ? e->on_start(e) : CL_SUCCESS;
        if (e->work.kind == SL_WORK_NATIVE) /* a function of the application */
            sl_heard_now();
        if (rc)
            settle(e, rc);
        else
            e->queue->impl->ops->submit(e->queue->work_queue, &e->work);
        break;
    case SL_HOW_HOST:
        advance(e, CL_RUNNING);
        stamp(e, SL_TIME_STARTED);
        e->host_run(e);
        break;
    case SL_HOW_NOTHING:
        settle(e, CL_COMPLETE);
        break;
    case SL_HOW_REPLAY:
        advance(e, CL_SUBMITTED);
        e->host_run(e);
        break;
    case SL_HOW_USER:
        break;
    }
}

static void start_step(struct sl_step *step)
{
    if (step->replayed)
        step->replayed->run(step);
    else
        start(step->command);
}

static struct sl_step *take_ready(void)
{
    struct sl_step *step = ready.head;
    if (step && !(ready.head = step->next))
        ready.tail = NULL;
    return step;
}

/* The queue whose device side gets its work; NULL: none does. */
static cl_command_queue work_queue_of(const struct sl_step *step)
{
    if (step->replayed)
        return step->replayed->submits_to(step);
    return step->command->how == SL_HOW_DEVICE ? step->command->queue : NULL;
}

void sl_command_hand_over(cl_event e)
{
    cl_command_queue queue = e->queue;
    sl_queue_begin_leaving(queue);
    sl_hold(queue);
    queue->impl->ops->submit(queue->work_queue, &e->work);
    sl_queue_flush(queue);
    sl_drop(queue);
    sl_queue_end_leaving(queue);
}

/* What becomes ready away from its enqueue call has nobody who would flush its work queue; the next
 * one of the same queue flushes for both. */
static void start_and_flush(struct sl_step *step)
{
    cl_command_queue queue = work_queue_of(step);
    if (queue && ready.head && work_queue_of(ready.head) == queue)
        queue = NULL;
    if (!queue) {
        start_step(step);
        return;
    }
    sl_queue_begin_leaving(queue);
    sl_hold(queue);
    start_step(step);
    sl_queue_flush(queue);
    sl_drop(queue);
    sl_queue_end_leaving(queue);
}

/* Whoever enqueued it flushes that queue or waits there, and no other. */
static bool may_be_held_back(const struct sl_step *step, cl_event own)
{
    if (!own || !step->replayed)
        return own;
    const cl_command_queue queue = work_queue_of(step);
    return !queue || queue == own->queue;
}

/* `own` is the command of an enqueue call that is going on: the device may hold it back. */
static void start_ready(cl_event own)
{
    if (ready.running)
        return;
    ready.running = true;
    sl_graph_walk_begin();
    for (struct sl_step *step; (step = take_ready());) {
        if (step->command != own)
            own = NULL;
        if (may_be_held_back(step, own))
            start_step(step);
        else
            start_and_flush(step);
    }
    sl_graph_walk_end();
    ready.running = false;
}

void sl_command_finish(cl_event e, cl_int status)
{
    settle(e, status);
    start_ready(NULL);
}

void sl_command_settle(cl_event e, cl_int status)
{
    settle(e, status);
}

void sl_command_started(cl_event e)
{
    stamp(e, SL_TIME_STARTED);
    sl_command_trace(e, SL_STEP_STARTED, 0);
    advance(e, CL_RUNNING);
}

void sl_start(cl_event own)
{
    sl_step_ready(&own->step);
    start_ready(own);
}

void sl_start_here(cl_event e)
{
    start(e);
    start_ready(NULL);
}

void sl_work_started(struct sl_work *work)
{
    struct sl_step *step = sl_step_of(work);
    if (step->replayed)
        step->replayed->started(step);
    else
        sl_command_started(step->command);
}

void sl_command_explain(cl_event e, const char *name, const char *why)
{
    if (!atomic_exchange_explicit(&e->explained, true, memory_order_relaxed))
        sl_context_notify(e->context, "%s failed: %s", name, why);
}

void sl_work_failed(struct sl_work *work, const char *why)
{
    const struct sl_step *step = sl_step_of(work);
    if (step->replayed)
        step->replayed->explain(step, why);
    else
        sl_command_explain(step->command, sl_command_name(step->command->type), why);
}

void sl_work_finished(struct sl_work *work, int status)
{
    struct sl_step *step = sl_step_of(work);
    sl_graph_walk_begin();
    if (step->replayed)
        step->replayed->ended(step, status);
    else
        settle(step->command, status < 0 ? status : CL_COMPLETE);
    start_ready(NULL);
    sl_graph_walk_end();
}

void sl_work_ended(struct sl_work *work)
{
    const struct sl_step *step = sl_step_of(work);
    if (!step->replayed)
        stamp(step->command, SL_TIME_ENDED);
}
