/* SPDX-License-Identifier: Apache-2.0 */
/* The binary of a program whose kernels get their code when they are launched (SLUICE_BUILD): where
 * the disk cache keeps what is made later it is the program as it is, else complete. */
#include "demand_bed.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *binary_of(cl_program program, size_t *bytes)
{
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL));
    REQUIRE(*bytes > 0);
    unsigned char *binary = malloc(*bytes);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    return binary;
}

static cl_program built_again(const unsigned char *binary, size_t bytes)
{
    cl_int rc, status;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &binary, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    return program;
}

/* A binary is complete where nothing that is made later would be kept, whatever was launched
 * before: it needs no compiler. */
static void binary_round_trip(void)
{
    size_t bytes;
    begin_case("on-demand");
    setenv("SLUICE_CACHE", "0", 1);
    cl_program program = program_of(6, NULL);
    run_kernel(program, 4);
    unsigned char *binary = binary_of(program, &bytes);
    run_kernel(program, 4);
    run_kernel(program, 1);
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
    await_no_compiler();
    char *before = hide_compiler();
    cl_program second = built_again(binary, bytes);
    for (int k = 0; k < 6; k++)
        run_kernel(second, k);
    show_compiler(before);
    RELEASE_PROGRAM(second);
    free(binary);
    unsetenv("SLUICE_CACHE");
    end_case();
}

/* Else it is as the program: asked for it, nobody compiles what was never launched, and what was is
 * in the cache, also for a program made of the binary. */
static void binary_stays_divided(void)
{
    size_t bytes, again;
    begin_case("on-demand");
    cl_program program = program_of(6, NULL);
    run_kernel(program, 4);
    unsigned char *binary = binary_of(program, &bytes);
    run_kernel(program, 1);
    unsigned char *later = binary_of(program, &again);
    CHECK(again == bytes && !memcmp(binary, later, bytes));
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
    await_no_compiler();
    cl_program second = built_again(binary, bytes);
    run_kernel(second, 1);
    run_kernel(second, 4);
    if (is_sluice())
        CHECK_EQ(compilers(0), 0);
    run_kernel(second, 3);
    if (is_sluice())
        CHECK(compilers(0) > 0);
    for (int k = 0; k < 6; k++)
        run_kernel(second, k);
    unsigned char *third = binary_of(second, &again);
    CHECK(again == bytes && !memcmp(binary, third, bytes));
    RELEASE_PROGRAM(second);
    free(third);
    free(later);
    free(binary);
    end_case();
}

/* Neither half alone, no byte less, none that differs. */
static void damaged_divided_binary(void)
{
    size_t bytes;
    cl_int rc, status;
    uint64_t first;
    begin_case("on-demand");
    cl_program program = program_of(3, NULL);
    unsigned char *binary = binary_of(program, &bytes);
    RELEASE_PROGRAM(program);
    if (is_sluice()) {
        memcpy(&first, binary + 40, sizeof first); /* sl_binary_header.total_bytes */
        REQUIRE(first < bytes);
        const size_t rest = bytes - (size_t)first, less = bytes - 16;
        const unsigned char *behind = binary + first, *all = binary;
        CREATE_FAILS(CL_INVALID_BINARY, clCreateProgramWithBinary(cl.context, 1, &cl.device, &rest,
                                                                  &behind, &status, ERR));
        CHECK_EQ(status, CL_INVALID_BINARY);
        CREATE_FAILS(CL_INVALID_BINARY, clCreateProgramWithBinary(cl.context, 1, &cl.device, &less,
                                                                  &all, &status, ERR));
        for (size_t at = (size_t)first + 24; at < bytes; at += 1 + bytes / 40) {
            binary[at] ^= 64;
            CREATE_FAILS(CL_INVALID_BINARY, clCreateProgramWithBinary(cl.context, 1, &cl.device,
                                                                      &bytes, &all, &status, ERR));
            binary[at] ^= 64;
        }
        program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &all, &status, &rc);
        REQUIRE_OK(rc);
        RELEASE_PROGRAM(program);
    }
    free(binary);
    end_case();
}

