/* SPDX-License-Identifier: Apache-2.0 */
/* What SYCL's OpenCL adapter does that a program of OpenCL hardly does: it reads versions letter by
 * letter, asks a marker whether a queue is idle, releases things in callbacks, never flushes. */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1003, LONG = 5000 /* milliseconds */ };

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    if (!found)
        check_skip("no unified shared memory");
    memcpy(to, &found, sizeof found);
}

static cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}

static void until(atomic_int *flag)
{
    for (int i = 0; i < LONG && !atomic_load(flag); i++)
        usleep(1000);
    CHECK(atomic_load(flag));
}

/* ---- versions -------------------------------------------------------------------------------- */

/* "<words> <major>.<minor> <text>": the adapter takes what has no space behind the number for 0.0.
 */
static cl_version parsed(const char *text, const char *words)
{
    cl_uint number[2] = {0};
    const char *at = text + strlen(words);
    CHECK(!strncmp(text, words, strlen(words)));
    for (int i = 0; i < 2; i++) {
        CHECK(isdigit((unsigned char)*at));
        for (; isdigit((unsigned char)*at); at++)
            number[i] = 10 * number[i] + (cl_uint)(*at - '0');
        if (*at++ != (i ? ' ' : '.'))
            check_fail(__FILE__, __LINE__, "no version: \"%s\"", text);
    }
    CHECK(*at && *at != ' ');
    return CL_MAKE_VERSION(number[0], number[1], 0);
}

static void versions_are_read_as_text(void)
{
    char text[256] = "";
    cl_version number = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    CHECK_OK(
        clGetPlatformInfo(cl.platform, CL_PLATFORM_NUMERIC_VERSION, sizeof number, &number, NULL));
    CHECK_EQ(parsed(text, "OpenCL "), number);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_VERSION, sizeof text, text, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number, NULL));
    CHECK_EQ(parsed(text, "OpenCL "), number);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL));
    CHECK(parsed(text, "OpenCL C ") >= CL_MAKE_VERSION(1, 2, 0));
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof text, text, NULL));
    CHECK(!strstr(text, "NVIDIA CUDA") && !strstr(text, "AMD Accelerated")); /* it refuses these */
}

/* ---- markers --------------------------------------------------------------------------------- */

/* Whether a queue is idle: the status of a marker, at once, and nobody has flushed. */
static void a_marker_tells_whether_a_queue_is_idle(void)
{
    for (int order = 0; order < 2; order++) {
        cl_event gate = user_event(), idle, busy;
        cl_command_queue queue = new_queue(order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &idle));
        CHECK_EQ(event_status(idle), CL_COMPLETE);
        CHECK_OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
        CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &busy));
        CHECK(event_status(busy) > CL_COMPLETE);
        CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
        for (int i = 0; i < LONG && event_status(busy) > CL_COMPLETE; i++)
            usleep(1000);
        CHECK_EQ(event_status(busy), CL_COMPLETE);
        RELEASE_EVENT(idle);
        RELEASE_EVENT(busy);
        RELEASE_EVENT(gate);
        RELEASE_QUEUE(queue);
    }
}

/* ---- callbacks ------------------------------------------------------------------------------- */

struct ended {
    clMemBlockingFreeINTEL_fn release;
    cl_command_queue queue;
    cl_event event;
    void *memory;
    atomic_int came, go, over;
};

/* The last references to all that the command was made with; what it waits for meanwhile is the
 * application's. */
static void CL_CALLBACK release_all(cl_event event, cl_int status, void *data)
{
    struct ended *e = data;
    CHECK_EQ(status, CL_COMPLETE);
    CHECK(event == e->event);
    atomic_store(&e->came, 1);
    until(&e->go);
    CHECK_OK(e->release(cl.context, e->memory));
    CHECK_OK(clReleaseCommandQueue(e->queue));
    CHECK_OK(clReleaseEvent(e->event));
    atomic_store(&e->over, 1);
}

