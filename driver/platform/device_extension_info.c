/* SPDX-License-Identifier: Apache-2.0 */
/* See device_extension_info.h. Facts do not change while a device is there; no lock. */
#include "platform/device_extension_info.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

#include "platform/capabilities.h"
#include "platform/cooperative_matrix.h"
#include "platform/device.h"
#include "platform/device_spirv_info.h"
#include "platform/platform.h"
#include "platform/svm_types.h"
#include "sluice/base/hash.h"

static const struct _cl_device_id *of(const void *object)
{
    return object;
}

static uint32_t features(const void *object)
{
    return of(object)->impl->caps.features;
}

/* ---- cl_khr_device_uuid ---------------------------------------------------------------------- */

/* The same in every process with this driver on this kind of machine. */
static struct sl_hash hash_of(const char *const *words, size_t count)
{
    struct sl_hasher hasher;
    sl_hasher_init(&hasher);
    for (size_t i = 0; i < count; i++)
        sl_hasher_add_field(&hasher, words[i], strlen(words[i]));
    return sl_hasher_finish(&hasher);
}

static struct sl_hash hash_of_device(const void *object)
{
    const struct sl_device_caps *caps = &of(object)->impl->caps;
    const char *const words[] = {"Sluice device", caps->name,
                                 caps->short_name ? caps->short_name : ""};
    return hash_of(words, SL_LEN(words));
}

static void answer_uuid(struct sl_hash hash, struct sl_answer *answer)
{
    cl_uchar uuid[CL_UUID_SIZE_KHR];
    memcpy(uuid, &hash.low, sizeof hash.low);
    memcpy(uuid + sizeof hash.low, &hash.high, sizeof hash.high);
    sl_answer_bytes(answer, uuid, sizeof uuid);
}

static void device_uuid(const void *object, struct sl_answer *answer)
{
    answer_uuid(hash_of_device(object), answer);
}

static void driver_uuid(const void *object, struct sl_answer *answer)
{
    static const char *const words[] = {"Sluice driver", SLUICE_VERSION};
    (void)object;
    answer_uuid(hash_of(words, SL_LEN(words)), answer);
}

/* ---- cl_intel_device_attribute_query --------------------------------------------------------- */

/* Numbers of its own for each kind of device, which no other vendor's programs know. */
static void device_number(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, (cl_uint)hash_of_device(object).low);
}

/* All units are of one slice, and each runs one thread. */
static void execution_units(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, of(object)->impl->caps.compute_units);
}

/* ---- sub-groups ------------------------------------------------------------------------------ */

/* Kernels choose one of them, or get the compiler's (groups/sub_group.h). */
static const size_t sizes_of_sub_groups[] = {4, 8, 16, 32, 64};

static void most_sub_groups(const void *object, struct sl_answer *answer)
{
    bool any = features(object) & SL_FEATURE_SUB_GROUPS;
    size_t most = of(object)->impl->caps.max_work_group_size / sizes_of_sub_groups[0];
    SL_ANSWER(answer, cl_uint, any ? (cl_uint)most : 0);
}

static void sub_group_sizes(const void *object, struct sl_answer *answer)
{
    if (features(object) & SL_FEATURE_SUB_GROUPS)
        sl_answer_bytes(answer, sizes_of_sub_groups, sizeof sizes_of_sub_groups);
    else
        answer->rc = CL_INVALID_VALUE;
}

/* ---- cl_khr_kernel_clock --------------------------------------------------------------------- */

static void kernel_clocks(const void *object, struct sl_answer *answer)
{
    const bool sub_groups = features(object) & SL_FEATURE_SUB_GROUPS;
    SL_ANSWER(answer, cl_device_kernel_clock_capabilities_khr,
              CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR |
                  CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
                  (sub_groups ? CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR : 0));
}

/* ---- cl_ext_float_atomics -------------------------------------------------------------------- */

#define ALL_FLOAT_ATOMICS                                                                          \
    (CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |              \
     CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |           \
     CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)

static void double_atomics(const void *object, struct sl_answer *answer)
{
    const uint32_t needed = SL_FEATURE_FP64 | SL_FEATURE_INT64_ATOMICS;
    bool has = (features(object) & needed) == needed;
    SL_ANSWER(answer, cl_device_fp_atomic_capabilities_ext, has ? ALL_FLOAT_ATOMICS : 0);
}

/* ---- cl_ext_cxx_for_opencl ------------------------------------------------------------------- */

/* What -cl-std=CLC++ means. 2021 has no number: a major version of cl_version ends at 1023. */
static void cxx_version(const void *object, struct sl_answer *answer)
{
    if (features(object) & SL_FEATURE_GENERIC_ADDRESS_SPACE)
        SL_ANSWER(answer, cl_version, CL_MAKE_VERSION(1, 0, 0));
    else
        answer->rc = CL_INVALID_VALUE;
}

/* ---- cl_intel_unified_shared_memory ---------------------------------------------------------- */

static void shared_memory(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_unified_shared_memory_capabilities_intel,
              sl_usm_capabilities((cl_device_id)(uintptr_t)object));
}

/* ---- cl_khr_external_memory ------------------------------------------------------------------ */

