/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of devices that extensions add to clGetDeviceInfo. */
#ifndef SL_DRIVER_PLATFORM_DEVICE_EXTENSION_INFO_H
#define SL_DRIVER_PLATFORM_DEVICE_EXTENSION_INFO_H

#include "base/query/info.h"

/* Their objects are devices. */
extern const struct sl_info_row sl_device_extension_rows[];
extern const size_t sl_device_extension_row_count;

#endif
