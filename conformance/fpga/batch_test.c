/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that move many packets, which may be compiled into batches: whatever else is in the loop,
 * the outcome is that of one packet after the other. Capacities are not only powers of two, so that
 * batches meet the end of the ring anywhere. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

enum { N = 10007 };

#define SOURCE                                                                                     \
    "kernel void src(global uint *o, uint n) {\n"                                                  \
    "    for (uint i = 0; i < n; i++) write_channel_intel(c, i * 3u + 1u);\n"                      \
    "}\n"
#define CHANNEL(type, name, depth) "channel " type " " name " __attribute__((depth(" #depth ")));\n"

static cl_uint sent(cl_uint i)
{
    return i * 3u + 1u;
}

static void copies(void)
{
    static const char *const depths[] = {"32", "33", "64", "100", "1000", "1024", "4097"};
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        struct text text = {0};
        text_add(&text, CHANNELS "channel uint c __attribute__((depth(%s)));\n" SOURCE, depths[d]);
        text_add(&text, "kernel void dst(global uint *o, uint n) {\n"
                        "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                        "}\n");
        flow_expect(text.at, "src dst", N, sent);
        flow_expect(text.at, "dst src", 1, sent);
        flow_expect(text.at, "src dst", 63, sent);
        free(text.at);
    }
}

static cl_uint relayed(cl_uint i)
{
    return sent(i) ^ 5u;
}

static void relays_between_unequal_depths(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 50) CHANNEL("uint", "d", 300) CHANNEL("uint", "e", 64)
                    SOURCE "kernel void r(global uint *o, uint n) {\n"
                           "    for (uint i = 0; i < n; i++)\n"
                           "        write_channel_intel(d, read_channel_intel(c) ^ 5u);\n"
                           "}\n"
                           "kernel void s(global uint *o, uint n) {\n"
                           "    for (uint i = n; i > 0; i--)\n"
                           "        write_channel_intel(e, read_channel_intel(d));\n"
                           "}\n"
                           "kernel void dst(global uint *o, uint n) {\n"
                           "    for (int i = 0; i != (int)n; i++) o[i] = read_channel_intel(e);\n"
                           "}\n",
                "s dst src r", N, relayed);
}

/* Ends in the middle of what is there, and what follows begins with the next packet. */
static void leaves_early(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 1000) SOURCE
                "kernel void dst(global uint *o, uint n) {\n"
                "    uint done = 0;\n"
                "    while (done < n) {\n"
                "        uint last = 0;\n"
                "        for (uint i = done; i < n; i++) {\n"
                "            last = read_channel_intel(c);\n"
                "            if (last % 101u == 7u) break;\n"
                "            o[done++] = last;\n"
                "        }\n"
                "        if (last % 101u == 7u) o[done++] = last;\n"
                "    }\n"
                "}\n",
                "src dst", N, sent);
}

static cl_uint last_ones(cl_uint i)
{
    return i == 0 ? sent(N - 1) : i == 1 ? N : i == 2 ? sent(N - 1) + sent(N - 2) : 0;
}

static void values_live_on(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 129) SOURCE
                "kernel void dst(global uint *o, uint n) {\n"
                "    uint v = 0, before = 0, i = 0;\n"
                "    for (; i < n; i++) { before = v; v = read_channel_intel(c); }\n"
                "    o[0] = v; o[1] = i; o[2] = v + before;\n"
                "}\n",
                "src dst", N, last_ones);
}

static cl_uint with_every_third(cl_uint i)
{
    return sent(i) + (i % 3 == 0 ? i / 3 * 7 : 0);
}

/* Of one pipe a packet each round, of the other now and then. */
static void takes_now_and_then(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 200) CHANNEL("uint", "d", 77) SOURCE
                "kernel void more(global uint *o, uint n) {\n"
                "    for (uint i = 0; i < (n + 2) / 3; i++)\n"
                "        write_channel_intel(d, i * 7u);\n"
                "}\n"
                "kernel void dst(global uint *o, uint n) {\n"
                "    for (uint i = 0; i < n; i++) {\n"
                "        uint v = read_channel_intel(c);\n"
                "        if (i % 3 != 0) { o[i] = v; continue; }\n"
                "        o[i] = v + read_channel_intel(d);\n"
                "    }\n"
                "}\n",
                "src more dst", N, with_every_third);
}

static cl_uint running_sum(cl_uint i)
{
    return 3u * (i * (i + 1u) / 2u) + i + 1u;
}

