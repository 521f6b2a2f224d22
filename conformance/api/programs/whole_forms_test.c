/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that require a work-group size: the build leaves out their code for launches whose last
 * groups have fewer items, and such a launch has it made (SLUICE_BUILD). */
#include "demand_bed.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 64, LONGEST = 4096 };

/* What an item of the group's other end has, and how many the group has. */
static const char one_kernel[] = "kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                                 "void k%d(global uint *a)\n"
                                 "{\n"
                                 "    local uint t[64];\n"
                                 "    uint l = get_local_id(0), n = get_local_size(0);\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    t[l] = a[i] * %d;\n"
                                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                 "    a[i] = t[n - 1 - l] + n * 100000;\n"
                                 "}\n";

static cl_program program_with(int kernels)
{
    if (!is_sluice())
        check_skip("Sluice's compiler is meant");
    char *text = malloc((size_t)kernels * (sizeof one_kernel + 20) + 1), *at = text;
    for (int k = 0; k < kernels; k++)
        at += sprintf(at, one_kernel, k, k + 1);
    cl_program program = built(text, "-cl-std=CL3.0");
    free(text);
    return program;
}

static unsigned right(size_t items, size_t i, int k)
{
    size_t first = i / WIDE * WIDE, n = items - first < WIDE ? items - first : WIDE;
    size_t other = first + n - 1 - (i - first);
    return (unsigned)((other * 7 + 3) * (size_t)(k + 1) + n * 100000);
}

static cl_int launch_of(cl_kernel kernel, int k, size_t items, int *wrong)
{
    static unsigned numbers[LONGEST];
    const size_t local = WIDE;
    for (size_t i = 0; i < items; i++)
        numbers[i] = (unsigned)(i * 7 + 3);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *numbers, numbers);
    ARG(kernel, 0, a);
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL);
    *wrong = 0;
    if (!rc)
        read_back(a, items * sizeof *numbers, numbers);
    for (size_t i = 0; i < items && !rc; i++)
        *wrong += numbers[i] != right(items, i, k);
    RELEASE_MEM(a);
    return rc;
}

static void check(cl_program program, int k, size_t items)
{
    char name[16];
    int wrong;
    sprintf(name, "k%d", k);
    cl_kernel kernel = kernel_of(program, name);
    CHECK_OK(launch_of(kernel, k, items, &wrong));
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(kernel);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static const size_t sizes[] = {1024, 1000, 63, 64, 1, 4096, 4001};

/* Two kernels, whose code is made in the build, and nine, which may have quick code. */
static void every_mode(void)
{
    static const char *const modes[] = {"auto", "on-demand", "whole", "quick"};
    for (size_t m = 0; m < 2 * LEN(modes); m++) {
        begin_case(modes[m / 2]);
        cl_program program = program_with(m % 2 ? 9 : 2);
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < 2 * LEN(sizes); i++)
                check(program, k, sizes[(i + (size_t)k) % LEN(sizes)]);
        RELEASE_PROGRAM(program);
        end_case();
    }
}

/* A question has no code made. */
static void suggested_size(cl_program program, size_t items)
{
    static const unsigned zeros[LONGEST];
    size_t suggested = 0;
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    cl_kernel kernel = kernel_of(program, "k0");
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *zeros, (void *)zeros);
    ARG(kernel, 0, a);
    REQUIRE(suggest);
    CHECK_OK(suggest(cl.queue, kernel, 1, NULL, &items, &suggested));
    CHECK_EQ(suggested, WIDE);
    RELEASE_MEM(a);
    RELEASE_KERNEL(kernel);
}

static void made_by_need(void)
{
    begin_case("auto");
    cl_program program = program_with(1);
    CHECK_EQ(cache_entries(), 1);
    end_compilers();
    check(program, 0, 1024);
    check(program, 0, 64);
    CHECK_EQ(cache_entries(), 1);
    suggested_size(program, 1000);
    CHECK_EQ(compilers(0), 0);
    CHECK_EQ(cache_entries(), 1);
    check(program, 0, 1000);
    CHECK_EQ(cache_entries(), 2);
    check(program, 0, 1);
    check(program, 0, 4096);
    CHECK_EQ(cache_entries(), 2);
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
    await_no_compiler();
    program = program_with(1); /* all of it is in the cache */
    for (size_t i = 0; i < LEN(sizes); i++)
        check(program, 0, sizes[i]);
    CHECK_EQ(compilers(0), 0);
    CHECK_EQ(cache_entries(), 2);
    RELEASE_PROGRAM(program);
    end_case();
}

/* The launch says so, whole ones go on; with a compiler it works. */
static void without_a_compiler(void)
{
    int wrong;
    begin_case("auto");
    cl_program program = program_with(1);
    cl_kernel kernel = kernel_of(program, "k0");
    end_compilers();
    char *compiler = hide_compiler();
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE, launch_of(kernel, 0, 1000, &wrong));
    CHECK_OK(launch_of(kernel, 0, 1024, &wrong));
    CHECK_EQ(wrong, 0);
    show_compiler(compiler);
    check(program, 0, 1000);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end_case();
}

static const struct test_case cases[] = {
    CASE(every_mode),
    CASE(made_by_need),
    CASE(without_a_compiler),
};
TEST_MAIN("api.whole_forms", cases)
