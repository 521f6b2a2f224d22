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

static cl_uint attribute(cl_device_info name)
{
    cl_uint value = 99999;
    size_t bytes = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, &bytes));
    CHECK_EQ(bytes, sizeof value);
    return value;
}

static void attributes(void)
{
    cl_device_feature_capabilities_intel features = 7;
    cl_uint units = 0;
    need("cl_intel_device_attribute_query");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CHECK_EQ(attribute(CL_DEVICE_NUM_SLICES_INTEL) *
                 attribute(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL) *
                 attribute(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL) *
                 attribute(CL_DEVICE_NUM_THREADS_PER_EU_INTEL),
             units);
    CHECK(attribute(CL_DEVICE_ID_INTEL) == attribute(CL_DEVICE_ID_INTEL));
    CHECK_EQ(attribute(CL_DEVICE_IP_VERSION_INTEL), 0);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_FEATURE_CAPABILITIES_INTEL, sizeof features,
                             &features, NULL));
    CHECK_EQ(features & ~(cl_ulong)3, 0);
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_DEVICE_ID_INTEL, 3, &units, NULL));
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

static cl_uint location_of(cl_mem mem)
{
    cl_uint location = 99;
    size_t bytes = 0;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, sizeof location, &location,
                                &bytes));
    CHECK_EQ(bytes, sizeof location);
    return location;
}

/* The list is answered as it was given, and the buffer is one like any other. */
static void works_with(cl_mem mem, const cl_mem_properties *list, size_t list_bytes)
{
    cl_mem_properties back[8];
    cl_uint values[16], seen[16] = {0};
    size_t bytes = 0;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof back, back, &bytes));
    CHECK_EQ(bytes, list_bytes);
    CHECK(!memcmp(back, list, list_bytes));
    for (cl_uint i = 0; i < 16; i++)
        values[i] = i * i + 7;
    CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    CHECK(!memcmp(values, seen, sizeof seen));
}

static const cl_buffer_region first_half = {0, 32};

