/* SPDX-License-Identifier: Apache-2.0 */
/* Much local and private memory, as designs for boards use it: up to the limit that the device
 * reports, whatever this machine's caches are, in kernels with and without channels. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
enum { GROUP = 64, GROUPS = 3, RESULTS = GROUP * GROUPS };

/* WORDS words of local memory, of which `part` are written by the items in turn and read backwards;
 * the work-groups write different values. */
static const char in_local[] =
    "#define FILL(t) \\\n"
    "    for (int i = get_local_id(0); i < part; i += get_local_size(0)) \\\n"
    "        t[WORDS - 1 - i] = 3u * i + get_group_id(0); \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); \\\n"
    "    o[get_global_id(0)] = t[WORDS - part + get_local_id(0)]\n"
    "kernel void fixed(global uint *o, int part) { local uint t[WORDS]; FILL(t); }\n"
    "kernel void given(global uint *o, int part, local uint *t) { FILL(t); }\n"
    "kernel void both(global uint *o, int part, local uint *t)\n"
    "{ local uint s[1024]; s[get_local_id(0)] = get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  FILL(t); o[get_global_id(0)] += s[get_local_size(0) - 1 - get_local_id(0)]; }\n"
    "kernel void one_more(global uint *o, int part) { local char t[4 * WORDS + 1];\n"
    "    t[part] = part; barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = t[part]; }\n";

static size_t limit(void)
{
    cl_ulong bytes = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    return (size_t)bytes;
}

static cl_program program_with(size_t words)
{
    char options[64];
    snprintf(options, sizeof options, "-DWORDS=%zu", words);
    return built(in_local, options);
}

static void need_sluice(void)
{
    if (!is_sluice())
        check_skip("how much there is, is ours to say");
}

/* `also`: a kernel adds the mirrored local id. The launch ends well. */
static void check_local(cl_kernel kernel, cl_int part, size_t bytes, int also)
{
    cl_mem out = new_uints(RESULTS);
    ARG(kernel, 0, out);
    ARG(kernel, 1, part);
    if (bytes)
        set_arg(kernel, 2, bytes, NULL);
    run_1d(kernel, RESULTS, GROUP);
    cl_uint *got = take_uints(out, RESULTS);
    for (cl_uint i = 0; i < RESULTS; i++) {
        cl_uint item = i % GROUP, back = (cl_uint)part - 1 - item;
        if (!CHECK_EQ(got[i], 3 * back + i / GROUP + (also ? GROUP - 1 - item : 0)))
            break;
    }
    free(got);
    RELEASE_MEM(out);
}

static void sizes(void)
{
    need_sluice();
    CHECK(limit() >= 64 * MIB);
    const size_t all = limit() / 4, words[] = {GROUP, 512 * 1024, 2097153, all};
    for (size_t i = 0; i < LEN(words); i++) {
        cl_program program = program_with(words[i]);
        cl_kernel fixed = kernel_of(program, "fixed"), given = kernel_of(program, "given");
        cl_int part = (cl_int)words[i];
        check_local(fixed, part, 0, 0);
        check_local(given, part < 100003 ? part : 100003, 4 * words[i], 0);
        RELEASE_KERNEL(fixed);
        RELEASE_KERNEL(given);
        RELEASE_PROGRAM(program);
    }
}

static void launch_fails(cl_kernel kernel, cl_int part)
{
    const size_t global = RESULTS, local = GROUP;
    cl_mem out = new_uints(RESULTS);
    ARG(kernel, 0, out);
    ARG(kernel, 1, part);
    FAILS(CL_OUT_OF_RESOURCES,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    RELEASE_MEM(out);
}

/* Up to the last byte; one more is refused when it is enqueued. */
static void at_the_limit(void)
{
    need_sluice();
    const size_t all = limit(), words = (all - 4096) / 4;
    cl_program program = program_with(words);
    cl_kernel kernel = kernel_of(program, "both");
    check_local(kernel, 1000, all - 4096, 1);
    set_arg(kernel, 2, all - 4096 + 1, NULL);
    launch_fails(kernel, 1000);
    check_local(kernel, 1000, all - 4096, 1);
    RELEASE_KERNEL(kernel);
    kernel = kernel_of(program, "given");
    set_arg(kernel, 2, all + 1, NULL);
    launch_fails(kernel, 1000);
    set_arg(kernel, 2, (size_t)1 << 40, NULL);
    launch_fails(kernel, 1000);
    check_local(kernel, 1000, all, 0);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    program = program_with(all / 4);
    kernel = kernel_of(program, "one_more");
    launch_fails(kernel, 5);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* The fiber of a kernel with channels has as much. */
static cl_uint mirrored(cl_uint i)
{
    return 7 * (16 * 1024 * 1024 - 1 - i) + 1;
}

static void beside_channels(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(3)));\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    local uint t[16 * 1024 * 1024];\n"
                 "    for (uint i = 0; i < 16 * 1024 * 1024; i++) t[i] = 7 * i + 1;\n"
                 "    for (uint i = 0; i < n; i++)\n"
                 "        write_channel_intel(c, t[16 * 1024 * 1024 - 1 - i]);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    uint t[2 * 1024 * 1024 + 3];\n"
                 "    for (uint i = 0; i < n; i++)\n"
                 "        t[i * 2003 % (2 * 1024 * 1024 + 3)] = read_channel_intel(c);\n"
                 "    for (uint i = 0; i < n; i++) o[i] = t[i * 2003 % (2 * 1024 * 1024 + 3)];\n"
                 "}\n";
    need_sluice();
    REQUIRE(limit() >= 64 * MIB);
    flow_expect(source, "src dst", 1000, mirrored);
}

