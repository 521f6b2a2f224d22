/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_native_command (CL/cl_ext_sluice_native_command.h). Three things stand for one command:
 * the gate, which has its place in the queue and its wait list; the commands of the function's own
 * queue, which wait for the gate (native_scope.h); and the command, which waits for all of these.
 * No lock.
 */
#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/heard.h"
#include "commands/enqueue/tail.h"
#include "commands/queue/command.h"
#include "commands/queue/native_scope.h"
#include "commands/queue/queue.h"
#include "memory/buffer.h"

/* u.native.completion: nobody waits for it yet, the command does, it was given, it is of no use. */
enum { NOBODY, AWAITED, DONE, CLOSED };

struct call { /* as given */
    sluice_native_fn function;
    void(CL_CALLBACK *destructor)(void *);
    void *user_data;
    cl_uint mem_count;
    const cl_mem *mems;
    const cl_mem_flags *access;
};

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_call(const struct call *call)
{
    if (!call->function)
        return sl_refuse(CL_INVALID_VALUE, "no function");
    if (!call->mem_count != !call->mems || !call->mem_count != !call->access)
        return sl_refuse(CL_INVALID_VALUE, "%u objects, lists %p and %p", call->mem_count,
                         (const void *)call->mems, (const void *)call->access);
    for (cl_uint i = 0; i < call->mem_count; i++)
        if (call->access[i] != CL_MEM_READ_ONLY && call->access[i] != CL_MEM_WRITE_ONLY &&
            call->access[i] != CL_MEM_READ_WRITE)
            return sl_refuse(CL_INVALID_VALUE, "access %u is not one to read, to write or both", i);
    return CL_SUCCESS;
}

