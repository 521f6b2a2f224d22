/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_unified_svm 0.9.0, which the Khronos headers declare for those who define
 * CL_ENABLE_BETA_EXTENSIONS, and those of many systems do not know. All names are theirs, but the
 * types of functions, which end in _sluice_t. Part of CL/cl_ext_sluice.h.
 */
#ifndef OPENCL_CL_EXT_SLUICE_SVM_H_
#define OPENCL_CL_EXT_SLUICE_SVM_H_

#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef cl_khr_unified_svm
#define cl_khr_unified_svm 1
typedef cl_bitfield cl_svm_capabilities_khr;
typedef cl_properties cl_svm_alloc_properties_khr;
typedef cl_bitfield cl_svm_alloc_access_flags_khr;
typedef cl_properties cl_svm_free_properties_khr;
typedef cl_bitfield cl_svm_free_flags_khr;
typedef cl_uint cl_svm_pointer_info_khr;

#define CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR 0x0909 /* cl_svm_capabilities_khr[] */
#define CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR 0x1077   /* cl_svm_capabilities_khr[] */

/* cl_svm_capabilities_khr */
#define CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR (1 << 0)
#define CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR (1 << 1)
#define CL_SVM_CAPABILITY_DEVICE_OWNED_KHR (1 << 2)
#define CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR (1 << 3)
#define CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR (1 << 4)
#define CL_SVM_CAPABILITY_HOST_OWNED_KHR (1 << 5)
#define CL_SVM_CAPABILITY_HOST_READ_KHR (1 << 6)
#define CL_SVM_CAPABILITY_HOST_WRITE_KHR (1 << 7)
#define CL_SVM_CAPABILITY_HOST_MAP_KHR (1 << 8)
#define CL_SVM_CAPABILITY_DEVICE_READ_KHR (1 << 9)
#define CL_SVM_CAPABILITY_DEVICE_WRITE_KHR (1 << 10)
#define CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR (1 << 11)
#define CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR (1 << 12)
#define CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR (1 << 13)
#define CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR (1 << 14)

/* What a type of each kind has at least. */
#define CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR                                                  \
    (CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR |      \
     CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR | CL_SVM_CAPABILITY_HOST_MAP_KHR |                       \
     CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR |                      \
     CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR)
#define CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR                                                    \
    (CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR | CL_SVM_CAPABILITY_HOST_READ_KHR |                 \
     CL_SVM_CAPABILITY_HOST_WRITE_KHR | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR)
#define CL_SVM_TYPE_MACRO_DEVICE_KHR                                                               \
    (CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR |             \
     CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR |                      \
     CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR)
#define CL_SVM_TYPE_MACRO_HOST_KHR                                                                 \
    (CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR |      \
     CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR | CL_SVM_CAPABILITY_HOST_OWNED_KHR |                     \
     CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR |                          \
     CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR |                      \
     CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR)
#define CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR                                                 \
    (CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_HOST_READ_KHR |                \
     CL_SVM_CAPABILITY_HOST_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |                        \
     CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR)
#define CL_SVM_TYPE_MACRO_SYSTEM_KHR                                                               \
    (CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR |            \
     CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR)

/* cl_svm_alloc_properties_khr */
#define CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR 0x2078 /* cl_device_id */
#define CL_SVM_ALLOC_ACCESS_FLAGS_KHR 0x2079             /* cl_svm_alloc_access_flags_khr */
#define CL_SVM_ALLOC_ALIGNMENT_KHR 0x207A                /* size_t */

/* cl_svm_alloc_access_flags_khr */
#define CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR (1 << 0)
#define CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR (1 << 1)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR (1 << 8)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR (1 << 9)

/* cl_svm_pointer_info_khr */
#define CL_SVM_INFO_TYPE_INDEX_KHR 0x2088               /* cl_uint */
#define CL_SVM_INFO_CAPABILITIES_KHR 0x2089             /* cl_svm_capabilities_khr */
#define CL_SVM_INFO_PROPERTIES_KHR 0x208A               /* cl_svm_alloc_properties_khr[] */
#define CL_SVM_INFO_ACCESS_FLAGS_KHR 0x208B             /* cl_svm_alloc_access_flags_khr */
#define CL_SVM_INFO_BASE_PTR_KHR 0x419B                 /* void * */
#define CL_SVM_INFO_SIZE_KHR 0x419C                     /* size_t */
#define CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR 0x419D /* cl_device_id */

#define CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR 0x11BB /* cl_bool */
#endif

/* Of the working draft, in no header yet. */
#ifndef CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR
#define CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR 0x1078 /* size_t */
#endif

/*
 * Memory of the type with that index in CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR; the application
 * gives it back with clSVMFree, clSVMFreeWithPropertiesKHR or clEnqueueSVMFree. A size of 0 gives
 * NULL and no error. Any thread. CL_INVALID_CONTEXT; CL_INVALID_PROPERTY: an unknown or repeated
 * name, a device that is not of the context, a type that needs a device without one, unknown flags,
 * an alignment that is no power of two or more than that of cl_long16; CL_INVALID_VALUE: no such
 * type; CL_INVALID_OPERATION: the device, or all of them, cannot use the type;
 * CL_INVALID_BUFFER_SIZE: more than CL_DEVICE_MAX_MEM_ALLOC_SIZE; CL_OUT_OF_RESOURCES,
 * CL_OUT_OF_HOST_MEMORY.
 */
typedef void *CL_API_CALL clSVMAllocWithPropertiesKHR_sluice_t(
    cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint svm_type_index,
    size_t size, cl_int *errcode_ret);

/* What is still used by commands is the application's mistake. CL_INVALID_CONTEXT,
 * CL_INVALID_PROPERTY: there are none, CL_INVALID_VALUE: a flag, of which there are none, or no
 * such allocation begins there. */
typedef cl_int CL_API_CALL clSVMFreeWithPropertiesKHR_sluice_t(
    cl_context context, const cl_svm_free_properties_khr *properties, cl_svm_free_flags_khr flags,
    void *ptr);

/* What of no allocation of the context is CL_UINT_MAX as a type, else 0. `device` may be NULL.
 * CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE. */
typedef cl_int CL_API_CALL clGetSVMPointerInfoKHR_sluice_t(
    cl_context context, cl_device_id device, const void *ptr, cl_svm_pointer_info_khr param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret);

/* CL_UINT_MAX where no type has all that is required, or the size cannot be had.
 * CL_INVALID_CONTEXT, CL_INVALID_PROPERTY as above, CL_INVALID_VALUE. */
typedef cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR_sluice_t(
    cl_context context, cl_svm_capabilities_khr required_capabilities,
    cl_svm_capabilities_khr desired_capabilities, const cl_svm_alloc_properties_khr *properties,
    size_t size, cl_uint *suggested_svm_type_index);

#ifdef __cplusplus
}
#endif

#endif
