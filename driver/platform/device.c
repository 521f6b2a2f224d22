/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices: life, start and stop of their threads, and the choice by type. Root devices live as long
 * as the platform. start_lock of a root device guards `started`. Spec 4.2, 4.3.
 */
#include "platform/device.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "platform/platform.h"
#include "sluice/base/opencl_version.h"
#include "sluice/base/stack.h"

static void destroy(struct sl_object *object)
{
    cl_device_id device = (cl_device_id)(void *)object;
    sl_free(device->unit_list);
    sl_free(device->partition);
    sl_drop(device->parent);
    if (device->root == device)
        pthread_mutex_destroy(&device->start_lock);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_device_type = {.name = "device",
                                       .invalid = CL_INVALID_DEVICE,
                                       .size = sizeof(struct _cl_device_id),
                                       .destroy = destroy,
                                       .pool = &pool,
                                       .parent = true};

cl_int sl_device_create(cl_platform_id platform, struct sl_device *impl, cl_device_id *out)
{
    cl_device_id device = sl_object_new(&sl_device_type);
    if (!device)
        return CL_OUT_OF_HOST_MEMORY;
    device->platform = platform;
    device->root = device;
    device->impl = impl;
    device->units = impl->caps.compute_units;
    pthread_mutex_init(&device->start_lock, NULL);
    *out = device;
    return CL_SUCCESS;
}

struct starting {
    struct sl_device *device;
    cl_int rc;
};

static void start(void *data)
{
    struct starting *starting = data;
    starting->rc = starting->device->ops->start(starting->device);
}

static void stop(void *device)
{
    ((struct sl_device *)device)->ops->stop(device);
}

cl_int sl_device_start(cl_device_id any)
{
    cl_device_id device = any->root;
    struct starting starting = {.device = device->impl};
    pthread_mutex_lock(&device->start_lock);
    if (!device->started && device->impl->ops->start && sl_on_stack(start, &starting))
        starting.rc = CL_OUT_OF_HOST_MEMORY;
    cl_int rc = starting.rc;
    if (!rc)
        device->started++;
    pthread_mutex_unlock(&device->start_lock);
    return rc;
}

void sl_device_stop(cl_device_id any)
{
    cl_device_id device = any->root;
    pthread_mutex_lock(&device->start_lock);
    if (!--device->started && device->impl->ops->stop && sl_on_stack(stop, device->impl))
        stop(device->impl);
    pthread_mutex_unlock(&device->start_lock);
}

const struct sl_device_caps *sl_caps(cl_device_id device)
{
    return &device->impl->caps;
}

/* The threads of an affinity domain have places that the application's have not. */
uint32_t sl_device_features(const struct _cl_device_id *device)
{
    const uint32_t lost = device->bound ? SL_FEATURE_CALLER_RUNS : 0;
    return device->impl->caps.features & ~lost;
}

cl_uint sl_device_feature(cl_device_id device, uint32_t feature)
{
    return sl_device_features(device) & feature;
}

/* Without what this version asks of every device it is one of the version before. */
cl_uint sl_device_minor_version(const struct _cl_device_id *device)
{
    const uint32_t needs = SL_FEATURE_SUB_GROUPS | SL_FEATURE_IL;
    return (sl_device_features(device) & needs) == needs ? SL_OPENCL_MINOR : 0;
}

cl_command_queue_properties sl_device_queue_properties(cl_device_id device)
{
    bool callers = sl_device_feature(device, SL_FEATURE_CALLER_RUNS);
    return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |
           (callers ? CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL : 0);
}

/* Any size would do: a bound that catches mistakes. */
cl_uint sl_device_pipe_packet(cl_device_id device)
{
    return sl_device_feature(device, SL_FEATURE_PIPES) ? 64 * 1024 : 0;
}

cl_uint sl_devices_of_type(cl_platform_id platform, cl_device_type type, cl_device_id *out)
{
    cl_uint count = 0;
    for (cl_uint i = 0; i < platform->device_count; i++) {
        cl_device_id device = platform->devices[i];
        cl_device_type own = sl_caps(device)->type;
        bool wanted = own & type;
        /* "All" means all that run OpenCL C: custom devices must be named. */
        if (type == CL_DEVICE_TYPE_ALL)
            wanted = !(own & CL_DEVICE_TYPE_CUSTOM);
        if ((type & CL_DEVICE_TYPE_DEFAULT) && !i && type != CL_DEVICE_TYPE_ALL)
            wanted = true;
        if (wanted)
            out[count++] = device;
    }
    return count;
}

bool sl_device_type_known(cl_device_type type)
{
    const cl_device_type bits = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    return type == CL_DEVICE_TYPE_ALL || (type && !(type & ~bits));
}

cl_int CL_API_CALL sl_clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                     cl_uint num_entries, cl_device_id *devices,
                                     cl_uint *num_devices)
{
    if (!platform)
        platform = sl_platform();
    if (!sl_valid(platform, &sl_platform_type))
        return sl_refuse(CL_INVALID_PLATFORM, "not our platform");
    if (!sl_device_type_known(device_type))
        return sl_refuse(CL_INVALID_DEVICE_TYPE, "0x%llx", (unsigned long long)device_type);
    if (devices && !num_entries)
        return sl_refuse(CL_INVALID_VALUE, "num_entries is 0");
    if (!devices && !num_devices)
        return sl_refuse(CL_INVALID_VALUE, "devices and num_devices are NULL");
    cl_device_id found[SL_LEN(platform->devices)];
    cl_uint count = sl_devices_of_type(platform, device_type, found);
    if (!count)
        return sl_no_device(platform, device_type);
    for (cl_uint i = 0; devices && i < count && i < num_entries; i++)
        devices[i] = found[i];
    if (num_devices)
        *num_devices = count;
    return CL_SUCCESS;
}

/* Root devices are not counted: the calls succeed without an effect. */
cl_int CL_API_CALL sl_clRetainDevice(cl_device_id device)
{
    if (sl_valid(device, &sl_device_type) && !device->parent)
        return CL_SUCCESS;
    return sl_retain(device, &sl_device_type);
}

cl_int CL_API_CALL sl_clReleaseDevice(cl_device_id device)
{
    if (sl_valid(device, &sl_device_type) && !device->parent)
        return CL_SUCCESS;
    return sl_release(device, &sl_device_type);
}
