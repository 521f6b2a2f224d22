/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run-time of SYCL does with the platform below it, as its OpenCL adapter would. Cases have
 * the numbers of the requirements (docs/requirements.md).
 */
#include "child.h"
#include "cl_help.h"
#include "reference.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUPS = 37, GROUP = 8, COUNT = GROUPS * GROUP, WIDTH = 5 };

/* ---- PI-2: OpenCL 1.2 ------------------------------------------------------------------------ */

static const char one_two[] =
    "kernel void sums(global const int *x, global int *out, local int *part, constant int *by) {\n"
    "    int me = get_local_id(0), g = get_group_id(0);\n"
    "    part[me] = x[get_global_id(0)] * by[me % 3];\n"
    "    for (int s = get_local_size(0) / 2; s; s /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (me < s) part[me] += part[me + s];\n"
    "    }\n"
    "    if (!me) { out[g] = part[0]; atomic_add(out + get_num_groups(0), part[0]); }\n"
    "}\n";

static void want_sums(const cl_int *x, const cl_int *by, cl_int *want)
{
    memset(want, 0, (GROUPS + 1) * sizeof *want);
    for (int i = 0; i < COUNT; i++) {
        want[i / GROUP] += x[i] * by[i % GROUP % 3];
        want[GROUPS] += x[i] * by[i % GROUP % 3];
    }
}

/* Out of order, held together by events; the second half of a buffer is a buffer of its own. */
static void pi2_the_model_of_1_2(void)
{
    const cl_int by[3] = {3, -7, 11}, zero = 0;
    const size_t global = COUNT, local = GROUP;
    const cl_buffer_region half = {4096, (GROUPS + 1) * sizeof(cl_int)};
    cl_int x[COUNT], want[GROUPS + 1], got[GROUPS + 1], rc;
    random_fill(x, sizeof x);
    for (int i = 0; i < COUNT; i++)
        x[i] %= 100000;
    want_sums(x, by, want);
    cl_kernel kernel = new_kernel(one_two, "sums", "-cl-std=CL1.2");
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem from = new_buffer(CL_MEM_READ_ONLY, sizeof x, NULL), whole = new_buffer(0, 8192, NULL);
    cl_mem factors = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof by, (void *)(uintptr_t)by);
    cl_mem out = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc);
    REQUIRE_OK(rc);
    cl_event ready[2], ran, back;
    REQUIRE_OK(clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, sizeof x, x, 0, NULL, &ready[0]));
    REQUIRE_OK(
        clEnqueueFillBuffer(queue, out, &zero, sizeof zero, 0, half.size, 0, NULL, &ready[1]));
    ARG(kernel, 0, from);
    ARG(kernel, 1, out);
    set_arg(kernel, 2, GROUP * sizeof(cl_int), NULL);
    ARG(kernel, 3, factors);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 2, ready, &ran));
    REQUIRE_OK(
        clEnqueueReadBuffer(queue, whole, CL_FALSE, half.origin, sizeof got, got, 1, &ran, &back));
    REQUIRE_OK(clWaitForEvents(1, &back));
    CHECK(!memcmp(got, want, sizeof got));
    for (int i = 0; i < 2; i++)
        RELEASE_EVENT(ready[i]);
    RELEASE_EVENT(ran);
    RELEASE_EVENT(back);
    RELEASE_MEM(out);
    RELEASE_MEM(whole);
    RELEASE_MEM(from);
    RELEASE_MEM(factors);
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(kernel);
}

/* A part of a field, through a map. */
static void pi2_rectangles_and_maps(void)
{
    enum { HIGH = 7, PITCH = 23 };
    cl_uchar field[HIGH * PITCH], want[HIGH * PITCH];
    const size_t from[3] = {3, 1, 0}, to[3] = {11, 2, 0}, part[3] = {WIDTH, 4, 1};
    cl_int rc;
    random_fill(field, sizeof field);
    memcpy(want, field, sizeof want);
    for (size_t row = 0; row < part[1]; row++)
        for (size_t i = 0; i < WIDTH; i++)
            want[(to[1] + row) * PITCH + to[0] + i] = field[(from[1] + row) * PITCH + from[0] + i];
    cl_mem one = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof field, field);
    cl_mem two = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof field, field);
    REQUIRE_OK(clEnqueueCopyBufferRect(cl.queue, one, two, from, to, part, PITCH, 0, PITCH, 0, 0,
                                       NULL, NULL));
    cl_uchar *seen =
        clEnqueueMapBuffer(cl.queue, two, CL_TRUE, CL_MAP_READ, 0, sizeof want, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(!memcmp(seen, want, sizeof want));
    REQUIRE_OK(clEnqueueUnmapMemObject(cl.queue, two, seen, 0, NULL, NULL));
    REQUIRE_OK(clFinish(cl.queue));
    RELEASE_MEM(one);
    RELEASE_MEM(two);
}

