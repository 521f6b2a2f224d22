/* SPDX-License-Identifier: Apache-2.0 */
/* Private arrays far larger than an ordinary stack, with and without barriers, in loops, called
 * functions and several groups; beyond the limit a clean error. */
#include "child.h"
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>

enum { MIB = 1 << 20 };

/* Each work-item fills its own array and adds up what others must not have touched. */
static const char source[] = "void put(private uint *a, uint i, uint v) { a[i] = v; }\n"
                             "kernel void plain(global uint *x, uint step)\n"
                             "{\n"
                             "    uint a[WORDS], id = get_global_id(0), sum = 0;\n"
                             "    for (uint i = 0; i < WORDS; i += step)\n"
                             "        put(a, i, i * 3u + id);\n"
                             "    for (uint i = 0; i < WORDS; i += step)\n"
                             "        sum += a[i];\n"
                             "    x[id] = sum;\n"
                             "}\n"
                             "kernel void barred(global uint *x, uint step)\n"
                             "{\n"
                             "    uint a[WORDS], id = get_global_id(0), sum = 0;\n"
                             "    local uint turn;\n"
                             "    for (uint i = 0; i < WORDS; i += step)\n"
                             "        a[i] = i * 3u + id;\n"
                             "    turn = 0;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    atomic_inc(&turn);\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    for (uint i = 0; i < WORDS; i += step)\n"
                             "        sum += a[i] + turn;\n"
                             "    x[id] = sum;\n"
                             "}\n";

static cl_uint expected(cl_uint words, cl_uint step, cl_uint id, cl_uint turn)
{
    cl_uint sum = 0;
    for (cl_uint i = 0; i < words; i += step)
        sum += i * 3u + id + turn;
    return sum;
}

static void run_arrays(cl_uint bytes, const char *name, size_t global, size_t local)
{
    char options[64];
    cl_uint words = bytes / 4, step = 97, out[64] = {0};
    snprintf(options, sizeof options, "-DWORDS=%uu", words);
    cl_kernel kernel = new_kernel(source, name, options);
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, step);
    run_1d(kernel, global, local);
    read_back(mem, sizeof out, out);
    cl_uint turn = name[0] == 'b' ? (cl_uint)local : 0;
    for (cl_uint id = 0; id < global; id++)
        if (!CHECK_EQ(out[id], expected(words, step, id, turn)))
            break;
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void one_mib(void)
{
    run_arrays(MIB, "plain", 64, 8);
    run_arrays(MIB, "plain", 64, 0);
    run_arrays(MIB, "barred", 64, 8);
}

static void thirty_two_mib(void)
{
    run_arrays(32 * MIB, "plain", 4, 2);
    run_arrays(32 * MIB, "barred", 4, 2);
}

/* Never a crash: refused at build, at launch, or by the command's status. */
static void beyond(const char *name, cl_ulong bytes)
{
    char options[64];
    const size_t global = 4, local = 2;
    cl_uint step = 4096;
    cl_event event;
    cl_int rc;
    snprintf(options, sizeof options, "-DWORDS=%lluul", (unsigned long long)bytes / 4);
    cl_program program = new_program(source);
    rc = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        CHECK_EQ(rc, CL_BUILD_PROGRAM_FAILURE);
        CHECK(log[0]);
        free(log);
        RELEASE_PROGRAM(program);
        return;
    }
    cl_kernel kernel = kernel_of(program, name);
    cl_mem mem = new_buffer(0, 4096, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, step);
    rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, &event);
    if (!rc) {
        clFinish(cl.queue);
        rc = event_status(event);
        RELEASE_EVENT(event);
    }
    if (rc != CL_OUT_OF_RESOURCES && rc != CL_COMPLETE)
        check_fail(__FILE__, __LINE__, "%s with %llu bytes: %s", name, (unsigned long long)bytes,
                   code_name(rc));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void beyond_the_limit(void)
{
    static const cl_ulong sizes[] = {63ull << 20, 256ull << 20, 1ull << 30, 5ull << 30, 1ull << 40};
    for (size_t i = 0; i < LEN(sizes); i++) {
        beyond("plain", sizes[i]);
        beyond("barred", sizes[i]);
    }
    run_arrays(MIB, "plain", 8, 2);
}

static const struct test_case jobs[] = {CASE(one_mib)};
static const struct test_case cases[] = {CASE(one_mib), CASE(thirty_two_mib),
                                         CASE(beyond_the_limit)};
JOBS_MAIN("stack", cases, jobs)