static cl_int check_mems(cl_command_queue queue, const struct call *call)
{
    for (cl_uint i = 0; i < call->mem_count; i++) {
        cl_int rc = sl_check_buffer(queue->context, call->mems[i]);
        if (rc)
            return rc;
        if (!call->mems[i]->host)
            return sl_refuse(CL_OUT_OF_RESOURCES, "buffer %u has no host address", i);
    }
    return CL_SUCCESS;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void end(cl_event e)
{
    cl_int given = e->u.native.pending ? atomic_load(&e->u.native.given) : CL_SUCCESS;
    sl_command_finish(e, e->u.native.result ? e->u.native.result : given);
}

/* From the first start to the last end among its commands, once its dependencies were met. Where it
 * has failed they may still be running. */
static void settle_times(cl_event e)
{
    uint64_t start = UINT64_MAX, last = 0, *when = e->when_ns;
    if (!e->timed || !e->u.native.command_count || e->result < 0)
        return;
    cl_event *commands = (cl_event *)(void *)(e->held + e->u.native.first_command);
    uint64_t gate = commands[0]->when_ns[SL_TIME_COMPLETE];
    for (uint32_t i = 1; i < e->u.native.command_count; i++) {
        const uint64_t *its = commands[i]->when_ns;
        if (its[SL_TIME_STARTED] && its[SL_TIME_STARTED] < start)
            start = its[SL_TIME_STARTED];
        if (its[SL_TIME_ENDED] > last)
            last = its[SL_TIME_ENDED];
    }
    if (start == UINT64_MAX)
        return;
    when[SL_TIME_SUBMITTED] = gate > when[SL_TIME_QUEUED] ? gate : when[SL_TIME_QUEUED];
    when[SL_TIME_STARTED] = start > when[SL_TIME_SUBMITTED] ? start : when[SL_TIME_SUBMITTED];
    if (!e->u.native.pending)
        when[SL_TIME_ENDED] = last > when[SL_TIME_STARTED] ? last : when[SL_TIME_STARTED];
}

static cl_int keep_mems(cl_event e, const struct call *call)
{
    cl_int rc = sl_command_args(e, call->mem_count * sizeof(void *));
    for (cl_uint i = 0; !rc && i < call->mem_count; i++) {
        ((void **)e->args)[i] = call->mems[i]->host;
        rc = sl_command_keep(e, call->mems[i]);
    }
    e->args_used = rc ? 0 : call->mem_count * sizeof(void *);
    return rc;
}

static cl_int create(cl_command_queue queue, const struct call *call, cl_event *out)
{
    cl_int rc = sl_command_create(queue, CL_COMMAND_NATIVE_COMMAND_SLUICE, SL_HOW_HOST, out);
    if (rc)
        return rc;
    cl_event e = *out;
    e->host_run = end;
    e->on_finish = settle_times;
    atomic_init(&e->u.native.caller, 0);
    atomic_init(&e->u.native.completion, NOBODY);
    rc = keep_mems(e, call);
    if (rc)
        sl_command_abandon(e);
    return rc;
}

/* What has its place among the queue's commands and waits for the list. */
static cl_int submit_gate(cl_command_queue queue, const struct sl_tail *tail, cl_event *out)
{
    cl_event e;
    cl_int rc = sl_command_create(queue, CL_COMMAND_NATIVE_COMMAND_SLUICE, SL_HOW_NOTHING, &e);
    return rc ? rc : sl_command_submit(e, tail->wait_count, tail->wait_list, false, out);
}

/* ---- completion from anywhere ---------------------------------------------------------------- */

/* What the command's own completion is waited for with, held, for whoever completes lets go of it
 * from then on; NULL: it is not, or it has been given. */
static cl_event await_completion(cl_event e)
{
    int before = NOBODY;
    cl_int rc;
    cl_event pending = sl_clCreateUserEvent(e->context, &rc);
    if (!pending) {
        e->u.native.result = rc;
        atomic_store(&e->u.native.completion, CLOSED);
        return NULL;
    }
    e->u.native.pending = sl_hold(pending);
    sl_retain(e, &sl_event_type); /* until it is completed */
    if (atomic_compare_exchange_strong(&e->u.native.completion, &before, AWAITED))
        return pending;
    sl_clSetUserEventStatus(pending, CL_COMPLETE); /* it came before the function returned */
    sl_clReleaseEvent(pending);
    sl_drop(pending);
    sl_release(e, &sl_event_type);
    return NULL;
}

/* False: the function has returned and does not want it. */
static bool take_completion(cl_event e, int *before)
{
    *before = atomic_load(&e->u.native.completion);
    while (*before != CLOSED)
        if (atomic_compare_exchange_weak(&e->u.native.completion, before, DONE))
            return true;
    return false;
}

static cl_int refuse_completion(void)
{
    return sl_refuse(CL_INVALID_OPERATION, "the command does not wait for its completion");
}

cl_int sl_clCompleteNativeCommandSLUICE(cl_event e, cl_int status)
{
    if (!sl_valid(e, &sl_event_type) || e->type != CL_COMMAND_NATIVE_COMMAND_SLUICE ||
        e->how != SL_HOW_HOST)
        return sl_refuse(CL_INVALID_EVENT, "not a native command");
    if (status > CL_COMPLETE)
        return sl_refuse(CL_INVALID_VALUE, "status %d is not CL_COMPLETE or an error", status);
    if (atomic_load(&e->u.native.completion) == CLOSED ||
        atomic_exchange(&e->u.native.claimed, true))
        return refuse_completion();
    atomic_store(&e->u.native.given, status);
    sl_hold(e);
    int before;
    bool taken = take_completion(e, &before);
    if (before == AWAITED) {
        cl_event pending = e->u.native.pending;
        sl_clSetUserEventStatus(pending, CL_COMPLETE);
        sl_clReleaseEvent(pending);
        sl_release(e, &sl_event_type);
    }
    sl_drop(e);
    return taken ? CL_SUCCESS : refuse_completion();
}

/* ---- the call -------------------------------------------------------------------------------- */

static cl_int call_function(const struct call *call, const sluice_interop_handle *handle)
{
    sl_native_function_begins();
    cl_int answer = call->function(handle, call->user_data);
    sl_native_function_ends();
    return answer;
}

static cl_int run_function(const struct call *call, cl_event gate, cl_event e,
                           cl_command_queue scoped)
{
    const sluice_interop_handle handle = {sizeof handle,
                                          scoped,
                                          scoped->device,
                                          scoped->context,
                                          call->mem_count,
                                          e->args_used ? e->args : NULL,
                                          e};
    /* One of the wait list has failed: nothing would come of it. */
    bool failed = atomic_load_explicit(&gate->status, memory_order_acquire) < 0;
    atomic_store(&e->u.native.caller, (uintptr_t)pthread_self());
    sl_heard_now();
    cl_int answer = failed ? CL_SUCCESS : call_function(call, &handle);
    sl_native_scope_close(scoped->scope);
    if (call->destructor)
        call->destructor(call->user_data);
    atomic_store(&e->u.native.caller, 0); /* the destructor must not wait for it either */
    return answer;
}

/* Their times are the command's: of as many as there is memory for. */
static void keep_commands(cl_event e, const struct sl_native_scope *scope)
{
    e->u.native.first_command = e->held_count;
    for (cl_uint i = 0; e->timed && i < scope->count; i++)
        if (sl_command_keep(e, scope->commands[i]))
            return;
        else
            e->u.native.command_count++;
}

/* With what a function ends that does not wait for its completion: its own failure, or else the one
 * that was given meanwhile, to somebody who was told that it counts. */
static cl_int close_completion(cl_event e, cl_int answer)
{
    bool given = atomic_exchange(&e->u.native.completion, CLOSED) == DONE;
    if (answer > CL_SUCCESS)
        return CL_INVALID_VALUE;
    return answer || !given ? answer : atomic_load(&e->u.native.given);
}

/* The command goes to its queue, behind all that the function enqueued. Whoever is to complete it
 * has a reference of the application's, which submitting without an event would take away. */
static cl_int submit(cl_event e, cl_int answer, struct sl_native_scope *scope, cl_event *event)
{
    keep_commands(e, scope);
    cl_event pending = answer == SLUICE_NATIVE_PENDING ? await_completion(e) : NULL;
    if (answer != SLUICE_NATIVE_PENDING)
        e->u.native.result = close_completion(e, answer);
    if (pending && !sl_native_scope_add(scope, pending))
        e->u.native.result = CL_OUT_OF_HOST_MEMORY;
    if (pending)
        sl_drop(pending);
    cl_event own;
    cl_int rc = sl_command_submit(e, scope->count, scope->commands, false, event ? event : &own);
    if (!rc && !event)
        sl_release(own, &sl_event_type);
    sl_native_scope_forget(scope);
    return rc;
}

/* Of the application's references only those that it made itself stay; it may have released ours.
 */
static void let_go(cl_command_queue scoped)
{
    for (int ours = 2; ours && sl_api_refs(scoped); ours--)
        sl_release(scoped, &sl_queue_type);
    sl_drop(scoped);
}

static cl_int enqueue(cl_command_queue queue, const struct call *call, const struct sl_tail *tail)
{
    cl_event gate, e;
    cl_command_queue scoped;
    cl_int rc = create(queue, call, &e);
    if (rc)
        return rc;
    if ((rc = submit_gate(queue, tail, &gate))) {
        sl_command_abandon(e);
        return rc;
    }
    rc = sl_native_scope_create(queue, gate, &scoped);
    if (rc) {
        sl_command_abandon(e);
    } else {
        sl_hold(scoped);
        sl_retain(scoped, &sl_queue_type); /* that the function may release, and go on */
        cl_int answer = run_function(call, gate, e, scoped);
        rc = submit(e, answer, scoped->scope, tail->event);
        sl_queue_flush(scoped);
        let_go(scoped);
    }
    sl_discard(gate);
    return rc;
}

cl_int sl_clEnqueueNativeCommandSLUICE(cl_command_queue queue, sluice_native_fn function,
                                       void(CL_CALLBACK *destructor)(void *), void *user_data,
                                       cl_uint mem_count, const cl_mem *mems,
                                       const cl_mem_flags *access, cl_uint wait_count,
                                       const cl_event *wait_list, cl_event *event)
{
    const struct call call = {function, destructor, user_data, mem_count, mems, access};
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = sl_tail_check_queue(queue, &tail);
    if (!rc)
        rc = check_call(&call);
    if (!rc)
        rc = check_mems(queue, &call);
    if (!rc)
        rc = sl_tail_check(queue, &tail);
    return rc ? rc : enqueue(queue, &call, &tail);
}
