/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a buffer (clCreateBufferWithProperties) and unified shared memory may be made with: one row
 * each in mem_properties.c. All memory is the host's, so they are kept for whoever asks. Any
 * thread.
 */
#ifndef SL_DRIVER_MEM_PROPERTIES_H
#define SL_DRIVER_MEM_PROPERTIES_H

#include <CL/cl.h>

enum sl_mem_maker { SL_MEM_IMAGE = 0, SL_MEM_BUFFER = 1, SL_MEM_USM = 2 };

/*
 * `unknown` for names that no device of the context knows or that are not for this call, for names
 * given twice and for values of the wrong type; CL_INVALID_PROPERTY for values that name nothing.
 */
cl_int sl_mem_properties_check(cl_context, enum sl_mem_maker, const cl_mem_properties *,
                               cl_int unknown);
/* The property's value in a list that was checked; 0: not named. */
cl_mem_properties sl_mem_property(const cl_mem_properties *, cl_mem_properties name);
/* Keeps a list that was checked, empty ones too; NULL: none. */
cl_int sl_mem_properties_keep(cl_mem, const cl_mem_properties *);
/* CL_MEM_ALLOC_BUFFER_LOCATION_INTEL: of a part that of the whole, 0 where none was given. */
cl_uint sl_mem_buffer_location(const struct _cl_mem *);

#endif
