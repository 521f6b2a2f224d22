/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of cl_intel_unified_shared_memory: those on shared virtual memory under other names. Any
 * address of the process is memory that kernels can use, so hints are for all of it. No lock.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/queue.h"
#include "memory/svm_allocation.h"
#include "memory/usm.h"

static cl_int check_queue(cl_command_queue queue)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (!sl_usm_capabilities(queue->device))
        return sl_refuse(CL_INVALID_OPERATION, "the device has no unified shared memory");
    return CL_SUCCESS;
}

cl_int CL_API_CALL sl_clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr,
                                            const void *pattern, size_t pattern_size, size_t size,
                                            cl_uint wait_count, const cl_event *wait_list,
                                            cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(command_queue);
    return rc ? rc
              : sl_enqueue_fill_at(command_queue, CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern,
                                   pattern_size, size, &tail);
}

/* The extension's older form of it: the low byte, like memset. */
cl_int CL_API_CALL sl_clEnqueueMemsetINTEL(cl_command_queue command_queue, void *dst_ptr,
                                           cl_int value, size_t size, cl_uint wait_count,
                                           const cl_event *wait_list, cl_event *event)
{
    const unsigned char byte = (unsigned char)value;
    return sl_clEnqueueMemFillINTEL(command_queue, dst_ptr, &byte, 1, size, wait_count, wait_list,
                                    event);
}

cl_int CL_API_CALL sl_clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
                                           void *dst_ptr, const void *src_ptr, size_t size,
                                           cl_uint wait_count, const cl_event *wait_list,
                                           cl_event *event)
{
    const struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(command_queue);
    return rc ? rc
              : sl_enqueue_copy_at(command_queue, CL_COMMAND_MEMCPY_INTEL, dst_ptr, src_ptr, size,
                                   &tail);
}

/* ---- hints ----------------------------------------------------------------------------------- */

static cl_int check_region(cl_context context, const void *at, size_t size)
{
    if (!at || !size)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p", size, at);
    return sl_allocation_check(context, at, size);
}

cl_int CL_API_CALL sl_clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr,
                                               size_t size, cl_mem_migration_flags flags,
                                               cl_uint wait_count, const cl_event *wait_list,
                                               cl_event *event)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(command_queue);
    if (!rc)
        rc = check_region(command_queue->context, ptr, size);
    if (rc)
        return rc;
    if (!flags || flags & ~known)
        return sl_refuse(CL_INVALID_VALUE, "migration flags 0x%llx", (unsigned long long)flags);
    return sl_enqueue_point(command_queue, CL_COMMAND_MIGRATEMEM_INTEL, &tail);
}

/* No advice has a name yet, and what a device does not know it ignores. */
cl_int CL_API_CALL sl_clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr,
                                              size_t size, cl_mem_advice_intel advice,
                                              cl_uint wait_count, const cl_event *wait_list,
                                              cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = check_queue(command_queue);
    (void)advice;
    if (!rc)
        rc = check_region(command_queue->context, ptr, size);
    return rc ? rc : sl_enqueue_point(command_queue, CL_COMMAND_MEMADVISE_INTEL, &tail);
}
