/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clEnqueueAcquire- and ReleaseExternalMemObjectsKHR. An object is a mapping of the memory that the
 * other side uses: nothing moves, and the command has no work but its place in the order. No lock.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "commands/enqueue/tail.h"
#include "commands/enqueue/transfer.h"
#include "memory/buffer.h"
#include "memory/external.h"
#include "platform/context.h"

static cl_int check_object(cl_command_queue queue, cl_mem mem)
{
    if (!sl_valid(mem, &sl_mem_type) || !sl_is_external(mem))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not an object made from an external handle");
    if (!sl_context_has_device(mem->context, queue->device) || !sl_external_for(mem, queue->device))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "the handle was imported for other devices");
    if (mem->context != queue->context)
        return sl_refuse(CL_INVALID_CONTEXT, "the object belongs to another context");
    return CL_SUCCESS;
}

static cl_int hand_over(cl_command_queue queue, cl_command_type type, cl_uint count,
                        const cl_mem *objects, const struct sl_tail *tail)
{
    cl_int rc = sl_tail_check_queue(queue, tail);
    if (!rc && !count != !objects)
        rc = sl_refuse(CL_INVALID_VALUE, "%u objects, list %p", count, (const void *)objects);
    for (cl_uint i = 0; i < count && !rc; i++)
        rc = check_object(queue, objects[i]);
    if (!rc)
        rc = sl_check_intact_list(queue->context, tail->wait_count, tail->wait_list);
    return rc ? rc : sl_enqueue_point(queue, type, tail);
}

cl_int CL_API_CALL sl_clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return hand_over(command_queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects,
                     mem_objects, &tail);
}

cl_int CL_API_CALL sl_clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return hand_over(command_queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects,
                     mem_objects, &tail);
}
