/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels without a loop around their pipe operations: all they do is in the first block, from the
 * first line on. Each shape is built with and without the optimiser. */
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>

#define TASK "__attribute__((max_global_work_dim(0))) "

static const char *const levels[] = {"", "-cl-opt-disable", "-cl-std=CL2.0", "-g"};

/* Kernels named in `names` have arguments (global uint *o); what they leave in `o` are `want`. */
static void expect(const char *source, const char *names, const cl_uint *want, cl_uint count)
{
    for (size_t level = 0; level < LEN(levels); level++) {
        struct flow *flow = flow_open(source, levels[level]);
        cl_mem out = new_uints(count);
        char name[2] = "";
        for (; *names; names++) {
            name[0] = *names;
            ARG(flow_add(flow, name), 0, out);
        }
        names -= flow->count;
        flow_run(flow);
        cl_uint *got = take_uints(out, count);
        for (cl_uint i = 0; i < count; i++)
            if (got[i] != want[i])
                check_fail(__FILE__, __LINE__, "with '%s' element %u: expected %u, got %u\n%s",
                           levels[level], i, want[i], got[i], source);
        free(got);
        RELEASE_MEM(out);
        flow_close(flow);
    }
}
#define EXPECT(source, names, ...)                                                                 \
    expect(source, names, (const cl_uint[]){__VA_ARGS__}, LEN(((const cl_uint[]){__VA_ARGS__})))

static void task_reads_channel(void)
{
    EXPECT(CHANNELS "channel uint c __attribute__((depth(4)));\n" TASK
                    "kernel void a(global uint *o) { o[0] = read_channel_intel(c); o[1] = 7; }\n"
                    "kernel void b(global uint *o) { write_channel_intel(c, 42); }\n",
           "ab", 42, 7);
}

static void task_writes_channel(void)
{
    EXPECT(CHANNELS "channel uint c __attribute__((depth(1)));\n" TASK
                    "kernel void a(global uint *o) {\n"
                    "    write_channel_intel(c, 5); write_channel_intel(c, 6);\n"
                    "    write_channel_intel(c, 7); o[3] = 8;\n"
                    "}\n" TASK "kernel void b(global uint *o) {\n"
                    "    o[2] = read_channel_intel(c); o[1] = read_channel_intel(c);\n"
                    "    o[0] = read_channel_intel(c);\n"
                    "}\n",
           "ab", 7, 6, 5, 8);
}

static void task_passes_pipes_of_program(void)
{
    EXPECT(CHANNELS "pipe uint c __attribute__((blocking)) __attribute__((depth(3)));\n"
                    "pipe uint d __attribute__((blocking));\n" TASK
                    "kernel void a(global uint *o) {\n"
                    "    uint v; read_pipe(c, &v); v += 3; write_pipe(d, &v); o[1] = v;\n"
                    "}\n" TASK "kernel void b(global uint *o) {\n"
                    "    uint v = 9; write_pipe(c, &v); read_pipe(d, &v); o[0] = v;\n"
                    "}\n",
           "ab", 12, 12);
}

static void tasks_do_not_wait(void)
{
    EXPECT(CHANNELS "channel uint c; channel uint2 d __attribute__((depth(5)));\n" TASK
                    "kernel void a(global uint *o) {\n"
                    "    bool there; o[0] = read_channel_nb_intel(c, &there); o[1] = there + 2;\n"
                    "    o[2] = write_channel_nb_intel(d, (uint2)(4, 8));\n"
                    "    o[3] = read_channel_nb_intel(d, &there).y; o[4] = there;\n"
                    "}\n",
           "a", 0, 2, 1, 8, 1);
}

/* What is read first is thrown away, in a loop of its own that becomes straight. */
static void discards_before_loop(void)
{
    EXPECT(CHANNELS
           "typedef struct { uint data[2]; } cols;\n"
           "channel cols c __attribute__((depth(9)));\n" TASK "kernel void a(global uint *o) {\n"
           "    for (uint i = 0; i < 6; i++) {\n"
           "        cols v; v.data[0] = i; v.data[1] = 100 + i; write_channel_intel(c, v);\n"
           "    }\n"
           "}\n" TASK "kernel void b(global uint *o) {\n"
           "    for (uint i = 0; i < 3; i++) read_channel_intel(c);\n"
           "    for (uint i = 0; i < 3; i++) {\n"
           "        cols v = read_channel_intel(c);\n"
           "        for (uint k = 0; k < 2; k++) o[2 * i + k] = v.data[k];\n"
           "    }\n"
           "}\n",
           "ab", 3, 103, 4, 104, 5, 105);
}

