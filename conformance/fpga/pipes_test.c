/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes as kernel arguments: both forms, blocking, capacity, reservations, packet queries. */
#include "flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static cl_mem new_pipe(cl_uint bytes, cl_uint packets)
{
    cl_int rc;
    cl_mem made = clCreatePipe(cl.context, 0, bytes, packets, NULL, &rc);
    REQUIRE_OK(rc);
    return made;
}

/* Kernels of (global uint *o, uint n, pipes...): the same pipes, in order, for each kernel. */
static void pipes_expect(const char *source, const char *options, const char *const *names,
                         const cl_mem *pipes, cl_uint pipe_count, cl_uint n,
                         cl_uint (*want)(cl_uint))
{
    struct flow *flow = flow_open(source, options);
    cl_mem out = new_uints(n);
    for (; *names; names++) {
        cl_kernel kernel = flow_add(flow, *names);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
        for (cl_uint i = 0; i < pipe_count; i++)
            ARG(kernel, 2 + i, pipes[i]);
    }
    flow_run(flow);
    expect_uints(out, n, want);
    RELEASE_MEM(out);
    flow_close(flow);
}

/* ---- one pipe, two kernels ------------------------------------------------------------------- */

static const char spinning[] =
    "kernel void src(global uint *o, uint n, write_only pipe uint p) {\n"
    "    for (uint i = 0; i < n; i++) while (write_pipe(p, &i)) ;\n"
    "}\n"
    "kernel void dst(global uint *o, uint n, read_only pipe uint p) {\n"
    "    for (uint i = 0; i < n; i++) { uint v; while (read_pipe(p, &v)) ; o[i] = v; }\n"
    "}\n";

static void spinning_ends(void)
{
    static const cl_uint capacities[] = {1, 2, 3, 16, 1000};
    for (size_t i = 0; i < LEN(capacities); i++) {
        cl_mem pipe = new_pipe(4, capacities[i]);
        pipes_expect(spinning, "", WORDS("src", "dst"), &pipe, 1, 5000, want_same);
        RELEASE_MEM(pipe);
    }
}

/* The language versions in which users write pipes. */
static void language_versions(void)
{
    static const char *const sluice[] = {"", "-cl-std=CL1.2", "-cl-std=CL3.0"};
    static const char *const others[] = {"", "-cl-std=CL1.2", "-cl-std=CL2.0"};
    for (size_t i = 0; i < LEN(sluice); i++) {
        cl_mem pipe = new_pipe(4, 8);
        pipes_expect(spinning, is_sluice() ? sluice[i] : others[i], WORDS("dst", "src"), &pipe, 1,
                     500, want_same);
        RELEASE_MEM(pipe);
    }
}

#define BLOCKING(before, after)                                                                    \
    "kernel void src(global uint *o, uint n, write_only pipe uint " before " p " after ") {\n"     \
    "    for (uint i = 0; i < n; i++) write_pipe(p, &i);\n"                                        \
    "}\n"                                                                                          \
    "kernel void dst(global uint *o, uint n, read_only pipe uint " before " p " after ") {\n"      \
    "    for (uint i = 0; i < n; i++) { uint v = 12345; read_pipe(p, &v); o[i] = v; }\n"           \
    "}\n"

/* The documented example: no loop around the calls, and no packet may be lost. */
static void blocking_waits(void)
{
    static const char *const sources[] = {
        BLOCKING("__attribute__((blocking))", ""),
        BLOCKING("", "__attribute__((blocking))"),
        BLOCKING("__attribute__((blocking)) __attribute__((depth(8)))", ""),
        BLOCKING("__attribute__((blocking, depth(8)))", ""),
        BLOCKING("__attribute__((depth(4)))", "__attribute__((__blocking__))"),
    };
    for (size_t i = 0; i < LEN(sources); i++) {
        cl_mem pipe = new_pipe(4, 16);
        pipes_expect(sources[i], "", i % 2 ? WORDS("dst", "src") : WORDS("src", "dst"), &pipe, 1,
                     10000, want_same);
        RELEASE_MEM(pipe);
    }
}

static void through_helpers(void)
{
    static const char source[] =
        "void put(write_only pipe uint p, uint v) { while (write_pipe(p, &v)) ; }\n"
        "uint get(read_only pipe uint p) { uint v; while (read_pipe(p, &v)) ; return v; }\n"
        "kernel void src(global uint *o, uint n, write_only pipe uint p) {\n"
        "    for (uint i = 0; i < n; i++) put(p, i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n, read_only pipe uint p) {\n"
        "    for (uint i = 0; i < n; i++) o[i] = get(p);\n"
        "}\n";
    cl_mem pipe = new_pipe(4, 4);
    pipes_expect(source, "", WORDS("src", "dst"), &pipe, 1, 3000, want_same);
    RELEASE_MEM(pipe);
}

