/* SPDX-License-Identifier: Apache-2.0 */
/* What small extensions add to the API: queries, and functions that are only found by name. */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(const char *extension)
{
    if (!has_extension(extension))
        check_skip(extension);
}

static void *by_name(const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(cl.platform, name);
}

static void uuids(void)
{
    cl_uchar device[CL_UUID_SIZE_KHR], again[CL_UUID_SIZE_KHR], driver[CL_UUID_SIZE_KHR],
        zeros[16] = {0};
    cl_uchar luid[CL_LUID_SIZE_KHR];
    cl_bool valid = CL_TRUE;
    cl_uint mask;
    size_t bytes;
    need("cl_khr_device_uuid");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_UUID_KHR, sizeof device, device, &bytes));
    CHECK_EQ(bytes, CL_UUID_SIZE_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_UUID_KHR, sizeof again, again, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DRIVER_UUID_KHR, sizeof driver, driver, &bytes));
    CHECK_EQ(bytes, CL_UUID_SIZE_KHR);
    CHECK(!memcmp(device, again, sizeof device));
    CHECK(memcmp(device, zeros, sizeof zeros) && memcmp(driver, zeros, sizeof zeros));
    CHECK(memcmp(device, driver, sizeof driver));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_LUID_VALID_KHR, sizeof valid, &valid, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_LUID_KHR, sizeof luid, luid, &bytes));
    CHECK_EQ(bytes, CL_LUID_SIZE_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NODE_MASK_KHR, sizeof mask, &mask, NULL));
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_DEVICE_UUID_KHR, 15, device, NULL));
}

/* Two devices of one platform are told apart. */
static void uuids_differ(void)
{
    cl_device_id devices[8];
    cl_uchar uuids[8][CL_UUID_SIZE_KHR];
    cl_uint count = 0;
    need("cl_khr_device_uuid");
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 8, devices, &count));
    for (cl_uint i = 0; i < count && i < 8; i++) {
        CHECK_OK(clGetDeviceInfo(devices[i], CL_DEVICE_UUID_KHR, sizeof uuids[i], uuids[i], NULL));
        for (cl_uint k = 0; k < i; k++)
            CHECK(memcmp(uuids[i], uuids[k], sizeof uuids[i]));
    }
}

static void dot_products(void)
{
    cl_device_integer_dot_product_capabilities_khr forms = 0;
    cl_device_integer_dot_product_acceleration_properties_khr fast;
    size_t bytes;
    need("cl_khr_integer_dot_product");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
                             sizeof forms, &forms, NULL));
    CHECK_EQ(forms & 3, 3);
    CHECK_OK(clGetDeviceInfo(cl.device,
                             CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                             sizeof fast, &fast, &bytes));
    CHECK_EQ(bytes, sizeof fast);
    CHECK(fast.signed_accelerated <= CL_TRUE);
    CHECK_OK(clGetDeviceInfo(
        cl.device, CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
        sizeof fast, &fast, &bytes));
    CHECK_EQ(bytes, sizeof fast);
}

static void float_atomics(void)
{
    cl_bitfield forms = 0;
    need("cl_ext_float_atomics");
    for (cl_device_info name = 0x4231; name <= 0x4233; name++) { /* float, double, half */
        CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof forms, &forms, NULL));
        CHECK(!(forms & ~(cl_bitfield)0x70007));
        CHECK(name != 0x4231 || forms);
    }
}

/* The same local size that a launch without one gets. */
static void suggested_size(void)
{
    size_t global[2] = {36, 10}, local[2] = {0, 0};
    cl_ulong got[2];
    need("cl_khr_suggested_local_work_size");
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)by_name("clGetKernelSuggestedLocalWorkSizeKHR");
    REQUIRE(suggest);
    cl_kernel kernel = new_kernel(
        "kernel void k(global ulong *a) { a[0] = get_local_size(0); a[1] = get_local_size(1); }",
        "k", NULL);
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    CHECK_OK(suggest(cl.queue, kernel, 2, NULL, global, local));
    run_nd(kernel, 2, NULL, global, NULL);
    read_back(mem, sizeof got, got);
    CHECK_EQ(got[0], local[0]);
    CHECK_EQ(got[1], local[1]);
    FAILS(CL_INVALID_WORK_DIMENSION, suggest(cl.queue, kernel, 4, NULL, global, local));
    FAILS(CL_INVALID_VALUE, suggest(cl.queue, kernel, 2, NULL, global, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

static void queue_with_properties(void)
{
    const cl_queue_properties_khr properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                                  0};
    cl_command_queue_properties has = 0;
    cl_int rc;
    need("cl_khr_create_command_queue");
    clCreateCommandQueueWithPropertiesKHR_fn create =
        (clCreateCommandQueueWithPropertiesKHR_fn)by_name("clCreateCommandQueueWithPropertiesKHR");
    REQUIRE(create);
    cl_command_queue queue = create(cl.context, cl.device, properties, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof has, &has, NULL));
    CHECK_EQ(has, CL_QUEUE_PROFILING_ENABLE);
    RELEASE_QUEUE(queue);
    CREATE_FAILS(CL_INVALID_CONTEXT, create(NULL, cl.device, properties, ERR));
}

/* The two lists agree, and each name is a macro of the language. */
static void lists(void)
{
    char names[8192], source[32768] = "kernel void k(global int *a) { *a = 1; }\n";
    cl_name_version versions[128];
    size_t bytes, length = 0;
    need("cl_khr_extended_versioning");
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions,
                               versions, &bytes));
    for (size_t i = 0; i < bytes / sizeof *versions; i++) {
        CHECK(has_extension(versions[i].name));
        CHECK(CL_VERSION_MAJOR(versions[i].version) <= 3);
        length += strlen(versions[i].name) + 1;
        snprintf(source + strlen(source), sizeof source - strlen(source),
                 "#ifndef %s\n#error %s\n#endif\n", versions[i].name, versions[i].name);
    }
    CHECK_EQ(length, strlen(names) + 1);
    RELEASE_PROGRAM(built(source, NULL));
    RELEASE_PROGRAM(built(source, "-cl-std=CL3.0"));
}

static const struct test_case cases[] = {
    CASE(uuids),          CASE(uuids_differ),          CASE(dot_products), CASE(float_atomics),
    CASE(suggested_size), CASE(queue_with_properties), CASE(lists),
};
TEST_MAIN("api_extension", cases)
