/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device library whose memory has no host addresses, in one context with the CPU: all goes
 * through the device's own copies, and what would need an address is refused, not tried.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>
#include <cmocka.h>

enum { APART, CPU, DEVICES, WORDS = 1021 };

static cl_device_id devices[DEVICES];
static cl_context context;
static cl_command_queue queues[DEVICES];
static cl_mem buffer;
static uint32_t words[WORDS], back[WORDS];

static cl_platform_id sluice(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8; i++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "Sluice"))
            return platforms[i];
    }
    return NULL;
}

/* The context's first device owns the memory. */
static int set_up(void **state)
{
    (void)state;
    cl_int rc;
    cl_platform_id platform = sluice();
    if (!platform || clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &devices[APART], NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &devices[CPU], NULL))
        return -1;
    context = clCreateContext(NULL, DEVICES, devices, NULL, NULL, &rc);
    for (int i = 0; context && i < DEVICES; i++)
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &rc);
    buffer = context ? clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &rc) : NULL;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * 2654435761u;
    return buffer && queues[CPU] ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return clReleaseMemObject(buffer) || clReleaseCommandQueue(queues[APART]) ||
                   clReleaseCommandQueue(queues[CPU]) || clReleaseContext(context)
               ? -1
               : 0;
}

static void copies_go_through_the_device(void **state)
{
    (void)state;
    cl_int rc;
    cl_command_queue queue = queues[APART];
    cl_buffer_region half = {512, 2048};
    const uint32_t pattern = 0xabcdef01;
    cl_mem other = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &rc);
    cl_mem part = clCreateSubBuffer(other, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_int_equal(
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), 0);
    assert_int_equal(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, sizeof words, 0, NULL, NULL),
                     0);
    assert_int_equal(clEnqueueFillBuffer(queue, part, &pattern, 4, 4, 16, 0, NULL, NULL), 0);
    assert_int_equal(
        clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL), 0);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(back[i], i > 128 && i <= 132 ? pattern : words[i]);
    clReleaseMemObject(part);
    clReleaseMemObject(other);
}

static void rectangles_too(void **state)
{
    (void)state;
    const size_t from[3] = {4, 1, 0}, to[3] = {0, 0, 0}, region[3] = {8, 3, 1};
    memset(back, 0, sizeof back);
    assert_int_equal(
        clEnqueueWriteBuffer(queues[APART], buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL),
        0);
    assert_int_equal(clEnqueueReadBufferRect(queues[APART], buffer, CL_TRUE, from, to, region, 64,
                                             0, 8, 0, back, 0, NULL, NULL),
                     0);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(back[i], words[16 * (i / 2 + 1) + 1 + i % 2]);
    assert_int_equal(back[6], 0);
}

static void maps_are_refused(void **state)
{
    (void)state;
    cl_int rc = 1;
    assert_null(clEnqueueMapBuffer(queues[APART], buffer, CL_TRUE, CL_MAP_READ, 0, sizeof words, 0,
                                   NULL, NULL, &rc));
    assert_int_equal(rc, CL_MAP_FAILURE);
}

/* Small and large: neither the caller nor the other device has an address to copy from. */
static void other_devices_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, sizeof words};
    const uint32_t zero = 0;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            clEnqueueReadBuffer(queues[CPU], buffer, CL_TRUE, 0, sizes[i], back, 0, NULL, NULL),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
        assert_int_equal(
            clEnqueueWriteBuffer(queues[CPU], buffer, CL_FALSE, 0, sizes[i], words, 0, NULL, NULL),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
        assert_int_equal(
            clEnqueueFillBuffer(queues[CPU], buffer, &zero, 4, 0, sizes[i], 0, NULL, NULL),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    assert_int_equal(clFinish(queues[CPU]), CL_SUCCESS);
}

/* Memory that begins with a content would have to be filled by the host. */
static void initial_content_is_refused(void **state)
{
    (void)state;
    cl_int rc = 1;
    assert_null(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &rc));
    assert_int_equal(rc, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_go_through_the_device),
        cmocka_unit_test(rectangles_too),
        cmocka_unit_test(maps_are_refused),
        cmocka_unit_test(other_devices_are_refused),
        cmocka_unit_test(initial_content_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
