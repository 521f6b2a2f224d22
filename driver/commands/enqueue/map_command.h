/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that map buffers and images and unmap them. Any thread. Spec 5.5.2. */
#ifndef SL_DRIVER_COMMANDS_MAP_COMMAND_H
#define SL_DRIVER_COMMANDS_MAP_COMMAND_H

#include <CL/cl.h>
#include <stdbool.h>

/*
 * Enqueues the map of checked arguments: the memory is the host's already, so only the pointer is
 * noted. The note is taken back if the command, or this call, fails.
 */
cl_int sl_map_submit(cl_command_queue, cl_mem, cl_command_type, void *pointer, bool blocking,
                     cl_uint wait_count, const cl_event *wait_list, cl_event *event);

/*
 * Enqueues the unmap of a noted pointer; CL_INVALID_VALUE when another thread was faster. The note
 * goes when the command has ended well and stays when it fails.
 */
cl_int sl_unmap_submit(cl_command_queue, cl_mem, void *pointer, cl_uint wait_count,
                       const cl_event *wait_list, cl_event *event);

#endif
