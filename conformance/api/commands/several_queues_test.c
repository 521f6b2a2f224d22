/* SPDX-License-Identifier: Apache-2.0 */
/* Command-buffers over several queues and devices (cl_khr_command_buffer_multi_device), against
 * plain C; remapped_queues_test.c has copies of them for other queues. What is refused is in
 * errors_record.def.
 */
#include "command_buffer_help.h"
#include "reference.h"
#include "several_queues_help.h"

#include <string.h>

/* ---- what there is --------------------------------------------------------------------------- */

static void reported(void)
{
    need();
    cl_platform_command_buffer_capabilities_khr all = 0;
    cl_device_command_buffer_capabilities_khr can = 0;
    cl_uint count = 99, device_count = 0;
    cl_device_id devices[16], list[16];
    size_t bytes = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof all,
                               &all, NULL));
    if (is_sluice())
        CHECK_EQ(all, CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                          CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                          CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can, &can,
                             NULL));
    CHECK(can & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sizeof count,
                             &count, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sizeof devices,
                             devices, &bytes));
    CHECK_EQ(bytes, count * sizeof *devices);
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &device_count));
    if (is_sluice())
        CHECK_EQ(count, device_count);
    for (cl_uint i = 0; i < count && i < device_count; i++)
        CHECK(devices[i] == list[i]);
    static cl_name_version rows[256];
    size_t found = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof rows, rows, &bytes));
    for (size_t i = 0; i < bytes / sizeof *rows; i++)
        found += !strcmp(rows[i].name, "cl_khr_command_buffer_multi_device") &&
                 rows[i].version == CL_MAKE_VERSION(0, 9, 2);
    CHECK_EQ(found, 1);
}

static void check_queues(void)
{
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
    cl_command_queue got[MOST] = {0};
    cl_uint count = 0;
    size_t bytes = 0;
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof count, &count, NULL));
    CHECK_EQ(count, two.count);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof got, got, &bytes));
    CHECK_EQ(bytes, two.count * sizeof *got);
    CHECK(!memcmp(got, two.queues, two.count * sizeof *got));
    FAILS(CL_INVALID_VALUE, cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof *got, got, NULL));
    cb_finalize(buffer);
    run(buffer); /* of no commands */
    cb_release(buffer);
}

static void queues(void)
{
    need();
    on_all(check_queues, 0);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void check_graph(void)
{
    cl_command_buffer_khr buffer = new_commands(0);
    open_graph();
    record_graph(buffer);
    cb_finalize(buffer);
    for (int i = 0; i < 5; i++) {
        run(buffer);
        expect_graph();
    }
    close_graph();
    cb_release(buffer);
}

static void graphs(void)
{
    need();
    on_all_in_each_order(check_graph);
}

/* In order, a queue's commands follow each other without a word; a barrier does that out of order.
 */
static void check_lanes(void)
{
    static cl_uint want[MOST][CB_COUNT];
    const size_t global = CB_COUNT;
    cl_mem mems[MOST];
    cl_command_buffer_khr buffer = new_commands(0);
    cl_kernel kernel = kernel_of(two.program, "axpb");
    for (cl_uint q = 0; q < two.count; q++) {
        random_fill(want[q], sizeof want[q]);
        mems[q] = numbers(want[q]);
    }
    for (cl_uint i = 0; i < 24; i++)
        for (cl_uint q = 0; q < two.count; q++) {
            const cl_uint a = 2 * i + 3, b = i + q;
            ARG(kernel, 0, mems[q]);
            ARG(kernel, 1, a);
            ARG(kernel, 2, b);
            REQUIRE_OK(cb.launch(buffer, two.queues[q], NULL, kernel, 1, NULL, &global, NULL, 0,
                                 NULL, NULL, NULL));
            REQUIRE_OK(cb.barrier(buffer, two.queues[q], NULL, 0, NULL, NULL, NULL));
            for (size_t k = 0; k < CB_COUNT; k++)
                want[q][k] = want[q][k] * a + b;
        }
    cb_finalize(buffer);
    run(buffer);
    for (cl_uint q = 0; q < two.count; q++) {
        check_numbers(mems[q], want[q]);
        RELEASE_MEM(mems[q]);
    }
    RELEASE_KERNEL(kernel);
    cb_release(buffer);
}

static void lanes(void)
{
    need();
    on_all_in_each_order(check_lanes);
}

/* ---- among the commands of its queues -------------------------------------------------------- */

static cl_event new_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(two.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}

/* x = x * 3 + 1 on the last queue, for as many as `x` has. */
static cl_command_buffer_khr triple_on_last(cl_mem x)
{
    cl_command_buffer_khr buffer = new_commands(0);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    REQUIRE_OK(cb.launch(buffer, two.queues[two.count - 1], NULL, kernel, 1, NULL, &global, NULL, 0,
                         NULL, NULL, NULL));
    RELEASE_KERNEL(kernel);
    cb_finalize(buffer);
    return buffer;
}

/* What is in each queue in front of it comes first, and finishing any of them finishes it. */
static void check_neighbours(void)
{
    static cl_uint want[CB_COUNT];
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    const cl_command_queue last = two.queues[two.count - 1];
    cl_event gate = new_gate(), event;
    const cl_uint seven = 7;
    CHECK_OK(clEnqueueFillBuffer(last, x, &seven, sizeof seven, 0, sizeof want, 1, &gate, NULL));
    CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
    CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(last));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = (7 * 3 + 1) * 3 + 1;
    check_numbers(x, want);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void neighbours(void)
{
    need();
    on_all(check_neighbours, 0);
}

/* Its failure is its event's; what is behind it on its queues goes on. */
static void check_failure(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    cl_event gate = new_gate(), event, behind;
    CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, &event));
    CHECK_OK(clEnqueueMarkerWithWaitList(two.queues[two.count - 1], 0, NULL, &behind));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    CHECK_OK(clFinish(two.queues[two.count - 1]));
    CHECK(event_status(event) < 0);
    CHECK_EQ(event_status(behind), CL_COMPLETE);
    check_numbers(x, want);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(event);
    RELEASE_EVENT(behind);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void failures(void)
{
    need();
    on_all(check_failure, 0);
}

