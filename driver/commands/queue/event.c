/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events as the application sees them: waiting, user events, queries. Time stamps are taken in
 * start.c; callbacks are in event_callback.c.
 */
#include "commands/queue/event.h"

#include <limits.h>
#include <string.h>

#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/heard.h"
#include "base/query/info.h"
#include "base/thread/clock.h"
#include "base/thread/fork.h"
#include "commands/queue/failure_told.h"
#include "commands/queue/native_scope.h"
#include "commands/queue/queue.h"
#include "commands/queue/waiting.h"
#include "platform/context.h"
#include "platform/platform.h"
#include "sluice/base/wait.h"

/* A sleep and a wake cost more than this. Between the ends of a pipe much may have to happen: a
 * kernel starts, runs and ends. */
enum { SPIN_NS = 1200, SPIN_PIPE_NS = 5000 };

void sl_event_prepare(cl_event e)
{
    if (e->lock_ready)
        return;
    pthread_mutex_init(&e->lock, NULL);
    e->lock_ready = true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

void sl_event_wake(atomic_int *word)
{
    sl_futex_wake(word, INT_MAX);
}

/* The finishing thread publishes the status and then looks for waiters, we announce ourselves and
 * then look at the status: one of the two sees the other. */
static void sleep_until_changed(cl_event e)
{
    atomic_fetch_add(&e->waiters, 1);
    cl_int status = atomic_load(&e->status);
    if (status > CL_COMPLETE)
        sl_futex_wait(&e->status, (uint32_t)status, 0);
    atomic_fetch_sub(&e->waiters, 1);
}

static cl_int status_of(cl_event e)
{
    return atomic_load_explicit(&e->status, memory_order_acquire);
}

static void spin(cl_event e)
{
    bool pipe = sl_moves_host_packet(e);
    uint64_t end = sl_now_ns() + (pipe ? SPIN_PIPE_NS : SPIN_NS);
    do
        sl_pause();
    while (status_of(e) > CL_COMPLETE && sl_now_ns() < end);
}

static bool assist(cl_command_queue queue)
{
    return queue && queue->impl->ops->assist && queue->impl->ops->assist(queue->work_queue);
}

cl_int sl_event_wait(cl_event e, const struct sl_awaited *among)
{
    struct sl_wait wait;
    cl_int status = status_of(e);
    if (status <= CL_COMPLETE) {
        sl_heard_now();
        return status;
    }
    sl_hold(e);
    bool spun = false, sleeps = false;
    while ((status = status_of(e)) > CL_COMPLETE) {
        if (assist(e->queue))
            continue;
        if (!spun) {
            if (e->queue)
                sl_queue_flush(e->queue);
            spin(e);
            spun = true;
            continue;
        }
        if (!sleeps)
            sl_wait_begin(&wait, e, among);
        sleeps = true;
        sleep_until_changed(e);
    }
    if (sleeps)
        sl_wait_end(&wait);
    sl_drop(e);
    sl_heard_now();
    return status;
}

void sl_event_await_turn(cl_event e)
{
    struct sl_wait wait;
    bool sleeps = false;
    for (int waits; (waits = atomic_load_explicit(&e->waits, memory_order_acquire)) > 1;) {
        if (!sleeps)
            sl_wait_begin(&wait, e, NULL);
        sleeps = true;
        sl_futex_wait(&e->waits, (uint32_t)waits, 0);
    }
    if (sleeps)
        sl_wait_end(&wait);
}

static cl_int check_events(cl_uint count, const cl_event *list)
{
    if (!count || !list)
        return sl_refuse(CL_INVALID_VALUE, "%u events, list %p", count, (const void *)list);
    for (cl_uint i = 0; i < count; i++)
        if (!sl_valid(list[i], &sl_event_type))
            return sl_refuse(CL_INVALID_EVENT, "event %u is not valid", i);
    for (cl_uint i = 1; i < count; i++)
        if (list[i]->context != list[0]->context)
            return sl_refuse(CL_INVALID_CONTEXT, "event %u belongs to another context", i);
    return CL_SUCCESS;
}

bool sl_event_waits_for_caller(cl_event e)
{
    struct sl_native_scope *scope = e->queue ? e->queue->scope : NULL;
    if (status_of(e) <= CL_COMPLETE)
        return false;
    if (e->type == CL_COMMAND_NATIVE_COMMAND_SLUICE && e->how == SL_HOW_HOST &&
        atomic_load(&e->u.native.caller) == (uintptr_t)pthread_self())
        return true;
    return scope && sl_native_scope_is_here(scope);
}

cl_int sl_clWaitForEvents(cl_uint count, const cl_event *list)
{
    cl_int rc = check_events(count, list);
    if (rc)
        return rc;
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    for (cl_uint i = 0; i < count; i++)
        if (sl_event_waits_for_caller(list[i]))
            return sl_refuse(CL_INVALID_OPERATION, "a native command's function must not wait");
    /* What other queues hold back shall run while we wait for this one. */
    for (cl_uint i = 1; i < count; i++)
        if (list[i]->queue && list[i]->queue != list[0]->queue && status_of(list[i]) > CL_COMPLETE)
            sl_queue_flush(list[i]->queue);
    const struct sl_awaited all = {.count = count, .list = list};
    for (cl_uint i = 0; i < count; i++) {
        cl_int status = sl_event_wait(list[i], &all);
        sl_failure_told(list[i], status);
        if (status < 0)
            rc = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    if (rc)
        return sl_refuse(rc, "a command failed");
    for (cl_uint i = 0; i < count && !rc; i++)
        rc = list[i]->queue ? sl_queue_lost(list[i]->queue) : CL_SUCCESS;
    return rc;
}

/* ---- references ------------------------------------------------------------------------------ */

cl_int sl_clRetainEvent(cl_event event)
{
    return sl_retain(event, &sl_event_type);
}

static void end_user_event(cl_event event, cl_int status)
{
    sl_wait_user_event_set(event);
    sl_command_finish(event, status);
}

cl_int sl_clReleaseEvent(cl_event event)
{
    if (!sl_valid(event, &sl_event_type) || event->how != SL_HOW_USER ||
        atomic_load_explicit(&event->user_set, memory_order_relaxed))
        return sl_release(event, &sl_event_type);
    sl_hold(event);
    cl_int rc = sl_release(event, &sl_event_type);
    /* Nobody can set it any more: whoever waits for it would wait for ever. */
    if (!rc && !sl_api_refs(event) && !atomic_exchange(&event->user_set, true))
        end_user_event(event, CL_INVALID_EVENT);
    sl_drop(event);
    return rc;
}

/* ---- user events ----------------------------------------------------------------------------- */

static cl_int create_user_event(cl_context context, cl_event *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_event e = sl_object_new(&sl_event_type);
    if (!e)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for an event");
    sl_event_prepare(e);
    e->context = sl_hold(context);
    e->type = CL_COMMAND_USER;
    e->how = SL_HOW_USER;
    atomic_init(&e->waits, 1);
    atomic_init(&e->status, CL_SUBMITTED);
    sl_hold(e); /* its own, until the status is set */
    sl_wait_user_event_made(e);
    *out = e;
    return CL_SUCCESS;
}

cl_event sl_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    cl_event event = NULL;
    cl_int rc = create_user_event(context, &event);
    if (errcode_ret)
        *errcode_ret = rc;
    return event;
}

cl_int sl_clSetUserEventStatus(cl_event event, cl_int status)
{
    if (!sl_valid(event, &sl_event_type) || event->how != SL_HOW_USER)
        return sl_refuse(CL_INVALID_EVENT, "not a valid user event");
    if (status > CL_COMPLETE)
        return sl_refuse(CL_INVALID_VALUE, "status %d is not CL_COMPLETE or an error", status);
    if (atomic_exchange(&event->user_set, true))
        return sl_refuse(CL_INVALID_OPERATION, "the status was set before");
    end_user_event(event, status);
    return CL_SUCCESS;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

/* Programs poll this in a loop without ever flushing the queue. */
static void answer_status(const void *object, struct sl_answer *a)
{
    cl_event e = (cl_event)(uintptr_t)object;
    cl_int status = status_of(e);
    if (status > CL_COMPLETE && e->queue) {
        sl_queue_flush(e->queue);
        status = status_of(e);
        if (status > CL_COMPLETE)
            sl_wait_asks(e->context, e);
    }
    SL_ANSWER(a, cl_int, status);
}

static const struct sl_info_row event_rows[] = {
    SL_VALUE(CL_EVENT_COMMAND_QUEUE, struct _cl_event, queue),
    SL_VALUE(CL_EVENT_CONTEXT, struct _cl_event, context),
    SL_VALUE(CL_EVENT_COMMAND_TYPE, struct _cl_event, type),
    SL_CALL(CL_EVENT_COMMAND_EXECUTION_STATUS, answer_status),
    SL_CALL(CL_EVENT_REFERENCE_COUNT, answer_refs),
};

cl_int sl_clGetEventInfo(cl_event event, cl_event_info key, size_t cap, void *out, size_t *need)
{
    if (!sl_valid(event, &sl_event_type))
        return sl_refuse(CL_INVALID_EVENT, "not a valid event");
    cl_int rc = sl_info(event_rows, SL_LEN(event_rows), event, key, cap, out, need);
    if (!rc && out && key == CL_EVENT_COMMAND_EXECUTION_STATUS) {
        cl_int status;
        memcpy(&status, out, sizeof status);
        sl_failure_told(event, status);
    }
    sl_heard_now();
    return rc;
}

static const struct sl_info_row profiling_rows[] = {
    SL_VALUE(CL_PROFILING_COMMAND_QUEUED, struct _cl_event, when_ns[SL_TIME_QUEUED]),
    SL_VALUE(CL_PROFILING_COMMAND_SUBMIT, struct _cl_event, when_ns[SL_TIME_SUBMITTED]),
    SL_VALUE(CL_PROFILING_COMMAND_START, struct _cl_event, when_ns[SL_TIME_STARTED]),
    SL_VALUE(CL_PROFILING_COMMAND_END, struct _cl_event, when_ns[SL_TIME_ENDED]),
    SL_VALUE(CL_PROFILING_COMMAND_COMPLETE, struct _cl_event, when_ns[SL_TIME_COMPLETE]),
};

cl_int sl_clGetEventProfilingInfo(cl_event event, cl_profiling_info key, size_t cap, void *out,
                                  size_t *need)
{
    if (!sl_valid(event, &sl_event_type))
        return sl_refuse(CL_INVALID_EVENT, "not a valid event");
    if (!event->queue || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE))
        return sl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE, "the queue does not profile");
    if (status_of(event) != CL_COMPLETE)
        return sl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE, "the command is not complete");
    sl_heard_now();
    return sl_info(profiling_rows, SL_LEN(profiling_rows), event, key, cap, out, need);
}
