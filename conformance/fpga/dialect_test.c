/* SPDX-License-Identifier: Apache-2.0 */
/* How vendors' compilers and their users write designs: channels handed to helpers, numbers of
 * attributes by name, early versions of OpenCL C, AMD's words for pipes. */
#include "flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- channels as arguments of helpers -------------------------------------------------------- */

#define HELPERS                                                                                    \
    CHANNELS "typedef struct { int a; } S; typedef struct { int a; } U; typedef int I;\n"          \
             "channel int c, d[4], e[2][4]; channel S s; channel float4 v; channel I t;\n"         \
             "void one(channel int x) { write_channel_intel(x, 1); }\n"                            \
             "void four(channel int x[4]) { write_channel_intel(x[2], 1); }\n"                     \
             "void grid(channel int x[2][4]) { write_channel_intel(x[1][2], 1); }\n"               \
             "void open(channel int x[]) { write_channel_intel(x[0], 1); }\n"                      \
             "void real(channel float x) { write_channel_intel(x, 1); }\n"                         \
             "void sign(channel uint x) { write_channel_intel(x, 1); }\n"                          \
             "void eight(channel int x[8]) { write_channel_intel(x[2], 1); }\n"                    \
             "void wide(channel int x[2][8]) { write_channel_intel(x[1][2], 1); }\n"               \
             "void record(channel U x) { U u = {1}; write_channel_intel(x, u); }\n"                \
             "void pointer(constant int *p) {}\n"                                                  \
             "constant int number[1] = {3};\n"                                                     \
             "void rows(channel int x[2][4]) {\n"

static void helpers_by_type(void)
{
    static const struct {
        const char *call, *words[3];
    } wrong[] = {
        {"real(c)", {"'c' is of an incompatible type", "channel of 'int'", "channel of 'float'"}},
        {"sign(c)", {"'c'", "channel of 'int'", "channel of 'uint'"}},
        {"one(d)", {"'d'", "array [4] of channels of 'int'", "'x' is a channel of 'int'"}},
        {"eight(d)", {"'d'", "array [4] of channels", "array [8] of channels"}},
        {"four(e)", {"'e'", "array [2][4] of", "array [4] of"}},
        {"wide(e)", {"'e'", "array [2][4] of", "array [2][8] of"}},
        {"grid(d)", {"'d'", "array [4] of", "array [2][4] of"}},
        {"record(s)", {"'s'", "channel of 'S'", "channel of 'U'"}},
        {"one(v)", {"'v'", "channel of 'float4'", "channel of 'int'"}},
        {"real(t)", {"'t'", "channel of 'I'", "channel of 'float'"}},
        {"eight(x[1])", {"'x'", "array [4] of", "array [8] of"}},
        {"real(x[1][2])", {"'x'", "channel of 'int'", "channel of 'float'"}},
        {"one(number)", {"'x' is a channel, the argument is not", "", ""}},
        {"pointer(c)", {"'c' is a channel, the parameter is not", "", ""}},
    };
    char source[4000], place[32];
    if (!is_sluice())
        check_skip("not refused");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const *words = wrong[i].words, *open = strchr(wrong[i].call, '(');
        snprintf(source, sizeof source, HELPERS "%s; }\nkernel void k(void) { rows(e); }\n",
                 wrong[i].call);
        snprintf(place, sizeof place, ":16:%d: error", (int)(open - wrong[i].call) + 2);
        build_fails(source, "", WORDS(words[0], words[1], words[2], place));
    }
    build_silent_of(HELPERS "one(t); one(x[0][1]); four(x[1]); four(d); open(d); open(x[1]); "
                            "grid(e); grid(x); }\n"
                            "kernel void k(void) { rows(e); one(c); one(d[3]); }\n",
                    "", WORDS("error", "incompatible"));
}

/* ---- numbers of attributes ------------------------------------------------------------------- */

#define NAMED                                                                                      \
    "constant int D = 3; enum { E = 5, ZERO = 0, TWO = 2 };\n"                                     \
    "constant const uint F = 2 * 3;\n"                                                             \
    "#define M (D + E)\n"

static cl_uint depths(cl_uint i)
{
    return (const cl_uint[]){3, 5, 6, 8, 7, 3, 5}[i];
}

