/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the driver that devices call (struct sl_host_ops), as one table. Any thread of a
 * device. */
#ifndef SL_DRIVER_COMMANDS_HOST_OPS_H
#define SL_DRIVER_COMMANDS_HOST_OPS_H

#include "sluice/device.h"

extern const struct sl_host_ops sl_host_ops;

#endif