/* Packets of 1, 12, 24 and 1024 bytes; the packet lies in private, local or global memory. */
static void packets_of_any_size(void)
{
    static const char source[] =
        "typedef struct { uint a[BYTES / 4 + 1]; } big;\n"
        "typedef struct { uchar a[BYTES]; } T;\n"
        "kernel void src(global uint *o, uint n, write_only pipe T p) {\n"
        "    T v;\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        for (uint j = 0; j < BYTES; j++) v.a[j] = (uchar)(i + j);\n"
        "        while (write_pipe(p, &v)) ;\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n, read_only pipe T p) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        T v; uint bad = 0; while (read_pipe(p, &v)) ;\n"
        "        for (uint j = 0; j < BYTES; j++) bad += v.a[j] != (uchar)(i + j);\n"
        "        o[i] = i + bad;\n"
        "    }\n"
        "}\n";
    static const struct {
        const char *options;
        cl_uint bytes;
    } rows[] = {{"-DBYTES=1", 1}, {"-DBYTES=12", 12}, {"-DBYTES=24", 24}, {"-DBYTES=1024", 1024}};
    for (size_t i = 0; i < LEN(rows); i++) {
        cl_mem pipe = new_pipe(rows[i].bytes, 5);
        pipes_expect(source, rows[i].options, WORDS("src", "dst"), &pipe, 1, 200, want_same);
        RELEASE_MEM(pipe);
    }
}

/* ---- capacity and refusals ------------------------------------------------------------------- */

static cl_uint refusals(cl_uint i)
{
    return (const cl_uint[]){7, 993, 0, 1000, 12345, 7}[i];
}

/* One kernel of (out, n, pipe), to its end. */
static void run_alone(cl_program program, const char *name, cl_mem out, cl_uint n, cl_mem pipe)
{
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, out);
    ARG(kernel, 1, n);
    ARG(kernel, 2, pipe);
    run_1d(kernel, 1, 1);
    RELEASE_KERNEL(kernel);
}

/* The capacity is that of clCreatePipe; a refused read leaves the destination alone. */
static void capacity_and_refusals(void)
{
    static const char source[] =
        "kernel void fill(global uint *o, uint n, write_only pipe uint p) {\n"
        "    for (uint i = 0; i < 1000; i++) { uint v = i; o[write_pipe(p, &v) ? 1 : 0]++; }\n"
        "}\n"
        "kernel void drain(global uint *o, uint n, read_only pipe uint p) {\n"
        "    uint v = 0; uint got = 0;\n"
        "    for (uint i = 0; i < 7; i++) { got += !read_pipe(p, &v); if (v != i) o[2]++; }\n"
        "    v = 12345;\n"
        "    for (uint i = 0; i < 1000; i++) if (read_pipe(p, &v)) o[3]++;\n"
        "    o[4] = v; o[5] = got;\n"
        "}\n";
    cl_mem pipe = new_pipe(4, 7), out = new_uints(6);
    cl_program program = built(source, "");
    run_alone(program, "fill", out, 6, pipe);
    run_alone(program, "drain", out, 6, pipe);
    expect_uints(out, 6, refusals);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
}

static cl_uint each_once(cl_uint i)
{
    (void)i;
    return 1;
}

/* Two kernels may read one pipe object: they share what comes. */
static void two_readers_share(void)
{
    static const char source[] =
        "kernel void src(global uint *o, uint n, write_only pipe uint p) {\n"
        "    for (uint i = 0; i < n; i++) while (write_pipe(p, &i)) ;\n"
        "}\n"
        "kernel void dst1(global uint *o, uint n, read_only pipe uint p) {\n"
        "    for (uint i = 0; i < n / 2; i++) { uint v; while (read_pipe(p, &v)) ; o[v]++; }\n"
        "}\n"
        "kernel void dst2(global uint *o, uint n, read_only pipe uint p) {\n"
        "    for (uint i = 0; i < n / 2; i++) { uint v; while (read_pipe(p, &v)) ; o[v]++; }\n"
        "}\n";
    cl_mem pipe = new_pipe(4, 3);
    pipes_expect(source, "", WORDS("src", "dst1", "dst2"), &pipe, 1, 2000, each_once);
    RELEASE_MEM(pipe);
}

/* ---- OpenCL 2.0's other forms ---------------------------------------------------------------- */

static void need_reservations(void)
{
    if (!is_sluice())
        check_skip("only two-argument pipe functions here");
}

static cl_uint reserved_wants(cl_uint i)
{
    return i < 8 ? (const cl_uint[]){0, 3, 2, 8, 1, 1, 5, 5}[i] : i;
}

