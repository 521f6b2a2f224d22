/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: build, options, logs, queries, callbacks. */
#include "cl_help.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char good[] = "kernel void one(global int *x) { *x = 1; }\n"
                           "kernel void two(global int *x) { *x = VALUE; }\n";

static int run_for_int(cl_program program, const char *name)
{
    int result = -12345;
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    cl_kernel kernel = kernel_of(program, name);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 1);
    read_back(mem, sizeof result, &result);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    return result;
}

static void build_and_run(void)
{
    cl_program program = built(good, "-DVALUE=2");
    CHECK_EQ(run_for_int(program, "one"), 1);
    CHECK_EQ(run_for_int(program, "two"), 2);
    RELEASE_PROGRAM(program);
}

static void source_in_pieces(void)
{
    const char *pieces[] = {"kernel void two(gXX", "lobal int *x) ",
                            "{ *x = 7; } trailing rubbish"};
    const size_t lengths[] = {17, 0, 11};
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 3, pieces, lengths, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(run_for_int(program, "two"), 7);
    char text[128] = "";
    size_t size = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, &size));
    CHECK(!strcmp(text, "kernel void two(global int *x) { *x = 7; }"));
    CHECK_EQ(size, strlen(text) + 1);
    RELEASE_PROGRAM(program);
}

static void create_errors(void)
{
    const char *source = good, *null = NULL;
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &source, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 0, &source, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 1, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource(cl.context, 1, &null, NULL, ERR));
    CREATE_WRONG(CL_INVALID_CONTEXT,
                 clCreateProgramWithSource((cl_context)cl.queue, 1, &source, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(cl.context, 1, &cl.device,
                                                                     "no_such_kernel", ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateProgramWithBuiltInKernels(cl.context, 1, &cl.device, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateProgramWithBuiltInKernels(cl.context, 0, &cl.device, "x", ERR));
}

static void il_is_refused_or_checked(void)
{
    if (device_version() < 210)
        check_skip("before OpenCL 2.1");
    char version[256] = "";
    const char rubbish[64] = {0};
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL));
    cl_int want = version[0] ? CL_INVALID_VALUE : CL_INVALID_OPERATION;
    CREATE_FAILS(want, clCreateProgramWithIL(cl.context, rubbish, sizeof rubbish, ERR));
    CREATE_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, rubbish, sizeof rubbish, ERR));
    if (version[0] || device_version() < 220)
        return;
    cl_program program = new_program("kernel void k(void) {}");
    FAILS(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(NULL, 0, 4, rubbish));
    FAILS(CL_INVALID_OPERATION, clSetProgramSpecializationConstant(program, 0, 4, rubbish));
    RELEASE_PROGRAM(program);
}

static void info(void)
{
    cl_program program = built(good, "-DVALUE=2");
    cl_uint number = 0;
    cl_device_id device = NULL;
    cl_context context = NULL;
    size_t count = 0, size = 0;
    char names[64] = "";
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, &size));
    CHECK(device == cl.device);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(!strcmp(names, "one;two") || !strcmp(names, "two;one"));
    CHECK_OK(clRetainProgram(program));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 2);
    RELEASE_PROGRAM(program);
    FAILS(CL_INVALID_VALUE, clGetProgramInfo(program, 0x7777, sizeof number, &number, NULL));
    FAILS(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 1, &context, NULL));
    WRONG(CL_INVALID_PROGRAM, clGetProgramInfo((cl_program)cl.queue, CL_PROGRAM_CONTEXT,
                                               sizeof context, &context, NULL));
    WRONG(CL_INVALID_PROGRAM, clRetainProgram((cl_program)cl.queue));
    WRONG(CL_INVALID_PROGRAM, clReleaseProgram((cl_program)cl.queue));
    RELEASE_PROGRAM(program);
    program = new_program(good);
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
          clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    RELEASE_PROGRAM(program);
}

static cl_build_status status_of(cl_program program)
{
    cl_build_status status = 99;
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    return status;
}

