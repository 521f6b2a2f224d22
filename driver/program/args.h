/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel arguments, as clSetKernelArg captures them; commands get copies (args_snapshot.h). Any
 * thread. Spec 5.9.2. */
#ifndef SL_DRIVER_PROGRAM_ARGS_H
#define SL_DRIVER_PROGRAM_ARGS_H

#include "program/kernel.h"

bool sl_args_complete(cl_kernel); /* all are set */
/* CL_INVALID_KERNEL_ARGS if an argument is not set. */
cl_int sl_args_check(cl_kernel);

/* Where the next local argument begins behind `bytes` of local memory. */
static inline uint64_t sl_align_local(uint64_t bytes)
{
    return (bytes + SL_LOCAL_ALIGN - 1) & ~(uint64_t)(SL_LOCAL_ALIGN - 1);
}

#endif
