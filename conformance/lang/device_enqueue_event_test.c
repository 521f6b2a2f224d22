/* SPDX-License-Identifier: Apache-2.0 */
/* Queues and events of kernels that enqueue kernels: order, errors, and what is left behind. */
#include "child.h"
#include "device_queue.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run_ints(cl_kernel kernel, size_t items, size_t count, cl_int *out)
{
    memset(out, 0, count * sizeof *out);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, count * sizeof *out, out);
    ARG(kernel, 0, mem);
    run_1d(kernel, items, 1);
    read_back(mem, count * sizeof *out, out);
    RELEASE_MEM(mem);
}

/* One item runs `body`, with out and q; the default queue has that many bytes (0: as usual). */
static void run_body(const char *body, const char *options, cl_uint bytes, size_t count,
                     cl_int *out)
{
    static char text[8192];
    char all[64];
    cl_command_queue queue = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, bytes);
    snprintf(text, sizeof text,
             "#define NO CLK_ENQUEUE_FLAGS_NO_WAIT\n"
             "#define ONE ndrange_1D(1)\n"
             "kernel void k(global int *out)\n{\n    queue_t q = get_default_queue();\n%s}\n",
             body);
    snprintf(all, sizeof all, "-cl-std=CL3.0 %s", options);
    cl_kernel kernel = new_kernel(text, "k", all);
    run_ints(kernel, 1, count, out);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

