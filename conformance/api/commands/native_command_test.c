/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sluice_native_command: cases bear the numbers of its requirements, N-1 to N-15; those of
 * N-8 are in native_wait_test.c. */
#include "command_buffer_help.h"
#include "native_command_help.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void n1_a_function_with_a_handle(void)
{
    struct work work = new_work(2);
    CHECK_OK(submit(cl.queue, &work, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(work.calls, 1);
    CHECK(work.seen.size >= sizeof(sluice_interop_handle));
    check_values(&work, 2);
    end_work(&work);
}

static void n2_is_called_once_and_not_for_what_has_failed(void)
{
    struct work work = new_work(1);
    cl_event gate = user_event(), event;
    CHECK_OK(clSetUserEventStatus(gate, -5));
    CHECK_OK(submit(cl.queue, &work, &gate, &event));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(work.calls, 0);
    CHECK_EQ(work.destroyed, 1);
    work.destroyed = 0;
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(work.calls, 1);
    check_values(&work, 1);
    RELEASE_EVENT(event);
    end_work(&work);
}

static void n3_is_called_before_the_call_returns(void)
{
    struct work work = new_work(0);
    CHECK_OK(submit(cl.queue, &work, NULL, NULL));
    CHECK_EQ(work.calls, 1);
    CHECK(pthread_equal(work.caller, pthread_self()));
    CHECK_OK(clFinish(cl.queue));
    end_work(&work);
}

static void n4_does_not_wait_for_its_dependencies(void)
{
    struct work work = new_work(3);
    cl_event gate = user_event(), event;
    CHECK_OK(submit(cl.queue, &work, &gate, &event));
    CHECK_EQ(work.calls, 1); /* N-4 */
    usleep(20000);
    CHECK(event_status(work.child) > CL_RUNNING); /* N-5 */
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(work.child), CL_COMPLETE);
    check_values(&work, 3);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    end_work(&work);
}

/* The queue's own order is a dependency as well. */
static void n5_work_comes_behind_earlier_commands(void)
{
    for (int in_order = 0; in_order < 2; in_order++) {
        struct work work = new_work(2);
        cl_command_queue queue = new_queue(in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_event gate = user_event(), event;
        const size_t global = COUNT;
        const cl_int one = 1, zero = 0;
        ARG(work.kernel, 1, one);
        ARG(work.kernel, 2, zero);
        CHECK_OK(
            clEnqueueNDRangeKernel(queue, work.kernel, 1, NULL, &global, NULL, 1, &gate, NULL));
        if (!in_order)
            CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        if (!in_order)
            work.steps = 1; /* unordered among themselves */
        CHECK_OK(submit(queue, &work, NULL, &event));
        usleep(5000);
        CHECK(event_status(work.child) > CL_RUNNING);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        CHECK_OK(clWaitForEvents(1, &event));
        check_values(&work, work.steps);
        RELEASE_EVENT(event);
        RELEASE_EVENT(gate);
        RELEASE_QUEUE(queue);
        end_work(&work);
    }
}

static void n5_a_dependency_that_fails_later_fails_the_work(void)
{
    struct work work = new_work(2);
    cl_event gate = user_event(), event;
    CHECK_OK(submit(cl.queue, &work, &gate, &event));
    CHECK_OK(clSetUserEventStatus(gate, -7));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(event_status(work.child) < 0);
    check_values(&work, 0);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    end_work(&work);
}

static void n6_ends_with_the_last_of_its_work(void)
{
    struct work work = new_work(2);
    cl_event event;
    work.gate = user_event();
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    usleep(5000);
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(work.gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    check_values(&work, 2);
    RELEASE_EVENT(event);
    RELEASE_EVENT(work.gate);
    end_work(&work);
}

static void n6_without_work_is_a_marker(void)
{
    struct work work = new_work(0);
    cl_event gate = user_event(), event;
    CHECK_OK(submit(cl.queue, &work, &gate, &event));
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    end_work(&work);
}

/* N-7: the queue takes nothing once the function has returned. */
static void n7_its_queue_is_closed_behind_it(void)
{
    struct work work = new_work(1);
    cl_event event;
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    const size_t global = 1;
    CHECK_EQ(
        clEnqueueNDRangeKernel(work.seen.queue, work.kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(clWaitForEvents(1, &event));
    check_values(&work, 1);
    RELEASE_EVENT(event);
    end_work(&work);
}

static cl_int CL_CALLBACK asks_the_queue(const sluice_interop_handle *handle, void *data)
{
    cl_device_id device = NULL;
    cl_context context = NULL;
    cl_command_queue queue = handle->queue;
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    CHECK(device == handle->device && context == handle->context);
    return run(handle, data);
}

static void n9_the_handle_names_all_there_is(void)
{
    struct work work = new_work(0);
    const cl_mem_flags access = CL_MEM_READ_WRITE;
    CHECK_OK(enqueue_native(cl.queue, asks_the_queue, NULL, &work, 1, &work.buffer, &access, 0,
                            NULL, NULL));
    CHECK(work.seen.device == cl.device);
    CHECK(work.seen.context == cl.context);
    CHECK_EQ(work.seen.num_mem, 1);
    CHECK(work.seen.queue && work.seen.queue != cl.queue);
    CHECK_OK(clFinish(cl.queue));
    cl_int first;
    memcpy(&first, work.address, sizeof first);
    CHECK_EQ(first, -500);
    end_work(&work);
}

/* N-10, and the command holds what it uses. */
static void n10_memory_is_there_while_the_command_is(void)
{
    struct work work = new_work(1);
    cl_event event;
    cl_mem mems[2] = {new_buffer(0, 64, NULL), work.buffer};
    const cl_mem_flags access[2] = {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY};
    work.gate = user_event();
    CHECK_OK(enqueue_native(cl.queue, run, destroy, &work, 2, mems, access, 0, NULL, &event));
    RELEASE_MEM(mems[0]);
    memset(work.address, 7, 64); /* still the command's */
    CHECK_OK(clSetUserEventStatus(work.gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    check_values(&work, 1);
    RELEASE_EVENT(event);
    RELEASE_EVENT(work.gate);
    end_work(&work);
}

/* ---- N-11: graphs ---------------------------------------------------------------------------- */

static cl_int CL_CALLBACK records(const sluice_interop_handle *handle, void *data)
{
    struct work *work = data;
    cl_command_queue queue = handle->queue;
    CHECK(!cb.create(1, &queue, NULL, &work->inside));
    work->calls++;
    return CL_SUCCESS;
}

static void n11_its_queue_records_nothing(void)
{
    struct work work = new_work(0);
    cb_need();
    CHECK_OK(enqueue_native(cl.queue, records, destroy, &work, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_EQ(work.calls, 1);
    CHECK_EQ(work.inside, CL_INVALID_OPERATION);
    CHECK(!clGetExtensionFunctionAddressForPlatform(cl.platform, "clCommandNativeCommandSLUICE"));
    CHECK_OK(clFinish(cl.queue));
    end_work(&work);
}

/* While a graph is recorded: it is submitted, and replays have none of it. */
static void n11_is_no_node_of_a_graph(void)
{
    struct work work = new_work(3);
    cb_need();
    cl_command_buffer_khr graph = cb_new(cl.queue, 0);
    const cl_int factor = 3, zero = 0, one = 1;
    ARG(work.kernel, 1, factor);
    ARG(work.kernel, 2, zero);
    cb_launch(graph, work.kernel, COUNT, 0, NULL);
    ARG(work.kernel, 2, one);
    CHECK_OK(submit(cl.queue, &work, NULL, NULL)); /* 0, 1 and 2 */
    CHECK_EQ(work.calls, 1);
    cb_finalize(graph);
    CHECK_OK(clFinish(cl.queue));
    check_values(&work, 3);
    cl_int back[COUNT];
    cb_run(graph);
    cb_run(graph);
    CHECK_EQ(work.calls, 1);
    read_back(work.buffer, sizeof back, back);
    for (int i = 0; i < COUNT; i++)
        REQUIRE(back[i] == 9 * (27 * (i - 500) + 5));
    cb_release(graph);
    end_work(&work);
}

static cl_int CL_CALLBACK replays(const sluice_interop_handle *handle, void *data)
{
    cl_command_queue queue = handle->queue;
    CHECK_OK(cb.enqueue(1, &queue, *(cl_command_buffer_khr *)data, 0, NULL, NULL));
    return CL_SUCCESS;
}

/* A graph may be one of its commands, and waits for the dependencies as others do. */
static void n11_a_graph_is_work_like_other(void)
{
    struct work work = new_work(0);
    cl_event gate = user_event(), event;
    cb_need();
    cl_command_buffer_khr graph = cb_new(cl.queue, 0);
    const cl_int factor = 3;
    for (cl_int step = 0; step < 4; step++) {
        ARG(work.kernel, 1, factor);
        ARG(work.kernel, 2, step);
        cb_launch(graph, work.kernel, COUNT, 0, NULL);
        REQUIRE_OK(cb.barrier(graph, NULL, NULL, 0, NULL, NULL, NULL));
    }
    cb_finalize(graph);
    CHECK_OK(enqueue_native(cl.queue, replays, NULL, &graph, 0, NULL, NULL, 1, &gate, &event));
    usleep(5000);
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    check_values(&work, 4);
    cb_release(graph);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    end_work(&work);
}

static void n12_the_extension_is_announced(void)
{
    CHECK(has_extension("cl_sluice_native_command"));
    CHECK_EQ(cl_sluice_native_command, 1);
}

static void n13_the_event_is_one_like_others(void)
{
    struct work work = new_work(2);
    cl_event event, after;
    cl_command_type type = 0;
    cl_ulong queued, submitted, start, end, child_end, head_start;
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    CHECK_OK(clEnqueueMarkerWithWaitList(cl.queue, 1, &event, &after));
    CHECK_OK(clWaitForEvents(1, &after));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_COMMAND_NATIVE_COMMAND_SLUICE);
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, 8, &queued, NULL));
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, 8, &submitted, NULL));
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, &start, NULL));
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &end, NULL));
    CHECK_OK(clGetEventProfilingInfo(work.child, CL_PROFILING_COMMAND_END, 8, &child_end, NULL));
    CHECK_OK(clGetEventProfilingInfo(work.head, CL_PROFILING_COMMAND_START, 8, &head_start, NULL));
    CHECK(queued <= submitted && submitted <= start && start <= end);
    CHECK(start == head_start && end == child_end);
    RELEASE_EVENT(event);
    RELEASE_EVENT(after);
    end_work(&work);
}

