/* SPDX-License-Identifier: Apache-2.0 */
/* Device discovery, every query with its size, minimum values, sub-devices, timers. */
#include "cl_help.h"

#include <CL/cl_ext.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* size 0: text or list of any length */
struct query {
    cl_device_info name;
    size_t size;
    int since;
};
#define Q(name, type) {name, sizeof(type), 120}
#define TEXT(name) {name, 0, 120}

static const struct query queries[] = {
    Q(CL_DEVICE_TYPE, cl_device_type),
    Q(CL_DEVICE_VENDOR_ID, cl_uint),
    Q(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint),
    Q(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint),
    Q(CL_DEVICE_MAX_WORK_ITEM_SIZES, size_t[3]),
    Q(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint),
    Q(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint),
    Q(CL_DEVICE_ADDRESS_BITS, cl_uint),
    Q(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong),
    Q(CL_DEVICE_IMAGE_SUPPORT, cl_bool),
    Q(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint),
    Q(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint),
    Q(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t),
    Q(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t),
    Q(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t),
    Q(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t),
    Q(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t),
    Q(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t),
    Q(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t),
    Q(CL_DEVICE_MAX_SAMPLERS, cl_uint),
    Q(CL_DEVICE_MAX_PARAMETER_SIZE, size_t),
    Q(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint),
    Q(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint),
    Q(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config),
    Q(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config),
    Q(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type),
    Q(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint),
    Q(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong),
    Q(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong),
    Q(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong),
    Q(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint),
    Q(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type),
    Q(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong),
    Q(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool),
    Q(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool),
    Q(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t),
    Q(CL_DEVICE_ENDIAN_LITTLE, cl_bool),
    Q(CL_DEVICE_AVAILABLE, cl_bool),
    Q(CL_DEVICE_COMPILER_AVAILABLE, cl_bool),
    Q(CL_DEVICE_LINKER_AVAILABLE, cl_bool),
    Q(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities),
    Q(CL_DEVICE_QUEUE_PROPERTIES, cl_command_queue_properties),
    Q(CL_DEVICE_PLATFORM, cl_platform_id),
    Q(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t),
    Q(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool),
    Q(CL_DEVICE_PARENT_DEVICE, cl_device_id),
    Q(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint),
    Q(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain),
    Q(CL_DEVICE_REFERENCE_COUNT, cl_uint),
    TEXT(CL_DEVICE_PARTITION_PROPERTIES),
    TEXT(CL_DEVICE_PARTITION_TYPE),
    TEXT(CL_DEVICE_NAME),
    TEXT(CL_DEVICE_VENDOR),
    TEXT(CL_DRIVER_VERSION),
    TEXT(CL_DEVICE_PROFILE),
    TEXT(CL_DEVICE_VERSION),
    TEXT(CL_DEVICE_OPENCL_C_VERSION),
    TEXT(CL_DEVICE_EXTENSIONS),
    TEXT(CL_DEVICE_BUILT_IN_KERNELS),
    {CL_DEVICE_SVM_CAPABILITIES, sizeof(cl_device_svm_capabilities), 200},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(cl_uint), 200},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(size_t), 200},
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof(size_t), 200},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(cl_command_queue_properties), 200},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof(cl_command_queue_properties), 200},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof(cl_uint), 200},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof(cl_uint), 200},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof(cl_uint), 200},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof(cl_uint), 200},
    {CL_DEVICE_MAX_PIPE_ARGS, sizeof(cl_uint), 200},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof(cl_uint), 200},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof(cl_uint), 200},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, sizeof(cl_uint), 200},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, sizeof(cl_uint), 200},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, sizeof(cl_uint), 200},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint), 200},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint), 200},
    {CL_DEVICE_IL_VERSION, 0, 210},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(cl_uint), 210},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof(cl_bool), 210},
    {CL_DEVICE_NUMERIC_VERSION, sizeof(cl_version), 300},
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, 300},
    {CL_DEVICE_ILS_WITH_VERSION, 0, 300},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0, 300},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(cl_device_atomic_capabilities), 300},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof(cl_device_atomic_capabilities), 300},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof(cl_bool), 300},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, 300},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t), 300},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(cl_bool), 300},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof(cl_bool), 300},
    {CL_DEVICE_OPENCL_C_FEATURES, 0, 300},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof(cl_device_device_enqueue_capabilities), 300},
    {CL_DEVICE_PIPE_SUPPORT, sizeof(cl_bool), 300},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, 0, 300},
};

