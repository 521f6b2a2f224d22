/* SPDX-License-Identifier: Apache-2.0 */
/* See stall_report.h. No state, no lock. */
#include "commands/device_callbacks/stall_report.h"

#include <CL/cl_ext_sluice.h>

#include "base/log/log.h"
#include "platform/context.h"
#include "platform/registry.h"

_Static_assert(CL_DEVICE_STALLED_SLUICE == SL_STALLED && CL_IO_FAILED_SLUICE == SL_IO_FAILED,
               "devices know no OpenCL header");

void sl_stalled(struct sl_device *device, const char *text, const char *json)
{
    sl_log_always(sl_registry_name(device), text);
    sl_context_notify_all(device, text, json);
}

void sl_tell(struct sl_device *device, const char *text)
{
    sl_log_always(sl_registry_name(device), text);
}