static void check_ints(const cl_int *got, const cl_int *want, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (got[i] != want[i])
            check_fail(__FILE__, __LINE__, "out[%zu] is %d, not %d", i, got[i], want[i]);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Twenty kernels, each waiting for the one before, enqueued before the first may start. */
static void chain(void)
{
    cl_int out[21];
    need_device_queues();
    run_body("    clk_event_t user = create_user_event(), last = user;\n"
             "    retain_event(user);\n"
             "    for (int i = 0; i < 20; i++) {\n"
             "        clk_event_t next;\n"
             "        out[20] += enqueue_kernel(q, i % 2, ndrange_1D(i % 3 + 1), 1, &last, &next,\n"
             "            ^{ if (get_global_id(0) == 0) out[i] = i ? out[i - 1] * 2 + 1 : 1; });\n"
             "        release_event(last);\n"
             "        last = next;\n"
             "    }\n"
             "    release_event(last);\n"
             "    set_user_event_status(user, CL_COMPLETE);\n"
             "    release_event(user);\n",
             "", 0, LEN(out), out);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(out[i], (1 << (i + 1)) - 1);
    CHECK_EQ(out[20], 0);
}

/* Several at once, a marker over them, and an event's completion that includes grandchildren. */
static void joined(void)
{
    cl_int out[8];
    need_device_queues();
    run_body("    clk_event_t all[5], mark;\n"
             "    for (int i = 0; i < 5; i++)\n"
             "        out[7] += enqueue_kernel(q, NO, ONE, 0, NULL, &all[i], ^{\n"
             "            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
             "                           ndrange_1D(i + 1), ^{ atomic_inc(&out[i]); });\n"
             "        });\n"
             "    out[7] += enqueue_marker(q, 5, all, &mark);\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 1, &mark, NULL, ^{\n"
             "        out[5] = out[0] + out[1] * 10 + out[2] * 100 + out[3] * 1000\n"
             "               + out[4] * 10000; });\n"
             "    for (int i = 0; i < 5; i++) release_event(all[i]);\n"
             "    release_event(mark);\n",
             "", 0, LEN(out), out);
    const cl_int want[] = {1, 2, 3, 4, 5, 54321, 0, 0};
    check_ints(out, want, LEN(want));
}

/* What waits for an event that failed does not run; the rest does, and the launch ends well. */
static void failed_event(void)
{
    cl_int out[8];
    need_device_queues();
    run_body("    clk_event_t user = create_user_event(), first, second, other;\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 1, &user, &first, ^{ out[0] = 1; });\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 1, &first, &second, ^{ out[1] = 1; });\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 0, NULL, &other, ^{ out[2] = 1; });\n"
             "    set_user_event_status(user, -77);\n"
             "    set_user_event_status(user, CL_COMPLETE);\n"
             "    clk_event_t both[2] = {other, second};\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 2, both, NULL, ^{ out[3] = 1; });\n"
             "    out[7] += enqueue_kernel(q, NO, ONE, 1, &other, NULL, ^{ out[4] = 1; });\n"
             "    release_event(user);\n"
             "    release_event(first);\n"
             "    release_event(second);\n"
             "    release_event(other);\n",
             "", 0, LEN(out), out);
    const cl_int want[] = {0, 0, 1, 0, 1, 0, 0, 0};
    check_ints(out, want, LEN(want));
}

/* Set by a child, of a handle that it captured. */
static void set_by_a_child(void)
{
    cl_int out[3];
    need_device_queues();
    run_body(
        "    clk_event_t user = create_user_event();\n"
        "    out[2] += enqueue_kernel(q, NO, ONE, 1, &user, NULL, ^{ out[0] = out[1] + 1; });\n"
        "    out[2] += enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ONE, ^{\n"
        "        out[1] = 8;\n"
        "        set_user_event_status(user, CL_COMPLETE);\n"
        "        release_event(user);\n"
        "    });\n",
        "", 0, LEN(out), out);
    const cl_int want[] = {9, 8, 0};
    check_ints(out, want, LEN(want));
}

static void profiled(void)
{
    cl_int out[12];
    need_device_queues();
    run_body("    global ulong *times = (global ulong *)out;\n"
             "    clk_event_t user = create_user_event(), run;\n"
             "    enqueue_kernel(q, NO, ONE, 1, &user, &run, ^{\n"
             "        enqueue_kernel(get_default_queue(), NO, ndrange_1D(100), ^{\n"
             "            for (int i = 0; i < 20000; i++) atomic_inc(&out[10]); });\n"
             "    });\n"
             "    capture_event_profiling_info(run, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
             "    capture_event_profiling_info(user, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);\n"
             "    set_user_event_status(user, CL_COMPLETE);\n"
             "    release_event(user);\n"
             "    release_event(run);\n",
             "", 0, LEN(out), out);
    cl_ulong times[4];
    memcpy(times, out, sizeof times);
    CHECK(times[0] > 0);
    CHECK(times[1] > times[0]); /* what it enqueued takes longer than it did */
    CHECK(times[1] < 100000000000u);
    CHECK(!times[2] && !times[3]);
    CHECK_EQ(out[10], 2000000);
}

/* The host sees when the kernel itself had ended, and when all had that it enqueued. */
static void end_and_completion(void)
{
    static const char text[] =
        "kernel void k(global ulong *times, global int *out) {\n"
        "    clk_event_t e;\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0,\n"
        "        NULL, &e, ^{ for (int i = 0; i < 2000000; i++) atomic_inc(out); });\n"
        "    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);\n"
        "    release_event(e);\n"
        "}\n";
    need_device_queues();
    cl_command_queue device = default_queue(), queue = new_queue(CL_QUEUE_PROFILING_ENABLE);
    cl_ulong child[2] = {0}, end = 0, complete = 0;
    cl_int zero = 0;
    cl_event event;
    cl_mem times = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof child, child);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_kernel kernel = new_kernel(text, "k", "-cl-std=CL3.0");
    ARG(kernel, 0, times);
    ARG(kernel, 1, out);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, NULL, 0, NULL, &event));
    REQUIRE_OK(clWaitForEvents(1, &event));
    read_back(times, sizeof child, child);
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete,
                                     &complete, NULL));
    CHECK(child[0] > 0);
    CHECK(complete >= end + child[0]);
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
    RELEASE_MEM(times);
    RELEASE_QUEUE(queue);
    RELEASE_QUEUE(device);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const char wrong_calls[] =
    "    clk_event_t gone = create_user_event(), good = create_user_event(), made;\n"
    "    queue_t none = 0;\n"
    "    set_user_event_status(gone, CL_COMPLETE);\n"
    "    release_event(gone);\n"
    "    release_event(gone);\n"
    "    retain_event(gone);\n"
    "    set_user_event_status(gone, -1);\n"
    "    size_t huge[3] = {1ul << 40, 1ul << 40, 2}, most[2] = {4096, 4096};\n"
    "    out[0] = enqueue_kernel(none, NO, ONE, ^{ out[20]++; });\n"
    "    out[1] = enqueue_kernel(q, NO, ndrange_1D(10, 1 << 20), ^{ out[20]++; });\n"
    "    out[2] = enqueue_kernel(q, NO, ndrange_2D(most, most), ^{ out[20]++; });\n"
    "    out[3] = enqueue_kernel(q, NO, ndrange_3D(huge), ^{ out[20]++; });\n"
    "    out[4] = enqueue_kernel(q, NO, ONE, 1, &gone, NULL, ^{ out[20]++; });\n"
    "    out[5] = enqueue_kernel(q, NO, ONE, 1, NULL, NULL, ^{ out[20]++; });\n"
    "    out[6] = enqueue_kernel(q, NO, ONE, 0, &good, &made, ^{ out[20]++; });\n"
    "    out[7] = enqueue_kernel(q, NO, ONE, ^(local void *p) { out[20]++; }, 0u);\n"
    "    out[8] = enqueue_kernel(q, NO, ONE, ^(local void *p) { out[20]++; }, 1u << 30);\n"
    "    out[9] = enqueue_marker(none, 1, &good, &made);\n"
    "    out[10] = enqueue_marker(q, 1, &gone, &made);\n"
    "    out[11] = enqueue_marker(q, 0, NULL, &made);\n"
    "    out[12] = is_valid_event(gone) * 2 + is_valid_event(good);\n"
    "    out[13] = enqueue_kernel(q, NO, ONE, ^{ out[20]++; });\n"
    "    release_event(good);\n";

