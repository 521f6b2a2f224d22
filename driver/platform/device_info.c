/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clGetDeviceInfo: one table over the device's facts (struct sl_device_caps), one over the object.
 * All of it is constant once the device exists: no lock. Spec 4.2, table "device queries".
 */
#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "base/query/info.h"
#include "platform/built_in_kernels.h"
#include "platform/capabilities.h"
#include "platform/device.h"
#include "platform/device_extension_info.h"
#include "platform/device_programs.h"
#include "platform/own_extensions.h"
#include "platform/platform.h"
#include "sluice/base/opencl_version.h"
#include "sluice/base/spirv.h"

#define MAX_PARTITIONS 3
#define MAX_CONSTANT_ARGS 8 /* enough for the specification; they are ordinary pointers here */

typedef struct sl_device_caps caps_t;

static const struct sl_info_row caps_rows[] = {
    SL_VALUE(CL_DEVICE_TYPE, caps_t, type),
    SL_VALUE(CL_DEVICE_VENDOR_ID, caps_t, vendor_id),
    SL_STRING(CL_DEVICE_NAME, caps_t, name),
    SL_STRING(CL_DEVICE_VENDOR, caps_t, vendor),
    SL_VALUE(CL_DEVICE_MAX_WORK_GROUP_SIZE, caps_t, max_work_group_size),
    SL_VALUE(CL_DEVICE_MAX_WORK_ITEM_SIZES, caps_t, max_work_item_sizes),
    SL_VALUE(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, caps_t, preferred_group_multiple),
    SL_VALUE(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, caps_t, preferred_width[SL_WIDTH_CHAR]),
    SL_VALUE(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, caps_t, preferred_width[SL_WIDTH_SHORT]),
    SL_VALUE(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, caps_t, preferred_width[SL_WIDTH_INT]),
    SL_VALUE(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, caps_t, preferred_width[SL_WIDTH_LONG]),
    SL_VALUE(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, caps_t, preferred_width[SL_WIDTH_FLOAT]),
    SL_VALUE(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, caps_t, native_width[SL_WIDTH_CHAR]),
    SL_VALUE(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, caps_t, native_width[SL_WIDTH_SHORT]),
    SL_VALUE(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, caps_t, native_width[SL_WIDTH_INT]),
    SL_VALUE(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, caps_t, native_width[SL_WIDTH_LONG]),
    SL_VALUE(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, caps_t, native_width[SL_WIDTH_FLOAT]),
    SL_VALUE(CL_DEVICE_MAX_CLOCK_FREQUENCY, caps_t, max_clock_mhz),
    SL_VALUE(CL_DEVICE_MAX_MEM_ALLOC_SIZE, caps_t, max_alloc_bytes),
    SL_VALUE(CL_DEVICE_GLOBAL_MEM_SIZE, caps_t, global_mem_bytes),
    SL_VALUE(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, caps_t, global_cache_type),
    SL_VALUE(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, caps_t, global_cacheline_bytes),
    SL_VALUE(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, caps_t, global_cache_bytes),
    SL_VALUE(CL_DEVICE_LOCAL_MEM_TYPE, caps_t, local_mem_type),
    SL_VALUE(CL_DEVICE_LOCAL_MEM_SIZE, caps_t, local_mem_bytes),
    SL_VALUE(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, caps_t, max_constant_bytes),
    SL_VALUE(CL_DEVICE_MEM_BASE_ADDR_ALIGN, caps_t, mem_base_align_bits),
    SL_VALUE(CL_DEVICE_MAX_PARAMETER_SIZE, caps_t, max_parameter_bytes),
    SL_VALUE(CL_DEVICE_PRINTF_BUFFER_SIZE, caps_t, print_buffer_bytes),
    SL_VALUE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, caps_t, max_global_variable_bytes),
    SL_VALUE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, caps_t, max_global_variable_bytes),
    SL_VALUE(CL_DEVICE_SINGLE_FP_CONFIG, caps_t, single_fp_config),
    SL_VALUE(CL_DEVICE_DOUBLE_FP_CONFIG, caps_t, double_fp_config),
    SL_VALUE(CL_DEVICE_HALF_FP_CONFIG, caps_t, half_fp_config),
    SL_VALUE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, caps_t, timer_resolution_ns),
    SL_BOOL(CL_DEVICE_HOST_UNIFIED_MEMORY, caps_t, host_unified_memory),
    SL_VALUE(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, caps_t, device_queue_preferred_bytes),
    SL_VALUE(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, caps_t, device_queue_max_bytes),
    SL_VALUE(CL_DEVICE_MAX_ON_DEVICE_QUEUES, caps_t, max_device_queues),
    SL_VALUE(CL_DEVICE_MAX_ON_DEVICE_EVENTS, caps_t, max_device_events),
    SL_VALUE(CL_DEVICE_IMAGE2D_MAX_WIDTH, caps_t, image2d_max[0]),
    SL_VALUE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, caps_t, image2d_max[1]),
    SL_VALUE(CL_DEVICE_IMAGE3D_MAX_WIDTH, caps_t, image3d_max[0]),
    SL_VALUE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, caps_t, image3d_max[1]),
    SL_VALUE(CL_DEVICE_IMAGE3D_MAX_DEPTH, caps_t, image3d_max[2]),
    SL_VALUE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, caps_t, image_max_buffer),
    SL_VALUE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, caps_t, image_max_array),
    SL_VALUE(CL_DEVICE_MAX_SAMPLERS, caps_t, max_samplers),
    SL_VALUE(CL_DEVICE_MAX_READ_IMAGE_ARGS, caps_t, max_read_images),
    SL_VALUE(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, caps_t, max_write_images),
    SL_VALUE(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, caps_t, max_write_images),
    SL_VALUE(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, caps_t, image_pitch_align),
    SL_VALUE(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, caps_t, image_base_align),
};
_Static_assert(sizeof(cl_device_type) == sizeof(uint64_t), "facts have the queries' types");
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "timer_resolution_ns answers a size_t query");