static void n14_the_destructor_comes_once_on_every_path(void)
{
    struct work work = new_work(1);
    CHECK_OK(submit(cl.queue, &work, NULL, NULL));
    CHECK_EQ(work.destroyed, 1);
    work.answer = -30;
    CHECK_OK(clReleaseEvent(work.child));
    CHECK_OK(submit(cl.queue, &work, NULL, NULL));
    CHECK_EQ(work.destroyed, 2);
    CHECK_EQ(enqueue_native(cl.queue, NULL, destroy, &work, 0, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(work.destroyed, 2); /* nothing was taken */
    (void)clFinish(cl.queue);
    end_work(&work);
}

static void n15_a_function_that_fails_fails_the_command(void)
{
    struct work work = new_work(2);
    cl_event event;
    work.answer = -30;
    work.gate = user_event();
    CHECK_OK(submit(cl.queue, &work, NULL, &event));
    usleep(5000);
    CHECK(event_status(event) > CL_COMPLETE); /* its work ends first */
    CHECK_OK(clSetUserEventStatus(work.gate, CL_COMPLETE));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(event), -30);
    CHECK_EQ(event_status(work.child), CL_COMPLETE);
    check_values(&work, 2);
    RELEASE_EVENT(event);
    RELEASE_EVENT(work.gate);
    end_work(&work);
}

/* ---- several devices ------------------------------------------------------------------------- */

static cl_kernel affine_in(cl_context context, const cl_device_id devices[2], cl_mem x)
{
    const char *text = affine_source;
    cl_int rc;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 2, devices, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "affine", &rc);
    REQUIRE_OK(rc);
    RELEASE_PROGRAM(program);
    ARG(kernel, 0, x);
    return kernel;
}

