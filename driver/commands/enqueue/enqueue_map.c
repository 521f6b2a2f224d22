/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping buffers and unmapping any memory object. No lock of its own. Spec 5.2.5, 5.5.2. */
#include "base/api.h"
#include "base/log/error.h"
#include "base/rect.h"
#include "commands/enqueue/map_command.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/buffer.h"
#include "memory/map.h"

static cl_int check_map(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, size_t offset,
                        size_t size, cl_uint wait_count, const cl_event *wait_list)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    cl_int rc = sl_check_buffer(queue->context, buffer);
    if (rc)
        return rc;
    if (!size || !sl_range_inside(offset, size, buffer->size))
        return sl_refuse(CL_INVALID_VALUE, "%zu + %zu bytes of %zu", offset, size, buffer->size);
    if ((rc = sl_check_map_flags(flags)) ||
        (rc = sl_check_wait_list(queue->context, wait_count, wait_list)) ||
        (rc = sl_check_alignment(queue->device, buffer)))
        return rc;
    return sl_check_map_access(buffer, flags);
}

void *sl_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                            cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                            const cl_event *wait_list, cl_event *event, cl_int *errcode_ret)
{
    void *pointer = NULL;
    cl_int rc = check_map(queue, buffer, flags, offset, size, wait_count, wait_list);
    if (!rc) {
        pointer = buffer->host ? buffer->host + offset : NULL;
        rc = sl_map_submit(queue, buffer, CL_COMMAND_MAP_BUFFER, pointer, blocking, wait_count,
                           wait_list, event);
    }
    if (errcode_ret)
        *errcode_ret = rc;
    return rc ? NULL : pointer;
}

cl_int sl_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
                                  cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (!sl_valid(mem, &sl_mem_type) || mem->type == CL_MEM_OBJECT_PIPE)
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a buffer or image");
    if (mem->context != queue->context)
        return sl_refuse(CL_INVALID_CONTEXT, "the object belongs to another context");
    if (!sl_map_is_noted(mem, pointer))
        return sl_refuse(CL_INVALID_VALUE, "%p is not mapped", pointer);
    cl_int rc = sl_check_wait_list(queue->context, wait_count, wait_list);
    if (rc)
        return rc;
    return sl_unmap_submit(queue, mem, pointer, wait_count, wait_list, event);
}
