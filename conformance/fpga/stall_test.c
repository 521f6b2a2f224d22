/* SPDX-License-Identifier: Apache-2.0 */
/* A design that cannot move is reported, ended or waited for, as set; one that can is not. Each
 * case is a process of its own with a short stall time. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char healthy[] =
    CHANNELS "channel uint c __attribute__((depth(4)));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
             "}\n";

/* ---- error ----------------------------------------------------------------------------------- */

static void job_full(void)
{
    open_watched();
    struct flow *flow = flow_open(healthy, "");
    cl_mem out = new_uints(1);
    add(flow, "src", out, 10);
    flow_start(flow);
    double start = now_seconds();
    ends_with_errors(flow);
    CHECK(now_seconds() - start < 5);
    check_report(WORDS("src", "c", "full", "4", ":4:"));
    flow_close(flow);
    flow_expect(healthy, "src dst", 1000, want_same); /* the device goes on */
    RELEASE_MEM(out);
    env_close(1);
}

static void job_empty(void)
{
    open_watched();
    struct flow *flow = flow_open(healthy, "");
    cl_mem out = new_uints(1);
    add(flow, "dst", out, 1);
    flow_start(flow);
    ends_with_errors(flow);
    check_report(WORDS("dst", "c", "empty", ":7:"));
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Each of three waits for the next. */
static void job_cycle(void)
{
    static const char source[] = CHANNELS
        "channel uint ab; channel uint bc; channel uint ca;\n"
        "kernel void kernel_a(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(ab, read_channel_intel(ca));\n"
        "}\n"
        "kernel void kernel_b(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(bc, read_channel_intel(ab));\n"
        "}\n"
        "kernel void kernel_c(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(ca, read_channel_intel(bc));\n"
        "}\n";
    static const char *const names[] = {"kernel_a", "kernel_b", "kernel_c"};
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1);
    for (size_t i = 0; i < LEN(names); i++)
        add(flow, names[i], out, 3);
    flow_start(flow);
    ends_with_errors(flow);
    check_report(
        WORDS("kernel_a", "kernel_b", "kernel_c", "ab", "bc", "ca", ":4:", ":7:", ":10:", "cycle"));
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Kernels with blocking pipe arguments, and what has ended well stays well. */
static void job_arguments(void)
{
    static const char source[] =
        "kernel void src(global uint *o, uint n, write_only pipe uint __attribute__((blocking)) p) "
        "{\n"
        "    for (uint i = 0; i < n; i++) write_pipe(p, &i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n, read_only pipe uint __attribute__((blocking)) p) "
        "{\n"
        "    for (uint i = 0; i <= n; i++) { uint v; read_pipe(p, &v); o[0] = v; }\n"
        "}\n";
    cl_int rc;
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1), pipe = clCreatePipe(cl.context, 0, 4, 3, NULL, &rc);
    REQUIRE_OK(rc);
    cl_kernel src = add(flow, "src", out, 20), dst = add(flow, "dst", out, 20);
    ARG(src, 2, pipe);
    ARG(dst, 2, pipe);
    flow_start(flow);
    CHECK_OK(clWaitForEvents(1, &flow->kernels[0].event));
    CHECK_EQ(clWaitForEvents(1, &flow->kernels[1].event),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check_report(WORDS("dst", "p", "empty"));
    flow_close(flow);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
    env_close(1);
}

/* One in-order queue: the consumer never gets its turn. */
static void job_in_order(void)
{
    open_watched();
    cl_program program = built(healthy, "");
    cl_kernel src = kernel_of(program, "src"), dst = kernel_of(program, "dst");
    cl_mem out = new_uints(10);
    cl_uint n = 10;
    const size_t one = 1;
    ARG(src, 0, out);
    ARG(src, 1, n);
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    cl_event event;
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, src, 1, NULL, &one, &one, 0, NULL, &event));
    REQUIRE_OK(clFlush(cl.queue));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check_report(WORDS("src", "full"));
    RELEASE_EVENT(event);
    RELEASE_KERNEL(src);
    RELEASE_KERNEL(dst);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(out);
    env_close(1);
}

/* ---- report and wait ------------------------------------------------------------------------- */

struct rescue {
    struct flow *flow;
    cl_mem out;
    int after_report;
};

