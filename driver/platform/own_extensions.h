/* SPDX-License-Identifier: Apache-2.0 */
/* What devices have beyond the interface (sl_device_ops.query), as applications see it, and what
 * the driver has beyond it for them. Any thread; no lock. */
#ifndef SL_DRIVER_PLATFORM_OWN_EXTENSIONS_H
#define SL_DRIVER_PLATFORM_OWN_EXTENSIONS_H

#include "base/query/info.h"
#include "platform/device.h"

/* Whether the names of a device's own extensions can be reported; else `why` becomes what is wrong
 * with them. */
bool sl_own_extensions_sound(struct sl_device *, char *why, size_t capacity);

/* CL_DEVICE_EXTENSIONS and CL_DEVICE_EXTENSIONS_WITH_VERSION of a device with these features. */
void sl_device_extension_names(const struct _cl_device_id *, uint32_t features, struct sl_answer *);
void sl_device_extension_versions(const struct _cl_device_id *, uint32_t features,
                                  struct sl_answer *);

/* The function of that name that one of the platform's devices has; NULL. Opens no device. */
void *sl_own_function(const char *name);

/* sl_host_ops.query */
const void *sl_host_query(const char *name);

#endif
