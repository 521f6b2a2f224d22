/* SPDX-License-Identifier: Apache-2.0 */
/* A design that cannot move is reported, ended or waited for, as set; one that can is not. Each
 * case is a process of its own with a short stall time. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <CL/cl_ext_sluice.h>
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
             "}\n"
             "kernel void plain(global uint *o, uint n) { o[0] = n; }\n";

/* src has been launched, and nobody reads. */
static struct flow *open_src(cl_mem *out, size_t count)
{
    open_watched();
    struct flow *flow = flow_open(healthy, "");
    *out = new_uints(count);
    add(flow, "src", *out, 10);
    flow_start(flow);
    return flow;
}

/* What it lacks. */
static void launch_dst(struct flow *flow, cl_mem out, cl_uint count, const cl_event *list)
{
    add(flow, "dst", out, 10);
    struct flow_kernel *dst = &flow->kernels[1];
    REQUIRE_OK(clEnqueueNDRangeKernel(dst->queue, dst->kernel, 1, NULL, &dst->global, &dst->local,
                                      count, list, &dst->event));
}

/* The same by another thread. */
static void run_dst(cl_program program, cl_mem out)
{
    cl_uint n = 10;
    cl_kernel dst = kernel_of(program, "dst");
    cl_command_queue queue = new_queue(0);
    const size_t one = 1;
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    CHECK_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK_OK(clFinish(queue));
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(dst);
}

static void close_src(struct flow *flow, cl_mem out)
{
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* All ran in the end, and nothing was said. */
static void expect_no_stall(struct flow *flow, cl_mem out)
{
    flow_finish(flow);
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), 0);
}

/* ---- error ----------------------------------------------------------------------------------- */

static void job_full(void)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 1);
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
    close_src(flow, out);
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
    close_src(flow, out);
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

/* The consumer comes behind the producer, which has more packets than there is room: in one
 * in-order queue, or by its wait list. */
static void consumer_behind(cl_command_queue_properties properties, const char *why)
{
    open_watched();
    cl_program program = built(healthy, "");
    cl_kernel src = kernel_of(program, "src"), dst = kernel_of(program, "dst");
    cl_command_queue queue = new_queue(properties);
    cl_mem out = new_uints(10);
    cl_uint n = 10;
    const size_t one = 1;
    cl_event event, last;
    ARG(src, 0, out);
    ARG(src, 1, n);
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, src, 1, NULL, &one, &one, 0, NULL, &event));
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, properties ? 1 : 0,
                                      properties ? &event : NULL, &last));
    REQUIRE_OK(clFlush(queue));
    CHECK_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check_report(WORDS("src waits to write c (full: 4 of 4)", "for dst, which reads it", why));
    clWaitForEvents(1, &last);
    RELEASE_EVENT(event);
    RELEASE_EVENT(last);
    RELEASE_QUEUE(queue);
    RELEASE_KERNEL(src);
    RELEASE_KERNEL(dst);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_in_order(void)
{
    consumer_behind(0, "not running: it comes behind src in one in-order queue");
}

static void job_wait_list(void)
{
    consumer_behind(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                    "not running: it waits for the end of src");
}

/* One mistake, two reports: the second says that the first was about whom it waits for. A launch
 * that runs again is not meant any more. */
static void job_after_ended(void)
{
    open_watched();
    cl_program program = built(healthy, "");
    cl_kernel src = kernel_of(program, "src"), dst = kernel_of(program, "dst");
    cl_command_queue queue = new_queue(0);
    cl_mem out = new_uints(10);
    cl_uint n = 10, fits = 4;
    const size_t one = 1;
    cl_event last;
    ARG(src, 0, out);
    ARG(src, 1, n);
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, src, 1, NULL, &one, &one, 0, NULL, &last));
    CHECK_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (int turn = 0; turn < 1000 && report_count() < 2; turn++)
        usleep(2000);
    CHECK_EQ(report_count(), 2);
    CHECK(report_has("src waits to write c (full: 4 of 4)"));
    CHECK(report_has(", for dst, which was ended above because it stood still\n"));
    RELEASE_EVENT(last);
    ARG(dst, 1, fits); /* what is in the channel */
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    clFinish(queue); /* which may tell of the ones before */
    expect_uints(out, fits, want_same);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, src, 1, NULL, &one, &one, 0, NULL, &last));
    CHECK_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (int turn = 0; turn < 1000 && report_count() < 3; turn++)
        usleep(2000);
    CHECK(report_has(", for dst, which reads it and is not running"));
    RELEASE_EVENT(last);
    RELEASE_QUEUE(queue);
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
    run_dst(rescue->flow->program, rescue->out);
    return NULL;
}

static void stalled_until_rescue(int reported)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    struct rescue rescue = {flow, out, reported};
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, bring_rescue, &rescue));
    flow_finish(flow);
    REQUIRE(!pthread_join(thread, NULL));
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), reported);
    close_src(flow, out);
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
    add(flow, "dst", out, 1000);
    add(flow, "src", out, 1000);
    flow_run(flow);
    cl_uint *got = take_uints(out, 1);
    CHECK(got[0] & 1);
    CHECK_EQ(report_count(), 0);
    free(got);
    close_src(flow, out);
}