static void codes(void)
{
    enum { QUEUE = -102, RANGE = -160, LIST = -57, SIZE = -51, RESOURCES = -5, ANY = -101 };
    static const cl_int exact[21] = {QUEUE, RANGE,     RANGE, RANGE, LIST, LIST, LIST,
                                     SIZE,  RESOURCES, QUEUE, LIST,  LIST, 1,    0,
                                     0,     0,         0,     0,     0,    0,    1};
    cl_int out[21], want[21];
    need_device_queues();
    run_body(wrong_calls, "-g", 0, LEN(out), out);
    check_ints(out, exact, LEN(out));
    run_body(wrong_calls, "", 0, LEN(out), out);
    for (size_t i = 0; i < LEN(want); i++)
        want[i] = exact[i] < 0 ? ANY : exact[i];
    check_ints(out, want, LEN(out));
}

/* No kernel is lost: as many run as were taken, and a queue that was full takes some again. */
static void full_queue(void)
{
    cl_int out[5];
    need_device_queues();
    static const char body[] =
        "    for (int i = 0; i < 1000; i++) {\n"
        "        int rc = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ONE,\n"
        "                                ^{ atomic_inc(&out[0]); });\n"
        "        out[rc ? 2 : 1]++;\n"
        "        if (rc) out[3] = rc;\n"
        "    }\n";
    for (int round = 0; round < 3; round++) {
        run_body(body, "-g", 16 << 10, LEN(out), out);
        CHECK_EQ(out[0], out[1]);
        CHECK_EQ(out[1] + out[2], 1000);
        CHECK(out[1] > 10 && out[1] < 500);
        CHECK_EQ(out[3], -161);
    }
    run_body(body, "", 16, LEN(out), out); /* room for one, however small */
    CHECK_EQ(out[1], 1);
    CHECK_EQ(out[0], 1);
    CHECK_EQ(out[3], -101);
}

