/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tail (tail.h) of a call that records (clCommand*KHR): what it gives to the code that makes
 * its command, and gets from it: the command, which does not go to a queue, but is kept by a
 * command buffer (commands/recording). It belongs to the calling thread; no lock.
 */
#ifndef SL_DRIVER_COMMANDS_RECORD_TAIL_H
#define SL_DRIVER_COMMANDS_RECORD_TAIL_H

#include <CL/cl_ext_sluice.h>
#include <stdbool.h>
#include <stdint.h>

#include "commands/queue/command.h"

struct sl_code_ref;

struct sl_recording {
    cl_command_buffer_khr buffer; /* borrowed */
    cl_command_queue queue;       /* the buffer's */
    uint32_t lane;                /* which one that is */
    cl_uint point_count;
    const cl_sync_point_khr *points;
    uint32_t known_points; /* of the buffer: what points may be at most */
    bool allows_unset;     /* arguments may be set later, by clUpdateMutableCommandsKHR */
    cl_event made;         /* the result, with one API reference; NULL: arguments are not set */
    struct {               /* of the host's ends of pipes, if the result does not come to nothing */
        cl_program program; /* borrowed from the kernel, like all of it; NULL: nothing claimed */
        struct sl_code_ref *code;
        uint32_t kernel;
    } claim;
};

static inline bool sl_recording_allows_unset(const struct sl_recording *recording)
{
    return recording && recording->allows_unset;
}

/* CL_INVALID_SYNC_POINT_WAIT_LIST_KHR */
cl_int sl_recording_check(const struct sl_recording *);
/* The command is the recording's. CL_INVALID_OPERATION, and it is gone, if it cannot be replayed.
 */
cl_int sl_recording_take(struct sl_recording *, cl_event);
/* What was made has claimed the host's ends of pipes. */
void sl_recording_claimed(struct sl_recording *, cl_program, struct sl_code_ref *, uint32_t kernel);
/* What was made is not kept after all. */
void sl_recording_discard(const struct sl_recording *);

#endif
