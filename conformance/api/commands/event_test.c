/* SPDX-License-Identifier: Apache-2.0 */
/* Events: user events, callbacks, wait lists with failed and foreign events, profiling. */
#include "cl_help.h"

#include <stdatomic.h>
#include <stdint.h>

static char bytes[4096];

static cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}

/* A small write that waits for an event. */
static cl_event gated(cl_command_queue queue, cl_mem mem, cl_event gate)
{
    cl_event event = NULL;
    REQUIRE_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 16, bytes, gate ? 1 : 0,
                                    gate ? &gate : NULL, &event));
    return event;
}

static void until(atomic_int *value, int want)
{
    for (double end = now_seconds() + 10; *value < want && now_seconds() < end;)
        ;
    CHECK_EQ(*value, want);
}

static void info(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event event = gated(cl.queue, mem, NULL), user = user_event();
    cl_command_queue queue = NULL;
    cl_context context = NULL;
    cl_command_type type = 0;
    cl_uint refs = 0;
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(queue == cl.queue);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_WRITE_BUFFER);
    CHECK_EQ(event_status(event), CL_COMPLETE);
    CHECK_OK(clRetainEvent(event));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK(refs >= 2);
    RELEASE_EVENT(event);
    CHECK_OK(clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_USER);
    CHECK_OK(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(!queue);
    CHECK_EQ(event_status(user), CL_SUBMITTED);
    FAILS(CL_INVALID_VALUE, clGetEventInfo(event, 0x7777, sizeof type, &type, NULL));
    FAILS(CL_INVALID_VALUE, clGetEventInfo(event, CL_EVENT_CONTEXT, 1, &context, NULL));
    WRONG(CL_INVALID_EVENT,
          clGetEventInfo((cl_event)mem, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    WRONG(CL_INVALID_EVENT, clRetainEvent((cl_event)mem));
    WRONG(CL_INVALID_EVENT, clReleaseEvent((cl_event)mem));
    RELEASE_EVENT(event);
    RELEASE_EVENT(user);
    RELEASE_MEM(mem);
}

static void user_event_gates(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event gate = user_event(), event = gated(cl.queue, mem, gate);
    CHECK_OK(clFlush(cl.queue));
    for (double end = now_seconds() + 0.05; now_seconds() < end;)
        ;
    CHECK(event_status(event) == CL_QUEUED || event_status(event) == CL_SUBMITTED);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    RELEASE_MEM(mem);
}

static void user_event_errors(void)
{
    cl_event user = user_event();
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event event = gated(cl.queue, mem, NULL);
    CHECK_OK(clFinish(cl.queue));
    FAILS(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
    FAILS(CL_INVALID_VALUE, clSetUserEventStatus(user, 77));
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    FAILS(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
    FAILS(CL_INVALID_OPERATION, clSetUserEventStatus(user, -5));
    FAILS(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
    WRONG(CL_INVALID_EVENT, clSetUserEventStatus((cl_event)mem, CL_COMPLETE));
    CREATE_WRONG(CL_INVALID_CONTEXT, clCreateUserEvent((cl_context)mem, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateUserEvent(NULL, ERR));
    RELEASE_EVENT(event);
    RELEASE_EVENT(user);
    RELEASE_MEM(mem);
}

static void failed_later(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = user_event(), first = gated(queue, mem, gate),
             second = gated(queue, mem, first);
    CHECK_OK(clSetUserEventStatus(gate, -5));
    CHECK_EQ(clWaitForEvents(1, &gate), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clWaitForEvents(1, &first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(gate), -5);
    CHECK(event_status(first) < 0);
    CHECK(event_status(second) < 0);
    CHECK_OK(clFinish(queue));
    RELEASE_EVENT(first);
    RELEASE_EVENT(second);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(mem);
}

static void failed_before(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = user_event();
    CHECK_OK(clSetUserEventStatus(gate, -7));
    cl_event event = gated(queue, mem, gate);
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(event_status(event) < 0);
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 16, bytes, 1, &gate, NULL));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 16, bytes, 1, &gate, NULL));
    CREATE_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                 clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, 16, 1, &gate, NULL, ERR));
    CHECK_OK(clFinish(queue));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(mem);
}

static atomic_int seen[4], wrong_status, callbacks;

static void CL_CALLBACK on_state(cl_event event, cl_int status, void *user)
{
    int want = (int)(intptr_t)user;
    (void)event;
    atomic_fetch_add(&seen[want], 1);
    if (status != want)
        atomic_fetch_add(&wrong_status, 1);
    atomic_fetch_add(&callbacks, 1);
}

static void callback_per_state(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event gate = user_event(), event = gated(cl.queue, mem, gate);
    callbacks = wrong_status = 0;
    seen[CL_COMPLETE] = seen[CL_RUNNING] = seen[CL_SUBMITTED] = 0;
    CHECK_OK(clSetEventCallback(event, CL_SUBMITTED, on_state, (void *)(intptr_t)CL_SUBMITTED));
    CHECK_OK(clSetEventCallback(event, CL_RUNNING, on_state, (void *)(intptr_t)CL_RUNNING));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_state, (void *)(intptr_t)CL_COMPLETE));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_state, (void *)(intptr_t)CL_COMPLETE));
    CHECK_EQ(seen[CL_COMPLETE], 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(cl.queue));
    until(&callbacks, 4);
    CHECK_EQ(seen[CL_SUBMITTED], 1);
    CHECK_EQ(seen[CL_RUNNING], 1);
    CHECK_EQ(seen[CL_COMPLETE], 2);
    CHECK_EQ(wrong_status, 0);
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_state, (void *)(intptr_t)CL_COMPLETE));
    until(&callbacks, 5);
    FAILS(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clSetEventCallback(event, 77, on_state, NULL));
    FAILS(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, on_state, NULL));
    WRONG(CL_INVALID_EVENT, clSetEventCallback((cl_event)mem, CL_COMPLETE, on_state, NULL));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    RELEASE_MEM(mem);
}

