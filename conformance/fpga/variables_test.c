/* SPDX-License-Identifier: Apache-2.0 */
/* Variables at program scope and kernels with channels: what several kernels of one cluster, of
 * several clusters and without any pipe see of them, and how long they keep their values. */
#include "flow.h"

#include <stdlib.h>

#define CL3 "-cl-std=CL3.0"
#define AUTORUN "__attribute__((max_global_work_dim(0))) __attribute__((autorun)) "
#define FLAG "atomic_load_explicit(&flag, memory_order_acquire, memory_scope_device)"

/* Runs once in a program of its own. */
static void expect(const char *source, const char *names, cl_uint n, cl_uint (*want)(cl_uint))
{
    cl_program program = built(source, CL3);
    program_expect(program, names, n, want);
    RELEASE_PROGRAM(program);
}

/* ---- one cluster ----------------------------------------------------------------------------- */

static cl_uint doubled_plus_one(cl_uint i)
{
    return 2 * i + 1;
}

/* What was written before a packet is there for who has read the packet, both ways. */
static void packets_order_them(void)
{
    expect(CHANNELS "channel uint go __attribute__((depth(1)));\n"
                    "channel uint back __attribute__((depth(1)));\n"
                    "global uint box, answer;\n"
                    "kernel void ask(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        box = i;\n"
                    "        write_channel_intel(go, 0);\n"
                    "        read_channel_intel(back);\n"
                    "        o[i] = answer;\n"
                    "    }\n"
                    "}\n"
                    "kernel void reply(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        read_channel_intel(go);\n"
                    "        answer = 2 * box + 1;\n"
                    "        write_channel_intel(back, 0);\n"
                    "    }\n"
                    "}\n",
           "ask reply", 2000, doubled_plus_one);
}

static cl_uint sum_to(cl_uint i)
{
    return i * (i + 1) / 2;
}

/* The loop moves a packet a round: it runs in batches. */
static void sums_in_loops(void)
{
    expect(CHANNELS "channel uint a __attribute__((depth(64)));\n"
                    "channel uint b __attribute__((depth(64)));\n"
                    "global uint sum;\n"
                    "kernel void src(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
                    "}\n"
                    "kernel void add(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        sum += read_channel_intel(a);\n"
                    "        write_channel_intel(b, sum);\n"
                    "    }\n"
                    "}\n"
                    "kernel void dst(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"
                    "}\n",
           "src add dst", 5003, sum_to);
}

/* Also those of functions; a launch goes on where the last one ended. */
static void values_stay(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(2)));\n"
                 "global uint sent;\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, sent++);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    static global uint got = 0;\n"
                 "    for (uint i = 0; i < n; i++) o[i] = got++ + read_channel_intel(c);\n"
                 "}\n";
    cl_program program = built(source, CL3);
    struct flow *flow = flow_of(program);
    cl_kernel kernels[] = {flow_add(flow, "src"), flow_add(flow, "dst")};
    cl_mem out = new_uints(300);
    cl_uint n = 100;
    for (size_t k = 0; k < LEN(kernels); k++) {
        ARG(kernels[k], 0, out);
        ARG(kernels[k], 1, n);
    }
    for (cl_uint round = 0; round < 3; round++) {
        flow_run(flow);
        cl_uint *got = take_uints(out, n);
        for (cl_uint i = 0; i < n; i++)
            CHECK_EQ(got[i], 2 * (100 * round + i));
        free(got);
    }
    flow_close(flow);
    RELEASE_MEM(out);
}

/* ---- autorun --------------------------------------------------------------------------------- */

static void autorun_restarts(void)
{
    expect(CHANNELS "channel uint a __attribute__((depth(2)));\n"
                    "channel uint b __attribute__((depth(2)));\n"
                    "global struct { uint sum, runs; } state = {0, 1000};\n" AUTORUN
                    "kernel void add(void) {\n"
                    "    state.sum += read_channel_intel(a);\n"
                    "    state.runs++;\n"
                    "    write_channel_intel(b, state.sum + state.runs);\n"
                    "}\n"
                    "kernel void src(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) write_channel_intel(a, i);\n"
                    "}\n"
                    "kernel void dst(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++)\n"
                    "        o[i] = read_channel_intel(b) - 1001 - i;\n"
                    "}\n",
           "src dst", 3000, sum_to);
}

static cl_uint times_seven(cl_uint i)
{
    return i * 7;
}

/* Copies of a kernel are one program's. */
static void copies_share_them(void)
{
    expect(CHANNELS "channel uint a[8] __attribute__((depth(2)));\n"
                    "global uint seen[7];\n" AUTORUN
                    "__attribute__((num_compute_units(7))) kernel void stage(void) {\n"
                    "    int id = get_compute_id(0);\n"
                    "    uint v = read_channel_intel(a[id]);\n"
                    "    seen[id]++;\n"
                    "    write_channel_intel(a[id + 1], v);\n"
                    "}\n"
                    "kernel void src(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) write_channel_intel(a[0], i);\n"
                    "}\n"
                    "kernel void dst(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        uint v = read_channel_intel(a[7]);\n"
                    "        uint sum = 0;\n"
                    "        for (int k = 0; k < 7; k++) sum += seen[k] > v ? v : 1000000;\n"
                    "        o[i] = sum;\n"
                    "    }\n"
                    "}\n",
           "src dst", 500, times_seven);
}

