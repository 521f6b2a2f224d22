/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs from SPIR-V: built, compiled, linked with each other and with OpenCL C, specialized,
 * damaged, and from several threads. Skipped on devices that take none.
 */
#include "cl_help.h"

#include "il_modules.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void need_il(void)
{
    char version[256] = "";
    if (device_version() >= 210)
        CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL));
    if (!version[0])
        check_skip("the device takes no SPIR-V");
}

static cl_program from_words(const uint32_t *words, size_t bytes)
{
    cl_int rc;
    need_il();
    cl_program program = clCreateProgramWithIL(cl.context, words, bytes, &rc);
    REQUIRE_OK(rc);
    return program;
}

static cl_program from_il(const struct il_module *module)
{
    return from_words(module->words, module->bytes);
}

static void build(cl_program program)
{
    cl_int rc = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
    if (!rc)
        return;
    char *log = build_log(program);
    check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
    free(log);
    check_abandon();
}

/* ---- specialization constants ---------------------------------------------------------------- */

enum { ITEMS = 5, SLOTS = 7 };

static const struct {
    cl_uint id;
    size_t bytes;
} constants[SLOTS] = {{0, 1}, {1, 1}, {2, 2}, {4, 4}, {8, 8}, {14, 4}, {18, 8}};
static const cl_ulong defaults[SLOTS] = {0, 1, 2, 3, 4, 5, 6};

static void check_constants(cl_program program, const cl_ulong *want)
{
    cl_ulong got[ITEMS][SLOTS];
    memset(got, 0xff, sizeof got);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    cl_kernel kernel = kernel_of(program, "constants");
    ARG(kernel, 0, mem);
    run_1d(kernel, ITEMS, 0);
    read_back(mem, sizeof got, got);
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t k = 0; k < SLOTS; k++)
            CHECK_EQ(got[i][k], want[k]);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

/* The bits of whole numbers as the constant's type has them. */
static cl_ulong bits_of(size_t k, cl_ulong number)
{
    cl_ulong bits = number;
    float small = (float)number;
    double large = (double)number;
    if (constants[k].id == 14)
        memcpy(&bits, &small, sizeof small);
    if (constants[k].id == 18)
        memcpy(&bits, &large, sizeof large);
    return bits;
}

static void set(cl_program program, size_t k, cl_ulong number)
{
    cl_ulong bits = bits_of(k, number);
    CHECK_OK(
        clSetProgramSpecializationConstant(program, constants[k].id, constants[k].bytes, &bits));
}

static void defaults_and_values(void)
{
    const cl_ulong first[SLOTS] =
        {1, 255, 65535, 4294967295u, 0xfedcba9876543210u, 1u << 24, (cl_ulong)1 << 53},
                   second[SLOTS] = {1, 255, 65535, 77, 0xfedcba9876543210u, 1u << 24, 1234567};
    cl_program program = from_il(&il_constants);
    build(program);
    check_constants(program, defaults);
    for (size_t k = 0; k < SLOTS; k++)
        set(program, k, first[k]);
    check_constants(program, defaults); /* what is built stays */
    build(program);
    check_constants(program, first);
    set(program, 3, 77);
    set(program, 6, 1234567);
    build(program);
    check_constants(program, second);
    RELEASE_PROGRAM(program);
    program = from_il(&il_constants); /* another one does not know of them */
    build(program);
    check_constants(program, defaults);
    RELEASE_PROGRAM(program);
}

static void one_at_a_time(void)
{
    for (size_t k = 0; k < SLOTS; k++) {
        cl_program program = from_il(&il_constants);
        cl_ulong want[SLOTS];
        memcpy(want, defaults, sizeof want);
        want[k] = k ? 100 + k : 1;
        set(program, k, want[k]);
        build(program);
        check_constants(program, want);
        RELEASE_PROGRAM(program);
    }
}

/* ---- other ways for a module ----------------------------------------------------------------- */

static uint32_t turned[512];

static void turn_constants(void)
{
    REQUIRE(il_constants.bytes <= sizeof turned);
    for (size_t i = 0; i < il_constants.bytes / 4; i++)
        turned[i] = __builtin_bswap32(il_constants.words[i]);
}

static void other_byte_order(void)
{
    turn_constants();
    cl_program program = from_words(turned, il_constants.bytes);
    cl_ulong want[SLOTS] = {0, 1, 2, 3, 99, 5, 6};
    set(program, 4, 99);
    build(program);
    check_constants(program, want);
    RELEASE_PROGRAM(program);
    turned[0] = 0x02072303; /* of no order */
    cl_int rc;
    CHECK(!clCreateProgramWithIL(cl.context, turned, il_constants.bytes, &rc));
    CHECK_EQ(rc, CL_INVALID_VALUE);
}

static cl_program from_binary(const void *bytes, size_t size)
{
    const unsigned char *binary = bytes;
    cl_int rc, status = 1;
    cl_program program =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, &binary, &status, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(status);
    return program;
}