/* Each round needs what the one before has stored. */
static void depends_on_memory(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 512) SOURCE
                "kernel void dst(global uint *o, uint n) {\n"
                "    for (uint i = 0; i < n; i++)\n"
                "        o[i] = read_channel_intel(c) + (i ? o[i - 1] : 0u);\n"
                "}\n",
                "src dst", N, running_sum);
}

static cl_uint pairs(cl_uint i)
{
    return i % 2 ? sent(i - 1) : sent(i + 1);
}

static void takes_two_a_round(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 96) SOURCE
                "kernel void dst(global uint *o, uint n) {\n"
                "    for (uint i = 0; i < n; i += 2) {\n"
                "        uint a = read_channel_intel(c), b = read_channel_intel(c);\n"
                "        o[i] = b; o[i + 1] = a;\n"
                "    }\n"
                "}\n",
                "src dst", N - 1, pairs);
}

/* Failures are counted; the packets come in order all the same. */
static void counts_failures(void)
{
    flow_expect(
        CHANNELS CHANNEL("uint", "c", 300) CHANNEL(
            "uint", "d", 40) "kernel void src(global uint *o, uint n) {\n"
                             "    uint failed = 0;\n"
                             "    for (uint i = 0; i < n; i++)\n"
                             "        while (!write_channel_nb_intel(c, i * 3u + 1u)) failed++;\n"
                             "    write_channel_intel(d, failed & 0u);\n"
                             "}\n"
                             "kernel void dst(global uint *o, uint n) {\n"
                             "    uint failed = 0;\n"
                             "    for (uint i = 0; i < n;) {\n"
                             "        bool valid;\n"
                             "        uint v = read_channel_nb_intel(c, &valid);\n"
                             "        if (valid) o[i++] = v; else failed++;\n"
                             "    }\n"
                             "    o[0] += read_channel_intel(d) + (failed & 0u);\n"
                             "}\n",
        "src dst", N, sent);
}

/* A kernel at both ends of a pipe: what it has written it reads later. */
static void feeds_itself(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 64) "kernel void k(global uint *o, uint n) {\n"
                                                  "    for (uint i = 0; i < 20; i++)\n"
                                                  "        write_channel_intel(c, i * 3u + 1u);\n"
                                                  "    for (uint i = 0; i < n; i++) {\n"
                                                  "        o[i] = read_channel_intel(c);\n"
                                                  "        write_channel_intel(c, o[i] + 60u);\n"
                                                  "    }\n"
                                                  "    for (uint i = 0; i < 20; i++)\n"
                                                  "        o[0] += read_channel_intel(c) & 0u;\n"
                                                  "}\n",
                "k", N, sent);
}

static void ends_by_a_packet(void)
{
    flow_expect(CHANNELS CHANNEL("uint", "c", 500) CHANNEL(
                    "uint", "d",
                    500) "kernel void src(global uint *o, uint n) {\n"
                         "    for (uint i = 0; i < n; i++)\n"
                         "        write_channel_intel(c, i * 3u + 1u);\n"
                         "    write_channel_intel(c, ~0u);\n"
                         "}\n"
                         "kernel void r(global uint *o, uint n) {\n"
                         "    while (1) {\n"
                         "        uint v = read_channel_intel(c);\n"
                         "        write_channel_intel(d, v);\n"
                         "        if (v == ~0u) break;\n"
                         "    }\n"
                         "}\n"
                         "kernel void dst(global uint *o, uint n) {\n"
                         "    uint v;\n"
                         "    for (uint i = 0; (v = read_channel_intel(d)) != ~0u; i++) o[i] = v;\n"
                         "}\n",
                "dst r src", N, sent);
}

