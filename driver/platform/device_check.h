/* SPDX-License-Identifier: Apache-2.0 */
/* What a device says of itself, held against what the driver counts on. No state, no lock. */
#ifndef SL_DRIVER_PLATFORM_DEVICE_CHECK_H
#define SL_DRIVER_PLATFORM_DEVICE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/device.h"

/* Whether a platform can have a device with these facts; else `why` becomes what is wrong with
 * them: "max_work_group_size is 0". */
bool sl_facts_sound(const struct sl_device_caps *, char *why, size_t capacity);

#endif
