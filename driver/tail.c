/* SPDX-License-Identifier: Apache-2.0 */
/* See tail.h. No lock. */
#include "tail.h"

#include "error.h"
#include "queue.h"
#include "record.h"

cl_int sl_tail_check_queue(cl_command_queue queue, const struct sl_tail *tail)
{
    return tail->recording || sl_valid(queue, &sl_queue_type)
               ? CL_SUCCESS
               : sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
}

cl_int sl_tail_check(cl_command_queue queue, const struct sl_tail *tail)
{
    return tail->recording ? sl_recording_check(tail->recording)
                           : sl_check_wait_list(queue->context, tail->wait_count, tail->wait_list);
}

cl_int sl_tail_submit(cl_event e, const struct sl_tail *tail)
{
    return tail->recording ? sl_recording_take(tail->recording, e)
                           : sl_command_submit(e, tail->wait_count, tail->wait_list, tail->blocking,
                                               tail->event);
}
