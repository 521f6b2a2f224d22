/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dispatch tables and the doors of the library, first from inside, then as loaders use the
 * built file: opened, probed, closed, opened again. SLUICE_TEST_LIBRARY names the file.
 */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <cmocka.h>
#include <dlfcn.h>

#include "dispatch.h"
#include "entry.h"
#include "two_devices.h"

#define SLOTS 150
#define TAG_SLOT_A 0
#define TAG_SLOT_B 31

static void test_tables_are_full(void **state)
{
    (void)state;
    for (int traced = 0; traced < 2; traced++) {
        void *const *slots = (void *const *)sl_dispatch_table(traced);
        for (int i = 0; i < SLOTS; i++)
            assert_non_null(slots[i]);
        assert_int_equal((intptr_t)slots[TAG_SLOT_A], 0x4F50454E434C3331);
        assert_int_equal((intptr_t)slots[TAG_SLOT_B], 0x4F50454E434C3331);
        for (int i = 0; i < SLOTS; i++)
            assert_int_equal((intptr_t)slots[i] == 0x4F50454E434C3331,
                             i == TAG_SLOT_A || i == TAG_SLOT_B);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool found;
    } cases[] = {
        {"clGetPlatformIDs", true},
        {"clUnloadCompiler", true},
        {"clEnqueueNDRangeKernel", true},
        {"clGetExtensionFunctionAddressForPlatform", true},
        {"clCreatePipe", true},
        {"clSetProgramReleaseCallback", true},
        {"clReadPipeIntelFPGA", true},
        {"clCreateBufferWithPropertiesINTEL", true},
        {"clEnqueueWriteHostPipeINTEL", true},
        {"clHostMemAllocINTEL", true},
        {"clEnqueueMemsetINTEL", true},
        {"clGetProfileDataDeviceIntelFPGA", true},
        {"clGetProfileDataDeviceAltera", true},
        {"clResetKernelsIntelFPGA", true},
        {"clGetProfileInfoIntelFPGA", false},
        {"clCreateFromGLBuffer", false},
        {"clCreateSubDevicesEXT", true},
        {"clNoSuchFunction", false},
        {"", false},
        {"clGetPlatformID", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(clGetExtensionFunctionAddress(cases[i].name) != NULL, cases[i].found);
        assert_int_equal(clIcdGetFunctionAddressForPlatformKHR(sl_platform(), cases[i].name) !=
                             NULL,
                         cases[i].found);
    }
    assert_null(clGetExtensionFunctionAddress(NULL));
    assert_null(clIcdGetFunctionAddressForPlatformKHR(NULL, "clGetDeviceIDs"));
    assert_ptr_equal(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"),
                     (void *)clIcdGetPlatformIDsKHR);
    assert_ptr_equal(clGetExtensionFunctionAddress("clIcdSetPlatformDispatchDataKHR"),
                     (void *)clIcdSetPlatformDispatchDataKHR);
    assert_ptr_equal(clGetExtensionFunctionAddress("clGetDeviceIDs"), (void *)sl_clGetDeviceIDs);
    assert_ptr_equal(sl_dispatch_lookup("clGetDeviceIDs", true), (void *)sl_traced_clGetDeviceIDs);
}

static void test_platform_ids(void **state)
{
    (void)state;
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    char suffix[16];
    assert_int_equal(clIcdGetPlatformIDsKHR(0, NULL, &count), CL_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(clIcdGetPlatformIDsKHR(1, &platform, NULL), CL_SUCCESS);
    assert_ptr_equal(*(void **)platform, sl_dispatch_table(false));
    assert_int_equal(
        clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof suffix, suffix, NULL),
        CL_SUCCESS);
    assert_string_equal(suffix, "SLUICE");
}

static void *word_of(void *object)
{
    return ((void **)object)[1];
}

/* A loader that knows the tag but did not set the word (another one found the platform). */
static void test_dispatch_data_before_any_loader(void **state)
{
    (void)state;
    size_t bytes = 0;
    cl_platform_id found = NULL;
    cl_device_id cpu = fake_device(FAKE_CPU);
    assert_int_equal(clIcdGetPlatformIDsKHR(1, &found, NULL), CL_SUCCESS);
    assert_ptr_equal(word_of(found), sl_dispatch_calls(false));
    assert_ptr_equal(word_of(cpu), sl_dispatch_calls(false));
    const struct _cl_icd_dispatch *calls = word_of(found);
    assert_ptr_equal(calls->clGetPlatformIDs, sl_dispatch_lookup("clGetPlatformIDs", false));
    assert_ptr_equal(calls->clUnloadCompiler, sl_dispatch_lookup("clUnloadCompiler", false));
    assert_int_equal(calls->clGetPlatformInfo(found, CL_PLATFORM_NAME, 0, NULL, &bytes),
                     CL_SUCCESS);
    assert_true(bytes > 1);
    cl_context context = calls->clCreateContext(NULL, 1, &cpu, NULL, NULL, NULL);
    assert_ptr_equal(word_of(context), calls);
    assert_int_equal(calls->clReleaseContext(context), CL_SUCCESS);
}

static void test_dispatch_data_reaches_all_objects(void **state)
{
    (void)state;
    int word;
    cl_device_id cpu = fake_device(FAKE_CPU), part;
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 3, 0};
    assert_int_equal(clIcdSetPlatformDispatchDataKHR(NULL, &word), CL_INVALID_PLATFORM);
    assert_int_equal(clIcdSetPlatformDispatchDataKHR(sl_platform(), &word), CL_SUCCESS);
    assert_ptr_equal(word_of(sl_platform()), &word);
    assert_ptr_equal(word_of(cpu), &word);
    cl_context context = sl_clCreateContext(NULL, 1, &cpu, NULL, NULL, NULL);
    assert_ptr_equal(word_of(context), &word);
    assert_int_equal(sl_clCreateSubDevices(cpu, equally, 1, &part, NULL), CL_SUCCESS);
    assert_ptr_equal(word_of(part), &word);
    cl_sampler sampler =
        sl_clCreateSampler(context, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, NULL);
    assert_ptr_equal(word_of(sampler), &word);
    cl_event event = sl_clCreateUserEvent(context, NULL);
    assert_ptr_equal(word_of(event), &word);
    sl_clReleaseEvent(event);
    sl_clReleaseSampler(sampler);
    sl_clReleaseDevice(part);
    sl_clReleaseContext(context);
    clIcdSetPlatformDispatchDataKHR(sl_platform(), NULL);
}

