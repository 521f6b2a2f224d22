/* SPDX-License-Identifier: Apache-2.0 */
/* Designs whose kernels run on several threads: what they compute is what one thread computes, by
 * the same in C. The runs differ in SLUICE_FPGA_PARTS: as it is heavy kernels are divided after a
 * while, with `always` at once, with `swing` again and again. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"
#include "work.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- chains ---------------------------------------------------------------------------------- */

/* Rounds of each kernel, 0 ends; and the depth of its channels. */
struct chain {
    cl_uint rounds[8], stages, depth, n;
};
static const struct chain *chain; /* that runs */

static cl_uint through_chain(cl_uint i)
{
    for (cl_uint k = 0; k < chain->stages; k++)
        i = work(i, chain->rounds[k]);
    return i;
}

static char *chain_source(const struct chain *it)
{
    struct text text = {0};
    text_add(&text, CHANNELS WORK);
    for (cl_uint k = 0; k + 1 < it->stages; k++)
        text_add(&text, "channel uint c%u __attribute__((depth(%u)));\n", k, it->depth);
    for (cl_uint k = 0; k < it->stages; k++) {
        text_add(&text, "kernel void k%u(global uint *o, uint n) {\n", k);
        text_add(&text, "    for (uint i = 0; i < n; i++) {\n        uint x = ");
        if (k)
            text_add(&text, "read_channel_intel(c%u)", k - 1);
        else
            text_add(&text, "i");
        text_add(&text, ";\n        x = work(x, %uu);\n        ", it->rounds[k]);
        if (k + 1 < it->stages)
            text_add(&text, "write_channel_intel(c%u, x);\n    }\n}\n", k);
        else
            text_add(&text, "o[i] = x;\n    }\n}\n");
    }
    return text.at;
}

static void chains(void)
{
    static const struct chain chains[] = {
        {{30}, 1, 1, 101},
        {{0, 0}, 2, 1, 2003},
        {{4000, 4000}, 2, 1, 3001},
        {{4000, 4000}, 2, 64, 4001},
        {{3, 9000}, 2, 5, 1999},
        {{7000, 100, 7000}, 3, 3, 1511},
        {{10, 5000, 5000, 20, 5000}, 5, 2, 1009},
        {{1, 1, 1, 1, 1, 1, 1, 1}, 8, 4, 3001},
        {{9000, 1, 1, 1, 1, 1, 1, 9000}, 8, 16, 1009},
    };
    for (size_t i = 0; i < LEN(chains); i++) {
        char names[64] = "", *source = chain_source(&chains[i]);
        for (cl_uint k = 0; k < chains[i].stages; k++) {
            char name[16];
            snprintf(name, sizeof name, "%sk%u", k ? " " : "", k);
            strcat(names, name);
        }
        chain = &chains[i];
        flow_expect(source, names, chains[i].n, through_chain);
        free(source);
    }
}

