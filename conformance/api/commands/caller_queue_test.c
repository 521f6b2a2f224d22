/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_exec_by_local_thread: queues whose commands the enqueuing thread runs itself. */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HERE CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL

enum { COUNT = 1003, THREADS = 4, ROUNDS = 50 };

/* The FPGA emulator, whose kernels run side by side, and other vendors' devices have no such
 * queues; that they refuse the property is the first case's, which is never skipped. */
static void need(void)
{
    if (!has_extension("cl_intel_exec_by_local_thread"))
        check_skip("cl_intel_exec_by_local_thread");
}

static void status_is_complete(cl_event event)
{
    cl_int status = 99;
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK_EQ(status, CL_COMPLETE);
}

/* Asked everywhere: a device without it says so. */
static void properties(void)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, (cl_queue_properties)HERE, 0};
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, HERE | CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue_properties can = 0, got = 0;
    cl_int rc;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL));
    CHECK_EQ((can & HERE) != 0, has_extension("cl_intel_exec_by_local_thread"));
    CREATE_FAILS(CL_INVALID_QUEUE_PROPERTIES,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, on_device, ERR));
    if (!(can & HERE)) {
        CREATE_FAILS(CL_INVALID_QUEUE_PROPERTIES,
                     clCreateCommandQueue(cl.context, cl.device, HERE, ERR));
        CREATE_FAILS(CL_INVALID_QUEUE_PROPERTIES,
                     clCreateCommandQueueWithProperties(cl.context, cl.device, list, ERR));
        return;
    }
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL));
    CHECK_EQ(got, HERE);
    RELEASE_QUEUE(queue);
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateCommandQueue(cl.context, cl.device, HERE | 1u << 30, ERR));
}

/* ---- which thread ---------------------------------------------------------------------------- */

struct note {
    pthread_t *at;
};

static void CL_CALLBACK note_thread(void *args)
{
    *((struct note *)args)->at = pthread_self();
}