static const struct _cl_device_id *of(const void *object)
{
    return object;
}

static uint32_t features(const void *object)
{
    return sl_device_features(object);
}

static void answer_flag(const void *object, uint32_t feature, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_bool, (features(object) & feature) ? CL_TRUE : CL_FALSE);
}

static void width(const void *object, const uint32_t *widths, int type, struct sl_answer *answer)
{
    uint32_t needs = type == SL_WIDTH_HALF ? SL_FEATURE_FP16 : SL_FEATURE_FP64;
    SL_ANSWER(answer, cl_uint, (features(object) & needs) ? widths[type] : 0);
}

static void preferred_half(const void *object, struct sl_answer *answer)
{
    width(object, of(object)->impl->caps.preferred_width, SL_WIDTH_HALF, answer);
}

static void preferred_double(const void *object, struct sl_answer *answer)
{
    width(object, of(object)->impl->caps.preferred_width, SL_WIDTH_DOUBLE, answer);
}

static void native_half(const void *object, struct sl_answer *answer)
{
    width(object, of(object)->impl->caps.native_width, SL_WIDTH_HALF, answer);
}

static void native_double(const void *object, struct sl_answer *answer)
{
    width(object, of(object)->impl->caps.native_width, SL_WIDTH_DOUBLE, answer);
}

static void image_support(const void *object, struct sl_answer *answer)
{
    answer_flag(object, SL_FEATURE_IMAGES, answer);
}

static void generic_address_space(const void *object, struct sl_answer *answer)
{
    answer_flag(object, SL_FEATURE_GENERIC_ADDRESS_SPACE, answer);
}

static void non_uniform_groups(const void *object, struct sl_answer *answer)
{
    answer_flag(object, SL_FEATURE_NON_UNIFORM_GROUPS, answer);
}

static void pipe_support(const void *object, struct sl_answer *answer)
{
    answer_flag(object, SL_FEATURE_PIPES, answer);
}

