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

/* The application gave its count back, but a child keeps the memory: the handle is invalid. */
static void released_handles(void)
{
    if (!wrong_handles_checked())
        check_skip("this library does not check");
    struct set s = make();
    cl_uint n;
    RELEASE_PROGRAM(s.program); /* the kernel holds it */
    CREATE_FAILS(CL_INVALID_PROGRAM, clCreateKernel(s.program, "spin", ERR));
    FAILS(CL_INVALID_PROGRAM,
          clGetProgramInfo(s.program, CL_PROGRAM_REFERENCE_COUNT, sizeof n, &n, NULL));
    FAILS(CL_INVALID_PROGRAM, clReleaseProgram(s.program));
    FAILS(CL_INVALID_PROGRAM, clRetainProgram(s.program));
    RELEASE_CONTEXT(s.context); /* queue, kernel and buffer hold it */
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateBuffer(s.context, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateUserEvent(s.context, ERR));
    FAILS(CL_INVALID_CONTEXT, clReleaseContext(s.context));
    RELEASE_KERNEL(s.kernel);
    RELEASE_MEM(s.mem);
    RELEASE_QUEUE(s.queue);
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

static const struct test_case cases[] = {
    CASE(every_order),
    CASE(parents_released_first),
    CASE(event_outlives_all),
    CASE(events_not_waited_for),
    CASE(released_handles),
    CASE(unset_user_event),
    CASE(buffer_released_while_queued),
};
TEST_MAIN("lifetime", cases)