static void build_info(void)
{
    cl_program program = new_program(good);
    char text[64] = "?";
    cl_program_binary_type type = 99;
    CHECK_EQ(status_of(program), CL_BUILD_NONE);
    CHECK_OK(clBuildProgram(program, 1, &cl.device, "-DVALUE=3 -Werror", NULL, NULL));
    CHECK_EQ(status_of(program), CL_BUILD_SUCCESS);
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text,
                                   NULL));
    CHECK(!strcmp(text, "-DVALUE=3 -Werror"));
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                                   NULL));
    CHECK_EQ(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    FAILS(CL_INVALID_VALUE,
          clGetProgramBuildInfo(program, cl.device, 0x7777, sizeof text, text, NULL));
    FAILS(CL_INVALID_DEVICE,
          clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_STATUS, sizeof text, text, NULL));
    WRONG(CL_INVALID_DEVICE,
          clGetProgramBuildInfo(program, (cl_device_id)cl.queue, CL_PROGRAM_BUILD_STATUS,
                                sizeof text, text, NULL));
    RELEASE_PROGRAM(program);
}

static void failure_log(void)
{
    cl_program program = new_program("kernel void k(global int *x)\n{\n    *x = nonsense;\n}\n");
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    CHECK_EQ(status_of(program), CL_BUILD_ERROR);
    char *log = build_log(program);
    CHECK(strstr(log, ":3:10:") != NULL);
    CHECK(strstr(log, "nonsense") != NULL);
    free(log);
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", ERR));
    /* the same object builds when the options repair it */
    CHECK_OK(clBuildProgram(program, 1, &cl.device, "-Dnonsense=5", NULL, NULL));
    CHECK_EQ(run_for_int(program, "k"), 5);
    RELEASE_PROGRAM(program);
}

static void undefined_function_is_named(void)
{
    cl_program program = new_program("int missing_helper(int);\n"
                                     "kernel void k(global int *x) { *x = missing_helper(*x); }\n");
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    char *log = build_log(program);
    CHECK(strstr(log, "missing_helper") != NULL);
    free(log);
    RELEASE_PROGRAM(program);
}

static void options(void)
{
    static const char *const accepted[] = {
        "",
        "   ",
        "-DVALUE=2 -D OTHER",
        "-DVALUE=2 -cl-fast-relaxed-math",
        "-DVALUE=2 -cl-mad-enable -cl-no-signed-zeros",
        "-DVALUE=2 -cl-unsafe-math-optimizations -cl-finite-math-only",
        "-DVALUE=2 -cl-opt-disable",
        "-DVALUE=2 -cl-single-precision-constant -cl-denorms-are-zero",
        "-DVALUE=2 -cl-std=CL1.2",
        "-DVALUE=2 -cl-std=CL1.1 -cl-strict-aliasing",
        "-DVALUE=2 -w",
        "-DVALUE=2 -cl-kernel-arg-info",
        "-DVALUE=3 -U VALUE -DVALUE=2 -UOTHER",
        "-DVALUE=2 -O0",
        "-DVALUE=2 -O3 -Wall -Wno-unused -Wno-error=such",
        "-DVALUE=2 -g -s \"/some where/k.cl\"",
        "-D 'VALUE=1 + 1'",
        "-D VALUE=\"1 + 1\"",
    };
    for (size_t i = 2; i < LEN(accepted); i++) {
        cl_program program = built(good, accepted[i]);
        CHECK_EQ(run_for_int(program, "two"), 2);
        RELEASE_PROGRAM(program);
    }
    for (size_t i = 0; i < 2; i++)
        RELEASE_PROGRAM(built("kernel void k(void) {}", accepted[i]));
}

static void option_errors(void)
{
    static const char *const refused[] = {"-cl-no-such-option", "--nonsense", "-cl-std=CL9.9"};
    for (size_t i = 0; i < LEN(refused); i++) {
        cl_program program = new_program("kernel void k(void) {}");
        if (!FAILS(CL_INVALID_BUILD_OPTIONS,
                   clBuildProgram(program, 1, &cl.device, refused[i], NULL, NULL)))
            check_fail(__FILE__, __LINE__, "the option was %s", refused[i]);
        CHECK_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
        RELEASE_PROGRAM(program);
    }
}

static void warnings(void)
{
    static const char source[] = "#warning careful\nkernel void k(void) {}\n";
    cl_program program = built(source, NULL);
    char *log = build_log(program);
    CHECK(strstr(log, "careful") != NULL);
    free(log);
    RELEASE_PROGRAM(program);
    program = new_program(source);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "-Werror", NULL, NULL));
    RELEASE_PROGRAM(program);
}

static atomic_int notified;
static void *notified_user;
static cl_program notified_program;

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    notified_program = program;
    notified_user = user;
    atomic_fetch_add(&notified, 1);
}

