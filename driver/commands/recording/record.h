/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording: a command is checked and filled in as for a queue (commands.h), and then kept by a
 * command buffer instead of being submitted. Its checks need not be repeated when it is replayed.
 * Any thread; the command buffer has a lock of its own.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_RECORD_H
#define SL_DRIVER_COMMANDS_RECORDING_RECORD_H

#include "commands/recording/command_buffer.h"
#include "commands/tail.h"

struct sl_recording {
    cl_command_buffer_khr buffer; /* borrowed */
    cl_uint point_count;
    const cl_sync_point_khr *points;
    bool allows_unset; /* arguments may be set later, by clUpdateMutableCommandsKHR */
    cl_event made;     /* the result, with one API reference; NULL: arguments are not set */
    struct {           /* of the host's ends of pipes, if the result does not come to nothing */
        cl_program program; /* borrowed from the kernel, like all of it; NULL: nothing claimed */
        struct sl_code_ref *code;
        uint32_t kernel;
    } claim;
};

static inline bool sl_recording_allows_unset(const struct sl_recording *recording)
{
    return recording && recording->allows_unset;
}

/* Errors of all clCommand*KHR that are not the command's own. */
cl_int sl_recording_begin(struct sl_recording *, cl_command_buffer_khr, cl_command_queue,
                          cl_uint point_count, const cl_sync_point_khr *points);
/* What was made has claimed the host's ends of pipes. */
void sl_recording_claimed(struct sl_recording *, cl_program, struct sl_code_ref *, uint32_t kernel);
/* What was made is not kept after all. */
void sl_recording_discard(const struct sl_recording *);

#endif