static void check_query(const struct query *q)
{
    size_t size = 12345, again = 0;
    cl_int rc = clGetDeviceInfo(cl.device, q->name, 0, NULL, &size);
    if (rc || (q->size && size != q->size)) {
        check_fail(__FILE__, __LINE__, "query 0x%x: %s, size %zu, expected %zu", q->name,
                   code_name(rc), size, q->size);
        return;
    }
    char *value = malloc(size + 1);
    REQUIRE(value);
    value[size] = '?';
    rc = clGetDeviceInfo(cl.device, q->name, size, value, &again);
    if (rc || again != size || value[size] != '?')
        check_fail(__FILE__, __LINE__, "query 0x%x: %s, size %zu then %zu", q->name, code_name(rc),
                   size, again);
    if (size && clGetDeviceInfo(cl.device, q->name, size - 1, value, NULL) != CL_INVALID_VALUE)
        check_fail(__FILE__, __LINE__, "query 0x%x: a short buffer is accepted", q->name);
    free(value);
}

static void every_query(void)
{
    for (size_t i = 0; i < LEN(queries); i++) {
        if (device_version() >= queries[i].since)
            check_query(&queries[i]);
    }
}

/* "vYYYY-MM-DD-XX", also when none was passed. */
static void conformance_version(void)
{
    char text[64] = "";
    unsigned year, month, day, number;
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, sizeof text,
                             text, NULL));
    CHECK_EQ(strlen(text), 14);
    CHECK_EQ(sscanf(text, "v%4u-%2u-%2u-%2u", &year, &month, &day, &number), 4);
    CHECK(month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

static void unknown_queries(void)
{
    char value[64];
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, 0, sizeof value, value, NULL));
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, 0x7fff, sizeof value, value, NULL));
    WRONG(CL_INVALID_DEVICE,
          clGetDeviceInfo((cl_device_id)cl.context, CL_DEVICE_NAME, sizeof value, value, NULL));
}

static void discovery(void)
{
    cl_uint count = 0;
    cl_device_id list[16];
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 16, list, &count));
    CHECK(count >= 1 && count <= 16);
    for (cl_uint i = 0; i < count; i++) {
        cl_platform_id owner = NULL;
        CHECK_OK(clGetDeviceInfo(list[i], CL_DEVICE_PLATFORM, sizeof owner, &owner, NULL));
        CHECK(owner == cl.platform);
    }
    CHECK_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_DEFAULT, 1, list, &count));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, list, NULL));
    FAILS(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 0, list, NULL));
    FAILS(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL));
    FAILS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(cl.platform, 0, 1, list, NULL));
    FAILS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_CUSTOM, 1, list, NULL));
    WRONG(CL_INVALID_PLATFORM,
          clGetDeviceIDs((cl_platform_id)cl.context, CL_DEVICE_TYPE_ALL, 1, list, NULL));
}

static cl_ulong device_ulong(cl_device_info name)
{
    cl_ulong value = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, NULL));
    return value;
}

