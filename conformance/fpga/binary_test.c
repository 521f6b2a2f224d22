/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program binaries that somebody has changed and given the right checksum. Their code is not run;
 * whatever their tables say, the driver refuses them or answers all questions about them. Each
 * change is drawn from its number: SLUICE_TEST_MUTATION=N makes that one only.
 */
#include "flow.h"
#include "reference.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MUTATIONS = 10000, CHECKSUM_AT = 8, SUMMED_AT = 24, HEADER_BYTES = 200 };
static const double most_seconds = 20;

static const char source[] = CHANNELS HOST_PIPES
    "typedef struct { int a; float4 b; } S;\n"
    "constant int counter[100] = {1, 2, 3};\n"
    "channel uint c __attribute__((depth(4)));\n"
    "channel float4 grid[2][3] __attribute__((depth(3)));\n"
    "channel S there __attribute__((depth(5))) __attribute__((intel_host_accessible));\n"
    "channel int back __attribute__((depth(5))) __attribute__((intel_host_accessible));\n"
    "channel int io __attribute__((io(\"nowhere\")));\n"
    "kernel void src(global uint *o, uint n) {\n"
    "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
    "    write_channel_intel(grid[n % 2][1], (float4)(n));\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) __attribute__((vec_type_hint(float4)))\n"
    "void dst(global uint *o, constant float *f, local float *l, S s, read_only image2d_t im, "
    "sampler_t sm) "
    "{\n"
    "    l[0] = f[0] + s.b.x + read_imagef(im, sm, (int2)(0)).x;\n"
    "    o[0] = read_channel_intel(c) + (uint)l[0] + counter[s.a];\n"
    "    printf(\"%u %s\\n\", o[0], \"text\");\n"
    "}\n"
    "kernel void host(global int *o) {\n"
    "    S s = read_channel_intel(there);\n"
    "    write_channel_intel(back, s.a + read_channel_intel(io));\n"
    "}\n"
    "kernel void arguments(read_only pipe int p, write_only pipe float4 q\n"
    "                      __attribute__((depth(7))) __attribute__((blocking))) {\n"
    "    int v; float4 f = 1;\n"
    "    if (!read_pipe(p, &v)) write_pipe(q, &f);\n"
    "}\n";

struct bytes {
    unsigned char *at; /* owned */
    size_t count;
};

/* ---- changing -------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

static uint64_t odd_number(const struct bytes *bytes)
{
    switch (draw(8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return (uint64_t)1 << draw(64);
    case 3:
        return ((uint64_t)1 << draw(64)) - 1;
    case 4:
        return draw(bytes->count);
    case 5:
        return draw(256);
    case 6:
        return (uint64_t)-(int64_t)draw(65536);
    default:
        return draw(UINT32_MAX) << draw(32);
    }
}

/* Most often where tables are: at the beginning of the ELF file, or near its end. */
static size_t place(const struct bytes *bytes)
{
    size_t body = bytes->count - HEADER_BYTES, at;
    switch (draw(8)) {
    case 0:
        return draw(HEADER_BYTES);
    case 1:
    case 2:
        at = draw(body < 1024 ? body : 1024);
        break;
    case 3:
        at = draw(body / 4 + 1);
        break;
    default:
        at = draw(body);
    }
    return HEADER_BYTES + at;
}

static void put(struct bytes *bytes, size_t at, uint64_t value, size_t width)
{
    at -= at % width;
    if (at + width <= bytes->count)
        memcpy(bytes->at + at, &value, width);
}

static void change_once(struct bytes *bytes)
{
    size_t at = place(bytes), from = place(bytes);
    uint64_t word;
    switch (draw(6)) {
    case 0:
        bytes->at[at] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        bytes->at[at] = (unsigned char)draw(256);
        break;
    case 2:
        put(bytes, at, odd_number(bytes), 4);
        break;
    case 3:
        put(bytes, at, odd_number(bytes), 8);
        break;
    case 4: /* a word that means something elsewhere */
        from -= from % 8;
        if (from + 8 <= bytes->count) {
            memcpy(&word, bytes->at + from, sizeof word);
            put(bytes, at, word, 8);
        }
        break;
    default: /* a number that is nearly right */
        at -= at % 8;
        if (at + 8 <= bytes->count) {
            memcpy(&word, bytes->at + at, sizeof word);
            put(bytes, at, word + draw(64) - 32, 8);
        }
    }
}

