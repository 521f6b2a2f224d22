/* SPDX-License-Identifier: Apache-2.0 */
/* Replays of command-buffers among other commands, on other queues, at the same time, and when they
 * fail. */
#include "command_buffer_help.h"
#include "reference.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = CB_COUNT };

static const char source[] =
    CB_AXPB "kernel void count_up(global int *at) { atomic_inc(at); }\n"
            "kernel void count_slowly(global int *at, uint turns) {\n"
            "    uint v = *at;\n"
            "    for (uint i = 0; i < turns; i++) v = v * 1664525u + 1013904223u;\n"
            "    atomic_add(at, v != 12345 ? 1 : 2); }\n"
            "kernel void falls_over(global int *x) { if (*x) __builtin_trap(); }\n";

static uint32_t want[COUNT];

/* ---- turns ----------------------------------------------------------------------------------- */

static void check_event(cl_event event, cl_command_queue queue)
{
    cl_command_type type = 0;
    cl_command_queue got = NULL;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof got, &got, NULL));
    CHECK_EQ(type, CL_COMMAND_COMMAND_BUFFER_KHR);
    CHECK(got == queue);
}

/* It waits like any command, in its queue and for events; one that fails lets the next ones run. */
static void events(void)
{
    cb_need();
    cl_int rc;
    cl_program program = built(source, NULL);
    for (size_t i = 0; i < COUNT; i++)
        want[i] = (uint32_t)i;
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
    cl_kernel kernel = cb_axpb(program, x, 3, 1);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    cb_launch(buffer, kernel, COUNT, 0, NULL);
    cb_launch(buffer, kernel, COUNT, 0, NULL);
    cb_finalize(buffer);
    cl_event gate = clCreateUserEvent(cl.context, &rc), first, second;
    REQUIRE_OK(rc);
    CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, &first));
    CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &second));
    check_event(first, cl.queue);
    CHECK(event_status(first) > 0 && event_status(second) > 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &second));
    CHECK_EQ(event_status(first), CL_COMPLETE);
    for (size_t i = 0; i < COUNT; i++)
        want[i] = (((want[i] * 3 + 1) * 3 + 1) * 3 + 1) * 3 + 1;
    CHECK_EQ(cb_differences(x, want), 0);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(second);
    gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, &second));
    CHECK_OK(clSetUserEventStatus(gate, CL_INVALID_VALUE));
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(event_status(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(cb_differences(x, want), 0);
    cb_run(buffer);
    for (size_t i = 0; i < COUNT; i++)
        want[i] = (want[i] * 3 + 1) * 3 + 1;
    CHECK_EQ(cb_differences(x, want), 0);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(first);
    RELEASE_EVENT(second);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

static void times(void)
{
    cb_need();
    static const cl_profiling_info names[] = {
        CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE};
    cl_program program = built(source, NULL);
    cl_mem x = new_buffer(0, sizeof want, NULL), y = new_buffer(0, sizeof want, NULL);
    cl_kernel kernel = cb_axpb(program, x, 3, 1);
    for (int kind = 0; kind < 3; kind++) { /* a kernel, a copy, nothing at all */
        cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
        if (kind == 0)
            cb_launch(buffer, kernel, COUNT, 0, NULL);
        if (kind == 1)
            REQUIRE_OK(cb.copy(buffer, NULL, NULL, x, y, 0, 0, 99, 0, NULL, NULL, NULL));
        cb_finalize(buffer);
        cl_event event;
        CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
        CHECK_OK(clWaitForEvents(1, &event));
        cl_ulong before = 1;
        for (size_t i = 0; i < LEN(names); i++) {
            cl_ulong now = 0;
            CHECK_OK(clGetEventProfilingInfo(event, names[i], sizeof now, &now, NULL));
            CHECK(now >= before);
            before = now;
        }
        RELEASE_EVENT(event);
        cb_release(buffer);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
}

/* Other queues of the device may run it, whatever their properties. */
static void substitutes(void)
{
    cb_need();
    cl_command_queue_properties all = 0, required = 1;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
                             sizeof all, &all, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
                             sizeof required, &required, NULL));
    CHECK(all & CL_QUEUE_PROFILING_ENABLE);
    cl_program program = built(source, NULL);
    random_fill(want, sizeof want);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
    cl_kernel kernel = cb_axpb(program, x, 3, 1);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    for (int i = 0; i < 40; i++)
        cb_launch(buffer, kernel, COUNT, 0, NULL);
    cb_finalize(buffer);
    /* in order and not, with times and not, and what else the device offers */
    for (unsigned k = 0; k < 8; k++) {
        const cl_command_queue_properties known =
            CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        const cl_command_queue_properties more =
            (k & 1 ? CL_QUEUE_PROFILING_ENABLE : 0) |
            (k & 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) | (k & 4 ? all & ~known : 0);
        if (more & ~all)
            continue;
        cl_command_queue queue = new_queue(more | required);
        cl_event event;
        CHECK_OK(cb.enqueue(1, &queue, buffer, 0, NULL, &event));
        CHECK_OK(clWaitForEvents(1, &event));
        check_event(event, queue);
        RELEASE_EVENT(event);
        RELEASE_QUEUE(queue);
        for (int step = 0; step < 40; step++)
            for (size_t i = 0; i < COUNT; i++)
                want[i] = want[i] * 3 + 1;
        CHECK_EQ(cb_differences(x, want), 0);
    }
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

/* Many at a time, of which none waits for another. */
static void overlapping(void)
{
    cb_need();
    enum { TIMES = 40, LAUNCHES = 9 };
    cl_command_queue loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int zero = 0, rc;
    cl_mem at = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_kernel kernel = new_kernel(source, "count_up", NULL);
    ARG(kernel, 0, at);
    cl_command_buffer_khr buffer = cb_new(loose, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    for (int i = 0; i < LAUNCHES; i++)
        cb_launch(buffer, kernel, 101, 0, NULL);
    cb_finalize(buffer);
    for (int round = 1; round < 4; round++) {
        cl_event gate = clCreateUserEvent(cl.context, &rc);
        REQUIRE_OK(rc);
        for (int i = 0; i < TIMES; i++)
            CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, NULL));
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK_OK(clFinish(loose));
        cl_int got = 0;
        read_back(at, sizeof got, &got);
        CHECK_EQ(got, round * TIMES * LAUNCHES * 101);
        RELEASE_EVENT(gate);
    }
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(at);
    RELEASE_QUEUE(loose);
}

/* Two ends of a replay's commands race for the third; who comes first finds the buffer gone, if it
 * still looks. */
static void diamonds(void)
{
    cb_need();
    enum { TIMES = 400, SIDES = 2 };
    const cl_uint turns = 10000;
    cl_command_queue loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int zero = 0, got = 0;
    cl_mem at = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_kernel kernel = new_kernel(source, "count_slowly", NULL);
    ARG(kernel, 0, at);
    ARG(kernel, 1, turns);
    for (int i = 0; i < TIMES; i++) {
        cl_sync_point_khr points[SIDES];
        cl_command_buffer_khr buffer = cb_new(loose, 0);
        for (int side = 0; side < SIDES; side++)
            points[side] = cb_launch(buffer, kernel, 1, 0, NULL);
        REQUIRE_OK(cb.barrier(buffer, NULL, NULL, SIDES, points, NULL, NULL));
        cb_finalize(buffer);
        CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
        cb_release(buffer); /* who ends the replay ends it, too */
        if (i % 4 == 0)
            CHECK_OK(clFinish(loose));
    }
    CHECK_OK(clFinish(loose));
    read_back(at, sizeof got, &got);
    CHECK_EQ(got, TIMES * SIDES);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(at);
    RELEASE_QUEUE(loose);
}

/* Nothing is started behind a command that failed; later replays are as good as the first. */
static void failure(void)
{
    cb_need();
    if (!is_sluice())
        check_skip("a trap ends other implementations' processes");
    cl_program program = built(source, NULL);
    cl_kernel trap = kernel_of(program, "falls_over"), count = kernel_of(program, "count_up");
    cl_int numbers[2] = {1, 0};
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof(cl_int), &numbers[0]);
    cl_mem at = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof(cl_int), &numbers[1]);
    ARG(trap, 0, x);
    ARG(count, 0, at);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    cb_launch(buffer, count, 1, 0, NULL);
    cb_launch(buffer, trap, 1, 0, NULL);
    cb_launch(buffer, count, 10, 0, NULL);
    cb_finalize(buffer);
    for (int round = 1; round < 4; round++) {
        cl_event event;
        numbers[0] = round != 2;
        CHECK_OK(
            clEnqueueWriteBuffer(cl.queue, x, CL_TRUE, 0, sizeof(cl_int), numbers, 0, NULL, NULL));
        CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
        CHECK_OK(clFinish(cl.queue));
        CHECK_EQ(event_status(event), round == 2 ? CL_COMPLETE : CL_OUT_OF_RESOURCES);
        read_back(at, sizeof(cl_int), &numbers[1]);
        CHECK_EQ(numbers[1], round + (round >= 2 ? 10 : 0));
        RELEASE_EVENT(event);
    }
    cb_release(buffer);
    RELEASE_KERNEL(trap);
    RELEASE_KERNEL(count);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    RELEASE_MEM(at);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 6, EACH = 60, IN_A_REPLAY = 8 };
