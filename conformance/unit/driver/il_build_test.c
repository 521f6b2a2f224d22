/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs made of SPIR-V from the entry points down to the compiler's socket, with a device that
 * takes it or does not and a compiler that tells what it was sent (fake_compiler.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/api.h"
#include "container.h"
#include "fake_device.h"
#include "platform/device.h"
#include "sluice/base/spirv.h"
#include "spirv_words.h"

static char folder[64], counter[96];
static cl_device_id device;
static cl_context context;

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sluice-il-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(counter, sizeof counter, "%s/count", folder);
    setenv("SLUICE_TEST_COUNT", counter, 1);
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_CACHE", "1", 1);
    device = fake_device(FAKE_INLINE);
    device->impl->caps.target = "x86_64:test";
    device->impl->caps.features |= SL_FEATURE_IL;
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

static void takes_no_il(void)
{
    device->impl->caps.features &= ~(uint32_t)SL_FEATURE_IL;
}

static cl_program from_il(void)
{
    cl_int code;
    cl_program program = sl_clCreateProgramWithIL(context, spirv_words, sizeof spirv_words, &code);
    assert_int_equal(code, CL_SUCCESS);
    return program;
}

static cl_program from_binary(const void *bytes, size_t size, cl_int want)
{
    cl_int code, status = 1;
    const unsigned char *binary = bytes;
    cl_program program =
        sl_clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &code);
    assert_int_equal(code, want);
    assert_int_equal(status, want);
    return program;
}

static cl_int compile(cl_program program)
{
    return sl_clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL);
}

static cl_int set(cl_program program, cl_uint id, size_t bytes, uint64_t value)
{
    return sl_clSetProgramSpecializationConstant(program, id, bytes, &value);
}

static const char *log_of(cl_program program)
{
    static char log[4096];
    assert_int_equal(
        sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL),
        CL_SUCCESS);
    return log;
}

static cl_program_binary_type type_of(cl_program program)
{
    cl_program_binary_type type;
    sl_clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
    return type;
}

static long requests(void)
{
    struct stat file;
    return stat(counter, &file) ? 0 : (long)file.st_size;
}

static void test_create(void **state)
{
    static const uint32_t rubbish[16] = {1, 2, 3};
    cl_int code;
    (void)state;
    assert_null(sl_clCreateProgramWithIL(NULL, spirv_words, sizeof spirv_words, &code));
    assert_int_equal(code, CL_INVALID_CONTEXT);
    assert_null(sl_clCreateProgramWithIL(context, NULL, sizeof spirv_words, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clCreateProgramWithIL(context, spirv_words, 0, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clCreateProgramWithIL(context, spirv_words, sizeof spirv_words - 1, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clCreateProgramWithIL(context, rubbish, sizeof rubbish, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clCreateProgramWithILKHR(context, rubbish, sizeof rubbish, &code));
    assert_int_equal(code, CL_INVALID_VALUE);
    assert_null(sl_clCreateProgramWithIL(context, rubbish, sizeof rubbish, NULL));
    takes_no_il();
    assert_null(sl_clCreateProgramWithIL(context, spirv_words, sizeof spirv_words, &code));
    assert_int_equal(code, CL_INVALID_OPERATION);
    from_binary(spirv_words, sizeof spirv_words, CL_INVALID_BINARY);
}

static void test_queries(void **state)
{
    unsigned char il[sizeof spirv_words];
    const char *source = "plain";
    cl_name_version versions[16];
    char text[128];
    size_t bytes;
    cl_program program = from_il();
    (void)state;
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_IL, sizeof il, il, &bytes),
                     CL_SUCCESS);
    assert_int_equal(bytes, sizeof il);
    assert_memory_equal(il, spirv_words, sizeof il);
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_IL, 8, il, NULL), CL_INVALID_VALUE);
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, &bytes),
                     CL_SUCCESS);
    assert_int_equal(bytes, 1);
    sl_clReleaseProgram(program);
    program = sl_clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    assert_int_equal(sl_clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &bytes), CL_SUCCESS);
    assert_int_equal(bytes, 0);
    sl_clReleaseProgram(program);
    sl_clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL);
    assert_string_equal(text, "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 "
                              "SPIR-V_1.6");
    sl_clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, sizeof versions, versions, &bytes);
    assert_int_equal(bytes, 7 * sizeof *versions);
    assert_int_equal(versions[4].version, CL_MAKE_VERSION(1, 4, 0));
    assert_string_equal(versions[6].name, "SPIR-V");
    takes_no_il();
    sl_clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof text, text, &bytes);
    assert_int_equal(bytes, 1);
    sl_clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, sizeof versions, versions, &bytes);
    assert_int_equal(bytes, 0);
}

static size_t query(cl_device_info key, void *out, size_t room)
{
    size_t bytes;
    assert_int_equal(sl_clGetDeviceInfo(device, key, room, out, &bytes), CL_SUCCESS);
    return bytes;
}

