/* SPDX-License-Identifier: Apache-2.0 */
/* What published designs have beside the documents, because some version of a vendor's compiler
 * took it: labels of loops, hints in front of no loop, semicolons behind pragmas. And what they
 * have from a footnote of them: loads and stores by the kind of unit. */
#include <stdio.h>

#include "flow.h"

#define EXTENSION "#pragma OPENCL EXTENSION cl_intel_channels : enable;\n"

static void pragmas_with_semicolons(void)
{
    if (!is_sluice())
        check_skip("refused");
    flow_expect(EXTENSION "channel uint c __attribute__((depth(3)));\n"
                          "kernel void src(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
                          "}\n"
                          "kernel void dst(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                          "}\n",
                "src dst", 513, want_same);
    build_tells(EXTENSION "channel int c;\n", "", WORDS("warning", "extra tokens"));
    build_silent_of("#pragma OPENCL EXTENSION cl_altera_channels : enable /* ; */ // ;\n"
                    "channel int c;\n",
                    "", WORDS("warning", "error"));
    build_fails(EXTENSION "#pragma OPENCL EXTENSION cl_altera_channels : disable ;\n"
                          "channel int c;\n",
                "", WORDS(":3:1: error", "'channel' needs"));
    build_fails("#pragma OPENCL EXTENSION cl_intel_channels : enabled;\nchannel int c;\n", "",
                WORDS(":2:1: error", "'channel' needs"));
    build_fails("#pragma OPENCL EXTENSION cl_intel_channelss : enable;\nchannel int c;\n", "",
                WORDS(":2:1: error", "'channel' needs"));
}

static cl_uint triangle(cl_uint i)
{
    return 2 * i + 6;
}

/* A label between what is said of a loop and the loop, as AMD's examples have it. */
static void labels_of_loops(void)
{
    static const char source[] =
        "constant uint few = 3;\n"
        "kernel void k(global uint *o, uint n) {\n"
        "    __attribute__((xcl_pipeline_loop(1)))\n"
        "    __attribute__((xcl_loop_tripcount(few, few)))\n"
        "    outer: for (uint i = 0; i < n; i++) {\n"
        "        uint s = 0, j = 0;\n"
        "        __attribute__((opencl_unroll_hint(2)))\n"
        "        up: for (uint v = 1; v < 4; v++) s += v;\n"
        "        if (n) __attribute__((opencl_unroll_hint)) down: while (j < i) j++;\n"
        "        #pragma unroll\n"
        "        third: do s += n > few ? i : 0; while (s < 5);\n"
        "        s = n ? s : j; o[i] = s + j;\n"
        "    }\n"
        "}\n";
    if (!is_sluice())
        check_skip("AMD's");
    build_silent_of(source, "", WORDS("warning", "error"));
    flow_expect(source, "k", 129, triangle);
    flow_expect("kernel void k(global uint *o, uint n) {\n"
                "    uint i = 0;\n"
                "    again: for (; i < n; i++) if (i % 5 == 4) { o[i] = i; i++; goto again; }\n"
                "                              else o[i] = i;\n"
                "}\n",
                "k", 33, want_same);
    build_fails(
        "kernel void k(global int *o, int n) {\n"
        "    if (n) goto no;\n"
        "    __attribute__((opencl_unroll_hint)) lab: for (int i = 0; i < n; i++) o[i] = 1;\n"
        "}\n",
        "", WORDS(":2:17: error", "'no'"));
}

/* Attributes in front of pragmas, which clang takes in the other order only. */
static void pragmas_behind_attributes(void)
{
    static const char source[] =
        "constant uint few = 3;\n"
        "kernel void k(global uint *o, uint n) {\n"
        "    uint j = 0, s = 0;\n"
        "    __attribute__((xcl_pipeline_loop(1))) __attribute__((xcl_loop_tripcount(few, few)))\n"
        "    outer:\n"
        "    #pragma nounroll\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        s = 0;\n"
        "        if (n) __attribute__((xcl_pipeline_loop))\n"
        "        #pragma unroll 2\n"
        "        up: for (uint v = 1; v < 4; v++) s += v;\n"
        "        __attribute__((xcl_pipeline_loop(1)))\n"
        "        #pragma ivdep\n"
        "        __attribute__((xcl_loop_tripcount(1, 3)))\n"
        "        #pragma unroll\n"
        "        do s += n > few ? i : 0; while (s < 5);\n"
        "        __attribute__((xcl_pipeline_loop(1)))\n"
        "        #pragma nounroll\n"
        "        while (j < i) j++;\n"
        "        o[i] = s + j;\n"
        "    }\n"
        "}\n";
    if (!is_sluice())
        check_skip("AMD's");
    build_silent_of(source, "", WORDS("warning", "error"));
    flow_expect(source, "k", 129, triangle);
}

static void unrolled_without_loop(void)
{
    static const char source[] = "kernel void k(global uint *o, uint n) {\n"
                                 "    uint i;\n"
                                 "    #pragma unroll 1\n"
                                 "    o += 0;\n"
                                 "    #pragma unroll 4 // two of them\n"
                                 "    #pragma ivdep\n"
                                 "    for (i = 0; i < n; i++) o[i] = i;\n"
                                 "    #pragma unroll\n"
                                 "}\n";
    if (!is_sluice())
        check_skip("refused");
    build_tells(source, "",
                WORDS(":3:5: warning: a pragma for loops is in front of no loop: ignored",
                      ":8:5: warning: a pragma for loops is in front of no loop: ignored"));
    build_silent_of(source, "", WORDS("source>:5:"));
    flow_expect(source, "k", 77, want_same);
}

