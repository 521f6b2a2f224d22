/* SPDX-License-Identifier: Apache-2.0 */
/* After the last release everything is as it was: threads, processes, descriptors, mappings,
 * memory. Leak checkers and valgrind have nothing to say about a whole program. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIVES = 30, SETTLED = 10, ITEMS = 4096, MOST_HELPERS = 64 };
static const long most_growth_kib = 1024;

/* ---- a life that touches every kind of object ------------------------------------------------ */

static atomic_int called;

static void CL_CALLBACK count_event(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    atomic_fetch_add(&called, 1);
}

static void CL_CALLBACK count_memory(cl_mem mem, void *data)
{
    (void)mem;
    (void)data;
    atomic_fetch_add(&called, 1);
}

static void CL_CALLBACK count_program(cl_program program, void *data)
{
    (void)program;
    (void)data;
    atomic_fetch_add(&called, 1);
}

static const char source[] =
    "constant float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};\n"
    "kernel void work(global float *x, local float *l, read_only image2d_t i, sampler_t s)\n"
    "{\n"
    "    uint id = get_global_id(0), n = get_local_id(0);\n"
    "    l[n] = x[id] * weights[id & 3];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float4 p = read_imagef(i, s, (int2)(id & 7, id & 3));\n"
    "    x[id] = l[get_local_size(0) - 1 - n] + p.x;\n"
    "    if (!id) printf(\"%s %d\\n\", \"work\", (int)get_global_size(0));\n"
    "}\n";

