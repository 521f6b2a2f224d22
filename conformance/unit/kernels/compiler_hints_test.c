/* SPDX-License-Identifier: Apache-2.0 */
/* What the build log says of a source that wants another version or is none; names that old
 * sources have for themselves. */
#include "compiler_help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* It is refused for what the source's own names lack. */
static void expect_no_note(const char *source, const char *option)
{
    struct outcome outcome;
    build_source(&outcome, source, option);
    assert_int_equal(outcome.status, SL_BUILD_FAILED);
    if (strstr(outcome.result.log.data, "note: "))
        fail_msg("a note too many:\n%s", outcome.result.log.data);
    finish(&outcome);
}

/* Names that OpenCL C 1.2 has not: the option is told, where there is one to tell. */
static void later_versions_are_told(void **state)
{
    static const struct {
        const char *source, *name;
    } rows[] = {
        {"kernel void k(global int *a) { a[0] = work_group_reduce_add(a[1]); }",
         "work_group_reduce_add"},
        {"kernel void k(global atomic_int *a) {}", "atomic_int"},
        {"kernel void k(global int *a) { generic int *p = 0; a[0] = p == 0; }", "generic"},
        {"kernel void k(global int *a) { a[0] = get_local_linear_id(); }", "get_local_linear_id"},
        {"kernel void k(global int *a) { a[0] = ctz(a[1]); }", "ctz"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char note[200];
        snprintf(note, sizeof note,
                 "note: '%s' is of a later OpenCL C than 1.2, which this source is built as: "
                 "-cl-std=CL3.0\n",
                 rows[i].name);
        refuse(rows[i].source, NULL, SL_BUILD_FAILED, note);
    }
    refuse(rows[0].source, "-cl-std=CL1.1", SL_BUILD_FAILED, "a later OpenCL C than 1.1,");
    expect_no_note("kernel void k(global int *a) { a[0] = work_group_of_mine(a[1]) + pipes; }",
                   "-cl-std=CL3.0");
    expect_no_note("kernel void k(global int *a) { a[0] = worker(a[1]) + pipes; }", NULL);
}

/* A pointer that says nothing of its memory points to private memory before 2.0. */
static void generic_pointers_are_told(void **state)
{
    static const char note[] = "note: in OpenCL C 1.2 a pointer without an address space is one to "
                               "private memory: say global or local, or take -cl-std=CL3.0\n";
    static const char initialized[] = "kernel void k(global int *a) { int *p = a; *p = 1; }",
                      passed[] = "void f(int *p) { *p = 1; } kernel void k(local int *a) { f(a); }",
                      constant[] = "constant int c[2] = {1}; kernel void k() { int *p = c; }";
    (void)state;
    refuse(initialized, NULL, SL_BUILD_FAILED, note);
    refuse(passed, NULL, SL_BUILD_FAILED, note);
    refuse("kernel void k(global const int *a, local int *b) { const int *p = a; b[0] = *p; }",
           NULL, SL_BUILD_FAILED, note);
    expect_success(initialized, "-cl-std=CL3.0");
    expect_success(passed, "-cl-std=CL3.0");
    expect_no_note(constant, NULL);
    expect_no_note("kernel void k(global int *a) { local int *p = a; }", NULL);
    expect_no_note("kernel void k(global int *a) { local int *p = a; }", "-cl-std=CL3.0");
}

static void variables_are_told(void **state)
{
    static const char source[] = "global int n; kernel void k(global int *a) { a[0] = n++; }";
    (void)state;
    refuse(source, NULL, SL_BUILD_FAILED,
           "note: variables at program scope are constant in OpenCL C 1.2; -cl-std=CL3.0 has "
           "global ones, too\n");
    expect_success(source, "-cl-std=CL3.0");
    expect_no_note("int n = x;", "-cl-std=CL3.0");
}

static void cxx_is_told(void **state)
{
    static const char source[] = "template <class T> T twice(T x) { return x + x; }\n"
                                 "kernel void k(global int *a) { a[0] = twice(a[1]); }",
                      casts[] = "kernel void k(global int *a) { a[0] = static_cast<int>(1.5f); }";
    (void)state;
    refuse(source, NULL, SL_BUILD_FAILED,
           "note: 'template' is of C++, and this source is built as "
           "OpenCL C: -cl-std=CLC++2021\n");
    refuse(casts, "-cl-std=CL3.0", SL_BUILD_FAILED, "note: 'static_cast' is of C++");
    expect_success(source, "-cl-std=CLC++2021");
    expect_success(casts, "-cl-std=CLC++2021");
}

static void files_that_are_no_text_are_told(void **state)
{
    (void)state;
    refuse("\177ELF\2\1\1", NULL, SL_BUILD_FAILED, "is no OpenCL C: it is an ELF file");
    refuse("xclbin2", NULL, SL_BUILD_FAILED, "is no OpenCL C: it is an xclbin file");
    refuse("BC\300\336", NULL, SL_BUILD_FAILED, "is no OpenCL C: it is LLVM's bitcode");
    refuse("!<arch>\n", NULL, SL_BUILD_FAILED, "is no OpenCL C: it is an archive");
}

/* Whatever stands where channels are declared and used. */
static void channels_are_told(void **state)
{
    static const char note[] = "note: this device has no channels";
    (void)state;
    refuse("channel int c; kernel void k(global int *a) { a[0] = 1; }", NULL, SL_BUILD_FAILED,
           note);
    refuse("kernel void k(global int *a) { write_channel_intel(c, a[0]); }", NULL, SL_BUILD_FAILED,
           note);
    expect_no_note("kernel void k(global int *a) { canal int c; }", "-cl-std=CL3.0");
}

/* clang's note names an option that builds refuse. */
static void brackets_are_bounded(void **state)
{
    char source[1200] = "kernel void k(global int *a) { a[0] = ";
    (void)state;
    for (int i = 0; i < 300; i++)
        strcat(source, "(");
    strcat(source, "1");
    for (int i = 0; i < 300; i++)
        strcat(source, ")");
    strcat(source, "; }");
    refuse(source, NULL, SL_BUILD_FAILED, "bracket nesting level exceeded maximum of 256");
    expect_no_note(source, NULL);
}

/* A name is compared with others only up to a length: with 40 000 letters that took ten seconds. */
static void only_names_of_people_are_compared(void **state)
{
    static const char format[] = "kernel void k(global int *a) { int %s_x = 1; a[0] = %s_y; }";
    char name[300], source[1000];
    (void)state;
    memset(name, 'a', sizeof name);
    name[40] = '\0';
    snprintf(source, sizeof source, format, name, name);
    refuse(source, NULL, SL_BUILD_FAILED, "did you mean 'aaaa");
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(source, sizeof source, format, name, name);
    refuse(source, NULL, SL_BUILD_FAILED, "use of undeclared identifier 'aaaa");
    expect_no_note(source, NULL);
}

/* Names of OpenCL C 3.0's extensions are the program's own before. */
static void old_sources_keep_their_names(void **state)
{
    (void)state;
    expect_success(
        "int work_group_reduce_mul(int x, local int *t) { return x * t[0]; }\n"
        "int work_group_scan_inclusive_and(int x) { return x & 1; }\n"
        "kernel void k(global int *a, local int *t)\n"
        "{ a[0] = work_group_reduce_mul(a[1], t) + work_group_scan_inclusive_and(3); }\n",
        NULL);
    refuse("kernel void k(global int *a) { a[0] = work_group_reduce_mul(a[1]); }", NULL,
           SL_BUILD_FAILED, "error: use of undeclared identifier 'work_group_reduce_mul'\n");
}

static void misspelt_functions_are_told(void **state)
{
    static const char *const slips[][2] = {
        {"clmp(a[0], 0.f, 1.f)", "'clmp'; did you mean 'clamp'?\n"},
        {"native_sqr(a[1])", "'native_sqr'; did you mean 'native_sqrt'?\n"},
        {"get_globl_id(0)", "'get_globl_id'; did you mean 'get_global_id'?\n"},
        {"convert_flaot4(a[0]).x", "'convert_flaot4'; did you mean 'convert_float4'?\n"},
        {"square_of(a[0])", "'square_of'\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        char source[160], said[120];
        snprintf(source, sizeof source, "kernel void k(global float *a) { a[0] = %s; }",
                 slips[i][0]);
        snprintf(said, sizeof said, "<source>:1:41: error: use of undeclared identifier %s",
                 slips[i][1]);
        refuse(source, NULL, SL_BUILD_FAILED, said);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_functions_are_told),
        cmocka_unit_test(later_versions_are_told),
        cmocka_unit_test(generic_pointers_are_told),
        cmocka_unit_test(variables_are_told),
        cmocka_unit_test(cxx_is_told),
        cmocka_unit_test(files_that_are_no_text_are_told),
        cmocka_unit_test(channels_are_told),
        cmocka_unit_test(brackets_are_bounded),
        cmocka_unit_test(only_names_of_people_are_compared),
        cmocka_unit_test(old_sources_keep_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