/* Blocked, but the host does not wait for it: it may yet do something. */
static void job_nobody_waits(void)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    usleep(600000);
    CHECK_EQ(report_count(), 0);
    launch_dst(flow, out, 0, NULL);
    expect_no_stall(flow, out);
    close_src(flow, out);
}

/* ---- user events ----------------------------------------------------------------------------- */

/* One that nobody waits for, and one that only another command waits for: no hope. The call that
 * waits says so. */
static void dead_beside_user_event(int gate_other)
{
    cl_int rc;
    cl_uint zero = 0;
    cl_mem out;
    struct flow *flow = open_src(&out, 1);
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = new_queue(0);
    if (gate_other)
        REQUIRE_OK(clEnqueueWriteBuffer(queue, out, CL_FALSE, 0, 4, &zero, 1, &gate, NULL));
    CHECK_EQ(clFinish(flow->kernels[0].queue), CL_DEVICE_STALLED_SLUICE);
    CHECK_OK(clFinish(flow->kernels[0].queue)); /* it was said */
    ends_with_errors(flow);
    check_report(WORDS("src", "c", "full", "100 ms: SLUICE_FPGA_STALL_MS=100", "launches end"));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(queue));
    RELEASE_QUEUE(queue);
    RELEASE_EVENT(gate);
    close_src(flow, out);
}

static void job_user_event(void)
{
    dead_beside_user_event(0);
}

static void job_user_event_elsewhere(void)
{
    dead_beside_user_event(1);
}

struct setter {
    cl_event gate;
    useconds_t after_us;
};

static void *set_late(void *data)
{
    const struct setter *setter = data;
    usleep(setter->after_us);
    CHECK_OK(clSetUserEventStatus(setter->gate, CL_COMPLETE));
    return NULL;
}

/* The missing kernel waits for it, by way of a marker; it is set late, more than ten times the
 * stall time. */
static void job_user_event_helps(void)
{
    cl_int rc;
    cl_event marker;
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    struct setter setter = {clCreateUserEvent(cl.context, &rc), 1500000};
    REQUIRE_OK(rc);
    cl_command_queue queue = new_queue(0);
    REQUIRE_OK(clEnqueueMarkerWithWaitList(queue, 1, &setter.gate, &marker));
    launch_dst(flow, out, 1, &marker);
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, set_late, &setter));
    flow_finish(flow);
    REQUIRE(!pthread_join(thread, NULL));
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), 0);
    RELEASE_EVENT(marker);
    RELEASE_EVENT(setter.gate);
    RELEASE_QUEUE(queue);
    close_src(flow, out);
}

/* ---- a host that asks ------------------------------------------------------------------------ */

static cl_int asked(cl_event event)
{
    cl_int status = CL_QUEUED;
    CHECK_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static void polls_every(useconds_t us)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 1);
    cl_int status = CL_QUEUED;
    for (double start = now_seconds(); status > CL_COMPLETE && now_seconds() - start < 20;) {
        status = asked(flow->kernels[0].event);
        if (us)
            usleep(us);
    }
    CHECK_EQ(status, CL_DEVICE_STALLED_SLUICE);
    check_report(WORDS("src", "c", "full", "as the host asks instead of waiting"));
    close_src(flow, out);
}

static void job_polls(void)
{
    polls_every(0);
}

static void job_polls_slowly(void)
{
    polls_every(90000);
}

/* It asks now and then, and does what helps after all. */
static void job_polls_and_helps(void)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    for (int i = 0; i < 2; i++) {
        CHECK(asked(flow->kernels[0].event) > CL_COMPLETE);
        usleep(500000);
    }
    CHECK_EQ(report_count(), 0);
    launch_dst(flow, out, 0, NULL);
    expect_no_stall(flow, out);
    close_src(flow, out);
}

/* ---- a second thread of the host ------------------------------------------------------------- */

struct late {
    struct flow *flow;
    cl_mem out;
    double seconds;
    int computes;
};

/* Starts the missing kernel after a while. */
static void *come_late(void *data)
{
    const struct late *late = data;
    volatile cl_uint sink = 0;
    double start = now_seconds();
    if (!late->computes)
        usleep((useconds_t)(late->seconds * 1e6));
    while (now_seconds() - start < late->seconds)
        sink++;
    run_dst(late->flow->program, late->out);
    return NULL;
}

static void with_late_thread(double seconds, int computes)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    struct late late = {flow, out, seconds, computes};
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, come_late, &late));
    flow_finish(flow);
    REQUIRE(!pthread_join(thread, NULL));
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), 0);
    close_src(flow, out);
}

/* Four times the stall time, asleep; fifteen times, at work. */
static void job_late_sleeper(void)
{
    with_late_thread(0.4, 0);
}

static void job_late_worker(void)
{
    with_late_thread(1.5, 1);
}

static void *stays(void *data)
{
    (void)data;
    usleep(60000000);
    return NULL;
}

