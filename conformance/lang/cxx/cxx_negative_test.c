/* SPDX-License-Identifier: Apache-2.0 */
/* C++ for OpenCL: what is refused, with a place and a reason. */
#include "cxx_help.h"

#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof *(array))

static void refuse(const char *options, const char *source, const char *place, const char *hint)
{
    cl_program program = new_program(source);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
    char *log = build_log(program);
    if (!strstr(log, place) || !strstr(log, hint))
        check_fail(__FILE__, __LINE__, "the log does not say \"%s\" and \"%s\": %.400s", place,
                   hint, log);
    free(log);
    RELEASE_PROGRAM(program);
}

static void refused(void)
{
    static const struct {
        const char *source, *place, *hint;
    } rows[] = {
        {"struct s {\n    virtual int f() { return 1; }\n};\n", ":2:5: error:", "virtual"},
        {"void f() {\n    throw 1;\n}\n", ":2:5: error:", "exceptions"},
        {"void f() {\n    try { } catch (...) { }\n}\n", ":2:5: error:", "exceptions"},
        {"struct s {};\nvoid *f(s *x) {\n    return dynamic_cast<void *>(x);\n}\n",
         ":3:", "dynamic_cast"},
        {"int g(int);\nvoid f() {\n    int (*p)(int) = g;\n}\n",
         ":3:10: error:", "pointers to functions"},
        {"void f() {\n    int *p = new int;\n}\n", ":2:14: error:", "new"},
        {"template <typename T>\nkernel void k(T x) {}\n", ":2:", "template"},
        {"struct s {\n    kernel void k() {}\n};\n", ":2:", "kernel"},
        {"void f() {\n    thread_local int x;\n}\n", ":2:5: error:", "thread"},
        {"int make(int);\nvoid f(int x) {\n    static int y = make(x);\n}\n",
         ":3:16: error:", "'y'"},
        {"template <typename T> T f(T x) {\n    static T once = x;\n    return once;\n}\n"
         "kernel void k(global int *p) { *p = f(*p); }\n",
         ":2:14: error:", "'once'"},
        {"kernel void k() {\n    local int x;\n    constant int *p = &x;\n}\n",
         ":3:19: error:", "__constant"},
        {"kernel void k(int &x) {}\n", ":1:20: error:", "arguments to kernel functions"},
        {"int twice(int x) { return x + x; }\nint twice(int x);\n"
         "kernel void k(global int *p) { *p = thrice(*p); }\n",
         ":3:37: error:", "thrice"},
    };
    cxx_need();
    if (!is_sluice())
        check_skip("messages of Sluice");
    /* Without variables of functions 2021 says that of all of them. */
    size_t most = cxx_has_feature("__opencl_c_program_scope_global_variables") ? 3 : 2;
    for (size_t r = 0; r < LEN(rows); r++)
        for (size_t v = 0; v < most; v++)
            refuse(cxx_versions[v], rows[r].source, rows[r].place, rows[r].hint);
    refuse("-cl-std=CLC++", "int f(int x);\nkernel void k(global int *p) { *p = f(*p); }", "f(int)",
           "kernel 'k'");
}

/* Of initializers, which run when nobody else does, and of dataflow, which is OpenCL C. */
static void refused_by_device(void)
{
    const char *options = cxx_with_globals();
    if (!is_sluice())
        check_skip("messages of Sluice");
    refuse(options, "int f(int);\nint x = f(3);\nkernel void k(global int *p) { *p = x; }",
           "f(int)", "an initializer at program scope");
    refuse(options,
           "int y = 3;\nint f(int n) { return n ? 3 * f(n - 1) ^ n : 1; }\nint x = f(y);\n"
           "kernel void k(global int *p) { *p = x; }",
           "f(int)", "recursion");
    if (cxx_has_feature("__opencl_c_device_enqueue"))
        refuse("-cl-std=CLC++2021",
               "int f() { return enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{}); }\n"
               "int x = f();\nkernel void k(global int *p) { *p = x; }",
               "an initializer of an object at program scope", "a device queue");
    if (has_extension("cl_intel_channels")) {
        refuse("-cl-std=CLC++",
               "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
               "channel int c;\nkernel void k() { write_channel_intel(c, 1); }",
               ":2:1: error:", "a channel cannot be declared in C++ for OpenCL");
        refuse("-cl-std=CLC++2021", "\n  pipe int p;\nkernel void k() {}",
               ":2:3: error:", "a pipe of the program cannot be declared in C++ for OpenCL");
    }
}

static void options(void)
{
    cl_program program = new_program("kernel void k() {}");
    cxx_need();
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(program, 1, &cl.device, "-cl-std=CLC++3", NULL, NULL));
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(program, 1, &cl.device, "-cl-std=C++17", NULL, NULL));
    FAILS(CL_INVALID_COMPILER_OPTIONS,
          clCompileProgram(program, 1, &cl.device, "-cl-std=CLC++20", 0, NULL, NULL, NULL, NULL));
    CHECK_OK(
        clCompileProgram(program, 1, &cl.device, "-cl-std=CLC++2021", 0, NULL, NULL, NULL, NULL));
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(refused),
    CASE(refused_by_device),
    CASE(options),
};
TEST_MAIN("cxx_negative", cases)