/* In turns, each behind the other device's: five steps each on what the other has left. */
static void take_turns(cl_command_queue queues[2], struct work *work, cl_event gate)
{
    cl_event last = gate, next;
    for (int turn = 0; turn < 10; turn++) {
        cl_device_id device = NULL;
        const cl_mem_flags access = CL_MEM_READ_WRITE;
        clGetCommandQueueInfo(queues[turn % 2], CL_QUEUE_DEVICE, sizeof device, &device, NULL);
        work->child = NULL;
        REQUIRE_OK(enqueue_native(queues[turn % 2], run, destroy, work, 1, &work->buffer, &access,
                                  1, &last, &next));
        CHECK(work->seen.device == device);
        CHECK(event_status(next) > CL_COMPLETE);
        RELEASE_EVENT(work->child);
        if (last != gate)
            RELEASE_EVENT(last);
        last = next;
    }
    REQUIRE_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_OK(clWaitForEvents(1, &last));
    RELEASE_EVENT(last);
}

static void several_devices(void)
{
    cl_device_id devices[2];
    cl_uint count = 0;
    cl_int first[COUNT], rc;
    struct work work = {.steps = 1};
    find_functions();
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    if (count < 2)
        check_skip("the platform has one device");
    for (int i = 0; i < COUNT; i++)
        first[i] = i - 500;
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queues[2] = {clCreateCommandQueue(context, devices[0], 0, &rc),
                                  clCreateCommandQueue(context, devices[1], 0, &rc)};
    work.buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof first, first, &rc);
    work.kernel = affine_in(context, devices, work.buffer);
    cl_event gate = clCreateUserEvent(context, &rc);
    take_turns(queues, &work, gate);
    CHECK_OK(clEnqueueReadBuffer(queues[0], work.buffer, CL_TRUE, 0, sizeof first, first, 0, NULL,
                                 NULL));
    for (int i = 0; i < COUNT; i++)
        REQUIRE(first[i] == (i - 500) * 59049); /* 3 to the 10th */
    CHECK_EQ(work.destroyed, 10);
    RELEASE_EVENT(gate);
    RELEASE_QUEUE(queues[0]);
    RELEASE_QUEUE(queues[1]);
    work.child = NULL;
    end_work(&work);
    RELEASE_CONTEXT(context);
}

