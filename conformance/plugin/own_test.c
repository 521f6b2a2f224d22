/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that make code themselves (own_device.c): programs in each form that they take, what they
 * made as binaries, which of several images they take, and what they do not take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <cmocka.h>

enum { SOURCE, IR, BINARY, DEVICES, COUNT = 37 };

static cl_device_id devices[DEVICES];
static cl_context contexts[DEVICES];

/* Legal OpenCL C, which the compiler of the first device reads in its own way: BY=3. */
static const char source[] =
    "/* BY=3 */ kernel void scale(global int *a) { a[get_global_id(0)] *= 3; }";
static const char part[] = "/* BY=4 */ void nothing(void); void nothing(void) {}";

static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {"own_source", "own_ir", "own_binary"};
    cl_platform_id platform;
    cl_uint count = 0;
    cl_int rc = clGetPlatformIDs(1, &platform, NULL);
    if (rc || clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, DEVICES, devices, &count) ||
        count != DEVICES)
        return -1;
    for (int i = 0; i < DEVICES; i++) {
        char name[64] = "";
        clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
        contexts[i] = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &rc);
        if (strcmp(name, names[i]) || rc)
            return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < DEVICES; i++)
        clReleaseContext(contexts[i]);
    return 0;
}

static cl_program from_source(int d, const char *text)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(contexts[d], 1, &text, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    return program;
}

static cl_int build(cl_program program, const char *options)
{
    return clBuildProgram(program, 0, NULL, options, NULL, NULL);
}

static void check_log(cl_program program, int d, const char *words)
{
    char log[2048] = "";
    assert_int_equal(
        clGetProgramBuildInfo(program, devices[d], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL),
        CL_SUCCESS);
    if (!strstr(log, words))
        fail_msg("no \"%s\" in \"%s\"", words, log);
}

static void check_names(cl_program program, const char *want)
{
    char names[32] = "";
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL),
                     CL_SUCCESS);
    assert_string_equal(names, want);
}

/* The kernel multiplies by this. */
static void check_kernel(cl_program program, int d, const char *name, int factor)
{
    cl_int rc, data[COUNT];
    size_t global = COUNT;
    for (int i = 0; i < COUNT; i++)
        data[i] = i - 7;
    cl_command_queue queue = clCreateCommandQueueWithProperties(contexts[d], devices[d], NULL, &rc);
    cl_mem mem = clCreateBuffer(contexts[d], CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
    cl_kernel kernel = clCreateKernel(program, name, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof mem, &mem), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(data[i], (i - 7) * factor);
    clReleaseKernel(kernel);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
}

static void check_factor(cl_program program, int d, int factor)
{
    check_names(program, "scale");
    check_kernel(program, d, "scale", factor);
}

static unsigned char *binary_of(cl_program program, size_t *size)
{
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL),
                     CL_SUCCESS);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL),
                     CL_SUCCESS);
    return bytes;
}