static void too_large_for_any_launch(void)
{
    size_t most = 0, global[3] = {1, 1, 1};
    cl_ulong local = 0;
    char source[512], items[64];
    clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    clGetDeviceInfo(cl.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    snprintf(source, sizeof source,
             "__attribute__((reqd_work_group_size(%zu, 3, 1))) kernel void wide(global int *p) { "
             "*p = 1; }\n"
             "kernel void deep(global int *p) { local int t[%llu]; t[*p & 7] = 1;\n"
             "  barrier(CLK_LOCAL_MEM_FENCE); *p = t[*p & 15]; }\n"
             "__attribute__((reqd_work_group_size(%zu, 1, 1))) kernel void fits(global int *p) { "
             "local int t[%llu]; t[*p & 7] = 2;\n"
             "  barrier(CLK_LOCAL_MEM_FENCE); *p = t[*p & 7]; }\n",
             most, (unsigned long long)local / 4 + 1, most, (unsigned long long)local / 4);
    cl_program program = new_program(source);
    CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    char *log = build_log(program);
    snprintf(items, sizeof items, "%zux3x1 = %zu work-items", most, 3 * most);
    if (is_sluice()) {
        CHECK(strstr(log, "kernel wide cannot be launched") && strstr(log, items));
        CHECK(strstr(log, "kernel deep cannot be launched"));
        CHECK(!strstr(log, "kernel fits"));
    }
    free(log);
    cl_mem memory = new_buffer(CL_MEM_READ_WRITE, 4, NULL);
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = kernel_of(program, i ? "deep" : "wide");
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        global[0] = 3 * most;
        FAILS(i ? CL_OUT_OF_RESOURCES : CL_INVALID_WORK_GROUP_SIZE,
              clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL));
        RELEASE_KERNEL(kernel);
    }
    RELEASE_MEM(memory);
    RELEASE_PROGRAM(program);
}

static void callbacks(void)
{
    notified = 0;
    cl_program program = new_program(good);
    CHECK_OK(clBuildProgram(program, 1, &cl.device, "-DVALUE=2", on_built, &notified));
    for (double end = now_seconds() + 30; !notified && now_seconds() < end;)
        ;
    CHECK_EQ(notified, 1);
    CHECK(notified_user == &notified && notified_program == program);
    CHECK_EQ(status_of(program), CL_BUILD_SUCCESS);
    CHECK_EQ(run_for_int(program, "two"), 2);
    RELEASE_PROGRAM(program);
    notified = 0;
    program = new_program("kernel void k( {}");
    cl_int rc = clBuildProgram(program, 1, &cl.device, "", on_built, NULL);
    CHECK(rc == CL_SUCCESS || rc == CL_BUILD_PROGRAM_FAILURE);
    for (double end = now_seconds() + 30; !notified && now_seconds() < end;)
        ;
    CHECK_EQ(notified, 1);
    CHECK_EQ(status_of(program), CL_BUILD_ERROR);
    RELEASE_PROGRAM(program);
}

static void build_errors(void)
{
    cl_program program = new_program(good);
    cl_device_id wrong = (cl_device_id)cl.queue;
    FAILS(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(program, 0, &cl.device, NULL, NULL, NULL));
    FAILS(CL_INVALID_VALUE, clBuildProgram(program, 1, &cl.device, NULL, NULL, program));
    WRONG(CL_INVALID_DEVICE, clBuildProgram(program, 1, &wrong, NULL, NULL, NULL));
    WRONG(CL_INVALID_PROGRAM, clBuildProgram((cl_program)cl.queue, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clBuildProgram(program, 0, NULL, "-DVALUE=2", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "one");
    FAILS(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-DVALUE=2", NULL, NULL));
    RELEASE_KERNEL(kernel);
    CHECK_OK(clBuildProgram(program, 0, NULL, "-DVALUE=4", NULL, NULL));
    CHECK_EQ(run_for_int(program, "two"), 4);
    RELEASE_PROGRAM(program);
    if (device_version() >= 220 || is_sluice()) {
        program = new_program(good);
        CHECK(clSetProgramReleaseCallback(program, on_built, NULL) == CL_INVALID_OPERATION);
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {
    CASE(build_and_run),
    CASE(source_in_pieces),
    CASE(create_errors),
    CASE(info),
    CASE(build_info),
    CASE(failure_log),
    CASE(options),
    CASE(option_errors),
    CASE(undefined_function_is_named),
    CASE(warnings),
    CASE(too_large_for_any_launch),
    CASE(callbacks),
    CASE(build_errors),
    CASE(il_is_refused_or_checked),
};
TEST_MAIN("program", cases)
