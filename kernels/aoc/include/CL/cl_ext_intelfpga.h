/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By this name host programs of FPGA designs include what Intel's and Altera's runtimes add to
 * OpenCL: the banks of a board's memory, host pipes, profiles. `aocl compile-config` names the
 * folder. What stands here itself is of the vendor's library, not of the platform: the functions
 * are linked by its names (-lalteracl, vendor_calls.c), and no clGetExtensionFunctionAddress finds
 * them.
 */
#ifndef SL_CL_EXT_INTELFPGA_H
#define SL_CL_EXT_INTELFPGA_H

#include <CL/cl_ext_sluice.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shared virtual memory, as hosts for processors with an FPGA beside them have it --------- */

/* clSVMAlloc, clSVMFree and clSetKernelArgSVMPointer by the names they had before OpenCL 2.0, of
 * either vendor. */
extern CL_API_ENTRY void *CL_API_CALL clSVMAllocIntelFPGA(cl_context context, cl_bitfield flags,
                                                          size_t size, cl_uint alignment);
extern CL_API_ENTRY void CL_API_CALL clSVMFreeIntelFPGA(cl_context context, void *svm_pointer);
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointerIntelFPGA(cl_kernel kernel,
                                                                         cl_uint arg_index,
                                                                         const void *arg_value);
extern CL_API_ENTRY void *CL_API_CALL clSVMAllocAltera(cl_context context, cl_bitfield flags,
                                                       size_t size, cl_uint alignment);
extern CL_API_ENTRY void CL_API_CALL clSVMFreeAltera(cl_context context, void *svm_pointer);
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointerAltera(cl_kernel kernel,
                                                                      cl_uint arg_index,
                                                                      const void *arg_value);

/* ---- the profile of one launch --------------------------------------------------------------- */

/*
 * On a board reads the counters of the kernel back while it runs. Here they belong to the program
 * (clGetProfileDataDeviceIntelFPGA) and are in the file of SLUICE_FPGA_PROFILE at the end.
 *
 * CL_INVALID_EVENT, also for one that is no launch of a kernel or does not run;
 * CL_PROFILING_INFO_NOT_AVAILABLE.
 */
extern CL_API_ENTRY cl_int CL_API_CALL clGetProfileInfoIntelFPGA(cl_event kernel_event);
extern CL_API_ENTRY cl_int CL_API_CALL clGetProfileInfoAltera(cl_event kernel_event);

/* ---- the board ------------------------------------------------------------------------------- */

/* NULL: the emulated board has no functions of its own. */
extern CL_API_ENTRY void *CL_API_CALL
clGetBoardExtensionFunctionAddressIntelFPGA(const char *name, cl_device_id device);
extern CL_API_ENTRY void *CL_API_CALL clGetBoardExtensionFunctionAddressAltera(const char *name,
                                                                               cl_device_id device);

/* clCreateProgramWithBinary: there is no other image on the device that could be kept. */
extern CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinaryAndProgramDeviceIntelFPGA(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret);
extern CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinaryAndProgramDeviceAltera(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret);

#ifndef CL_DEVICE_EXCEPTION_ECC_CORRECTABLE_INTEL
typedef cl_ulong CL_EXCEPTION_TYPE_INTEL;
#define CL_DEVICE_EXCEPTION_ECC_CORRECTABLE_INTEL 1
#define CL_DEVICE_EXCEPTION_ECC_NON_CORRECTABLE_INTEL 2
#endif

/*
 * The callback would hear of bits that a board's memory has lost; emulated memory loses none, so it
 * is never called. CL_INVALID_VALUE: no devices, no callback, or a bit of the mask is none of the
 * above; CL_INVALID_DEVICE.
 */
extern CL_API_ENTRY cl_int CL_API_CALL clSetDeviceExceptionCallbackIntelFPGA(
    cl_uint num_devices, const cl_device_id *devices, CL_EXCEPTION_TYPE_INTEL listen_mask,
    void(CL_CALLBACK *notify)(CL_EXCEPTION_TYPE_INTEL exception_type, const void *private_info,
                              size_t cb, void *user_data),
    void *user_data);

#ifdef __cplusplus
}
#endif

#endif
