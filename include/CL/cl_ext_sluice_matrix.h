/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_khr_cooperative_matrix as in its working draft (revision 1.0.0 of 23 January 2026), which no
 * header of Khronos declares yet. All names are the draft's, but the type of the function, which
 * ends in _sluice_t. Part of CL/cl_ext_sluice.h.
 */
#ifndef OPENCL_CL_EXT_SLUICE_MATRIX_H_
#define OPENCL_CL_EXT_SLUICE_MATRIX_H_

#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef cl_khr_cooperative_matrix
#define cl_khr_cooperative_matrix 1
typedef cl_uint cl_device_cooperative_matrix_info_khr;
typedef cl_uint cl_device_cooperative_matrix_component_type_khr;

/* clGetDeviceInfo */
#define CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR 0x107A /* cl_uint, bytes */
#define CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR 0x107B   /* cl_uint, bytes */

/* cl_device_cooperative_matrix_info_khr; both: cl_device_cooperative_matrix_variant_khr[] */
#define CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR 0x1078
#define CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR 0x1079 /* input: cl_uint, a size */

/* cl_device_cooperative_matrix_component_type_khr */
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP16_KHR 0
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP32_KHR 1
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP64_KHR 2
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT8_KHR 3
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT16_KHR 4
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT32_KHR 5
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT64_KHR 6
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT8_KHR 7
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT16_KHR 8
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT32_KHR 9
#define CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT64_KHR 10

typedef struct _cl_device_cooperative_matrix_variant_khr {
    cl_uint m_size; /* rows of A, C and the result */
    cl_uint n_size; /* columns of B, C and the result */
    cl_uint k_size; /* columns of A, rows of B */
    cl_device_cooperative_matrix_component_type_khr a_type;
    cl_device_cooperative_matrix_component_type_khr b_type;
    cl_device_cooperative_matrix_component_type_khr c_type;
    cl_device_cooperative_matrix_component_type_khr result_type;
    cl_bool saturating_accumulation; /* the product has this operand, or has not */
} cl_device_cooperative_matrix_variant_khr;
#endif

/*
 * The products that sub-groups of the default size, or of the size at `input_value`, compute: none
 * for sizes that have none. Any thread. CL_INVALID_DEVICE; CL_INVALID_OPERATION: the device has not
 * the extension; CL_INVALID_VALUE: no such name, no size where one is asked for or one that is no
 * cl_uint, or less room than the answer takes.
 */
typedef cl_int CL_API_CALL clGetDeviceCooperativeMatrixInfoKHR_sluice_t(
    cl_device_id device, cl_device_cooperative_matrix_info_khr param_name, size_t input_value_size,
    const void *input_value, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret);

#ifdef __cplusplus
}
#endif

#endif
