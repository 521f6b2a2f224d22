/* SPDX-License-Identifier: Apache-2.0 */
/* A failed call is told to the context that its handles lead to. Thread-safe. */
#ifndef SL_DRIVER_COMMANDS_FAILED_CALL_NOTICE_H
#define SL_DRIVER_COMMANDS_FAILED_CALL_NOTICE_H

#include "base/log/failed_call.h"

/* After closing: the call failed with `code`. Handles of any type, NULL and dead ones among them.
 */
void sl_report_tell(const struct sl_report *, const char *call, cl_int code, size_t count,
                    const void *const *handles);

#endif
