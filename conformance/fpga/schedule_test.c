/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule: connected kernels run at once whatever the number of threads, blocked ones cost
 * nothing and starve nobody, and there may be a thousand of them. */
#include "flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static cl_kernel add(struct flow *flow, const char *name, cl_mem out, cl_uint n)
{
    cl_kernel kernel = flow_add(flow, name);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    return kernel;
}

/* ---- overlap --------------------------------------------------------------------------------- */

static const char stream[] =
    CHANNELS "channel uint c __attribute__((depth(1)));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
             "}\n"
             "kernel void plain(global uint *o, uint n) {\n"
             "    size_t i = get_global_id(0); o[i] = (uint)i;\n"
             "}\n";

/* Two queues with capacity 1: each kernel needs the other a million times. */
static void two_queues(void)
{
    flow_expect(stream, "src dst", is_sluice() ? 1000000 : 100000, want_same);
}

static void out_of_order_queue(void)
{
    cl_program program = built(stream, "");
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_uint n = 10000;
    cl_mem out = new_uints(n);
    const size_t one = 1;
    static const char *const names[] = {"dst", "src"};
    for (size_t i = 0; i < LEN(names); i++) {
        cl_kernel kernel = kernel_of(program, names[i]);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
        REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        RELEASE_KERNEL(kernel);
    }
    REQUIRE_OK(clFinish(queue));
    expect_uints(out, n, want_same);
    RELEASE_MEM(out);
    RELEASE_QUEUE(queue);
    RELEASE_PROGRAM(program);
}

/* ---- starvation ------------------------------------------------------------------------------ */

enum { BLOCKED = 64 };

static char *many_blocked(void)
{
    struct text source = {0};
    text_add(&source, CHANNELS "channel uint c[%d] __attribute__((depth(4)));\n", BLOCKED);
    for (int i = 0; i < BLOCKED; i++)
        text_add(&source,
                 "kernel void r%d(global uint *o, uint n) { o[%d] = read_channel_intel(c[%d]); }\n",
                 i, i, i);
    text_add(&source, "kernel void feed(global uint *o, uint n) {\n"
                      "    for (uint i = 0; i < n; i++) write_channel_intel(c[i], i);\n"
                      "}\n"
                      "kernel void plain(global uint *o, uint n) {\n"
                      "    size_t i = get_global_id(0); o[i] = (uint)i;\n"
                      "}\n");
    return source.at;
}

/* While 64 kernels wait, others run on the same device, the process uses no CPU time, and then they
 * all end. */
static void blocked_kernels_cost_nothing(void)
{
    char *source = many_blocked(), name[32];
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(BLOCKED), other = new_uints(100000);
    for (int i = 0; i < BLOCKED; i++) {
        snprintf(name, sizeof name, "r%d", i);
        add(flow, name, out, BLOCKED);
    }
    flow_start(flow);
    cl_kernel plain = kernel_of(flow->program, "plain");
    cl_uint n = BLOCKED;
    ARG(plain, 0, other);
    ARG(plain, 1, n);
    for (int i = 0; i < 20; i++)
        run_1d(plain, 100000, 0);
    expect_uints(other, 100000, want_same);
    flow_expect(stream, "src dst", 1000, want_same);
    usleep(100000);
    double before = cpu_seconds();
    usleep(500000);
    double used = cpu_seconds() - before;
    if (is_sluice() && used > 0.01)
        check_fail(__FILE__, __LINE__, "%.3f s of CPU time in 0.5 s of waiting", used);
    cl_kernel feed = kernel_of(flow->program, "feed");
    ARG(feed, 0, other);
    ARG(feed, 1, n);
    run_1d(feed, 1, 1);
    flow_finish(flow);
    expect_uints(out, BLOCKED, want_same);
    RELEASE_KERNEL(plain);
    RELEASE_KERNEL(feed);
    RELEASE_MEM(out);
    RELEASE_MEM(other);
    flow_close(flow);
    free(source);
}

/* A kernel that polls, and one that spins on memory, let the others of their design run. */
static void pollers_let_others_run(void)
{
    static const char source[] = CHANNELS
        "channel uint c __attribute__((depth(2))); channel uint d __attribute__((depth(2)));\n"
        "kernel void poll(global uint *o, uint n) {\n"
        "    for (uint got = 0; got < n; ) {\n"
        "        bool ok; uint v = read_channel_nb_intel(d, &ok);\n"
        "        if (ok) o[got++] = v;\n"
        "    }\n"
        "}\n"
        "kernel void mid(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(d, read_channel_intel(c));\n"
        "}\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
        "}\n";
    flow_expect(source, "poll mid src", 3000, want_same);
    flow_expect(source, "src poll mid", 3000, want_same);
}

