/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes declared at file scope in OpenCL C: the channel's life with the pipe's functions. */
#include "flow.h"

#include <stdlib.h>

static void blocking(void)
{
    static const char source[] =
        "pipe uint p __attribute__((depth(4))) __attribute__((blocking));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) write_pipe(p, &i);\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) { uint v = 0; read_pipe(p, &v); o[i] = v; }\n"
        "}\n";
    flow_expect(source, "src dst", 10000, want_same);
    flow_expect(source, "dst src", 10000, want_same);
}

/* Without the attribute the calls never wait. */
static void spinning(void)
{
    static const char source[] =
        "pipe uint p __attribute__((depth(4)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) while (write_pipe(p, &i)) ;\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) { uint v = 0; while (read_pipe(p, &v)) ; o[i] = v; }\n"
        "}\n";
    flow_expect(source, "src dst", 10000, want_same);
}

static cl_uint refusals(cl_uint i)
{
    return (const cl_uint[]){4, 996, 0, 12345}[i];
}

static void refusals_change_nothing(void)
{
    static const char source[] =
        "pipe uint p __attribute__((depth(4)));\n"
        "kernel void k(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < 1000; i++) o[write_pipe(p, &i) ? 1 : 0]++;\n"
        "    uint v, bad = 0;\n"
        "    for (uint i = 0; i < 4; i++) { if (read_pipe(p, &v)) bad++; if (v != i) bad++; }\n"
        "    o[2] = bad; v = 12345; read_pipe(p, &v); o[3] = v;\n"
        "}\n";
    cl_program program = built(source, "-emulator-channel-depth-model=strict");
    program_expect(program, "k", 4, refusals);
    RELEASE_PROGRAM(program);
}

static void arrays(void)
{
    static const char source[] =
        "pipe uint2 p[3][2] __attribute__((depth(2)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        uint2 v = (uint2)(i, ~i); while (write_pipe(p[i % 3][i / 3 % 2], &v)) ;\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        uint2 v; while (read_pipe(p[i % 3][i / 3 % 2], &v)) ;\n"
        "        o[i] = v.x == ~v.y ? v.x : 12345;\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 3000, want_same);
}

static void structures(void)
{
    static const char source[] =
        "typedef struct { uint a; uchar b[8]; } T;\n"
        "pipe T p __attribute__((depth(3))) __attribute__((blocking));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        T v; v.a = i; for (int j = 0; j < 8; j++) v.b[j] = (uchar)(i * j);\n"
        "        write_pipe(p, &v);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) {\n"
        "        T v; uint bad = 0; read_pipe(p, &v);\n"
        "        for (int j = 0; j < 8; j++) bad += v.b[j] != (uchar)(i * j);\n"
        "        o[i] = v.a + bad;\n"
        "    }\n"
        "}\n";
    flow_expect(source, "src dst", 400, want_same);
}

/* Pipes and channels in one program; each relays to the next. */
static void beside_channels(void)
{
    static const char source[] =
        CHANNELS "pipe uint p __attribute__((depth(2))) __attribute__((blocking));\n"
                 "channel uint c __attribute__((depth(2)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_pipe(p, &i);\n"
                 "}\n"
                 "kernel void mid(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) {\n"
                 "        uint v; read_pipe(p, &v); write_channel_intel(c, v);\n"
                 "    }\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    flow_expect(source, "src mid dst", 4000, want_same);
}

static void reservations(void)
{
    static const char source[] =
        "pipe uint p __attribute__((depth(6)));\n"
        "kernel void src(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 3) {\n"
        "        reserve_id_t id;\n"
        "        do id = reserve_write_pipe(p, 3); while (!is_valid_reserve_id(id));\n"
        "        for (uint j = 3; j-- > 0; ) { uint v = i + j; write_pipe(p, id, j, &v); }\n"
        "        commit_write_pipe(p, id);\n"
        "    }\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i += 2) {\n"
        "        reserve_id_t id;\n"
        "        do id = reserve_read_pipe(p, 2); while (!is_valid_reserve_id(id));\n"
        "        uint v; read_pipe(p, id, 1, &v); o[i + 1] = v;\n"
        "        read_pipe(p, id, 0, &v); o[i] = v;\n"
        "        commit_read_pipe(p, id);\n"
        "    }\n"
        "}\n";
    cl_program program = built(source, "-cl-std=CL3.0");
    program_expect(program, "src dst", 600, want_same);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(blocking),     CASE(spinning),   CASE(refusals_change_nothing),
    CASE(arrays),       CASE(structures), CASE(beside_channels),
    CASE(reservations),
};
TEST_MAIN("psp", cases)
