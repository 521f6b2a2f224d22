/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By this name host programs of FPGA designs include what Intel's and Altera's runtimes add to
 * OpenCL: the banks of a board's memory, host pipes, profiles. `aocl compile-config` names the
 * folder.
 */
#ifndef SL_CL_EXT_INTELFPGA_H
#define SL_CL_EXT_INTELFPGA_H

#include <CL/cl_ext_sluice.h>

#endif
