/* SPDX-License-Identifier: Apache-2.0 */
/* A device that has nothing to do asks for what was held back. Any thread; called without locks. */
#ifndef SL_DRIVER_COMMANDS_ROUSE_H
#define SL_DRIVER_COMMANDS_ROUSE_H

#include "sluice/device.h"

/* Flushes all queues of the contexts with that device, soon. */
void sl_rouse(struct sl_device *);

#endif
