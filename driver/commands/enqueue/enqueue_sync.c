/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Markers and barriers, and their deprecated forms. They have no work: all they do is done by the
 * order of the graph. No lock. Spec 5.12.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"

static cl_int check_queue(cl_command_queue queue)
{
    return sl_valid(queue, &sl_queue_type)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
}

static cl_int enqueue_point(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                            const cl_event *wait_list, cl_event *event)
{
    cl_event e;
    cl_int rc = sl_command_create(queue, type, SL_HOW_NOTHING, &e);
    return rc ? rc : sl_command_submit(e, wait_count, wait_list, false, event);
}

static cl_int check_and_enqueue(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                                const cl_event *wait_list, cl_event *event)
{
    cl_int rc = check_queue(queue);
    if (!rc)
        rc = sl_check_wait_list(queue->context, wait_count, wait_list);
    return rc ? rc : enqueue_point(queue, type, wait_count, wait_list, event);
}

cl_int sl_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                      const cl_event *wait_list, cl_event *event)
{
    return check_and_enqueue(queue, CL_COMMAND_MARKER, wait_count, wait_list, event);
}

cl_int sl_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                       const cl_event *wait_list, cl_event *event)
{
    return check_and_enqueue(queue, CL_COMMAND_BARRIER, wait_count, wait_list, event);
}

cl_int sl_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    cl_int rc = check_queue(queue);
    if (rc)
        return rc;
    if (!event)
        return sl_refuse(CL_INVALID_VALUE, "a marker without an event");
    return enqueue_point(queue, CL_COMMAND_MARKER, 0, NULL, event);
}

cl_int sl_clEnqueueBarrier(cl_command_queue queue)
{
    cl_int rc = check_queue(queue);
    return rc ? rc : enqueue_point(queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

/* All later commands wait for the list: that is what a barrier with a list does. */
cl_int sl_clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    cl_int rc = check_queue(queue);
    if (rc)
        return rc;
    if (!count || !list)
        return sl_refuse(CL_INVALID_VALUE, "%u events, list %p", count, (const void *)list);
    rc = sl_check_wait_list(queue->context, count, list);
    if (rc)
        return rc == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : rc;
    return enqueue_point(queue, CL_COMMAND_BARRIER, count, list, NULL);
}