/* 0 where a sanitizer keeps what was freed. */
static size_t resident_kib(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#else
    size_t pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%zu %zu", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * 4;
#endif
}

static void many_leave_nothing_behind(void)
{
    struct work work = new_work(0);
    const int settled = 10000, many = resident_kib() ? 1000000 : 100000;
    size_t before = 0;
    for (int i = 0; i < many; i++) {
        if (i == settled)
            before = resident_kib();
        CHECK_OK(submit(cl.queue, &work, NULL, NULL));
        if (i % 1000 == 999)
            CHECK_OK(clFinish(cl.queue));
    }
    CHECK_EQ(work.destroyed, many);
    CHECK(resident_kib() <= before + 1024);
    end_work(&work);
}

/* The Unified Runtime's function of the same purpose, in terms of ours: one to one. */
struct ur_call {
    void (*function)(void *queue, void *data);
    void *data;
};

static cl_int CL_CALLBACK call_ur(const sluice_interop_handle *handle, void *data)
{
    const struct ur_call *call = data;
    call->function(handle->queue, call->data);
    return CL_SUCCESS;
}

static cl_int ur_enqueue_native_command(void *queue, void (*function)(void *queue, void *data),
                                        void *data, cl_uint mem_count, void *const *mems,
                                        const void *properties, cl_uint wait_count,
                                        void *const *wait_list, void **event)
{
    struct ur_call call = {function, data}; /* called before this returns */
    cl_mem list[8];
    cl_mem_flags access[8];
    cl_event waits[8];
    (void)properties;
    for (cl_uint i = 0; i < mem_count; i++) {
        list[i] = mems[i];
        access[i] = CL_MEM_READ_WRITE;
    }
    for (cl_uint i = 0; i < wait_count; i++)
        waits[i] = wait_list[i];
    return enqueue_native(queue, call_ur, NULL, &call, mem_count, mem_count ? list : NULL,
                          mem_count ? access : NULL, wait_count, wait_count ? waits : NULL,
                          (cl_event *)(void *)event);
}

static void ur_function(void *queue, void *data)
{
    enqueue_steps(data, queue);
}

static void unified_runtime(void)
{
    struct work work = new_work(2);
    void *mems[] = {work.buffer}, *event;
    CHECK_OK(
        ur_enqueue_native_command(cl.queue, ur_function, &work, 1, mems, NULL, 0, NULL, &event));
    cl_event wait = event;
    CHECK_OK(clWaitForEvents(1, &wait));
    check_values(&work, 2);
    RELEASE_EVENT(wait);
    end_work(&work);
}

static const struct test_case cases[] = {
    CASE(n1_a_function_with_a_handle),
    CASE(n2_is_called_once_and_not_for_what_has_failed),
    CASE(n3_is_called_before_the_call_returns),
    CASE(n4_does_not_wait_for_its_dependencies),
    CASE(n5_work_comes_behind_earlier_commands),
    CASE(n5_a_dependency_that_fails_later_fails_the_work),
    CASE(n6_ends_with_the_last_of_its_work),
    CASE(n6_without_work_is_a_marker),
    CASE(n7_its_queue_is_closed_behind_it),
    CASE(n9_the_handle_names_all_there_is),
    CASE(n10_memory_is_there_while_the_command_is),
    CASE(n11_its_queue_records_nothing),
    CASE(n11_is_no_node_of_a_graph),
    CASE(n11_a_graph_is_work_like_other),
    CASE(n12_the_extension_is_announced),
    CASE(n13_the_event_is_one_like_others),
    CASE(n14_the_destructor_comes_once_on_every_path),
    CASE(n15_a_function_that_fails_fails_the_command),
    CASE(several_devices),
    CASE(many_leave_nothing_behind),
    CASE(unified_runtime),
};
TEST_MAIN("native_command", cases)
