/* SPDX-License-Identifier: Apache-2.0 */
/* See svm_allocation.h, also for the lock. */
#include "memory/svm_allocation.h"
#include "base/thread/fork.h"

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/rect.h"
#include "platform/context.h"
#include "platform/platform.h"

/* The strictest that a kernel's types ask for; large ones may be mapped by pages. */
enum { DEFAULT_ALIGN = 128, PAGE_ALIGN = 4096, LARGE_BYTES = 64 * 1024 };

static void end(struct sl_allocation *allocation)
{
    if (allocation->memory)
        allocation->home->ops->memory_destroy(allocation->memory);
    sl_free(allocation);
}

/* The context ends: what the application forgot goes with it. */
static void finish(cl_context context)
{
    while (context->allocations) {
        struct sl_interval *range = context->allocations;
        sl_interval_remove(&context->allocations, range);
        end((struct sl_allocation *)range);
    }
}

/* The device's memory for the range; its size is set. */
static cl_int place(struct sl_allocation *allocation, cl_uint align)
{
    struct sl_device *home = allocation->home;
    struct sl_memory_desc desc = {
        .size_bytes = allocation->range.size,
        .align_bytes = allocation->range.size < LARGE_BYTES ? DEFAULT_ALIGN : PAGE_ALIGN};
    if (align > desc.align_bytes)
        desc.align_bytes = align;
    if (home->ops->memory_create(home, &desc, &allocation->memory))
        return sl_refuse(allocation->type == CL_MEM_TYPE_HOST_INTEL ? CL_OUT_OF_HOST_MEMORY
                                                                    : CL_OUT_OF_RESOURCES,
                         "there are no %zu bytes", desc.size_bytes);
    allocation->range.start = (uintptr_t)home->ops->memory_host(allocation->memory);
    return CL_SUCCESS;
}

cl_int sl_allocation_make(cl_context context, const struct sl_allocation *wish, cl_uint align,
                          void **out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    struct sl_allocation *allocation = sl_memdup(wish, sizeof *wish);
    if (!allocation)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for an allocation");
    allocation->memory = NULL;
    cl_int rc = place(allocation, align);
    if (rc) {
        end(allocation);
        return rc;
    }
    *out = (void *)allocation->range.start;
    pthread_mutex_lock(&context->lock);
    sl_interval_add(&context->allocations, &allocation->range);
    context->allocations_finish = finish;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

bool sl_allocation_find(cl_context context, const void *at, struct sl_allocation *found)
{
    *found = (struct sl_allocation){0};
    pthread_mutex_lock(&context->lock);
    struct sl_interval *range = sl_interval_find(context->allocations, (uintptr_t)at);
    if (range)
        *found = *(struct sl_allocation *)range;
    pthread_mutex_unlock(&context->lock);
    return range;
}

cl_int sl_allocation_check(cl_context context, const void *at, size_t size)
{
    struct sl_allocation found;
    if (!sl_addresses_fit(at, size))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p end beyond all memory", size, at);
    if (sl_allocation_find(context, at, &found) &&
        !sl_range_inside((uintptr_t)at - found.range.start, size, found.range.size))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p reach beyond the allocation", size, at);
    return CL_SUCCESS;
}

bool sl_allocation_free(cl_context context, void *pointer, bool usm)
{
    pthread_mutex_lock(&context->lock);
    struct sl_interval *range = sl_interval_find(context->allocations, (uintptr_t)pointer);
    if (range &&
        (range->start != (uintptr_t)pointer || sl_is_usm((struct sl_allocation *)range) != usm))
        range = NULL;
    if (range)
        sl_interval_remove(&context->allocations, range);
    pthread_mutex_unlock(&context->lock);
    if (range)
        end((struct sl_allocation *)range);
    return range;
}
