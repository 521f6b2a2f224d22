/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_program_pipe: what a program says about its pipes, and mapped access to those of the
 * host. It goes with cl_intel_program_scope_host_pipe. Part of CL/cl_ext_sluice.h.
 *
 * A pipe or channel is named as in that extension: "name", or "name[1][2]" for an element of an
 * array. All functions may be called from any thread, once the program has been built.
 *
 * clGetProgramPipeInfoSLUICE answers as the other clGet...Info do, for any pipe or channel of the
 * program on one of its devices. CL_INVALID_PROGRAM, CL_INVALID_DEVICE,
 * CL_INVALID_PROGRAM_EXECUTABLE; CL_INVALID_VALUE: no such pipe or query, too little room.
 *
 * clMapProgramPipeSLUICE gives a part of the pipe's own memory in one piece: packets that have
 * arrived (CL_MAP_READ) or free room (CL_MAP_WRITE), no more than requested_size bytes; 0 stands
 * for all there is. It never waits: NULL, *mapped_size 0 and CL_OUT_OF_RESOURCES when there is
 * nothing. Mapping adds no capacity. Packets that are transferred meanwhile are behind the region.
 * clUnmapProgramPipeSLUICE gives any number of whole packets from the front of the region back, by
 * the pointer that the map gave. The kernel gets them in the order of the maps. Regions are gone
 * when the program is built again or released.
 *
 * As for clGetProgramPipeInfoSLUICE; also CL_INVALID_VALUE: flags other than one of the two, sizes
 * that are no whole packets, no pointer to an answer, more than is mapped;
 * CL_INVALID_OPERATION: the pipe is not the host's, or the host is at its other end, or another
 * device uses it; CL_OUT_OF_HOST_MEMORY.
 */
#ifndef OPENCL_CL_EXT_SLUICE_PROGRAM_PIPE_H_
#define OPENCL_CL_EXT_SLUICE_PROGRAM_PIPE_H_

#include <CL/cl.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_sluice_program_pipe 1

typedef cl_uint cl_program_pipe_info_sluice;
#define CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE 0x534C0030       /* cl_uint */
#define CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE 0x534C0031  /* cl_uint */
#define CL_PROGRAM_PIPE_DECLARED_CAPACITY_SLUICE 0x534C0032 /* cl_uint; 0: not declared */
#define CL_PROGRAM_PIPE_CAPACITY_SLUICE 0x534C0033          /* cl_uint, in effect */
#define CL_PROGRAM_PIPE_TYPE_SLUICE 0x534C0034              /* char[], of a packet: "float4" */
#define CL_PROGRAM_PIPE_IO_SLUICE 0x534C0035 /* char[], the peripheral's name or "" */
/* cl_mem_flags. CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY: the host reads it, or writes it; 0:
 * its first transfer decides; CL_MEM_HOST_NO_ACCESS: it is not the host's. */
#define CL_PROGRAM_PIPE_HOST_ACCESS_SLUICE 0x534C0036
/* char[], the kernels that write it, and those that read it: names with ';' between them, or "".
 * Compute units as reports call them: "k", "k.1", ... */
#define CL_PROGRAM_PIPE_WRITERS_SLUICE 0x534C0037
#define CL_PROGRAM_PIPE_READERS_SLUICE 0x534C0038

typedef cl_int(CL_API_CALL *clGetProgramPipeInfoSLUICE_fn)(cl_program program, cl_device_id device,
                                                           const char *pipe_symbol,
                                                           cl_program_pipe_info_sluice param_name,
                                                           size_t param_value_size,
                                                           void *param_value,
                                                           size_t *param_value_size_ret);
typedef void *(CL_API_CALL *clMapProgramPipeSLUICE_fn)(cl_program program, cl_device_id device,
                                                       const char *pipe_symbol,
                                                       cl_map_flags map_flags,
                                                       size_t requested_size, size_t *mapped_size,
                                                       cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clUnmapProgramPipeSLUICE_fn)(cl_program program, cl_device_id device,
                                                         const char *pipe_symbol, void *mapped_ptr,
                                                         size_t size_to_unmap,
                                                         size_t *unmapped_size);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL
clGetProgramPipeInfoSLUICE(cl_program program, cl_device_id device, const char *pipe_symbol,
                           cl_program_pipe_info_sluice param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret);
extern CL_API_ENTRY void *CL_API_CALL clMapProgramPipeSLUICE(
    cl_program program, cl_device_id device, const char *pipe_symbol, cl_map_flags map_flags,
    size_t requested_size, size_t *mapped_size, cl_int *errcode_ret);
extern CL_API_ENTRY cl_int CL_API_CALL
clUnmapProgramPipeSLUICE(cl_program program, cl_device_id device, const char *pipe_symbol,
                         void *mapped_ptr, size_t size_to_unmap, size_t *unmapped_size);
#endif

#ifdef __cplusplus
}
#endif

#endif
