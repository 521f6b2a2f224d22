/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The platform: made once, at the first question about it, under `lock`; it lives as long as the
 * library is loaded. Spec 4.1, 4.2 (clGetDeviceIDs).
 */
#include "platform/platform.h"

#include <CL/cl_ext.h>
#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/config/config.h"
#include "base/config_check.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "platform/capabilities.h"
#include "platform/compiler_path.h"
#include "platform/device.h"
#include "platform/registry.h"
#include "platform/svm_types.h"
#include "sluice/base/opencl_version.h"
#include "sluice/base/stack.h"

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_platform_type = {.name = "platform",
                                         .invalid = CL_INVALID_PLATFORM,
                                         .size = sizeof(struct _cl_platform_id),
                                         .pool = &pool};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_platform_id _Atomic the_platform;

/* False: there is none, but only because memory is short. */
static bool open_devices(cl_platform_id platform)
{
    struct sl_device_list list;
    bool complete = sl_registry_open(&list);
    for (uint32_t i = 0; i < list.count && i < SL_LEN(platform->devices); i++) {
        struct sl_device *impl = list.devices[i];
        if (!sl_device_create(platform, impl, &platform->devices[platform->device_count])) {
            platform->device_count++;
            continue;
        }
        impl->ops->close(impl);
        complete = false;
    }
    sl_trace(SL_TRACE_DISCOVERY, "platform Sluice %s with %u devices", SLUICE_VERSION,
             platform->device_count);
    platform->incomplete = !complete;
    return complete || platform->device_count;
}

/* With the devices that memory suffices for; with none of them it is tried again next time. */
static void make_platform(void *out)
{
    cl_platform_id platform = sl_object_new(&sl_platform_type);
    sl_config_check();
    sl_config_check_names();
    sl_compiler_check_setting();
    if (platform && !open_devices(platform)) {
        sl_registry_close();
        sl_discard(platform);
        platform = NULL;
    }
    *(cl_platform_id *)out = platform;
}

cl_platform_id sl_platform_made(void)
{
    return atomic_load_explicit(&the_platform, memory_order_acquire);
}

cl_platform_id sl_platform(void)
{
    cl_platform_id platform = sl_platform_made();
    if (platform)
        return platform;
    pthread_mutex_lock(&lock);
    platform = atomic_load_explicit(&the_platform, memory_order_relaxed);
    if (!platform) {
        if (sl_on_stack(make_platform, &platform))
            platform = NULL;
        atomic_store_explicit(&the_platform, platform, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return platform;
}

cl_int sl_no_device(cl_platform_id platform, cl_device_type type)
{
    if (platform->incomplete)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "none of type 0x%llx: memory was short when devices were opened",
                         (unsigned long long)type);
    return sl_refuse(CL_DEVICE_NOT_FOUND, "none of type 0x%llx", (unsigned long long)type);
}

void sl_platform_finish(void)
{
    pthread_mutex_lock(&lock);
    cl_platform_id platform = atomic_load_explicit(&the_platform, memory_order_relaxed);
    if (platform && sl_object_count() == 1 + platform->device_count) {
        atomic_store_explicit(&the_platform, NULL, memory_order_relaxed);
        while (platform->device_count) {
            cl_device_id device = platform->devices[--platform->device_count];
            device->impl->ops->close(device->impl);
            sl_discard(device);
        }
        sl_discard(platform);
        sl_registry_close();
    }
    pthread_mutex_unlock(&lock);
}

/* What all devices have, and the platform's own. */
static uint32_t common_features(const struct _cl_platform_id *platform)
{
    uint32_t features = UINT32_MAX;
    for (cl_uint i = 0; i < platform->device_count; i++)
        features &= sl_caps(platform->devices[i])->features;
    return platform->device_count ? features : 0;
}

static void extensions(const void *object, struct sl_answer *answer)
{
    const struct _cl_platform_id *platform = object;
    char *names = sl_extension_names(SL_EXT_PLATFORM | SL_EXT_DEVICE, common_features(platform));
    if (names)
        sl_answer_string(answer, names);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(names);
}

static void extension_versions(const void *object, struct sl_answer *answer)
{
    sl_extension_versions(SL_EXT_PLATFORM | SL_EXT_DEVICE, common_features(object), answer);
}

static void external_memory_types(const void *object, struct sl_answer *answer)
{
    sl_external_memory_types(common_features(object), answer);
}

static void platform_name(const void *object, struct sl_answer *answer)
{
    (void)object;
    sl_answer_string(answer, sl_config(SL_CONFIG_PLATFORM_NAME));
}

static const struct sl_info_row platform_rows[] = {
    SL_TEXT(CL_PLATFORM_PROFILE, "FULL_PROFILE"),
    SL_TEXT(CL_PLATFORM_VERSION, SL_OPENCL_VERSION_TEXT " Sluice " SLUICE_VERSION),
    SL_CALL(CL_PLATFORM_NAME, platform_name),
    SL_TEXT(CL_PLATFORM_VENDOR, "Sluice project"),
    SL_TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, "SLUICE"),
    SL_CALL(CL_PLATFORM_EXTENSIONS, extensions),
    SL_CALL(CL_PLATFORM_EXTENSIONS_WITH_VERSION, extension_versions),
    SL_CONST(CL_PLATFORM_NUMERIC_VERSION, cl_version,
             CL_MAKE_VERSION(SL_OPENCL_MAJOR, SL_OPENCL_MINOR, 0)),
    SL_CALL(CL_PLATFORM_SEMAPHORE_TYPES_KHR, sl_semaphore_types),
    SL_CONST(CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
             cl_platform_command_buffer_capabilities_khr,
             CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                 CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                 CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR),
    SL_CALL(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, sl_svm_types_of_platform),
    SL_CONST(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, cl_external_semaphore_handle_type_khr,
             CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
    SL_CONST(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, cl_external_semaphore_handle_type_khr,
             CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
    SL_CALL(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, external_memory_types),
    SL_CONST(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1),
    SL_CONST(CL_PLATFORM_DEVICE_INTERFACE_VERSION_SLUICE, cl_uint, SL_DEVICE_ABI),
};

cl_int CL_API_CALL sl_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                       cl_uint *num_platforms)
{
    if (!platforms && !num_platforms)
        return sl_refuse(CL_INVALID_VALUE, "platforms and num_platforms are NULL");
    if (platforms && !num_entries)
        return sl_refuse(CL_INVALID_VALUE, "num_entries is 0");
    cl_platform_id platform = sl_platform();
    if (!platform)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the platform");
    if (!platform->device_count)
        return sl_refuse(CL_PLATFORM_NOT_FOUND_KHR, "no device is enabled");
    if (platforms)
        platforms[0] = platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL sl_clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                        size_t param_value_size, void *param_value,
                                        size_t *param_value_size_ret)
{
    /* A NULL platform is ours to define: there is only one. */
    cl_platform_id object = platform ? platform : sl_platform();
    if (!sl_valid(object, &sl_platform_type))
        return sl_refuse(CL_INVALID_PLATFORM, "not our platform");
    return sl_info(platform_rows, SL_LEN(platform_rows), object, param_name, param_value_size,
                   param_value, param_value_size_ret);
}
