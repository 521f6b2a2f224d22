/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped regions of buffers and images: which pointers are out, and the map command. Spec 5.5.2. */
#ifndef SL_DRIVER_MEMORY_MAP_H
#define SL_DRIVER_MEMORY_MAP_H

#include <CL/cl.h>
#include <stdbool.h>

/* CL_INVALID_VALUE: unknown flags, or invalidation together with read or write. */
cl_int sl_check_map_flags(cl_map_flags);
/* CL_INVALID_OPERATION: the object's CL_MEM_HOST_* flags forbid it. */
cl_int sl_check_map_access(cl_mem, cl_map_flags);

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
/* Mapped, and no unmap of it is on its way. */
bool sl_map_is_noted(cl_mem, const void *pointer);
void sl_map_forget_all(cl_mem); /* of an object that ends */

#endif