static void programs(void)
{
    cl_int rc;
    cl_program bad = new_program("kernel void k() { this is no C; }");
    CHECK_EQ(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(bad);
    cl_program part = new_program("int f(int v) { return v + 1; }");
    cl_program rest = new_program("int f(int v); kernel void k(global int *x) { *x = f(*x); }");
    CHECK_OK(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clCompileProgram(rest, 0, NULL, NULL, 0, NULL, NULL, count_program, NULL));
    while (clGetProgramBuildInfo(rest, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof rc, &rc, NULL) ||
           rc == CL_BUILD_IN_PROGRESS)
        usleep(1000);
    cl_program both =
        clLinkProgram(cl.context, 0, NULL, NULL, 2, (cl_program[]){part, rest}, NULL, NULL, &rc);
    CHECK_OK(rc);
    RELEASE_PROGRAM(both);
    RELEASE_PROGRAM(rest);
    RELEASE_PROGRAM(part);
}

static void commands(cl_kernel kernel, cl_mem mem)
{
    cl_int rc;
    const size_t global = ITEMS, local = 64;
    const float one = 1;
    cl_event gate = clCreateUserEvent(cl.context, &rc), filled, ran;
    cl_command_queue loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    REQUIRE_OK(rc);
    CHECK_OK(clEnqueueFillBuffer(loose, mem, &one, sizeof one, 0, ITEMS * sizeof one, 1, &gate,
                                 &filled));
    CHECK_OK(clEnqueueNDRangeKernel(loose, kernel, 1, NULL, &global, &local, 1, &filled, &ran));
    CHECK_OK(clSetEventCallback(ran, CL_COMPLETE, count_event, NULL));
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    float *at = clEnqueueMapBuffer(loose, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                   ITEMS * sizeof one, 1, &ran, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(at[7] > 0);
    CHECK_OK(clEnqueueUnmapMemObject(loose, mem, at, 0, NULL, NULL));
    CHECK_OK(clFinish(loose));
    RELEASE_QUEUE(loose);
    RELEASE_EVENT(ran);
    RELEASE_EVENT(filled);
    RELEASE_EVENT(gate);
}

static void rich_life(void)
{
    cl_int rc;
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    static float pixels[8 * 4 * 4];
    REQUIRE(!env_open());
    programs();
    cl_kernel kernel = new_kernel(source, "work", "-cl-kernel-arg-info -cl-fast-relaxed-math");
    cl_mem mem = new_buffer(0, ITEMS * sizeof(float), NULL);
    cl_mem image = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &rc);
    REQUIRE_OK(rc);
    cl_sampler sampler =
        clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clSetMemObjectDestructorCallback(mem, count_memory, NULL));
    ARG(kernel, 0, mem);
    set_arg(kernel, 1, 64 * sizeof(float), NULL);
    ARG(kernel, 2, image);
    ARG(kernel, 3, sampler);
    commands(kernel, mem);
    CHECK_OK(clReleaseSampler(sampler));
    RELEASE_MEM(image);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    env_close(1);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static int mappings(void)
{
    int lines = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    for (int c; maps && (c = getc(maps)) != EOF;)
        lines += c == '\n';
    if (maps)
        fclose(maps);
    return lines;
}

/* A callback that still runs keeps its objects; when it is over they go. */
static void all_gone(int threads, int files)
{
    for (double end = now_seconds() + 5; now_seconds() < end; usleep(1000))
        if (count_threads() == threads && count_entries("/proc/self/fd") == files)
            return;
    CHECK_EQ(count_threads(), threads);
    CHECK_EQ(count_entries("/proc/self/fd"), files);
}

/* The first lives may fill what libc and the loader keep; from then on nothing grows. */
static void job_lives(void)
{
    int threads = count_threads(), files = count_entries("/proc/self/fd");
    int maps = 0;
    long kib = 0;
    for (int i = 0; i < LIVES; i++) {
        rich_life();
        all_gone(threads, files);
        if (i == SETTLED) {
            kib = resident_kib();
            maps = mappings();
        }
    }
    printf("grew %ld KiB, %d mappings\n", resident_kib() - kib, mappings() - maps);
    CHECK(resident_kib() - kib < most_growth_kib);
    CHECK(mappings() - maps <= 4);
    CHECK_EQ(called, 3 * LIVES);
}

static void nothing_is_left(void)
{
    static const char *const env[] = {"SLUICE_TRACE=8", NULL};
    pid_t helpers[MOST_HELPERS];
    struct child child = child_run(&(struct child_plan){.job = "job_lives", .env = env});
    if (child.status)
        check_fail(__FILE__, __LINE__, "end %d\n%.300s\n%.3000s", child.status,
                   strstr(child.out, "grew") ? strstr(child.out, "grew") : "", child.err);
    int count = traced_helpers(child.err, helpers, MOST_HELPERS);
    CHECK(count >= LIVES);
    for (int i = 0; i < count; i++)
        CHECK(process_gone(helpers[i], 5));
    child_finish(&child);
}

/* With the simplest use there is nothing to wait for: the last release has joined and closed all.
 */
static void job_at_once(void)
{
    int threads = count_threads(), files = count_entries("/proc/self/fd");
    for (unsigned i = 0; i < LIVES; i++) {
        whole_life(i);
        CHECK_EQ(count_threads(), threads);
        CHECK_EQ(count_entries("/proc/self/fd"), files);
    }
}

static void gone_when_the_release_returns(void)
{
    child_ends(&(struct child_plan){.job = "job_at_once"}, 0);
}

/* ---- leak checkers --------------------------------------------------------------------------- */

static void job_rich_life(void)
{
    int threads = count_threads(), files = count_entries("/proc/self/fd");
    for (int i = 0; i < 2; i++) {
        rich_life();
        all_gone(threads, files);
    }
}

static void valgrind_is_silent(void)
{
    static const char *const wrap[] = {"valgrind",
                                       "-q",
                                       "--error-exitcode=99",
                                       "--leak-check=full",
                                       "--errors-for-leak-kinds=definite,indirect,possible",
                                       "--fair-sched=yes",
                                       NULL};
    /* valgrind knows no AVX-512 */
    static const char *const env[] = {"SLUICE_CPU=avx2", NULL};
    if (system("command -v valgrind >/dev/null"))
        check_skip("valgrind is not installed");
    struct child child = child_run(&(struct child_plan){
        .job = "job_rich_life", .env = env, .wrap = wrap, .limit_seconds = 110});
    if (child.status || strstr(child.err, "=="))
        check_fail(__FILE__, __LINE__, "end %d\n%.4000s", child.status, child.err);
    child_finish(&child);
}

static const struct test_case jobs[] = {CASE(job_lives), CASE(job_at_once), CASE(job_rich_life)};
static const struct test_case cases[] = {CASE(nothing_is_left), CASE(gone_when_the_release_returns),
                                         CASE(valgrind_is_silent)};
JOBS_MAIN("after", cases, jobs)
