/* SPDX-License-Identifier: Apache-2.0 */
/* The channel language: declarations, the four operations, order, kernels at both ends. */
#include "flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two kernels and one channel; `decl` declares c, the loops move o[i] = i * 7 + 3. */
#define SEVEN_THREE(decl, index)                                                                   \
    CHANNELS decl "kernel void src(global uint *o, uint n) {\n"                                    \
                  "    for (uint i = 0; i < n; i++) write_channel_intel(c" index ", i * 7 + 3);\n" \
                  "}\n"                                                                            \
                  "kernel void dst(global uint *o, uint n) {\n"                                    \
                  "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c" index ");\n"      \
                  "}\n"

static cl_uint seven_three(cl_uint i)
{
    return i * 7 + 3;
}

static void declarations(void)
{
    flow_expect(SEVEN_THREE("channel uint c;\n", ""), "src dst", 1000, seven_three);
    flow_expect(SEVEN_THREE("channel uint c __attribute__((depth(0)));\n", ""), "src dst", 1000,
                seven_three);
    flow_expect(SEVEN_THREE("channel uint a, c __attribute__((depth(3))), b[2];\n", ""), "src dst",
                1000, seven_three);
    flow_expect(SEVEN_THREE("channel uint c[5] __attribute__((depth(4)));\n", "[3]"), "src dst",
                1000, seven_three);
    flow_expect(
        SEVEN_THREE("enum { D = 6 };\nchannel uint c[2][3][4] __attribute__((depth(D * 2 + 1)));\n",
                    "[1][2][3]"),
        "src dst", 1000, seven_three);
    flow_expect(SEVEN_THREE("typedef uint word;\nchannel word c __attribute__((depth(1)));\n", ""),
                "src dst", 1000, seven_three);
    flow_expect(SEVEN_THREE("__attribute__((depth(9))) channel uint c;\n", ""), "src dst", 1000,
                seven_three);
}

static void start_order_is_free(void)
{
    flow_expect(SEVEN_THREE("channel uint c __attribute__((depth(2)));\n", ""), "dst src", 5000,
                seven_three);
}

static void counts(void)
{
    for (cl_uint n = 0; n < 20; n++)
        flow_expect(SEVEN_THREE("channel uint c __attribute__((depth(4)));\n", ""), "src dst", n,
                    seven_three);
}

/* ---- several channels ------------------------------------------------------------------------ */

static const char grid[] =
    CHANNELS "channel uint g[3][4] __attribute__((depth(2)));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(g[i / 4 % 3][i % 4], i);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) {\n"
             "        uint x = i % 4, y = i / 4 % 3;\n"
             "        o[i] = read_channel_intel(g[y][x]);\n"
             "    }\n"
             "}\n";

static void dynamic_index(void)
{
    flow_expect(grid, "src dst", 1200, want_same);
}

/* Equal types and depths; only the names differ, and one is longer than any buffer. */
static void identity_is_the_name(void)
{
    char name[1025];
    struct text source = {0};
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    text_add(&source,
             CHANNELS "channel uint a __attribute__((depth(8)));\n"
                      "channel uint A __attribute__((depth(8)));\n"
                      "channel uint %s __attribute__((depth(8)));\n",
             name);
    text_add(&source,
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) {\n"
             "        write_channel_intel(a, 3 * i); write_channel_intel(A, 3 * i + 1);\n"
             "        write_channel_intel(%s, 3 * i + 2);\n"
             "    }\n"
             "}\n",
             name);
    text_add(&source,
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n / 3; i++) {\n"
             "        o[3 * i + 2] = read_channel_intel(%s);\n"
             "        o[3 * i + 1] = read_channel_intel(A); o[3 * i] = read_channel_intel(a);\n"
             "    }\n"
             "    for (uint i = n / 3; i < n; i++) {\n"
             "        read_channel_intel(a); read_channel_intel(A); read_channel_intel(%s);\n"
             "    }\n"
             "}\n",
             name, name);
    flow_expect(source.at, "src dst", 300, want_same);
    free(source.at);
}

/* ---- non-blocking ---------------------------------------------------------------------------- */

/* A kernel may be at both ends. Depth 5, strict: five writes, a thousand refusals, all data intact.
 */