/* Events that nobody releases go with their launch. */
static void leaked_events(void)
{
    cl_int out[2];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        new_kernel("kernel void k(global int *out)\n"
                   "{\n"
                   "    clk_event_t e, user = create_user_event();\n"
                   "    if (!is_valid_event(user)) atomic_inc(&out[1]);\n"
                   "    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
                   "            ndrange_1D(1), 0, NULL, &e, ^{ atomic_inc(&out[0]); }))\n"
                   "        atomic_inc(&out[1]);\n"
                   "}\n",
                   "k", "-cl-std=CL3.0");
    for (int round = 0; round < 300; round++) {
        run_ints(kernel, 3000, LEN(out), out);
        if (out[0] != 3000 || out[1]) {
            CHECK_EQ(out[0], 3000);
            CHECK_EQ(out[1], 0);
            break;
        }
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* Without a default queue, and with a handle that was released: nothing is enqueued. */
static void no_queue(void)
{
    cl_int out[2] = {0}, rc;
    need_device_queues();
    cl_kernel kernel =
        new_kernel("kernel void k(global int *out, queue_t given)\n"
                   "{\n"
                   "    out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1),\n"
                   "                            ^{ out[1] += 1; });\n"
                   "    enqueue_kernel(given, 0, ndrange_1D(1), ^{ out[1] += 10; });\n"
                   "}\n",
                   "k", "-cl-std=CL3.0 -g");
    cl_command_queue queue = device_queue(0, 0);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, queue);
    run_1d(kernel, 1, 1);
    read_back(mem, sizeof out, out);
    CHECK_EQ(out[0], -102);
    CHECK_EQ(out[1], 10);
    const size_t one = 1;
    RELEASE_QUEUE(queue);
    rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    CHECK_EQ(rc, CL_INVALID_KERNEL_ARGS);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* A queue may be released while kernels that use it have yet to run. */
static void released_early(void)
{
    enum { ITEMS = 999 };
    static cl_int out[ITEMS];
    need_device_queues();
    const size_t global = ITEMS;
    cl_command_queue queue = device_queue(0, 0), standard = default_queue(), host = new_queue(0);
    cl_kernel kernel = new_kernel(
        "kernel void k(global int *out, queue_t given)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    enqueue_kernel(given, 0, ndrange_1D(1), ^{ out[i] += 1; });\n"
        "    enqueue_kernel(get_default_queue(), 1, ndrange_1D(1), ^{ out[i] += 10; });\n"
        "}\n",
        "k", "-cl-std=CL3.0");
    cl_int rc;
    cl_event start = clCreateUserEvent(cl.context, &rc);
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, sizeof out, out);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, queue);
    CHECK_OK(clEnqueueNDRangeKernel(host, kernel, 1, NULL, &global, NULL, 1, &start, NULL));
    RELEASE_QUEUE(queue);
    RELEASE_QUEUE(standard);
    CHECK_OK(clSetUserEventStatus(start, CL_COMPLETE));
    CHECK_OK(clEnqueueReadBuffer(host, mem, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        if (out[i] != 11) {
            CHECK_EQ(out[i], 11);
            break;
        }
    RELEASE_EVENT(start);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(host);
}

/* ---- the host's part ------------------------------------------------------------------------- */

static cl_command_queue default_of(cl_command_queue queue)
{
    cl_command_queue found = NULL;
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    return found;
}

static void defaults(void)
{
    cl_uint size = 0, refs = 0;
    need_device_queues();
    CHECK(default_of(cl.queue) == NULL);
    cl_command_queue first = default_queue(), again = default_queue(), other = device_queue(0, 777);
    CHECK(first == again);
    CHECK(default_of(cl.queue) == first && default_of(other) == first);
    CHECK_OK(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK_EQ(refs, 2);
    CHECK_OK(clGetCommandQueueInfo(first, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, device_uint(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
    CHECK_OK(clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, 777);
    CHECK_OK(clSetDefaultDeviceCommandQueue(cl.context, cl.device, other));
    CHECK(default_of(first) == other);
    RELEASE_QUEUE(first);
    RELEASE_QUEUE(other);
    CHECK(default_of(again) == NULL);
    RELEASE_QUEUE(again);
}

static void wrong_queues(void)
{
    int byte = 0;
    cl_int rc;
    const size_t one = 1;
    need_device_queues();
    cl_uint most = device_uint(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
    const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
                              too_large[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_ON_DEVICE |
                                                 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                             CL_QUEUE_SIZE, (cl_queue_properties)most + 1, 0};
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, in_order, ERR));
    CREATE_FAILS(CL_INVALID_QUEUE_PROPERTIES,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, too_large, ERR));
    cl_command_queue queue = device_queue(0, 0), host = cl.queue;
    cl_kernel kernel =
        new_kernel("kernel void k(queue_t q, global int *x) { *x = 1; }", "k", "-cl-std=CL3.0");
    cl_mem mem = new_buffer(0, 4, NULL);
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
    FAILS(CL_INVALID_COMMAND_QUEUE, clFlush(queue));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE,
          clSetDefaultDeviceCommandQueue(cl.context, cl.device, cl.queue));
    FAILS(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(cl.context, cl.device, NULL));
    FAILS(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof host, &host));
    FAILS(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof host, NULL));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &queue));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof queue, &queue));
    rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    CHECK_EQ(rc, CL_INVALID_KERNEL_ARGS);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
    FAILS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(queue));
}

