/* SPDX-License-Identifier: Apache-2.0 */
/* Source that must not build: a failure with a log that says why, and the next build works. */
#include "cl_help.h"

#include <stdlib.h>
#include <string.h>

static void next_build_works(void)
{
    int result = 0;
    cl_kernel kernel = new_kernel("kernel void k(global int *x) { *x = 42; }", "k", NULL);
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof result, &result);
    CHECK_EQ(result, 42);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* hint: what the log must contain; NULL: any text */
static void must_fail(const char *source, size_t length, const char *hint)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, &length, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    char *log = build_log(program);
    CHECK(strlen(log) > 10);
    if (hint && !strstr(log, hint))
        check_fail(__FILE__, __LINE__, "the log does not say \"%s\": %.300s", hint, log);
    free(log);
    RELEASE_PROGRAM(program);
    next_build_works();
}

/* Either answer will do, but there must be one. */
static void must_answer(const char *source, size_t length)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, &length, &rc);
    REQUIRE_OK(rc);
    rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    CHECK(rc == CL_SUCCESS || rc == CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(program);
    next_build_works();
}

static void text_must_fail(const char *source, const char *hint)
{
    must_fail(source, strlen(source), hint);
}

/* start, then count times piece, then middle, then count times closing */
static char *nested(const char *start, char piece, size_t count, const char *middle, char closing,
                    const char *end)
{
    char *text = malloc(strlen(start) + strlen(middle) + strlen(end) + 2 * count + 1), *at = text;
    REQUIRE(text);
    at = stpcpy(at, start);
    memset(at, piece, count);
    at = stpcpy(at + count, middle);
    memset(at, closing, count);
    stpcpy(at + count, end);
    return text;
}

