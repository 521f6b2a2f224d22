/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In Intel's SDK the extensions' header, and with it CL/opencl.h, brings what their runtime adds;
 * hosts of FPGA designs rely on that. The system's header comes first.
 */
#ifdef __GNUC__
#pragma GCC system_header /* for include_next */
#endif
#include_next <CL/cl_ext.h>

#ifndef SL_CL_EXT_WITH_INTELFPGA
#define SL_CL_EXT_WITH_INTELFPGA
#include <CL/cl_ext_intelfpga.h>
#endif
