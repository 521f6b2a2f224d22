/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds from the entry points down, with a compiler that misbehaves on demand (fake_compiler.c):
 * logs, states, callbacks, cache, binaries, header programs, and failures that leave the next build
 * working.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/api.h"
#include "container.h"
#include "fake_device.h"
#include "platform/device.h"
#include "program/object/program.h"

static char folder[64], counter[96];
static cl_device_id device;
static cl_context context;

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sluice-build-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(counter, sizeof counter, "%s/count", folder);
    setenv("SLUICE_TEST_COUNT", counter, 1);
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_CACHE", "1", 1);
    device = fake_device(FAKE_INLINE);
    device->impl->caps.target = "x86_64:test";
    context = fake_context(device);
    return 0;
}

static int teardown(void **state)
{
    char command[128];
    (void)state;
    cl_int code = sl_clReleaseContext(context);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || code ? -1 : 0;
}

static cl_program from_source(const char *source)
{
    cl_int code;
    cl_program program = sl_clCreateProgramWithSource(context, 1, &source, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    return program;
}

static cl_int compile(cl_program program, const char *options)
{
    return sl_clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL);
}

static const char *log_of(cl_program program)
{
    static char log[4096];
    assert_int_equal(
        sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL),
        CL_SUCCESS);
    return log;
}

static cl_build_status status_of(cl_program program)
{
    cl_build_status status;
    assert_int_equal(sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS,
                                              sizeof status, &status, NULL),
                     CL_SUCCESS);
    return status;
}

static long requests(void)
{
    struct stat file;
    return stat(counter, &file) ? 0 : (long)file.st_size;
}

static void test_compiles(void **state)
{
    cl_program_binary_type type;
    char options[64];
    size_t bytes = 0;
    cl_program program = from_source("plain");
    (void)state;
    assert_int_equal(status_of(program), CL_BUILD_NONE);
    assert_int_equal(compile(program, "-w -DX=1"), CL_SUCCESS);
    assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
    sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
    assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 64, options, NULL);
    assert_string_equal(options, "-w -DX=1");
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    assert_true(bytes > sizeof(struct sl_binary_header));
    assert_null(sl_clCreateKernel(program, "k", NULL));
    sl_clReleaseProgram(program);
}

static void test_failures(void **state)
{
    static const struct {
        const char *source, *word;
    } rows[] = {
        {"error", "1:1: error: as you wish"},
        {"silent", "without a message"},
        {"crash", "ended"},
        {"garbage", "unreadable"},
        {"half", "ended"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program program = from_source(rows[i].source), next = from_source("plain");
        assert_int_equal(compile(program, NULL), CL_COMPILE_PROGRAM_FAILURE);
        assert_int_equal(status_of(program), CL_BUILD_ERROR);
        assert_non_null(strstr(log_of(program), rows[i].word));
        assert_int_equal(sl_clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
                         CL_BUILD_PROGRAM_FAILURE);
        assert_int_equal(compile(next, NULL), CL_SUCCESS);
        sl_clReleaseProgram(program);
        sl_clReleaseProgram(next);
    }
}

static void test_options(void **state)
{
    cl_program program = from_source("plain");
    (void)state;
    assert_int_equal(compile(program, "-no-such"), CL_INVALID_COMPILER_OPTIONS);
    assert_non_null(strstr(log_of(program), "-no-such"));
    assert_int_equal(status_of(program), CL_BUILD_NONE); /* nothing was built */
    assert_int_equal(sl_clBuildProgram(program, 0, NULL, "-no-such", NULL, NULL),
                     CL_INVALID_BUILD_OPTIONS);
    assert_int_equal(compile(program, "-cl-std=CL2.0"), CL_COMPILE_PROGRAM_FAILURE);
    assert_non_null(strstr(log_of(program), "CL2.0"));
    assert_int_equal(compile(program, ""), CL_SUCCESS);
    sl_clReleaseProgram(program);
}

/* Options that are refused leave an earlier build as it was. */
static void test_options_keep_build(void **state)
{
    cl_program program = from_source("plain");
    size_t before = 0, after = 0;
    (void)state;
    assert_int_equal(compile(program, "-DA"), CL_SUCCESS);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof before, &before, NULL);
    assert_int_equal(compile(program, "-bogus"), CL_INVALID_COMPILER_OPTIONS);
    assert_non_null(strstr(log_of(program), "-bogus"));
    assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof after, &after, NULL);
    assert_true(before > 0);
    assert_int_equal(after, before);
    sl_clReleaseProgram(program);
}