/* The last kernel first, and a program that is light, heavy, and light again. */
static void changes(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint a __attribute__((depth(4))), b __attribute__((depth(4)));\n"
                      "channel uint rounds1, rounds2, rounds3;\n"
                      "kernel void k1(global uint *o, uint n) {\n"
                      "    uint r = o[n];\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(a, work(i, r));\n"
                      "}\n"
                      "kernel void k2(global uint *o, uint n) {\n"
                      "    uint r = o[n];\n"
                      "    for (uint i = 0; i < n; i++)\n"
                      "        write_channel_intel(b, work(read_channel_intel(a), r));\n"
                      "}\n"
                      "kernel void k3(global uint *o, uint n) {\n"
                      "    uint r = o[n];\n"
                      "    for (uint i = 0; i < n; i++) o[i] = work(read_channel_intel(b), r);\n"
                      "}\n";
    static const char *const names[] = {"k3", "k1", "k2"};
    static const cl_uint rounds[] = {1, 3000, 3000, 0, 4000, 2};
    struct flow *flow = flow_open(source, "");
    for (size_t turn = 0; turn < LEN(rounds); turn++) {
        cl_uint n = turn % 2 ? 2003 : 4001, r = rounds[turn];
        if (r < 100)
            n *= 5;
        cl_mem out = new_uints(n + 1);
        REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, out, CL_TRUE, n * sizeof n, sizeof r, &r, 0, NULL,
                                        NULL));
        cl_kernel kernels[3];
        cl_command_queue queues[3];
        for (int k = 0; k < 3; k++) {
            kernels[k] = kernel_of(flow->program, names[k]);
            queues[k] = new_queue(0);
            ARG(kernels[k], 0, out);
            ARG(kernels[k], 1, n);
            CHECK_OK(clEnqueueTask(queues[k], kernels[k], 0, NULL, NULL));
            CHECK_OK(clFlush(queues[k]));
        }
        for (int k = 0; k < 3; k++) {
            CHECK_OK(clFinish(queues[k]));
            RELEASE_QUEUE(queues[k]);
            RELEASE_KERNEL(kernels[k]);
        }
        cl_uint *got = take_uints(out, n), bad = 0;
        for (cl_uint i = 0; i < n && !bad; i += r < 100 ? 1 : 17)
            bad = got[i] != work(work(work(i, r), r), r) ? i + 1 : 0;
        CHECK_EQ(bad, 0);
        free(got);
        RELEASE_MEM(out);
    }
    flow_close(flow);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* What a kernel wrote into a buffer before its packet is there when the packet has come. */
