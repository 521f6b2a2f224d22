/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of cl_intel_unified_shared_memory: making, freeing, asking. What differs between
 * host, device and shared ones is what they answer. No lock of its own (allocation.h). */
#include "memory/usm.h"
#include "base/thread/fork.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "memory/mem_properties.h"
#include "memory/svm.h"
#include "memory/svm_allocation.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"

/* ---- making ---------------------------------------------------------------------------------- */

/* `device` NULL: any of the context will do. */
static cl_int check_device(cl_context context, cl_device_id device)
{
    if (device && (!sl_valid(device, &sl_device_type) || !sl_context_has_device(context, device)))
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the context");
    if (device ? !sl_usm_capabilities(device) : !sl_svm_context_capabilities(context))
        return sl_refuse(CL_INVALID_OPERATION, "no device has unified shared memory");
    return CL_SUCCESS;
}

static cl_int check_alignment(cl_uint alignment)
{
    if (alignment & (alignment - 1) || alignment > sizeof(cl_long16))
        return sl_refuse(CL_INVALID_VALUE, "an alignment of %u bytes", alignment);
    return CL_SUCCESS;
}

static cl_int check_flags(const struct sl_allocation *wish)
{
    const cl_mem_alloc_flags_intel on_device = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
                                   on_host = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    if (wish->type != CL_MEM_TYPE_SHARED_INTEL && wish->flags & (on_device | on_host))
        return sl_refuse(CL_INVALID_PROPERTY, "an initial place for memory that is not shared");
    if (wish->flags & on_device && wish->flags & on_host)
        return sl_refuse(CL_INVALID_PROPERTY, "two initial places");
    return CL_SUCCESS;
}

static cl_int check_size(cl_context context, cl_device_id device, size_t size)
{
    if (!size)
        return sl_refuse(CL_INVALID_BUFFER_SIZE, "size is 0");
    for (cl_uint i = 0; i < context->device_count; i++) {
        cl_device_id each = context->devices[i];
        if ((!device || device == each) && sl_usm_capabilities(each) &&
            size > sl_caps(each)->max_alloc_bytes)
            return sl_refuse(CL_INVALID_BUFFER_SIZE, "%zu bytes", size);
    }
    return CL_SUCCESS;
}

/* Device and size are in the wish. */
static cl_int make(cl_context context, struct sl_allocation *wish,
                   const cl_mem_properties_intel *properties, cl_uint alignment, void **out)
{
    cl_int rc = check_device(context, wish->device);
    if (!rc)
        rc = check_alignment(alignment);
    if (!rc)
        rc = sl_mem_properties_check(context, SL_MEM_USM, properties, CL_INVALID_PROPERTY);
    if (rc)
        return rc;
    wish->flags = sl_mem_property(properties, CL_MEM_ALLOC_FLAGS_INTEL);
    wish->location = (cl_uint)sl_mem_property(properties, CL_MEM_ALLOC_BUFFER_LOCATION_INTEL);
    if ((rc = check_flags(wish)) || (rc = check_size(context, wish->device, wish->range.size)))
        return rc;
    wish->home = wish->device ? wish->device->root->impl : sl_svm_home(context);
    return sl_allocation_make(context, wish, alignment, out);
}

static void *answer(cl_int rc, void *pointer, cl_int *errcode_ret)
{
    if (errcode_ret)
        *errcode_ret = rc;
    return rc ? NULL : pointer;
}

static cl_int check_context(cl_context context)
{
    return sl_valid(context, &sl_context_type)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
}

void *CL_API_CALL sl_clHostMemAllocINTEL(cl_context context,
                                         const cl_mem_properties_intel *properties, size_t size,
                                         cl_uint alignment, cl_int *errcode_ret)
{
    struct sl_allocation wish = {.range.size = size, .type = CL_MEM_TYPE_HOST_INTEL};
    void *pointer = NULL;
    cl_int rc = check_context(context);
    if (!rc)
        rc = make(context, &wish, properties, alignment, &pointer);
    return answer(rc, pointer, errcode_ret);
}