static const char alone[] = CHANNELS
    "channel uint c __attribute__((depth(5)));\n"
    "kernel void k(global uint *o, uint n) {\n"
    "    uint full = 0, empty = 0, bad = 0; bool ok;\n"
    "    for (uint i = 0; i < 5; i++) if (!write_channel_nb_intel(c, 100 + i)) full++;\n"
    "    o[0] = full;\n"
    "    full = 0;\n"
    "    for (uint i = 0; i < 1000; i++) if (!write_channel_nb_intel(c, 7)) full++;\n"
    "    o[1] = full;\n"
    "    for (uint i = 0; i < 5; i++) {\n"
    "        uint v = read_channel_nb_intel(c, &ok);\n"
    "        if (!ok || v != 100 + i) bad++;\n"
    "    }\n"
    "    o[2] = bad;\n"
    "    for (uint i = 0; i < 1000; i++) { read_channel_nb_intel(c, &ok); empty += !ok; }\n"
    "    o[3] = empty;\n"
    "    write_channel_intel(c, 77); o[4] = read_channel_intel(c);\n"
    "}\n";

static cl_uint alone_wants(cl_uint i)
{
    return (const cl_uint[]){0, 1000, 0, 1000, 77}[i];
}

static void refusals_change_nothing(void)
{
    cl_program program = built(alone, is_sluice() ? "-emulator-channel-depth-model=strict" : "");
    program_expect(program, "k", 5, alone_wants);
    RELEASE_PROGRAM(program);
}

static const char polling[] =
    CHANNELS "channel uint c __attribute__((depth(4)));\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) while (!write_channel_nb_intel(c, i ^ 5)) ;\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; ) {\n"
             "        bool ok; uint v = read_channel_nb_intel(c, &ok);\n"
             "        if (ok) o[i++] = v;\n"
             "    }\n"
             "}\n";

static cl_uint xor_five(cl_uint i)
{
    return i ^ 5;
}

static void pollers_make_progress(void)
{
    flow_expect(polling, "src dst", 20000, xor_five);
    flow_expect(polling, "dst src", 20000, xor_five);
}

/* The pointer's address space is the programmer's choice. */
static void valid_in_any_address_space(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(2)));\n"
                 "kernel void k(global uint *o, uint n) {\n"
                 "    local bool in_local; bool in_private; uint v;\n"
                 "    global bool *in_global = (global bool *)(o + 8);\n"
                 "    write_channel_intel(c, 5); write_channel_intel(c, 6);\n"
                 "    v = read_channel_nb_intel(c, &in_private); o[0] = in_private ? v : 0;\n"
                 "    v = read_channel_nb_intel(c, &in_local); o[1] = in_local ? v : 0;\n"
                 "    read_channel_nb_intel(c, &in_local); o[2] = in_local;\n"
                 "    read_channel_nb_intel(c, &in_private); o[3] = in_private;\n"
                 "    *in_global = true; read_channel_nb_intel(c, in_global);\n"
                 "    o[4] = *in_global; write_channel_intel(c, 9);\n"
                 "    v = read_channel_nb_intel(c, in_global); o[5] = *in_global ? v : 0;\n"
                 "    *in_global = false;\n"
                 "}\n";
    struct flow *flow = flow_open(source, "");
    cl_kernel kernel = flow_add(flow, "k");
    cl_mem out = new_uints(16);
    cl_uint n = 6;
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    flow_run(flow);
    cl_uint *got = take_uints(out, 16);
    for (cl_uint i = 0; i < n; i++)
        CHECK_EQ(got[i], ((const cl_uint[]){5, 6, 0, 0, 0, 9}[i]));
    free(got);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* ---- where operations stand ------------------------------------------------------------------ */

static const char helpers[] = CHANNELS
    "channel uint c __attribute__((depth(3))); channel uint d[2] __attribute__((depth(2)));\n"
    "uint deeper(void) { return read_channel_intel(c) + 1; }\n"
    "uint helper(void) { return deeper() * 2; }\n"
    "void put(uint v, int i) { write_channel_intel(d[i], v); }\n"
    "kernel void src(global uint *o, uint n) {\n"
    "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
    "}\n"
    "kernel void mid(global uint *o, uint n) {\n"
    "    for (uint i = 0; i < n; i++) put(helper(), i & 1);\n"
    "}\n"
    "kernel void dst(global uint *o, uint n) {\n"
    "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(d[i & 1]);\n"
    "}\n";

static cl_uint helped(cl_uint i)
{
    return (i + 1) * 2;
}

static void inside_helpers(void)
{
    flow_expect(helpers, "src mid dst", 777, helped);
}

