/* SPDX-License-Identifier: Apache-2.0 */
/* In which forms a device takes programs. No state; any thread. */
#ifndef SL_DRIVER_PLATFORM_DEVICE_PROGRAMS_H
#define SL_DRIVER_PLATFORM_DEVICE_PROGRAMS_H

#include <stdbool.h>

#include "sluice/device.h"

/* NULL: the device runs what our compiler makes. */
const struct sl_program_ops *sl_device_programs(const struct sl_device *);
/* Without that nothing is compiled for it. */
bool sl_device_runs_code(const struct sl_device *);
/* Can the device's programs come as source, with what is here? */
bool sl_device_compiles(const struct sl_device *);

#endif
