/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Something on a device cannot end as it stands: who might still act? Known are the graph of
 * commands, which threads of the application sleep for what, and which others there are.
 */
#ifndef SL_DRIVER_COMMANDS_OUTLOOK_H
#define SL_DRIVER_COMMANDS_OUTLOOK_H

#include "sluice/device.h"

/* sl_host_ops.outlook. Takes locks of queues and turns at pipes only where nobody has them: else
 * somebody is about to act. */
enum sl_outlook sl_outlook(struct sl_device *, const struct sl_stuck *);

/* sl_host_ops.behind. The same. */
void sl_behind(struct sl_device *, const struct sl_stuck *,
               void (*visit)(void *data, const struct sl_behind *), void *data);

#endif
