/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a command until it is handed over: creation, what it holds, its wait list. What it
 * has is its maker's alone until sl_command_submit.
 */
#include "commands/queue/command.h"
#include "base/thread/clock.h"
#include "base/thread/fork.h"
#include "commands/queue/command_heard.h"

#include "base/log/error.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "commands/queue/command_order.h"
#include "commands/queue/command_trace.h"
#include "commands/queue/event.h"
#include "commands/queue/failure_told.h"
#include "commands/queue/native_scope.h"
#include "commands/queue/queue.h"
#include "commands/queue/start.h"
#include "platform/context.h"
#include "platform/platform.h"

enum { ARGS_ALIGN = 128, ARGS_KEEP_BYTES = 4096, HELD_MIN = 8 };

void sl_command_drop_held(cl_event e)
{
    for (uint32_t i = 0; i < e->held_count; i++)
        sl_drop(e->held[i]);
    e->held_count = 0;
}

static void trim_kept(cl_event e)
{
    if (e->args_cap > ARGS_KEEP_BYTES) {
        sl_free(e->args_memory);
        e->args = e->args_memory = NULL;
        e->args_cap = 0;
    }
    if (e->more_edges_cap > 1024) {
        sl_free(e->more_edges);
        e->more_edges = NULL;
        e->more_edges_cap = 0;
    }
}

static void event_destroy(struct sl_object *object)
{
    cl_event e = (cl_event)object;
    sl_command_drop_held(e);
    trim_kept(e);
    if (e->queue)
        sl_drop(e->queue); /* last: it may be the end of all the rest */
    else
        sl_drop(e->context);
}

static void event_released(struct sl_object *object)
{
    sl_failure_unasked((cl_event)object);
}

static struct sl_object_pool event_pool = SL_OBJECT_POOL;
const struct sl_type sl_event_type = {.name = "event",
                                      .invalid = CL_INVALID_EVENT,
                                      .size = sizeof(struct _cl_event),
                                      .destroy = event_destroy,
                                      .released = event_released,
                                      .pool = &event_pool,
                                      .kept = offsetof(struct _cl_event, work)};

cl_int sl_command_create(cl_command_queue queue, cl_command_type type, enum sl_command_how how,
                         cl_event *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_event e = sl_object_new(&sl_event_type);
    if (!e)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a command");
    e->queue = sl_hold(queue);
    e->context = queue->context;
    e->type = type;
    e->how = how;
    e->step.command = e;
    e->work.next = NULL;
    sl_event_prepare(e);
    atomic_init(&e->waits, 1);
    e->caller_runs = SL_QUEUE_CALLER_RUNS(queue);
    atomic_init(&e->status, CL_QUEUED);
    e->timed = queue->properties & CL_QUEUE_PROFILING_ENABLE || sl_timeline_enabled();
    if (e->timed)
        e->when_ns[SL_TIME_QUEUED] = sl_now_ns();
    sl_hold(e); /* the command's own, until it has finished */
    *out = e;
    return CL_SUCCESS;
}

cl_int sl_command_keep(cl_event e, void *object)
{
    if (!object)
        return CL_SUCCESS;
    if (e->held_count == e->held_cap) {
        uint32_t cap = e->held_cap ? e->held_cap * 2 : HELD_MIN;
        void **grown = sl_realloc(e->held, cap * sizeof *grown);
        if (!grown)
            return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %u holds", cap);
        e->held = grown;
        e->held_cap = cap;
    }
    e->held[e->held_count++] = sl_hold(object);
    return CL_SUCCESS;
}

