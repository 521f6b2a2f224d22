/* SPDX-License-Identifier: Apache-2.0 */
/* What the library exports, beyond what cl.h and cl_ext.h declare. See exports.map. */
#ifndef SL_ICD_ENTRY_H
#define SL_ICD_ENTRY_H

#include <CL/cl.h>

#define SL_EXPORT __attribute__((visibility("default")))

/* cl_khr_icd 2.0.1 */
void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char *func_name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *dispatch_data);

#endif
