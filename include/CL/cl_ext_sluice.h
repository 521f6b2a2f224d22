/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Sluice offers and the Khronos headers of the day do not declare. Extension functions are not
 * exported by any library: ask clGetExtensionFunctionAddressForPlatform for them and cast to the
 * type that ends in _fn. Define CL_NO_EXTENSION_PROTOTYPES to have the types only.
 *
 * Values with SLUICE in their name are ours; they lie outside of the range that Khronos gives out,
 * but for one that stands for theirs (cl_ext_sluice_command_buffer.h).
 */
#ifndef OPENCL_CL_EXT_SLUICE_H_
#define OPENCL_CL_EXT_SLUICE_H_

#include <CL/cl_ext.h>

#include <CL/cl_ext_sluice_command_buffer.h>
#include <CL/cl_ext_sluice_matrix.h>
#include <CL/cl_ext_sluice_native_command.h>
#include <CL/cl_ext_sluice_program_pipe.h>
#include <CL/cl_ext_sluice_svm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- queries of the four pipe capabilities (clGetDeviceInfo) --------------------------------- */

#define CL_DEVICE_KERNEL_KERNEL_PIPE_SUPPORT_SLUICE 0x534C0001 /* cl_bool */
#define CL_DEVICE_KERNEL_HOST_PIPE_SUPPORT_SLUICE 0x534C0002   /* cl_bool */
#define CL_DEVICE_MAX_HOST_READ_PIPES_SLUICE 0x534C0003        /* cl_uint */
#define CL_DEVICE_MAX_HOST_WRITE_PIPES_SLUICE 0x534C0004       /* cl_uint */

/* ---- query of the platform (clGetPlatformInfo) ----------------------------------------------- */

/* cl_uint: the version of the interface that device libraries are made for (sluice/device.h) */
#define CL_PLATFORM_DEVICE_INTERFACE_VERSION_SLUICE 0x534C0005

/* ---- cl_ext_float_atomics -------------------------------------------------------------------- */

#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
typedef cl_bitfield cl_device_fp_atomic_capabilities_ext;
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#endif

/* ---- cl_khr_spirv_queries -------------------------------------------------------------------- */

#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9 /* const char *[] */
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA                /* const char *[] */
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB              /* cl_uint[] */
#endif

/* ---- cl_khr_kernel_clock --------------------------------------------------------------------- */

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
typedef cl_bitfield cl_device_kernel_clock_capabilities_khr;
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

/* ---- cl_khr_semaphore 1.0 -------------------------------------------------------------------- */

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

/* ---- cl_khr_external_semaphore 1.0 ----------------------------------------------------------- */

#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

/* ---- cl_khr_external_memory 1.0 -------------------------------------------------------------- */

#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

/* ---- cl_khr_initialize_memory ---------------------------------------------------------------- */

#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
typedef cl_bitfield cl_context_memory_initialize_khr;
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

/* ---- cl_khr_priority_hints ------------------------------------------------------------------- */

#ifndef CL_QUEUE_PRIORITY_KHR
typedef cl_uint cl_queue_priority_khr;
#define CL_QUEUE_PRIORITY_KHR 0x1096
#define CL_QUEUE_PRIORITY_HIGH_KHR (1 << 0)
#define CL_QUEUE_PRIORITY_MED_KHR (1 << 1)
#define CL_QUEUE_PRIORITY_LOW_KHR (1 << 2)
#endif

/* ---- cl_ext_immutable_memory_objects --------------------------------------------------------- */

#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6) /* cl_mem_flags */
#endif

/* ---- cl_ext_buffer_device_address ------------------------------------------------------------ */

#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
typedef cl_ulong cl_mem_device_address_ext;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000   /* property of a buffer, cl_bool */
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001           /* clGetMemObjectInfo, one for each device */
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002 /* cl_mem_device_address_ext[] */
#endif

/* The type of clSetKernelArgDevicePointerEXT: CL_INVALID_KERNEL, CL_INVALID_OPERATION: no device of
 * the context has such addresses, CL_INVALID_ARG_INDEX, also for arguments that are no pointers to
 * global memory. */
typedef cl_int CL_API_CALL clSetKernelArgDevicePointerEXT_sluice_t(cl_kernel kernel,
                                                                   cl_uint arg_index,
                                                                   cl_ulong arg_value);

/* ---- cl_ext_cxx_for_opencl ------------------------------------------------------------------- */