static void depths_by_name(void)
{
    static const char source[] =
        CHANNELS NAMED "channel int a __attribute__((depth(D))), b __attribute__((depth(E)));\n"
                       "channel int c __attribute__((depth(F))), d __attribute__((depth(M)));\n"
                       "channel int e[TWO] __attribute__((depth(D + TWO * TWO)));\n"
                       "pipe int p __attribute__((depth(D)));\n"
                       "pipe int q[D] __attribute__((depth(E)));\n"
                       "#define FILL(c) while (write_channel_nb_intel(c, 1)) o[i]++; i++\n"
                       "kernel void k(global uint *o, uint n) {\n"
                       "    uint i = 0; int v = 4; for (uint j = 0; j < n; j++) o[j] = 0;\n"
                       "    FILL(a); FILL(b); FILL(c); FILL(d); FILL(e[1]);\n"
                       "    while (!write_pipe(p, &v)) o[i]++; i++;\n"
                       "    while (!write_pipe(q[D - 1], &v)) o[i]++;\n"
                       "}\n";
    for (const char *const *version = WORDS("", " -cl-std=CL2.0", " -cl-std=CL1.0"); *version;
         version++) {
        char options[100];
        snprintf(options, sizeof options, "-emulator-channel-depth-model=strict%s", *version);
        cl_program program = built(source, options);
        program_expect(program, "k", 7, depths);
        RELEASE_PROGRAM(program);
    }
}

static cl_uint units(cl_uint i)
{
    return 10 * (i % 4) + i / 4;
}

static void kernels_by_name(void)
{
    flow_expect(
        CHANNELS NAMED
        "channel uint c[TWO * TWO];\n"
        "__attribute__((max_global_work_dim(ZERO), num_compute_units(TWO, TWO), autorun))\n"
        "kernel void unit(void) {\n"
        "    const int me = get_compute_id(1) * 2 + get_compute_id(0);\n"
        "    for (uint i = 0;; i++) write_channel_intel(c[me], 10 * me + i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 4) {\n"
        "        o[i] = read_channel_intel(c[0]); o[i + 1] = read_channel_intel(c[1]);\n"
        "        o[i + 2] = read_channel_intel(c[2]); o[i + 3] = read_channel_intel(c[3]);\n"
        "    }\n"
        "}\n",
        "dst", 40, units);
    build_fails(CHANNELS "channel int c __attribute__((depth(D)));\n", "", WORDS(":2:", "'D'"));
    if (is_sluice())
        build_fails(CHANNELS "int f(void);\nchannel int c __attribute__((depth(f())));\n", "",
                    WORDS(":3:", "'depth'", "integer constant"));
}

/* ---- early versions -------------------------------------------------------------------------- */

static void early_versions(void)
{
    static const char source[] =
        CHANNELS "extern channel uint a; channel uint a __attribute__((depth(4))), b[2];\n"
                 "pipe uint p __attribute__((depth(2))) __attribute__((blocking));\n"
                 "uint get(channel uint x) { return read_channel_intel(x); }\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
                 "}\n"
                 "kernel void mid(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) { uint v = get(a); write_pipe(p, &v); }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) { uint v; read_pipe(p, &v); o[i] = v; }\n"
                 "}\n";
    for (const char *const *version = WORDS("-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2",
                                            "-cl-std=CL2.0", "-cl-std=CL3.0");
         *version; version++) {
        cl_program program = built(source, *version);
        program_expect(program, "src mid dst", 1003, want_same);
        RELEASE_PROGRAM(program);
    }
}

/* ---- AMD's words ----------------------------------------------------------------------------- */

#define TASK "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void "

static void waiting_functions(void)
{
    static const char source[] =
        "pipe uint p __attribute__((xcl_reqd_pipe_depth(16)));\n" TASK
        "src(global uint *o, uint n) {\n"
        "    __attribute__((xcl_pipeline_loop)) for (uint i = 0; i < n; i++)\n"
        "        write_pipe_block(p, &i);\n"
        "}\n" TASK "dst(global uint *o, uint n) {\n"
        "    __attribute__((xcl_pipeline_loop(1)))\n"
        "    for (uint i = 0; i < n; i++) read_pipe_block(p, &o[i]);\n"
        "}\n";
    flow_expect(source, "src dst", 10007, want_same);
    flow_expect(source, "dst src", 10007, want_same);
}