/* 8 MiB and more of private memory, on the stack and, across a barrier, in the items' contexts. */
static void private_arrays(void)
{
    static const char source[] =
        "kernel void k(global uint *o, uint n) {\n"
        "    uint t[WORDS]; local uint s[4];\n"
        "    for (uint i = 0; i < n; i++) t[i * 1021u % WORDS] = i + get_global_id(0);\n"
        "    AT_BARRIER\n"
        "    o[get_global_id(0)] = t[(n - 1) * 1021u % WORDS];\n"
        "}\n";
    static const char *const options[] = {
        "-DWORDS=2097169 -DAT_BARRIER=", "-DWORDS=12582917 -DAT_BARRIER=",
        "-DWORDS=2097169 -DAT_BARRIER=s[0]=1;barrier(CLK_LOCAL_MEM_FENCE);"};
    const cl_uint n = 1999;
    for (size_t i = 0; i < LEN(options); i++) {
        cl_kernel kernel = new_kernel(source, "k", options[i]);
        cl_mem out = new_uints(8);
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
        run_1d(kernel, 8, 8);
        cl_uint *got = take_uints(out, 8);
        for (cl_uint k = 0; k < 8; k++)
            CHECK_EQ(got[k], n - 1 + k);
        free(got);
        RELEASE_MEM(out);
        RELEASE_KERNEL(kernel);
    }
}

/* ---- what it costs --------------------------------------------------------------------------- */

static void rest(void)
{
    const struct timespec moment = {0, 50000000};
    for (int i = 0; i < 60; i++)
        nanosleep(&moment, NULL);
}

/* A little of 64 MiB is touched by a launch that uses little; what one has used is given back. */
static void job_memory(void)
{
    REQUIRE(!env_open());
    cl_program program = program_with(16 * MIB);
    cl_kernel kernel = kernel_of(program, "fixed");
    check_local(kernel, GROUP, 0, 0);
    long before = resident_kib();
    check_local(kernel, 1000, 0, 0);
    CHECK(resident_kib() < before + 4096);
    check_local(kernel, 16 * MIB, 0, 0);
    rest();
    CHECK(resident_kib() < before + 4096);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    beside_channels();
    rest();
    CHECK(resident_kib() < before + 8192);
    private_arrays();
    rest();
    CHECK(resident_kib() < before + 8192);
    env_close(1);
}

static void memory_is_lent(void)
{
    need_sluice();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    check_skip("shadows count as well");
#endif
    const char *env[] = {"SLUICE_NUM_THREADS=2", NULL};
    child_ends(&(struct child_plan){.job = "job_memory", .env = env}, 0);
}

static long mapped_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file);
    REQUIRE(fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* No address space for 64 MiB: an error of the launch, and smaller ones go on. */
static void job_short_of_space(void)
{
    REQUIRE(!env_open());
    cl_program large = program_with(16 * MIB), small = program_with(4096);
    cl_kernel kernel = kernel_of(large, "fixed"), little = kernel_of(small, "fixed");
    const size_t global = GROUP;
    const cl_int part = 1000;
    cl_event event;
    check_local(little, part, 0, 0);
    const rlim_t space = (rlim_t)(mapped_kib() + 32 * 1024) * 1024;
    REQUIRE(!setrlimit(RLIMIT_AS, &(struct rlimit){space, RLIM_INFINITY}));
    cl_mem out = new_uints(GROUP);
    ARG(kernel, 0, out);
    ARG(kernel, 1, part);
    REQUIRE_OK(
        clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &global, 0, NULL, &event));
    REQUIRE_OK(clFlush(cl.queue));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_OUT_OF_RESOURCES);
    RELEASE_EVENT(event);
    check_local(little, part, 0, 0);
    REQUIRE(!setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    check_local(kernel, part, 0, 0);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
    RELEASE_KERNEL(little);
    RELEASE_PROGRAM(large);
    RELEASE_PROGRAM(small);
    env_close(1);
}

static void short_of_space(void)
{
    need_sluice();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    check_skip("shadows need space as well");
#endif
    child_ends(&(struct child_plan){.job = "job_short_of_space"}, 0);
}

static const struct test_case cases[] = {
    CASE(sizes),          CASE(at_the_limit),   CASE(beside_channels),
    CASE(private_arrays), CASE(memory_is_lent), CASE(short_of_space),
};
static const struct test_case jobs[] = {CASE(job_memory), CASE(job_short_of_space)};
JOBS_MAIN("local", cases, jobs)