/* One word is seen without another and before its writer ends: it spins until it is answered. */
static void one_word_is_seen(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(64)));\n"
                 "kernel void src(global volatile uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        write_channel_intel(c, i);\n"
                 "        while (o[i] != i + 1) ;\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global volatile uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c) + 1;\n"
                 "}\n";
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(200);
    add(flow, "src", out, 200);
    add(flow, "dst", out, 200);
    flow_run(flow);
    cl_uint *got = take_uints(out, 200);
    CHECK_EQ(got[199], 200);
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* ---- many kernels ---------------------------------------------------------------------------- */

static cl_uint relays; /* of the chain under test */

static cl_uint plus_relays(cl_uint i)
{
    return i + relays;
}

/* src, `count` relays that are kernels of their own, dst. */
static void chain(cl_uint count, cl_uint n)
{
    struct text source = {0};
    char name[32];
    relays = count;
    text_add(&source, CHANNELS "channel uint c[%u] __attribute__((depth(3)));\n", count + 1);
    for (cl_uint i = 0; i < count; i++)
        text_add(&source,
                 "kernel void m%u(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++)\n"
                 "        write_channel_intel(c[%u], read_channel_intel(c[%u]) + 1);\n"
                 "}\n",
                 i, i + 1, i);
    text_add(&source,
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(c[0], i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c[%u]);\n"
             "}\n",
             count);
    struct flow *flow = flow_open(source.at, "");
    cl_mem out = new_uints(n);
    add(flow, "dst", out, n);
    for (cl_uint i = 0; i < count; i++) {
        snprintf(name, sizeof name, "m%u", i * 7 % count);
        add(flow, name, out, n);
    }
    add(flow, "src", out, n);
    flow_run(flow);
    expect_uints(out, n, plus_relays);
    RELEASE_MEM(out);
    flow_close(flow);
    free(source.at);
}

static void chain_of_62(void)
{
    chain(62, 1000);
}

static void chain_of_1000(void)
{
    chain(998, 500);
}

/* Output-stationary: D*D elements, 2*D loaders, each a kernel. */
static void systolic(cl_uint d, cl_uint k)
{
    struct text source = {0};
    char name[32];
    text_add(&source,
             CHANNELS "channel uint ca[%u] __attribute__((depth(2)));\n"
                      "channel uint cb[%u] __attribute__((depth(2)));\n",
             d * d, d * d);
    for (cl_uint i = 0; i < d * d; i++) {
        cl_uint x = i % d, y = i / d;
        text_add(&source,
                 "kernel void p%u(global uint *o, uint n) {\n"
                 "    uint t = 0;\n"
                 "    for (uint k = 0; k < n; k++) {\n"
                 "        uint a = read_channel_intel(ca[%u]), b = read_channel_intel(cb[%u]);\n"
                 "        t += a * b;\n",
                 i, i, i);
        if (x + 1 < d)
            text_add(&source, "        write_channel_intel(ca[%u], a);\n", i + 1);
        if (y + 1 < d)
            text_add(&source, "        write_channel_intel(cb[%u], b);\n", i + d);
        text_add(&source, "    }\n    o[%u] = t;\n}\n", i);
    }
    for (cl_uint i = 0; i < d; i++)
        text_add(&source,
                 "kernel void a%u(global uint *o, uint n) {\n"
                 "    for (uint k = 0; k < n; k++) write_channel_intel(ca[%u], %u * 31 + k);\n"
                 "}\n"
                 "kernel void b%u(global uint *o, uint n) {\n"
                 "    for (uint k = 0; k < n; k++) write_channel_intel(cb[%u], k * 17 + %u);\n"
                 "}\n",
                 i, i * d, i, i, i, i);
    struct flow *flow = flow_open(source.at, "");
    cl_mem out = new_uints(d * d);
    for (cl_uint i = 0; i < d * d; i++) {
        snprintf(name, sizeof name, "p%u", i);
        add(flow, name, out, k);
    }
    for (cl_uint i = 0; i < 2 * d; i++) {
        snprintf(name, sizeof name, "%c%u", i % 2 ? 'a' : 'b', i / 2);
        add(flow, name, out, k);
    }
    flow_run(flow);
    cl_uint *got = take_uints(out, d * d);
    for (cl_uint i = 0; i < d * d; i++) {
        cl_uint sum = 0;
        for (cl_uint j = 0; j < k; j++)
            sum += (i / d * 31 + j) * (j * 17 + i % d);
        if (!CHECK_EQ(got[i], sum))
            break;
    }
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
    free(source.at);
}

static void systolic_2x2(void)
{
    systolic(2, 100);
}

static void systolic_16x16(void)
{
    systolic(16, 300);
}

static const struct test_case cases[] = {
    CASE(two_queues),
    CASE(out_of_order_queue),
    CASE(blocked_kernels_cost_nothing),
    CASE(pollers_let_others_run),
    CASE(one_word_is_seen),
    CASE(chain_of_62),
    CASE(chain_of_1000),
    CASE(systolic_2x2),
    CASE(systolic_16x16),
};
TEST_MAIN("schedule", cases)
