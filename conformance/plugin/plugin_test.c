/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device library through the whole driver: it is found, named, takes work; and since its device
 * takes no time, what a command costs here is the driver's own. The figures are printed, not
 * judged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>
#include <cmocka.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static int set_up(void **state)
{
    (void)state;
    cl_platform_id platforms[8];
    cl_uint count = 0;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8 && !device; i++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "Sluice"))
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL);
    }
    if (!device)
        return -1;
    cl_int rc;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    queue = context ? clCreateCommandQueueWithProperties(context, device, NULL, &rc) : NULL;
    return queue ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return clReleaseCommandQueue(queue) || clReleaseContext(context) ? -1 : 0;
}

static void is_found(void **state)
{
    (void)state;
    char name[64] = "", vendor[64] = "";
    cl_device_type type = 0;
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), 0);
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL), 0);
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), 0);
    assert_string_equal(name, "Null device");
    assert_string_equal(vendor, "Nobody");
    assert_int_equal(type & CL_DEVICE_TYPE_CUSTOM, CL_DEVICE_TYPE_CUSTOM);
}

static void memory_commands(void **state)
{
    (void)state;
    cl_int rc;
    const uint32_t ones = 0x01010101;
    uint32_t words[1024], back[1024] = {0};
    for (uint32_t i = 0; i < 1024; i++)
        words[i] = i * 3;
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &rc);
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &rc);
    assert_int_equal(
        clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, sizeof words, words, 0, NULL, NULL), 0);
    assert_int_equal(clEnqueueFillBuffer(queue, a, &ones, 4, 0, 64, 0, NULL, NULL), 0);
    assert_int_equal(clEnqueueCopyBuffer(queue, a, b, 0, 0, sizeof words, 0, NULL, NULL), 0);
    assert_int_equal(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL),
                     0);
    assert_int_equal(back[0], ones);
    assert_int_equal(back[15], ones);
    assert_memory_equal(back + 16, words + 16, sizeof words - 64);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The device does not say that it shares the host's memory. */
static void no_shared_virtual_memory(void **state)
{
    (void)state;
    cl_device_svm_capabilities svm = 99;
    int data[8] = {0};
    void *list[1] = {data};
    const void *regions[1] = {data};
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL),
                     CL_SUCCESS);
    assert_int_equal(svm, 0);
    assert_null(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    clSVMFree(context, data);
    const cl_int answers[] = {
        clEnqueueSVMMemcpy(queue, CL_TRUE, data, data + 4, 4, 0, NULL, NULL),
        clEnqueueSVMMemFill(queue, data, data + 4, 4, 8, 0, NULL, NULL),
        clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, 8, 0, NULL, NULL),
        clEnqueueSVMUnmap(queue, data, 0, NULL, NULL),
        clEnqueueSVMFree(queue, 1, list, NULL, NULL, 0, NULL, NULL),
        clEnqueueSVMMigrateMem(queue, 1, regions, NULL, 0, 0, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_int_equal(answers[i], CL_INVALID_OPERATION);
}

static void cost_of_a_command(void **state)
{
    (void)state;
    enum { TURNS = 50, COMMANDS = 1000 };
    double least[3] = {1e30, 1e30, 1e30};
    cl_int rc;
    int value = 1;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, &rc);
    for (int turn = 0; turn < TURNS; turn++) {
        double at[4] = {now_ns()};
        for (int i = 0; i < COMMANDS; i++)
            assert_int_equal(
                clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 0, NULL, NULL), 0);
        at[1] = now_ns();
        for (int i = 0; i < COMMANDS; i++)
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL);
        at[2] = now_ns();
        for (int i = 0; i < COMMANDS; i++)
            clFinish(queue);
        at[3] = now_ns();
        for (int k = 0; k < 3; k++)
            if (at[k + 1] - at[k] < least[k])
                least[k] = at[k + 1] - at[k];
    }
    printf("driver alone, ns: enqueue %.0f, blocking enqueue %.0f, finish %.0f\n",
           least[0] / COMMANDS, least[1] / COMMANDS, least[2] / COMMANDS);
    clReleaseMemObject(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_found),
        cmocka_unit_test(memory_commands),
        cmocka_unit_test(no_shared_virtual_memory),
        cmocka_unit_test(cost_of_a_command),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
