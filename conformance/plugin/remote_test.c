/* SPDX-License-Identifier: Apache-2.0 */
/* The example device (examples/remote_device): right values at odd sizes, and a kernel that would
 * end a process ends the device's, not this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <CL/cl.h>
#include <cmocka.h>

enum { COUNT = 1007 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char source[] =
    "kernel void steps(global int *a, local int *l) {\n"
    "    int i = get_global_id(0), k = get_local_id(0), n = get_local_size(0);\n"
    "    l[k] = 3 * i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[i] += l[n - 1 - k];\n"
    "}\n"
    "kernel void breaks(global int *a) { *(volatile global int *)(ulong)a[0] = 1; }\n";

static int set_up(void **state)
{
    (void)state;
    const char *text = source;
    char name[64] = "";
    cl_platform_id platform;
    cl_int rc;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ||
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL) ||
        strcmp(name, "Remote device") != 0)
        return -1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    queue = context ? clCreateCommandQueueWithProperties(context, device, NULL, &rc) : NULL;
    program = queue ? clCreateProgramWithSource(context, 1, &text, NULL, &rc) : NULL;
    return program ? clBuildProgram(program, 1, &device, "", NULL, NULL) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return clReleaseProgram(program) || clReleaseCommandQueue(queue) || clReleaseContext(context);
}

static void values(void **state)
{
    (void)state;
    cl_int rc, data[COUNT];
    size_t global = COUNT, local = 19;
    for (int i = 0; i < COUNT; i++)
        data[i] = i * i;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "steps", &rc);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(data[i], i * i + 3 * (i / 19 * 19 + 18 - i % 19));
    clReleaseKernel(kernel);
    clReleaseMemObject(a);
}

static void its_own_process(void **state)
{
    (void)state;
    cl_int rc, status = 0, zero = 0;
    size_t one = 1;
    cl_event event;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &rc);
    cl_kernel kernel = clCreateKernel(program, "breaks", &rc);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof a, &a), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event),
                     CL_SUCCESS);
    assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_true(status < 0);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clReleaseMemObject(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(its_own_process),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