static void native_kernels(void)
{
    need();
    for (int i = 0; i < 2; i++) {
        cl_command_queue queue = new_queue(HERE | (i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
        pthread_t who;
        memset(&who, 0, sizeof who);
        struct note note = {&who};
        cl_event event = NULL;
        CHECK_OK(clEnqueueNativeKernel(queue, note_thread, &note, sizeof note, 0, NULL, NULL, 0,
                                       NULL, &event));
        CHECK(pthread_equal(who, pthread_self()));
        status_is_complete(event);
        RELEASE_EVENT(event);
        RELEASE_QUEUE(queue);
    }
}

static void CL_CALLBACK rename_thread(void *args)
{
    char *seen = *(char **)args;
    pthread_getname_np(pthread_self(), seen, 16);
    pthread_setname_np(pthread_self(), "renamed");
}

/* The thread is the application's, and so is its name. */
static void names(void)
{
    need();
    char before[16] = "", seen[16] = "", *at = seen;
    cl_command_queue queue = new_queue(HERE);
    pthread_getname_np(pthread_self(), before, sizeof before);
    pthread_setname_np(pthread_self(), "decoder");
    CHECK_OK(
        clEnqueueNativeKernel(queue, rename_thread, &at, sizeof at, 0, NULL, NULL, 0, NULL, NULL));
    CHECK(!strcmp(seen, "decoder"));
    pthread_getname_np(pthread_self(), seen, sizeof seen);
    CHECK(!strcmp(seen, "renamed"));
    pthread_setname_np(pthread_self(), before);
    RELEASE_QUEUE(queue);
}

struct nest {
    cl_command_queue queue;
    pthread_t *at;
    atomic_int *done;
};

static void CL_CALLBACK enqueue_more(void *args)
{
    struct nest *n = args;
    struct note note = {n->at};
    CHECK_OK(clEnqueueNativeKernel(n->queue, note_thread, &note, sizeof note, 0, NULL, NULL, 0,
                                   NULL, NULL));
    CHECK(pthread_equal(*n->at, pthread_self()));
    atomic_fetch_add(n->done, 1);
}

/* A function of the application that enqueues, as it may call anything else. */
static void nested(void)
{
    need();
    cl_command_queue queue = new_queue(HERE), inner = new_queue(HERE);
    pthread_t who;
    memset(&who, 0, sizeof who);
    atomic_int done = 0;
    struct nest n = {inner, &who, &done};
    CHECK_OK(
        clEnqueueNativeKernel(queue, enqueue_more, &n, sizeof n, 0, NULL, NULL, 0, NULL, NULL));
    CHECK_EQ(done, 1);
    RELEASE_QUEUE(inner);
    RELEASE_QUEUE(queue);
}

static double cpu_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char busy_source[] =
    "kernel void busy(global uint *out, uint rounds)\n"
    "{\n"
    "    uint x = get_global_id(0);\n"
    "    for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n";

/* A launch that the device would share among its threads. */
static void one_thread(void)
{
    static cl_uint out[4096];
    const size_t global = 4096;
    const cl_uint rounds = 100000;
    need();
    cl_command_queue queue = new_queue(HERE);
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof out, NULL);
    cl_kernel kernel = new_kernel(busy_source, "busy", "");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof rounds, &rounds));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    double own = cpu_seconds(CLOCK_THREAD_CPUTIME_ID), all = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    own = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - own;
    all = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
    CHECK(own > 0.75 * all);
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof out, out, 0, NULL, NULL));
    for (cl_uint i = 0; i < global; i += 1021) {
        cl_uint x = i;
        for (cl_uint k = 0; k < rounds; k++)
            x = x * 1664525u + 1013904223u;
        CHECK_EQ(out[i], x);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

/* ---- every command is over when its call returns --------------------------------------------- */

static const char source[] = "#ifndef cl_intel_exec_by_local_thread\n"
                             "#error no macro\n"
                             "#endif\n"
                             "kernel void mix_in(global uint *x, uint y)\n"
                             "{\n"
                             "    x[get_global_id(0)] = x[get_global_id(0)] * 3u + y;\n"
                             "}\n";

static void commands(void)
{
    need();
    cl_command_queue queue = new_queue(HERE | CL_QUEUE_PROFILING_ENABLE);
    cl_uint in[COUNT], out[COUNT];
    const cl_uint y = 77, four = 4;
    const size_t global = COUNT;
    cl_event event = NULL;
    cl_ulong from = 0, to = 0;
    cl_int rc;
    cl_mem a = new_buffer(CL_MEM_READ_WRITE, sizeof in, NULL);
    cl_mem b = new_buffer(CL_MEM_READ_WRITE, sizeof in, NULL);
    cl_kernel kernel = new_kernel(source, "mix_in", "");
    for (cl_uint i = 0; i < COUNT; i++)
        in[i] = i * i;
    CHECK_OK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, sizeof in, in, 0, NULL, NULL));
    memset(in, 0, sizeof in);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof y, &y));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    status_is_complete(event);
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL));
    CHECK_OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    CHECK(from && from <= to);
    CHECK_OK(clEnqueueCopyBuffer(queue, a, b, 0, 0, sizeof in, 1, &event, NULL));
    CHECK_OK(clEnqueueFillBuffer(queue, b, &four, sizeof four, 4, 8, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, sizeof out, out, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNT; i++)
        CHECK_EQ(out[i], i == 1 || i == 2 ? 4 : i * i * 3 + y);
    cl_uint *map =
        clEnqueueMapBuffer(queue, b, CL_FALSE, CL_MAP_WRITE, 0, sizeof out, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    map[5] = 55;
    CHECK_OK(clEnqueueUnmapMemObject(queue, b, map, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, b, CL_FALSE, 20, 4, out, 0, NULL, NULL));
    CHECK_EQ(out[0], 55);
    RELEASE_EVENT(event);
    CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
    status_is_complete(event);
    CHECK_OK(clFlush(queue));
    CHECK_OK(clFinish(queue));
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_QUEUE(queue);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void *set_later(void *data)
{
    usleep(20000);
    CHECK_OK(clSetUserEventStatus(*(cl_event *)data, CL_COMPLETE));
    return NULL;
}

static void waits_for_user_event(void)
{
    need();
    cl_int rc;
    cl_command_queue queue = new_queue(HERE);
    cl_event user = clCreateUserEvent(cl.context, &rc), event = NULL;
    REQUIRE_OK(rc);
    pthread_t other, who;
    memset(&who, 0, sizeof who);
    struct note note = {&who};
    REQUIRE(!pthread_create(&other, NULL, set_later, &user));
    CHECK_OK(clEnqueueNativeKernel(queue, note_thread, &note, sizeof note, 0, NULL, NULL, 1, &user,
                                   &event));
    CHECK(pthread_equal(who, pthread_self()));
    status_is_complete(user);
    status_is_complete(event);
    pthread_join(other, NULL);
    RELEASE_EVENT(event);
    RELEASE_EVENT(user);
    RELEASE_QUEUE(queue);
}

/* As a blocking read has it: the call says so, there is no event. */
static void failed_wait(void)
{
    need();
    cl_int rc;
    const size_t global = 1;
    const cl_uint y = 1, seven = 7;
    cl_uint value = 0;
    cl_command_queue queue = new_queue(HERE);
    cl_event user = clCreateUserEvent(cl.context, &rc), event = (cl_event)1;
    REQUIRE_OK(rc);
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof value, NULL);
    cl_kernel kernel = new_kernel(source, "mix_in", "");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof y, &y));
    CHECK_OK(clEnqueueFillBuffer(queue, mem, &seven, 4, 0, 4, 0, NULL, NULL));
    CHECK_OK(clSetUserEventStatus(user, -5));
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &user, &event),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(event == (cl_event)1);
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 4, &value, 0, NULL, NULL));
    CHECK_EQ(value, 7);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_EVENT(user);
    RELEASE_QUEUE(queue);
}