static cl_command_buffer_khr shared_buffer;
static cl_mem shared_count;

static void *enqueue_many(void *data)
{
    cl_command_queue queue = data;
    for (int i = 0; i < EACH; i++) {
        cl_event event = NULL;
        CHECK_OK(cb.enqueue(1, &queue, shared_buffer, 0, NULL, &event));
        if (i % 3 && event)
            CHECK_OK(clWaitForEvents(1, &event));
        if (event)
            CHECK_OK(clReleaseEvent(event));
    }
    CHECK_OK(clFinish(queue));
    return NULL;
}

/* And others that come and go, of which most are released while they run. */
static void *record_many(void *data)
{
    for (int i = 0; i < EACH; i++) {
        cl_int rc = 12345;
        const size_t size = 3;
        cl_command_queue queue = cl.queue;
        cl_command_buffer_khr own = cb.create(1, &queue, NULL, &rc);
        if (!CHECK_OK(rc))
            break;
        for (int k = 0; k < i % 5; k++)
            CHECK_OK(cb.launch(own, NULL, NULL, data, 1, NULL, &size, NULL, 0, NULL, NULL, NULL));
        CHECK_OK(cb.finalize(own));
        CHECK_OK(cb.enqueue(0, NULL, own, 0, NULL, NULL));
        CHECK_OK(cb.release(own));
    }
    return NULL;
}

