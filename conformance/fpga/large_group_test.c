/* SPDX-License-Identifier: Apache-2.0 */
/* Work-groups as large as the device takes them, as designs for boards make them: streams of
 * work-items through channels, and items that wait for each other. */
#include "flow.h"

#include <stdlib.h>

static const char source[] =
    CHANNELS "channel uint c __attribute__((depth(8)));\n"
             "kernel void feed(global const uint *a) {\n"
             "    size_t i = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
             "    write_channel_intel(c, a[i]);\n"
             "}\n"
             "kernel void drain(global uint *o, local uint *t) {\n"
             "    size_t i = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
             "    size_t n = get_local_size(0) * get_local_size(1);\n"
             "    t[i] = read_channel_intel(c);\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    o[i] = t[n - 1 - i];\n"
             "}\n";

static void stream(size_t width, size_t height)
{
    const size_t size[2] = {width, height}, items = width * height, bytes = items * sizeof(cl_uint);
    cl_uint *values = malloc(bytes), *got = malloc(bytes);
    cl_int rc;
    REQUIRE(values && got);
    for (size_t i = 0; i < items; i++)
        values[i] = (cl_uint)(i * 2654435761u);
    cl_program program = built(source, "");
    cl_kernel feed = kernel_of(program, "feed"), drain = kernel_of(program, "drain");
    cl_command_queue other = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    cl_mem in = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, bytes, values, &rc);
    REQUIRE_OK(rc);
    cl_mem out = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, bytes, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetKernelArg(feed, 0, sizeof in, &in));
    CHECK_OK(clSetKernelArg(drain, 0, sizeof out, &out));
    CHECK_OK(clSetKernelArg(drain, 1, bytes, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, feed, 2, NULL, size, size, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(other, drain, 2, NULL, size, size, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    CHECK_OK(clFinish(other));
    CHECK_OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    for (size_t i = 0; i < items; i++)
        if (!CHECK_EQ(got[i], values[items - 1 - i]))
            break;
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_KERNEL(feed);
    RELEASE_KERNEL(drain);
    CHECK_OK(clReleaseCommandQueue(other));
    RELEASE_PROGRAM(program);
    free(values);
    free(got);
}

static void largest_groups_stream(void)
{
    const size_t most = device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    stream(most, 1);
    stream(most / 64 - 1, 63);
    stream(4097, 1);
    if (is_sluice())
        CHECK(most >= 65536);
}

static const struct test_case cases[] = {CASE(largest_groups_stream)};
TEST_MAIN("large_group", cases)
