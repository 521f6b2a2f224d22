/* SPDX-License-Identifier: Apache-2.0 */
/* Ten threads create, enqueue, wait and release for some seconds; two share a queue for short
 * transfers. */
#include "cl_help.h"
#include "reference.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 10, COUNT = 2048 };

static double seconds(void)
{
    const char *text = getenv("SLUICE_TEST_THREAD_SECONDS");
    return text ? atof(text) : 3;
}

static const char source[] = "kernel void mix_in(global uint *x, uint y)\n"
                             "{\n"
                             "    x[get_global_id(0)] = x[get_global_id(0)] * 3u + y;\n"
                             "}\n";
static double until;
static cl_program shared_program;
static atomic_int rounds;

/* The helpers that end a case belong to the main thread, so this checks and returns. */
static int one_round(cl_command_queue queue, unsigned seed)
{
    static const size_t global = COUNT;
    static _Thread_local cl_uint data[COUNT];
    cl_int rc = 0, rc2 = 0;
    for (cl_uint i = 0; i < COUNT; i++)
        data[i] = i ^ seed;
    cl_mem mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
    cl_kernel kernel = clCreateKernel(shared_program, "mix_in", &rc2);
    if (!CHECK_OK(rc) || !CHECK_OK(rc2))
        return 0;
    cl_event event = NULL;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof seed, &seed));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof data, data, 1, &event, NULL));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseMemObject(mem));
    for (cl_uint i = 0; i < COUNT; i++) {
        if (data[i] != (i ^ seed) * 3u + seed)
            return check_equal(__FILE__, __LINE__, "data[i]", data[i], (i ^ seed) * 3u + seed);
    }
    return 1;
}

static void *own_queue(void *arg)
{
    cl_int rc;
    unsigned seed = *(unsigned *)arg;
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    if (!CHECK_OK(rc))
        return NULL;
    while (now_seconds() < until && one_round(queue, seed++))
        atomic_fetch_add(&rounds, 1);
    CHECK_OK(clReleaseCommandQueue(queue));
    return NULL;
}

static void *shared_queue(void *arg)
{
    unsigned seed = *(unsigned *)arg;
    while (now_seconds() < until && one_round(cl.queue, seed++))
        atomic_fetch_add(&rounds, 1);
    return NULL;
}

static void *builds(void *arg)
{
    unsigned seed = *(unsigned *)arg;
    cl_int rc;
    const char *text = source;
    while (now_seconds() < until) {
        char options[64];
        snprintf(options, sizeof options, "-DSEED=%u", seed++ % 64);
        cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &rc);
        if (!CHECK_OK(rc) || !CHECK_OK(clBuildProgram(program, 0, NULL, options, NULL, NULL)))
            return NULL;
        cl_kernel kernel = clCreateKernel(program, "mix_in", &rc);
        CHECK_OK(rc);
        CHECK_OK(clReleaseProgram(program));
        CHECK_OK(clReleaseKernel(kernel));
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

/* Everything a thread can own, down to the context. */
static void *whole_lives(void *arg)
{
    cl_int rc, rc2, rc3;
    char data[64] = {0};
    (void)arg;
    while (now_seconds() < until) {
        cl_context context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
        if (!CHECK_OK(rc))
            return NULL;
        cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, &rc);
        cl_mem mem = clCreateBuffer(context, 0, 64, NULL, &rc2);
        cl_event event = clCreateUserEvent(context, &rc3);
        if (!CHECK_OK(rc) || !CHECK_OK(rc2) || !CHECK_OK(rc3))
            return NULL;
        CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 64, data, 1, &event, NULL));
        CHECK_OK(clSetUserEventStatus(event, CL_COMPLETE));
        CHECK_OK(clFinish(queue));
        CHECK_OK(clReleaseEvent(event));
        CHECK_OK(clReleaseMemObject(mem));
        CHECK_OK(clReleaseContext(context));
        CHECK_OK(clReleaseCommandQueue(queue));
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

