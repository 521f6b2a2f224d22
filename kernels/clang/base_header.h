/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang's header of OpenCL types and constants, carried inside the compiler: at run time no file of
 * the clang packages is needed.
 */
#ifndef SL_KERNELS_CLANG_BASE_HEADER_H
#define SL_KERNELS_CLANG_BASE_HEADER_H

#ifdef __cplusplus
extern "C" {
#endif

const char *sl_opencl_base_header(void); /* NUL-terminated */

#ifdef __cplusplus
}
#endif

#endif
