/* SPDX-License-Identifier: Apache-2.0 */
/* Release orders, released handles, work in flight when its objects are released. */
#include "cl_help.h"

#include <stdint.h>

static const char source[] = "kernel void spin(global uint *x, uint n)\n"
                             "{\n"
                             "    uint v = x[get_global_id(0)];\n"
                             "    for (uint i = 0; i < n; i++)\n"
                             "        v = v * 1664525u + 1013904223u;\n"
                             "    x[get_global_id(0)] = v;\n"
                             "}\n";

struct set {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
};

static struct set make(void)
{
    struct set s;
    cl_int rc;
    const char *text = source;
    s.context = new_context();
    s.queue = clCreateCommandQueue(s.context, cl.device, 0, &rc);
    REQUIRE_OK(rc);
    s.mem = clCreateBuffer(s.context, 0, 4096, NULL, &rc);
    REQUIRE_OK(rc);
    s.program = clCreateProgramWithSource(s.context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(s.program, 0, NULL, NULL, NULL, NULL));
    s.kernel = clCreateKernel(s.program, "spin", &rc);
    REQUIRE_OK(rc);
    cl_uint n = 10;
    ARG(s.kernel, 0, s.mem);
    ARG(s.kernel, 1, n);
    return s;
}

static void release_one(const struct set *s, int which)
{
    switch (which) {
    case 0:
        RELEASE_CONTEXT(s->context);
        break;
    case 1:
        RELEASE_QUEUE(s->queue);
        break;
    case 2:
        RELEASE_PROGRAM(s->program);
        break;
    case 3:
        RELEASE_KERNEL(s->kernel);
        break;
    default:
        RELEASE_MEM(s->mem);
    }
}

/* All 120 orders of releasing context, queue, program, kernel and buffer, each with a launch that
 * may still be running. */
