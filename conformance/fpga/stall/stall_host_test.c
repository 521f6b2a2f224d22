/* SPDX-License-Identifier: Apache-2.0 */
/* A host that asks its end of a pipe in vain gets its report, whichever call it asks with; one that
 * gets its packets later does not. Each case is a process of its own with a short stall time. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static clReadPipeIntelFPGA_fn read_packet;
static clWritePipeIntelFPGA_fn write_packet;
static clMapHostPipeIntelFPGA_fn map_pipe;
static clUnmapHostPipeIntelFPGA_fn unmap_pipe;
static clEnqueueReadHostPipeINTEL_fn enqueue_read;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static const char source[] = HOST_PIPES CHANNELS
    "channel uint never;\n"
    "channel uint named __attribute__((depth(2))) __attribute__((intel_host_accessible));\n"
    "kernel void count(uint n,\n"
    "    write_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) b) "
    "{\n"
    "    for (uint i = 0; i < n; i++) write_pipe(b, &i);\n"
    "}\n"
    "kernel void slow(uint n,\n"
    "    write_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) b) "
    "{\n"
    "    uint x = 1;\n"
    "    for (ulong i = 0; i < n * 100000ul; i++) x = x * 1664525u + 1013904223u ^ x >> 7;\n"
    "    x |= 1;\n"
    "    write_pipe(b, &x);\n"
    "}\n"
    "kernel void stuck(uint n,\n"
    "    write_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) b) "
    "{\n"
    "    uint v = read_channel_intel(never);\n"
    "    write_pipe(b, &v);\n"
    "}\n"
    "kernel void feeds_never(uint n) { if (n) write_channel_intel(never, n); }\n"
    "kernel void writes_named(uint n) { if (n) write_channel_intel(named, n); }\n"
    "kernel void passes(uint n,\n"
    "    read_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) a,\n"
    "    write_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) b) "
    "{\n"
    "    for (uint i = 0; i < n; i++) { uint v; read_pipe(a, &v); write_pipe(b, &v); }\n"
    "}\n";

struct bed {
    struct flow *flow;
    cl_mem in, out;
};

static struct bed open_bed(const char *kernel, cl_uint n)
{
    cl_int rc;
    open_watched();
    find(&read_packet, "clReadPipeIntelFPGA");
    find(&write_packet, "clWritePipeIntelFPGA");
    find(&map_pipe, "clMapHostPipeIntelFPGA");
    find(&unmap_pipe, "clUnmapHostPipeIntelFPGA");
    find(&enqueue_read, "clEnqueueReadHostPipeINTEL");
    struct bed bed = {.flow = flow_open(source, "")};
    bed.in = clCreatePipe(cl.context, CL_MEM_HOST_WRITE_ONLY, 4, 4, NULL, &rc);
    REQUIRE_OK(rc);
    bed.out = clCreatePipe(cl.context, CL_MEM_HOST_READ_ONLY, 4, 4, NULL, &rc);
    REQUIRE_OK(rc);
    if (kernel) {
        int passes = !strcmp(kernel, "passes");
        cl_kernel made = flow_add(bed.flow, kernel);
        ARG(made, 0, n);
        if (passes)
            ARG(made, 1, bed.in);
        ARG(made, 1 + (cl_uint)passes, bed.out);
        flow_start(bed.flow);
    }
    return bed;
}

static void close_bed(struct bed *bed)
{
    flow_close(bed->flow);
    RELEASE_MEM(bed->in);
    RELEASE_MEM(bed->out);
    env_close(1);
}

enum way { MAP, READ, ENQUEUE };

/* A packet has come. */
static int takes(struct bed *bed, enum way way)
{
    cl_int rc;
    cl_uint got;
    size_t bytes;
    if (way == MAP) {
        void *at = map_pipe(bed->out, 0, 4, &bytes, &rc);
        CHECK(at || rc == CL_OUT_OF_RESOURCES);
        if (at)
            CHECK_OK(unmap_pipe(bed->out, at, bytes, NULL));
        return at != NULL;
    }
    if (way == READ) {
        rc = read_packet(bed->out, &got);
        CHECK(!rc || rc == CL_PIPE_EMPTY);
        return !rc;
    }
    cl_event event;
    REQUIRE_OK(
        enqueue_read(cl.queue, bed->flow->program, "named", CL_FALSE, &got, 4, 0, NULL, &event));
    rc = clWaitForEvents(1, &event);
    RELEASE_EVENT(event);
    return !rc;
}

/* How many packets come until `seconds` have gone by or there is a report. */
static int ask(struct bed *bed, enum way way, double seconds, useconds_t pause_us)
{
    int got = 0;
    for (double start = now_seconds(); now_seconds() - start < seconds && !report_count();) {
        got += takes(bed, way);
        if (pause_us)
            usleep(pause_us);
    }
    return got;
}

/* The kernel has written fewer packets than the host wants. */
static void one_too_few(enum way way, useconds_t pause_us)
{
    struct bed bed = open_bed("count", 3);
    CHECK_EQ(ask(&bed, way, 20, pause_us), 3);
    check_report(WORDS("the host asks in vain to read a pipe object (empty: 0 of 4), which no "
                       "running kernel writes"));
    CHECK_OK(clWaitForEvents(1, &bed.flow->kernels[0].event));
    close_bed(&bed);
}

