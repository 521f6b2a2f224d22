/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler library says of a text: refusals, limits, options, languages, remarks. */
#include "compiler_help.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what is refused ------------------------------------------------------------------------- */

static void errors_name_line_and_column(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a)\n{\n    a[0] = nothing;\n}\n", NULL, SL_BUILD_FAILED,
           "<source>:3:12: error: use of undeclared identifier 'nothing'\n"
           "    3 |     a[0] = nothing;\n"
           "      |            ^");
}

static void undefined_functions_are_named(void **state)
{
    static const char source[] = "int foo(int); int bar(int);\n"
                                 "int helper(int a) { return bar(a); }\n"
                                 "int unused(int a) { return foo(a); }\n"
                                 "kernel void k(global int *a) { a[0] = helper(foo(1)); }\n";
    (void)state;
    refuse(source, NULL, SL_BUILD_FAILED,
           "<source>:4:46: error: undefined function 'foo' called from kernel 'k'");
    refuse(source, NULL, SL_BUILD_FAILED,
           "<source>:2:28: error: undefined function 'bar' called from function 'helper' of kernel "
           "'k'");
    expect_success("int foo(int); int unused(int a) { return foo(a); }\nkernel void k() {}\n",
                   NULL);
}

static void recursion_is_named(void **state)
{
    (void)state;
    refuse("int f(int);\nint g(int a) { return 3 ^ f(a); }\nint f(int a) { return a ? g(a) + g(1) "
           ": 1; }\n"
           "kernel void k(global int *a) { a[0] = f(a[0]); }\n",
           NULL, SL_BUILD_FAILED,
           "<source>:3:27: error: recursion is not allowed in OpenCL C: f -> g -> f");
    refuse("kernel void k(global int *a) { if (a[0]) k(a); }\n", NULL, SL_BUILD_FAILED,
           "'k' calls 'k'");
}

static void assembly_is_refused(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a)\n{\n    __asm__(\"bogus\");\n}\n", NULL, SL_BUILD_FAILED,
           "<source>:3:13: error: inline assembly is not supported");
    refuse("__asm__(\".globl x\");\nkernel void k() {}\n", NULL, SL_BUILD_FAILED,
           "error: inline assembly is not supported");
}

static void bombs_are_refused(void **state)
{
    enum { DEPTH = 3000 };
    static char source[2 * DEPTH + 100];
    (void)state;
    size_t at = (size_t)sprintf(source, "kernel void k(global int *a) { a[0] = ");
    memset(source + at, '(', DEPTH);
    source[at + DEPTH] = '1';
    memset(source + at + DEPTH + 1, ')', DEPTH);
    strcpy(source + at + 2 * DEPTH + 1, "; }");
    refuse(source, NULL, SL_BUILD_FAILED, "bracket nesting level exceeded");
    refuse("#include \"<source>\"\n", NULL, SL_BUILD_FAILED, "#include nested too deeply");
}

static void sizes_have_limits(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a) { char x[1ul << 40]; x[a[0]] = 3; a[1] = x[a[2]]; }", NULL,
           SL_BUILD_FAILED, ":1:37: error: variable 'x' takes 1099511");
    refuse("kernel void k(global int *a) { local int x[1 << 30]; x[a[0]] = 3; a[1] = x[a[2]]; }",
           NULL, SL_BUILD_FAILED, ":1:42: error: variable 'x' takes 4294967296 bytes");
    refuse("constant int c[1 << 29] = {1};\nkernel void k(global int *a) { a[1] = c[a[2]]; }", NULL,
           SL_BUILD_FAILED, ":1:14: error: variable 'c' takes 2147483648 bytes");
    refuse("kernel void k(global int *a) { char x[3 << 28], y[3 << 28]; x[a[0]] = y[a[1]] = 3;\n"
           "  a[1] = x[a[2]] + y[a[3]]; }",
           NULL, SL_BUILD_FAILED, "private variables of function k take 1610612");
    refuse("kernel void k(global int *a) { local char x[3 << 28], y[3 << 28];\n"
           "  x[a[0]] = y[a[1]] = 3; a[1] = x[a[2]] + y[a[3]]; }",
           NULL, SL_BUILD_FAILED, "local data takes 1610612736 bytes");
    refuse("constant char c[3 << 28] = {1}, d[3 << 28] = {2};\n"
           "kernel void k(global int *a) { a[1] = c[a[2]] + d[a[3]]; }",
           NULL, SL_BUILD_FAILED, "program-scope data takes 1610612736 bytes");
}