/* Each pragma for loops in a program that has nothing else of the dialect. */
static void lone_pragmas(void)
{
    static const char *const pragmas[] = {
        "ivdep",
        "ivdep array(o)",
        "ivdep safelen(2)",
        "ii 1",
        "max_concurrency 2",
        "loop_coalesce",
        "nofusion",
        "speculated_iterations 1",
        "max_interleaving 1",
        "disable_loop_pipelining",
        "unroll",
        "unroll 3",
    };
    if (!is_sluice())
        check_skip("refused");
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        char source[256];
        snprintf(source, sizeof source,
                 "kernel void k(global uint *o, uint n) {\n"
                 "    #pragma %s\n"
                 "    for (uint i = 0; i < n; i++) o[i] = i;\n"
                 "}\n",
                 pragmas[i]);
        flow_expect(source, "k", 77, want_same);
        flow_expect(source, "k", 64, want_same);
    }
}

static void dependences(void)
{
    static const char source[] =
        "kernel void k(global uint *o, uint n) {\n"
        "    uint old[4] = {0};\n"
        "    __attribute__((xcl_dependence(type=\"intra\", direction=\"RAW\", "
        "dependent=\"false\")))\n"
        "    __attribute__((xcl_pipeline_loop))\n"
        "    for (uint i = 0; i < n; i++) { old[i & 3] = i; o[i] = old[i & 3]; }\n"
        "}\n";
    if (!is_sluice())
        check_skip("AMD's");
    build_silent_of(source, "", WORDS("warning", "error"));
    flow_expect(source, "k", 65, want_same);
    build_fails("int xcl_dependence(int a) { return type; }\nkernel void k(global int *o) {}\n", "",
                WORDS(":1:36: error", "'type'"));
}

static cl_uint delayed(cl_uint i)
{
    return (i < 600 ? 0 : i - 600) + (i < 299 ? 0 : 3 * (i - 299));
}

/* As long as a line of an image: as many values LLVM would look at them for minutes. */
static void long_shift_registers(void)
{
    static const char source[] = "kernel void k(global uint *o, uint n) {\n"
                                 "    uint r[601];\n"
                                 "    #pragma unroll\n"
                                 "    for (int j = 0; j < 601; j++) r[j] = 0;\n"
                                 "    for (uint i = 0; i < n; i++) {\n"
                                 "        #pragma unroll\n"
                                 "        for (int j = 0; j < 600; j++) r[j] = r[j + 1];\n"
                                 "        r[600] = i;\n"
                                 "        o[i] = r[0] + 3 * r[301];\n"
                                 "    }\n"
                                 "}\n";
    flow_expect(source, "k", 2003, delayed);
}

static cl_uint twice_and_one(cl_uint i)
{
    return 2 * i + 1;
}

/* Loads and stores by a kind of unit: each moves what a plain one would, of any type, once. */
static void units_of_loads_and_stores(void)
{
    flow_expect("struct pair { uint a; uchar b[3]; };\n"
                "kernel void k(global uint *restrict o, uint n) {\n"
                "    struct pair p[2] = {{7, {1, 2, 3}}, {9, {4, 5, 6}}};\n"
                "    local uint2 l[4];\n"
                "    uint at = 0;\n"
                "    for (uint i = 0; i < n; i++) __burst_coalesced_store(&o[i], i);\n"
                "    while (at < n) {\n"
                "        global const uint *from = &o[at];\n"
                "        __pipelined_store(l + 1, (uint2)(__prefetching_load(from), 1));\n"
                "        const uint2 both = __pipelined_load(&l[1]);\n"
                "        struct pair q = __burst_coalesced_load(&p[1]);\n"
                "        uint sum = both.x + __burst_coalesced_load(from) + both.y;\n"
                "        sum += __burst_coalesced_cached_load(&p[0], 1 << 10).b[2] + q.b[0] - 7;\n"
                "        __pipelined_store(&o[at++], sum);\n"
                "    }\n"
                "}\n",
                "k", 77, twice_and_one);
    if (!is_sluice())
        return;
    build_fails("kernel void k(global int *o) { __pipelined_load(o) = 1; }\n", "",
                WORDS(":1:52: error", "not assignable"));
    build_fails("kernel void k(global int *o, int n) {\n"
                "    o[1] = __burst_coalesced_cached_load(o, n);\n}\n",
                "", WORDS(":2:12: error", "constant expression"));
    build_fails("kernel void k(global int *o) {\n    o[1] = __pipelined_store(o, 2);\n}\n", "",
                WORDS(":2:10: error", "void"));
}

static const struct test_case cases[] = {
    CASE(pragmas_with_semicolons),
    CASE(long_shift_registers),
    CASE(labels_of_loops),
    CASE(pragmas_behind_attributes),
    CASE(unrolled_without_loop),
    CASE(lone_pragmas),
    CASE(dependences),
    CASE(units_of_loads_and_stores),
};
TEST_MAIN("as_written", cases)
