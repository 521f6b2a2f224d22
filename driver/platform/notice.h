/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the function that an application gave with its context (pfn_notify), on the callback
 * thread. A process that exits waits for those that were queued, for a tenth of a second at most:
 * what ends a program is often what the last of them tells. Any thread. Spec 4.4.
 */
#ifndef SL_DRIVER_PLATFORM_NOTICE_H
#define SL_DRIVER_PLATFORM_NOTICE_H

#include "platform/context.h"

/* Queues one; no-op if the context has no such function, or memory is out. `info`, a text, becomes
 * private_info; NULL: none. */
void sl_notice_post(cl_context, const char *text, const char *info);

#endif
