/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel arguments: captured by clSetKernelArg, snapshot at enqueue. Spec 5.9.2. */
#ifndef SL_DRIVER_PROGRAM_ARGS_H
#define SL_DRIVER_PROGRAM_ARGS_H

#include "commands/command.h"
#include "program/kernel.h"

/*
 * Fills the arguments' part of work.u.kernel (code, kernel_index, args, memories, local_bytes) from
 * what is set now and keeps the objects in the command. The command owns the copy.
 * CL_INVALID_KERNEL_ARGS, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_OUT_OF_RESOURCES (local memory),
 * CL_OUT_OF_HOST_MEMORY.
 */
cl_int sl_args_snapshot(cl_kernel, const struct sl_kernel_device *, cl_event);
bool sl_args_complete(cl_kernel); /* all are set */
/* CL_INVALID_KERNEL_ARGS if an argument is not set. */
cl_int sl_args_check(cl_kernel);

/* Where the next local argument begins behind `bytes` of local memory. */
static inline uint64_t sl_align_local(uint64_t bytes)
{
    return (bytes + SL_LOCAL_ALIGN - 1) & ~(uint64_t)(SL_LOCAL_ALIGN - 1);
}

#endif
