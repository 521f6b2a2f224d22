/* SPDX-License-Identifier: Apache-2.0 */
/* How long data lives, what is separate, and letting go of a design whose kernels are blocked. */
#include "flow.h"

#include <pthread.h>
#include <time.h>

static const char stream[] =
    CHANNELS "channel uint c __attribute__((depth(64)));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
             "}\n"
             "kernel void mark(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = i;\n"
             "}\n";

static cl_uint nothing(cl_uint i)
{
    (void)i;
    return 0;
}

static cl_uint from_fifty(cl_uint i)
{
    return i + 50;
}

/* The writer has ended before the reader starts; what one launch leaves the next one gets. */
static void survives_launches(void)
{
    cl_program program = built(stream, "");
    program_expect(program, "src", 60, nothing);
    program_expect(program, "dst", 50, want_same);
    struct flow *flow = flow_of(program);
    cl_mem out = new_uints(10);
    cl_uint n = 10;
    cl_kernel kernel = flow_add(flow, "dst");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_run(flow);
    expect_uints(out, n, from_fifty);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* A program object is a design of its own, also when made from the same text; running the one
 * leaves the other's data alone. */
static void programs_are_separate(void)
{
    cl_program one = built(stream, ""), other = built(stream, "");
    program_expect(one, "src", 40, nothing);
    program_expect(other, "src", 20, nothing);
    program_expect(other, "mark", 20, want_same);
    program_expect(other, "dst", 20, want_same);
    program_expect(one, "dst", 40, want_same);
    RELEASE_PROGRAM(one);
    RELEASE_PROGRAM(other);
}

/* Two contexts at once, each with a program of the same names: nothing passes from one to the
 * other. */
static void contexts_are_separate(void)
{
    struct {
        cl_context context;
        cl_command_queue queue;
        struct flow *flow;
        cl_mem out;
    } sides[2];
    cl_context context = cl.context;
    cl_command_queue queue = cl.queue;
    const cl_uint counts[] = {3000, 1000};
    for (int i = 0; i < 2; i++) {
        cl.context = sides[i].context = new_context();
        cl.queue = sides[i].queue = new_queue(0);
        sides[i].flow = flow_open(stream, "");
        sides[i].out = new_uints(counts[i]);
        cl_kernel src = flow_add(sides[i].flow, "src"), dst = flow_add(sides[i].flow, "dst");
        ARG(src, 0, sides[i].out);
        ARG(src, 1, counts[i]);
        ARG(dst, 0, sides[i].out);
        ARG(dst, 1, counts[i]);
    }
    for (int i = 0; i < 2; i++)
        flow_start(sides[i].flow);
    for (int i = 0; i < 2; i++) {
        cl.context = sides[i].context;
        cl.queue = sides[i].queue;
        flow_finish(sides[i].flow);
        expect_uints(sides[i].out, counts[i], want_same);
        flow_close(sides[i].flow);
        RELEASE_MEM(sides[i].out);
        RELEASE_QUEUE(sides[i].queue);
        RELEASE_CONTEXT(sides[i].context);
    }
    cl.context = context;
    cl.queue = queue;
}

/* A program that is built again starts with empty channels: what is read is the new data. */
static void rebuild_empties(void)
{
    cl_program program = built(stream, "");
    struct flow *flow = flow_of(program);
    cl_mem out = new_uints(30);
    cl_uint n = 30;
    cl_kernel kernel = flow_add(flow, "src");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_run(flow);
    CHECK_OK(clRetainProgram(program));
    flow_close(flow);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    program_expect(program, "src dst", 100, want_same);
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
}

static cl_uint each_once(cl_uint i)
{
    (void)i;
    return 1;
}

/* One kernel launched twice at once is one reader: together the launches get each packet once. */
static void one_kernel_twice_at_once(void)
{
    static const char source[] = CHANNELS
        "channel uint c __attribute__((depth(4)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n / 2; i++) { uint v = read_channel_intel(c); o[v]++; }\n"
        "}\n";
    flow_expect(source, "dst dst src", 2000, each_once);
    flow_expect(source, "src dst dst", 2000, each_once);
}

/* The data is in the program, not in the queue or the kernel object. */
static void objects_come_and_go(void)
{
    cl_program program = built(stream, "");
    for (int i = 0; i < 20; i++) {
        program_expect(program, "src", 64, nothing);
        program_expect(program, "dst", 64, want_same);
    }
    RELEASE_PROGRAM(program);
}

/* Kernels on one in-order queue one after the other, as far as the depth reaches. */
static void in_order_queue(void)
{
    cl_program program = built(stream, "");
    cl_mem out = new_uints(64);
    cl_uint n = 64;
    cl_kernel src = kernel_of(program, "src"), dst = kernel_of(program, "dst");
    ARG(src, 0, out);
    ARG(src, 1, n);
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    for (int i = 0; i < 50; i++) {
        size_t one = 1;
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, src, 1, NULL, &one, &one, 0, NULL, NULL));
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    }
    REQUIRE_OK(clFinish(cl.queue));
    expect_uints(out, n, want_same);
    RELEASE_KERNEL(src);
    RELEASE_KERNEL(dst);
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
}