/* One operation waits, others of the same pipe and kernel do not. */
static void waiting_here_only(void)
{
    static const char source[] =
        "pipe uint p __attribute__((xcl_reqd_pipe_depth(16)));\n" TASK
        "src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) if (write_pipe(p, &i)) write_pipe_block(p, &i);\n"
        "}\n" TASK "dst(global uint *o, uint n) {\n"
        "    uint v = 7, early = 0;\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        if (read_pipe(p, &v)) { early++; if (read_pipe_block(p, &v)) v = 0; }\n"
        "        o[i] = v;\n"
        "    }\n"
        "    if (!read_pipe(p, &v)) o[0] = 99;\n"
        "}\n";
    flow_expect(source, "src dst", 3001, want_same);
    flow_expect(source, "dst src", 3001, want_same);
}

/* As arguments, where clang knows functions that do not wait. */
static void waiting_arguments(void)
{
    static const char source[] =
        "void put(write_only pipe uint p, uint v) { write_pipe_block(p, &v); }\n"
        "kernel void src(global uint *o, uint n, write_only pipe uint p) {\n"
        "    for (uint i = 0; i < n; i++) put(p, i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n, read_only pipe uint p) {\n"
        "    for (uint i = 0; i < n; i++)\n"
        "        if (read_pipe(p, o + i)) o[i] += read_pipe_block(p, &o[i]);\n"
        "}\n";
    for (const char *const *version = WORDS("", "-cl-std=CL2.0"); *version; version++) {
        struct flow *flow = flow_open(source, *version);
        cl_int rc;
        const cl_uint count = 2003;
        cl_mem pipe = clCreatePipe(cl.context, 0, sizeof(cl_uint), 5, NULL, &rc);
        cl_mem out = new_uints(count);
        REQUIRE_OK(rc);
        for (const char *const *name = WORDS("dst", "src"); *name; name++) {
            cl_kernel kernel = flow_add(flow, *name);
            ARG(kernel, 0, out);
            ARG(kernel, 1, count);
            ARG(kernel, 2, pipe);
        }
        flow_run(flow);
        expect_uints(out, count, want_same);
        flow_close(flow);
        RELEASE_MEM(out);
        RELEASE_MEM(pipe);
    }
}

static void waiting_errors(void)
{
#define BODY(body)                                                                                 \
    "pipe int p;\nkernel void k(read_only pipe int q, global int *o) {\n" body ";\n}\n"
    if (!is_sluice())
        check_skip("no such functions");
    build_fails(BODY("read_pipe_block(p, 0, 1, o)"), "", WORDS(":3:1:", "takes 2 arguments"));
    build_fails(BODY("read_pipe_block(q, 0, 1, o)"), "", WORDS(":3:1:", "takes 2 arguments"));
    build_fails(BODY("float f; read_pipe_block(p, &f)"), "", WORDS(":3:", "packet type"));
    build_fails(BODY("float f; read_pipe_block(q, &f)"), "", WORDS(":3:", "float"));
    build_fails(BODY("write_pipe_block(q, o)"), "", WORDS(":3:", "write_only"));
    build_fails(BODY("read_pipe_block(o, o)"), "", WORDS(":3:1:", "pipe"));
    build_silent_of("int read_pipe_block(int a, int b) { return a + b; }\n"
                    "kernel void k(read_only pipe int q, global int *o) {\n"
                    "    int v; read_pipe(q, &v); o[0] = read_pipe_block(v, 2);\n"
                    "}\n",
                    "", WORDS("error"));
}