/* While the callback takes its time, the commands of all queues go on. */
static void a_callback_may_block_and_release(void)
{
    unsigned char from[BYTES], back[BYTES], seven = 7;
    cl_int rc;
    struct ended e = {0};
    clHostMemAllocINTEL_fn allocate;
    clEnqueueMemcpyINTEL_fn copy;
    find(&allocate, "clHostMemAllocINTEL");
    find(&copy, "clEnqueueMemcpyINTEL");
    find(&e.release, "clMemBlockingFreeINTEL");
    memset(from, 3, sizeof from);
    e.memory = allocate(cl.context, NULL, BYTES, 0, &rc);
    REQUIRE_OK(rc);
    e.queue = new_queue(0);
    cl_event gate = user_event();
    cl_mem other = new_buffer(0, BYTES, NULL);
    CHECK_OK(copy(e.queue, CL_FALSE, e.memory, from, BYTES, 1, &gate, &e.event));
    CHECK_OK(clSetEventCallback(e.event, CL_COMPLETE, release_all, &e));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    until(&e.came);
    CHECK_OK(clEnqueueFillBuffer(cl.queue, other, &seven, 1, 0, BYTES, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(cl.queue, other, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(back[0] == 7 && back[BYTES - 1] == 7);
    CHECK_OK(clEnqueueReadBuffer(e.queue, other, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
    CHECK(!atomic_load(&e.over));
    atomic_store(&e.go, 1);
    until(&e.over);
    RELEASE_EVENT(gate);
    RELEASE_MEM(other);
}

/* ---- two queues, nobody flushes -------------------------------------------------------------- */

static void a_wait_reaches_the_other_queue(void)
{
    unsigned char from[BYTES], to[BYTES] = {0};
    cl_event first, second;
    clHostMemAllocINTEL_fn allocate;
    clMemBlockingFreeINTEL_fn release;
    clEnqueueMemcpyINTEL_fn copy;
    cl_int rc;
    find(&allocate, "clHostMemAllocINTEL");
    find(&release, "clMemBlockingFreeINTEL");
    find(&copy, "clEnqueueMemcpyINTEL");
    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 37);
    void *between = allocate(cl.context, NULL, BYTES, 0, &rc);
    REQUIRE_OK(rc);
    cl_command_queue one = new_queue(0), two = new_queue(0);
    CHECK_OK(copy(one, CL_FALSE, between, from, BYTES, 0, NULL, &first));
    CHECK_OK(copy(two, CL_FALSE, to, between, BYTES, 1, &first, &second));
    CHECK_OK(clWaitForEvents(1, &second));
    CHECK(!memcmp(from, to, BYTES));
    RELEASE_EVENT(first);
    RELEASE_EVENT(second);
    RELEASE_QUEUE(one);
    RELEASE_QUEUE(two);
    CHECK_OK(release(cl.context, between));
}

/* ---- kernels and programs -------------------------------------------------------------------- */

static void kernels_answer_what_is_asked_of_each(void)
{
    size_t sizes[3] = {5, 5, 5}, bytes = 0;
    cl_kernel kernel = new_kernel("kernel void k(global int *x) { *x = 1; }", "k", NULL);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof sizes, sizes, &bytes));
    CHECK(bytes == sizeof sizes && !sizes[0] && !sizes[1] && !sizes[2]);
    for (cl_kernel_exec_info name = CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL;
         name <= CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL; name++) {
        const cl_bool yes = CL_TRUE;
        CHECK_OK(clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
    }
    RELEASE_KERNEL(kernel);
}

/* A failed link is a program with a log. */
static void a_failed_link_has_a_log(void)
{
    cl_int rc;
    cl_program part =
        new_program("int absent(int); kernel void k(global int *x) { *x = absent(3); }");
    REQUIRE_OK(clCompileProgram(part, 1, &cl.device, "", 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(cl.context, 1, &cl.device, "", 1, &part, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    REQUIRE(linked);
    char log[4096] = "";
    CHECK_OK(clGetProgramBuildInfo(linked, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "absent"));
    RELEASE_PROGRAM(linked);
    RELEASE_PROGRAM(part);
}

static const struct test_case cases[] = {
    CASE(versions_are_read_as_text),
    CASE(a_marker_tells_whether_a_queue_is_idle),
    CASE(a_callback_may_block_and_release),
    CASE(a_wait_reaches_the_other_queue),
    CASE(kernels_answer_what_is_asked_of_each),
    CASE(a_failed_link_has_a_log),
};
TEST_MAIN("adapter calls", cases)
