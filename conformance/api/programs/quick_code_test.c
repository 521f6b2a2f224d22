/* SPDX-License-Identifier: Apache-2.0 */
/* Quick code (SLUICE_BUILD=auto): which launches run it and when better code is made, which must
 * show in nothing but the time that things take. */
#include "demand_bed.h"

#include <CL/cl_ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 1 << 22 }; /* much work, whatever an item is thought to be */

/* Nine kernels, and no compiler process until one is needed. */
static cl_program program_without_compiler(void)
{
    cl_program program = program_of(9, NULL);
    end_compilers();
    return program;
}

/* Small launches need no compiler, a large one gets better code, and all get the same results. */
static void small_launches_first(void)
{
    begin_case("auto");
    cl_program program = program_without_compiler();
    for (int k = 0; k < 9; k++)
        run_kernel(program, k);
    if (is_sluice())
        CHECK(!compilers(0));
    run_items(program, 5, MANY);
    if (is_sluice())
        CHECK(compilers(0));
    for (int k = 3; k < 7; k++)
        run_kernel(program, k);
    run_items(program, 5, MANY);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Together they are much work. */
static void many_small_launches(void)
{
    begin_case("auto");
    cl_program program = program_without_compiler();
    for (int n = 0; n < 400 && !(is_sluice() && compilers(0)); n++)
        run_items(program, 2, GROUP * 1000);
    if (is_sluice())
        CHECK(compilers(0));
    run_kernel(program, 2);
    RELEASE_PROGRAM(program);
    end_case();
}

/* They are hardly any work, but take another thread as long as they have quick code. */
static void many_tiny_launches(void)
{
    begin_case("auto");
    cl_program program = program_without_compiler();
    cl_kernel kernel = kernel_of(program, "k2");
    cl_mem mem = fresh_numbers();
    for (int n = 0; n < 3000 && !(n % 100 == 0 && is_sluice() && compilers(0)); n++)
        CHECK_OK(launch_items(cl.queue, kernel, mem, 2, GROUP));
    CHECK_OK(clFinish(cl.queue));
    if (is_sluice())
        CHECK(compilers(0));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Slowly is better than not at all; the context's callback is told why. */
static void large_launch_without_compiler(void)
{
    cl_int rc;
    const char *path = getenv("SLUICE_COMPILER");
    char *old = path ? strdup(path) : NULL, *text = source_of(9, "");
    begin_case("auto");
    atomic_store(&was_told, false);
    cl_context context = clCreateContext(NULL, 1, &cl.device, notice, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, ERR);
    cl_program program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, ERR);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k4");
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, MANY * sizeof(int), NULL, ERR);
    CHECK(compilers(SIGKILL) > 0);
    setenv("SLUICE_COMPILER", "/nowhere/compiler", 1);
    for (int n = 0; n < 2; n++) {
        write_numbers(queue, mem, MANY);
        CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
        CHECK(all_right(queue, mem, 4, 7, MANY));
        if (n)
            break;
        for (int i = 0; i < 500 && is_sluice() && !atomic_load(&was_told); i++)
            usleep(10000);
        if (is_sluice())
            CHECK(atomic_load(&was_told) && strstr(told, "k4"));
        if (old)
            setenv("SLUICE_COMPILER", old, 1);
        else
            unsetenv("SLUICE_COMPILER");
    }
    for (int n = 0; n < 100 && is_sluice() && !compilers(0); n++)
        CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
    if (is_sluice())
        CHECK(compilers(0));
    write_numbers(queue, mem, MANY);
    CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
    CHECK(all_right(queue, mem, 4, 7, MANY));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    free(old);
    free(text);
    end_case();
}

/* What one process has made good code of is good in the next at once, and needs no compiler. */
static void better_code_is_kept(void)
{
    begin_case("auto");
    for (int round = 0; round < 2; round++) {
        cl_program program = program_of(9, NULL);
        run_items(program, 7, round ? ITEMS : MANY);
        run_items(program, 7, MANY);
        if (is_sluice() && round)
            CHECK(!compilers(0));
        RELEASE_PROGRAM(program);
        CHECK_OK(clUnloadPlatformCompiler(cl.platform));
        await_no_compiler();
    }
    end_case();
}

