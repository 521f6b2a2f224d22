/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the driver gives to devices, as one table. Any thread of a device. */
#ifndef SL_DRIVER_COMMANDS_HOST_OPS_H
#define SL_DRIVER_COMMANDS_HOST_OPS_H

#include "sluice/device.h"

extern const struct sl_host_ops sl_host_ops;

#endif