/* A thread that never does anything is not waited for for ever. */
static void job_idle_thread(void)
{
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, stays, NULL));
    cl_mem out;
    struct flow *flow = open_src(&out, 1);
    double start = now_seconds();
    ends_with_errors(flow);
    CHECK(now_seconds() - start > 0.8);
    check_report(WORDS("src", "1000 ms: 10 times SLUICE_FPGA_STALL_MS=100, as other threads"));
    close_src(flow, out);
}

/* All threads of the application wait for the same dead design. */
static void *waits_too(void *data)
{
    struct flow *flow = data;
    ends_with_error(flow->kernels[0].event);
    return NULL;
}

static void job_two_wait(void)
{
    cl_mem out;
    struct flow *flow = open_src(&out, 1);
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, waits_too, flow));
    ends_with_errors(flow);
    REQUIRE(!pthread_join(thread, NULL));
    check_report(WORDS("src", "100 ms: SLUICE_FPGA_STALL_MS=100"));
    close_src(flow, out);
}

/* The missing kernel is in a queue that nobody flushes, behind one that the device may hold back.
 */
static void job_unflushed(void)
{
    const size_t one = 1;
    cl_uint n = 10;
    cl_mem out;
    struct flow *flow = open_src(&out, 10);
    cl_command_queue queue = new_queue(0);
    cl_kernel plain = kernel_of(flow->program, "plain"), dst = kernel_of(flow->program, "dst");
    ARG(plain, 0, out);
    ARG(plain, 1, n);
    ARG(dst, 0, out);
    ARG(dst, 1, n);
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, plain, 1, NULL, &one, &one, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueNDRangeKernel(queue, dst, 1, NULL, &one, &one, 0, NULL, NULL));
    flow_finish(flow);
    CHECK_OK(clFinish(queue));
    expect_uints(out, 10, want_same);
    CHECK_EQ(report_count(), 0);
    RELEASE_KERNEL(plain);
    RELEASE_KERNEL(dst);
    RELEASE_QUEUE(queue);
    close_src(flow, out);
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
STALL_CASE(wait_list, "job_wait_list", "error")
STALL_CASE(after_ended, "job_after_ended", "error")
STALL_CASE(report_is_the_default, "job_report", "")
STALL_CASE(report, "job_report", "report")
STALL_CASE(wait, "job_wait", "wait")
STALL_CASE(a_busy_kernel_is_no_stall, "job_busy", "error")
STALL_CASE(nobody_waits, "job_nobody_waits", "error")
STALL_CASE(user_event_of_nobody, "job_user_event", "error")
STALL_CASE(user_event_of_others, "job_user_event_elsewhere", "error")
STALL_CASE(user_event_that_helps, "job_user_event_helps", "error")
STALL_CASE(host_polls, "job_polls", "error")
STALL_CASE(host_polls_slowly, "job_polls_slowly", "error")
STALL_CASE(host_polls_and_helps, "job_polls_and_helps", "error")
STALL_CASE(late_sleeper, "job_late_sleeper", "error")
STALL_CASE(late_worker, "job_late_worker", "error")
STALL_CASE(idle_thread, "job_idle_thread", "error")
STALL_CASE(two_threads_wait, "job_two_wait", "error")
STALL_CASE(unflushed_queue, "job_unflushed", "error")

static const struct test_case cases[] = {
    CASE(full_pipe),
    CASE(empty_pipe),
    CASE(cycle),
    CASE(pipe_arguments),
    CASE(in_order_queue),
    CASE(wait_list),
    CASE(after_ended),
    CASE(report_is_the_default),
    CASE(report),
    CASE(wait),
    CASE(a_busy_kernel_is_no_stall),
    CASE(nobody_waits),
    CASE(user_event_of_nobody),
    CASE(user_event_of_others),
    CASE(user_event_that_helps),
    CASE(host_polls),
    CASE(host_polls_slowly),
    CASE(host_polls_and_helps),
    CASE(late_sleeper),
    CASE(late_worker),
    CASE(idle_thread),
    CASE(two_threads_wait),
    CASE(unflushed_queue),
};
static const struct test_case jobs[] = {CASE(job_full),
                                        CASE(job_empty),
                                        CASE(job_cycle),
                                        CASE(job_arguments),
                                        CASE(job_in_order),
                                        CASE(job_wait_list),
                                        CASE(job_after_ended),
                                        CASE(job_report),
                                        CASE(job_wait),
                                        CASE(job_busy),
                                        CASE(job_nobody_waits),
                                        CASE(job_user_event),
                                        CASE(job_user_event_elsewhere),
                                        CASE(job_user_event_helps),
                                        CASE(job_polls),
                                        CASE(job_polls_slowly),
                                        CASE(job_polls_and_helps),
                                        CASE(job_late_sleeper),
                                        CASE(job_late_worker),
                                        CASE(job_idle_thread),
                                        CASE(job_two_wait),
                                        CASE(job_unflushed)};
JOBS_MAIN("stall", cases, jobs)