static void words_of_amd(void)
{
    static const char source[] =
        "pipe uint p __attribute__((xcl_reqd_pipe_depth(16)));\n"
        "__attribute__((xcl_dataflow)) __attribute__((xcl_max_memory_ports))\n"
        "__attribute__((xcl_zero_global_work_offset, xcl_max_work_group_size(4, 1, 1)))\n"
        "kernel void k(global __attribute__((buffer_location(\"DDR\"))) uint *o, uint m) {\n"
        "    uint n = min(m, 16u);\n"
        "    uint b[16] __attribute__((xcl_array_partition(cyclic, 4, 1)));\n"
        "    uint c[16] __attribute__((xcl_array_partition(complete, 1)));\n"
        "    __attribute__((xcl_pipeline_loop(1)))\n"
        "    for (uint i = 0; i < n; i++) { b[i] = i; c[i] = 2 * i; }\n"
        "    __attribute__((xcl_pipeline_loop)) __attribute__((opencl_unroll_hint(2)))\n"
        "    for (uint i = 0; i < n; i++) { uint v = c[i] - b[i]; write_pipe_block(p, &v); }\n"
        "    __attribute__((xcl_pipeline_workitems)) { o[0] = 77; }\n"
        "    __attribute__((xcl_loop_tripcount(1, 100))) __attribute__((xcl_latency(1, 3)))\n"
        "    for (uint i = 0; i < n; i++) read_pipe_block(p, &o[i]);\n"
        "}\n";
    if (!is_sluice())
        check_skip("not known");
    build_silent_of(source, "", WORDS("warning", "error"));
    flow_expect(source, "k", 13, want_same);
    cl_program program = built(source, "");
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    cl_mem out = new_uints(16);
    const cl_uint count = 13;
    const size_t one = 1, offset = 1, eight = 8;
    REQUIRE_OK(rc);
    ARG(kernel, 0, out);
    ARG(kernel, 1, count);
    FAILS(CL_INVALID_GLOBAL_OFFSET,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, &offset, &one, NULL, 0, NULL, NULL));
    FAILS(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &eight, &eight, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
    RELEASE_PROGRAM(program);
}

/* ---- integers of any width ------------------------------------------------------------------- */

static cl_uint squares(cl_uint i)
{
    cl_uint five = i & 31;
    return (five * five & 31) + 1000 * (i % 4096 < 2048 ? i % 2048 : 0);
}

static cl_uint thirds_of_squares(cl_uint i)
{
    return i * i / 3;
}

/* As packets and members; what is computed with them: conformance/lang/integers. */
static void integers_in_channels(void)
{
    static const char *const words[] = {
        "#include \"ihc_apint.h\"\ntypedef uint5_t u5; typedef int12_t i12;\n",
        "typedef uint __attribute__((__ap_int(5))) u5;\n"
        "constant int W = 12; typedef int i12 __attribute__((__ap_int(W)));\n",
        "#pragma OPENCL EXTENSION cl_intel_arbitrary_precision_integers : enable\n"
        "typedef ap_uint<5> u5;\n#define W 6\ntypedef ap_int<W * 2> i12;\n",
    };
    if (!is_sluice())
        check_skip("no such integers");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct text text = {0};
        text_add(&text,
                 CHANNELS "%stypedef struct { u5 five; i12 twelve; } S;\n"
                          "channel S s; channel u5 c __attribute__((depth(40)));\n"
                          "kernel void src(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) {\n"
                          "        u5 v = i; S r; r.five = v * v; r.twelve = i;\n"
                          "        write_channel_intel(s, r); write_channel_intel(c, v);\n"
                          "    }\n"
                          "}\n"
                          "kernel void dst(global uint *o, uint n) {\n"
                          "    for (uint i = 0; i < n; i++) {\n"
                          "        S r = read_channel_intel(s); u5 v = read_channel_intel(c);\n"
                          "        uint high = r.twelve < 0 ? 0 : (uint)r.twelve;\n"
                          "        o[i] = r.five == v * v ? r.five + 1000 * high : 12345;\n"
                          "    }\n"
                          "}\n",
                 words[i]);
        flow_expect(text.at, "src dst", 4999, squares);
        free(text.at);
    }
    build_fails("#pragma OPENCL EXTENSION cl_intel_arbitrary_precision_integers : enable\n"
                "ap_uint<1 + 2048> x;\n",
                "", WORDS(":2:", "greater than 2048 not supported"));
    build_silent_of("int f(int ap_int) { return ap_int < 3; }\n", "", WORDS("error"));
    flow_expect(
        "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
        "#pragma OPENCL EXTENSION cl_intel_arbitrary_precision_integers : enable\n"
        "typedef struct { ap_uint<300> wide; int number; } S;\n"
        "channel ap_int<200> c; channel S s __attribute__((depth(3)));\n"
        "kernel void src(global uint *o, uint n) { for (uint i = 0; i < n; i++) {\n"
        "    S v = {(ap_uint<300>)i << 250, i};\n"
        "    write_channel_intel(s, v); write_channel_intel(c, -((ap_int<200>)i << 150)); } }\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        S v = read_channel_intel(s); ap_int<200> x = read_channel_intel(c);\n"
        "        ap_uint<300> part = v.wide * v.number / 3 >> 250;\n"
        "        o[i] = (x >> 150) + v.number ? 12345 : (uint)part;\n"
        "    }\n"
        "}\n",
        "src dst", 4999, thirds_of_squares);
}