static void job_map(void)
{
    one_too_few(MAP, 0);
}

static void job_map_slowly(void)
{
    one_too_few(MAP, 2000);
}

static void job_read(void)
{
    one_too_few(READ, 0);
}

/* By name: the kernel was not launched. */
static void job_enqueue(void)
{
    struct bed bed = open_bed(NULL, 0);
    CHECK_EQ(ask(&bed, ENQUEUE, 20, 500), 0);
    check_report(WORDS("the host asks in vain to read named (empty: 0 of 2)",
                       "for writes_named, which writes it and is not running"));
    close_bed(&bed);
}

/* The kernel stands still itself; its launch ends. */
static void job_map_stuck(void)
{
    struct bed bed = open_bed("stuck", 1);
    CHECK_EQ(ask(&bed, MAP, 20, 0), 0);
    check_report(WORDS("stuck waits to read never",
                       "feeds_never, which writes it and is not running",
                       "the host asks in vain to read a pipe object (empty: 0 of 4), for stuck"));
    ends_with_errors(bed.flow);
    close_bed(&bed);
}

/* The host has forgotten to write what the kernel waits for. */
static void job_map_forgot(void)
{
    cl_uint word = 5;
    struct bed bed = open_bed("passes", 2);
    CHECK_OK(write_packet(bed.in, &word));
    CHECK_EQ(ask(&bed, MAP, 20, 0), 1);
    check_report(
        WORDS("passes waits to read a (empty: 0 of 4)", "for the host, which waits as well"));
    ends_with_errors(bed.flow);
    close_bed(&bed);
}

/* It comes in the end: the kernel computes for much longer than the stall time. */
static void job_map_slow_kernel(void)
{
    struct bed bed = open_bed("slow", 8000);
    int got = 0;
    for (double start = now_seconds(); !got && now_seconds() - start < 25;)
        got = takes(&bed, MAP);
    CHECK_EQ(got, 1);
    CHECK_EQ(report_count(), 0);
    flow_finish(bed.flow);
    close_bed(&bed);
}

static void *writes_late(void *data)
{
    struct bed *bed = data;
    cl_uint word = 5;
    usleep(700000);
    CHECK_OK(write_packet(bed->in, &word));
    return NULL;
}

/* Another thread of the host is slow. */
static void job_map_slow_host(void)
{
    pthread_t thread;
    struct bed bed = open_bed("passes", 1);
    REQUIRE(!pthread_create(&thread, NULL, writes_late, &bed));
    int got = 0;
    for (double start = now_seconds(); !got && now_seconds() - start < 25;)
        got = takes(&bed, MAP);
    CHECK_EQ(got, 1);
    CHECK_EQ(report_count(), 0);
    REQUIRE(!pthread_join(thread, NULL));
    flow_finish(bed.flow);
    close_bed(&bed);
}

/* Who waited for the queue knows; the event that is released behind it is no news. */
static void job_finish(void)
{
    struct bed bed = open_bed("stuck", 2);
    struct flow_kernel *stuck = &bed.flow->kernels[0];
    FAILS(CL_DEVICE_STALLED_SLUICE, clFinish(stuck->queue));
    RELEASE_EVENT(stuck->event);
    stuck->event = NULL;
    CHECK_OK(clFinish(stuck->queue));
    close_bed(&bed);
}

#define STALL_CASE(name, job)                                                                      \
    static void name(void)                                                                         \
    {                                                                                              \
        stall_job(job, "error", NULL);                                                             \
    }
STALL_CASE(maps_in_vain, "job_map")
STALL_CASE(maps_slowly_in_vain, "job_map_slowly")
STALL_CASE(reads_in_vain, "job_read")
STALL_CASE(enqueues_in_vain, "job_enqueue")
STALL_CASE(maps_from_stuck_kernel, "job_map_stuck")
STALL_CASE(maps_and_forgot_to_write, "job_map_forgot")
STALL_CASE(maps_from_slow_kernel, "job_map_slow_kernel")
STALL_CASE(maps_beside_slow_thread, "job_map_slow_host")
STALL_CASE(finish_tells_once, "job_finish")

static const struct test_case cases[] = {
    CASE(maps_in_vain),          CASE(maps_slowly_in_vain),     CASE(reads_in_vain),
    CASE(enqueues_in_vain),      CASE(maps_from_stuck_kernel),  CASE(maps_and_forgot_to_write),
    CASE(maps_from_slow_kernel), CASE(maps_beside_slow_thread), CASE(finish_tells_once),
};
static const struct test_case jobs[] = {
    CASE(job_map),
    CASE(job_map_slowly),
    CASE(job_read),
    CASE(job_enqueue),
    CASE(job_map_stuck),
    CASE(job_map_forgot),
    CASE(job_map_slow_kernel),
    CASE(job_map_slow_host),
    CASE(job_finish),
};
JOBS_MAIN("stall_host", cases, jobs)