static void every_order(void)
{
    const size_t global = 1024;
    for (int code = 0; code < 120; code++) {
        struct set s = make();
        CHECK_OK(clEnqueueNDRangeKernel(s.queue, s.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        int left[5] = {0, 1, 2, 3, 4}, rest = code;
        for (int n = 5; n; n--) {
            int pick = rest % n;
            rest /= n;
            release_one(&s, left[pick]);
            left[pick] = left[n - 1];
        }
    }
}

static void parents_released_first(void)
{
    struct set s = make();
    cl_uint value = 0, zero = 0;
    const size_t global = 1024;
    RELEASE_CONTEXT(s.context);
    RELEASE_PROGRAM(s.program);
    CHECK_OK(clEnqueueFillBuffer(s.queue, s.mem, &zero, 4, 0, 4096, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(s.queue, s.kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(s.queue, s.mem, CL_TRUE, 4092, 4, &value, 0, NULL, NULL));
    cl_uint want = 0;
    for (int i = 0; i < 10; i++)
        want = want * 1664525u + 1013904223u;
    CHECK_EQ(value, want);
    RELEASE_KERNEL(s.kernel);
    RELEASE_MEM(s.mem);
    RELEASE_QUEUE(s.queue);
}

static void event_outlives_all(void)
{
    struct set s = make();
    cl_event event;
    const size_t global = 1024;
    CHECK_OK(clEnqueueNDRangeKernel(s.queue, s.kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    for (int i = 4; i >= 0; i--)
        release_one(&s, i);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

static void events_not_waited_for(void)
{
    struct set s = make();
    const size_t global = 64;
    for (int i = 0; i < 500; i++) {
        cl_event event;
        CHECK_OK(
            clEnqueueNDRangeKernel(s.queue, s.kernel, 1, NULL, &global, NULL, 0, NULL, &event));
        RELEASE_EVENT(event);
    }
    CHECK_OK(clFinish(s.queue));
    for (int i = 0; i < 5; i++)
        release_one(&s, i);
}

/* Contexts, programs and queues end when the last object attached to them does; until then the
 * handles that queries give back can be used. */
static void parents_stay_usable(void)
{
    struct set s = make();
    cl_program program = NULL;
    cl_context context = NULL;
    size_t count = 0;
    cl_uint devices = 0;
    RELEASE_PROGRAM(s.program);
    RELEASE_CONTEXT(s.context);
    CHECK_OK(clGetKernelInfo(s.kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetMemObjectInfo(s.mem, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, NULL));
    CHECK_EQ(devices, 1);
    RELEASE_KERNEL(s.kernel);
    RELEASE_MEM(s.mem);
    RELEASE_QUEUE(s.queue);
}

/* Objects without children are gone for the application at its last release. */
static void released_handles(void)
{
    if (!is_sluice())
        check_skip("other libraries do not promise it");
    struct set s = make();
    cl_uint n;
    cl_int rc;
    cl_event event = clCreateUserEvent(s.context, &rc);
    REQUIRE_OK(rc);
    RELEASE_EVENT(event);
    FAILS(CL_INVALID_EVENT, clReleaseEvent(event));
    FAILS(CL_INVALID_EVENT, clWaitForEvents(1, &event));
    RELEASE_KERNEL(s.kernel);
    FAILS(CL_INVALID_KERNEL, clReleaseKernel(s.kernel));
    FAILS(CL_INVALID_KERNEL, clSetKernelArg(s.kernel, 0, sizeof s.mem, &s.mem));
    RELEASE_MEM(s.mem);
    FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(s.mem));
    FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(s.queue, s.mem, 1, 0, 4, &n, 0, NULL, NULL));
    RELEASE_QUEUE(s.queue);
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(s.queue));
    RELEASE_PROGRAM(s.program);
    FAILS(CL_INVALID_PROGRAM, clReleaseProgram(s.program));
    RELEASE_CONTEXT(s.context);
    FAILS(CL_INVALID_CONTEXT, clReleaseContext(s.context));
}

static void unset_user_event(void)
{
    cl_int rc;
    cl_mem mem = new_buffer(0, 64, NULL);
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = clCreateUserEvent(cl.context, &rc), event;
    cl_uint data = 0;
    REQUIRE_OK(rc);
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 4, &data, 1, &gate, &event));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    RELEASE_EVENT(gate);
    CHECK_OK(clWaitForEvents(1, &event));
    RELEASE_EVENT(event);
    gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    RELEASE_EVENT(gate); /* never set, nobody waits */
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

static void buffer_released_while_queued(void)
{
    cl_int rc;
    cl_uint value = 77, back = 0;
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, 4, &value), to = new_buffer(0, 4, NULL);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clEnqueueCopyBuffer(cl.queue, from, to, 0, 0, 4, 1, &gate, NULL));
    RELEASE_MEM(from);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    read_back(to, 4, &back);
    CHECK_EQ(back, 77);
    RELEASE_MEM(to);
    RELEASE_EVENT(gate);
}

/* A buffer that is gone is refused as an argument, also when its handle means another one by now.
 */
static void released_argument(void)
{
    cl_kernel kernel =
        new_kernel("kernel void put(global int *x) { x[get_global_id(0)] = 1; }", "put", NULL);
    cl_mem later[40], mem = new_buffer(0, 256, NULL);
    const size_t global = 64;
    ARG(kernel, 0, mem);
    RELEASE_MEM(mem);
    for (size_t i = 0; i < LEN(later); i++) {
        later[i] = new_buffer(0, 4, NULL);
        FAILS(CL_INVALID_KERNEL_ARGS,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        cl_mem again = new_buffer(0, 4, NULL);
        RELEASE_MEM(again);
    }
    for (size_t i = 0; i < LEN(later); i++)
        RELEASE_MEM(later[i]);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(released_argument),   CASE(every_order),           CASE(parents_released_first),
    CASE(event_outlives_all),  CASE(events_not_waited_for), CASE(released_handles),
    CASE(parents_stay_usable), CASE(unset_user_event),      CASE(buffer_released_while_queued),
};
TEST_MAIN("lifetime", cases)