static const char parameters[] =
    CHANNELS "channel uint a __attribute__((depth(3))); channel uint b __attribute__((depth(2)));\n"
             "void copy(channel uint from, channel uint to, uint n) {\n"
             "    for (uint i = 0; i < n; i++)\n"
             "        write_channel_intel(to, read_channel_intel(from) * 2);\n"
             "}\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(a, i + 1);\n"
             "}\n"
             "kernel void mid(global uint *o, uint n) { copy(a, b, n); }\n"
             "kernel void dst(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"
             "}\n";

static void as_function_parameters(void)
{
    flow_expect(parameters, "src mid dst", 500, helped);
}

/* Two loops in sequence through one function: no mixing of their data. */
static void called_twice(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4)));\n"
                 "void send(global uint *from, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, from[i]);\n"
                 "}\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = i;\n"
                 "    send(o, n / 2); send(o + n / 2, n - n / 2);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c) == i ? i : 12345;\n"
                 "}\n";
    flow_expect(source, "src dst", 999, want_same);
}

/* Several sites and unrolled loops on one channel keep program order. */
static void program_order(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(16)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i += 8) {\n"
                 "        write_channel_intel(c, i);\n"
                 "        #pragma unroll\n"
                 "        for (uint j = 1; j < 7; j++) write_channel_intel(c, i + j);\n"
                 "        mem_fence(CLK_CHANNEL_MEM_FENCE);\n"
                 "        while (!write_channel_nb_intel(c, i + 7)) ;\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i += 2) {\n"
                 "        o[i] = read_channel_intel(c);\n"
                 "        o[i + 1] = read_channel_intel(c);\n"
                 "    }\n"
                 "}\n";
    flow_expect(source, "src dst", 8000, want_same);
}

/* Through two channels and back: any reordering between them deadlocks at depth 1. */
static void ping_pong(void)
{
    static const char source[] = CHANNELS
        "channel uint a __attribute__((depth(1))); channel uint b __attribute__((depth(1)));\n"
        "kernel void pong(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_channel_intel(b, read_channel_intel(a) + 1);\n"
        "}\n"
        "kernel void ping(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        write_channel_intel(a, i * 2);\n"
        "        o[i] = read_channel_intel(b) / 2;\n"
        "    }\n"
        "}\n";
    flow_expect(source, "ping pong", 100000, want_same);
}

/* An operation inside a larger expression happens once. */
static void evaluated_once(void)
{
    static const char source[] = CHANNELS
        "channel uint c __attribute__((depth(4))); channel uint d[2] __attribute__((depth(4)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0, j = 0; i < n; i++) {\n"
        "        write_channel_intel(c, i); write_channel_intel(d[j++ & 1], i);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0, j = 0; i < n; i++) {\n"
        "        o[read_channel_intel(c)] += i; o[i] += read_channel_intel(d[j++ & 1]) != i;\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 200, want_same);
}

static void older_spelling(void)
{
    static const char source[] =
        "#pragma OPENCL EXTENSION cl_altera_channels : enable\n"
        "channel uint c __attribute__((depth(4)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 2) {\n"
        "        write_channel_altera(c, i); while (!write_channel_nb_altera(c, i + 1)) ;\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 2) {\n"
        "        bool ok; o[i] = read_channel_altera(c);\n"
        "        do o[i + 1] = read_channel_nb_altera(c, &ok); while (!ok);\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 600, want_same);
}

static cl_uint plus_four(cl_uint i)
{
    return i + 4;
}

/* Without the pragma the word is the programmer's. */
static void word_is_free_without_pragma(void)
{
    static const char source[] = "kernel void k(global uint *o, uint n) {\n"
                                 "    uint channel = 4, depth = 5, io = 6;\n"
                                 "    o[0] = channel; o[1] = depth; o[2] = io;\n"
                                 "}\n";
    cl_program program = built(source, "");
    program_expect(program, "k", 3, plus_four);
    RELEASE_PROGRAM(program);
    build_fails("channel int c;\nkernel void k(void) {}\n", "", WORDS("channel"));
}

static const struct test_case cases[] = {
    CASE(declarations),
    CASE(start_order_is_free),
    CASE(counts),
    CASE(dynamic_index),
    CASE(identity_is_the_name),
    CASE(refusals_change_nothing),
    CASE(pollers_make_progress),
    CASE(valid_in_any_address_space),
    CASE(inside_helpers),
    CASE(as_function_parameters),
    CASE(called_twice),
    CASE(program_order),
    CASE(ping_pong),
    CASE(evaluated_once),
    CASE(older_spelling),
    CASE(word_is_free_without_pragma),
};
TEST_MAIN("channels", cases)
