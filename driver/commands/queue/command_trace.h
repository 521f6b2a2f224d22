/* SPDX-License-Identifier: Apache-2.0 */
/* What is told about commands: the scheduler's trace and the timeline. Any thread. */
#ifndef SL_DRIVER_COMMANDS_COMMAND_TRACE_H
#define SL_DRIVER_COMMANDS_COMMAND_TRACE_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

enum sl_command_step {
    SL_STEP_QUEUED,
    SL_STEP_SUBMITTED,
    SL_STEP_STARTED,
    SL_STEP_ENDED,
};

/* "NDRANGE_KERNEL blur", "COPY_BUFFER". */
void sl_command_title(cl_event, char *out, size_t room);
/* One line in the trace; next to nothing when it is off. `status` counts for SL_STEP_ENDED. */
void sl_command_trace(cl_event, enum sl_command_step, cl_int status);
/* A span for a command whose times are settled. */
void sl_command_timeline(cl_event, cl_int status);
/* A span for a recorded command that `command` has replayed from then to now, and what it is to the
 * log if it failed. */
void sl_command_replayed(cl_event recorded, cl_event command, uint64_t started_ns, cl_int status);

#endif