static void change(struct bytes *bytes, uint64_t number)
{
    state = number * 0x9e3779b97f4a7c15u + 1;
    for (uint64_t n = draw(4) + 1; n; n--)
        change_once(bytes);
    XXH128_hash_t sum = XXH3_128bits(bytes->at + SUMMED_AT, bytes->count - SUMMED_AT);
    memcpy(bytes->at + CHECKSUM_AT, &sum.low64, 8);
    memcpy(bytes->at + CHECKSUM_AT + 8, &sum.high64, 8);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static char answer[1 << 16];

static void ask_kernel(cl_kernel kernel)
{
    static const cl_kernel_info facts[] = {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_ATTRIBUTES};
    static const cl_kernel_arg_info of_argument[] = {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_TYPE_NAME,
        CL_KERNEL_ARG_TYPE_QUALIFIER, CL_KERNEL_ARG_NAME};
    static const cl_kernel_work_group_info of_group[] = {
        CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE};
    cl_uint count = 0;
    for (size_t i = 0; i < LEN(facts); i++)
        clGetKernelInfo(kernel, facts[i], sizeof answer, answer, NULL);
    for (size_t i = 0; i < LEN(of_group); i++)
        clGetKernelWorkGroupInfo(kernel, cl.device, of_group[i], sizeof answer, answer, NULL);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    for (cl_uint arg = 0; arg < count && arg < 100; arg++) {
        for (size_t i = 0; i < LEN(of_argument); i++)
            clGetKernelArgInfo(kernel, arg, of_argument[i], sizeof answer, answer, NULL);
        for (size_t size = 4; size <= 64; size *= 2) {
            memset(answer, 0, size);
            clSetKernelArg(kernel, arg, size, answer);
        }
        clSetKernelArg(kernel, arg, 64, NULL);
    }
    cl_kernel clone = clCloneKernel(kernel, NULL);
    if (clone)
        CHECK_OK(clReleaseKernel(clone));
}

static void ask_pipes(cl_program program)
{
    static const char *const names[] = {"there", "back", "c", "grid[1][2]"};
    clEnqueueReadHostPipeINTEL_fn read = NULL;
    clEnqueueWriteHostPipeINTEL_fn write = NULL;
    void *found[] = {
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueReadHostPipeINTEL"),
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueWriteHostPipeINTEL")};
    memcpy(&read, &found[0], sizeof read);
    memcpy(&write, &found[1], sizeof write);
    for (size_t i = 0; i < LEN(names); i++) {
        for (int turn = 0; turn < 8; turn++)
            for (size_t size = 4; size <= 32; size += 28) {
                read(cl.queue, program, names[i], CL_FALSE, answer, size, 0, NULL, NULL);
                write(cl.queue, program, names[i], CL_FALSE, answer, size, 0, NULL, NULL);
            }
    }
}

static void ask(cl_program program)
{
    static const cl_program_info facts[] = {
        CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_BINARY_SIZES,
        CL_PROGRAM_NUM_HOST_PIPES_INTEL, CL_PROGRAM_HOST_PIPE_NAMES_INTEL};
    static const char *const names[] = {"src", "dst", "host", "arguments", "nobody"};
    static const cl_program_build_info of_build[] = {CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS,
                                                     CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE};
    cl_kernel kernels[64];
    cl_uint count = 0;
    for (size_t i = 0; i < LEN(facts); i++)
        clGetProgramInfo(program, facts[i], sizeof answer, answer, NULL);
    for (size_t i = 0; i < LEN(of_build); i++)
        clGetProgramBuildInfo(program, cl.device, of_build[i], sizeof answer, answer, NULL);
    for (size_t i = 0; i < LEN(names); i++) {
        cl_kernel kernel = clCreateKernel(program, names[i], NULL);
        if (kernel)
            CHECK_OK(clReleaseKernel(kernel));
    }
    if (!clCreateKernelsInProgram(program, LEN(kernels), kernels, &count)) {
        for (cl_uint i = 0; i < count; i++) {
            ask_kernel(kernels[i]);
            CHECK_OK(clReleaseKernel(kernels[i]));
        }
    }
    ask_pipes(program);
}

/* ---- the case -------------------------------------------------------------------------------- */

static struct bytes binary_of(cl_program program)
{
    struct bytes bytes = {0};
    REQUIRE_OK(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes.count, &bytes.count, NULL));
    REQUIRE(bytes.count > HEADER_BYTES);
    bytes.at = malloc(bytes.count);
    REQUIRE(bytes.at);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes.at, &bytes.at, NULL));
    return bytes;
}

/* 0: refused at once, 1: by the build, 2: built. */
static int try_binary(const struct bytes *bytes)
{
    const unsigned char *at = bytes->at;
    cl_int status, rc;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes->count, &at, &status, &rc);
    if (!program)
        return 0;
    int built = !clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
    if (built)
        ask(program);
    CHECK_OK(clReleaseProgram(program));
    return 1 + built;
}

static void forged_binaries(void)
{
    const char *only = getenv("SLUICE_TEST_MUTATION"), *count = getenv("SLUICE_TEST_MUTATIONS");
    unsigned long ends[3] = {0}, first = only ? strtoul(only, NULL, 0) : 0;
    unsigned long last = only ? first + 1 : count ? strtoul(count, NULL, 0) : MUTATIONS;
    if (!is_sluice())
        check_skip("a format of Sluice");
    cl_program program = built(source, "");
    struct bytes good = binary_of(program), forged = {malloc(good.count), good.count};
    REQUIRE(forged.at);
    RELEASE_PROGRAM(program);
    CHECK_EQ(try_binary(&good), 2);
    double start = now_seconds();
    unsigned long i = first;
    for (; i < last && now_seconds() - start < most_seconds; i++) {
        memcpy(forged.at, good.at, good.count);
        change(&forged, i);
        if (getenv("SLUICE_TEST_MUTATION_TRACE"))
            fprintf(stderr, "mutation %lu\n", i);
        ends[try_binary(&forged)]++;
    }
    printf("%lu binaries: %lu refused at once, %lu by the build, %lu built\n", i - first, ends[0],
           ends[1], ends[2]);
    free(forged.at);
    free(good.at);
}