static void count_before_loop(void)
{
    EXPECT(CHANNELS "channel ushort n; channel uint c __attribute__((depth(2)));\n" TASK
                    "kernel void a(global uint *o) {\n"
                    "    write_channel_intel(n, 5);\n"
                    "    for (uint i = 0; i < 5; i++) write_channel_intel(c, i * i);\n"
                    "}\n" TASK "kernel void b(global uint *o) {\n"
                    "    uint count = read_channel_intel(n), sum = 0;\n"
                    "    for (uint i = 0; i < count; i++) sum += read_channel_intel(c);\n"
                    "    o[0] = sum; o[1] = count;\n"
                    "}\n",
           "ab", 30, 5);
}

/* Kernels of the host and one that the device starts, which repeats itself. */
static void autorun_between(void)
{
    EXPECT(CHANNELS "channel uint c, d;\n" TASK "__attribute__((autorun))\n"
                    "kernel void relay(void) {\n"
                    "    uint x = read_channel_intel(c), y = read_channel_intel(c);\n"
                    "    write_channel_intel(d, x * 10 + y);\n"
                    "}\n" TASK "kernel void a(global uint *o) {\n"
                    "    write_channel_intel(c, 1); write_channel_intel(c, 2);\n"
                    "    write_channel_intel(c, 3); write_channel_intel(c, 4);\n"
                    "}\n" TASK "kernel void b(global uint *o) {\n"
                    "    o[0] = read_channel_intel(d); o[1] = read_channel_intel(d);\n"
                    "}\n",
           "ab", 12, 34);
}

static const char arguments[] =
    TASK "kernel void get(read_only pipe int p __attribute__((blocking)), global int *restrict o)\n"
         "{ int v; read_pipe(p, &v); o[0] = v; o[1] = 7; }\n" TASK
         "kernel void put(write_only pipe int p __attribute__((blocking)), int v)\n"
         "{ write_pipe(p, &v); v++; write_pipe(p, &v); }\n" TASK
         "kernel void pass(read_only pipe int p __attribute__((blocking)),\n"
         "                 write_only pipe int q __attribute__((blocking)))\n"
         "{ int v; read_pipe(p, &v); read_pipe(p, &v); v = -v; write_pipe(q, &v); }\n";

static void task_with_pipe_arguments(void)
{
    for (size_t level = 0; level < LEN(levels); level++) {
        cl_int first = 41, rc;
        struct flow *flow = flow_open(arguments, levels[level]);
        cl_mem out = new_uints(2);
        cl_mem p = clCreatePipe(cl.context, 0, sizeof(cl_int), 1, NULL, &rc);
        REQUIRE_OK(rc);
        cl_mem q = clCreatePipe(cl.context, 0, sizeof(cl_int), 3, NULL, &rc);
        REQUIRE_OK(rc);
        cl_kernel get = flow_add(flow, "get"), put = flow_add(flow, "put");
        cl_kernel pass = flow_add(flow, "pass");
        ARG(get, 0, q);
        ARG(get, 1, out);
        ARG(put, 0, p);
        ARG(put, 1, first);
        ARG(pass, 0, p);
        ARG(pass, 1, q);
        flow_run(flow);
        cl_uint *got = take_uints(out, 2);
        CHECK_EQ((cl_int)got[0], -42);
        CHECK_EQ(got[1], 7);
        free(got);
        RELEASE_MEM(out);
        RELEASE_MEM(p);
        RELEASE_MEM(q);
        flow_close(flow);
    }
}

static const struct test_case cases[] = {
    CASE(task_reads_channel), CASE(task_writes_channel),      CASE(task_passes_pipes_of_program),
    CASE(tasks_do_not_wait),  CASE(discards_before_loop),     CASE(count_before_loop),
    CASE(autorun_between),    CASE(task_with_pipe_arguments),
};
TEST_MAIN("straight", cases)
