/* SPDX-License-Identifier: Apache-2.0 */
/* clSVMAlloc and clSVMFree. No lock of its own (allocation.h). Spec 5.6.1. */
#include "memory/svm.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "memory/svm_allocation.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/svm_types.h"

/* ---- facts ----------------------------------------------------------------------------------- */

cl_device_svm_capabilities sl_svm_context_capabilities(cl_context context)
{
    cl_device_svm_capabilities any = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        any |= sl_svm_capabilities(context->devices[i]);
    return any;
}

struct sl_device *sl_svm_home(cl_context context)
{
    cl_uint i = 0;
    while (!sl_svm_capabilities(context->devices[i]))
        i++;
    return context->devices[i]->root->impl;
}

bool sl_svm_size_fits(cl_context context, size_t size)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (size > sl_caps(context->devices[i])->max_alloc_bytes)
            return false;
    return true;
}

cl_int sl_svm_check_size(cl_context context, size_t size)
{
    return sl_svm_size_fits(context, size) ? CL_SUCCESS
                                           : sl_refuse(CL_INVALID_BUFFER_SIZE, "%zu bytes", size);
}

/* ---- what a context has ---------------------------------------------------------------------- */

size_t sl_svm_bytes_from(cl_context context, const void *at)
{
    struct sl_allocation found;
    if (!sl_allocation_find(context, at, &found) || sl_is_usm(&found))
        return 0;
    return found.range.size - ((uintptr_t)at - found.range.start);
}

bool sl_svm_can_map(cl_context context, const void *at)
{
    struct sl_allocation found;
    return !sl_allocation_find(context, at, &found) || sl_is_usm(&found) ||
           sl_svm_type(found.svm_type) & CL_SVM_CAPABILITY_HOST_MAP_KHR;
}

void sl_svm_free(cl_context context, void *pointer)
{
    if (!sl_allocation_free(context, pointer, false) && pointer)
        sl_log(SL_LOG_INFO, "api", "%p is no allocation of the context: not freed", pointer);
}

/* ---- entry points ---------------------------------------------------------------------------- */

static cl_int check_flags(cl_context context, cl_svm_mem_flags flags)
{
    const cl_svm_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    const cl_svm_mem_flags chosen = flags & access;
    if (flags & ~(access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS))
        return sl_refuse(CL_INVALID_VALUE, "unknown flags 0x%llx", (unsigned long long)flags);
    if (chosen & (chosen - 1))
        return sl_refuse(CL_INVALID_VALUE, "flags 0x%llx exclude each other",
                         (unsigned long long)flags);
    if ((flags & CL_MEM_SVM_ATOMICS) && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
        return sl_refuse(CL_INVALID_VALUE, "atomics without fine grain");
    if (!sl_svm_context_capabilities(context))
        return sl_refuse(CL_INVALID_OPERATION, "no device has shared virtual memory");
    return CL_SUCCESS;
}

static cl_int check_size(cl_context context, size_t size, cl_uint alignment)
{
    cl_int rc = sl_svm_check_size(context, size);
    if (!rc && alignment & (alignment - 1))
        rc = sl_refuse(CL_INVALID_VALUE, "an alignment of %u bytes", alignment);
    return rc;
}

static cl_int allocate(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment,
                       void **out)
{
    const struct sl_allocation wish = {
        .range.size = size,
        .home = sl_svm_home(context),
        .type = CL_MEM_TYPE_UNKNOWN_INTEL,
        .svm_type = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? SL_SVM_FINE : SL_SVM_COARSE};
    return sl_allocation_make(context, &wish, alignment, out);
}

/* Nothing at all is NULL, and no failure (cl_khr_unified_svm). */
void *sl_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    void *pointer = NULL;
    cl_int rc;
    if (!sl_valid(context, &sl_context_type))
        rc = sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    else if (!(rc = check_flags(context, flags)) && !(rc = check_size(context, size, alignment)) &&
             size)
        rc = allocate(context, flags, size, alignment, &pointer);
    return rc ? NULL : pointer;
}

void sl_clSVMFree(cl_context context, void *svm_pointer)
{
    if (sl_valid(context, &sl_context_type))
        sl_svm_free(context, svm_pointer);
}