/* Images are linear, too: what has rows is in rows. */
static void external_memory(const void *object, struct sl_answer *answer)
{
    if (features(object) & SL_EXTERNAL_MEMORY)
        sl_external_memory_types(features(object), answer);
    else
        answer->rc = CL_INVALID_VALUE;
}

/* ---- cl_khr_command_buffer ------------------------------------------------------------------- */

static void command_buffers(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_device_command_buffer_capabilities_khr,
              sl_command_buffer_capabilities((cl_device_id)(uintptr_t)object));
}

static void command_buffer_queues(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_command_queue_properties,
              sl_device_queue_properties((cl_device_id)(uintptr_t)object));
}

/* ---- cl_khr_command_buffer_multi_device ------------------------------------------------------ */

/* The root devices in `out`, or NULL; how many there are. */
static cl_uint sync_devices_of(const void *object, cl_device_id *out)
{
    const cl_device_id device = (cl_device_id)(uintptr_t)object;
    cl_uint count = 0;
    for (cl_uint i = 0; i < device->platform->device_count; i++)
        if (sl_syncs_natively(device, device->platform->devices[i])) {
            if (out)
                out[count] = device->platform->devices[i];
            count++;
        }
    return count;
}

static void sync_device_count(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sync_devices_of(object, NULL));
}

static void sync_devices(const void *object, struct sl_answer *answer)
{
    cl_device_id list[SL_LEN(of(object)->platform->devices)];
    const cl_uint count = sync_devices_of(object, list);
    sl_answer_bytes(answer, list, count * sizeof *list);
}

/* ---- the rows -------------------------------------------------------------------------------- */

/* Sums of products are not faster by instructions of their own: zeros, all false. */
#define DOT_PROPERTIES cl_device_integer_dot_product_acceleration_properties_khr

const struct sl_info_row sl_device_extension_rows[] = {
    SL_CALL(CL_DEVICE_UUID_KHR, device_uuid),
    SL_CALL(CL_DRIVER_UUID_KHR, driver_uuid),
    SL_CONST(CL_DEVICE_LUID_VALID_KHR, cl_bool, CL_FALSE),
    SL_CONST(CL_DEVICE_LUID_KHR, cl_ulong, 0),
    SL_CONST(CL_DEVICE_NODE_MASK_KHR, cl_uint, 0),
    SL_CONST(CL_DEVICE_IP_VERSION_INTEL, cl_uint, 0),
    SL_CALL(CL_DEVICE_ID_INTEL, device_number),
    SL_CONST(CL_DEVICE_NUM_SLICES_INTEL, cl_uint, 1),
    SL_CONST(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, cl_uint, 1),
    SL_CALL(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, execution_units),
    SL_CONST(CL_DEVICE_NUM_THREADS_PER_EU_INTEL, cl_uint, 1),
    SL_CONST(CL_DEVICE_FEATURE_CAPABILITIES_INTEL, cl_device_feature_capabilities_intel, 0),
    SL_CALL(CL_DEVICE_MAX_NUM_SUB_GROUPS, most_sub_groups),
    SL_CONST(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, CL_FALSE),
    SL_CALL(CL_DEVICE_SUB_GROUP_SIZES_INTEL, sub_group_sizes),
    SL_CONST(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
             cl_device_integer_dot_product_capabilities_khr,
             CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                 CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
    SL_CONST(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, DOT_PROPERTIES, 0),
    SL_CONST(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
             DOT_PROPERTIES, 0),
    SL_CALL(CL_DEVICE_SEMAPHORE_TYPES_KHR, sl_semaphore_types),
    SL_CONST(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, cl_external_semaphore_handle_type_khr,
             CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
    SL_CONST(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, cl_external_semaphore_handle_type_khr,
             CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
    SL_CALL(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, external_memory),
    SL_CALL(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
            external_memory),
    SL_CALL(CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR, sl_cooperative_matrix_alignment),
    SL_CALL(CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR, sl_cooperative_matrix_alignment),
    SL_CALL(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, kernel_clocks),
    SL_CONST(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, cl_device_fp_atomic_capabilities_ext,
             ALL_FLOAT_ATOMICS),
    SL_CALL(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, double_atomics),
    SL_CALL(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, cxx_version),
    SL_CONST(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, cl_device_fp_atomic_capabilities_ext, 0),
    SL_CALL(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, sl_spirv_sets),
    SL_CALL(CL_DEVICE_SPIRV_EXTENSIONS_KHR, sl_spirv_extensions),
    SL_CALL(CL_DEVICE_SPIRV_CAPABILITIES_KHR, sl_spirv_capabilities),
    SL_CALL(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, shared_memory),
    SL_CALL(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, shared_memory),
    SL_CALL(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, shared_memory),
    SL_CALL(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, shared_memory),
    SL_CALL(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, shared_memory),
    SL_CALL(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sl_svm_types_of_device),
    SL_CALL(CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR, sl_svm_atom),
    SL_CALL(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, command_buffers),
    SL_CALL(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, command_buffer_queues),
    SL_CONST(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, cl_command_queue_properties,
             0),
    SL_CALL(CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sync_device_count),
    SL_CALL(CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sync_devices),
    SL_CONST(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, cl_mutable_dispatch_fields_khr,
             SL_MUTABLE_FIELDS),
};
const size_t sl_device_extension_row_count = SL_LEN(sl_device_extension_rows);
