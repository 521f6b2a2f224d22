/* SPDX-License-Identifier: Apache-2.0 */
/* Threads with the smallest stack there is may call everything, and so may callbacks. What each
 * entry point uses is measured by the probe (conformance/probe); here are threads as applications
 * make them. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { COUNT = 500, DEFAULT_STACK = 64 << 10, FIRST_STACK = 512 << 10 };

static const char source[] = "kernel void k(global int *x, int n)\n"
                             "{\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i < n)\n"
                             "        x[i] = 3 * i + 1;\n"
                             "}\n";

/* Nothing of the harness that needs more room than there is. */
static struct {
    cl_int rc, code;
    cl_int data[COUNT];
    volatile int called;
} result;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *unused)
{
    cl_ulong end = 0;
    (void)unused;
    if (!status &&
        !clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL))
        result.called = end != 0;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem)
{
    const cl_int count = COUNT;
    const size_t global = 512;
    cl_event event;
    cl_int rc = clSetKernelArg(kernel, 0, sizeof mem, &mem);
    if (!rc)
        rc = clSetKernelArg(kernel, 1, sizeof count, &count);
    if (!rc)
        rc = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event);
    if (!rc)
        rc = clSetEventCallback(event, CL_COMPLETE, on_end, NULL);
    if (!rc)
        rc = clWaitForEvents(1, &event);
    if (!rc)
        rc = clReleaseEvent(event);
    return rc ? rc
              : clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof result.data, result.data, 0,
                                    NULL, NULL);
}

static cl_int live(cl_device_id device)
{
    const char *text = source;
    cl_int rc;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    if (rc)
        return rc;
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &rc);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    rc = clBuildProgram(program, 1, &device, "-DSMALL -I.", NULL, NULL);
    cl_kernel kernel = rc ? NULL : clCreateKernel(program, "k", &rc);
    cl_mem mem = clCreateBuffer(context, 0, sizeof result.data, NULL, &rc);
    rc = launch(queue, kernel, mem);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    return clReleaseContext(context) ? -1 : rc;
}

static void *live_on_thread(void *device)
{
    result.rc = live(device);
    return NULL;
}

static void on_small_thread(cl_device_id device)
{
    pthread_attr_t attr;
    pthread_t thread;
    memset((void *)&result, 0, sizeof result);
    REQUIRE(!pthread_attr_init(&attr));
    REQUIRE(!pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN));
    REQUIRE(!pthread_create(&thread, &attr, live_on_thread, device));
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    CHECK_OK(result.rc);
    for (cl_int i = 0; i < COUNT; i++)
        if (!CHECK_EQ(result.data[i], 3 * i + 1))
            break;
    for (double end = now_seconds() + 10; !result.called && now_seconds() < end;)
        ;
    CHECK(result.called);
}

static cl_device_id first_device(void)
{
    REQUIRE(!env_open()); /* the loader's own beginning needs more */
    cl_device_id device = cl.device;
    env_close(0);
    return device;
}

static void job_small_threads(void)
{
    cl_device_id device = first_device();
    for (int i = 0; i < 3; i++)
        on_small_thread(device);
}

static void job_life(void)
{
    whole_life(3);
    on_small_thread(first_device());
}

static int small_default(void)
{
    struct rlimit limit = {DEFAULT_STACK, FIRST_STACK};
    return !setrlimit(RLIMIT_STACK, &limit);
}

static void threads(void)
{
    static const char *const fresh[] = {"SLUICE_CACHE=0", NULL}, *const on_demand[] = {
                                                                     "SLUICE_BUILD=on-demand",
                                                                     NULL};
    child_ends(&(struct child_plan){.job = "job_small_threads"}, 0);
    child_ends(&(struct child_plan){.job = "job_small_threads", .env = fresh}, 0);
    child_ends(&(struct child_plan){.job = "job_small_threads", .env = on_demand}, 0);
}

/* `ulimit -s` is also what threads get that say nothing, ours among them. */
static void small_limit(void)
{
    child_ends(&(struct child_plan){.job = "job_life", .prepare = small_default}, 0);
}

static const struct test_case jobs[] = {CASE(job_small_threads), CASE(job_life)};
static const struct test_case cases[] = {CASE(threads), CASE(small_limit)};
JOBS_MAIN("small_stack", cases, jobs)
