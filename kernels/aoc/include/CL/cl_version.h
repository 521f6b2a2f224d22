/* SPDX-License-Identifier: Apache-2.0 */
/* The header of the system's, for hosts that do not say what they are for; `aocl compile-config`
 * does not either, since others do, and a macro that is defined twice is a warning. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include_next <CL/cl_version.h>
