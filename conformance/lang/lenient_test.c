/* SPDX-License-Identifier: Apache-2.0 */
/* Source that older compilers took with a warning: it builds, does what was meant, and the log has
 * the warning; with -Werror it does not build, with -w the log is empty. */
#include "cl_help.h"

#include <stdlib.h>
#include <string.h>

/* Each has a kernel k that sets x[0] to 42. */
static const char *const sources[] = {
    /* pointers to other types: passed, assigned, returned, in a condition */
    "void f(global int2 *p) { p->x = 42; } kernel void k(global int *x) { f(x); }",
    "kernel void k(global int *x) { global float *p = x; p[0] = as_float(42); }",
    "global short *f(global int *p) { return p; } kernel void k(global int *x) { *x = 0; *f(x) = "
    "42; }",
    "kernel void k(global int *x) { global uint *p = x; *p = 42; }",
    "kernel void k(global int *x) { global char *y = 0; global int *p = x ? x : y; *p = 42; }",
    "kernel void k(global int *x) { global const int *p = x; global int *q = p; *q = 42; }",
    "kernel void k(global int *x) { local uchar m[8]; local int *p = m; *p = 42; *x = *p; }",
    "kernel void k(global int *x) { global float *y = (global float *)x; *x = x == y ? 42 : 0; }",
    /* numbers and pointers */
    "kernel void k(global int *x) { ulong n = x; global int *p = n; *p = 42; }",
    "ulong f(global int *p) { return p; } kernel void k(global int *x) { *x = f(x) ? 42 : 0; }",
    "kernel void k(global int *x) { *x = x > 5 ? 42 : 0; }",
    /* no type given */
    "f(int n) { return n + 1; } kernel void k(global int *x) { *x = f(41); }",
    "kernel void k(global int *x) { const n = 42; *x = n; }",
    "int f(a, b) int a, b; { return a + b; } kernel void k(global int *x) { *x = f(40, 2); }",
    /* values returned where there should be none, and the reverse */
    "void f(global int *x) { *x = 42; return 1; } kernel void k(global int *x) { f(x); }",
    "int f(global int *x) { *x = 42; return; } kernel void k(global int *x) { f(x); }",
    "kernel void k(global int *x) { *x = 42; return 0; }",
    /* compared twice in a row: (0 < 3) < 2 */
    "kernel void k(global int *x) { *x = 3; *x = 0 < *x < 2 ? 42 : 0; }",
    "kernel void k(global int *x) { int n[2] = {42, 1, 2}; *x = n[0]; }",
};

static cl_kernel kernel_with(const char *source, const char *options, const char *word)
{
    cl_program program = built(source, options);
    char *log = build_log(program);
    if (word ? !strstr(log, word) : *log != '\0')
        check_fail(__FILE__, __LINE__, "the log of %s with %s: %s", source, options, log);
    free(log);
    cl_kernel kernel = kernel_of(program, "k");
    RELEASE_PROGRAM(program);
    return kernel;
}

static void check_result(const char *source, cl_kernel kernel)
{
    int x[4] = {0};
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof x, x);
    if (x[0] != 42)
        check_fail(__FILE__, __LINE__, "%d from %s", x[0], source);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void warns(void)
{
    for (size_t i = 0; i < LEN(sources); i++)
        check_result(sources[i], kernel_with(sources[i], "", "warning: "));
}

static void quiet(void)
{
    for (size_t i = 0; i < LEN(sources); i++)
        RELEASE_KERNEL(kernel_with(sources[i], "-w", NULL));
}

/* "Make all warnings into errors." */
static void strict(void)
{
    for (size_t i = 0; i < LEN(sources); i++) {
        cl_program program = new_program(sources[i]);
        cl_int rc = clBuildProgram(program, 1, &cl.device, "-Werror", NULL, NULL);
        char *log = build_log(program);
        if (rc != CL_BUILD_PROGRAM_FAILURE || !strstr(log, "error: "))
            check_fail(__FILE__, __LINE__, "-Werror: %d for %s", rc, sources[i]);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {
    CASE(warns),
    CASE(quiet),
    CASE(strict),
};
TEST_MAIN("lenient", cases)
