/* SPDX-License-Identifier: Apache-2.0 */
/* Private arrays far larger than an ordinary stack, with and without barriers, in loops, called
 * functions and several groups; beyond the limit a clean error. The same for a trap. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- variables of called functions ----------------------------------------------------------- */

/* The helpers have no need to know their work-item, so nothing but size asks for inlining them. */
static const char helpers[] =
    "#define FILL(n) for (uint i = 0; i < WORDS; i += step) a[i] = i * n + v\n"
    "#define PICK a[(v * step) % WORDS / step * step]\n"
    "__attribute__((noinline)) uint one(uint v, uint step)\n"
    "{ volatile uint a[WORDS]; FILL(1u); return PICK; }\n"
    "__attribute__((noinline)) uint two(uint v, uint step)\n"
    "{ volatile uint a[WORDS]; FILL(2u); uint s = one(v, step); return s + PICK; }\n"
    "__attribute__((noinline)) uint three(uint v, uint step)\n"
    "{ volatile uint a[WORDS]; FILL(3u); uint s = two(v, step); return s + PICK; }\n"
    "kernel void helper(global uint *x, uint step)\n"
    "{ uint id = get_global_id(0); x[id] = one(id, step); }\n"
    "kernel void chain(global uint *x, uint step)\n"
    "{ uint id = get_global_id(0); x[id] = three(id, step); }\n";

enum { HELPED = 8 };

static void run_helpers(cl_uint bytes, const char *name)
{
    char options[64];
    cl_uint words = bytes / 4, step = 97, out[HELPED] = {0};
    cl_uint sum = name[0] == 'c' ? 6 : 1, adds = name[0] == 'c' ? 3 : 1;
    cl_ulong private_bytes = 0;
    snprintf(options, sizeof options, "-DWORDS=%uu", words);
    cl_kernel kernel = new_kernel(helpers, name, options);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_PRIVATE_MEM_SIZE,
                                      sizeof private_bytes, &private_bytes, NULL));
    CHECK(private_bytes >= (cl_ulong)bytes * adds);
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, step);
    for (int round = 0; round < 20; round++)
        run_1d(kernel, HELPED, 4);
    read_back(mem, sizeof out, out);
    for (cl_uint id = 0; id < HELPED; id++)
        CHECK_EQ(out[id], (id * step) % words / step * step * sum + id * adds);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void helpers_variables(void)
{
    run_helpers(4000, "chain");
    run_helpers(400000, "helper");
    run_helpers(10 * MIB, "helper");
    run_helpers(30 * MIB, "chain");
    run_helpers(100 * MIB, "helper");
}

static void *on_small_stack(void *unused)
{
    run_helpers(4000, "chain");
    run_helpers(400000, "helper");
    run_helpers(400000, "chain");
    run_arrays(400000, "plain", 8, 4);
    return unused;
}

static void small_application_stack(void)
{
    pthread_t thread;
    pthread_attr_t attr;
    REQUIRE(!pthread_attr_init(&attr));
    REQUIRE(!pthread_attr_setstacksize(&attr, 256 << 10));
    REQUIRE(!pthread_create(&thread, &attr, on_small_stack, NULL));
    REQUIRE(!pthread_join(thread, NULL));
    pthread_attr_destroy(&attr);
}

/* Each function is within the limit; all together would not fit 32 bits. */
static void sums_beyond_the_limit(void)
{
    static const char *const texts[] = {
        "#define G(n) int g##n(global int *o) { volatile char a[1073737728]; "
        "a[o[0]] = o[1]; return a[o[2]]; }\n",
        "#define G(n) int g##n(global int *o) { volatile char a[1073737728]; "
        "size_t i = get_global_id(0); a[i] = o[1]; barrier(3); return a[i + o[2]]; }\n",
    };
    for (size_t t = 0; t < LEN(texts); t++) {
        char all[1024];
        snprintf(all, sizeof all,
                 "%sG(1) G(2) G(3) G(4)\nint g5(global int *o) { volatile char a[20000]; "
                 "a[o[0]] = 1; return a[o[2]]; }\nkernel void sum_of_all(global int *o) "
                 "{ *o = g1(o) + g2(o) + g3(o) + g4(o) + g5(o); }\n",
                 texts[t]);
        cl_program program = new_program(all);
        FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        char *log = build_log(program);
        CHECK(strstr(log, "sum_of_all"));
        free(log);
        RELEASE_PROGRAM(program);
    }
    run_arrays(MIB, "plain", 8, 2);
}

/* A trap ends the launch with an error, the application goes on. */
static void trap(void)
{
    const char *text = "__attribute__((noinline)) int checked(int v)\n"
                       "{ if (v > 5) __builtin_trap(); return v; }\n"
                       "kernel void k(global int *x, int first)\n"
                       "{ int id = get_global_id(0); x[id] = checked(id + first); }\n";
    const size_t global = 4;
    cl_int out[4] = {0}, first = 4;
    cl_event event;
    cl_kernel kernel = new_kernel(text, "k", NULL);
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, first);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    clFinish(cl.queue);
    CHECK_EQ(event_status(event), CL_OUT_OF_RESOURCES);
    RELEASE_EVENT(event);
    first = 2;
    ARG(kernel, 1, first);
    run_1d(kernel, global, 2);
    read_back(mem, sizeof out, out);
    for (cl_int id = 0; id < 4; id++)
        CHECK_EQ(out[id], id + 2);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void job_trap(void)
{
    REQUIRE(!env_open());
    trap();
    env_close(1);
}

/* Nobody looks at events of launches that are thought to be right. */
static void trap_is_said(void)
{
    static const char *const silent[] = {"SLUICE_LOG=off", NULL};
    static const char *const usual[] = {"SLUICE_LOG", NULL};
    if (!is_sluice())
        check_skip("other libraries need not say anything");
    const struct child_plan loud_plan = {.job = "job_trap", .env = usual};
    const struct child_plan silent_plan = {.job = "job_trap", .env = silent};
    struct child child = child_run(&loud_plan);
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "kernel k stopped: "));
    child_finish(&child);
    child = child_run(&silent_plan);
    CHECK_EQ(child.status, 0);
    CHECK(!strstr(child.err, "stopped"));
    child_finish(&child);
}

static const struct test_case jobs[] = {CASE(one_mib), CASE(job_trap)};
static const struct test_case cases[] = {CASE(one_mib),
                                         CASE(thirty_two_mib),
                                         CASE(beyond_the_limit),
                                         CASE(helpers_variables),
                                         CASE(small_application_stack),
                                         CASE(sums_beyond_the_limit),
                                         CASE(trap),
                                         CASE(trap_is_said)};
JOBS_MAIN("stack", cases, jobs)