/* The compiler answers an object when an executable was asked for. */
static void test_wrong_kind(void **state)
{
    cl_program program = from_source("plain");
    (void)state;
    assert_int_equal(sl_clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(log_of(program), "another kind"));
    sl_clReleaseProgram(program);
}

static void test_cached(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        cl_program program = from_source("plain cached");
        assert_int_equal(compile(program, "-DA"), CL_SUCCESS);
        assert_int_equal(requests(), 1);
        assert_int_equal(strncmp(log_of(program), "pid ", 4), 0); /* the log is kept too */
        sl_clReleaseProgram(program);
    }
    for (long i = 2; i < 4; i++) {
        cl_program timed = from_source("plain __TIME__");
        assert_int_equal(compile(timed, ""), CL_SUCCESS);
        assert_int_equal(requests(), i);
        sl_clReleaseProgram(timed);
    }
    unlink(counter);
    cl_program program = from_source("plain cached");
    assert_int_equal(compile(program, "-DA"), CL_SUCCESS);
    assert_int_equal(requests(), 0);
    assert_int_equal(compile(program, "-DB"), CL_SUCCESS);
    assert_int_equal(requests(), 1);
    setenv("SLUICE_CACHE", "0", 1);
    assert_int_equal(compile(program, "-DB"), CL_SUCCESS);
    assert_int_equal(requests(), 2);
    sl_clReleaseProgram(program);
}

