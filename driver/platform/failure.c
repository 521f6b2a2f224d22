/* SPDX-License-Identifier: Apache-2.0 */
/* Notices of failures to the context's callback. No shared state. */
#include "platform/failure.h"

#include "base/log/error.h"
#include "base/log/failed_call.h"
#include "base/thread/fork.h"
#include "platform/context.h"

/* A child made by fork has no thread that would bring the notice. */
void sl_report_failure(cl_context context, const char *call, cl_int code, const char *why)
{
    if (!sl_report_muted() && !sl_forked())
        sl_context_notify(context, "%s failed: %s (%d): %s", call, sl_error_name(code), code, why);
}