/* Waits for the report (or a while), then starts the missing kernel. */
static void *bring_rescue(void *data)
{
    struct rescue *rescue = data;
    for (int i = 0; i < 400 && !(rescue->after_report && report_count()); i++) {
        usleep(5000);
        if (!rescue->after_report && i > 100)
            break;
    }
    cl_uint n = 10;
    cl_kernel dst = kernel_of(rescue->flow->program, "dst");
    cl_command_queue queue = new_queue(0);
    const size_t one = 1;
    ARG(dst, 0, rescue->out);
    ARG(dst, 1, n);
    CHECK_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(dst);
    return NULL;
}

static void stalled_until_rescue(int reported)
{
    open_watched();
    struct flow *flow = flow_open(healthy, "");
    cl_mem out = new_uints(10);
    add(flow, "src", out, 10);
    flow_start(flow);
    struct rescue rescue = {flow, out, reported};
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, bring_rescue, &rescue));
    flow_finish(flow);
    REQUIRE(!pthread_join(thread, NULL));
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), reported);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Reported once, and still the kernel waits: who helps it late helps. */
static void job_report(void)
{
    stalled_until_rescue(1);
}

static void job_wait(void)
{
    stalled_until_rescue(0);
}

/* ---- what is no stall ------------------------------------------------------------------------ */

/* A long computation beside a kernel that waits for its result. */
static void job_busy(void)
{
    static const char source[] = CHANNELS
        "channel uint c __attribute__((depth(4)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    uint x = 1;\n"
        "    for (ulong i = 0; i < n * 100000ul; i++) x = x * 1664525u + 1013904223u ^ x >> 7;\n"
        "    write_channel_intel(c, x | 1);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) { o[0] = read_channel_intel(c); }\n";
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1);
    add(flow, "dst", out, 2000);
    add(flow, "src", out, 2000);
    flow_run(flow);
    cl_uint *got = take_uints(out, 1);
    CHECK(got[0] & 1);
    CHECK_EQ(report_count(), 0);
    free(got);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Blocked, but the host does not wait for it: it may yet do something. */
static void job_nobody_waits(void)
{
    open_watched();
    struct flow *flow = flow_open(healthy, "");
    cl_mem out = new_uints(10);
    add(flow, "src", out, 10);
    flow_start(flow);
    usleep(600000);
    CHECK_EQ(report_count(), 0);
    add(flow, "dst", out, 10);
    struct flow_kernel *dst = &flow->kernels[1];
    REQUIRE_OK(clEnqueueNDRangeKernel(dst->queue, dst->kernel, 1, NULL, &dst->global, &dst->local,
                                      0, NULL, &dst->event));
    flow_finish(flow);
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), 0);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* ---- the cases ------------------------------------------------------------------------------- */

#define STALL_CASE(name, job, on_stall)                                                            \
    static void name(void)                                                                         \
    {                                                                                              \
        stall_job(job, on_stall, NULL);                                                            \
    }
STALL_CASE(full_pipe, "job_full", "error")
STALL_CASE(empty_pipe, "job_empty", "error")
STALL_CASE(cycle, "job_cycle", "error")
STALL_CASE(pipe_arguments, "job_arguments", "error")
STALL_CASE(in_order_queue, "job_in_order", "error")
STALL_CASE(report_is_the_default, "job_report", "")
STALL_CASE(report, "job_report", "report")
STALL_CASE(wait, "job_wait", "wait")
STALL_CASE(a_busy_kernel_is_no_stall, "job_busy", "error")
STALL_CASE(nobody_waits, "job_nobody_waits", "error")

static const struct test_case cases[] = {
    CASE(full_pipe),      CASE(empty_pipe),     CASE(cycle),
    CASE(pipe_arguments), CASE(in_order_queue), CASE(report_is_the_default),
    CASE(report),         CASE(wait),           CASE(a_busy_kernel_is_no_stall),
    CASE(nobody_waits),
};
static const struct test_case jobs[] = {
    CASE(job_full),   CASE(job_empty), CASE(job_cycle), CASE(job_arguments),   CASE(job_in_order),
    CASE(job_report), CASE(job_wait),  CASE(job_busy),  CASE(job_nobody_waits)};
JOBS_MAIN("stall", cases, jobs)