static void threads(void)
{
    cb_need();
    pthread_t ids[THREADS];
    cl_command_queue queues[THREADS];
    cl_int zero = 0, got = 0;
    shared_count = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_kernel kernel = new_kernel(source, "count_up", NULL);
    ARG(kernel, 0, shared_count);
    shared_buffer = cb_new(cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    for (int i = 0; i < IN_A_REPLAY; i++)
        cb_launch(shared_buffer, kernel, 3, 0, NULL);
    cb_finalize(shared_buffer);
    for (int i = 0; i < THREADS; i++) {
        queues[i] = new_queue(i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        REQUIRE(!pthread_create(&ids[i], NULL, i % 3 ? enqueue_many : record_many,
                                i % 3 ? (void *)queues[i] : (void *)kernel));
    }
    int recording = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        recording += i % 3 == 0;
    }
    CHECK_OK(clFinish(cl.queue));
    for (int i = 0; i < THREADS; i++)
        RELEASE_QUEUE(queues[i]);
    read_back(shared_count, sizeof got, &got);
    CHECK_EQ(got, (THREADS - recording) * EACH * IN_A_REPLAY * 3 + recording * EACH / 5 * 10 * 3);
    cb_release(shared_buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(shared_count);
}

static const struct test_case cases[] = {
    CASE(events),   CASE(times),   CASE(substitutes), CASE(overlapping),
    CASE(diamonds), CASE(failure), CASE(threads),
};
TEST_MAIN("replay", cases)