static void memory_comes_along(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint c __attribute__((depth(2)));\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        for (uint k = 0; k < 64; k++) o[64 * i + k] = work(i + k, 5);\n"
                      "        write_channel_intel(c, i);\n"
                      "    }\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) {\n"
                      "        uint at = 64 * read_channel_intel(c);\n"
                      "        for (uint k = 0; k < 64; k++) o[at + k] += 1;\n"
                      "    }\n"
                      "}\n";
    struct flow *flow = flow_open(source, "");
    cl_uint n = 10007, bad = 0;
    cl_mem out = new_uints((size_t)64 * n);
    add(flow, "src", out, n);
    add(flow, "dst", out, n);
    flow_run(flow);
    cl_uint *got = take_uints(out, (size_t)64 * n);
    for (cl_uint i = 0; i < 64 * n && !bad; i++)
        bad = got[i] != work(i / 64 + i % 64, 5) + 1 ? i + 1 : 0;
    CHECK_EQ(bad, 0);
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* The reader's launches come and go while the writer's goes on, and two of them run at once. */
static void many_launches(void)
{
    enum { PIECE = 100, PIECES = 60 };
    static const char source[] =
        CHANNELS WORK "channel uint c __attribute__((depth(7)));\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(c, work(i, 2000));\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint n) {\n"
                      "    uint sum = 0;\n"
                      "    for (uint i = 0; i < n; i++) sum += work(read_channel_intel(c), 1500);\n"
                      "    atomic_add(o, sum);\n"
                      "}\n";
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1);
    cl_kernel kernel = kernel_of(flow->program, "dst");
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_uint piece = PIECE, sum = 0, got;
    add(flow, "src", out, PIECE * PIECES);
    flow_start(flow);
    ARG(kernel, 0, out);
    ARG(kernel, 1, piece);
    for (int i = 0; i < PIECES; i++) {
        CHECK_OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
        CHECK_OK(clFlush(queue));
        if (i % 7 == 0)
            CHECK_OK(clFinish(queue));
    }
    CHECK_OK(clFinish(queue));
    flow_finish(flow);
    for (cl_uint i = 0; i < PIECE * PIECES; i++)
        sum += work(work(i, 2000), 1500);
    read_back(out, sizeof got, &got);
    CHECK_EQ(got, sum);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* Launches of one kernel take packets in the order in which they came, which could be seen. */
static void launches_in_their_order(void)
{
    enum { LAUNCHES = 150, ROUNDS = 30 };
    static const char source[] =
        CHANNELS WORK "channel uint c __attribute__((depth(4)));\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++)\n"
                      "        write_channel_intel(c, i + (work(i, 2) == 12345));\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint at) {\n"
                      "    o[at] = read_channel_intel(c);\n"
                      "}\n";
    if (getenv("SLUICE_FPGA_SEED"))
        check_skip("kernels run in an order that is drawn");
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(LAUNCHES);
    cl_kernel src = kernel_of(flow->program, "src"), dst = kernel_of(flow->program, "dst");
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_uint count = LAUNCHES, got[LAUNCHES], wrong = 0;
    ARG(src, 0, out);
    ARG(src, 1, count);
    ARG(dst, 0, out);
    for (int round = 0; round < ROUNDS; round++) {
        for (cl_uint i = 0; i < LAUNCHES; i++) {
            if (i == (cl_uint)round * 5)
                CHECK_OK(clEnqueueTask(queue, src, 0, NULL, NULL));
            ARG(dst, 1, i);
            CHECK_OK(clEnqueueTask(queue, dst, 0, NULL, NULL));
        }
        CHECK_OK(clFinish(queue));
        read_back(out, sizeof got, got);
        for (cl_uint i = 0; i < LAUNCHES; i++)
            wrong += got[i] != i + (work(i, 2) == 12345);
    }
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(src);
    RELEASE_KERNEL(dst);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(out);
    flow_close(flow);
}

static cl_uint by_autorun(cl_uint i)
{
    return work(work(work(i, 900), 900), 900) ^ 1;
}

/* Kernels that never end, which the program's release ends where they are. */
static void autorun(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint c[4] __attribute__((depth(2)));\n"
                      "#define RELAY(i)                                                       \\\n"
                      "    __attribute__((max_global_work_dim(0), autorun))                   \\\n"
                      "    kernel void relay##i(void) {                                       \\\n"
                      "        write_channel_intel(c[i + 1],                                  \\\n"
                      "            work(read_channel_intel(c[i]), 900));                      \\\n"
                      "    }\n"
                      "RELAY(0)\nRELAY(1)\nRELAY(2)\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(c[0], i);\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c[3]) ^ 1;\n"
                      "}\n";
    for (int turn = 0; turn < 4; turn++)
        flow_expect(source, "src dst", turn % 2 ? 4001 : 3, by_autorun);
}

/* A mistake of one kernel ends its launch, and what the others do is as it was before. */
static void mistakes(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint c __attribute__((depth(4))), d[2];\n"
                      "kernel void src(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(c, work(i, 3000));\n"
                      "    write_channel_intel(d[o[0]], 1);\n"
                      "}\n"
                      "kernel void dst(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) o[i + 1] = read_channel_intel(c);\n"
                      "}\n"
                      "kernel void other(global uint *o, uint n) {\n"
                      "    read_channel_intel(d[0]);\n"
                      "    read_channel_intel(d[1]);\n"
                      "}\n";
    struct flow *flow = flow_open(source, "");
    cl_uint n = 3001, two = 2, bad = 0;
    cl_mem out = new_uints(n + 1);
    REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, out, CL_TRUE, 0, sizeof two, &two, 0, NULL, NULL));
    add(flow, "src", out, n);
    add(flow, "dst", out, n);
    flow_start(flow);
    clWaitForEvents(1, &flow->kernels[0].event);
    CHECK_EQ(event_status(flow->kernels[0].event), CL_OUT_OF_RESOURCES);
    CHECK_OK(clWaitForEvents(1, &flow->kernels[1].event));
    cl_uint *got = take_uints(out, n + 1);
    for (cl_uint i = 0; i < n && !bad; i++)
        bad = got[i + 1] != work(i, 3000) ? i + 1 : 0;
    CHECK_EQ(bad, 0);
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* ---- standstill ------------------------------------------------------------------------------ */

