/* SPDX-License-Identifier: Apache-2.0 */
/* The header of the system's, for hosts that do not say what they are for, or that they use what
 * OpenCL 2.0 has left behind; `aocl compile-config` does not either, since hosts and their
 * makefiles do, as `X` or as `X=1`, and a macro that is defined twice is a warning. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#include_next <CL/cl_version.h>