/* Other queues of the same devices, which may be released at once; and many enqueues at a time. */
static void check_substitutes(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    cl_event event = NULL;
    for (int round = 0; round < 20; round++) {
        cl_command_queue others[MOST];
        for (cl_uint i = 0; i < two.count; i++) {
            cl_device_id device;
            cl_int rc;
            REQUIRE_OK(clGetCommandQueueInfo(two.queues[i], CL_QUEUE_DEVICE, sizeof device, &device,
                                             NULL));
            others[i] = clCreateCommandQueue(
                two.context, device, round & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &rc);
            REQUIRE_OK(rc);
        }
        cl_event before = event;
        CHECK_OK(
            cb.enqueue(two.count, others, buffer, before != NULL, before ? &before : NULL, &event));
        if (before)
            RELEASE_EVENT(before);
        for (cl_uint i = 0; i < two.count; i++)
            RELEASE_QUEUE(others[i]);
        for (size_t i = 0; i < CB_COUNT; i++)
            want[i] = want[i] * 3 + 1;
    }
    CHECK_OK(clWaitForEvents(1, &event));
    check_numbers(x, want);
    RELEASE_EVENT(event);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void substitutes(void)
{
    need();
    on_all(check_substitutes, 0);
}

/* A command of any queue can be updated, and says which one that is. */
static void check_updates(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 5, 9);
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr handle = NULL;
    cl_command_queue got = NULL;
    const size_t global = CB_COUNT;
    const cl_uint b = 1234567;
    REQUIRE_OK(cb.launch(buffer, two.queues[1], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         &handle));
    CHECK_OK(cb.command_info(handle, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof got, &got, NULL));
    CHECK(got == two.queues[1]);
    cb_finalize(buffer);
    run(buffer);
    const cl_mutable_dispatch_arg_khr arg = {2, sizeof b, &b};
    const cl_mutable_dispatch_config_sluice config = {
        .command = handle, .num_args = 1, .arg_list = &arg};
    CHECK_OK(cb_update(buffer, &config));
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = (want[i] * 5 + 9) * 5 + b;
    check_numbers(x, want);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void updates(void)
{
    need();
    on_all(check_updates, 0);
}

static const struct test_case cases[] = {
    CASE(reported),   CASE(queues),   CASE(graphs),      CASE(lanes),
    CASE(neighbours), CASE(failures), CASE(substitutes), CASE(updates),
};
TEST_MAIN("several_queues", cases)
