/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queues of a command buffer (cl_khr_command_buffer_multi_device), each of which is a lane: it
 * orders the commands recorded for it. What is enqueued is a command of the first queue; on each
 * other one a command in front of it and one behind it keep its place there.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_LANES_H
#define SL_DRIVER_COMMANDS_RECORDING_LANES_H

#include "commands/recording/command_buffer.h"

/* For clCreateCommandBufferKHR. CL_INVALID_VALUE: none; CL_INVALID_COMMAND_QUEUE,
 * CL_INVALID_CONTEXT, CL_INVALID_OPERATION: a native command's; CL_INCOMPATIBLE_COMMAND_QUEUE_KHR:
 * one that has to be alone, or devices that do not synchronize natively where `flags` ask for it.
 */
cl_int sl_lanes_check(cl_uint count, const cl_command_queue *, cl_command_buffer_flags_khr flags);
/* For queues in place of the buffer's own at an enqueue; NULL: none. CL_INVALID_VALUE,
 * CL_INVALID_COMMAND_QUEUE, CL_INVALID_DEVICE, CL_INVALID_CONTEXT,
 * CL_INCOMPATIBLE_COMMAND_QUEUE_KHR. */
cl_int sl_lanes_check_substitutes(cl_command_buffer_khr, cl_uint count, const cl_command_queue *);
/* Which lane a command is recorded for; a queue of NULL stands for the only one.
 * CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT. */
cl_int sl_lane_find(cl_command_buffer_khr, cl_command_queue, uint32_t *lane);

/* Puts the command, which replays the buffer, in all of the queues (NULL: the buffer's own), as
 * sl_command_submit does in one. */
cl_int sl_lanes_submit(cl_command_buffer_khr, const cl_command_queue *, cl_event,
                       cl_uint wait_count, const cl_event *wait_list, cl_event *event);

#endif
