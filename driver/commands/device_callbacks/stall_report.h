/* SPDX-License-Identifier: Apache-2.0 */
/* A device tells that nothing on it can move, or something else that nobody asked for. Thread-safe.
 */
#ifndef SL_DRIVER_COMMANDS_STALL_REPORT_H
#define SL_DRIVER_COMMANDS_STALL_REPORT_H

#include "sluice/device.h"

/* sl_host_ops.stalled: to the log, or stderr when none is set, and to the callbacks of contexts. */
void sl_stalled(struct sl_device *, const char *text, const char *json);
/* sl_host_ops.tell: to the log, or stderr when none is set. */
void sl_tell(struct sl_device *, const char *text);

#endif