static void test_stubs(void **state)
{
    (void)state;
    cl_int rc = 0;
    assert_null(sl_clCreateFromGLBuffer(NULL, 0, 0, &rc));
    assert_int_equal(rc, CL_INVALID_OPERATION);
    assert_int_equal(sl_clSetProgramReleaseCallback(NULL, NULL, NULL), CL_INVALID_PROGRAM);
}

static void test_traced_calls_answer_the_same(void **state)
{
    (void)state;
    cl_uint count = 0;
    cl_int rc = 0;
    assert_int_equal(sl_traced_clGetDeviceIDs(sl_platform(), CL_DEVICE_TYPE_ALL, 0, NULL, &count),
                     CL_SUCCESS);
    assert_int_equal(count, 2);
    assert_null(sl_traced_clCreateContext(NULL, 0, NULL, NULL, NULL, &rc));
    assert_int_equal(rc, CL_INVALID_VALUE);
    assert_null(sl_traced_clCreateContext(NULL, 0, NULL, NULL, NULL, NULL));
}

/* ---- the built file -------------------------------------------------------------------------- */

static void *open_library(void)
{
    const char *path = getenv("SLUICE_TEST_LIBRARY");
    if (!path)
        skip();
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        fail_msg("%s", dlerror());
    return library;
}

typedef void *(*address_fn)(const char *);
typedef cl_int (*platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);

static cl_platform_id first_platform(void *library)
{
    address_fn address;
    platforms_fn platforms;
    cl_platform_id platform = NULL;
    *(void **)&address = dlsym(library, "clGetExtensionFunctionAddress");
    assert_non_null(address);
    assert_non_null(dlsym(library, "clGetPlatformInfo"));
    *(void **)&platforms = address("clIcdGetPlatformIDsKHR");
    assert_non_null(platforms);
    assert_int_equal(platforms(1, &platform, NULL), CL_SUCCESS);
    return platform;
}

static void test_probed_and_closed(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        void *library = open_library();
        assert_non_null(dlsym(library, "clGetExtensionFunctionAddress"));
        assert_null(dlsym(library, "sl_platform"));
        dlclose(library);
    }
}

static void test_asked_and_opened_again(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        void *one = open_library(), *two = open_library();
        cl_platform_id platform = first_platform(one);
        assert_ptr_equal(first_platform(two), platform);
        dlclose(one);
        const struct _cl_icd_dispatch *calls = *(const struct _cl_icd_dispatch **)platform;
        cl_device_id device;
        assert_int_equal(calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
                         CL_SUCCESS);
        assert_int_equal(calls->clReleaseDevice(device), CL_SUCCESS);
        dlclose(two);
        assert_null(dlopen(getenv("SLUICE_TEST_LIBRARY"), RTLD_LAZY | RTLD_NOLOAD));
    }
}

/* Where there were threads the code stays, and the platform with it. */
static void test_used_and_opened_again(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        void *library = open_library();
        cl_platform_id platform = first_platform(library);
        const struct _cl_icd_dispatch *calls = *(const struct _cl_icd_dispatch **)platform;
        cl_device_id device;
        cl_int rc;
        calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
        cl_context context = calls->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
        assert_int_equal(rc, CL_SUCCESS);
        assert_int_equal(calls->clReleaseContext(context), CL_SUCCESS);
        dlclose(library);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First: after threads have run, closing the library frees nothing (icd/entry.c). */
        cmocka_unit_test(test_asked_and_opened_again),
        cmocka_unit_test(test_tables_are_full),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_platform_ids),
        cmocka_unit_test(test_dispatch_data_before_any_loader),
        cmocka_unit_test(test_dispatch_data_reaches_all_objects),
        cmocka_unit_test(test_stubs),
        cmocka_unit_test(test_traced_calls_answer_the_same),
        cmocka_unit_test(test_probed_and_closed),
        cmocka_unit_test(test_used_and_opened_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