#ifndef CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT
#define CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT 0x4230 /* cl_version */
#endif

/* Execution status of commands ended because nothing on the device could move any more, with
 * SLUICE_FPGA_ON_STALL=error. */
#define CL_DEVICE_STALLED_SLUICE -1113

/* Execution status of kernels that have written packets to an I/O pipe that could not be delivered:
 * the disk is full, the file cannot be opened. The context's callback hears why. */
#define CL_IO_FAILED_SLUICE -1114

/* clGetProgramInfo, char[]: what the program's pipes and kernels have done so far, as JSON; see
 * docs/dataflow.md. The text of a running program grows: the size that is answered when param_value
 * is NULL leaves room, else it is exact. CL_INVALID_OPERATION where profiling is not switched on.
 */
#define CL_PROGRAM_PIPE_PROFILE_SLUICE 0x534C0010

/* ---- banks of memory on FPGA boards (cl_mem_flags) ------------------------------------------- */

#ifndef CL_CHANNEL_1_INTELFPGA
#define CL_CHANNEL_AUTO_INTELFPGA (0 << 16)
#define CL_CHANNEL_1_INTELFPGA (1 << 16)
#define CL_CHANNEL_2_INTELFPGA (2 << 16)
#define CL_CHANNEL_3_INTELFPGA (3 << 16)
#define CL_CHANNEL_4_INTELFPGA (4 << 16)
#define CL_CHANNEL_5_INTELFPGA (5 << 16)
#define CL_CHANNEL_6_INTELFPGA (6 << 16)
#define CL_CHANNEL_7_INTELFPGA (7 << 16)
#define CL_MEM_HETEROGENEOUS_INTELFPGA (1 << 19)
#endif

/* As older hosts spell them. */
#ifndef CL_MEM_BANK_1_ALTERA
#define CL_MEM_BANK_AUTO_ALTERA CL_CHANNEL_AUTO_INTELFPGA
#define CL_MEM_BANK_1_ALTERA CL_CHANNEL_1_INTELFPGA
#define CL_MEM_BANK_2_ALTERA CL_CHANNEL_2_INTELFPGA
#define CL_MEM_BANK_3_ALTERA CL_CHANNEL_3_INTELFPGA
#define CL_MEM_BANK_4_ALTERA CL_CHANNEL_4_INTELFPGA
#define CL_MEM_BANK_5_ALTERA CL_CHANNEL_5_INTELFPGA
#define CL_MEM_BANK_6_ALTERA CL_CHANNEL_6_INTELFPGA
#define CL_MEM_BANK_7_ALTERA CL_CHANNEL_7_INTELFPGA
#endif
#ifndef CL_CHANNEL_1_ALTERA
#define CL_CHANNEL_AUTO_ALTERA CL_CHANNEL_AUTO_INTELFPGA
#define CL_CHANNEL_1_ALTERA CL_CHANNEL_1_INTELFPGA
#define CL_CHANNEL_2_ALTERA CL_CHANNEL_2_INTELFPGA
#define CL_CHANNEL_3_ALTERA CL_CHANNEL_3_INTELFPGA
#define CL_CHANNEL_4_ALTERA CL_CHANNEL_4_INTELFPGA
#define CL_CHANNEL_5_ALTERA CL_CHANNEL_5_INTELFPGA
#define CL_CHANNEL_6_ALTERA CL_CHANNEL_6_INTELFPGA
#define CL_CHANNEL_7_ALTERA CL_CHANNEL_7_INTELFPGA
#endif
#ifndef CL_MEM_HETEROGENEOUS_ALTERA
#define CL_MEM_HETEROGENEOUS_ALTERA CL_MEM_HETEROGENEOUS_INTELFPGA
#endif

/* ---- cl_intel_fpga_host_pipe ----------------------------------------------------------------- */

#ifndef cl_intel_fpga_host_pipe
#define cl_intel_fpga_host_pipe 1
#endif

/* Also the execution status of a clEnqueue*HostPipeINTEL that may not wait and would have to. */
#ifndef CL_PIPE_FULL
#define CL_PIPE_FULL -1111
#endif
#ifndef CL_PIPE_EMPTY
#define CL_PIPE_EMPTY -1112
#endif