enum { LINES = 60, NUMBERS = 33 };

/* Owned. So many rounds of a loop that ends by `condition`, in a program long enough for two codes.
 */
static char *loop_of(const char *condition)
{
    char *text = malloc(LINES * 40 + 300), *at = text;
    at += sprintf(at,
                  "kernel void k(global uint *a, int n)\n{ uint x = a[get_global_id(0)];\n"
                  "for (int i = 0; %s; i++) {\n",
                  condition);
    for (int l = 0; l < LINES; l++)
        at += sprintf(at, "x = x * 3 + (x >> 5) + i + %d;\n", l);
    sprintf(at, "}\na[get_global_id(0)] = x; }\n");
    return text;
}

static void run_loop(cl_kernel kernel, cl_int turns)
{
    unsigned got[NUMBERS + 1], want[NUMBERS];
    for (unsigned i = 0; i < NUMBERS; i++) {
        unsigned x = got[i] = i * 77;
        for (int t = 0; t < turns; t++)
            for (unsigned l = 0; l < LINES; l++)
                x = x * 3 + (x >> 5) + (unsigned)t + l;
        want[i] = x;
    }
    got[NUMBERS] = (unsigned)turns;
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, turns);
    run_1d(kernel, NUMBERS, 0);
    read_back(mem, sizeof got, got);
    CHECK(!memcmp(got, want, sizeof want));
    RELEASE_MEM(mem);
}

/* Whether a compiler was needed after the build, and had to be. */
static void check_loop(const char *condition, const cl_int turns[2], bool needed)
{
    char *text = loop_of(condition);
    begin_case("auto");
    cl_program program = built(text, NULL);
    end_compilers();
    cl_kernel kernel = kernel_of(program, "k");
    run_loop(kernel, turns[0]);
    if (is_sluice())
        CHECK(!compilers(0));
    run_loop(kernel, turns[1]);
    if (is_sluice())
        CHECK_EQ(!!compilers(0), needed);
    run_loop(kernel, turns[0]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
    end_case();
}

/* Of this loop nobody can tell: it has the best code from the beginning. */
static void loop_by_data_is_built_whole(void)
{
    check_loop("i < (int)a[33]", (const cl_int[]){7, 3001}, false);
}

/* What the arguments say decides between the codes, for each launch. */
static void loop_by_argument_is_measured(void)
{
    check_loop("i < n", (const cl_int[]){7, 3001}, true);
    check_loop("i <= n / 2 + 5 && i < n", (const cl_int[]){0, 3}, false);
    check_loop("i < n", (const cl_int[]){-5, 5}, false);
}

/* The size that is suggested is the one that is taken, for either code. */
static void sizes_suit_the_code(void)
{
    static const size_t sizes[] = {96, 1000, MANY, 96};
    static const char more[] = "kernel void size(global int *a)\n"
                               "{ a[get_global_id(0)] = (int)get_local_size(0); }\n";
    char *text = source_of(9, more);
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    begin_case("auto");
    cl_program program = built(text, NULL);
    cl_kernel kernel = kernel_of(program, "size");
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, MANY * sizeof(int), NULL);
    ARG(kernel, 0, mem);
    for (size_t s = 0; s < LEN(sizes); s++) {
        size_t suggested = 0;
        int got;
        if (suggest)
            CHECK_OK(suggest(cl.queue, kernel, 1, NULL, &sizes[s], &suggested));
        REQUIRE_OK(
            clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &sizes[s], NULL, 0, NULL, NULL));
        read_back(mem, sizeof got, &got);
        CHECK(got > 0 && (size_t)got <= sizes[s]);
        if (suggested)
            CHECK_EQ(got, suggested);
    }
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
    end_case();
}

/* ---- kernels that pipes join ----------------------------------------------------------------- */

enum { JOINED = 9, ROUNDS = 400000, DEPTH = 8 };

static atomic_int failures;

static void CL_CALLBACK count_failures(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info, (void)bytes, (void)data;
    atomic_fetch_add(&failures, strstr(text, "could not be made") != NULL);
}