/* ---- several clusters ------------------------------------------------------------------------ */

/* Four kernels that nothing joins, on as many threads as there are, count in one variable. */
static void clusters_count_together(void)
{
    enum { N = 20000 };
    static const char source[] =
        CHANNELS "channel uint a __attribute__((depth(4)));\n"
                 "channel uint b __attribute__((depth(4)));\n"
                 "global atomic_uint count = 7;\n"
                 "#define SRC(name, c) kernel void name(uint n) {\\\n"
                 "    for (uint i = 0; i < n; i++) {\\\n"
                 "        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed,\\\n"
                 "                                  memory_scope_device);\\\n"
                 "        write_channel_intel(c, i); } }\n"
                 "#define DST(name, c) kernel void name(uint n) {\\\n"
                 "    for (uint i = 0; i < n; i++) {\\\n"
                 "        atomic_fetch_add_explicit(&count, read_channel_intel(c) ? 1 : 3,\\\n"
                 "                                  memory_order_relaxed,\\\n"
                 "                                  memory_scope_device); } }\n"
                 "SRC(src_a, a) DST(dst_a, a) SRC(src_b, b) DST(dst_b, b)\n"
                 "kernel void plain(global uint *o, uint n) {\n"
                 "    o[get_global_id(0)] = atomic_load(&count);\n"
                 "}\n";
    static const char *const names[] = {"src_a", "dst_a", "src_b", "dst_b"};
    cl_program program = built(source, CL3);
    cl_kernel plain = kernel_of(program, "plain");
    struct flow *flow = flow_of(program);
    cl_mem out = new_uints(3);
    cl_uint n = N, *got;
    for (size_t k = 0; k < LEN(names); k++) {
        cl_kernel kernel = flow_add(flow, names[k]);
        ARG(kernel, 0, n);
    }
    ARG(plain, 0, out);
    ARG(plain, 1, n);
    run_1d(plain, 3, 0);
    got = take_uints(out, 3);
    CHECK_EQ(got[2], 7);
    free(got);
    flow_run(flow);
    run_1d(plain, 3, 0);
    got = take_uints(out, 3);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(got[i], 7 + 4 * N + 2 * 2);
    free(got);
    RELEASE_KERNEL(plain);
    flow_close(flow);
    RELEASE_MEM(out);
}

/* A kernel that spins on a variable lets the other one of its cluster write it. */
static void spinning_on_one(void)
{
    expect(CHANNELS "channel uint c __attribute__((depth(4)));\n"
                    "global atomic_uint flag;\n"
                    "kernel void dst(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        while (" FLAG " <= i) ;\n"
                    "        o[i] = read_channel_intel(c);\n"
                    "    }\n"
                    "}\n"
                    "kernel void src(global uint *o, uint n) {\n"
                    "    for (uint i = 0; i < n; i++) {\n"
                    "        write_channel_intel(c, i);\n"
                    "        atomic_store_explicit(&flag, i + 1, memory_order_release,\n"
                    "                              memory_scope_device);\n"
                    "    }\n"
                    "}\n",
           "dst src", 300, want_same);
}

/* ---- pipes of the program, and who is whose -------------------------------------------------- */

static void beside_pipes(void)
{
    expect("pipe uint p[2] __attribute__((depth(4))) __attribute__((blocking));\n"
           "uint plain = 5;\n" /* in global memory */
           "const uint stride = 1;\n"
           "global uint *global at = &plain;\n"
           "kernel void src(global uint *o, uint n) {\n"
           "    for (uint i = 0; i < n; i++) write_pipe(p[i & 1], at), *at += stride;\n"
           "}\n"
           "kernel void dst(global uint *o, uint n) {\n"
           "    for (uint i = 0; i < n; i++) { uint v; read_pipe(p[i & 1], &v); o[i] = v - 5; }\n"
           "}\n",
           "src dst", 400, want_same);
}

/* Of one source; each has its own, also while both run. */
static void programs_have_their_own(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4)));\n"
                 "global uint next;\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, next++);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    cl_program one = built(source, CL3), other = built(source, CL3);
    program_expect(one, "src dst", 600, want_same);
    program_expect(other, "src dst", 600, want_same);
    RELEASE_PROGRAM(one);
    RELEASE_PROGRAM(other);
}

static const struct test_case cases[] = {
    CASE(packets_order_them), CASE(sums_in_loops),     CASE(values_stay),
    CASE(autorun_restarts),   CASE(copies_share_them), CASE(clusters_count_together),
    CASE(spinning_on_one),    CASE(beside_pipes),      CASE(programs_have_their_own),
};
TEST_MAIN("variables", cases)
