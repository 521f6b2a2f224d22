/* SPDX-License-Identifier: Apache-2.0 */
/* Finds devices: the in-tree ones and those of device libraries (libraries.h). */
#ifndef SL_DRIVER_PLATFORM_REGISTRY_H
#define SL_DRIVER_PLATFORM_REGISTRY_H

#include <stdbool.h>

#include "sluice/device.h"

/* Opens all devices that SLUICE_DEVICES lets through, in its order. The caller owns them. False if
 * a device in the tree is missing because memory was short. */
bool sl_registry_open(struct sl_device_list *out);
/* After the devices were closed: closes the libraries they came from. */
void sl_registry_close(void);
/* What SLUICE_DEVICES calls it: "cpu", "fpga". */
const char *sl_registry_name(const struct sl_device *);

#endif