static void parentheses(size_t depth)
{
    char *text = nested("kernel void k(global int *x) { *x = ", '(', depth, "1", ')', "; }");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void parentheses_3000(void)
{
    parentheses(3000);
}

static void parentheses_100000(void)
{
    parentheses(100000);
}

static void braces_100000(void)
{
    char *text = nested("kernel void k(void) ", '{', 100000, "", '}', "");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void unary_bomb(void)
{
    char *text = nested("kernel void k(global int *x) { *x = ", '~', 200000, "1;", '}', "");
    must_fail(text, strlen(text), NULL);
    free(text);
}

/* 10^9 tokens when expanded */
static void macro_bomb(void)
{
    text_must_fail("#define A x x x x x x x x x x\n#define B A A A A A A A A A A\n"
                   "#define C B B B B B B B B B B\n#define D C C C C C C C C C C\n"
                   "#define E D D D D D D D D D D\n#define F E E E E E E E E E E\n"
                   "#define G F F F F F F F F F F\n#define H G G G G G G G G G G\n"
                   "#define I H H H H H H H H H H\n"
                   "kernel void k(void) { I }\n",
                   NULL);
}

static void self_include(void)
{
    text_must_fail("#include __FILE__\nkernel void k(void) {}\n", NULL);
}

static void inline_assembly(void)
{
    text_must_fail("kernel void k(global int *x) { __asm__ volatile(\"syscall\"); *x = 1; }",
                   "asm");
}

static void recursion(void)
{
    text_must_fail("int f(int x) { return x < 2 ? 1 : x * f(x - 1); }\n"
                   "kernel void k(global int *x) { *x = f(*x); }",
                   "recurs");
}

static void mutual_recursion(void)
{
    text_must_fail("int g(int);\nint f(int x) { return x < 2 ? 1 : g(x - 1); }\n"
                   "int g(int x) { return f(x) + 1; }\n"
                   "kernel void k(global int *x) { *x = f(*x); }",
                   "recurs");
}

static void undefined_function(void)
{
    text_must_fail("kernel void k(global int *x) { *x = no_such_thing(*x); }", "no_such_thing");
    text_must_fail("int declared_only(int);\n"
                   "kernel void k(global int *x) { *x = declared_only(*x); }",
                   "declared_only");
}

static void syntax_errors(void)
{
    text_must_fail("kernel void k(global int *x) { *x = 1;", "error");
    text_must_fail("kernel void k(global int *x) { *x = ; }", "error");
    text_must_fail("kernel int k(void) { return 1; }", "void");
    text_must_fail("kernel void k(private int *x) {}", "k");
    text_must_fail("kernel void k(global int **x) { goto nowhere; }", "error");
    text_must_fail("kernel void k(void) { int x = \"text\" * 2.0; }", "error");
    text_must_fail("#error stop here\nkernel void k(void) {}", "stop here");
    text_must_fail("#include \"does/not/exist.h\"\nkernel void k(void) {}", "does/not/exist.h");
    text_must_fail("kernel void k(global int *x) { _Static_assert(sizeof(int) == 5, \"width\"); }",
                   "width");
}

static void host_files_are_out_of_reach(void)
{
    text_must_fail("#include <stdio.h>\nkernel void k(void) { FILE *f; }", "stdio.h");
}

static void long_line(void)
{
    size_t size = (1 << 20) + 64;
    char *text = malloc(size + 64), *at;
    REQUIRE(text);
    at = stpcpy(text, "kernel void k(global int *x) { *x = 0");
    while (at < text + size)
        at = stpcpy(at, "+1");
    strcpy(at, "; }");
    must_answer(text, strlen(text));
    strcpy(at, "; } }");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void not_utf8(void)
{
    static const char bad[] = "kernel void k(void) { int \xff\xfe\x80 = 1; }";
    must_fail(bad, sizeof bad - 1, NULL);
    static const char comment[] = "/* \xff\xfe\x80 */ kernel void k(void) {}";
    must_answer(comment, sizeof comment - 1);
}

static void nul_in_source(void)
{
    static const char source[] = "kernel void k(void) {}\0 garbage ( here";
    must_answer(source, sizeof source - 1);
    static const char nothing[] = "\0\0\0\0";
    must_answer(nothing, sizeof nothing - 1);
}

static void huge_private_array(void)
{
    text_must_fail("kernel void k(global int *x) { int a[1L << 61]; a[*x] = 1; *x = a[5]; }", NULL);
}

/* More local memory than the device has: the build or the launch says so. */
static void huge_local_array(void)
{
    cl_program program =
        new_program("kernel void k(global int *x) { local int a[1 << 28]; a[*x] = 1; "
                    "barrier(CLK_LOCAL_MEM_FENCE); *x = a[5]; }");
    cl_int rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    if (rc == CL_SUCCESS) {
        cl_kernel kernel = kernel_of(program, "k");
        cl_mem mem = new_buffer(0, 4, NULL);
        const size_t one = 1;
        ARG(kernel, 0, mem);
        FAILS(CL_OUT_OF_RESOURCES,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        RELEASE_MEM(mem);
        RELEASE_KERNEL(kernel);
    } else {
        CHECK_EQ(rc, CL_BUILD_PROGRAM_FAILURE);
    }
    RELEASE_PROGRAM(program);
    next_build_works();
}

static void empty_source(void)
{
    must_answer("", 0);
    must_answer("   \n", 4);
    must_answer("// nothing\n", 11);
}

static const struct test_case cases[] = {
    CASE(parentheses_3000),   CASE(parentheses_100000), CASE(braces_100000),
    CASE(unary_bomb),         CASE(macro_bomb),         CASE(self_include),
    CASE(inline_assembly),    CASE(recursion),          CASE(mutual_recursion),
    CASE(undefined_function), CASE(syntax_errors),      CASE(host_files_are_out_of_reach),
    CASE(long_line),          CASE(not_utf8),           CASE(nul_in_source),
    CASE(huge_private_array), CASE(huge_local_array),   CASE(empty_source),
};
TEST_MAIN("negative", cases)