static void packets_of_all_sizes(void)
{
    static const struct {
        const char *type, *make, *take;
    } rows[] = {
        {"uchar", "(uchar)(i % 251u)", "(v + (i * 3u + 1u - i % 251u))"},
        {"ushort", "(ushort)(i & 0xffffu)", "(v * 3u + 1u)"},
        {"ulong", "(((ulong)i << 32) | (i * 3u))", "((uint)v + (uint)(v >> 32) - i + 1u)"},
        {"float", "(float)i", "((uint)v * 3u + 1u)"},
        {"double", "(double)i * 0.5", "((uint)(v * 6.0) + 1u)"},
        {"uint3", "(uint3)(i, i * 2u, 1u)", "(v.x + v.y + v.z)"},
        {"struct p", "(struct p){i, {1u, i * 2u}}", "(v.a + v.b[0] + v.b[1])"},
        {"struct q", "(struct q){(uchar)7, i * 3u}", "(v.b - 6u + v.a)"},
        {"uint16", "(uint16)(i * 3u + 1u)", "(v.s0 + v.sf - v.s7)"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct text text = {0};
        text_add(&text,
                 CHANNELS "struct p { uint a, b[2]; };\nstruct q { uchar a; uint b; };\n"
                          "channel %s c __attribute__((depth(70)));\n"
                          "kernel void src(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) write_channel_intel(c, %s);\n"
                          "}\n"
                          "kernel void dst(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) {\n"
                          "        %s v = read_channel_intel(c);\n"
                          "        o[i] = %s;\n"
                          "    }\n"
                          "}\n",
                 rows[r].type, rows[r].make, rows[r].type, rows[r].take);
        flow_expect(text.at, "src dst", N, sent);
        free(text.at);
    }
}

/* Pipes as arguments: nothing is known of them when they are compiled; spinning on either end. */
static void pipe_arguments(void)
{
    static const char source[] =
        "kernel void src(write_only pipe uint c, uint n) {\n"
        "    for (uint i = 0; i < n; i++) { uint v = i * 3u + 1u; while (write_pipe(c, &v)) ; }\n"
        "}\n"
        "kernel void dst(read_only pipe uint c, uint n, global uint *o) {\n"
        "    for (uint i = 0; i < n; i++) { uint v; while (read_pipe(c, &v)) ; o[i] = v; }\n"
        "}\n";
    static const cl_uint depths[] = {1, 7, 45, 64, 1000};
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++) {
        cl_int rc;
        cl_uint n = N;
        struct flow *flow = flow_open(source, "");
        cl_mem out = new_uints(N), pipe = clCreatePipe(cl.context, 0, 4, depths[d], NULL, &rc);
        REQUIRE_OK(rc);
        cl_kernel kernel = flow_add(flow, "src");
        ARG(kernel, 0, pipe);
        ARG(kernel, 1, n);
        kernel = flow_add(flow, "dst");
        ARG(kernel, 0, pipe);
        ARG(kernel, 1, n);
        ARG(kernel, 2, out);
        flow_run(flow);
        expect_uints(out, N, sent);
        flow_close(flow);
        RELEASE_MEM(pipe);
        RELEASE_MEM(out);
    }
}

/* Each sum is rounded, in the order of packets: what comes out does not depend on batches. */
static void floats_add_up_in_order(void)
{
    static const char source[] = CHANNELS CHANNEL(
        "float", "c",
        64) "kernel void src(uint n) {\n"
            "    for (uint i = 0; i < n; i++) write_channel_intel(c, (float)(i & 1023u) * 3.0f);\n"
            "}\n"
            "kernel void dst(uint n, global uint *o) {\n"
            "    float s = 0;\n"
            "    for (uint i = 0; i < n; i++) s += read_channel_intel(c);\n"
            "    o[0] = as_uint(s);\n"
            "}\n";
    const cl_uint n = 30 * N;
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1);
    cl_uint got;
    float sum = 0, found;
    for (cl_uint i = 0; i < n; i++)
        sum += (float)(i & 1023u) * 3.0f;
    ARG(flow_add(flow, "src"), 0, n);
    cl_kernel kernel = flow_add(flow, "dst");
    ARG(kernel, 0, n);
    ARG(kernel, 1, out);
    flow_run(flow);
    read_back(out, sizeof got, &got);
    memcpy(&found, &got, sizeof found);
    CHECK(found == sum);
    RELEASE_MEM(out);
    flow_close(flow);
}

static cl_uint range_of(cl_uint i)
{
    return i * 3u + 1u;
}

static void work_items(void)
{
    static const char source[] = CHANNELS CHANNEL(
        "uint", "c",
        90) "kernel void src(void) { write_channel_intel(c, (uint)get_global_id(0) * 3u + 1u); }\n"
            "kernel void dst(global uint *o) { o[get_global_id(0)] = read_channel_intel(c); }\n";
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(N);
    flow_add_range(flow, "src", N, 0);
    ARG(flow_add_range(flow, "dst", N, 1), 0, out);
    flow_run(flow);
    expect_uints(out, N, range_of);
    RELEASE_MEM(out);
    flow_close(flow);
}

static const struct test_case cases[] = {
    CASE(copies),
    CASE(relays_between_unequal_depths),
    CASE(leaves_early),
    CASE(values_live_on),
    CASE(takes_now_and_then),
    CASE(depends_on_memory),
    CASE(takes_two_a_round),
    CASE(counts_failures),
    CASE(feeds_itself),
    CASE(ends_by_a_packet),
    CASE(packets_of_all_sizes),
    CASE(pipe_arguments),
    CASE(floats_add_up_in_order),
    CASE(work_items),
};
TEST_MAIN("batch", cases)
