/* SPDX-License-Identifier: Apache-2.0 */
/* Order of commands: in-order and out-of-order queues, markers, barriers, two queues. */
#include "cl_help.h"

static const char source[] = "kernel void advance(global uint *x, uint by)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    x[i] = x[i] * 3u + by;\n"
                             "}\n";
enum { COUNT = 1024, STEPS = 200 };

static cl_uint back[COUNT];

static cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}

static void step(cl_command_queue queue, cl_kernel kernel, cl_uint by, const cl_event *after,
                 cl_event *event)
{
    const size_t global = COUNT;
    ARG(kernel, 1, by);
    REQUIRE_OK(
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, after ? 1 : 0, after, event));
}

static cl_mem zeros(void)
{
    const cl_uint zero = 0;
    cl_mem mem = new_buffer(0, sizeof back, NULL);
    CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, sizeof back, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    return mem;
}

static void check_result(cl_mem mem)
{
    cl_uint want = 0;
    for (cl_uint i = 0; i < STEPS; i++)
        want = want * 3u + i;
    read_back(mem, sizeof back, back);
    for (size_t i = 0; i < COUNT; i++)
        REQUIRE(back[i] == want);
}

static void in_order(void)
{
    cl_kernel kernel = new_kernel(source, "advance", NULL);
    cl_mem mem = zeros();
    ARG(kernel, 0, mem);
    for (cl_uint i = 0; i < STEPS; i++)
        step(cl.queue, kernel, i, NULL, NULL);
    check_result(mem);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void out_of_order_events(void)
{
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel kernel = new_kernel(source, "advance", NULL);
    cl_mem mem = zeros();
    ARG(kernel, 0, mem);
    cl_event last = user_event();
    CHECK_OK(clSetUserEventStatus(last, CL_COMPLETE));
    for (cl_uint i = 0; i < STEPS; i++) {
        cl_event next;
        step(queue, kernel, i, &last, &next);
        RELEASE_EVENT(last);
        last = next;
    }
    CHECK_OK(clFinish(queue));
    CHECK_EQ(event_status(last), CL_COMPLETE);
    RELEASE_EVENT(last);
    check_result(mem);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

static void out_of_order_barriers(void)
{
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel kernel = new_kernel(source, "advance", NULL);
    cl_mem mem = zeros();
    ARG(kernel, 0, mem);
    for (cl_uint i = 0; i < STEPS; i++) {
        step(queue, kernel, i, NULL, NULL);
        if (i & 1)
            CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        else
            CHECK_OK(clEnqueueBarrier(queue));
    }
    CHECK_OK(clFinish(queue));
    check_result(mem);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

static void two_queues(void)
{
    cl_command_queue queue[2] = {new_queue(0), new_queue(0)};
    cl_kernel kernel = new_kernel(source, "advance", NULL);
    cl_mem mem = zeros();
    ARG(kernel, 0, mem);
    cl_event last = user_event(), gate = last;
    CHECK_OK(clRetainEvent(gate));
    for (cl_uint i = 0; i < STEPS; i++) {
        cl_event next;
        step(queue[i & 1], kernel, i, &last, &next);
        CHECK_OK(clFlush(queue[i & 1]));
        RELEASE_EVENT(last);
        last = next;
    }
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(queue[1]));
    CHECK_OK(clFinish(queue[0]));
    RELEASE_EVENT(last);
    RELEASE_EVENT(gate);
    check_result(mem);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue[0]);
    RELEASE_QUEUE(queue[1]);
}

/* A blocked command must not hold up one that does not depend on it. */
static void out_of_order_overtakes(void)
{
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_event gate = user_event(), blocked, free_one;
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 16, back, 1, &gate, &blocked));
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 32, 16, back, 0, NULL, &free_one));
    CHECK_OK(clWaitForEvents(1, &free_one));
    CHECK(event_status(blocked) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(event_status(blocked), CL_COMPLETE);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(blocked);
    RELEASE_EVENT(free_one);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

static void markers(void)
{
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_event gate = user_event(), blocked, all, some, old, early;
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 16, back, 0, NULL, &early));
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 16, back, 1, &gate, &blocked));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &all));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &early, &some));
    CHECK_OK(clEnqueueMarker(queue, &old));
    CHECK_OK(clWaitForEvents(1, &some));
    CHECK(event_status(all) > 0);
    CHECK(event_status(old) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &all));
    CHECK_OK(clWaitForEvents(1, &old));
    CHECK_EQ(event_status(blocked), CL_COMPLETE);
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(all, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_MARKER);
    cl_event list[] = {gate, blocked, all, some, old, early};
    for (size_t i = 0; i < LEN(list); i++)
        RELEASE_EVENT(list[i]);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

static void barrier_holds_later_commands(void)
{
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_event gate = user_event(), barrier, later;
    CHECK_OK(clEnqueueBarrierWithWaitList(queue, 1, &gate, &barrier));
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 16, back, 0, NULL, &later));
    CHECK_OK(clFlush(queue));
    for (double end = now_seconds() + 0.05; now_seconds() < end;)
        ;
    CHECK(event_status(later) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &later));
    CHECK_EQ(event_status(barrier), CL_COMPLETE);
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(barrier, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_BARRIER);
    CHECK_OK(clEnqueueWaitForEvents(queue, 1, &gate));
    CHECK_OK(clFinish(queue));
    RELEASE_EVENT(gate);
    RELEASE_EVENT(barrier);
    RELEASE_EVENT(later);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

static void errors(void)
{
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_event wrong = (cl_event)mem;
    cl_command_queue no_queue = (cl_command_queue)mem;
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, NULL, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 0, &wrong, NULL));
    FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(cl.queue, 1, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueMarker(cl.queue, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWaitForEvents(cl.queue, 0, NULL));
    FAILS(CL_INVALID_VALUE, clEnqueueWaitForEvents(cl.queue, 1, NULL));
    WRONG(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(no_queue, 0, NULL, NULL));
    WRONG(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(no_queue, 0, NULL, NULL));
    WRONG(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(no_queue));
    WRONG(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, &wrong, NULL));
    WRONG(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(cl.queue, 1, &wrong, NULL));
    RELEASE_MEM(mem);
}

/* Each waits for all before it: that must not mean one edge to each of them. */
static void many_markers_behind_a_gate(void)
{
    enum { MARKERS = 50000 };
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = user_event(), first, last;
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &first));
    for (int i = 0; i < MARKERS; i++)
        REQUIRE(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL) == CL_SUCCESS);
    CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, &last));
    CHECK(event_status(last) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(event_status(first), CL_COMPLETE);
    CHECK_EQ(event_status(last), CL_COMPLETE);
    RELEASE_EVENT(first);
    RELEASE_EVENT(last);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queue);
}

static const struct test_case cases[] = {
    CASE(in_order),   CASE(out_of_order_events),          CASE(out_of_order_barriers),
    CASE(two_queues), CASE(out_of_order_overtakes),       CASE(markers),
    CASE(errors),     CASE(barrier_holds_later_commands), CASE(many_markers_behind_a_gate),
};
TEST_MAIN("sync", cases)
