/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording: a command is checked and filled in as for a queue (commands.h), and then kept by a
 * command buffer instead of being submitted. Its checks need not be repeated when it is replayed.
 * Any thread; the command buffer has a lock of its own.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_RECORD_H
#define SL_DRIVER_COMMANDS_RECORDING_RECORD_H

#include "commands/enqueue/record_tail.h"
#include "commands/recording/command_buffer.h"

/* Errors of all clCommand*KHR that are not the command's own. */
cl_int sl_recording_begin(struct sl_recording *, cl_command_buffer_khr, cl_command_queue,
                          cl_uint point_count, const cl_sync_point_khr *points);

#endif
