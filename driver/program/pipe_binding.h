/* SPDX-License-Identifier: Apache-2.0 */
/* Which pipes a kernel's arguments take. Any thread. Spec 5.4, cl_intel_fpga_host_pipe. */
#ifndef SL_DRIVER_PROGRAM_PIPE_BINDING_H
#define SL_DRIVER_PROGRAM_PIPE_BINDING_H

#include "program/kernel.h"

/*
 * May the pipe be argument `index` of the kernel? CL_INVALID_ARG_SIZE: the packets differ in size.
 * CL_INVALID_ARG_VALUE: a host pipe for an argument that is not host-accessible or the reverse, the
 * wrong direction, more packets than the argument's depth, or bound elsewhere. Binds a host pipe.
 */
cl_int sl_pipe_bind(cl_mem, cl_kernel, cl_uint index);

#endif