/* ---- PI-9: through the ICD ------------------------------------------------------------------- */

static void job_list(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    REQUIRE_OK(clGetPlatformIDs(8, platforms, &count));
    for (cl_uint i = 0; i < count; i++) {
        char name[64] = "", suffix[64] = "";
        cl_uint devices = 0;
        REQUIRE_OK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
        REQUIRE_OK(clGetPlatformInfo(platforms[i], CL_PLATFORM_ICD_SUFFIX_KHR, sizeof suffix,
                                     suffix, NULL));
        REQUIRE_OK(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &devices));
        printf("%s %s %u\n", name, suffix, devices);
    }
}

static void lists(const char *vendors, const char *devices, const char *want)
{
    char where[4200], which[64];
    snprintf(where, sizeof where, "OCL_ICD_VENDORS=%s", vendors);
    snprintf(which, sizeof which, "SLUICE_DEVICES=%s", devices);
    const char *env[] = {where, which, NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_list", .env = env});
    CHECK_EQ(child.status, 0);
    if (strcmp(child.out, want))
        check_fail(__FILE__, __LINE__, "%s, %s: \"%s\", not \"%s\"", vendors, devices, child.out,
                   want);
    child_finish(&child);
}

/* A folder of such files, one file, the library itself; which devices are below is the driver's. */
static void pi9_discovery_through_the_icd(void)
{
    char folder[] = "/tmp/sluice-icd-XXXXXX", path[4096], dir[64];
    const char *library = driver_library();
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sluice.icd", folder);
    snprintf(dir, sizeof dir, "%s/", folder);
    FILE *file = fopen(path, "we");
    REQUIRE(file);
    fprintf(file, "%s\n", library);
    REQUIRE(!fclose(file));
    lists(dir, "cpu", "Sluice SLUICE 1\n");
    lists(dir, "cpu,fpga", "Sluice SLUICE 2\n");
    lists(path, "fpga", "Sluice SLUICE 1\n");
    lists(library, "fpga,cpu", "Sluice SLUICE 2\n");
    REQUIRE(!unlink(path) && !rmdir(folder));
}

/* ---- PI-12: its functions are OpenCL's ------------------------------------------------------- */

static const char *const core[] = {
    "clBuildProgram",
    "clCompileProgram",
    "clCreateBuffer",
    "clCreateCommandQueue",
    "clCreateCommandQueueWithProperties",
    "clCreateContext",
    "clCreateImage",
    "clCreateKernel",
    "clCreateProgramWithBinary",
    "clCreateProgramWithIL",
    "clCreateSampler",
    "clCreateSubBuffer",
    "clCreateSubDevices",
    "clEnqueueBarrierWithWaitList",
    "clEnqueueCopyBuffer",
    "clEnqueueCopyBufferRect",
    "clEnqueueCopyImage",
    "clEnqueueFillBuffer",
    "clEnqueueMapBuffer",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueReadBufferRect",
    "clEnqueueReadImage",
    "clEnqueueUnmapMemObject",
    "clEnqueueWriteBuffer",
    "clEnqueueWriteBufferRect",
    "clEnqueueWriteImage",
    "clFinish",
    "clFlush",
    "clGetCommandQueueInfo",
    "clGetContextInfo",
    "clGetDeviceAndHostTimer",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clGetEventInfo",
    "clGetEventProfilingInfo",
    "clGetExtensionFunctionAddressForPlatform",
    "clGetHostTimer",
    "clGetImageInfo",
    "clGetKernelInfo",
    "clGetKernelSubGroupInfo",
    "clGetKernelWorkGroupInfo",
    "clGetMemObjectInfo",
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetProgramBuildInfo",
    "clGetProgramInfo",
    "clGetSamplerInfo",
    "clLinkProgram",
    "clReleaseCommandQueue",
    "clReleaseContext",
    "clReleaseDevice",
    "clReleaseEvent",
    "clReleaseKernel",
    "clReleaseMemObject",
    "clReleaseProgram",
    "clReleaseSampler",
    "clRetainCommandQueue",
    "clRetainContext",
    "clRetainDevice",
    "clRetainEvent",
    "clRetainKernel",
    "clRetainMemObject",
    "clRetainProgram",
    "clRetainSampler",
    "clSetContextDestructorCallback",
    "clSetEventCallback",
    "clSetKernelArg",
    "clSetKernelExecInfo",
    "clSetProgramSpecializationConstant",
    "clWaitForEvents",
};

static const char *const by_name[] = {
    "clCreateBufferWithPropertiesINTEL",
    "clCreateCommandBufferKHR",
    "clCreateProgramWithILKHR",
    "clDeviceMemAllocINTEL",
    "clEnqueueCommandBufferKHR",
    "clEnqueueMemAdviseINTEL",
    "clEnqueueMemFillINTEL",
    "clEnqueueMemcpyINTEL",
    "clEnqueueMigrateMemINTEL",
    "clEnqueueReadGlobalVariableINTEL",
    "clEnqueueReadHostPipeINTEL",
    "clEnqueueWriteGlobalVariableINTEL",
    "clEnqueueWriteHostPipeINTEL",
    "clFinalizeCommandBufferKHR",
    "clGetCommandBufferInfoKHR",
    "clGetDeviceFunctionPointerINTEL",
    "clGetDeviceGlobalVariablePointerINTEL",
    "clGetKernelSubGroupInfoKHR",
    "clGetKernelSuggestedLocalWorkSizeKHR",
    "clGetMemAllocInfoINTEL",
    "clHostMemAllocINTEL",
    "clMemBlockingFreeINTEL",
    "clSetKernelArgMemPointerINTEL",
    "clSharedMemAllocINTEL",
    "clUpdateMutableCommandsKHR",
};

static void *address_of(const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(cl.platform, name);
}

/* All that the adapter refuses to start without, and what it looks up later. */
static void pi12_all_functions_are_there(void)
{
    for (size_t i = 0; i < LEN(core); i++)
        if (!address_of(core[i]))
            check_fail(__FILE__, __LINE__, "no function %s", core[i]);
    for (size_t i = 0; i < LEN(by_name); i++)
        if (!address_of(by_name[i]))
            check_fail(__FILE__, __LINE__, "no function %s", by_name[i]);
    CHECK(!address_of("piKernelCreate"));
}

static cl_uint references(cl_kernel kernel)
{
    cl_uint count = 0;
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* Kernels: create, retain, set arguments, run, release. */
static void pi12_a_kernels_life(void)
{
    const cl_int add = 41;
    cl_int first = 1, got = 0;
    const cl_ulong wide = 0;
    cl_program program = built("kernel void k(global int *x, int add) { *x += add; }", NULL);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof first, &first);
    CHECK_EQ(references(kernel), 1);
    CHECK_OK(clRetainKernel(kernel));
    CHECK_EQ(references(kernel), 2);
    CHECK_EQ(clSetKernelArg(kernel, 2, sizeof add, &add), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof wide, &wide), CL_INVALID_ARG_SIZE);
    ARG(kernel, 0, x);
    const size_t one = 1;
    CHECK_EQ(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    ARG(kernel, 1, add);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    run_1d(kernel, 1, 1);
    read_back(x, sizeof got, &got);
    CHECK_EQ(got, 42);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

/* ---- PI-14: handles -------------------------------------------------------------------------- */

struct handles {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem x;
    cl_int values[COUNT], back[COUNT];
};

static void *make_all(void *data)
{
    struct handles *h = data;
    const char *text = "kernel void k(global int *x, int by) { size_t i = get_global_id(0); "
                       "x[i] = x[i] * by + (int)i; }";
    const cl_int by = 13;
    cl_int rc;
    h->context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    h->queue = clCreateCommandQueue(h->context, cl.device, 0, &rc);
    h->program = clCreateProgramWithSource(h->context, 1, &text, NULL, &rc);
    CHECK_OK(clBuildProgram(h->program, 1, &cl.device, NULL, NULL, NULL));
    h->kernel = clCreateKernel(h->program, "k", &rc);
    h->x = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, sizeof h->values, h->values, &rc);
    CHECK_OK(rc);
    CHECK_OK(clSetKernelArg(h->kernel, 0, sizeof h->x, &h->x));
    CHECK_OK(clSetKernelArg(h->kernel, 1, sizeof by, &by));
    return NULL;
}

/* Whoever wraps a handle holds it; whoever made it lets go. */
static void *use_all(void *data)
{
    struct handles *h = data;
    const size_t count = COUNT;
    CHECK_OK(clEnqueueNDRangeKernel(h->queue, h->kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    return NULL;
}

static void *end_all(void *data)
{
    struct handles *h = data;
    CHECK_OK(
        clEnqueueReadBuffer(h->queue, h->x, CL_TRUE, 0, sizeof h->back, h->back, 0, NULL, NULL));
    RELEASE_CONTEXT(h->context);
    RELEASE_PROGRAM(h->program);
    RELEASE_MEM(h->x);
    RELEASE_QUEUE(h->queue);
    RELEASE_KERNEL(h->kernel);
    return NULL;
}

static void check_back(const struct handles *h)
{
    for (int i = 0; i < COUNT; i++)
        REQUIRE(h->back[i] == h->values[i] * 13 + i);
}

/* One thread makes all, another one uses it, a third ends it; each is gone before the next. */
static void pi14_nothing_belongs_to_a_thread(void)
{
    struct handles h;
    void *(*const parts[])(void *) = {make_all, use_all, end_all};
    for (int i = 0; i < COUNT; i++)
        h.values[i] = 1000 - 7 * i;
    for (size_t i = 0; i < LEN(parts); i++) {
        pthread_t thread;
        REQUIRE(!pthread_create(&thread, NULL, parts[i], &h));
        REQUIRE(!pthread_join(thread, NULL));
    }
    check_back(&h);
}

static void release_in_order(struct handles *h, unsigned order)
{
    int left[] = {0, 1, 2, 3, 4};
    for (unsigned count = LEN(left); count; count--) {
        unsigned at = order % count;
        switch (left[at]) {
        case 0:
            RELEASE_CONTEXT(h->context);
            break;
        case 1:
            RELEASE_QUEUE(h->queue);
            break;
        case 2:
            RELEASE_PROGRAM(h->program);
            break;
        case 3:
            RELEASE_KERNEL(h->kernel);
            break;
        default:
            RELEASE_MEM(h->x);
        }
        memmove(left + at, left + at + 1, (count - 1 - at) * sizeof *left);
        order /= count;
    }
}

/* In all orders, while the work has not begun: what a handle needs it holds. */
static void pi14_released_in_any_order(void)
{
    const size_t count = COUNT;
    for (unsigned order = 0; order < 120; order++) {
        struct handles h;
        cl_event back;
        for (int i = 0; i < COUNT; i++)
            h.values[i] = (int)order * 3 + i;
        make_all(&h);
        cl_int rc;
        cl_event gate = clCreateUserEvent(h.context, &rc);
        REQUIRE_OK(rc);
        REQUIRE_OK(
            clEnqueueNDRangeKernel(h.queue, h.kernel, 1, NULL, &count, NULL, 1, &gate, NULL));
        REQUIRE_OK(
            clEnqueueReadBuffer(h.queue, h.x, CL_FALSE, 0, sizeof h.back, h.back, 0, NULL, &back));
        release_in_order(&h, order);
        REQUIRE_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        REQUIRE_OK(clWaitForEvents(1, &back));
        check_back(&h);
        RELEASE_EVENT(gate);
        RELEASE_EVENT(back);
    }
}

static const struct test_case cases[] = {
    CASE(pi2_the_model_of_1_2),          CASE(pi2_rectangles_and_maps),
    CASE(pi9_discovery_through_the_icd), CASE(pi12_all_functions_are_there),
    CASE(pi12_a_kernels_life),           CASE(pi14_nothing_belongs_to_a_thread),
    CASE(pi14_released_in_any_order),
};
static const struct test_case jobs[] = {CASE(job_list)};
JOBS_MAIN("adapter", cases, jobs)
