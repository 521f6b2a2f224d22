/* SPDX-License-Identifier: Apache-2.0 */
/* Command queues: creation, properties, queries, flush and finish. */
#include "cl_help.h"

#include <string.h>

static void create(void)
{
    cl_command_queue_properties can = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL));
    for (cl_command_queue_properties want = 0; want < 4; want++) {
        if (want & ~can)
            continue;
        cl_command_queue_properties got = 99;
        cl_command_queue queue = new_queue(want);
        CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL));
        CHECK_EQ(got, want);
        CHECK_OK(clFlush(queue));
        CHECK_OK(clFinish(queue));
        RELEASE_QUEUE(queue);
    }
}

static void create_errors(void)
{
    cl_device_id wrong = (cl_device_id)cl.context;
    CREATE_WRONG(CL_INVALID_CONTEXT, clCreateCommandQueue((cl_context)cl.queue, cl.device, 0, ERR));
    CREATE_WRONG(CL_INVALID_DEVICE, clCreateCommandQueue(cl.context, wrong, 0, ERR));
    CREATE_FAILS(CL_INVALID_DEVICE, clCreateCommandQueue(cl.context, NULL, 0, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateCommandQueue(cl.context, cl.device, 1u << 20, ERR));
}

static void with_properties(void)
{
    if (device_version() < 200)
        check_skip("before OpenCL 2.0");
    const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties unknown[] = {0x7777, 1, 0};
    const cl_queue_properties bad_bits[] = {CL_QUEUE_PROPERTIES, 1u << 20, 0};
    const cl_queue_properties lone_size[] = {CL_QUEUE_SIZE, 1024, 0};
    cl_int rc = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, profiling, &rc);
    REQUIRE_OK(rc);
    cl_queue_properties back[4] = {0};
    size_t size = 0;
    if (device_version() >= 300) {
        CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
        CHECK_EQ(size, sizeof profiling);
        CHECK(!memcmp(back, profiling, sizeof profiling));
    }
    cl_uint number;
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof number, &number, NULL));
    RELEASE_QUEUE(queue);
    queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_QUEUE(queue);
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, unknown, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, bad_bits, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, lone_size, ERR));
    CREATE_FAILS(CL_INVALID_DEVICE,
                 clCreateCommandQueueWithProperties(cl.context, NULL, NULL, ERR));
    CREATE_WRONG(CL_INVALID_CONTEXT,
                 clCreateCommandQueueWithProperties((cl_context)cl.queue, cl.device, NULL, ERR));
}

static void info(void)
{
    cl_command_queue queue = new_queue(0);
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_uint refs = 0;
    size_t size = 0;
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, &size));
    CHECK(context == cl.context);
    CHECK_EQ(size, sizeof context);
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, &size));
    CHECK(device == cl.device);
    CHECK_OK(clRetainCommandQueue(queue));
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK_EQ(refs, 2);
    RELEASE_QUEUE(queue);
    FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, 1, &device, NULL));
    FAILS(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x7777, sizeof device, &device, NULL));
    RELEASE_QUEUE(queue);
}

static void wrong_handles(void)
{
    cl_command_queue wrong = (cl_command_queue)cl.context;
    cl_uint number;
    WRONG(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(wrong));
    WRONG(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(wrong));
    WRONG(CL_INVALID_COMMAND_QUEUE, clFlush(wrong));
    WRONG(CL_INVALID_COMMAND_QUEUE, clFinish(wrong));
    WRONG(CL_INVALID_COMMAND_QUEUE,
          clGetCommandQueueInfo(wrong, CL_QUEUE_REFERENCE_COUNT, sizeof number, &number, NULL));
}

static void set_property(void)
{
    cl_int rc = clSetCommandQueueProperty(cl.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL);
    CHECK_EQ(rc, CL_INVALID_OPERATION);
}

static void default_device_queue(void)
{
    if (device_version() < 210)
        check_skip("before OpenCL 2.1");
    FAILS(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, cl.device, cl.queue));
    FAILS(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(cl.context, NULL, cl.queue));
    CHECK(clSetDefaultDeviceCommandQueue(cl.context, cl.device, cl.queue) != CL_SUCCESS);
}

static const struct test_case cases[] = {
    CASE(create),        CASE(create_errors), CASE(with_properties),      CASE(info),
    CASE(wrong_handles), CASE(set_property),  CASE(default_device_queue),
};
TEST_MAIN("queue", cases)
