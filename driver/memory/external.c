/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "memory/external.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log/error.h"
#include "base/thread/fork.h"
#include "memory/buffer.h"
#include "memory/file_mapping.h"
#include "memory/mem_properties.h"
#include "platform/capabilities.h"
#include "platform/context.h"
#include "platform/device.h"

bool sl_external_named(const cl_mem_properties *list)
{
    return sl_mem_property_values(list, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
}

static int descriptor(const cl_mem_properties *list)
{
    return (int)sl_mem_property(list, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
}

static cl_device_id device_at(const cl_mem_properties *place)
{
    return (cl_device_id)(uintptr_t)*place;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_device(cl_context context, cl_device_id device)
{
    if (!sl_valid(device, &sl_device_type) || !sl_context_has_device(context, device))
        return sl_refuse(CL_INVALID_DEVICE, "a device of the list is none of the context");
    if (!sl_device_feature(device, SL_EXTERNAL_MEMORY))
        return sl_refuse(CL_INVALID_DEVICE, "a device has no use for external memory");
    return CL_SUCCESS;
}

static cl_int check_devices(cl_context context, const cl_mem_properties *listed)
{
    cl_int rc = CL_SUCCESS;
    if (listed && !*listed)
        return sl_refuse(CL_INVALID_DEVICE, "an empty list of devices");
    for (; listed && *listed && !rc; listed++)
        rc = check_device(context, device_at(listed));
    for (cl_uint i = 0; !listed && i < context->device_count && !rc; i++)
        rc = check_device(context, context->devices[i]);
    return rc;
}

cl_int sl_external_check(cl_context context, const cl_mem_properties *list, cl_mem_flags flags)
{
    const cl_mem_flags pointers =
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    const cl_mem_properties *listed = sl_mem_property_values(list, CL_MEM_DEVICE_HANDLE_LIST_KHR);
    if (!sl_external_named(list))
        return listed ? sl_refuse(CL_INVALID_PROPERTY, "devices for a handle, but no handle")
                      : CL_SUCCESS;
    cl_int rc = check_devices(context, listed);
    if (!rc && flags & pointers)
        rc = sl_refuse(CL_INVALID_VALUE, "flags 0x%llx with external memory",
                       (unsigned long long)flags);
    return rc;
}

/* ---- mapping --------------------------------------------------------------------------------- */

/* What mmap says of a descriptor that will never do. */
static bool is_wrong(int error)
{
    return error == EBADF || error == EACCES || error == EPERM || error == ENODEV ||
           error == EINVAL;
}

static cl_int map_external(int file, cl_mem_flags flags, size_t size, cl_int too_small,
                           struct sl_file_mapping **out)
{
    struct stat about;
    if (fstat(file, &about))
        return sl_refuse(CL_INVALID_PROPERTY, "descriptor %d: %s", file, strerror(errno));
    /* Of devices only mmap knows how much there is. */
    const bool sized = S_ISREG(about.st_mode) || about.st_size;
    if (sized && (uint64_t)about.st_size < size)
        return sl_refuse(too_small, "%zu bytes in memory of %lld", size, (long long)about.st_size);
    struct sl_file_mapping *mapping =
        sl_file_mapping_get(file, &about, size, !(flags & CL_MEM_IMMUTABLE_EXT));
    if (!mapping)
        return sl_refuse(is_wrong(errno) ? CL_INVALID_PROPERTY : CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         "descriptor %d cannot be mapped: %s", file, strerror(errno));
    *out = mapping;
    return CL_SUCCESS;
}

/* ---- objects --------------------------------------------------------------------------------- */

static struct sl_device *home_of(cl_context context, const cl_mem_properties *list)
{
    const cl_mem_properties *listed = sl_mem_property_values(list, CL_MEM_DEVICE_HANDLE_LIST_KHR);
    return (listed ? device_at(listed) : context->devices[0])->root->impl;
}

static cl_int place(cl_mem mem, struct sl_device *home)
{
    const struct sl_memory_desc desc = {.size_bytes = mem->size,
                                        .host_ptr = sl_file_mapping_start(mem->external)};
    if (home->ops->memory_create(home, &desc, &mem->memory))
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device takes no %zu bytes",
                         mem->size);
    mem->home = home;
    mem->host = home->ops->memory_host(mem->memory);
    return CL_SUCCESS;
}

cl_int sl_external_import(cl_context context, const cl_mem_properties *list, cl_mem_flags flags,
                          size_t size, cl_int too_small, cl_mem *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_mem mem = sl_mem_new(context, flags, size);
    if (!mem)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for an object");
    cl_int rc = map_external(descriptor(list), flags, size, too_small, &mem->external);
    if (!rc)
        rc = place(mem, home_of(context, list));
    if (rc)
        sl_discard(mem);
    else
        *out = mem;
    return rc;
}

void sl_external_take(const cl_mem_properties *list)
{
    if (sl_external_named(list))
        close(descriptor(list));
}

bool sl_is_external(const struct _cl_mem *mem)
{
    return mem->external;
}

bool sl_external_for(const struct _cl_mem *mem, cl_device_id device)
{
    const cl_mem_properties *listed =
        sl_mem_property_values(mem->properties, CL_MEM_DEVICE_HANDLE_LIST_KHR);
    bool found = !listed;
    for (; listed && *listed && !found; listed++)
        found = device_at(listed) == device;
    return found;
}