static void test_binary(void **state)
{
    cl_program program = from_source("plain"), copy;
    unsigned char *binary;
    cl_int code, status = 1;
    size_t bytes, wrong = 10;
    (void)state;
    assert_int_equal(compile(program, NULL), CL_SUCCESS);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    binary = malloc(bytes);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    copy = sl_clCreateProgramWithBinary(context, 1, &device, &bytes,
                                        (const unsigned char **)&binary, &status, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(status, CL_SUCCESS);
    assert_int_equal(compile(copy, NULL), CL_INVALID_OPERATION);
    sl_clReleaseProgram(copy);
    assert_null(sl_clCreateProgramWithBinary(context, 1, &device, &wrong,
                                             (const unsigned char **)&binary, &status, &code));
    assert_int_equal(code, CL_INVALID_BINARY);
    assert_int_equal(status, CL_INVALID_BINARY);
    binary[bytes / 2] ^= 1;
    assert_null(sl_clCreateProgramWithBinary(context, 1, &device, &bytes,
                                             (const unsigned char **)&binary, NULL, &code));
    assert_int_equal(code, CL_INVALID_BINARY);
    wrong = 0;
    assert_null(sl_clCreateProgramWithBinary(context, 1, &device, &wrong,
                                             (const unsigned char **)&binary, &status, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    free(binary);
    sl_clReleaseProgram(program);
}

static void test_arguments(void **state)
{
    cl_program program = from_source("plain"), header = from_source("header");
    const char *name = "h.h", *null = NULL;
    int data = 0;
    cl_int code;
    (void)state;
    assert_int_equal(sl_clBuildProgram(NULL, 0, NULL, "", NULL, NULL), CL_INVALID_PROGRAM);
    assert_int_equal(sl_clBuildProgram(program, 1, NULL, "", NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clBuildProgram(program, 0, &device, "", NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clBuildProgram(program, 0, NULL, "", NULL, &data), CL_INVALID_VALUE);
    cl_device_id other = fake_device(FAKE_HELD);
    assert_int_equal(sl_clBuildProgram(program, 1, &other, "", NULL, NULL), CL_INVALID_DEVICE);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 1, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 1, &header, &null, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 0, &header, &name, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 1, &header, &name, NULL, NULL),
                     CL_SUCCESS);
    assert_null(sl_clLinkProgram(context, 0, NULL, "", 0, NULL, NULL, NULL, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clLinkProgram(context, 0, NULL, "", 1, &header, NULL, NULL, &code));
    assert_int_equal(code, CL_INVALID_OPERATION);
    assert_null(sl_clLinkProgram(context, 0, NULL, "-w", 1, &program, NULL, NULL, &code));
    assert_int_equal(code, CL_INVALID_LINKER_OPTIONS);
    assert_null(sl_clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    sl_clReleaseProgram(program);
    sl_clReleaseProgram(header);
}

/* A link that fails still gives a program, which carries the log (the fake makes an object). */
static void test_link_failure(void **state)
{
    cl_program program = from_source("plain"), linked;
    cl_int code;
    (void)state;
    assert_int_equal(compile(program, NULL), CL_SUCCESS);
    linked = sl_clLinkProgram(context, 0, NULL, "", 1, &program, NULL, NULL, &code);
    assert_int_equal(code, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(linked);
    assert_true(*log_of(linked));
    assert_int_equal(sl_clBuildProgram(linked, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
    sl_clReleaseProgram(linked);
    sl_clReleaseProgram(program);
}

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t called;
    int calls;
    cl_build_status status;
};

static void CL_CALLBACK on_built(cl_program program, void *data)
{
    struct waiter *waiter = data;
    cl_build_status status = status_of(program);
    pthread_mutex_lock(&waiter->lock);
    waiter->calls++;
    waiter->status = status;
    pthread_cond_signal(&waiter->called);
    pthread_mutex_unlock(&waiter->lock);
}

static void wait_for(struct waiter *waiter, int calls)
{
    pthread_mutex_lock(&waiter->lock);
    while (waiter->calls < calls)
        pthread_cond_wait(&waiter->called, &waiter->lock);
    pthread_mutex_unlock(&waiter->lock);
}

static void test_callback(void **state)
{
    struct waiter waiter = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    cl_program program = from_source("slow"), error = from_source("error");
    (void)state;
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, on_built, &waiter),
                     CL_SUCCESS);
    assert_int_equal(status_of(program), CL_BUILD_IN_PROGRESS);
    assert_int_equal(compile(program, ""), CL_INVALID_OPERATION);
    wait_for(&waiter, 1);
    assert_int_equal(waiter.status, CL_BUILD_SUCCESS);
    assert_int_equal(sl_clCompileProgram(error, 0, NULL, "", 0, NULL, NULL, on_built, &waiter),
                     CL_SUCCESS);
    wait_for(&waiter, 2);
    assert_int_equal(waiter.status, CL_BUILD_ERROR);
    assert_int_equal(compile(program, ""), CL_SUCCESS);
    sl_clReleaseProgram(error);
    sl_clReleaseProgram(program);
}

static void test_many(void **state)
{
    struct waiter waiter = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    (void)state;
    for (int i = 0; i < 20; i++) {
        char source[32];
        snprintf(source, sizeof source, i % 5 ? "plain %d" : "crash %d", i);
        cl_program program = from_source(source);
        assert_int_equal(
            sl_clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, on_built, &waiter),
            CL_SUCCESS);
        sl_clReleaseProgram(program); /* the build holds it */
    }
    wait_for(&waiter, 20);
}

/* Equal requests at the same time: one is compiled, all get it. What fails or varies is not shared.
 */
static void equal_at_once(const char *source, cl_build_status status, long from, long to)
{
    enum { EQUAL = 4 };
    struct waiter waiter = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    cl_program programs[EQUAL];
    char first[4096];
    unlink(counter);
    for (int i = 0; i < EQUAL; i++) {
        programs[i] = from_source(source);
        assert_int_equal(
            sl_clCompileProgram(programs[i], 0, NULL, "", 0, NULL, NULL, on_built, &waiter),
            CL_SUCCESS);
    }
    wait_for(&waiter, EQUAL);
    assert_in_range(requests(), from, to);
    strcpy(first, log_of(programs[0]));
    for (int i = 0; i < EQUAL; i++) {
        assert_int_equal(status_of(programs[i]), status);
        if (from == 1 && to == 1)
            assert_string_equal(log_of(programs[i]), first);
        sl_clReleaseProgram(programs[i]);
    }
}

static void test_equal_at_once(void **state)
{
    (void)state;
    equal_at_once("slow equal", CL_BUILD_SUCCESS, 1, 1);
    equal_at_once("slow equal", CL_BUILD_SUCCESS, 0, 0);
    equal_at_once("slow __TIME__", CL_BUILD_SUCCESS, 4, 4);
    equal_at_once("error", CL_BUILD_ERROR, 4, 4);
    equal_at_once("crash", CL_BUILD_ERROR, 4, 8);
}

static void test_no_compiler(void **state)
{
    char *path = strdup(getenv("SLUICE_COMPILER"));
    cl_program program = from_source("plain");
    (void)state;
    setenv("SLUICE_COMPILER", "/nowhere", 1);
    cl_int code = compile(program, "");
    setenv("SLUICE_COMPILER", path, 1);
    free(path);
    assert_int_equal(code, CL_COMPILER_NOT_AVAILABLE);
    assert_non_null(strstr(log_of(program), "/nowhere"));
    sl_clReleaseProgram(program);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_compiles),     TEST(test_failures),
        TEST(test_options),      TEST(test_options_keep_build),
        TEST(test_wrong_kind),   TEST(test_cached),
        TEST(test_binary),       TEST(test_arguments),
        TEST(test_link_failure), TEST(test_callback),
        TEST(test_many),         TEST(test_equal_at_once),
        TEST(test_no_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