/* Each kernel of a chain reads what the one before it has written. */
static char *source_of_chain(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    REQUIRE(out);
    fprintf(out,
            "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
            "channel uint c[%d] __attribute__((depth(%d)));\n",
            JOINED, DEPTH);
    for (int k = 0; k < JOINED; k++) {
        fprintf(out,
                "kernel void k%d(global uint *o, uint first, uint n) {\n"
                "    for (uint i = 0; i < n; i++) {\n"
                "        uint x = (first + i) * 3;\n",
                k);
        if (k)
            fprintf(out, "        x += read_channel_intel(c[%d]) * 5;\n", k - 1);
        if (k < JOINED - 1)
            fprintf(out, "        write_channel_intel(c[%d], x);\n", k);
        fprintf(out, "        o[i] = x;\n    }\n}\n");
    }
    fclose(out);
    return text;
}

static cl_uint chain_number(cl_uint i)
{
    cl_uint x = i * 3;
    for (int k = 1; k < JOINED; k++)
        x = i * 3 + x * 5;
    return x;
}

/* Rounds from `first` on; the last kernel's numbers. */
static void run_chain(cl_context context, cl_program program, cl_uint first, cl_uint n)
{
    const size_t one = 1;
    cl_command_queue queues[JOINED];
    cl_mem mems[JOINED];
    cl_uint *got = malloc(n * sizeof *got), wrong = 0;
    REQUIRE(got);
    for (int k = 0; k < JOINED; k++) {
        char name[8];
        snprintf(name, sizeof name, "k%d", k);
        cl_kernel kernel = kernel_of(program, name);
        queues[k] = clCreateCommandQueue(context, cl.device, 0, ERR);
        mems[k] = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof *got, NULL, ERR);
        ARG(kernel, 0, mems[k]);
        ARG(kernel, 1, first);
        ARG(kernel, 2, n);
        CHECK_OK(clEnqueueNDRangeKernel(queues[k], kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clFlush(queues[k]));
        RELEASE_KERNEL(kernel);
    }
    CHECK_OK(clEnqueueReadBuffer(queues[JOINED - 1], mems[JOINED - 1], CL_TRUE, 0, n * sizeof *got,
                                 got, 0, NULL, NULL));
    for (cl_uint i = 0; i < n; i++)
        wrong += got[i] != chain_number(first + i);
    CHECK_EQ(wrong, 0);
    for (int k = 0; k < JOINED; k++) {
        CHECK_OK(clFinish(queues[k]));
        RELEASE_QUEUE(queues[k]);
        RELEASE_MEM(mems[k]);
    }
    free(got);
}

/* Their code is made together, and if it cannot be, not each of them has to find that out: that may
 * take a compiler's whole time limit. */
static void design_without_compiler(void)
{
    cl_int rc;
    if (!has_extension("cl_intel_channels"))
        check_skip("no channels");
    begin_case("auto");
    char *text = source_of_chain();
    cl_context context = clCreateContext(NULL, 1, &cl.device, count_failures, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, ERR);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    run_chain(context, program, 0, 10);
    if (is_sluice())
        end_compilers();
    char *before = hide_compiler();
    run_chain(context, program, 10, ROUNDS);
    for (int i = 0; i < 500 && is_sluice() && !atomic_load(&failures); i++)
        usleep(10000);
    if (is_sluice())
        CHECK(atomic_load(&failures) > 0 && atomic_load(&failures) < JOINED / 2);
    show_compiler(before);
    run_chain(context, program, 10 + ROUNDS, 4 * ROUNDS);
    if (is_sluice())
        CHECK(compilers(0));
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(context);
    free(text);
    end_case();
}

static const struct test_case cases[] = {
    CASE(small_launches_first),         CASE(many_small_launches),
    CASE(many_tiny_launches),           CASE(large_launch_without_compiler),
    CASE(better_code_is_kept),          CASE(loop_by_data_is_built_whole),
    CASE(loop_by_argument_is_measured), CASE(sizes_suit_the_code),
    CASE(design_without_compiler),
};
TEST_MAIN("api.quick_code", cases)