/* A reservation's packets appear at its commit, in index order, in reservation order. */
static void reservations(void)
{
    static const char source[] =
        "kernel void k(global uint *o, uint n, write_only pipe uint p) {\n"
        "    uint v; reserve_id_t a = reserve_write_pipe(p, 3), b = reserve_write_pipe(p, 2);\n"
        "    o[0] = get_pipe_num_packets(p);\n"
        "    v = 12; write_pipe(p, b, 1, &v); v = 11; write_pipe(p, b, 0, &v);\n"
        "    for (uint i = 3; i-- > 0; ) { v = 8 + i; write_pipe(p, a, i, &v); }\n"
        "    commit_write_pipe(p, b); commit_write_pipe(p, a);\n"
        "    o[3] = get_pipe_max_packets(p);\n"
        "    o[4] = !is_valid_reserve_id(reserve_write_pipe(p, 4));\n"
        "    o[5] = is_valid_reserve_id(a);\n"
        "    o[6] = get_pipe_num_packets(p);\n"
        "}\n"
        "kernel void l(global uint *o, uint n, read_only pipe uint p) {\n"
        "    o[7] = get_pipe_num_packets(p);\n"
        "    reserve_id_t a = reserve_read_pipe(p, 3), b = reserve_read_pipe(p, 2);\n"
        "    uint v = 0; read_pipe(p, b, 0, &v); o[11] = v; read_pipe(p, b, 1, &v); o[12] = v;\n"
        "    for (uint i = 0; i < 3; i++) { read_pipe(p, a, i, &v); o[8 + i] = v; }\n"
        "    read_pipe(p, a, 1, &v); o[9] = v;\n"
        "    commit_read_pipe(p, a); commit_read_pipe(p, b);\n"
        "    o[1] = 3 + get_pipe_num_packets(p);\n"
        "    o[2] = is_valid_reserve_id(reserve_read_pipe(p, 1)) ? 1 : 2;\n"
        "}\n";
    need_reservations();
    cl_mem pipe = new_pipe(4, 8), out = new_uints(13);
    cl_program program = built(source, "-cl-std=CL3.0");
    run_alone(program, "k", out, 13, pipe);
    run_alone(program, "l", out, 13, pipe);
    expect_uints(out, 13, reserved_wants);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
}

/* Collective: every item of a group gets the same id and fills its own packet. */
static void group_reservations(void)
{
    static const char source[] =
        "kernel void src(global uint *o, uint n, write_only pipe uint p) {\n"
        "    uint v = get_global_id(0);\n"
        "    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
        "    if (is_valid_reserve_id(id)) {\n"
        "        write_pipe(p, id, get_local_id(0), &v);\n"
        "        work_group_commit_write_pipe(p, id);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n, read_only pipe uint p) {\n"
        "    uint v = 12345, l = get_local_id(0);\n"
        "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
        "    if (is_valid_reserve_id(id)) {\n"
        "        read_pipe(p, id, get_local_size(0) - 1 - l, &v);\n"
        "        work_group_commit_read_pipe(p, id);\n"
        "        o[v] = v;\n"
        "    }\n"
        "}\n";
    need_reservations();
    cl_uint n = 96;
    cl_mem pipe = new_pipe(4, n), out = new_uints(n);
    cl_program program = built(source, "-cl-std=CL3.0");
    static const struct {
        const char *name;
        size_t local;
    } rows[] = {{"src", 16}, {"dst", 8}};
    for (size_t i = 0; i < LEN(rows); i++) {
        cl_kernel kernel = kernel_of(program, rows[i].name);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
        ARG(kernel, 2, pipe);
        run_1d(kernel, n, rows[i].local);
        RELEASE_KERNEL(kernel);
    }
    expect_uints(out, n, want_same);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
}

/* ---- many arguments -------------------------------------------------------------------------- */

enum { MANY = 40 };

/* src writes i + 0, i + 1... to its pipes, dst adds up what comes. */
static void add_kernel_of_many(struct text *source, bool reads)
{
    const char *name = reads ? "dst" : "src", *access = reads ? "read" : "write";
    text_add(source, "kernel void %s(global uint *o, uint n", name);
    for (int i = 0; i < MANY; i++)
        text_add(source, ", %s_only pipe uint p%d", access, i);
    text_add(source, ") {\n    for (uint i = 0; i < n; i++) {\n        uint sum = 0, v;\n");
    for (int i = 0; i < MANY; i++) {
        if (reads)
            text_add(source, "        while (read_pipe(p%d, &v)) ;\n        sum += v;\n", i);
        else
            text_add(source, "        v = i + %d;\n        while (write_pipe(p%d, &v)) ;\n", i, i);
    }
    text_add(source, "        if (sum) o[i] = sum;\n    }\n}\n");
}

static cl_uint sum_of_many(cl_uint i)
{
    return MANY * i + MANY * (MANY - 1) / 2;
}

static void forty_arguments(void)
{
    static const char *const orders[][3] = {{"src", "dst", NULL}, {"dst", "src", NULL}};
    cl_mem pipes[MANY];
    struct text source = {0};
    add_kernel_of_many(&source, false);
    add_kernel_of_many(&source, true);
    for (cl_uint i = 0; i < MANY; i++)
        pipes[i] = new_pipe(4, 1 + i % 3);
    for (size_t i = 0; i < LEN(orders); i++)
        pipes_expect(source.at, "", orders[i], pipes, MANY, 100, sum_of_many);
    for (int i = 0; i < MANY; i++)
        RELEASE_MEM(pipes[i]);
    free(source.at);
}

static const struct test_case cases[] = {
    CASE(spinning_ends),     CASE(language_versions),   CASE(blocking_waits),
    CASE(through_helpers),   CASE(packets_of_any_size), CASE(capacity_and_refusals),
    CASE(two_readers_share), CASE(reservations),        CASE(group_reservations),
    CASE(forty_arguments),
};
TEST_MAIN("pipes", cases)
