/* SPDX-License-Identifier: Apache-2.0 */
/* The platform and its devices; made at the first clIcdGetPlatformIDsKHR, no thread, no probing. */
#ifndef SL_DRIVER_PLATFORM_PLATFORM_H
#define SL_DRIVER_PLATFORM_PLATFORM_H

#include "base/object/object.h"

struct _cl_platform_id {
    struct sl_object obj;
    cl_uint device_count;
    bool incomplete;          /* memory was short when the devices were opened */
    cl_device_id devices[16]; /* owned */
};
extern const struct sl_type sl_platform_type;

/* The one platform; devices are opened at the first call. NULL when memory is out. */
cl_platform_id sl_platform(void);
/* The same if it was made already, else NULL. */
cl_platform_id sl_platform_made(void);
/* The answer where no device of that type is known, which a shortage may be the reason of. */
cl_int sl_no_device(cl_platform_id, cl_device_type);
/* The library is being unloaded and had no threads: closes the devices, unless objects are alive.
 */
void sl_platform_finish(void);

#endif