static void as_binary(void)
{
    need_il();
    if (!is_sluice())
        check_skip("binaries are the implementation's own");
    cl_program program = from_binary(il_constants.words, il_constants.bytes);
    build(program);
    check_constants(program, defaults);
    RELEASE_PROGRAM(program);
    turn_constants();
    program = from_binary(turned, il_constants.bytes);
    build(program);
    check_constants(program, defaults);
    RELEASE_PROGRAM(program);
}

/* The binary of a program has the values that it was built with. */
static void binary_of_it(void)
{
    const cl_ulong want[SLOTS] = {0, 1, 2, 1000, 4, 5, 6};
    size_t bytes = 0, il_bytes = 1;
    cl_program program = from_il(&il_constants);
    set(program, 3, 1000);
    build(program);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    REQUIRE(bytes > 0);
    unsigned char *binary = malloc(bytes);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    RELEASE_PROGRAM(program);
    program = from_binary(binary, bytes);
    free(binary);
    build(program);
    check_constants(program, want);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &il_bytes));
    CHECK_EQ(il_bytes, 0);
    RELEASE_PROGRAM(program);
}

static void queries(void)
{
    char il[4096], text[64] = "x";
    size_t bytes = 0;
    cl_program program = from_il(&il_constants);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof il, il, &bytes));
    CHECK_EQ(bytes, il_constants.bytes);
    CHECK(!memcmp(il, il_constants.words, il_constants.bytes));
    FAILS(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_IL, bytes - 1, il, NULL));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK_EQ(text[0], 0);
    build(program);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(!strcmp(text, "constants"));
    cl_kernel kernel = kernel_of(program, "constants");
    CHECK_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, "out"));
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static cl_program compiled(cl_program program)
{
    cl_int rc = clCompileProgram(program, 1, &cl.device, "", 0, NULL, NULL, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
        free(log);
        check_abandon();
    }
    return program;
}

static cl_program link_of(cl_program a, cl_program b, const char *options)
{
    const cl_program parts[] = {a, b};
    cl_int rc;
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, options, b ? 2 : 1, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_PROGRAM(a);
    if (b)
        RELEASE_PROGRAM(b);
    return program;
}

/* Kernel `caller` of it: 2x + 3. */
static void check_caller(cl_program program)
{
    const cl_uint x = 0x7fffffff;
    cl_uint got = 1;
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    cl_kernel kernel = kernel_of(program, "caller");
    ARG(kernel, 0, mem);
    ARG(kernel, 1, x);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof got, &got);
    CHECK_EQ(got, 2 * x + 3);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_PROGRAM(program);
}

static const char twice_text[] = "uint twice(uint x) { return x + x; }\n",
                  caller_text[] = "uint twice(uint x);\n"
                                  "kernel void caller(global uint *out, uint x)\n"
                                  "{ *out = twice(x) + 3; }\n";

static void linked(void)
{
    check_caller(link_of(compiled(from_il(&il_caller)), compiled(from_il(&il_twice)), ""));
    check_caller(link_of(compiled(from_il(&il_caller)), compiled(new_program(twice_text)), ""));
    check_caller(link_of(compiled(from_il(&il_twice)), compiled(new_program(caller_text)), ""));
}

static void libraries(void)
{
    const char *option = "-create-library";
    cl_program il = link_of(compiled(from_il(&il_twice)), NULL, option),
               text = link_of(compiled(new_program(twice_text)), NULL, option);
    check_caller(link_of(il, compiled(from_il(&il_caller)), ""));
    check_caller(link_of(compiled(from_il(&il_caller)), text, ""));
    il = link_of(compiled(from_il(&il_twice)), NULL, option);
    check_caller(link_of(compiled(new_program(caller_text)), il, ""));
}

static void nobody_exports(void)
{
    cl_program program = from_il(&il_caller);
    cl_int rc;
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    char *log = build_log(program);
    CHECK(strstr(log, "twice") != NULL);
    free(log);
    compiled(program);
    cl_program lone = clLinkProgram(cl.context, 1, &cl.device, "", 1, &program, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    if (lone)
        RELEASE_PROGRAM(lone);
    RELEASE_PROGRAM(program);
}

/* ---- the same as text ------------------------------------------------------------------------ */

static const char blend_text[] =
    "kernel void blend(global float4 *out, global const float4 *in, float a, local uint *shared)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    float4 x = in[i];\n"
    "    shared[get_local_id(0)] = convert_uint_sat_rte(x.y);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < 3; k++)\n"
    "        x = fma(x.wxyz, a, sqrt(fabs(x)));\n"
    "    x.z += shared[get_local_size(0) - 1 - get_local_id(0)];\n"
    "    out[i] = x;\n"
    "}\n";

enum { BLENDED = 39 * 4, GROUP = 13 };

static void blend(cl_program program, const float *in, float *out)
{
    const float a = 0.75f;
    const size_t bytes = BLENDED * sizeof *in;
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, (void *)(uintptr_t)in),
           to = new_buffer(0, bytes, NULL);
    cl_kernel kernel = kernel_of(program, "blend");
    ARG(kernel, 0, to);
    ARG(kernel, 1, from);
    ARG(kernel, 2, a);
    set_arg(kernel, 3, GROUP * sizeof(cl_uint), NULL);
    run_1d(kernel, BLENDED / 4, GROUP);
    read_back(to, bytes, out);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_PROGRAM(program);
}