typedef cl_int(CL_API_CALL *clReadPipeIntelFPGA_fn)(cl_mem pipe, void *ptr);
typedef cl_int(CL_API_CALL *clWritePipeIntelFPGA_fn)(cl_mem pipe, void *ptr);
typedef void *(CL_API_CALL *clMapHostPipeIntelFPGA_fn)(cl_mem pipe, cl_map_flags map_flags,
                                                       size_t requested_size, size_t *mapped_size,
                                                       cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clUnmapHostPipeIntelFPGA_fn)(cl_mem pipe, void *mapped_ptr,
                                                         size_t size_to_unmap,
                                                         size_t *unmapped_size);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clReadPipeIntelFPGA(cl_mem pipe, void *ptr);
extern CL_API_ENTRY cl_int CL_API_CALL clWritePipeIntelFPGA(cl_mem pipe, void *ptr);
extern CL_API_ENTRY void *CL_API_CALL clMapHostPipeIntelFPGA(cl_mem pipe, cl_map_flags map_flags,
                                                             size_t requested_size,
                                                             size_t *mapped_size,
                                                             cl_int *errcode_ret);
extern CL_API_ENTRY cl_int CL_API_CALL clUnmapHostPipeIntelFPGA(cl_mem pipe, void *mapped_ptr,
                                                                size_t size_to_unmap,
                                                                size_t *unmapped_size);
#endif

/* ---- the profile of a program on an FPGA ----------------------------------------------------- */

/*
 * Reads the counters of a program's kernels back, while they run: those that were enqueued, autorun
 * kernels, or both. They are written to the file of SLUICE_FPGA_PROFILE, and answered in
 * param_value as JSON like CL_PROGRAM_PIPE_PROFILE_SLUICE, all kernels in one text. With
 * param_value NULL and param_value_size_ret not, only the size is answered, with room for what is
 * to come. Cleared counters begin at 0 again, and what comes next gets a file of its own.
 *
 * CL_INVALID_DEVICE also when the program is not for the device; CL_INVALID_PROGRAM;
 * CL_INVALID_PROGRAM_EXECUTABLE: not built; CL_INVALID_VALUE: the text does not fit;
 * CL_PROFILING_INFO_NOT_AVAILABLE: profiling is not switched on, or the program has no kernels of
 * the kinds with pipes; CL_OUT_OF_RESOURCES: the file cannot be written. The result is in
 * *errcode_ret too, if that is not NULL.
 */
typedef cl_int(CL_API_CALL *clGetProfileDataDeviceIntelFPGA_fn)(
    cl_device_id device_id, cl_program program, cl_bool read_enqueue_kernels,
    cl_bool read_auto_enqueued, cl_bool clear_counters_after_readback, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret, cl_int *errcode_ret);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clGetProfileDataDeviceIntelFPGA(
    cl_device_id device_id, cl_program program, cl_bool read_enqueue_kernels,
    cl_bool read_auto_enqueued, cl_bool clear_counters_after_readback, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret, cl_int *errcode_ret);
/* By the name that older hosts look for. */
extern CL_API_ENTRY cl_int CL_API_CALL clGetProfileDataDeviceAltera(
    cl_device_id device_id, cl_program program, cl_bool read_enqueue_kernels,
    cl_bool read_auto_enqueued, cl_bool clear_counters_after_readback, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret, cl_int *errcode_ret);
#endif

/* ---- kernels on an FPGA begin anew ----------------------------------------------------------- */

/*
 * All kernels with pipes or channels on the devices begin anew, as when a board's circuit is reset,
 * whatever program or context they are of: launches that run or are about to end with
 * CL_OUT_OF_RESOURCES (the context's callback hears why), what is in channels and program-scope
 * pipes between kernels is dropped, and autorun kernels are started again. What is at the host's
 * or an I/O peripheral's end of a pipe stays there, and so do pipes of clCreatePipe and memory.
 * Launches that are enqueued afterwards find all of it done. A kernel that computes ends when it
 * comes to a pipe operation that waits. Kernels without pipes run on.
 *
 * device_list NULL: all devices of the context. Devices that are no FPGAs have no such kernels.
 * CL_INVALID_CONTEXT; CL_INVALID_VALUE: a list of no devices; CL_INVALID_DEVICE: not the context's;
 * CL_INVALID_OPERATION: a program's cycles are being counted (-sluice-timing with a profile);
 * CL_OUT_OF_HOST_MEMORY.
 */
typedef cl_int(CL_API_CALL *clResetKernelsIntelFPGA_fn)(cl_context context, cl_uint num_devices,
                                                        const cl_device_id *device_list);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clResetKernelsIntelFPGA(cl_context context,
                                                               cl_uint num_devices,
                                                               const cl_device_id *device_list);
