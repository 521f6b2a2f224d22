/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a buffer may be made with beyond flags (clCreateBufferWithProperties): one row each in
 * mem_properties.c. All memory is the host's, so they are kept for whoever asks. Any thread.
 */
#ifndef SL_DRIVER_MEM_PROPERTIES_H
#define SL_DRIVER_MEM_PROPERTIES_H

#include <CL/cl.h>

/*
 * A list of a buffer or (NULL context: no property is known) of an image. `unknown` for names that
 * no device of the context knows, for names given twice and for values of the wrong type;
 * CL_INVALID_PROPERTY for a memory that there is not.
 */
cl_int sl_mem_properties_check(cl_context, const cl_mem_properties *, cl_int unknown);
/* Keeps a list that was checked, empty ones too; NULL: none. */
cl_int sl_mem_properties_keep(cl_mem, const cl_mem_properties *);
/* CL_MEM_ALLOC_BUFFER_LOCATION_INTEL: of a part that of the whole, 0 where none was given. */
cl_uint sl_mem_buffer_location(const struct _cl_mem *);

#endif