cl_int sl_command_args(cl_event e, size_t bytes)
{
    if (bytes <= e->args_cap)
        return CL_SUCCESS;
    if (bytes > SIZE_MAX - 2 * ARGS_ALIGN)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "%zu bytes of arguments", bytes);
    size_t cap = (bytes + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
    void *memory = sl_alloc(cap + ARGS_ALIGN);
    if (!memory)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of arguments", bytes);
    sl_free(e->args_memory);
    e->args_memory = memory;
    e->args = (void *)(((uintptr_t)memory + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN);
    e->args_cap = cap;
    return CL_SUCCESS;
}

void sl_command_abandon(cl_event e)
{
    sl_command_drop_held(e);
    sl_drop(e);
    sl_discard(e);
}

cl_int sl_check_wait_list(cl_context context, cl_uint wait_count, const cl_event *wait_list)
{
    if (!wait_count != !wait_list)
        return sl_refuse(CL_INVALID_EVENT_WAIT_LIST, "%u events, list %p", wait_count,
                         (const void *)wait_list);
    for (cl_uint i = 0; i < wait_count; i++)
        if (!sl_valid(wait_list[i], &sl_event_type))
            return sl_refuse(CL_INVALID_EVENT_WAIT_LIST, "event %u is not valid", i);
    for (cl_uint i = 0; i < wait_count; i++)
        if (wait_list[i]->context != context)
            return sl_refuse(CL_INVALID_CONTEXT, "event %u belongs to another context", i);
    return CL_SUCCESS;
}

cl_int sl_check_intact_list(cl_context context, cl_uint wait_count, const cl_event *wait_list)
{
    cl_int rc = sl_check_wait_list(context, wait_count, wait_list);
    for (cl_uint i = 0; i < wait_count && !rc; i++)
        if (atomic_load_explicit(&wait_list[i]->status, memory_order_acquire) < 0) {
            sl_failure_told(wait_list[i], wait_list[i]->result);
            rc = sl_refuse(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event %u failed", i);
        }
    return rc;
}

/* Work of another queue may be held back by its work queue until somebody waits there: nobody will.
 */
static void add_listed_edges(cl_event e, cl_uint wait_count, const cl_event *wait_list)
{
    for (cl_uint i = 0; i < wait_count; i++) {
        const bool waits = sl_edge_add(wait_list[i], e, true);
        if (waits && wait_list[i]->queue && wait_list[i]->queue != e->queue)
            sl_queue_flush(wait_list[i]->queue);
        else if (!waits)
            atomic_store_explicit(&e->heard_ns, UINT64_MAX, memory_order_relaxed);
    }
}

static cl_int wait_for_end(cl_event e)
{
    cl_int status = sl_event_wait(e, NULL);
    if (status < 0)
        return sl_refuse_known(status, "the command failed");
    return sl_queue_lost(e->queue);
}

/* On the calling thread, and on no other: it keeps the command in the making until all that comes
 * before has ended, so that who ends the last of that does not start it. */
static void run_here(cl_event e, cl_uint wait_count, const cl_event *wait_list)
{
    for (cl_uint i = 0; i < wait_count; i++)
        sl_event_wait(wait_list[i], NULL);
    sl_event_await_turn(e);
    sl_start_here(e);
}

/* One of them is a native command whose function has not returned. */
static bool any_in_function(cl_uint wait_count, const cl_event *wait_list)
{
    for (cl_uint i = 0; i < wait_count; i++)
        if (wait_list[i]->type == CL_COMMAND_NATIVE_COMMAND_SLUICE &&
            wait_list[i]->how == SL_HOW_HOST && atomic_load(&wait_list[i]->u.native.caller))
            return true;
    return false;
}

static bool any_waits_for_caller(cl_uint wait_count, const cl_event *wait_list)
{
    bool any = false;
    for (cl_uint i = 0; i < wait_count && !any; i++)
        any = sl_event_waits_for_caller(wait_list[i]);
    return any;
}

/* The application does not want the event, so only the command itself holds it. */
static void keep_from_caller(cl_event e)
{
    sl_failure_unasked(e);
    sl_discard(e);
}

/* A place among the commands of its queue, with room for what it waits for. */
static cl_int enter_queue(cl_event e, cl_uint wait_count, const cl_event *wait_list, bool blocking)
{
    if (any_in_function(wait_count, wait_list))
        return sl_refuse(CL_INVALID_OPERATION,
                         "it would wait for a native command whose function has not returned");
    if ((blocking || e->caller_runs) && any_waits_for_caller(wait_count, wait_list))
        return sl_refuse(CL_INVALID_OPERATION, "a native command's function must not wait");
    if (e->queue->scope)
        return sl_native_scope_admit(e, wait_count, blocking);
    return sl_edge_enter_queue(e, wait_count)
               ? CL_SUCCESS
               : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the command's dependencies");
}

cl_int sl_command_submit(cl_event e, cl_uint wait_count, const cl_event *wait_list, bool blocking,
                         cl_event *event)
{
    return sl_command_submit_or_refuse(e, wait_count, wait_list, blocking, event, NULL);
}

/* A native command is known to the application before it is submitted, by its completion. */
static bool is_known(cl_event e)
{
    return e->type == CL_COMMAND_NATIVE_COMMAND_SLUICE && sl_api_refs(e) > 1;
}

static cl_int refuse(cl_event e, cl_int rc)
{
    if (is_known(e)) {
        sl_edge_enter_failed(e);
        sl_failure_told(e, rc);
        sl_command_finish(e, rc);
        sl_release(e, &sl_event_type);
        return rc;
    }
    e->result = rc;
    if (e->on_finish)
        e->on_finish(e);
    sl_command_abandon(e);
    return rc;
}

cl_int sl_command_submit_behind(cl_event e, cl_event before)
{
    cl_int entered = enter_queue(e, 1, &before, false);
    if (entered)
        return refuse(e, entered);
    sl_command_trace(e, SL_STEP_QUEUED, 0);
    sl_heard_enqueued(e);
    if (sl_edge_add(before, e, false))
        sl_queue_flush(before->queue);
    keep_from_caller(e);
    if (atomic_fetch_sub_explicit(&e->waits, 1, memory_order_acq_rel) == 1)
        sl_start(e);
    return CL_SUCCESS;
}

cl_int sl_command_submit_or_refuse(cl_event e, cl_uint wait_count, const cl_event *wait_list,
                                   bool blocking, cl_event *event, bool *refused)
{
    cl_int entered = enter_queue(e, wait_count, wait_list, blocking);
    if (refused)
        *refused = entered;
    if (entered)
        return refuse(e, entered);
    blocking |= e->caller_runs;
    sl_command_trace(e, SL_STEP_QUEUED, 0);
    sl_heard_enqueued(e);
    add_listed_edges(e, wait_count, wait_list);
    if (e->queue->scope)
        add_listed_edges(e, 1, &e->queue->scope->gate);
    if (!event && !blocking)
        keep_from_caller(e);
    else if (event && !blocking)
        *event = e;
    if (e->caller_runs)
        run_here(e, wait_count, wait_list);
    else if (atomic_fetch_sub_explicit(&e->waits, 1, memory_order_acq_rel) == 1)
        sl_start(e);
    if (!blocking)
        return CL_SUCCESS;
    cl_int rc = wait_for_end(e);
    if (event && !rc)
        *event = e;
    else
        sl_discard(e);
    return rc;
}
