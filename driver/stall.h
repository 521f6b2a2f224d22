/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the application that sleep until a command ends. Devices are told of them, so that one
 * whose kernels wait for each other can say so; that report comes back here.
 */
#ifndef SL_DRIVER_STALL_H
#define SL_DRIVER_STALL_H

#include <CL/cl.h>

#include "sluice/device.h"

/* Around a sleep for a command of the context; calls pair. */
void sl_wait_begin(cl_context);
void sl_wait_end(cl_context);
/*
 * A user event of the context was made (+1) or set (-1). While one is unset another thread of the
 * application is expected to act: nobody waits in vain.
 */
void sl_wait_user_event(cl_context, int change);

/* sl_host_ops.stalled: to the log, or stderr when none is set, and to the callbacks of contexts. */
void sl_stalled(struct sl_device *, const char *text, const char *json);

#endif