void *CL_API_CALL sl_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                           const cl_mem_properties_intel *properties, size_t size,
                                           cl_uint alignment, cl_int *errcode_ret)
{
    struct sl_allocation wish = {
        .range.size = size, .type = CL_MEM_TYPE_DEVICE_INTEL, .device = device};
    void *pointer = NULL;
    cl_int rc = check_context(context);
    if (!rc && !device)
        rc = sl_refuse(CL_INVALID_DEVICE, "no device");
    if (!rc)
        rc = make(context, &wish, properties, alignment, &pointer);
    return answer(rc, pointer, errcode_ret);
}

void *CL_API_CALL sl_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                           const cl_mem_properties_intel *properties, size_t size,
                                           cl_uint alignment, cl_int *errcode_ret)
{
    struct sl_allocation wish = {
        .range.size = size, .type = CL_MEM_TYPE_SHARED_INTEL, .device = device};
    void *pointer = NULL;
    cl_int rc = check_context(context);
    if (!rc)
        rc = make(context, &wish, properties, alignment, &pointer);
    return answer(rc, pointer, errcode_ret);
}

/* ---- freeing --------------------------------------------------------------------------------- */

static cl_int no_allocation(const void *pointer)
{
    return sl_refuse(CL_INVALID_VALUE, "no allocation of the context begins at %p", pointer);
}

cl_int CL_API_CALL sl_clMemFreeINTEL(cl_context context, void *ptr)
{
    cl_int rc = check_context(context);
    if (!rc && ptr && !sl_allocation_free(context, ptr, true))
        rc = no_allocation(ptr);
    return rc;
}

cl_int sl_usm_free_after(cl_context context, void *ptr,
                         void (*await)(cl_context, const struct sl_allocation *))
{
    struct sl_allocation found;
    cl_int rc = check_context(context);
    if (rc || !ptr)
        return rc;
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    if (!sl_allocation_find(context, ptr, &found) || !sl_is_usm(&found) ||
        found.range.start != (uintptr_t)ptr)
        return no_allocation(ptr);
    await(context, &found);
    return sl_allocation_free(context, ptr, true) ? CL_SUCCESS : no_allocation(ptr);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const struct sl_info_row rows[] = {
    SL_VALUE(CL_MEM_ALLOC_TYPE_INTEL, struct sl_allocation, type),
    SL_VALUE(CL_MEM_ALLOC_BASE_PTR_INTEL, struct sl_allocation, range.start),
    SL_VALUE(CL_MEM_ALLOC_SIZE_INTEL, struct sl_allocation, range.size),
    SL_VALUE(CL_MEM_ALLOC_DEVICE_INTEL, struct sl_allocation, device),
    SL_VALUE(CL_MEM_ALLOC_FLAGS_INTEL, struct sl_allocation, flags),
    SL_VALUE(CL_MEM_ALLOC_BUFFER_LOCATION_INTEL, struct sl_allocation, location),
};
_Static_assert(sizeof(uintptr_t) == sizeof(void *), "range.start answers a query for a pointer");

cl_int CL_API_CALL sl_clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
                                             cl_mem_info_intel param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret)
{
    struct sl_allocation found;
    cl_int rc = check_context(context);
    if (rc)
        return rc;
    if (param_name == CL_MEM_ALLOC_BUFFER_LOCATION_INTEL &&
        !sl_context_feature(context, SL_FEATURE_DATAFLOW))
        return sl_refuse(CL_INVALID_VALUE, "no device has regions of memory");
    if (!sl_allocation_find(context, ptr, &found) || !sl_is_usm(&found))
        found = (struct sl_allocation){.type = CL_MEM_TYPE_UNKNOWN_INTEL};
    return sl_info(rows, SL_LEN(rows), &found, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
