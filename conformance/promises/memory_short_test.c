/* SPDX-License-Identifier: Apache-2.0 */
/* The address space is cut to little more than the process has while commands wait for an event of
 * the application: what comes then fails with an error, and what was taken before runs. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ITEMS = 64, MOST_COMMANDS = 20000, STEPS = 40, STEP_BYTES = 64 << 10, PAGE = 4096 };

static int is_shortage(cl_int rc)
{
    return rc == CL_OUT_OF_HOST_MEMORY || rc == CL_OUT_OF_RESOURCES ||
           rc == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static int cut_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    int got = file && fscanf(file, "%ld", &pages) == 1;
    if (file)
        fclose(file);
    rlim_t bytes = (rlim_t)pages * PAGE + (rlim_t)atoi(getenv("SLUICE_TEST_STEP")) * STEP_BYTES;
    struct rlimit limit = {bytes, RLIM_INFINITY};
    return got && !setrlimit(RLIMIT_AS, &limit);
}

/* As many launches as there is memory for; each adds 1. How many. */
static cl_uint pile_up(cl_command_queue queue, cl_kernel kernel, cl_event gate)
{
    const size_t global = ITEMS;
    cl_uint taken = 0;
    cl_int rc = CL_SUCCESS;
    while (!rc && taken < MOST_COMMANDS) {
        rc = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &gate, NULL);
        taken += !rc;
    }
    CHECK(!rc || is_shortage(rc));
    return taken;
}

/* What else a program may want. */
static void ask_for_more(void)
{
    cl_int rc = CL_SUCCESS;
    cl_mem large = clCreateBuffer(cl.context, CL_MEM_ALLOC_HOST_PTR, 64 << 20, NULL, &rc);
    CHECK(large ? !rc : is_shortage(rc));
    if (large)
        RELEASE_MEM(large);
    const char *source = "kernel void z(global int *a) { a[0] = 2; }";
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &rc);
    CHECK(program ? !rc : is_shortage(rc));
    if (!program)
        return;
    rc = clBuildProgram(program, 0, NULL, "-DOTHER", NULL, NULL);
    CHECK(!rc || is_shortage(rc) || rc == CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(program);
}

static void job_piled(void)
{
    static cl_uint back[ITEMS];
    const cl_uint zero = 0;
    cl_int rc;
    REQUIRE(!env_open());
    cl_kernel kernel =
        new_kernel("kernel void more(global uint *a) { a[get_global_id(0)]++; }", "more", "");
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof back, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, ITEMS, 0);
    REQUIRE_OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, sizeof back, 0, NULL, NULL));
    REQUIRE_OK(clFinish(cl.queue));
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    REQUIRE(cut_space());
    cl_uint taken = pile_up(cl.queue, kernel, gate);
    ask_for_more();
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    rc = clFinish(cl.queue);
    CHECK(!rc || is_shortage(rc));
    setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    read_back(mem, sizeof back, back);
    for (int i = 0; i < ITEMS && !rc; i++)
        if (!CHECK_EQ(back[i], taken))
            break;
    printf("%u launches, then %d\n", taken, rc);
    RELEASE_EVENT(gate);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    env_close(1);
}

static void space_is_cut(void)
{
    char step[64];
    const char *const env[] = {step, NULL};
    for (int i = 0; i < STEPS; i++) {
        snprintf(step, sizeof step, "SLUICE_TEST_STEP=%d", i);
        child_ends(&(struct child_plan){.job = "job_piled", .env = env}, 0);
    }
}

static const struct test_case jobs[] = {CASE(job_piled)};
static const struct test_case cases[] = {CASE(space_is_cut)};
JOBS_MAIN("memory_short", cases, jobs)