/* Not the half that its own process needed, nor code of it: nothing that is made later is kept. */
static void folder_that_cannot_be_written(void)
{
    size_t bytes;
    begin_case("on-demand");
    setenv("SLUICE_CACHE_DIR", "/proc/no-such-folder", 1);
    cl_program program = program_of(4, NULL);
    unsigned char *binary = binary_of(program, &bytes);
    RELEASE_PROGRAM(program);
    end_compilers();
    char *before = hide_compiler();
    cl_program second = built_again(binary, bytes);
    for (int k = 3; k >= 0; k--)
        run_kernel(second, k);
    show_compiler(before);
    RELEASE_PROGRAM(second);
    free(binary);
    end_case();
}

/* A divided binary where nothing is kept: the program runs, and its own binary is complete. */
static void loaded_without_cache(void)
{
    size_t bytes, all;
    begin_case("on-demand");
    cl_program program = program_of(5, NULL);
    unsigned char *binary = binary_of(program, &bytes);
    RELEASE_PROGRAM(program);
    setenv("SLUICE_CACHE", "0", 1);
    program = built_again(binary, bytes);
    run_kernel(program, 2);
    unsigned char *complete = binary_of(program, &all);
    CHECK(all != bytes);
    RELEASE_PROGRAM(program);
    end_compilers();
    char *before = hide_compiler();
    program = built_again(complete, all);
    for (int k = 0; k < 5; k++)
        run_kernel(program, k);
    show_compiler(before);
    RELEASE_PROGRAM(program);
    free(complete);
    free(binary);
    unsetenv("SLUICE_CACHE");
    end_case();
}

/* Quick code is in the binary: who has no compiler runs that, however much work it is. */
static void quick_code_without_compiler(void)
{
    size_t bytes;
    begin_case("auto");
    cl_program program = program_of(16, NULL);
    unsigned char *binary = binary_of(program, &bytes);
    RELEASE_PROGRAM(program);
    end_compilers();
    char *before = hide_compiler();
    program = built_again(binary, bytes);
    run_kernel(program, 11);
    run_items(program, 3, (size_t)GROUP << 15);
    run_kernel(program, 3);
    show_compiler(before);
    RELEASE_PROGRAM(program);
    free(binary);
    end_case();
}

/* ---- two devices of one kind ----------------------------------------------------------------- */

struct pair {
    cl_device_id devices[2];
    cl_context context;
    cl_command_queue queues[2];
};