static atomic_int last_status;

static void CL_CALLBACK keep_status(cl_event event, cl_int status, void *user)
{
    (void)event;
    last_status = status;
    atomic_fetch_add((atomic_int *)user, 1);
}

static void callback_of_failed(void)
{
    atomic_int done = 0;
    cl_event user = user_event();
    CHECK_OK(clSetEventCallback(user, CL_COMPLETE, keep_status, &done));
    CHECK_OK(clSetUserEventStatus(user, -9));
    until(&done, 1);
    CHECK_EQ(last_status, -9);
    RELEASE_EVENT(user);
}

static void CL_CALLBACK open_gate(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    CHECK_OK(clSetUserEventStatus((cl_event)user, CL_COMPLETE));
}

static void callback_may_set_user_event(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event gate = user_event(), inner = user_event();
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event first = gated(queue, mem, gate), second = gated(queue, mem, inner);
    CHECK_OK(clSetEventCallback(first, CL_COMPLETE, open_gate, inner));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &second));
    RELEASE_EVENT(first);
    RELEASE_EVENT(second);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(inner);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(mem);
}

static void wait_errors(void)
{
    cl_event user = user_event(), none = NULL;
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    FAILS(CL_INVALID_VALUE, clWaitForEvents(0, &user));
    FAILS(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    FAILS(CL_INVALID_EVENT, clWaitForEvents(1, &none));
    cl_context away = new_context();
    cl_int rc;
    cl_event foreign = clCreateUserEvent(away, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetUserEventStatus(foreign, CL_COMPLETE));
    const cl_event mixed[] = {user, foreign}, twice[] = {user, user};
    FAILS(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
    CHECK_OK(clWaitForEvents(2, twice));
    cl_mem mem = new_buffer(0, 64, NULL);
    FAILS(CL_INVALID_CONTEXT,
          clEnqueueReadBuffer(cl.queue, mem, 1, 0, 4, bytes, 1, &foreign, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(cl.queue, 1, &foreign, NULL));
    FAILS(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(cl.queue, 1, &foreign, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueReadBuffer(cl.queue, mem, 1, 0, 4, bytes, 1, &none, NULL));
    cl_event wrong = (cl_event)mem;
    WRONG(CL_INVALID_EVENT, clWaitForEvents(1, &wrong));
    RELEASE_MEM(mem);
    RELEASE_EVENT(foreign);
    RELEASE_EVENT(user);
    RELEASE_CONTEXT(away);
}

static void profiling(void)
{
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_event gate = user_event(), event = gated(cl.queue, mem, gate);
    cl_ulong t[4] = {0};
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, names[3], sizeof *t, t, NULL));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    size_t size = 0;
    for (int i = 0; i < 4; i++)
        CHECK_OK(clGetEventProfilingInfo(event, names[i], sizeof t[i], &t[i], &size));
    CHECK_EQ(size, sizeof *t);
    CHECK(t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]);
    FAILS(CL_INVALID_VALUE, clGetEventProfilingInfo(event, 0x7777, sizeof *t, t, NULL));
    FAILS(CL_INVALID_VALUE, clGetEventProfilingInfo(event, names[0], 4, t, NULL));
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(gate, names[0], sizeof *t, t, NULL));
    RELEASE_EVENT(event);
    cl_command_queue plain = new_queue(0);
    event = gated(plain, mem, NULL);
    CHECK_OK(clFinish(plain));
    FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, names[0], sizeof *t, t, NULL));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(plain);
    RELEASE_MEM(mem);
}