static cl_program load_binary(cl_program from)
{
    struct bytes bytes = binary_of(from);
    const unsigned char *at = bytes.at;
    cl_int rc;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes.count, &at, NULL, &rc);
    REQUIRE_OK(rc);
    free(bytes.at);
    return program;
}

/* As hosts of designs have it, whose vendor's runtime counts a binary as built; not on a CPU, and
 * no other kind of binary. */
static void never_built(void)
{
    static const char two[] = "kernel void k(global uint *o, uint n) {\n"
                              "    for (uint i = 0; i < n; i++) o[i] = i;\n"
                              "}\n"
                              "kernel void l(global uint *o) { o[0] = 1; }\n";
    cl_program from = built(two, ""), program = load_binary(from);
    cl_build_status status;
    cl_uint count = 0;
    if (!is_sluice())
        check_skip("other runtimes differ");
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    CHECK_EQ(status, CL_BUILD_NONE);
    program_expect(program, "k", 100, want_same);
    CHECK_OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    CHECK_EQ(status, CL_BUILD_SUCCESS);
    RELEASE_PROGRAM(program);
    program = load_binary(from);
    CHECK_OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    CHECK_EQ(count, 2);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(from);
    from = new_program(two);
    CHECK_OK(clCompileProgram(from, 1, &cl.device, "", 0, NULL, NULL, NULL, NULL));
    program = load_binary(from);
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", ERR));
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(from);
}

/* ---- first kernels from several threads ------------------------------------------------------ */

struct creator {
    pthread_barrier_t *together;
    cl_program program;
    const char *name; /* NULL: all kernels, of which the first is kept */
    cl_kernel kernel; /* owned */
    cl_int rc;
};

static void *create_first(void *data)
{
    struct creator *c = data;
    cl_kernel kernels[2] = {0};
    pthread_barrier_wait(c->together);
    if (c->name)
        c->kernel = clCreateKernel(c->program, c->name, &c->rc);
    else if (!(c->rc = clCreateKernelsInProgram(c->program, 2, kernels, NULL)))
        c->kernel = kernels[0];
    if (kernels[1])
        clReleaseKernel(kernels[1]);
    return NULL;
}

static void run_design(cl_kernel from, cl_kernel to, cl_uint count)
{
    const size_t one = 1;
    cl_command_queue queues[] = {new_queue(0), new_queue(0)};
    cl_kernel kernels[] = {from, to};
    cl_mem out = new_uints(count);
    for (int i = 0; i < 2; i++) {
        ARG(kernels[i], 0, out);
        ARG(kernels[i], 1, count);
        CHECK_OK(clEnqueueNDRangeKernel(queues[i], kernels[i], 1, NULL, &one, &one, 0, NULL, NULL));
        CHECK_OK(clFlush(queues[i]));
    }
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clFinish(queues[i]));
        RELEASE_QUEUE(queues[i]);
    }
    expect_uints(out, count, want_same);
    RELEASE_MEM(out);
}

/* A design that nobody built is built once, whichever thread comes first: all of its kernels have
 * the same channels. */
static void never_built_by_threads(void)
{
    enum { ROUNDS = 300, THREADS = 3 };
    static const char text[] =
        CHANNELS "channel uint c;\n"
                 "kernel void src(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
                 "}\n"
                 "kernel void dst(global uint *o, uint n) {\n"
                 "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                 "}\n";
    static const char *const names[THREADS] = {"src", "dst", NULL};
    pthread_barrier_t together;
    if (!is_sluice())
        check_skip("other runtimes differ");
    cl_program from = built(text, "");
    pthread_barrier_init(&together, NULL, THREADS);
    for (int round = 0; round < ROUNDS; round++) {
        struct creator all[THREADS];
        pthread_t threads[THREADS];
        cl_program program = load_binary(from);
        for (int i = 0; i < THREADS; i++) {
            all[i] = (struct creator){&together, program, names[i], NULL, CL_SUCCESS};
            REQUIRE(!pthread_create(&threads[i], NULL, create_first, &all[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            REQUIRE_OK(all[i].rc);
        }
        run_design(all[0].kernel, all[1].kernel, 13);
        for (int i = 0; i < THREADS; i++)
            RELEASE_KERNEL(all[i].kernel);
        RELEASE_PROGRAM(program);
    }
    pthread_barrier_destroy(&together);
    RELEASE_PROGRAM(from);
}

static const struct test_case cases[] = {CASE(forged_binaries), CASE(never_built),
                                         CASE(never_built_by_threads)};
TEST_MAIN("binary", cases)