static void pipe_limit(const void *object, cl_uint limit, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, (features(object) & SL_FEATURE_PIPES) ? limit : 0);
}

static void max_pipe_args(const void *object, struct sl_answer *answer)
{
    pipe_limit(object, 16, answer);
}

/* Nobody counts them: a number that is fit for arrays of them. */
static void pipe_reservations(const void *object, struct sl_answer *answer)
{
    pipe_limit(object, 1024, answer);
}

static void host_pipe_support(const void *object, struct sl_answer *answer)
{
    answer_flag(object, SL_FEATURE_DATAFLOW, answer);
}

/* No bound of ours: a number that no design reaches. */
static void host_pipes(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, (features(object) & SL_FEATURE_DATAFLOW) ? 65536 : 0);
}

static void pipe_packet(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sl_device_pipe_packet((cl_device_id)(uintptr_t)object));
}

static void svm_capabilities(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_svm_capabilities,
              sl_svm_capabilities((cl_device_id)(uintptr_t)object));
}

static void execution_capabilities(const void *object, struct sl_answer *answer)
{
    bool native = features(object) & SL_FEATURE_NATIVE_KERNELS;
    SL_ANSWER(answer, cl_device_exec_capabilities,
              CL_EXEC_KERNEL | (native ? CL_EXEC_NATIVE_KERNEL : 0));
}

static void queue_properties(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_command_queue_properties,
              sl_device_queue_properties((cl_device_id)(uintptr_t)object));
}

static void device_version(const void *object, struct sl_answer *answer)
{
    const char *detail = of(object)->impl->caps.device_version;
    char text[128];
    snprintf(text, sizeof text, "OpenCL %d.%u Sluice " SLUICE_VERSION "%s%s", SL_OPENCL_MAJOR,
             sl_device_minor_version(object), detail ? " " : "", detail ? detail : "");
    sl_answer_string(answer, text);
}

static void numeric_version(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_version,
              CL_MAKE_VERSION(SL_OPENCL_MAJOR, sl_device_minor_version(object), 0));
}

static void extensions(const void *object, struct sl_answer *answer)
{
    sl_device_extension_names(of(object), features(object), answer);
}

static void extension_versions(const void *object, struct sl_answer *answer)
{
    sl_device_extension_versions(of(object), features(object), answer);
}

static void language_features(const void *object, struct sl_answer *answer)
{
    sl_extension_versions(SL_EXT_LANGUAGE, features(object), answer);
}

static void language_versions(const void *object, struct sl_answer *answer)
{
    static const cl_name_version versions[] = {
        {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"}, {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
        {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
        {CL_MAKE_VERSION(3, 1, 0), "OpenCL C"},
    };
    size_t last = sl_device_minor_version(object) ? 0 : sizeof *versions;
    sl_answer_bytes(answer, versions, sizeof versions - last);
}

static void device_queue_properties(const void *object, struct sl_answer *answer)
{
    bool any = features(object) & SL_FEATURE_DEVICE_ENQUEUE;
    SL_ANSWER(answer, cl_command_queue_properties,
              any ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE : 0);
}

static void device_enqueue(const void *object, struct sl_answer *answer)
{
    bool any = features(object) & SL_FEATURE_DEVICE_ENQUEUE;
    SL_ANSWER(answer, cl_device_device_enqueue_capabilities,
              any ? CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT : 0);
}

static void reference_count(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, of(object)->parent ? sl_api_refs(object) : 1);
}

static void max_sub_devices(const void *object, struct sl_answer *answer)
{
    const struct _cl_device_id *device = of(object);
    cl_uint limit = device->impl->caps.max_sub_devices;
    if (limit < 2 || device->units < 2)
        limit = 0;
    SL_ANSWER(answer, cl_uint, device->units < limit ? device->units : limit);
}

static void partition_properties(const void *object, struct sl_answer *answer)
{
    const struct _cl_device_id *device = of(object);
    cl_device_partition_property list[MAX_PARTITIONS] = {0};
    size_t count = 0;
    if (device->impl->caps.max_sub_devices > 1 && device->units > 1) {
        list[count++] = CL_DEVICE_PARTITION_EQUALLY;
        list[count++] = CL_DEVICE_PARTITION_BY_COUNTS;
        if (sl_affinity_domains((cl_device_id)(uintptr_t)object))
            list[count++] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    }
    sl_answer_bytes(answer, list, (count ? count : 1) * sizeof *list);
}

static void affinity_domains(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_affinity_domain,
              sl_affinity_domains((cl_device_id)(uintptr_t)object));
}

