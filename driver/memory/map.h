/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped regions of buffers and images: which pointers are out. Any thread. Spec 5.5.2. */
#ifndef SL_DRIVER_MEMORY_MAP_H
#define SL_DRIVER_MEMORY_MAP_H

#include <CL/cl.h>
#include <stdbool.h>

/* CL_INVALID_VALUE: unknown flags, or invalidation together with read or write. */
cl_int sl_check_map_flags(cl_map_flags);
/* CL_INVALID_OPERATION: the object's CL_MEM_HOST_* flags forbid it. */
cl_int sl_check_map_access(cl_mem, cl_map_flags);

/* The pointer is mapped once more. CL_OUT_OF_HOST_MEMORY. */
cl_int sl_map_note(cl_mem, void *pointer);
/* Mapped, and no unmap of it is on its way. */
bool sl_map_is_noted(cl_mem, const void *pointer);
/* The map of a pair changes hands between the application and an unmap command. False: there is
 * none that can. */
bool sl_map_mark(cl_mem, const void *pointer, bool unmapping);
/* One map of the pointer ends: one that is being unmapped or not, if there is one of that sort. */
void sl_map_forget(cl_mem, const void *pointer, bool unmapping);
void sl_map_forget_all(cl_mem); /* of an object that ends */

#endif