static void minimum_values(void)
{
    CHECK(device_uint(CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    CHECK(device_uint(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) >= 3);
    CHECK(device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE) >= 1);
    CHECK(device_size(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    CHECK(device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
    CHECK(device_uint(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE) >= 128);
    CHECK(device_ulong(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 << 10);
    CHECK(device_uint(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    CHECK(device_ulong(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
    CHECK(device_size(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
    CHECK(device_ulong(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= 128 << 20);
    CHECK(device_ulong(CL_DEVICE_GLOBAL_MEM_SIZE) >= device_ulong(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    cl_ulong fp = device_ulong(CL_DEVICE_SINGLE_FP_CONFIG);
    CHECK((fp & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN)) ==
          (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
    if (is_sluice())
        CHECK(fp & CL_FP_DENORM);
    CHECK(device_ulong(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
    CHECK(device_ulong(CL_DEVICE_QUEUE_PROPERTIES) & CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(device_uint(CL_DEVICE_COMPILER_AVAILABLE), CL_TRUE);
    CHECK_EQ(device_uint(CL_DEVICE_LINKER_AVAILABLE), CL_TRUE);
    CHECK_EQ(device_uint(CL_DEVICE_AVAILABLE), CL_TRUE);
    CHECK_EQ(device_uint(CL_DEVICE_ENDIAN_LITTLE), CL_TRUE);
    CHECK(device_uint(CL_DEVICE_ADDRESS_BITS) == 64);
}

static void texts(void)
{
    char text[256] = "";
    int major, minor;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL));
    CHECK_EQ(sscanf(text, "OpenCL C %d.%d", &major, &minor), 2);
    CHECK(major * 10 + minor >= 12);
    CHECK(device_version() >= 120);
    CHECK(has_extension("cl_khr_byte_addressable_store"));
    CHECK(has_extension("cl_khr_global_int32_base_atomics"));
    CHECK(has_extension("cl_khr_global_int32_extended_atomics"));
    CHECK(has_extension("cl_khr_local_int32_base_atomics"));
    CHECK(has_extension("cl_khr_local_int32_extended_atomics"));
    CHECK_EQ(has_extension("cl_khr_fp64"), device_ulong(CL_DEVICE_DOUBLE_FP_CONFIG) != 0);
    CHECK_EQ(has_extension("cl_khr_fp64"),
             device_uint(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE) != 0);
    int half = has_extension("cl_khr_fp16");
    CHECK_EQ(half, device_ulong(CL_DEVICE_HALF_FP_CONFIG) != 0);
    CHECK_EQ(half, device_uint(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF) != 0);
    CHECK_EQ(half, device_uint(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) != 0);
}

static void c_versions(void)
{
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    cl_name_version list[64];
    size_t size = 0;
    REQUIRE_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size));
    unsigned seen = 0;
    for (size_t i = 0; i < size / sizeof *list; i++) {
        CHECK(!strcmp(list[i].name, "OpenCL C"));
        cl_version v = list[i].version;
        seen |= 1u << (CL_VERSION_MAJOR(v) == 3   ? 3
                       : CL_VERSION_MAJOR(v) == 1 ? CL_VERSION_MINOR(v)
                                                  : 4);
    }
    CHECK_EQ(seen & 15, 15);
}

/* Spec 4.2, "Required Extensions", and the tables: what 3.1 has no choice about. */
static void requirements_31(void)
{
    static const char *const names[] = {"cl_khr_device_uuid",
                                        "cl_khr_extended_bit_ops",
                                        "cl_khr_integer_dot_product",
                                        "cl_khr_spirv_queries",
                                        "cl_khr_subgroup_rotate",
                                        "cl_khr_subgroup_extended_types",
                                        "cl_khr_subgroup_shuffle",
                                        "cl_khr_subgroup_shuffle_relative",
                                        "cl_khr_suggested_local_work_size"};
    static const char *const languages[] = {"SPIR-V_1.0", "SPIR-V_1.1", "SPIR-V_1.2", "SPIR-V_1.3",
                                            "SPIR-V_1.4"};
    char text[1024];
    if (device_version() < 310)
        check_skip("before OpenCL 3.1");
    for (size_t i = 0; i < LEN(names); i++)
        if (!has_extension(names[i]))
            check_fail(__FILE__, __LINE__, "no %s", names[i]);
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
    for (size_t i = 0; i < LEN(languages); i++)
        if (!strstr(text, languages[i]))
            check_fail(__FILE__, __LINE__, "no %s", languages[i]);
    CHECK(device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS) >= 1);
    CHECK(
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clGetKernelSuggestedLocalWorkSize"));
}

/* The platform has the version of its best device, in words and as a number. */
static void versions_agree(void)
{
    char text[256];
    int major = 0, minor = 0;
    cl_version number = 0, platform = 0;
    if (device_version() < 300)
        check_skip("before OpenCL 3.0");
    REQUIRE_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    CHECK_EQ(sscanf(text, "OpenCL %d.%d ", &major, &minor), 2);
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NUMERIC_VERSION, sizeof number, &number, NULL));
    REQUIRE_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NUMERIC_VERSION, sizeof platform,
                                 &platform, NULL));
    CHECK_EQ(CL_VERSION_MAJOR(platform), major);
    CHECK_EQ(CL_VERSION_MINOR(platform), minor);
    CHECK_EQ(CL_VERSION_MAJOR(number) * 100 + CL_VERSION_MINOR(number) * 10, device_version());
    CHECK(platform >= number);
}

static void root_device_counts(void)
{
    cl_uint refs = 0;
    CHECK_OK(clRetainDevice(cl.device));
    CHECK_OK(clReleaseDevice(cl.device));
    CHECK_OK(clReleaseDevice(cl.device));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    CHECK_EQ(refs, 1);
    WRONG(CL_INVALID_DEVICE, clRetainDevice((cl_device_id)cl.context));
    WRONG(CL_INVALID_DEVICE, clReleaseDevice((cl_device_id)cl.context));
}

static void sub_devices(void)
{
    const cl_device_partition_property nonsense[] = {0x9999, 1, 0};
    cl_uint count = 0;
    FAILS(CL_INVALID_VALUE, clCreateSubDevices(cl.device, nonsense, 0, NULL, &count));
    FAILS(CL_INVALID_VALUE, clCreateSubDevices(cl.device, NULL, 0, NULL, &count));
    WRONG(CL_INVALID_DEVICE,
          clCreateSubDevices((cl_device_id)cl.context, nonsense, 0, NULL, &count));
    cl_uint most = device_uint(CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_int rc = clCreateSubDevices(cl.device, counts, 0, NULL, &count);
    if (most < 2)
        CHECK(rc == CL_INVALID_VALUE || rc == CL_DEVICE_PARTITION_FAILED || rc == CL_SUCCESS);
    cl_device_id sub, parent = NULL;
    if (rc == CL_SUCCESS && !clCreateSubDevices(cl.device, counts, 1, &sub, NULL)) {
        CHECK_OK(clGetDeviceInfo(sub, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
        CHECK(parent == cl.device);
        CHECK_OK(clReleaseDevice(sub));
    }
    const cl_uint units = device_uint(CL_DEVICE_MAX_COMPUTE_UNITS);
    const cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_EQUALLY, units, 0},
                                       more[] = {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0};
    if (rc)
        return;
    FAILS(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(cl.device, whole, 0, NULL, &count));
    FAILS(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(cl.device, more, 0, NULL, &count));
}

/* So many bytes behind which no memory is. */
static void *before_nothing(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_NONE));
    return pages + page - bytes;
}

/* What ends early is refused, and not read on. */
static void short_partition_lists(void)
{
    static const cl_device_partition_property names[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                         CL_DEVICE_PARTITION_BY_COUNTS,
                                                         CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
    static const cl_device_partition_property_ext names_ext[] = {
        CL_DEVICE_PARTITION_EQUALLY_EXT, CL_DEVICE_PARTITION_BY_COUNTS_EXT,
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT};
    cl_device_partition_property *list = before_nothing(2 * sizeof *list);
    cl_device_partition_property_ext *list_ext = before_nothing(2 * sizeof *list_ext);
    clCreateSubDevicesEXT_fn create =
        (clCreateSubDevicesEXT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clCreateSubDevicesEXT");
    cl_uint count;
    for (int i = 0; i < 3; i++) {
        list[0] = names[i];
        list_ext[0] = names_ext[i];
        list[1] = 0;
        list_ext[1] = 0;
        CHECK(clCreateSubDevices(cl.device, list, 0, NULL, &count) != CL_SUCCESS);
        if (create)
            CHECK(create(cl.device, list_ext, 0, NULL, &count) != CL_SUCCESS);
    }
}

/* cl_ext_device_fission by its functions: the parts are those of clCreateSubDevices. */
static void fission(void)
{
    static const cl_device_partition_property_ext
        equally[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1, CL_PROPERTIES_LIST_END_EXT},
        counts[] = {CL_DEVICE_PARTITION_BY_COUNTS_EXT, 1, CL_PARTITION_BY_COUNTS_LIST_END_EXT,
                    CL_PROPERTIES_LIST_END_EXT},
        many[] = {CL_DEVICE_PARTITION_BY_COUNTS_EXT, 1 << 20, 0, 0},
        names[] = {CL_DEVICE_PARTITION_BY_NAMES_EXT, 0, CL_PARTITION_BY_NAMES_LIST_END_EXT, 0},
        domain[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, 0x77, 0};
    const cl_device_partition_property same[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    clCreateSubDevicesEXT_fn create =
        (clCreateSubDevicesEXT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clCreateSubDevicesEXT");
    clRetainDeviceEXT_fn retain =
        (clRetainDeviceEXT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clRetainDeviceEXT");
    clReleaseDeviceEXT_fn release =
        (clReleaseDeviceEXT_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clReleaseDeviceEXT");
    cl_uint count = 0, want = 0, references = 0;
    cl_device_id part = NULL, parent = NULL;
    if (!create || !retain || !release)
        check_skip("no such functions");
    FAILS(CL_INVALID_VALUE, create(cl.device, NULL, 0, NULL, &count));
    FAILS(CL_INVALID_VALUE, create(cl.device, names, 0, NULL, &count));
    FAILS(CL_INVALID_VALUE, create(cl.device, domain, 0, NULL, &count));
    FAILS(CL_INVALID_DEVICE, create(NULL, equally, 0, NULL, &count));
    cl_int rc = clCreateSubDevices(cl.device, same, 0, NULL, &want);
    CHECK_EQ(create(cl.device, equally, 0, NULL, &count), rc);
    CHECK_EQ(count, want);
    if (rc)
        return;
    FAILS(CL_INVALID_PARTITION_COUNT_EXT, create(cl.device, many, 0, NULL, &count));
    REQUIRE_OK(create(cl.device, counts, 1, &part, &count));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetDeviceInfo(part, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
    CHECK(parent == cl.device);
    CHECK_OK(retain(part));
    CHECK_OK(
        clGetDeviceInfo(part, CL_DEVICE_REFERENCE_COUNT, sizeof references, &references, NULL));
    CHECK_EQ(references, 2);
    CHECK_OK(release(part));
    CHECK_OK(release(part));
    CHECK_OK(retain(cl.device)); /* a root device does not count */
    CHECK_OK(release(cl.device));
}

/* What is built for a device runs on its sub-devices, which the context may name too. */
static void built_for_the_parent(void)
{
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id devices[2] = {cl.device, NULL};
    if (clCreateSubDevices(cl.device, counts, 1, &devices[1], NULL))
        check_skip("the device cannot be partitioned");
    const char *source = "kernel void k(global int *x) { *x = 7; }\n";
    cl_int rc, result = 0;
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, devices, NULL, NULL, NULL));
    cl_build_status status = CL_BUILD_NONE;
    CHECK_OK(clGetProgramBuildInfo(program, devices[1], CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    CHECK_EQ(status, CL_BUILD_SUCCESS);
    cl_command_queue queue = clCreateCommandQueue(context, devices[1], 0, &rc);
    REQUIRE_OK(rc);
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    CHECK_OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    CHECK_EQ(result, 7);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(context);
    CHECK_OK(clReleaseDevice(devices[1]));
}

/* ---- affinity domains ------------------------------------------------------------------------ */

struct seen {
    _Atomic int calls;
    cpu_set_t may, ran;
};

/* Where the thread that runs it is allowed to be, and is. */
static void CL_CALLBACK look_around(void *args)
{
    struct seen *seen = *(struct seen **)args;
    sched_getaffinity(0, sizeof seen->may, &seen->may);
    CPU_SET(sched_getcpu(), &seen->ran);
    seen->calls++;
}

/* CPUs that the threads of a device are bound to; kernels give right results there, too. */
static cpu_set_t run_on(cl_device_id device)
{
    const char *source = "kernel void k(global int *x) { x[get_global_id(0)] += 3; }\n";
    static int data[10007];
    struct seen seen = {.calls = 0}, *args = &seen;
    cl_int rc;
    size_t items = sizeof data / sizeof *data;
    CPU_ZERO(&seen.ran);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    CHECK_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &rc);
    CHECK_OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &rc);
    CHECK_OK(rc);
    memset(data, 0, sizeof data);
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
    CHECK_OK(rc);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, mem);
    for (int i = 0; i < 20; i++)
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (size_t i = 0; i < items; i++)
        if (data[i] != 60) {
            check_fail(__FILE__, __LINE__, "item %zu is %d", i, data[i]);
            break;
        }
    for (int i = 0; i < 20; i++)
        CHECK_OK(clEnqueueNativeKernel(queue, look_around, &args, sizeof args, 0, NULL, NULL, 0,
                                       NULL, NULL));
    CHECK_OK(clFinish(queue));
    CHECK_EQ(seen.calls, 20);
    cpu_set_t both;
    CPU_AND(&both, &seen.ran, &seen.may);
    CHECK(CPU_EQUAL(&both, &seen.ran));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(context);
    return seen.may;
}

/* The threads of a domain have a place, which those of the application have not. */
static void callers_run_nothing(cl_device_id part)
{
    const char name[] = "cl_intel_exec_by_local_thread";
    char names[4096];
    cl_name_version list[128];
    cl_command_queue_properties can = 0;
    size_t bytes = 0;
    CHECK_OK(clGetDeviceInfo(part, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    CHECK(!strstr(names, name));
    CHECK_OK(clGetDeviceInfo(part, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &bytes));
    for (size_t i = 0; i < bytes / sizeof *list; i++)
        CHECK(strcmp(list[i].name, name));
    CHECK_OK(clGetDeviceInfo(part, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof can, &can, NULL));
    CHECK(!(can & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL));
}

static void partition_by(cl_device_affinity_domain domain)
{
    const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                               (cl_device_partition_property)domain, 0};
    cl_device_id parts[256];
    cl_uint count = 0, units = 0, all = 0;
    cpu_set_t before, both;
    REQUIRE_OK(clCreateSubDevices(cl.device, by, 256, parts, &count));
    CHECK(count >= 2);
    CPU_ZERO(&before);
    for (cl_uint i = 0; i < count; i++) {
        cl_device_partition_property how[4] = {0};
        CHECK_OK(clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_TYPE, sizeof how, how, NULL));
        CHECK_EQ(how[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
        if (domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
            CHECK(how[1] != (cl_device_partition_property)domain);
        else
            CHECK_EQ(how[1], (cl_device_partition_property)domain);
        CHECK_OK(
            clGetDeviceInfo(parts[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
        all += units;
        if (is_sluice()) {
            callers_run_nothing(parts[i]);
            cpu_set_t cpus = run_on(parts[i]);
            CHECK_EQ(CPU_COUNT(&cpus), units);
            CPU_AND(&both, &cpus, &before);
            CHECK_EQ(CPU_COUNT(&both), 0);
            CPU_OR(&before, &cpus, &before);
        }
        CHECK_OK(clReleaseDevice(parts[i]));
    }
    CHECK_EQ(all, device_uint(CL_DEVICE_MAX_COMPUTE_UNITS));
}

static void affinity_domains(void)
{
    cl_device_affinity_domain domains = device_ulong(CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
    const cl_device_affinity_domain last = CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    for (cl_device_affinity_domain bit = 1; bit <= last; bit <<= 1) {
        const cl_device_partition_property by[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                   (cl_device_partition_property)bit, 0};
        cl_uint count = 0;
        if (domains & bit)
            partition_by(bit);
        else if (is_sluice())
            FAILS(CL_INVALID_VALUE, clCreateSubDevices(cl.device, by, 0, NULL, &count));
    }
    if (!domains)
        check_skip("the units share everything");
}

static void timers(void)
{
    cl_ulong device = 0, host = 0, later = 0;
    if (device_version() < 210)
        check_skip("before OpenCL 2.1");
    cl_ulong resolution = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution,
                               &resolution, NULL));
    if (!resolution) {
        FAILS(CL_INVALID_OPERATION, clGetDeviceAndHostTimer(cl.device, &device, &host));
        FAILS(CL_INVALID_OPERATION, clGetHostTimer(cl.device, &host));
        return;
    }
    CHECK_OK(clGetDeviceAndHostTimer(cl.device, &device, &host));
    CHECK_OK(clGetHostTimer(cl.device, &later));
    CHECK(later >= host);
    FAILS(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, NULL, &host));
    FAILS(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, &device, NULL));
    FAILS(CL_INVALID_VALUE, clGetHostTimer(cl.device, NULL));
    WRONG(CL_INVALID_DEVICE, clGetHostTimer((cl_device_id)cl.context, &host));
}

static const struct test_case cases[] = {
    CASE(every_query),           CASE(unknown_queries), CASE(discovery),
    CASE(minimum_values),        CASE(texts),           CASE(root_device_counts),
    CASE(sub_devices),           CASE(c_versions),      CASE(requirements_31),
    CASE(versions_agree),        CASE(timers),          CASE(built_for_the_parent),
    CASE(short_partition_lists), CASE(fission),         CASE(conformance_version),
    CASE(affinity_domains),
};
TEST_MAIN("device", cases)