/* Nobody has flushed the other queue, and what hangs on ours goes on when it has run. */
static void other_queues(void)
{
    need();
    const size_t global = COUNT;
    const cl_uint y = 5;
    static cl_uint data[COUNT];
    cl_command_queue queue = new_queue(HERE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event first = NULL, second = NULL;
    for (cl_uint i = 0; i < COUNT; i++)
        data[i] = i;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    cl_kernel kernel = new_kernel(source, "mix_in", "");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof y, &y));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &first));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &first, &second));
    status_is_complete(first);
    status_is_complete(second);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof data, data, 1, &second, NULL));
    for (cl_uint i = 0; i < COUNT; i++)
        CHECK_EQ(data[i], (i * 3 + y) * 3 + y);
    RELEASE_EVENT(first);
    RELEASE_EVENT(second);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

/* ---- threads that share a queue -------------------------------------------------------------- */

struct shared {
    cl_command_queue queue;
    cl_mem mem;
    atomic_int inside, most, wrong;
};

struct visit {
    struct shared *shared;
    pthread_t thread;
};

static void CL_CALLBACK visit(void *args)
{
    struct visit *v = args;
    int inside = atomic_fetch_add(&v->shared->inside, 1) + 1;
    if (inside > atomic_load(&v->shared->most))
        atomic_store(&v->shared->most, inside);
    if (!pthread_equal(v->thread, pthread_self()))
        atomic_fetch_add(&v->shared->wrong, 1);
    usleep(100);
    atomic_fetch_sub(&v->shared->inside, 1);
}

static void *use_shared(void *data)
{
    struct shared *s = data;
    struct visit v = {s, pthread_self()};
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_OK(
            clEnqueueNativeKernel(s->queue, visit, &v, sizeof v, 0, NULL, NULL, 0, NULL, NULL));
        if (i % 10 == 0)
            CHECK_OK(clEnqueueBarrierWithWaitList(s->queue, 0, NULL, NULL));
        if (i % 10 == 5)
            CHECK_OK(clFinish(s->queue));
    }
    return NULL;
}

static void share(cl_command_queue_properties properties, int limit)
{
    struct shared s = {.queue = new_queue(HERE | properties)};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, use_shared, &s));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(s.wrong, 0);
    CHECK(s.most <= limit);
    RELEASE_QUEUE(s.queue);
}

static void in_order_sharing(void)
{
    need();
    share(0, 1);
}

static void out_of_order_sharing(void)
{
    need();
    share(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, THREADS);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static atomic_int called;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *data)
{
    cl_command_queue queue = data;
    pthread_t who;
    struct note note = {&who};
    (void)event;
    CHECK_EQ(status, CL_COMPLETE);
    CHECK_OK(clEnqueueNativeKernel(queue, note_thread, &note, sizeof note, 0, NULL, NULL, 0, NULL,
                                   NULL));
    CHECK(pthread_equal(who, pthread_self()));
    atomic_store(&called, 1);
}