/* The last of 5000 commands, each waiting for the one before it. */
static cl_event chain_behind(cl_command_queue queue, cl_mem mem, cl_event gate)
{
    cl_event last = gate;
    CHECK_OK(clRetainEvent(gate));
    for (int i = 0; i < 5000; i++) {
        cl_event next = gated(queue, mem, last);
        RELEASE_EVENT(last);
        last = next;
    }
    return last;
}

static void deep_chain(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = user_event(), last = chain_behind(queue, mem, gate);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &last));
    RELEASE_EVENT(last);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(mem);
}

static void deep_chain_failing(void)
{
    cl_mem mem = new_buffer(0, sizeof bytes, NULL);
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = user_event(), last = chain_behind(queue, mem, gate);
    CHECK_OK(clSetUserEventStatus(gate, -3));
    CHECK_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clFinish(queue));
    RELEASE_EVENT(last);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(mem);
}

/* What waits for a command in its queue, or by its event from another one, finds it ended. */
static void ended_for_all(void)
{
    cl_kernel kernel =
        new_kernel("kernel void k(global int *x)\n{\n    for (int i = 0; i < 2000; i++)\n"
                   "        x[0] = x[0] * 3 + i;\n}\n",
                   "k", NULL);
    cl_int value = 1, status;
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof value, &value);
    cl_command_queue other = new_queue(0);
    ARG(kernel, 0, buffer);
    for (int i = 0; i < 4000; i++) {
        size_t one = 1;
        cl_event event;
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
        CHECK_OK(clFlush(cl.queue));
        CHECK_OK(clEnqueueReadBuffer(i % 2 ? other : cl.queue, buffer, CL_TRUE, 0, sizeof value,
                                     &value, i % 2, i % 2 ? &event : NULL, NULL));
        CHECK_OK(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        REQUIRE(CHECK_EQ(status, CL_COMPLETE));
        RELEASE_EVENT(event);
    }
    RELEASE_QUEUE(other);
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(info),
    CASE(user_event_gates),
    CASE(user_event_errors),
    CASE(failed_later),
    CASE(failed_before),
    CASE(callback_per_state),
    CASE(callback_of_failed),
    CASE(callback_may_set_user_event),
    CASE(wait_errors),
    CASE(profiling),
    CASE(deep_chain),
    CASE(deep_chain_failing),
    CASE(ended_for_all),
};
TEST_MAIN("event", cases)
