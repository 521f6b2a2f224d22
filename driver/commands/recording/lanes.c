/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Lanes are fixed with their buffer: no lock. */
#include "commands/recording/lanes.h"

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "commands/queue/queue.h"
#include "platform/platform.h"

/* ---- checks ---------------------------------------------------------------------------------- */

/* Who enqueues on it runs the commands one after the other, or they belong to a native command. */
static bool is_for_itself(cl_command_queue queue)
{
    return SL_QUEUE_CALLER_RUNS(queue) || queue->scope;
}

static cl_int check_sync(cl_uint count, const cl_command_queue *queues)
{
    for (cl_uint i = 0; i < count; i++)
        for (cl_uint k = 0; k < i; k++)
            if (queues[i]->device != queues[k]->device &&
                !sl_syncs_natively(queues[i]->device, queues[k]->device))
                return sl_refuse(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
                                 "the devices of queues %u and %u synchronize on the host", k, i);
    return CL_SUCCESS;
}

cl_int sl_lanes_check(cl_uint count, const cl_command_queue *queues,
                      cl_command_buffer_flags_khr flags)
{
    if (!count || !queues)
        return sl_refuse(CL_INVALID_VALUE, "%u queues, list %p", count, (const void *)queues);
    for (cl_uint i = 0; i < count; i++)
        if (!sl_valid(queues[i], &sl_queue_type))
            return sl_refuse(CL_INVALID_COMMAND_QUEUE, "queue %u is not valid", i);
    for (cl_uint i = 0; i < count; i++)
        if (queues[i]->context != queues[0]->context)
            return sl_refuse(CL_INVALID_CONTEXT, "queue %u is of another context", i);
    for (cl_uint i = 0; i < count; i++)
        if (queues[i]->scope)
            return sl_refuse(CL_INVALID_OPERATION, "a native command's queue records nothing");
    for (cl_uint i = 0; count > 1 && i < count; i++)
        if (is_for_itself(queues[i]))
            return sl_refuse(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queue %u has to be alone", i);
    return flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR ? check_sync(count, queues) : CL_SUCCESS;
}

static cl_int check_substitute(cl_command_buffer_khr buffer, cl_uint lane, cl_command_queue queue)
{
    if (queue->device != buffer->queues[lane]->device)
        return sl_refuse(CL_INVALID_DEVICE, "queue %u is another device's", lane);
    if (queue->context != buffer->context)
        return sl_refuse(CL_INVALID_CONTEXT, "queue %u is of another context", lane);
    if (buffer->lane_count > 1 && is_for_itself(queue))
        return sl_refuse(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queue %u has to be alone", lane);
    return CL_SUCCESS;
}

cl_int sl_lanes_check_substitutes(cl_command_buffer_khr buffer, cl_uint count,
                                  const cl_command_queue *queues)
{
    if (!count != !queues || (count && count != buffer->lane_count))
        return sl_refuse(CL_INVALID_VALUE, "%u queues, list %p: the command-buffer has %u", count,
                         (const void *)queues, buffer->lane_count);
    for (cl_uint i = 0; i < count; i++)
        if (!sl_valid(queues[i], &sl_queue_type))
            return sl_refuse(CL_INVALID_COMMAND_QUEUE, "queue %u is not valid", i);
    cl_int rc = CL_SUCCESS;
    for (cl_uint i = 0; i < count && !rc; i++)
        rc = check_substitute(buffer, i, queues[i]);
    return rc;
}

cl_int sl_lane_find(cl_command_buffer_khr buffer, cl_command_queue queue, uint32_t *lane)
{
    *lane = 0;
    if (!queue)
        return buffer->lane_count == 1
                   ? CL_SUCCESS
                   : sl_refuse(CL_INVALID_COMMAND_QUEUE, "the command-buffer has %u queues",
                               buffer->lane_count);
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (queue->context != buffer->context)
        return sl_refuse(CL_INVALID_CONTEXT, "the queue is of another context");
    while (*lane < buffer->lane_count && buffer->queues[*lane] != queue)
        ++*lane;
    return *lane < buffer->lane_count
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a queue of the command-buffer");
}

/* ---- enqueuing ------------------------------------------------------------------------------- */

struct places { /* of one enqueue, on all queues but the first */
    cl_uint count;
    cl_event *behind; /* made, but not submitted */
    cl_uint front_count, list_count;
    cl_event *list; /* for the command: what is in front of it, and then the application's */
};

static cl_int make_place(cl_command_queue queue, cl_event *out)
{
    return sl_command_create(queue, CL_COMMAND_COMMAND_BUFFER_KHR, SL_HOW_NOTHING, out);
}

static cl_int add_place(struct places *places, cl_command_queue queue)
{
    cl_event front;
    cl_int rc = make_place(queue, &places->behind[places->count]);
    if (rc)
        return rc;
    places->count++;
    rc = make_place(queue, &front);
    if (!rc)
        rc = sl_command_submit(front, 0, NULL, false, &places->list[places->front_count]);
    if (!rc)
        places->front_count++;
    return rc;
}

static bool is_repeated(const cl_command_queue *queues, cl_uint at)
{
    cl_uint i = 0;
    while (queues[i] != queues[at])
        i++;
    return i < at;
}

static cl_int open_places(struct places *places, const cl_command_queue *queues, cl_uint count,
                          cl_uint wait_count, const cl_event *wait_list)
{
    *places = (struct places){.behind = sl_zalloc(count * sizeof(cl_event)),
                              .list = sl_zalloc(((size_t)count + wait_count) * sizeof(cl_event))};
    if (!places->behind || !places->list)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for places in %u queues", count);
    cl_int rc = CL_SUCCESS;
    for (cl_uint i = 1; i < count && !rc; i++)
        if (!is_repeated(queues, i))
            rc = add_place(places, queues[i]);
    places->list_count = places->front_count;
    for (cl_uint i = 0; i < wait_count && !rc; i++)
        places->list[places->list_count++] = wait_list[i];
    return rc;
}

/* Those that are not submitted are of no use. */
static void close_places(struct places *places)
{
    for (cl_uint i = 0; i < places->front_count; i++)
        sl_discard(places->list[i]);
    for (cl_uint i = 0; i < places->count; i++)
        sl_command_abandon(places->behind[i]);
    sl_free(places->behind);
    sl_free(places->list);
}

static cl_int submit(struct places *places, cl_event e, cl_event *event)
{
    cl_event command;
    cl_int rc = sl_command_submit(e, places->list_count, places->list_count ? places->list : NULL,
                                  false, &command);
    if (rc)
        return rc;
    for (cl_uint i = 0; i < places->count; i++)
        sl_command_submit_behind(places->behind[i], command);
    places->count = 0;
    if (event)
        *event = command;
    else
        sl_discard(command);
    return CL_SUCCESS;
}

cl_int sl_lanes_submit(cl_command_buffer_khr buffer, const cl_command_queue *queues, cl_event e,
                       cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    struct places places;
    if (buffer->lane_count == 1)
        return sl_command_submit(e, wait_count, wait_list, false, event);
    cl_int rc = open_places(&places, queues ? queues : buffer->queues, buffer->lane_count,
                            wait_count, wait_list);
    if (rc) {
        e->result = rc;
        e->on_finish(e);
        sl_command_abandon(e);
    } else {
        rc = submit(&places, e, event);
    }
    close_places(&places);
    return rc;
}