static void buffer_properties(void)
{
    const cl_mem_properties none[] = {0}, channel[] = {CL_MEM_CHANNEL_INTEL, 3, 0},
                            hint[] = {CL_MEM_CHANNEL_INTEL, UINT32_MAX, 0},
                            both[] = {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 5, CL_MEM_CHANNEL_INTEL,
                                      7, 0},
                            twice[] = {CL_MEM_CHANNEL_INTEL, 3, CL_MEM_CHANNEL_INTEL, 3, 0},
                            wide[] = {CL_MEM_CHANNEL_INTEL, (cl_mem_properties)1 << 32, 0},
                            unknown[] = {CL_MEM_CHANNEL_INTEL, 3, 0x7777, 1, 0},
                            nowhere[] = {CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 1000, 0};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_uint location;
    cl_int rc;
    need("cl_intel_create_buffer_with_properties");
    clCreateBufferWithPropertiesINTEL_fn create =
        (clCreateBufferWithPropertiesINTEL_fn)by_name("clCreateBufferWithPropertiesINTEL");
    REQUIRE(create != NULL);
    cl_mem mem = create(cl.context, none, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    works_with(mem, none, sizeof none);
    if (!has_extension("cl_intel_mem_channel_property")) {
        CREATE_FAILS(CL_INVALID_VALUE, create(cl.context, channel, 0, 64, NULL, ERR));
        FAILS(CL_INVALID_VALUE,
              clGetMemObjectInfo(mem, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, 4, &location, NULL));
        RELEASE_MEM(mem);
        return;
    }
    CHECK(has_extension("cl_intel_mem_alloc_buffer_location"));
    CHECK_EQ(location_of(mem), 0);
    RELEASE_MEM(mem);
    mem = create(cl.context, hint, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    works_with(mem, hint, sizeof hint);
    CHECK_EQ(location_of(mem), 0);
    RELEASE_MEM(mem);
    mem = clCreateBufferWithProperties(cl.context, both, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    works_with(mem, both, sizeof both);
    CHECK_EQ(location_of(mem), 5);
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &first_half, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(location_of(sub), 5);
    RELEASE_MEM(sub);
    RELEASE_MEM(mem);
    CREATE_FAILS(CL_INVALID_VALUE, create(cl.context, twice, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, create(cl.context, wide, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, create(cl.context, unknown, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY, create(cl.context, nowhere, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, twice, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, unknown, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, nowhere, 0, 64, NULL, ERR));
    if (device_uint(CL_DEVICE_IMAGE_SUPPORT))
        CREATE_FAILS(CL_INVALID_PROPERTY, clCreateImageWithProperties(cl.context, channel, 0,
                                                                      &format, &desc, NULL, ERR));
}

/* ---- banks of memory ------------------------------------------------------------------------- */

#define BANK(n) ((cl_mem_flags)(n) << 16)
#define HETEROGENEOUS ((cl_mem_flags)1 << 19)

static cl_mem_flags flags_of(cl_mem mem)
{
    cl_mem_flags flags = 0;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    return flags;
}

static void bank_is_kept(cl_mem_flags flags)
{
    const cl_mem_properties none[] = {0};
    cl_int rc, words[16] = {1, 2, 3};
    cl_mem mems[3];
    mems[0] = clCreateBuffer(cl.context, flags, sizeof words, NULL, &rc);
    REQUIRE_OK(rc);
    mems[1] = clCreateBufferWithProperties(cl.context, none, flags, sizeof words, NULL, &rc);
    REQUIRE_OK(rc);
    mems[2] = clCreateBuffer(cl.context, flags | CL_MEM_USE_HOST_PTR, sizeof words, words, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(flags_of(mems[0]), flags);
    CHECK_EQ(flags_of(mems[1]), flags);
    CHECK_EQ(flags_of(mems[2]), flags | CL_MEM_USE_HOST_PTR);
    works_with(mems[1], none, sizeof none);
    for (cl_uint i = 0; i < LEN(mems); i++)
        RELEASE_MEM(mems[i]);
}

/* A part lies where the whole does: by its flags, or by its property. */
static void parts_of_banks(void)
{
    const cl_buffer_region region = {0, 64};
    const cl_mem_properties five[] = {CL_MEM_CHANNEL_INTEL, 5, 0};
    cl_int rc;
    for (int by_property = 0; by_property < 2; by_property++) {
        const cl_mem_flags flags = by_property ? HETEROGENEOUS : BANK(5) | HETEROGENEOUS;
        cl_mem whole = clCreateBufferWithProperties(cl.context, by_property ? five : NULL,
                                                    CL_MEM_READ_ONLY | flags, 256, NULL, &rc);
        REQUIRE_OK(rc);
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
        REQUIRE_OK(rc);
        CHECK_EQ(flags_of(part), CL_MEM_READ_ONLY | flags);
        RELEASE_MEM(part);
        part = clCreateSubBuffer(whole, BANK(5), CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
        REQUIRE_OK(rc);
        CHECK_EQ(flags_of(part), CL_MEM_READ_ONLY | BANK(5) | HETEROGENEOUS);
        if (device_uint(CL_DEVICE_IMAGE_SUPPORT)) {
            const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
            const cl_image_desc desc = {
                .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .mem_object = part};
            cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
            REQUIRE_OK(rc);
            CHECK_EQ(flags_of(image), CL_MEM_READ_ONLY | BANK(5) | HETEROGENEOUS);
            RELEASE_MEM(image);
            CREATE_FAILS(CL_INVALID_VALUE,
                         clCreateImage(cl.context, BANK(4), &format, &desc, NULL, ERR));
        }
        RELEASE_MEM(part);
        CREATE_FAILS(CL_INVALID_VALUE,
                     clCreateSubBuffer(whole, BANK(4), CL_BUFFER_CREATE_TYPE_REGION, &region, ERR));
        RELEASE_MEM(whole);
    }
}

static void banks(void)
{
    const cl_mem_properties three[] = {CL_MEM_CHANNEL_INTEL, 3, 0},
                            none[] = {CL_MEM_CHANNEL_INTEL, 0, 0};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const cl_bool images = device_uint(CL_DEVICE_IMAGE_SUPPORT);
    cl_uint count;
    cl_int rc;
    if (!has_extension("cl_intel_mem_channel_property")) {
        CREATE_FAILS(CL_INVALID_VALUE, clCreateBuffer(cl.context, BANK(1), 64, NULL, ERR));
        CREATE_FAILS(CL_INVALID_VALUE, clCreateBuffer(cl.context, HETEROGENEOUS, 64, NULL, ERR));
        if (images)
            CREATE_FAILS(CL_INVALID_VALUE,
                         clCreateImage(cl.context, BANK(1), &format, &desc, NULL, ERR));
        return;
    }
    for (cl_uint bank = 1; bank <= 7; bank++)
        bank_is_kept(CL_MEM_READ_WRITE | BANK(bank));
    bank_is_kept(CL_MEM_WRITE_ONLY | HETEROGENEOUS);
    bank_is_kept(CL_MEM_READ_ONLY | HETEROGENEOUS | BANK(7));
    parts_of_banks();
    cl_mem same = clCreateBufferWithProperties(cl.context, three, BANK(3), 64, NULL, &rc);
    REQUIRE_OK(rc);
    RELEASE_MEM(same);
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, three, BANK(2), 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, none, BANK(2), 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateBuffer(cl.context, (cl_mem_flags)1 << 20, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreatePipe(cl.context, BANK(1), 4, 4, NULL, ERR));
    if (!images)
        return;
    CHECK_OK(
        clGetSupportedImageFormats(cl.context, BANK(2), CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    cl_mem image = clCreateImage(cl.context, CL_MEM_READ_ONLY | BANK(2), &format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(flags_of(image), CL_MEM_READ_ONLY | BANK(2));
    RELEASE_MEM(image);
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
    CASE(buffer_properties),     CASE(banks),        CASE(uuids),         CASE(attributes),
    CASE(uuids_differ),          CASE(dot_products), CASE(float_atomics), CASE(suggested_size),
    CASE(queue_with_properties), CASE(lists),
};
TEST_MAIN("api_extension", cases)