static struct pair make_pair(void)
{
    static const cl_device_partition_property by_counts[] = {
        CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    struct pair pair;
    cl_int rc;
    if (device_uint(CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
        check_skip("no sub-devices");
    REQUIRE_OK(clCreateSubDevices(cl.device, by_counts, 2, pair.devices, NULL));
    pair.context = clCreateContext(NULL, 2, pair.devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    for (int d = 0; d < 2; d++) {
        pair.queues[d] = clCreateCommandQueue(pair.context, pair.devices[d], 0, &rc);
        REQUIRE_OK(rc);
    }
    return pair;
}

static void release_pair(const struct pair *pair)
{
    for (int d = 0; d < 2; d++)
        CHECK_OK(clReleaseCommandQueue(pair->queues[d]));
    CHECK_OK(clReleaseContext(pair->context));
    for (int d = 0; d < 2; d++)
        CHECK_OK(clReleaseDevice(pair->devices[d]));
}

static void run_on_pair(const struct pair *pair, cl_program program, int d, int k)
{
    char name[16];
    cl_int rc;
    sprintf(name, "k%d", k);
    cl_kernel kernel = clCreateKernel(program, name, &rc);
    REQUIRE_OK(rc);
    cl_mem mem = clCreateBuffer(pair->context, CL_MEM_READ_WRITE, ITEMS * sizeof(int), NULL, &rc);
    REQUIRE_OK(rc);
    write_numbers(pair->queues[d], mem, ITEMS);
    CHECK_OK(launch(pair->queues[d], kernel, mem, d));
    CHECK(is_right(pair->queues[d], mem, k, d));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void binaries_of_pair(cl_program program, unsigned char *binaries[2], size_t bytes[2])
{
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, 2 * sizeof *bytes, bytes, NULL));
    for (int d = 0; d < 2; d++)
        binaries[d] = malloc(bytes[d]);
    REQUIRE_OK(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, 2 * sizeof *binaries, binaries, NULL));
}

/* The second one has the first one's code, and a binary like it. */
static void two_devices_of_a_kind(void)
{
    enum { KERNELS = 5 };
    unsigned char *binaries[2];
    size_t bytes[2];
    cl_int rc, status[2];
    begin_case("on-demand");
    struct pair pair = make_pair();
    char *text = source_of(KERNELS, "");
    cl_program program =
        clCreateProgramWithSource(pair.context, 1, (const char *[]){text}, NULL, ERR);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    run_on_pair(&pair, program, 1, 2);
    int before = cache_entries();
    binaries_of_pair(program, binaries, bytes);
    if (is_sluice()) {
        CHECK_EQ(before, 1 + 1);
        CHECK_EQ(cache_entries(), before);
        CHECK(bytes[0] == bytes[1] && !memcmp(binaries[0], binaries[1], bytes[0]));
    }
    RELEASE_PROGRAM(program);
    program = clCreateProgramWithBinary(pair.context, 2, pair.devices, bytes,
                                        (const unsigned char **)binaries, status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    for (int k = 0; k < KERNELS; k++)
        for (int d = 0; d < 2; d++)
            run_on_pair(&pair, program, d, k);
    RELEASE_PROGRAM(program);
    for (int d = 0; d < 2; d++)
        free(binaries[d]);
    free(text);
    release_pair(&pair);
    end_case();
}

/* ---- all at once ----------------------------------------------------------------------------- */

enum { THREADS = 6, KERNELS_AT_ONCE = 9 };

struct worker {
    cl_program program;
    const unsigned char *binary;
    size_t bytes;
    int first, wrong;
};

static void *ask_and_launch(void *data)
{
    struct worker *w = data;
    for (int n = 0; n < KERNELS_AT_ONCE; n++) {
        int k = (w->first + n) % KERNELS_AT_ONCE;
        char name[16];
        size_t bytes = 0;
        cl_int rc;
        sprintf(name, "k%d", k);
        cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
        cl_kernel kernel = clCreateKernel(w->program, name, &rc);
        cl_mem mem = fresh_numbers();
        w->wrong += launch(queue, kernel, mem, n) || !is_right(queue, mem, k, n);
        w->wrong +=
            clGetProgramInfo(w->program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) ||
            bytes != w->bytes;
        clReleaseMemObject(mem);
        clReleaseKernel(kernel);
        clReleaseCommandQueue(queue);
    }
    clReleaseProgram(w->program);
    return NULL;
}

/* First launches of all kernels, while others ask for the binary and are done with the program. */
static void threads_with_a_binary(void)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    size_t bytes;
    begin_case("auto");
    cl_program program = program_of(KERNELS_AT_ONCE, NULL);
    unsigned char *binary = binary_of(program, &bytes);
    RELEASE_PROGRAM(program);
    program = built_again(binary, bytes);
    for (int t = 0; t < THREADS; t++) {
        CHECK_OK(clRetainProgram(program));
        workers[t] = (struct worker){program, binary, bytes, t * 2, 0};
        REQUIRE(!pthread_create(&threads[t], NULL, ask_and_launch, &workers[t]));
    }
    CHECK_OK(clReleaseProgram(program));
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        CHECK_EQ(workers[t].wrong, 0);
    }
    free(binary);
    end_case();
}

static const struct test_case cases[] = {
    CASE(binary_round_trip),      CASE(binary_stays_divided),
    CASE(damaged_divided_binary), CASE(folder_that_cannot_be_written),
    CASE(loaded_without_cache),   CASE(quick_code_without_compiler),
    CASE(two_devices_of_a_kind),  CASE(threads_with_a_binary),
};
TEST_MAIN("api.demand_binary", cases)