static void callbacks(void)
{
    need();
    cl_command_queue queue = new_queue(HERE);
    cl_event event = NULL;
    CHECK_OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_end, queue));
    for (int i = 0; i < 2000 && !atomic_load(&called); i++)
        usleep(1000);
    CHECK_EQ(called, 1);
    RELEASE_EVENT(event);
    RELEASE_QUEUE(queue);
}

/* ---- the caller's stack ---------------------------------------------------------------------- */

struct stack_case {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_int rc;
};

static void *enqueue_one(void *data)
{
    struct stack_case *c = data;
    const size_t one = 1;
    c->rc = clEnqueueNDRangeKernel(c->queue, c->kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    return NULL;
}

static cl_int on_stack(struct stack_case *c, size_t bytes)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    REQUIRE(!pthread_attr_setstacksize(&attr, bytes));
    REQUIRE(!pthread_create(&thread, &attr, enqueue_one, c));
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    return c->rc;
}

/* No crash where there is no room, and the next call finds all in order. */
static void stacks(void)
{
    need();
    struct stack_case c = {.queue = new_queue(HERE), .kernel = new_kernel(source, "mix_in", "")};
    const cl_uint y = 3, five = 5;
    cl_uint out = 0;
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof out, NULL);
    CHECK_OK(clSetKernelArg(c.kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(c.kernel, 1, sizeof y, &y));
    CHECK_OK(clEnqueueFillBuffer(c.queue, mem, &five, 4, 0, 4, 0, NULL, NULL));
    CHECK_OK(on_stack(&c, 8 << 20));
#ifndef __SANITIZE_THREAD__ /* it makes small stacks larger */
    CHECK_EQ(on_stack(&c, 24 << 10), CL_OUT_OF_HOST_MEMORY);
#endif
    CHECK_OK(on_stack(&c, 8 << 20));
    CHECK_OK(clEnqueueReadBuffer(c.queue, mem, CL_TRUE, 0, 4, &out, 0, NULL, NULL));
    CHECK_EQ(out, (5 * 3 + 3) * 3 + 3);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(c.kernel);
    RELEASE_QUEUE(c.queue);
}

/* ---- kernels that enqueue kernels ------------------------------------------------------------ */

static const char chain_source[] =
    "void step(global uint *x, uint left)\n"
    "{\n"
    "    x[0] += left;\n"
    "    if (left)\n"
    "        enqueue_kernel(get_default_queue(), left % 2 ? CLK_ENQUEUE_FLAGS_WAIT_KERNEL\n"
    "                                                     : CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                       ndrange_1D(1), ^{ x[1]++; });\n"
    "}\n"
    "kernel void chain(global uint *x, uint left)\n"
    "{\n"
    "    for (uint i = 0; i <= left; i++) step(x, i);\n"
    "}\n";

static void chains(void)
{
    need();
    if (!device_uint(CL_DEVICE_MAX_ON_DEVICE_QUEUES)) /* kernels there cannot enqueue */
        check_skip("no device queues");
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    const size_t one = 1;
    const cl_uint left = 200;
    cl_uint x[2] = {0};
    cl_int rc;
    cl_command_queue inner = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = new_queue(HERE);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_kernel kernel = new_kernel(chain_source, "chain", "-cl-std=CL3.0");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof left, &left));
    cl_event event = NULL;
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    status_is_complete(event);
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof x, x, 0, NULL, NULL));
    CHECK_EQ(x[0], left * (left + 1) / 2);
    CHECK_EQ(x[1], left);
    RELEASE_EVENT(event);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
    RELEASE_QUEUE(inner);
}

static const struct test_case cases[] = {
    CASE(properties),
    CASE(native_kernels),
    CASE(names),
    CASE(nested),
    CASE(one_thread),
    CASE(commands),
    CASE(waits_for_user_event),
    CASE(failed_wait),
    CASE(other_queues),
    CASE(callbacks),
    CASE(in_order_sharing),
    CASE(out_of_order_sharing),
    CASE(stacks),
    CASE(chains),
};
TEST_MAIN("caller_queue", cases)
