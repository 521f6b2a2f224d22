/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that devices have built in (SL_QUERY_BUILT_IN_KERNELS). No state; any thread. */
#ifndef SL_DRIVER_PLATFORM_BUILT_IN_KERNELS_H
#define SL_DRIVER_PLATFORM_BUILT_IN_KERNELS_H

#include "base/query/info.h"
#include "platform/device.h"

/* Whether they can be reported; else `why` becomes what is wrong with them. */
bool sl_built_in_kernels_sound(struct sl_device *, char *why, size_t capacity);
/* Has the device a kernel of that name, which need not end where its letters do? */
bool sl_has_built_in_kernel(struct sl_device *, const char *name, size_t letters);

/* CL_DEVICE_BUILT_IN_KERNELS and CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION. */
void sl_built_in_kernel_names(const struct _cl_device_id *, struct sl_answer *);
void sl_built_in_kernel_versions(const struct _cl_device_id *, struct sl_answer *);

#endif