/* Handles of a blocked design may all be released: it stays until it can end, and another design
 * runs beside it. */
static void release_while_blocked(void)
{
    struct flow *flow = flow_open(stream, "");
    cl_mem out = new_uints(100);
    cl_uint n = 100;
    cl_kernel kernel = flow_add(flow, "dst");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_start(flow);
    program_expect(flow->program, "mark", 500, want_same);
    flow_expect(stream, "src dst", 500, want_same);
    cl_kernel src = kernel_of(flow->program, "src");
    ARG(src, 0, out);
    ARG(src, 1, n);
    cl_event done = flow->kernels[0].event;
    CHECK_OK(clRetainEvent(done));
    flow_close(flow);
    run_1d(src, 1, 1);
    REQUIRE_OK(clWaitForEvents(1, &done));
    expect_uints(out, n, want_same);
    RELEASE_EVENT(done);
    RELEASE_KERNEL(src);
    RELEASE_MEM(out);
}

static void *wait_for(void *event)
{
    cl_event e = event;
    CHECK_OK(clWaitForEvents(1, &e));
    return NULL;
}

/* Who waits while all stands still is looked after by a thread of the device's, which looks at
 * every kernel that is parked: also at those of a program that goes meanwhile. */
static void goes_while_it_is_looked_at(void)
{
    static const char loop[] =
        CHANNELS "channel uint a __attribute__((depth(2))), b __attribute__((depth(2)));\n"
                 "__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                 "kernel void on(void) { write_channel_intel(b, read_channel_intel(a)); }\n"
                 "kernel void give(uint n) { write_channel_intel(a, n); }\n"
                 "kernel void take(uint n) { read_channel_intel(b); }\n";
    const struct timespec moment = {.tv_nsec = 1000000};
    enum { PROGRAMS = 8, STALL_MS = 600 };
    cl_program programs[PROGRAMS];
    struct flow *flow = flow_open(stream, "");
    cl_mem out = new_uints(100);
    cl_uint n = 100;
    pthread_t waits;
    for (int i = 0; i < PROGRAMS; i++)
        programs[i] = built(loop, "");
    cl_kernel kernel = flow_add(flow, "dst"), src = kernel_of(flow->program, "src");
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    ARG(src, 0, out);
    ARG(src, 1, n);
    flow_start(flow);
    REQUIRE(!pthread_create(&waits, NULL, wait_for, flow->kernels[0].event));
    for (int i = 0; i < STALL_MS; i++)
        nanosleep(&moment, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        RELEASE_PROGRAM(programs[i]);
    run_1d(src, 1, 1);
    pthread_join(waits, NULL);
    expect_uints(out, n, want_same);
    RELEASE_KERNEL(src);
    RELEASE_MEM(out);
    flow_close(flow);
}

static const struct test_case cases[] = {
    CASE(survives_launches), CASE(programs_are_separate),    CASE(contexts_are_separate),
    CASE(rebuild_empties),   CASE(one_kernel_twice_at_once), CASE(objects_come_and_go),
    CASE(in_order_queue),    CASE(release_while_blocked),    CASE(goes_while_it_is_looked_at),
};
TEST_MAIN("lifetime", cases)