static void questions(void)
{
    cl_int out[5];
    size_t limit = 0, multiple = 0;
    need_device_queues();
    run_body("    void (^block)(void) = ^{ out[get_global_id(0)] = 1; };\n"
             "    void (^with)(local void *) = ^(local void *p) { *(local int *)p = 1; };\n"
             "    out[0] = get_kernel_work_group_size(block);\n"
             "    out[1] = get_kernel_preferred_work_group_size_multiple(block);\n"
             "    out[2] = get_kernel_work_group_size(with);\n"
             "#ifdef __opencl_c_subgroups\n"
             "    out[3] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(100, 50), block);\n"
             "    out[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(100, 50), block);\n"
             "#endif\n",
             "", 0, LEN(out), out);
    cl_kernel kernel = new_kernel("kernel void k(global int *out) { out[get_global_id(0)] = 1; }",
                                  "k", "-cl-std=CL3.0");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit,
                                      &limit, NULL));
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device,
                                      CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                      &multiple, NULL));
    CHECK_EQ(out[0], limit);
    CHECK_EQ(out[1], multiple);
    CHECK_EQ(out[2], limit);
    CHECK(out[3] > 0 && out[3] <= 50);
    CHECK_EQ(out[4], (50 + out[3] - 1) / out[3]);
    RELEASE_KERNEL(kernel);
}

/* ---- what never ends ------------------------------------------------------------------------- */

/* A launch waits for an event that nobody sets; other queues go on, and the process can end. */
static void wait_for_ever(void)
{
    const size_t one = 1;
    int data[3] = {0}, done = 0;
    cl_event stuck;
    cl_command_queue queue = default_queue(), host = new_queue(0);
    (void)queue;
    cl_program program =
        built("kernel void k(global int *out)\n"
              "{\n"
              "    clk_event_t never = create_user_event();\n"
              "    enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), 1, &never, NULL,\n"
              "                   ^{ out[0] = 1; });\n"
              "    out[2] = 3;\n"
              "}\n"
              "kernel void other(global int *out) { out[1] = 2; }\n",
              "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "k"), other = kernel_of(program, "other");
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, sizeof data, data);
    ARG(kernel, 0, mem);
    ARG(other, 0, mem);
    CHECK_OK(clEnqueueNDRangeKernel(host, kernel, 1, NULL, &one, NULL, 0, NULL, &stuck));
    CHECK_OK(clFlush(host));
    for (int i = 0; i < 200; i++) {
        CHECK_OK(clEnqueueNDRangeKernel(cl.queue, other, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        done += data[1] == 2;
    }
    CHECK_EQ(done, 200);
    /* That it says so comes behind its last store. */
    for (int i = 0; i < 1000 && ((volatile int *)data)[2] != 3; i++)
        usleep(10000);
    usleep(300000);
    CHECK_EQ(data[0], 0);
    CHECK_EQ(data[2], 3);
    CHECK(event_status(stuck) > CL_COMPLETE);
}

static void never_set(void)
{
    need_device_queues();
    static const char *const env[] = {"SLUICE_LOG=warn", NULL};
    const struct child_plan plan = {.job = "stuck", .env = env, .limit_seconds = 60};
    struct child child = child_run(&plan);
    CHECK_EQ(child.status, 0);
    if (is_sluice())
        CHECK(strstr(child.err, "wait for user events that nobody can set"));
    child_finish(&child);
}

static void stuck(void)
{
    REQUIRE(!env_open());
    wait_for_ever();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    _exit(check_take_failures() != 0); /* they mind what is in flight, and that is the case */
#endif
}

static const struct test_case cases[] = {
    CASE(chain),          CASE(joined),         CASE(failed_event),
    CASE(set_by_a_child), CASE(profiled),       CASE(end_and_completion),
    CASE(codes),          CASE(full_queue),     CASE(leaked_events),
    CASE(no_queue),       CASE(released_early), CASE(defaults),
    CASE(wrong_queues),   CASE(questions),      CASE(never_set),
};
static const struct test_case jobs[] = {CASE(stuck)};
JOBS_MAIN("device_enqueue_event", cases, jobs)
