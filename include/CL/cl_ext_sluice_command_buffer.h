/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5, whatever versions
 * of them the Khronos headers know, whose functions and struct may be others. So those have names
 * of our own: the types of functions end in _sluice_t, and an update takes a
 * cl_mutable_dispatch_config_sluice, which is announced by
 * CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE. All other names are those of Khronos, defined
 * here where the headers lack them. Part of CL/cl_ext_sluice.h.
 */
#ifndef OPENCL_CL_EXT_SLUICE_COMMAND_BUFFER_H_
#define OPENCL_CL_EXT_SLUICE_COMMAND_BUFFER_H_

#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cl_khr_command_buffer ------------------------------------------------------------------- */

#ifndef cl_khr_command_buffer
#define cl_khr_command_buffer 1
typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
#endif

typedef cl_properties cl_command_properties_khr;
#ifndef CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#endif
#ifndef CL_COMMAND_BUFFER_FLAGS_KHR
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#endif
#ifndef CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#endif
#ifndef CL_INVALID_COMMAND_BUFFER_KHR
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#endif
#ifndef CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#endif
#ifndef CL_INCOMPATIBLE_COMMAND_QUEUE_KHR
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140
#endif
#ifndef CL_COMMAND_BUFFER_QUEUES_KHR
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#endif
#ifndef CL_COMMAND_BUFFER_NUM_QUEUES_KHR
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#endif
#ifndef CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#endif
#ifndef CL_COMMAND_BUFFER_STATE_KHR
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#endif
#ifndef CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#endif
#ifndef CL_COMMAND_BUFFER_STATE_RECORDING_KHR
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#endif
#ifndef CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#endif
#ifndef CL_COMMAND_COMMAND_BUFFER_KHR
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

typedef cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR_sluice_t(
    cl_uint num_queues, const cl_command_queue *queues,
    const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret);
typedef cl_int CL_API_CALL
clFinalizeCommandBufferKHR_sluice_t(cl_command_buffer_khr command_buffer);
typedef cl_int CL_API_CALL clRetainCommandBufferKHR_sluice_t(cl_command_buffer_khr command_buffer);
typedef cl_int CL_API_CALL clReleaseCommandBufferKHR_sluice_t(cl_command_buffer_khr command_buffer);
typedef cl_int CL_API_CALL clEnqueueCommandBufferKHR_sluice_t(
    cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int CL_API_CALL clGetCommandBufferInfoKHR_sluice_t(cl_command_buffer_khr command_buffer,
                                                              cl_command_buffer_info_khr param_name,
                                                              size_t param_value_size,
                                                              void *param_value,
                                                              size_t *param_value_size_ret);
typedef cl_int CL_API_CALL clCommandBarrierWithWaitListKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandCopyBufferKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    size_t src_offset, size_t dst_offset, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandCopyBufferRectKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandCopyBufferToImageKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandCopyImageKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandCopyImageToBufferKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandFillBufferKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem buffer, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandFillImageKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandNDRangeKernelKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandSVMMemcpyKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *dst_ptr, const void *src_ptr, size_t size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);
typedef cl_int CL_API_CALL clCommandSVMMemFillKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *svm_ptr, const void *pattern,
    size_t pattern_size, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle);

/* ---- cl_khr_command_buffer_multi_device 0.9.2 ------------------------------------------------ */

#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
typedef cl_bitfield cl_platform_command_buffer_capabilities_khr;
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB /* cl_uint */
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC     /* cl_device_id[] */
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#endif
#ifndef CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif

typedef cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue *queues, cl_uint num_handles, const cl_mutable_command_khr *handles,
    cl_mutable_command_khr *handles_ret, cl_int *errcode_ret);

/* ---- cl_khr_command_buffer_mutable_dispatch -------------------------------------------------- */

#ifndef cl_khr_command_buffer_mutable_dispatch
#define cl_khr_command_buffer_mutable_dispatch 1
typedef cl_bitfield cl_mutable_dispatch_fields_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef struct _cl_mutable_dispatch_arg_khr {
    cl_uint arg_index;
    size_t arg_size;
    const void *arg_value;
} cl_mutable_dispatch_arg_khr;
typedef struct _cl_mutable_dispatch_exec_info_khr {
    cl_uint param_name;
    size_t param_value_size;
    const void *param_value;
} cl_mutable_dispatch_exec_info_khr;
#endif

typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;
#ifndef CL_COMMAND_BUFFER_MUTABLE_KHR
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#endif
#ifndef CL_INVALID_MUTABLE_COMMAND_KHR
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#endif
#ifndef CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#endif
#ifndef CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#endif
#ifndef CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#endif
#ifndef CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#endif
#ifndef CL_MUTABLE_DISPATCH_EXEC_INFO_KHR
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#endif
#ifndef CL_MUTABLE_DISPATCH_KERNEL_KHR
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#endif
#ifndef CL_MUTABLE_DISPATCH_DIMENSIONS_KHR
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#endif
#ifndef CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
typedef struct cl_mutable_dispatch_config_sluice {
    cl_mutable_command_khr command;
    cl_uint num_args;
    cl_uint num_svm_args;
    cl_uint num_exec_infos;
    cl_uint work_dim;
    const cl_mutable_dispatch_arg_khr *arg_list;
    const cl_mutable_dispatch_arg_khr *arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr *exec_info_list;
    const size_t *global_work_offset;
    const size_t *global_work_size;
    const size_t *local_work_size;
} cl_mutable_dispatch_config_sluice;
/* With older headers CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR is 1, for another struct. */
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE 0

typedef cl_int CL_API_CALL clUpdateMutableCommandsKHR_sluice_t(
    cl_command_buffer_khr command_buffer, cl_uint num_configs,
    const cl_command_buffer_update_type_khr *config_types, const void **configs);
typedef cl_int CL_API_CALL clGetMutableCommandInfoKHR_sluice_t(
    cl_mutable_command_khr command, cl_mutable_command_info_khr param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);

#ifdef __cplusplus
}
#endif

#endif
