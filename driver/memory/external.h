/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that another process or API has, behind a file descriptor (cl_khr_external_memory,
 * cl_khr_external_memory_opaque_fd): whatever mmap() shares, as memfd_create, shm_open, a dma-buf
 * or a file give it. An import maps it for reading and writing (file_mapping.h); commands work on
 * the mapping, so there is nothing to fetch or give back. Any thread; no lock.
 */
#ifndef SL_DRIVER_MEMORY_EXTERNAL_H
#define SL_DRIVER_MEMORY_EXTERNAL_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

/* The list, which may be NULL, names a handle. */
bool sl_external_named(const cl_mem_properties *);
/*
 * What a list that sl_mem_properties_check took says about handles and devices, and the flags
 * beside it. CL_INVALID_PROPERTY: devices without a handle; CL_INVALID_DEVICE; CL_INVALID_VALUE:
 * flags for a host pointer with a handle.
 */
cl_int sl_external_check(cl_context, const cl_mem_properties *, cl_mem_flags);
/*
 * A buffer over the named handle. CL_INVALID_PROPERTY: no descriptor that can be mapped in the way
 * that the flags need; `too_small`: it has fewer bytes; CL_MEM_OBJECT_ALLOCATION_FAILURE. The
 * descriptor stays the application's.
 */
cl_int sl_external_import(cl_context, const cl_mem_properties *, cl_mem_flags, size_t size,
                          cl_int too_small, cl_mem *out);
/* The import has succeeded: the named descriptor is ours, and the mapping keeps what it names. */
void sl_external_take(const cl_mem_properties *);

/* An object made from a handle, not a part of one. */
bool sl_is_external(const struct _cl_mem *);
/* The handle of such an object was imported for the device. */
bool sl_external_for(const struct _cl_mem *, cl_device_id);

#endif