static void partition_type(const void *object, struct sl_answer *answer)
{
    const struct _cl_device_id *device = of(object);
    sl_answer_bytes(answer, device->partition,
                    device->partition_count * sizeof(cl_device_partition_property));
}

static void compiler_available(const void *object, struct sl_answer *answer)
{
    const struct _cl_device_id *device = object;
    SL_ANSWER(answer, cl_bool, sl_device_compiles(device->root->impl) ? CL_TRUE : CL_FALSE);
}

/* Kernels run the host's instructions on the host's memory: all orders, every scope there is. */
static cl_device_atomic_capabilities atomic_reach(const void *object)
{
    const cl_device_atomic_capabilities orders = CL_DEVICE_ATOMIC_ORDER_RELAXED |
                                                 CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                 CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
    return orders | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
           ((features(object) & SL_FEATURE_SVM) ? CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES : 0);
}

static void atomic_memory(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_atomic_capabilities, atomic_reach(object));
}

static void atomic_fence(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_atomic_capabilities,
              atomic_reach(object) | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
}

static void il_version(const void *object, struct sl_answer *answer)
{
    char text[sizeof "SPIR-V_1.0" * SL_SPIRV_MINOR_VERSIONS] = "", *at = text;
    bool any = features(object) & SL_FEATURE_IL;
    for (unsigned minor = 0; any && minor < SL_SPIRV_MINOR_VERSIONS; minor++)
        at += sprintf(at, "%sSPIR-V_1.%u", minor ? " " : "", minor);
    sl_answer_string(answer, text);
}

static void il_versions(const void *object, struct sl_answer *answer)
{
    cl_name_version rows[SL_SPIRV_MINOR_VERSIONS] = {{0}};
    bool any = features(object) & SL_FEATURE_IL;
    for (unsigned minor = 0; minor < SL_SPIRV_MINOR_VERSIONS; minor++)
        rows[minor] = (cl_name_version){CL_MAKE_VERSION(1, minor, 0), "SPIR-V"};
    sl_answer_bytes(answer, rows, any ? sizeof rows : 0);
}

static void built_in_kernels(const void *object, struct sl_answer *answer)
{
    sl_built_in_kernel_names(object, answer);
}

static void built_in_kernel_versions(const void *object, struct sl_answer *answer)
{
    sl_built_in_kernel_versions(object, answer);
}