static void options_are_checked(void **state)
{
    static const char *const option = "-cl-no-such-option";
    struct outcome outcome = {.request = {.options = &option, .option_count = 1}};
    static const struct {
        enum sl_build_kind kind;
        int status;
    } expected[] = {{SL_BUILD_BUILD, SL_BUILD_BAD_OPTIONS},
                    {SL_BUILD_COMPILE, SL_BUILD_BAD_COMPILE_OPTIONS},
                    {SL_BUILD_LINK, SL_BUILD_BAD_LINK_OPTIONS}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        outcome.request.kind = expected[i].kind;
        build(&outcome);
        assert_int_equal(outcome.status, expected[i].status);
        expect_log(&outcome, option);
        finish(&outcome);
    }
    refuse("kernel void k() {}", "-cl-std=CLC++20", SL_BUILD_BAD_OPTIONS, "-cl-std=CLC++20");
    refuse("kernel void k() { int unused; unused; }", "-Werror", SL_BUILD_FAILED, "error:");
}

/* ---- options and language -------------------------------------------------------------------- */

static void every_option_is_accepted(void **state)
{
    static const char *const options[] = {"-DN=3",
                                          "-I/nowhere",
                                          "-cl-std=CL1.1",
                                          "-cl-std=CL3.0",
                                          "-cl-single-precision-constant",
                                          "-cl-denorms-are-zero",
                                          "-cl-fp32-correctly-rounded-divide-sqrt",
                                          "-cl-opt-disable",
                                          "-cl-strict-aliasing",
                                          "-cl-uniform-work-group-size",
                                          "-cl-no-subgroup-ifp",
                                          "-cl-mad-enable",
                                          "-cl-no-signed-zeros",
                                          "-cl-unsafe-math-optimizations",
                                          "-cl-finite-math-only",
                                          "-cl-fast-relaxed-math",
                                          "-cl-kernel-arg-info",
                                          "-w",
                                          "-Werror",
                                          "-g"};
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        expect_success(saxpy, options[i]);
    expect_success("#ifndef __FAST_RELAXED_MATH__\n#error\n#endif\n", "-cl-fast-relaxed-math");
}

static void cxx_is_a_language(void **state)
{
    static const char *const options[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};
    static const char source[] = "template <typename T> T twice(T x) { return x + x; }\n"
                                 "kernel void k(global int *p) { *p = twice(*p); }\n";
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        expect_success(source, options[i]);
    refuse(source, "-cl-std=CL3.0", SL_BUILD_FAILED, ":1:1: error:");
}

static void macros_are_honest(void **state)
{
    static const char source[] =
        "#if __OPENCL_VERSION__ != 300 || __OPENCL_C_VERSION__ != 120\n#error version\n#endif\n"
        "#ifndef __ENDIAN_LITTLE__\n#error endian\n#endif\n"
        "#if defined(__IMAGE_SUPPORT__) || defined(cl_khr_fp64) || defined(cl_khr_fp16)\n"
        "#error not announced\n#endif\n"
        "#if defined(cl_intel_subgroups) || defined(__SPIR__)\n#error not us\n#endif\n"
        "#ifndef cl_sluice_test\n#error announced\n#endif\n";
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, sizeof source - 1},
                                          .extensions = "cl_sluice_test cl_khr_icd"}};
    (void)state;
    build(&outcome);
    if (outcome.status)
        fail_msg("%s", outcome.result.log.data);
    finish(&outcome);
}

static void old_code_still_builds(void **state)
{
    struct outcome outcome;
    (void)state;
    build_source(&outcome,
                 "kernel void k(global int *a, global float *b)\n"
                 "{ global int *p = b; int q = a; a[0] = p[0] + q; }\n",
                 NULL);
    assert_int_equal(outcome.status, 0);
    expect_log(&outcome, "warning: incompatible pointer types");
    finish(&outcome);
}

/* Of very many messages only the first are shown, but what a build fails with always is. */
static void errors_come_behind_many_warnings(void **state)
{
    enum { WARNINGS = 400 };
    static const char *const ends[][2] = {
        {"kernel void k(global int *a) { a[0] = nobody; }\n",
         "error: use of undeclared identifier"},
        {"#include \"nobody.h\"\n", "fatal error: 'nobody.h' file not found"},
        {"kernel void k(global int *a) { a[0] = (::a); }\n", "fatal error: '::' is not OpenCL C"},
    };
    static char source[WARNINGS * 16 + 100];
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct outcome outcome;
        char *to = source;
        for (int w = 0; w < WARNINGS; w++)
            to = stpcpy(to, "#warning no\n");
        strcpy(to, ends[i][0]);
        build_source(&outcome, source, NULL);
        assert_int_equal(outcome.status, SL_BUILD_FAILED);
        expect_log(&outcome, ends[i][1]);
        assert_in_range(outcome.result.log.bytes, 1000, 100 * WARNINGS);
        finish(&outcome);
    }
}

/* ---- several files --------------------------------------------------------------------------- */