/* ---- packets that are reserved --------------------------------------------------------------- */

static cl_uint fills(cl_uint i)
{
    return (const cl_uint[]){5, 3, 2, 2, 2, 1, 1}[i];
}

/* Of a pipe of the program; conformance/lang/pipe_test.c asks pipe objects on both devices. */
static void fill_while_reserved(void)
{
    static const char source[] =
        "pipe uint p __attribute__((depth(8)));\n"
        "kernel void k(global uint *o, uint n) {\n"
        "    uint v = 0; for (uint i = 0; i < 5; i++) write_pipe(p, &i);\n"
        "    o[0] = get_pipe_num_packets(p);\n"
        "    reserve_id_t a = reserve_read_pipe(p, 2); o[1] = get_pipe_num_packets(p);\n"
        "    read_pipe(p, &v); o[2] = get_pipe_num_packets(p);\n"
        "    reserve_id_t b = reserve_write_pipe(p, 1); o[3] = get_pipe_num_packets(p);\n"
        "    commit_read_pipe(p, a); o[4] = get_pipe_num_packets(p);\n"
        "    read_pipe(p, &v); o[5] = get_pipe_num_packets(p);\n"
        "    write_pipe(p, &v); o[6] = get_pipe_num_packets(p); commit_write_pipe(p, b);\n"
        "}\n";
    if (!is_sluice())
        check_skip("no reservations");
    flow_expect(source, "k", 7, fills);
}

/* Of a kernel with three copies, AMD's hosts name one or some: here it is the kernel. */
static void units_by_name(void)
{
    static const struct {
        const char *name;
        cl_int rc;
    } names[] = {
        {"copy_0:{copy_0_1}", CL_SUCCESS},
        {"copy_0:{copy_0_1,copy_0_3}", CL_SUCCESS},
        {"copy_1:{copy_0_1}", CL_INVALID_KERNEL_NAME},
        {"copy_0:", CL_INVALID_KERNEL_NAME},
        {"copy_0:{}", CL_INVALID_KERNEL_NAME},
        {"copy_0:{copy_0_1", CL_INVALID_KERNEL_NAME},
        {"copy_0:{copy_0_1,}", CL_INVALID_KERNEL_NAME},
        {"copy_0:{copy_0_1}x", CL_INVALID_KERNEL_NAME},
        {"copy_0{copy_0_1}", CL_INVALID_KERNEL_NAME},
        {":{copy_0_1}", CL_INVALID_KERNEL_NAME},
    };
    if (!is_sluice())
        check_skip("AMD's names");
    cl_program program = built("kernel void copy_0(global int *o) { o[0] = 7; }", "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cl_int rc, result = 0;
        char name[32] = "";
        cl_kernel kernel = clCreateKernel(program, names[i].name, &rc);
        CHECK_EQ(rc, names[i].rc);
        if (!kernel)
            continue;
        cl_mem out = new_buffer(CL_MEM_READ_WRITE, sizeof result, NULL);
        CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        CHECK(!strcmp(name, "copy_0"));
        ARG(kernel, 0, out);
        run_1d(kernel, 1, 0);
        read_back(out, sizeof result, &result);
        CHECK_EQ(result, 7);
        RELEASE_MEM(out);
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(units_by_name),     CASE(helpers_by_type),     CASE(depths_by_name),
    CASE(kernels_by_name),   CASE(early_versions),      CASE(waiting_functions),
    CASE(waiting_here_only), CASE(waiting_arguments),   CASE(waiting_errors),
    CASE(words_of_amd),      CASE(fill_while_reserved), CASE(integers_in_channels),
};
TEST_MAIN("dialect", cases)