static bool named(const char *const *names, size_t count, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += !strcmp(names[i], name);
    assert_true(found < 2);
    return found;
}

static bool can(cl_uint number)
{
    cl_uint numbers[256];
    size_t count = query(CL_DEVICE_SPIRV_CAPABILITIES_KHR, numbers, sizeof numbers) / 4;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

/* Each capability has its extension; what asks for features comes and goes with them. */
static void test_spirv_queries(void **state)
{
    const char *names[256];
    const struct sl_spirv_capability *row;
    (void)state;
    device->impl->caps.features = SL_FEATURE_IL | SL_FEATURE_IMAGES;
    size_t count = query(CL_DEVICE_SPIRV_EXTENSIONS_KHR, names, sizeof names) / sizeof *names;
    for (size_t i = 0; (row = sl_spirv_capability_at(i)); i++) {
        assert_int_equal(can(row->number), !(row->features & ~device->impl->caps.features));
        if (can(row->number) && *row->extension)
            assert_true(named(names, count, row->extension));
        assert_true(sl_spirv_takes_capability(row->number));
        assert_true(!i || row->number > sl_spirv_capability_at(i - 1)->number);
    }
    assert_true(named(names, count, "SPV_KHR_linkonce_odr"));
    assert_false(named(names, count, "SPV_INTEL_io_pipes"));
    assert_true(can(13) && !can(12) && !can(61)); /* ImageBasic, Int64Atomics, GroupNonUniform */
    assert_false(sl_spirv_takes_capability(1));   /* Shader */
    count = query(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, names, sizeof names);
    assert_true(named(names, count / sizeof *names, "OpenCL.std"));
    device->impl->caps.features = SL_FEATURE_IL | SL_FEATURE_INT64_ATOMICS;
    assert_true(!can(13) && can(12));
    takes_no_il();
    assert_int_equal(query(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, names, sizeof names), 0);
    assert_int_equal(query(CL_DEVICE_SPIRV_EXTENSIONS_KHR, names, sizeof names), 0);
    assert_int_equal(query(CL_DEVICE_SPIRV_CAPABILITIES_KHR, names, sizeof names), 0);
}

static void test_constants_refused(void **state)
{
    char *path = strdup(getenv("SLUICE_COMPILER"));
    const char *source = "plain";
    cl_program program = from_il();
    cl_program text = sl_clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    (void)state;
    assert_int_equal(set(NULL, 7, 4, 0), CL_INVALID_PROGRAM);
    assert_int_equal(set(text, 7, 4, 0), CL_INVALID_PROGRAM);
    assert_int_equal(set(program, 9, 4, 0), CL_INVALID_SPEC_ID);
    assert_int_equal(set(program, 7, 8, 0), CL_INVALID_VALUE);
    assert_int_equal(set(program, 7, 0, 0), CL_INVALID_VALUE);
    assert_int_equal(set(program, 12, 4, 0), CL_INVALID_VALUE);
    assert_int_equal(sl_clSetProgramSpecializationConstant(program, 7, 4, NULL), CL_INVALID_VALUE);
    setenv("SLUICE_COMPILER", "/nowhere", 1);
    assert_int_equal(set(program, 7, 4, 0), CL_COMPILER_NOT_AVAILABLE);
    setenv("SLUICE_COMPILER", path, 1);
    free(path);
    takes_no_il();
    assert_int_equal(set(program, 7, 4, 0), CL_INVALID_OPERATION);
    sl_clReleaseProgram(text);
    sl_clReleaseProgram(program);
}

static void test_constants_sent(void **state)
{
    cl_program program = from_il();
    char told[256];
    (void)state;
    assert_int_equal(compile(program), CL_SUCCESS);
    snprintf(told, sizeof told, "SPIR-V of %zu bytes:", sizeof spirv_words);
    assert_string_equal(log_of(program), told);
    assert_int_equal(set(program, 8, 8, 0x123456789abcdef0), CL_SUCCESS);
    assert_int_equal(set(program, 0, 1, 0xffffffffffffff11), CL_SUCCESS);
    assert_int_equal(set(program, 7, 4, 1), CL_SUCCESS);
    assert_int_equal(set(program, 7, 4, 0xffffffffffffffff), CL_SUCCESS); /* the last one counts */
    assert_int_equal(set(program, 12, 1, 1), CL_SUCCESS);
    assert_int_equal(compile(program), CL_SUCCESS);
    strcat(told, " 0:1=11 7:4=ffffffff 8:8=123456789abcdef0 12:1=1");
    assert_string_equal(log_of(program), told);
    sl_clReleaseProgram(program);
}

/* The order in which they were set makes no difference, their values do. */
static void test_cache_key(void **state)
{
    (void)state;
    for (uint64_t value = 1; value < 3; value++)
        for (int order = 0; order < 2; order++) {
            cl_program program = from_il();
            assert_int_equal(set(program, order ? 7 : 8, order ? 4 : 8, value), CL_SUCCESS);
            assert_int_equal(set(program, order ? 8 : 7, order ? 8 : 4, value), CL_SUCCESS);
            assert_int_equal(compile(program), CL_SUCCESS);
            assert_int_equal(requests(), value);
            sl_clReleaseProgram(program);
        }
}

/* A module as a binary is compiled like one that came as what it is. */
static void test_binary(void **state)
{
    unsigned char back[sizeof spirv_words], *room = back;
    size_t bytes;
    cl_program program = from_binary(spirv_words, sizeof spirv_words, CL_SUCCESS);
    (void)state;
    assert_int_equal(type_of(program), CL_PROGRAM_BINARY_TYPE_INTERMEDIATE);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    assert_int_equal(bytes, sizeof back);
    sl_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof room, &room, NULL);
    assert_memory_equal(back, spirv_words, sizeof back);
    sl_clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &bytes);
    assert_int_equal(bytes, 0);
    assert_int_equal(set(program, 7, 4, 1), CL_INVALID_PROGRAM);
    assert_int_equal(compile(program), CL_SUCCESS);
    assert_non_null(strstr(log_of(program), "SPIR-V of "));
    assert_int_equal(type_of(program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    assert_int_equal(compile(program), CL_INVALID_OPERATION);
    sl_clReleaseProgram(program);
    from_binary(spirv_words, sizeof spirv_words - 2, CL_INVALID_BINARY);
    from_binary(spirv_words, 16, CL_INVALID_BINARY);
}

/* Containers for other machines and for this one, and SPIR-V, joined in some order. */
static size_t join(unsigned char *out, const char *order)
{
    size_t size = 0, bytes;
    for (; *order; order++) {
        struct container_text text = {.target = *order == 'm' ? "x86_64:test" : "x86_64:other",
                                      .payload = order,
                                      .payload_bytes = 1,
                                      .kind = SL_BINARY_OBJECT};
        if (*order == 'm' || *order == 'o') {
            unsigned char *container = container_make(&text, &bytes);
            memcpy(out + size, container, bytes);
            free(container);
        } else if (*order == 's') {
            bytes = sizeof spirv_words;
            memcpy(out + size, spirv_words, bytes);
        } else {
            bytes = 16;
            memset(out + size, 'x', bytes);
        }
        size += bytes;
    }
    return size;
}

static void test_images(void **state)
{
    static const struct {
        const char *order;
        cl_program_binary_type type; /* NONE: refused */
    } rows[] = {
        {"m", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
        {"om", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
        {"oms", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
        {"mos", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT},
        {"oos", CL_PROGRAM_BINARY_TYPE_INTERMEDIATE},
        {"s", CL_PROGRAM_BINARY_TYPE_INTERMEDIATE},
        {"o", CL_PROGRAM_BINARY_TYPE_NONE},
        {"oo", CL_PROGRAM_BINARY_TYPE_NONE},
        {"mx", CL_PROGRAM_BINARY_TYPE_NONE}, /* bytes behind the end */
        {"xm", CL_PROGRAM_BINARY_TYPE_NONE},
        {"oxs", CL_PROGRAM_BINARY_TYPE_NONE},
    };
    unsigned char bytes[8192];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool fits = rows[i].type != CL_PROGRAM_BINARY_TYPE_NONE;
        size_t size = join(bytes, rows[i].order);
        cl_program program = from_binary(bytes, size, fits ? CL_SUCCESS : CL_INVALID_BINARY);
        if (!fits)
            continue;
        assert_int_equal(type_of(program), rows[i].type);
        sl_clReleaseProgram(program);
    }
    takes_no_il();
    from_binary(bytes, join(bytes, "oos"), CL_INVALID_BINARY);
}

static void test_build_kinds(void **state)
{
    const char *source = "plain", *name = "h.h";
    cl_program program = from_il();
    cl_program header = sl_clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    (void)state;
    /* the fake makes objects: what was asked for was an executable, of a module */
    assert_int_equal(sl_clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(log_of(program), "SPIR-V of "));
    assert_non_null(strstr(log_of(program), "another kind"));
    /* headers are ignored */
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 1, &header, &name, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 1, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(sl_clCompileProgram(program, 0, NULL, "", 0, &program, &name, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(sl_clCompileProgram(header, 0, NULL, "", 1, &program, &name, NULL, NULL),
                     CL_INVALID_OPERATION);
    takes_no_il(); /* as another device of the context might */
    assert_int_equal(compile(program), CL_COMPILE_PROGRAM_FAILURE);
    assert_non_null(strstr(log_of(program), "takes no SPIR-V"));
    sl_clReleaseProgram(header);
    sl_clReleaseProgram(program);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_create),         TEST(test_queries),       TEST(test_constants_refused),
        TEST(test_constants_sent), TEST(test_cache_key),     TEST(test_binary),
        TEST(test_build_kinds),    TEST(test_spirv_queries), TEST(test_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
