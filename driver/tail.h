/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all calls that make a command have at their end, and what becomes of the command: it goes to
 * its queue, or to a command buffer (clCommand*KHR), which keeps it as it is. So one function
 * checks and fills in a command, whichever of the two it is for.
 */
#ifndef SL_DRIVER_TAIL_H
#define SL_DRIVER_TAIL_H

#include <stdbool.h>

#include "command.h"

struct sl_recording;

struct sl_tail {
    bool blocking;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    struct sl_recording *recording; /* NULL: for the queue; else only this counts (record.h) */
};

/* CL_INVALID_COMMAND_QUEUE. That of a command buffer is held, and may be released. */
cl_int sl_tail_check_queue(cl_command_queue, const struct sl_tail *);
/* What the command shall wait for: the errors of sl_check_wait_list, or
 * CL_INVALID_SYNC_POINT_WAIT_LIST_KHR. */
cl_int sl_tail_check(cl_command_queue, const struct sl_tail *);
/* The command, filled in, is not the caller's any more. */
cl_int sl_tail_submit(cl_event, const struct sl_tail *);

#endif