static void race(void *(*const *bodies)(void *), size_t kinds)
{
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    shared_program = built(source, NULL);
    rounds = 0;
    until = now_seconds() + seconds();
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i * 1000;
        REQUIRE(!pthread_create(&threads[i], NULL, bodies[i % kinds], &seeds[i]));
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(rounds >= THREADS);
    RELEASE_PROGRAM(shared_program);
}

static void queues_of_their_own(void)
{
    race((void *(*const[])(void *)){own_queue}, 1);
}

static void one_queue_for_all(void)
{
    race((void *(*const[])(void *)){shared_queue}, 1);
}

static void everything_at_once(void)
{
    race((void *(*const[])(void *)){own_queue, builds, whole_lives, shared_queue}, 4);
}

/* ---- short transfers, which may be done without a command ------------------------------------ */

enum { SHORT = 4096 };
static atomic_int over;

static int all_the_same(const cl_uint *data)
{
    for (cl_uint i = 1; i < SHORT; i++)
        if (data[i] != data[0])
            return check_equal(__FILE__, __LINE__, "data[i]", data[i], data[0]);
    return 1;
}

static void *write_whole_patterns(void *arg)
{
    static cl_uint data[SHORT];
    cl_mem mem = arg;
    for (cl_uint round = 1; !over; round++) {
        for (cl_uint i = 0; i < SHORT; i++)
            data[i] = round;
        if (!CHECK_OK(
                clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL)))
            return NULL;
    }
    return NULL;
}

/* One thread's blocking writes and another's commands on one queue: no command sees half a write.
 */
static void transfers_are_whole(void)
{
    static cl_uint data[SHORT];
    double end = now_seconds() + seconds() / 3;
    memset(data, 0, sizeof data);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    cl_mem copy = new_buffer(CL_MEM_READ_WRITE, sizeof data, NULL);
    pthread_t writer;
    over = 0;
    REQUIRE(!pthread_create(&writer, NULL, write_whole_patterns, mem));
    for (cl_uint i = 0; now_seconds() < end; i++) {
        cl_event event = NULL, *wanted = i % 2 ? &event : NULL;
        CHECK_OK(clEnqueueCopyBuffer(cl.queue, mem, copy, 0, 0, sizeof data, 0, NULL, wanted));
        CHECK_OK(clEnqueueReadBuffer(cl.queue, copy, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
        if (!all_the_same(data))
            break;
        CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, i % 3, 0, sizeof data, data, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        if (!all_the_same(data))
            break;
        if (event)
            RELEASE_EVENT(event);
    }
    over = 1;
    pthread_join(writer, NULL);
    RELEASE_MEM(mem);
    RELEASE_MEM(copy);
}

static void *write_one(void *arg)
{
    static const cl_uint one = 1;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, arg, CL_TRUE, 0, sizeof one, &one, 0, NULL, NULL));
    over = 1;
    return NULL;
}

/* A blocking write waits for what its queue has before it, and for nothing when that is done. */
static void transfers_keep_their_turn(void)
{
    cl_uint zero = 0, seen = 7;
    cl_int rc;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE(rc == CL_SUCCESS);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, sizeof seen, &seen, 1, &gate, NULL));
    pthread_t writer;
    over = 0;
    REQUIRE(!pthread_create(&writer, NULL, write_one, mem));
    for (double end = now_seconds() + 0.05; now_seconds() < end && !over;)
        ;
    CHECK(!over && seen == 7);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    pthread_join(writer, NULL);
    CHECK_EQ(seen, 0);
    read_back(mem, sizeof seen, &seen);
    CHECK_EQ(seen, 1);
    RELEASE_EVENT(gate);
    RELEASE_MEM(mem);
}

static const struct test_case cases[] = {CASE(queues_of_their_own), CASE(one_queue_for_all),
                                         CASE(everything_at_once), CASE(transfers_are_whole),
                                         CASE(transfers_keep_their_turn)};
TEST_MAIN("threads", cases)
