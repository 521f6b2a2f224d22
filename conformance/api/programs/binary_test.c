/* SPDX-License-Identifier: Apache-2.0 */
/* Program binaries: round trips in this and in a second process, and bad ones. */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "kernel void k(global int *x, int y) { *x = y * 3 + VALUE; }\n"
                             "kernel void local_one(local int *x) { *x = 1; }\n";

struct binary {
    unsigned char *bytes; /* owned */
    size_t size;
};

static struct binary binary_of(cl_program program)
{
    struct binary b = {NULL, 0};
    size_t need = 0;
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof b.size, &b.size, &need));
    CHECK_EQ(need, sizeof b.size);
    REQUIRE(b.size > 0);
    b.bytes = malloc(b.size);
    REQUIRE(b.bytes);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof b.bytes, &b.bytes, &need));
    CHECK_EQ(need, sizeof b.bytes);
    return b;
}

static cl_int load(const unsigned char *bytes, size_t size, cl_int *status, cl_program *out)
{
    cl_int rc = 12345;
    *out = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &bytes, status, &rc);
    return rc;
}

static int run_for_int(cl_program program)
{
    int result = -1, five = 5;
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    ARG(kernel, 1, five);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof result, &result);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    return result;
}

static void round_trip(void)
{
    cl_program first = built(source, "-DVALUE=4"), again;
    struct binary b = binary_of(first);
    RELEASE_PROGRAM(first);
    cl_int status = 12345;
    REQUIRE_OK(load(b.bytes, b.size, &status, &again));
    CHECK_EQ(status, CL_SUCCESS);
    REQUIRE_OK(clBuildProgram(again, 1, &cl.device, NULL, NULL, NULL));
    CHECK_EQ(run_for_int(again), 19);
    size_t count = 0;
    CHECK_OK(clGetProgramInfo(again, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    struct binary c = binary_of(again);
    CHECK_EQ(c.size, b.size);
    free(b.bytes);
    free(c.bytes);
    RELEASE_PROGRAM(again);
}

static void object_round_trip(void)
{
    cl_program part = new_program(source), again;
    REQUIRE_OK(clCompileProgram(part, 1, &cl.device, "-DVALUE=1", 0, NULL, NULL, NULL, NULL));
    struct binary b = binary_of(part);
    RELEASE_PROGRAM(part);
    cl_int status, rc;
    REQUIRE_OK(load(b.bytes, b.size, &status, &again));
    free(b.bytes);
    cl_program whole = clLinkProgram(cl.context, 1, &cl.device, NULL, 1, &again, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(run_for_int(whole), 16);
    RELEASE_PROGRAM(whole);
    RELEASE_PROGRAM(again);
}

/* The second process is this program again with one case: it reads the file. */
static void second_process(void)
{
    char path[] = "/tmp/sluice-binary-XXXXXX";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    cl_program program = built(source, "-DVALUE=7");
    struct binary b = binary_of(program);
    RELEASE_PROGRAM(program);
    CHECK_EQ(write(fd, b.bytes, b.size), b.size);
    close(fd);
    free(b.bytes);
    setenv("SLUICE_TEST_BINARY", path, 1);
    int status = -1;
    pid_t child = vfork();
    if (!child) {
        execl("/proc/self/exe", "api_binary", "from_file", (char *)NULL);
        _exit(9);
    }
    REQUIRE(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
    unsetenv("SLUICE_TEST_BINARY");
    unlink(path);
}

static void from_file(void)
{
    const char *path = getenv("SLUICE_TEST_BINARY");
    if (!path)
        check_skip("runs as the second process of second_process");
    static unsigned char bytes[16 << 20];
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cl_program program;
    cl_int status;
    REQUIRE_OK(load(bytes, size, &status, &program));
    REQUIRE_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(run_for_int(program), 22);
    RELEASE_PROGRAM(program);
}

/* Refused when it is made or when it is built; never a crash. */
static void expect_refused(const unsigned char *bytes, size_t size, const char *what)
{
    cl_program program = NULL;
    cl_int status = 12345, rc = load(bytes, size, &status, &program);
    if (rc == CL_SUCCESS) {
        rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
        CHECK_OK(clReleaseProgram(program));
    }
    if (rc != CL_INVALID_BINARY && rc != CL_BUILD_PROGRAM_FAILURE)
        check_fail(__FILE__, __LINE__, "%s: %s", what, code_name(rc));
}

static void rubbish(void)
{
    unsigned char bytes[4096];
    random_fill(bytes, sizeof bytes);
    expect_refused(bytes, sizeof bytes, "random bytes");
    expect_refused(bytes, 1, "one byte");
    memcpy(bytes, "\177ELF\2\1\1", 7);
    expect_refused(bytes, sizeof bytes, "ELF magic, then rubbish");
    memset(bytes, 0, sizeof bytes);
    expect_refused(bytes, sizeof bytes, "zeros");
}

static void truncated(void)
{
    cl_program program = built(source, "-DVALUE=4");
    struct binary b = binary_of(program);
    RELEASE_PROGRAM(program);
    for (size_t size = 1; size < b.size; size = size * 3 + 1)
        expect_refused(b.bytes, size, "truncated");
    expect_refused(b.bytes, b.size - 1, "one byte short");
    free(b.bytes);
}

/* Hosts that read a file as a string hand over the byte that ends it. */
static void string_end(void)
{
    cl_program program = built(source, "-DVALUE=4");
    struct binary b = binary_of(program);
    RELEASE_PROGRAM(program);
    unsigned char *longer = realloc(b.bytes, b.size + 2);
    cl_int status;
    REQUIRE(longer);
    memset(longer + b.size, 0, 2);
    expect_refused(longer, b.size + 2, "two bytes more");
    longer[b.size] = 0xa5;
    expect_refused(longer, b.size + 1, "a byte that ends no string");
    longer[b.size] = 0;
    REQUIRE_OK(load(longer, b.size + 1, &status, &program));
    CHECK_OK(status);
    CHECK_OK(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    CHECK_EQ(run_for_int(program), 19);
    RELEASE_PROGRAM(program);
    free(longer);
}

/* A flipped byte may go unnoticed by the rules, but must not take the process down. */
static void damaged(void)
{
    cl_program program = built(source, "-DVALUE=4");
    struct binary b = binary_of(program);
    RELEASE_PROGRAM(program);
    for (int i = 0; i < 40; i++) {
        size_t at = random_below(b.size);
        cl_int status;
        b.bytes[at] ^= 0x41;
        if (load(b.bytes, b.size, &status, &program) == CL_SUCCESS) {
            clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
            CHECK_OK(clReleaseProgram(program));
        }
        b.bytes[at] ^= 0x41;
    }
    free(b.bytes);
}

static void errors(void)
{
    cl_program program = built(source, "-DVALUE=4");
    struct binary b = binary_of(program);
    RELEASE_PROGRAM(program);
    const unsigned char *bytes = b.bytes, *null = NULL;
    const size_t zero = 0;
    cl_device_id wrong = (cl_device_id)cl.queue;
    cl_int status;
#define LOAD(context, count, devices, sizes, list)                                                 \
    clCreateProgramWithBinary(context, count, devices, sizes, list, &status, ERR)
    CREATE_FAILS(CL_INVALID_CONTEXT, LOAD(NULL, 1, &cl.device, &b.size, &bytes));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 0, &cl.device, &b.size, &bytes));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 1, NULL, &b.size, &bytes));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 1, &cl.device, NULL, &bytes));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 1, &cl.device, &b.size, NULL));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 1, &cl.device, &zero, &bytes));
    CREATE_FAILS(CL_INVALID_VALUE, LOAD(cl.context, 1, &cl.device, &b.size, &null));
    CHECK_EQ(status, CL_INVALID_VALUE);
    CREATE_WRONG(CL_INVALID_DEVICE, LOAD(cl.context, 1, &wrong, &b.size, &bytes));
#undef LOAD
    free(b.bytes);
}

static const struct test_case cases[] = {
    CASE(round_trip), CASE(object_round_trip), CASE(second_process), CASE(from_file), CASE(rubbish),
    CASE(truncated),  CASE(string_end),        CASE(damaged),        CASE(errors),
};
TEST_MAIN("binary", cases)