/* One writes c first, the other one wants d first: a cycle though data goes one way only. */
static void job_standstill(void)
{
    static const char source[] =
        CHANNELS WORK "channel uint c __attribute__((depth(2))), d __attribute__((depth(2)));\n"
                      "channel uint e __attribute__((depth(4)));\n"
                      "kernel void fills(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(c, work(i, 3000));\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(d, i);\n"
                      "}\n"
                      "kernel void drains(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(d);\n"
                      "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                      "    write_channel_intel(e, 1);\n"
                      "}\n"
                      "kernel void follows(global uint *o, uint n) {\n"
                      "    read_channel_intel(e);\n"
                      "}\n";
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(3);
    add(flow, "fills", out, 3);
    add(flow, "drains", out, 3);
    add(flow, "follows", out, 3);
    flow_start(flow);
    ends_with_errors(flow);
    check_report(WORDS("nothing on the device can move: 3 kernels", "fills waits to write c (full",
                       "drains waits to read d (empty", "follows waits to read e (empty", "cycle"));
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

static void standstill(void)
{
    stall_job("job_standstill", "error", NULL);
}

/* ---- when ------------------------------------------------------------------------------------ */

static void job_heavy(void)
{
    static const struct chain heavy = {{20000, 20000}, 2, 4, 10007};
    REQUIRE(!env_open());
    char *source = chain_source(&heavy);
    chain = &heavy;
    flow_expect(source, "k0 k1", heavy.n, through_chain);
    free(source);
    env_close(1);
}

static void job_light(void)
{
    static const struct chain light = {{1, 1}, 2, 256, 1000003};
    REQUIRE(!env_open());
    char *source = chain_source(&light);
    chain = &light;
    flow_expect(source, "k0 k1", light.n, through_chain);
    free(source);
    env_close(1);
}

static void job_short(void)
{
    static const struct chain small = {{1, 1, 1}, 3, 4, 2003};
    REQUIRE(!env_open());
    char *source = chain_source(&small);
    chain = &small;
    flow_expect(source, "k0 k1 k2", small.n, through_chain);
    free(source);
    env_close(1);
}

/* How often the log says it. */
static int count_said(const char *log, const char *what)
{
    int count = 0;
    while ((log = strstr(log, what))) {
        count++;
        log++;
    }
    return count;
}

static int divided(const char *job, const char *parts, const char *more)
{
    char setting[64];
    snprintf(setting, sizeof setting, "SLUICE_FPGA_PARTS%s", parts);
    const char *env[] = {"SLUICE_LOG=fpga:info", "SLUICE_LOG_FILE", setting, more, NULL};
    struct child child = child_run(&(struct child_plan){.job = job, .env = env});
    CHECK_EQ(child.status, 0);
    int count = count_said(child.err, "kernels joined by pipes run on 2 threads");
    child_finish(&child);
    return count;
}

static void when(void)
{
    int heavy = sysconf(_SC_NPROCESSORS_ONLN) > 1 && device_uint(CL_DEVICE_MAX_COMPUTE_UNITS) > 1;
    if (!is_sluice())
        check_skip("another driver");
    CHECK_EQ(divided("job_light", "", "SLUICE_FPGA_SEED"), 0);
    CHECK_EQ(divided("job_heavy", "=never", "SLUICE_FPGA_SEED"), 0);
    CHECK_EQ(divided("job_short", "=always", "SLUICE_FPGA_SEED=3"), 0);
    CHECK_EQ(divided("job_short", "=always", "SLUICE_FPGA_SEED"), 1);
    if (heavy)
        CHECK_EQ(divided("job_heavy", "", "SLUICE_FPGA_SEED"), 1);
}

static const struct test_case cases[] = {
    CASE(chains),
    CASE(changes),
    CASE(memory_comes_along),
    CASE(many_launches),
    CASE(launches_in_their_order),
    CASE(autorun),
    CASE(mistakes),
    CASE(standstill),
    CASE(when),
};
static const struct test_case jobs[] = {CASE(job_standstill), CASE(job_heavy), CASE(job_light),
                                        CASE(job_short)};
JOBS_MAIN("parts", cases, jobs)