static cl_program from_binary(int d, const void *bytes, size_t size, cl_int want)
{
    cl_int rc, status = 1;
    const unsigned char *at = bytes;
    cl_program program =
        clCreateProgramWithBinary(contexts[d], 1, &devices[d], &size, &at, &status, &rc);
    assert_int_equal(rc, want);
    assert_int_equal(status, want);
    return program;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void compiler_is_told_truly(void **state)
{
    (void)state;
    static const cl_bool want[DEVICES] = {CL_TRUE, CL_TRUE, CL_FALSE};
    for (int i = 0; i < DEVICES; i++) {
        cl_bool compiler = 7, linker = 7;
        clGetDeviceInfo(devices[i], CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
        clGetDeviceInfo(devices[i], CL_DEVICE_LINKER_AVAILABLE, sizeof linker, &linker, NULL);
        assert_int_equal(compiler, want[i]);
        assert_int_equal(linker, want[i]);
    }
    cl_program program = from_source(BINARY, source);
    assert_int_equal(build(program, ""), CL_COMPILER_NOT_AVAILABLE);
    clReleaseProgram(program);
}

static void source_goes_to_the_device(void **state)
{
    (void)state;
    cl_program program = from_source(SOURCE, source);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_log(program, SOURCE, "own compiler: one");
    check_factor(program, SOURCE, 3);
    assert_int_equal(build(program, "-DBY=11"), CL_SUCCESS);
    check_factor(program, SOURCE, 11);
    clReleaseProgram(program);
    program = from_source(SOURCE, "no number here");
    assert_int_equal(build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    check_log(program, SOURCE, "by what?");
    clReleaseProgram(program);
}

/* Versions of the language that the devices do not announce. */
static void versions_are_as_announced(void **state)
{
    (void)state;
    static const char *const refused[] = {"-cl-std=CL3.1", "-cl-std=CL2.0", "-cl-std=CLC++",
                                          "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};
    for (int d = SOURCE; d <= IR; d++) {
        char text[64] = "";
        clGetDeviceInfo(devices[d], CL_DEVICE_VERSION, sizeof text, text, NULL);
        assert_int_equal(strncmp(text, "OpenCL 3.0 ", 11), 0);
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            cl_program program = from_source(d, source);
            assert_int_equal(build(program, refused[i]), CL_BUILD_PROGRAM_FAILURE);
            check_log(program, d, refused[i]);
            check_log(program, d, "not supported; CL1.0, CL1.1, CL1.2 and CL3.0 are");
            assert_int_equal(build(program, "-cl-std=CL3.0"), CL_SUCCESS);
            clReleaseProgram(program);
        }
    }
}

static void objects_are_linked_by_the_device(void **state)
{
    (void)state;
    cl_int rc;
    cl_program parts[2] = {from_source(SOURCE, source), from_source(SOURCE, part)};
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
                         CL_SUCCESS);
    cl_program linked = clLinkProgram(contexts[SOURCE], 0, NULL, "", 2, parts, NULL, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    check_log(linked, SOURCE, "several");
    check_factor(linked, SOURCE, 12);
    clReleaseProgram(linked);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
}

static void bitcode_comes_of_source(void **state)
{
    (void)state;
    cl_int rc;
    cl_program program = from_source(IR, source);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_factor(program, IR, 7);
    clReleaseProgram(program);
    program = from_source(IR, "kernel void scale(global int *a) { a[0] = nonsense; }");
    assert_int_equal(build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    check_log(program, IR, "nonsense");
    clReleaseProgram(program);
    cl_program parts[2] = {from_source(IR, source), from_source(IR, part)};
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
                         CL_SUCCESS);
    program = clLinkProgram(contexts[IR], 0, NULL, "", 2, parts, NULL, NULL, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    check_factor(program, IR, 7);
    clReleaseProgram(program);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
}

/* A module with one specialization constant and nothing else: the device reads no more of it. */
static const cl_uint spirv[] = {0x07230203,
                                0x00010000,
                                0,
                                4,
                                0,
                                (2 << 16) | 17,
                                6,
                                (3 << 16) | 14,
                                2,
                                2,
                                (4 << 16) | 71,
                                2,
                                1,
                                9,
                                (4 << 16) | 21,
                                1,
                                32,
                                0,
                                (4 << 16) | 50,
                                1,
                                2,
                                6};

static void spirv_goes_to_the_device(void **state)
{
    (void)state;
    cl_int rc;
    const cl_int value = 13;
    cl_program program = clCreateProgramWithIL(contexts[SOURCE], spirv, sizeof spirv, &rc);
    assert_int_equal(rc, CL_SUCCESS);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_factor(program, SOURCE, 5);
    assert_int_equal(clSetProgramSpecializationConstant(program, 9, sizeof value, &value),
                     CL_SUCCESS);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_factor(program, SOURCE, 13);
    clReleaseProgram(program);
    cl_uint turned[sizeof spirv / sizeof *spirv]; /* the device gets it in its own byte order */
    for (size_t i = 0; i < sizeof spirv / sizeof *spirv; i++)
        turned[i] = __builtin_bswap32(spirv[i]);
    for (int binary = 0; binary < 2; binary++) {
        program = binary ? from_binary(SOURCE, turned, sizeof turned, CL_SUCCESS)
                         : clCreateProgramWithIL(contexts[SOURCE], turned, sizeof turned, &rc);
        assert_int_equal(rc, CL_SUCCESS);
        assert_int_equal(clSetProgramSpecializationConstant(program, 9, sizeof value, &value),
                         binary ? CL_INVALID_PROGRAM : CL_SUCCESS);
        assert_int_equal(build(program, ""), CL_SUCCESS);
        check_factor(program, SOURCE, binary ? 5 : 13);
        clReleaseProgram(program);
    }
    assert_null(clCreateProgramWithIL(contexts[BINARY], spirv, sizeof spirv, &rc));
    assert_int_equal(rc, CL_INVALID_OPERATION);
}

static void binaries_come_back(void **state)
{
    (void)state;
    size_t size;
    cl_program program = from_source(SOURCE, source);
    assert_int_equal(build(program, "-DBY=-2"), CL_SUCCESS);
    unsigned char *bytes = binary_of(program, &size);
    for (int d = 0; d < DEVICES; d++) {
        cl_program again = from_binary(d, bytes, size, CL_SUCCESS);
        assert_int_equal(build(again, ""), CL_SUCCESS);
        check_factor(again, d, -2);
        clReleaseProgram(again);
    }
    bytes[size - 9] ^= 1;
    assert_null(from_binary(BINARY, bytes, size, CL_INVALID_BINARY));
    free(bytes);
    clReleaseProgram(program);
}

/* As the vendor's own tools would write them. */
static void bare_binaries(void **state)
{
    (void)state;
    const struct {
        char magic[8];
        cl_int factor;
        char rest[4 + 2 * 16]; /* and the names of built-in kernels */
    } bare = {{'O', 'W', 'N', 'C', 'O', 'D', 'E', '1'}, 21, {0}};
    cl_program program = from_binary(BINARY, &bare, sizeof bare, CL_SUCCESS);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_factor(program, BINARY, 21);
    clReleaseProgram(program);
    assert_null(from_binary(BINARY, &bare, sizeof bare - 1, CL_INVALID_BINARY));
    assert_null(from_binary(BINARY, "something else", 14, CL_INVALID_BINARY));
}

/* PI-13: of several images the device selects. Its own rule is the last one of its target. */
static void the_device_selects(void **state)
{
    (void)state;
    size_t size[2];
    unsigned char *image[2], *both;
    for (int i = 0; i < 2; i++) {
        cl_program program = from_source(SOURCE, source);
        assert_int_equal(build(program, i ? "-DBY=6" : "-DBY=5"), CL_SUCCESS);
        image[i] = binary_of(program, &size[i]);
        clReleaseProgram(program);
    }
    size_t total = size[0] + size[1] + sizeof spirv;
    both = malloc(total);
    assert_non_null(both);
    memcpy(both, image[0], size[0]);
    memcpy(both + size[0], image[1], size[1]);
    memcpy(both + size[0] + size[1], spirv, sizeof spirv);
    cl_program program = from_binary(SOURCE, both, total, CL_SUCCESS);
    assert_int_equal(build(program, ""), CL_SUCCESS);
    check_factor(program, SOURCE, 6);
    clReleaseProgram(program);
    free(both);
    free(image[0]);
    free(image[1]);
}

static void check_no_built_in(int d, const char *names)
{
    cl_int rc = 0;
    assert_null(clCreateProgramWithBuiltInKernels(contexts[d], 1, &devices[d], names, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
}

static void built_in_kernels_are_told(void **state)
{
    (void)state;
    char names[64] = "";
    cl_name_version versions[3];
    size_t bytes = 1;
    assert_int_equal(
        clGetDeviceInfo(devices[BINARY], CL_DEVICE_BUILT_IN_KERNELS, sizeof names, names, &bytes),
        CL_SUCCESS);
    assert_string_equal(names, "triple;negate");
    assert_int_equal(bytes, sizeof "triple;negate");
    assert_int_equal(clGetDeviceInfo(devices[BINARY], CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                                     sizeof versions, versions, &bytes),
                     CL_SUCCESS);
    assert_int_equal(bytes, 2 * sizeof *versions);
    assert_string_equal(versions[1].name, "negate");
    assert_int_equal(versions[1].version, CL_MAKE_VERSION(1, 2, 0));
    assert_int_equal(
        clGetDeviceInfo(devices[IR], CL_DEVICE_BUILT_IN_KERNELS, sizeof names, names, &bytes),
        CL_SUCCESS);
    assert_string_equal(names, "");
    assert_int_equal(
        clGetDeviceInfo(devices[IR], CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0, NULL, &bytes),
        CL_SUCCESS);
    assert_int_equal(bytes, 0);
}

/* Without a build, and after one; the binary is the device's, and stays one. */
static void built_in_kernels(void **state)
{
    (void)state;
    static const char *const lists[] = {"triple", "negate;triple"};
    cl_int rc;
    for (int i = 0; i < 2; i++) {
        cl_program program =
            clCreateProgramWithBuiltInKernels(contexts[BINARY], 1, &devices[BINARY], lists[i], &rc);
        assert_int_equal(rc, CL_SUCCESS);
        check_names(program, lists[i]);
        check_kernel(program, BINARY, "triple", 3);
        if (i)
            check_kernel(program, BINARY, "negate", -1);
        else
            assert_null(clCreateKernel(program, "negate", &rc));
        assert_int_equal(rc, i ? CL_SUCCESS : CL_INVALID_KERNEL_NAME);
        assert_int_equal(build(program, ""), CL_SUCCESS);
        check_kernel(program, BINARY, "triple", 3);
        size_t size;
        unsigned char *bytes = binary_of(program, &size);
        clReleaseProgram(program);
        program = from_binary(BINARY, bytes, size, CL_SUCCESS);
        assert_int_equal(build(program, ""), CL_SUCCESS);
        check_names(program, lists[i]);
        check_kernel(program, BINARY, "triple", 3);
        clReleaseProgram(program);
        free(bytes);
    }
}

static void built_in_kernels_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {NULL, "", "trip", "triples", "triple;", ";triple", "x"};
    cl_int rc = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_no_built_in(BINARY, wrong[i]);
    check_no_built_in(IR, "triple");
    assert_null(
        clCreateProgramWithBuiltInKernels(contexts[BINARY], 1, &devices[IR], "triple", &rc));
    assert_int_equal(rc, CL_INVALID_DEVICE);
    /* More than the device can do. */
    assert_null(clCreateProgramWithBuiltInKernels(contexts[BINARY], 1, &devices[BINARY],
                                                  "triple;negate;triple", &rc));
    assert_int_equal(rc, CL_OUT_OF_RESOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiler_is_told_truly),
        cmocka_unit_test(source_goes_to_the_device),
        cmocka_unit_test(versions_are_as_announced),
        cmocka_unit_test(objects_are_linked_by_the_device),
        cmocka_unit_test(bitcode_comes_of_source),
        cmocka_unit_test(spirv_goes_to_the_device),
        cmocka_unit_test(binaries_come_back),
        cmocka_unit_test(bare_binaries),
        cmocka_unit_test(the_device_selects),
        cmocka_unit_test(built_in_kernels_are_told),
        cmocka_unit_test(built_in_kernels),
        cmocka_unit_test(built_in_kernels_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
