/* SPDX-License-Identifier: Apache-2.0 */
/* The notice that a context's callback gets of a failed call. Thread-safe. */
#ifndef SL_DRIVER_PLATFORM_FAILURE_H
#define SL_DRIVER_PLATFORM_FAILURE_H

#include "base/api.h"

/* `why` is copied. Says nothing while a callback of the application runs on this thread, and in a
 * child made by fork. */
void sl_report_failure(cl_context, const char *call, cl_int code, const char *why);

#endif
