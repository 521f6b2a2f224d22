/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clSVMAlloc, clSVMFree and what a context knows of its allocations. The context's lock guards the
 * tree context->svm; memory is made and given back without it. Spec 5.6.1.
 */
#include "svm.h"

#include "alloc.h"
#include "api.h"
#include "context.h"
#include "device.h"
#include "error.h"
#include "interval.h"
#include "log.h"
#include "platform.h"

enum { DEFAULT_ALIGN = 128, PAGE_ALIGN = 4096, LARGE_BYTES = 64 * 1024 };

struct allocation {
    struct sl_interval range;
    struct sl_device *home;   /* borrowed from the context */
    struct sl_memory *memory; /* owned */
};

/* ---- facts -------------------------------------------------------------------------------------
 */

cl_device_svm_capabilities sl_svm_capabilities(cl_device_id device)
{
    const cl_device_svm_capabilities all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                           CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                           CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    return sl_device_feature(device, SL_FEATURE_SVM) ? all : 0;
}

cl_device_svm_capabilities sl_svm_context_capabilities(cl_context context)
{
    cl_device_svm_capabilities any = 0;
    for (cl_uint i = 0; i < context->device_count; i++)
        any |= sl_svm_capabilities(context->devices[i]);
    return any;
}

/* ---- what a context has ------------------------------------------------------------------------
 */

size_t sl_svm_bytes_from(cl_context context, const void *at)
{
    size_t left = 0;
    pthread_mutex_lock(&context->lock);
    const struct sl_interval *range = sl_interval_find(context->svm, (uintptr_t)at);
    if (range)
        left = range->size - ((uintptr_t)at - range->start);
    pthread_mutex_unlock(&context->lock);
    return left;
}

static void end(struct allocation *allocation)
{
    if (allocation->memory)
        allocation->home->ops->memory_destroy(allocation->memory);
    sl_free(allocation);
}

void sl_svm_free(cl_context context, void *pointer)
{
    pthread_mutex_lock(&context->lock);
    struct sl_interval *range = sl_interval_find(context->svm, (uintptr_t)pointer);
    if (range && range->start != (uintptr_t)pointer)
        range = NULL;
    if (range)
        sl_interval_remove(&context->svm, range);
    pthread_mutex_unlock(&context->lock);
    if (range)
        end((struct allocation *)range);
    else if (pointer)
        sl_log(SL_LOG_INFO, "api", "%p is no allocation of the context: not freed", pointer);
}

void sl_svm_finish(cl_context context)
{
    while (context->svm) {
        struct sl_interval *range = context->svm;
        sl_interval_remove(&context->svm, range);
        end((struct allocation *)range);
    }
}

/* ---- entry points ------------------------------------------------------------------------------
 */

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
    if (!size)
        return sl_refuse(CL_INVALID_BUFFER_SIZE, "size is 0");
    for (cl_uint i = 0; i < context->device_count; i++)
        if (size > sl_caps(context->devices[i])->max_alloc_bytes)
            return sl_refuse(CL_INVALID_BUFFER_SIZE, "%zu bytes", size);
    if (alignment & (alignment - 1))
        return sl_refuse(CL_INVALID_VALUE, "an alignment of %u bytes", alignment);
    return CL_SUCCESS;
}

static struct sl_device *home_of(cl_context context)
{
    cl_uint i = 0;
    while (!sl_svm_capabilities(context->devices[i]))
        i++;
    return context->devices[i]->root->impl;
}

/* The device's memory for the range; its size is set. */
static cl_int place(struct allocation *allocation, cl_uint alignment)
{
    struct sl_device *home = allocation->home;
    struct sl_memory_desc desc = {
        .size_bytes = allocation->range.size,
        .align_bytes = allocation->range.size < LARGE_BYTES ? DEFAULT_ALIGN : PAGE_ALIGN};
    if (alignment > desc.align_bytes)
        desc.align_bytes = alignment;
    if (home->ops->memory_create(home, &desc, &allocation->memory))
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device has no %zu bytes",
                         desc.size_bytes);
    allocation->range.start = (uintptr_t)home->ops->memory_host(allocation->memory);
    return CL_SUCCESS;
}

static cl_int allocate(cl_context context, size_t size, cl_uint alignment, void **out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    struct allocation *allocation = sl_zalloc(sizeof *allocation);
    if (!allocation)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for an allocation");
    allocation->home = home_of(context);
    allocation->range.size = size;
    cl_int rc = place(allocation, alignment);
    if (rc) {
        end(allocation);
        return rc;
    }
    *out = (void *)allocation->range.start;
    pthread_mutex_lock(&context->lock);
    sl_interval_add(&context->svm, &allocation->range);
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

void *sl_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    void *pointer = NULL;
    cl_int rc;
    if (!sl_valid(context, &sl_context_type))
        rc = sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    else if (!(rc = check_flags(context, flags)) && !(rc = check_size(context, size, alignment)))
        rc = allocate(context, size, alignment, &pointer);
    return rc ? NULL : pointer;
}

void sl_clSVMFree(cl_context context, void *svm_pointer)
{
    if (sl_valid(context, &sl_context_type))
        sl_svm_free(context, svm_pointer);
}
