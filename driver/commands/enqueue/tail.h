/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all calls that make a command have at their end, and what becomes of the command: it goes to
 * its queue, or to a command buffer (clCommand*KHR), which keeps it as it is. So one function
 * checks and fills in a command, whichever of the two it is for. Inline: a launch is short.
 */
#ifndef SL_DRIVER_COMMANDS_TAIL_H
#define SL_DRIVER_COMMANDS_TAIL_H

#include <stdbool.h>

#include "base/log/error.h"
#include "commands/enqueue/record_tail.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"

struct sl_tail {
    bool blocking;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    struct sl_recording *recording; /* NULL: for the queue; else only this counts */
};

/* CL_INVALID_COMMAND_QUEUE. That of a command buffer is held, and may be released. */
static inline cl_int sl_tail_check_queue(cl_command_queue queue, const struct sl_tail *tail)
{
    return tail->recording || sl_valid(queue, &sl_queue_type)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
}

/* What the command shall wait for: the errors of sl_check_wait_list, or of sl_recording_check. */
static inline cl_int sl_tail_check(cl_command_queue queue, const struct sl_tail *tail)
{
    return tail->recording ? sl_recording_check(tail->recording)
                           : sl_check_wait_list(queue->context, tail->wait_count, tail->wait_list);
}

/* The command, filled in, is not the caller's any more. */
static inline cl_int sl_tail_submit(cl_event e, const struct sl_tail *tail)
{
    return tail->recording ? sl_recording_take(tail->recording, e)
                           : sl_command_submit(e, tail->wait_count, tail->wait_list, tail->blocking,
                                               tail->event);
}

#endif