static const struct sl_info_row device_rows[] = {
    SL_VALUE(CL_DEVICE_MAX_COMPUTE_UNITS, struct _cl_device_id, units),
    SL_VALUE(CL_DEVICE_PLATFORM, struct _cl_device_id, platform),
    SL_VALUE(CL_DEVICE_PARENT_DEVICE, struct _cl_device_id, parent),
    SL_CALL(CL_DEVICE_VERSION, device_version),
    SL_TEXT(CL_DRIVER_VERSION, SLUICE_VERSION),
    SL_TEXT(CL_DEVICE_PROFILE, "FULL_PROFILE"),
    SL_CALL(CL_DEVICE_NUMERIC_VERSION, numeric_version),
    SL_CALL(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, preferred_half),
    SL_CALL(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, preferred_double),
    SL_CALL(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, native_half),
    SL_CALL(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, native_double),
    /* The language that 3.0 is fully compatible with, and what is compiled without -cl-std. */
    SL_TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Sluice"),
    SL_CONST(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, cl_version, CL_MAKE_VERSION(1, 2, 0)),
    SL_CALL(CL_DEVICE_OPENCL_C_ALL_VERSIONS, language_versions),
    SL_CALL(CL_DEVICE_OPENCL_C_FEATURES, language_features),
    SL_CALL(CL_DEVICE_EXTENSIONS, extensions),
    SL_CALL(CL_DEVICE_EXTENSIONS_WITH_VERSION, extension_versions),
    SL_TEXT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"),
    SL_CONST(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3),
    SL_CONST(CL_DEVICE_ADDRESS_BITS, cl_uint, 64),
    SL_CONST(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, sizeof(cl_long16)),
    SL_CONST(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, MAX_CONSTANT_ARGS),
    SL_CONST(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_FALSE),
    SL_CONST(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE),
    SL_CONST(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE),
    SL_CALL(CL_DEVICE_COMPILER_AVAILABLE, compiler_available),
    SL_CALL(CL_DEVICE_LINKER_AVAILABLE, compiler_available),
    SL_CALL(CL_DEVICE_EXECUTION_CAPABILITIES, execution_capabilities),
    SL_CALL(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, queue_properties),
    SL_CALL(CL_DEVICE_BUILT_IN_KERNELS, built_in_kernels),
    SL_CALL(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, built_in_kernel_versions),
    SL_CALL(CL_DEVICE_REFERENCE_COUNT, reference_count),
    SL_CALL(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, max_sub_devices),
    SL_CALL(CL_DEVICE_PARTITION_PROPERTIES, partition_properties),
    SL_CALL(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, affinity_domains),
    SL_CALL(CL_DEVICE_PARTITION_TYPE, partition_type),
    SL_CONST(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),
    SL_CALL(CL_DEVICE_IMAGE_SUPPORT, image_support),
    SL_CALL(CL_DEVICE_SVM_CAPABILITIES, svm_capabilities),
    SL_CONST(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
    SL_CONST(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
    SL_CONST(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),
    SL_CALL(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, atomic_memory),
    SL_CALL(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, atomic_fence),
    SL_CALL(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, device_queue_properties),
    SL_CALL(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, device_enqueue),
    SL_CALL(CL_DEVICE_PIPE_SUPPORT, pipe_support),
    SL_CALL(CL_DEVICE_MAX_PIPE_ARGS, max_pipe_args),
    SL_CALL(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, pipe_reservations),
    SL_CALL(CL_DEVICE_PIPE_MAX_PACKET_SIZE, pipe_packet),
    SL_CALL(CL_DEVICE_KERNEL_KERNEL_PIPE_SUPPORT_SLUICE, host_pipe_support),
    SL_CALL(CL_DEVICE_KERNEL_HOST_PIPE_SUPPORT_SLUICE, host_pipe_support),
    SL_CALL(CL_DEVICE_MAX_HOST_READ_PIPES_SLUICE, host_pipes),
    SL_CALL(CL_DEVICE_MAX_HOST_WRITE_PIPES_SLUICE, host_pipes),
    SL_CALL(CL_DEVICE_IL_VERSION, il_version),
    SL_CALL(CL_DEVICE_ILS_WITH_VERSION, il_versions),
    SL_CONST(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, CL_TRUE),
    SL_CALL(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, generic_address_space),
    SL_CALL(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, non_uniform_groups),
};

cl_int CL_API_CALL sl_clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret)
{
    if (!sl_valid(device, &sl_device_type))
        return sl_refuse(CL_INVALID_DEVICE, "not a valid device");
    if (sl_info_find(caps_rows, SL_LEN(caps_rows), param_name))
        return sl_info(caps_rows, SL_LEN(caps_rows), sl_caps(device), param_name, param_value_size,
                       param_value, param_value_size_ret);
    if (sl_info_find(sl_device_extension_rows, sl_device_extension_row_count, param_name))
        return sl_info(sl_device_extension_rows, sl_device_extension_row_count, device, param_name,
                       param_value_size, param_value, param_value_size_ret);
    return sl_info(device_rows, SL_LEN(device_rows), device, param_name, param_value_size,
                   param_value, param_value_size_ret);
}
