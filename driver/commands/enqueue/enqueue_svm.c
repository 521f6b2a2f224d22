/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands on shared virtual memory. Mapping, unmapping and migrating have no work: all devices
 * with shared virtual memory see the host's, so the order of the graph is all they need. No lock.
 * Spec 5.6.1.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/callback_thread.h"
#include "commands/enqueue/commands.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/map.h"
#include "memory/svm.h"
#include "memory/svm_allocation.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static cl_int check_queue(cl_command_queue queue, const struct sl_tail *tail)
{
    cl_int rc = sl_tail_check_queue(queue, tail);
    if (rc)
        return rc;
    if (!sl_svm_capabilities(queue->device))
        return sl_refuse(CL_INVALID_OPERATION, "the device has no shared virtual memory");
    return CL_SUCCESS;
}

/* ---- copy and fill --------------------------------------------------------------------------- */

/* No bytes are no error at any address, not even at NULL (cl_khr_unified_svm). */

cl_int sl_copy_svm(cl_command_queue queue, void *dst, const void *src, size_t size,
                   const struct sl_tail *tail)
{
    cl_int rc = check_queue(queue, tail);
    if (!rc && !size)
        return sl_enqueue_point(queue, CL_COMMAND_SVM_MEMCPY, tail);
    return rc ? rc : sl_enqueue_copy_at(queue, CL_COMMAND_SVM_MEMCPY, dst, src, size, tail);
}

cl_int sl_fill_svm(cl_command_queue queue, void *at, const void *pattern, size_t pattern_size,
                   size_t size, const struct sl_tail *tail)
{
    cl_int rc = check_queue(queue, tail);
    if (!rc && !size && !(rc = sl_check_pattern(pattern, pattern_size, (uintptr_t)at, size)))
        return sl_enqueue_point(queue, CL_COMMAND_SVM_MEMFILL, tail);
    return rc ? rc
              : sl_enqueue_fill_at(queue, CL_COMMAND_SVM_MEMFILL, at, pattern, pattern_size, size,
                                   tail);
}

cl_int sl_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *dst, const void *src,
                             size_t size, cl_uint wait_count, const cl_event *wait_list,
                             cl_event *event)
{
    const struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    return sl_copy_svm(queue, dst, src, size, &tail);
}

cl_int sl_clEnqueueSVMMemFill(cl_command_queue queue, void *svm_ptr, const void *pattern,
                              size_t pattern_size, size_t size, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    return sl_fill_svm(queue, svm_ptr, pattern, pattern_size, size, &tail);
}

/* ---- map, unmap, migrate --------------------------------------------------------------------- */

static cl_int check_mappable(cl_command_queue queue, const void *at)
{
    return sl_svm_can_map(queue->context, at)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_VALUE, "memory of the type at %p is not mapped", at);
}

cl_int sl_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                          void *svm_ptr, size_t size, cl_uint wait_count, const cl_event *wait_list,
                          cl_event *event)
{
    const struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(queue, &tail);
    if (rc)
        return rc;
    if (!svm_ptr || !size)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p", size, svm_ptr);
    rc = sl_check_map_flags(flags);
    if (!rc)
        rc = sl_allocation_check(queue->context, svm_ptr, size);
    if (!rc)
        rc = check_mappable(queue, svm_ptr);
    return rc ? rc : sl_enqueue_point(queue, CL_COMMAND_SVM_MAP, &tail);
}

cl_int sl_clEnqueueSVMUnmap(cl_command_queue queue, void *svm_ptr, cl_uint wait_count,
                            const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(queue, &tail);
    if (rc)
        return rc;
    if (!svm_ptr)
        return sl_refuse(CL_INVALID_VALUE, "svm_ptr is NULL");
    rc = check_mappable(queue, svm_ptr);
    return rc ? rc : sl_enqueue_point(queue, CL_COMMAND_SVM_UNMAP, &tail);
}

static cl_int check_migration(cl_context context, cl_uint count, const void **pointers,
                              const size_t *sizes, cl_mem_migration_flags flags)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!count || !pointers)
        return sl_refuse(CL_INVALID_VALUE, "%u pointers, list %p", count, (const void *)pointers);
    for (cl_uint i = 0; i < count; i++) {
        if (!pointers[i] && (!sizes || !sizes[i]))
            continue;
        size_t left = sl_svm_bytes_from(context, pointers[i]);
        if (!left || (sizes && sizes[i] > left))
            return sl_refuse(CL_INVALID_VALUE, "region %u is not inside an allocation", i);
    }
    if (flags & ~known)
        return sl_refuse(CL_INVALID_VALUE, "migration flags 0x%llx", (unsigned long long)flags);
    return CL_SUCCESS;
}

cl_int sl_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count, const void **pointers,
                                 const size_t *sizes, cl_mem_migration_flags flags,
                                 cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(queue, &tail);
    if (!rc)
        rc = check_migration(queue->context, count, pointers, sizes, flags);
    return rc ? rc : sl_enqueue_point(queue, CL_COMMAND_SVM_MIGRATE_MEM, &tail);
}

/* ---- free ------------------------------------------------------------------------------------ */

typedef void(CL_CALLBACK *free_fn)(cl_command_queue, cl_uint, void **, void *);

struct free_args { /* the command's copy of the call */
    struct sl_callback_task task;
    free_fn call; /* NULL: clSVMFree for each */
    void *user_data;
    cl_uint count;
    void *pointers[];
};

static void free_here(cl_event e)
{
    const struct free_args *args = e->args;
    for (cl_uint i = 0; i < args->count; i++)
        sl_svm_free(e->context, args->pointers[i]);
    sl_command_finish(e, CL_COMPLETE);
}

static void call_back(void *data)
{
    cl_event e = data;
    struct free_args *args = e->args;
    args->call(e->queue, args->count, args->count ? args->pointers : NULL, args->user_data);
    sl_command_finish(e, CL_COMPLETE);
}

static void free_by_callback(cl_event e)
{
    struct free_args *args = e->args;
    args->task = (struct sl_callback_task){.run = call_back, .data = e};
    sl_callback_post_task(&args->task);
}

static cl_int capture(cl_event e, cl_uint count, void *const *pointers, free_fn call,
                      void *user_data)
{
    cl_int rc = call ? sl_callback_start() : CL_SUCCESS; /* so that it cannot fail later */
    if (!rc)
        rc = sl_command_args(e, sizeof(struct free_args) + count * sizeof *pointers);
    if (rc)
        return rc;
    struct free_args *args = e->args;
    args->call = call;
    args->user_data = user_data;
    args->count = count;
    if (count)
        memcpy(args->pointers, pointers, count * sizeof *pointers);
    e->host_run = call ? free_by_callback : free_here;
    return CL_SUCCESS;
}

cl_int sl_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *pointers[], free_fn call,
                           void *user_data, cl_uint wait_count, const cl_event *wait_list,
                           cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_event e;
    cl_int rc = check_queue(queue, &tail);
    if (rc)
        return rc;
    if (!count != !pointers)
        return sl_refuse(CL_INVALID_VALUE, "%u pointers, list %p", count, (void *)pointers);
    if ((rc = sl_tail_check(queue, &tail)) ||
        (rc = sl_command_create(queue, CL_COMMAND_SVM_FREE, SL_HOW_HOST, &e)))
        return rc;
    rc = capture(e, count, pointers, call, user_data);
    if (rc) {
        sl_command_abandon(e);
        return rc;
    }
    return sl_tail_submit(e, &tail);
}
