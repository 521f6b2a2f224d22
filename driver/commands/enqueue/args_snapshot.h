/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's arguments are when it is enqueued. Any thread. Spec 5.9.2. */
#ifndef SL_DRIVER_COMMANDS_ARGS_SNAPSHOT_H
#define SL_DRIVER_COMMANDS_ARGS_SNAPSHOT_H

#include "commands/queue/command.h"
#include "program/kernel.h"

/*
 * Fills the arguments' part of work.u.kernel (code, kernel_index, args, memories, local_bytes) from
 * what is set now and keeps the objects in the command. The command owns the copy.
 * CL_INVALID_KERNEL_ARGS, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local memory),
 * CL_OUT_OF_HOST_MEMORY.
 */
cl_int sl_args_snapshot(cl_kernel, const struct sl_kernel_device *, cl_event);

#endif
