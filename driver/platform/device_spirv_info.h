/* SPDX-License-Identifier: Apache-2.0 */
/* What devices say of the SPIR-V that they take: cl_khr_spirv_queries. Constant data; any thread.
 */
#ifndef SL_DRIVER_PLATFORM_DEVICE_SPIRV_INFO_H
#define SL_DRIVER_PLATFORM_DEVICE_SPIRV_INFO_H

#include "base/query/info.h"

/* Of an object that is a device; all are empty if it takes none. */
void sl_spirv_sets(const void *device, struct sl_answer *);
void sl_spirv_extensions(const void *device, struct sl_answer *);
void sl_spirv_capabilities(const void *device, struct sl_answer *);

#endif