static void as_the_text(void)
{
    float in[BLENDED], text[BLENDED], il[BLENDED];
    cl_program program = from_il(&il_blend);
    for (int i = 0; i < BLENDED; i++)
        in[i] = (float)(i * i % 97) * 1.375f - 40.5f + (i == 77 ? 1e10f : 0);
    build(program);
    blend(program, in, il);
    blend(built(blend_text, ""), in, text);
    for (int i = 0; i < BLENDED; i++)
        CHECK(!memcmp(&il[i], &text[i], sizeof il[i]));
    CHECK(il[0] != 0 && il[1] != il[0]);
}

/* ---- damaged ones ---------------------------------------------------------------------------- */

static void fails_with_log(const uint32_t *words, size_t bytes)
{
    cl_program program = from_words(words, bytes);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    char *log = build_log(program);
    CHECK(strlen(log) > 10);
    free(log);
    RELEASE_PROGRAM(program);
}

/* Cut behind every instruction but the last, and in the middle of each. Where the next one names
 * the kernel it is a module without kernels, and whole. */
static void cut_short(void)
{
    need_il();
    size_t count = il_caller.bytes / 4;
    for (size_t at = 5, length; at < count; at += length) {
        length = il_caller.words[at] >> 16;
        if (at > 5 && (il_caller.words[at] & 0xffff) != 15)
            fails_with_log(il_caller.words, at * 4);
        if (length > 1)
            fails_with_log(il_caller.words, (at + length / 2) * 4);
    }
}

static void says_what_is_missing(void)
{
    uint32_t words[512];
    REQUIRE(il_constants.bytes <= sizeof words);
    memcpy(words, il_constants.words, il_constants.bytes);
    words[6] = 1; /* capability Shader for Addresses */
    cl_program program = from_words(words, il_constants.bytes);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    char *log = build_log(program);
    CHECK(!is_sluice() || strstr(log, "Shader") != NULL);
    free(log);
    RELEASE_PROGRAM(program);
}

/* ---- threads --------------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    cl_uint number;
};

static cl_ulong run_once(cl_program program, cl_command_queue queue)
{
    cl_ulong got[SLOTS] = {0};
    size_t one = 1;
    cl_int rc;
    cl_mem mem = clCreateBuffer(cl.context, 0, sizeof got, NULL, &rc);
    cl_kernel kernel = clCreateKernel(program, "constants", &rc);
    CHECK_OK(rc);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    return got[3];
}

/* A program of its own again and again, with equal values in both threads every other time. */
static void *work(void *data)
{
    const struct worker *worker = data;
    cl_int rc;
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    CHECK_OK(rc);
    for (cl_uint round = 0; round < 6; round++) {
        cl_uint value = 1000 * (round % 2 ? worker->number : 7) + round;
        cl_program program =
            clCreateProgramWithIL(cl.context, il_constants.words, il_constants.bytes, &rc);
        CHECK_OK(rc);
        CHECK_OK(clSetProgramSpecializationConstant(program, 4, sizeof value, &value));
        CHECK_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
        CHECK_EQ(run_once(program, queue), value);
        RELEASE_PROGRAM(program);
    }
    RELEASE_QUEUE(queue);
    return NULL;
}

static void threads(void)
{
    struct worker workers[3];
    need_il();
    for (cl_uint i = 0; i < LEN(workers); i++) {
        workers[i].number = i + 1;
        REQUIRE(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
    }
    for (size_t i = 0; i < LEN(workers); i++)
        pthread_join(workers[i].thread, NULL);
}

/* One program: constants are set while others build it or ask. */
static void *set_again_and_again(void *data)
{
    for (cl_uint value = 0; value < 2000; value++)
        CHECK_OK(clSetProgramSpecializationConstant(data, 4, sizeof value, &value));
    return NULL;
}

static void one_program_many_threads(void)
{
    pthread_t setters[2];
    cl_program program = from_il(&il_constants);
    for (size_t i = 0; i < LEN(setters); i++)
        REQUIRE(!pthread_create(&setters[i], NULL, set_again_and_again, program));
    for (int round = 0; round < 3; round++) {
        build(program);
        CHECK(run_once(program, cl.queue) < 2000);
    }
    for (size_t i = 0; i < LEN(setters); i++)
        pthread_join(setters[i], NULL);
    build(program);
    CHECK_EQ(run_once(program, cl.queue), 1999);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(defaults_and_values),
    CASE(one_at_a_time),
    CASE(other_byte_order),
    CASE(as_binary),
    CASE(binary_of_it),
    CASE(queries),
    CASE(linked),
    CASE(libraries),
    CASE(nobody_exports),
    CASE(cut_short),
    CASE(threads),
    CASE(says_what_is_missing),
    CASE(as_the_text),
    CASE(one_program_many_threads),
};
TEST_MAIN("il", cases)
