/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makefiles of Intel's design examples take a folder for the SDK when it has
 * host/include/CL/opencl.h. This is the system's header, with what Intel's adds to it.
 */
#ifndef SL_CL_OPENCL_WITH_INTELFPGA
#define SL_CL_OPENCL_WITH_INTELFPGA

#ifdef __GNUC__
#pragma GCC system_header /* for include_next */
#endif
#include_next <CL/opencl.h>

#include <CL/cl_ext_intelfpga.h>

#endif