static void headers_come_with_the_request(void **state)
{
    static const char source[] = "#include \"in/one.h\"\n#include <two.h>\n"
                                 "kernel void k(global int *a) { a[0] = ONE + TWO + THREE; }\n";
    const struct sl_header headers[] = {
        {"in/one.h", {"#include \"three.h\"\n#define ONE 1\n", 34}},
        {"two.h", {"#define TWO 2\n", 14}},
        {"in/three.h", {"#define THREE 3\n", 16}},
    };
    struct outcome outcome = {.request = {.kind = SL_BUILD_COMPILE,
                                          .source = {source, sizeof source - 1},
                                          .headers = headers,
                                          .header_count = 3}};
    (void)state;
    build(&outcome);
    if (outcome.status)
        fail_msg("%s", outcome.result.log.data);
    assert_int_equal(outcome.result.dependencies.count, 0);
    finish(&outcome);
    outcome.request.header_count = 2;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_COMPILE_FAILED);
    expect_log(&outcome, "in/one.h:1:10: fatal error: 'three.h' file not found");
    finish(&outcome);
}

static void included_files_are_reported(void **state)
{
    char folder[] = "/tmp/sluice-XXXXXX", path[64], option[64];
    struct outcome outcome;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.h", folder);
    snprintf(option, sizeof option, "-I%s", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#define X 1\n", file);
    fclose(file);
    build_source(&outcome, "#include \"x.h\"\nkernel void k(global int *a) { a[0] = X; }\n",
                 option);
    unlink(path);
    rmdir(folder);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(outcome.result.dependencies.count, 1);
    const char *line = outcome.result.dependencies.items[0];
    assert_int_equal(strspn(line, "0123456789abcdef"), 32);
    assert_string_equal(line + 33, path);
    finish(&outcome);
}

/* ---- remarks --------------------------------------------------------------------------------- */

static void expect_remark(const struct outcome *outcome, const char *text)
{
    const char *remarks = outcome->result.remarks.data ? outcome->result.remarks.data : "";
    if (!strstr(remarks, text))
        fail_msg("the remarks lack \"%s\":\n%s", text, remarks);
}

static void remarks_tell_how_kernels_were_compiled(void **state)
{
    static const char source[] = "kernel void k(global int *x, global const int *at)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    x[i] = x[i] * 3 + at[i];\n"
                                 "    if (x[i] > 100)\n"
                                 "        atomic_xchg(&x[at[i]], 7);\n"
                                 "}\n";
    const char *settings[] = {"SLUICE_REMARKS=1", "SLUICE_PASS_LIMIT=1"};
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, strlen(source)},
                                          .cpu = "x86-64-v4",
                                          .cpu_features = "+avx512bw,+avx512vl",
                                          .settings = settings,
                                          .setting_count = 1}};
    (void)state;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "k line 1: 8 items at once\n");
    expect_remark(&outcome, "k line 6: atomic item by item\n");
    finish(&outcome);
    outcome.request.setting_count = 2;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "k line 1: step 1, simplify: done\n");
    expect_remark(&outcome, "k line 1: step 2, vector form: left out\nk line 1: items in turn\n");
    expect_remark(&outcome, "program: step 4, LLVM's optimiser: left out\n");
    finish(&outcome);
    outcome.request.setting_count = 0;
    build(&outcome);
    assert_int_equal(outcome.result.remarks.bytes, 0);
    finish(&outcome);
}

/* With the line of what caused it, whatever passes made of the code since. */
static void remarks_tell_where_items_stay_in_turn(void **state)
{
    static const char source[] = "kernel void dear(global int *x, global const int *at)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    int place = at[i];\n"
                                 "    x[place] = 1;\n"
                                 "}\n"
                                 "kernel void large(global int *x, int n)\n"
                                 "{\n"
                                 "    int own[8192], i = get_global_id(0);\n"
                                 "    for (int k = 0; k < n; k++)\n"
                                 "        own[k] = k;\n"
                                 "    x[i] = own[x[i]];\n"
                                 "}\n";
    const char *settings[] = {"SLUICE_REMARKS=1"};
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, strlen(source)},
                                          .cpu = "x86-64-v3",
                                          .settings = settings,
                                          .setting_count = 1}};
    (void)state;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "dear line 5: items in turn\n");
    expect_remark(&outcome, "large line 9: no vector form: private variable\n");
    finish(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(undefined_functions_are_named),
        cmocka_unit_test(recursion_is_named),
        cmocka_unit_test(assembly_is_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(every_option_is_accepted),
        cmocka_unit_test(cxx_is_a_language),
        cmocka_unit_test(macros_are_honest),
        cmocka_unit_test(old_code_still_builds),
        cmocka_unit_test(errors_come_behind_many_warnings),
        cmocka_unit_test(headers_come_with_the_request),
        cmocka_unit_test(included_files_are_reported),
        cmocka_unit_test(remarks_tell_how_kernels_were_compiled),
        cmocka_unit_test(remarks_tell_where_items_stay_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
