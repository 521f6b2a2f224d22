/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of OpenCL that platform and devices announce. What it changes in the driver and in
 * kernels follows from here; the versions of OpenCL C are the devices' (CL_DEVICE_OPENCL_C_*).
 */
#ifndef SL_BASE_OPENCL_VERSION_H
#define SL_BASE_OPENCL_VERSION_H

#define SL_OPENCL_MAJOR 3
#define SL_OPENCL_MINOR 1

#define SL_OPENCL_VERSION (SL_OPENCL_MAJOR * 100 + SL_OPENCL_MINOR * 10)

#define SL_OPENCL_STRING_(x) #x
#define SL_OPENCL_STRING(x) SL_OPENCL_STRING_(x)
#define SL_OPENCL_VERSION_TEXT                                                                     \
    "OpenCL " SL_OPENCL_STRING(SL_OPENCL_MAJOR) "." SL_OPENCL_STRING(SL_OPENCL_MINOR)
/* What __OPENCL_VERSION__ is in kernels. */
#define SL_OPENCL_VERSION_DIGITS                                                                   \
    SL_OPENCL_STRING(SL_OPENCL_MAJOR) SL_OPENCL_STRING(SL_OPENCL_MINOR) "0"

#endif