#endif

/* ---- cl_intel_program_scope_host_pipe -------------------------------------------------------- */

#ifndef cl_intel_program_scope_host_pipe
#define cl_intel_program_scope_host_pipe 1
#endif

#ifndef CL_COMMAND_READ_HOST_PIPE_INTEL
#define CL_COMMAND_READ_HOST_PIPE_INTEL 0x4214
#define CL_COMMAND_WRITE_HOST_PIPE_INTEL 0x4215
#define CL_PROGRAM_NUM_HOST_PIPES_INTEL 0x4216  /* clGetProgramInfo, size_t */
#define CL_PROGRAM_HOST_PIPE_NAMES_INTEL 0x4217 /* char[], separated by ';' */

typedef cl_int(CL_API_CALL *clEnqueueReadHostPipeINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_read, void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueWriteHostPipeINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_write, const void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadHostPipeINTEL(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_read, void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteHostPipeINTEL(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_write, const void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
#endif
#endif

/* ---- cl_intel_global_variable_access --------------------------------------------------------- */

#ifndef cl_intel_global_variable_access
#define cl_intel_global_variable_access 1
#endif

#ifndef CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL
#define CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL 0x418E
#define CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL 0x418F

typedef cl_int(CL_API_CALL *clEnqueueReadGlobalVariableINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *name, cl_bool blocking_read,
    size_t size, size_t offset, void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueWriteGlobalVariableINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *name, cl_bool blocking_write,
    size_t size, size_t offset, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
/* The variable of that device. The size may be NULL; the address is good until the program is
 * built again or released. */
typedef cl_int(CL_API_CALL *clGetDeviceGlobalVariablePointerINTEL_fn)(
    cl_device_id device, cl_program program, const char *global_variable_name,
    size_t *global_variable_size_ret, void **global_variable_pointer_ret);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char *name, cl_bool blocking_read,
    size_t size, size_t offset, void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char *name, cl_bool blocking_write,
    size_t size, size_t offset, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
extern CL_API_ENTRY cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(
    cl_device_id device, cl_program program, const char *global_variable_name,
    size_t *global_variable_size_ret, void **global_variable_pointer_ret);
#endif
#endif

/* ---- functions that kernels call by pointers (SPV_INTEL_function_pointers) ------------------- */

#ifndef CL_NO_EXTENSION_PROTOTYPES
/* A pointer to the function of that name, which the module exports and points at or decorates with
 * ReferencedIndirectlyINTEL; for kernels of the same program, until it is built again or released.
 */
extern CL_API_ENTRY cl_int CL_API_CALL
clGetDeviceFunctionPointerINTEL(cl_device_id device, cl_program program, const char *function_name,
                                cl_ulong *function_pointer_ret);
#endif
typedef cl_int(CL_API_CALL *clGetDeviceFunctionPointerINTEL_fn)(cl_device_id device,
                                                                cl_program program,
                                                                const char *function_name,
                                                                cl_ulong *function_pointer_ret);

/* ---- OpenCL 3.1 ------------------------------------------------------------------------------ */

#ifndef CL_DEVICE_MAX_WORK_GROUP_SIZES
#define CL_DEVICE_MAX_WORK_GROUP_SIZES                                                             \
    0x1005 /* size_t[]: CL_DEVICE_MAX_WORK_ITEM_SIZES, renamed                                     \
            */
#endif
#ifndef CL_UUID_SIZE
#define CL_UUID_SIZE 16
#define CL_LUID_SIZE 8
#define CL_DEVICE_UUID 0x106A       /* cl_uchar[CL_UUID_SIZE] */
#define CL_DRIVER_UUID 0x106B       /* cl_uchar[CL_UUID_SIZE] */
#define CL_DEVICE_LUID_VALID 0x106C /* cl_bool */
#define CL_DEVICE_LUID 0x106D       /* cl_uchar[CL_LUID_SIZE] */
#define CL_DEVICE_NODE_MASK 0x106E  /* cl_uint */
#endif
#ifndef CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES
#define CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES 0x1073 /* cl_bitfield */
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT 0x1074
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED 0x1075
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED (1 << 0)
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT (1 << 1)
#endif
#ifndef CL_VERSION_3_1
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize_fn)(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);
#endif

#ifdef __cplusplus
}
#endif

#endif
