/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What buffers and images (clCreate*WithProperties) and unified shared memory may be made with: one
 * row each in mem_properties.c. All memory is the host's, so they are kept for whoever asks; so are
 * the banks that FPGA boards have (CL_CHANNEL_*_INTELFPGA in the flags). Any thread.
 */
#ifndef SL_DRIVER_MEMORY_MEM_PROPERTIES_H
#define SL_DRIVER_MEMORY_MEM_PROPERTIES_H

#include <CL/cl.h>

enum sl_mem_maker { SL_MEM_BUFFER = 1, SL_MEM_USM = 2, SL_MEM_IMAGE = 4 };

/*
 * `unknown` for names that no device of the context knows or that are not for this call, for names
 * given twice and for values of the wrong type; CL_INVALID_PROPERTY for values that name nothing.
 */
cl_int sl_mem_properties_check(cl_context, enum sl_mem_maker, const cl_mem_properties *,
                               cl_int unknown);
/* The property's value in a list that was checked; 0: not named. */
cl_mem_properties sl_mem_property(const cl_mem_properties *, cl_mem_properties name);
/* Where the property's value is, or its values begin; NULL: not named. */
const cl_mem_properties *sl_mem_property_values(const cl_mem_properties *, cl_mem_properties name);
/* Keeps a list that was checked, empty ones too; NULL: none. */
cl_int sl_mem_properties_keep(cl_mem, const cl_mem_properties *);
/* CL_MEM_ALLOC_BUFFER_LOCATION_INTEL: of a part that of the whole, 0 where none was given. */
cl_uint sl_mem_buffer_location(const struct _cl_mem *);

/*
 * AMD's way to name a bank: with this flag `*host_ptr` is a structure of theirs, which has the bank
 * and the pointer that is meant. Both become what they are elsewhere; what else it says of places
 * is of no account here. CL_INVALID_VALUE: there is no structure. Contexts without a board: nothing
 * is changed.
 */
#define SL_MEM_EXT_PTR_XILINX ((cl_mem_flags)1 << 31)
cl_int sl_mem_unpack_pointer(cl_context, cl_mem_flags *, void **host_ptr);

/* The flags that name a bank, or several, of the memory of a board; 0: no device of the context is
 * one. */
cl_mem_flags sl_mem_bank_flags(cl_context);
/* CL_INVALID_PROPERTY: the flags name another bank than the list, which was checked. */
cl_int sl_mem_bank_check(cl_mem_flags, const cl_mem_properties *);
/* A part lies in the bank of the whole. CL_INVALID_VALUE: its flags name another one. */
cl_int sl_mem_bank_check_part(cl_mem_flags, const struct _cl_mem *whole);
/* Flags that a part has from the whole. */
cl_mem_flags sl_mem_bank_inherit(cl_mem_flags whole);

#endif
