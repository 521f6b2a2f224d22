/* SPDX-License-Identifier: Apache-2.0 */
/* The platform and its devices; made at the first clIcdGetPlatformIDsKHR, no thread, no probing. */
#ifndef SL_DRIVER_PLATFORM_H
#define SL_DRIVER_PLATFORM_H

#include "object.h"

struct _cl_platform_id {
    struct sl_object obj;
    cl_uint device_count;
    cl_device_id devices[16]; /* owned */
};
extern const struct sl_type sl_platform_type;

/* The one platform; devices are opened at the first call. NULL when memory is out. */
cl_platform_id sl_platform(void);

#endif
