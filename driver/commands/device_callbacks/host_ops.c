/* SPDX-License-Identifier: Apache-2.0 */
/* See host_ops.h. Constant data, no lock. */
#include "commands/device_callbacks/host_ops.h"

#include "base/config/config.h"
#include "base/log/log.h"
#include "commands/device_callbacks/outlook.h"
#include "commands/device_callbacks/rouse.h"
#include "commands/device_callbacks/stall_report.h"
#include "commands/queue/command_heard.h"
#include "commands/queue/start.h"
#include "platform/own_extensions.h"

const struct sl_host_ops sl_host_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof(struct sl_host_ops),
    .started = sl_work_started,
    .finished = sl_work_finished,
    .log = sl_log,
    .log_enabled = sl_log_enabled,
    .config = sl_config_by_name,
    .stalled = sl_stalled,
    .failed = sl_work_failed,
    .ended = sl_work_ended,
    .outlook = sl_outlook,
    .rouse = sl_rouse,
    .tell = sl_tell,
    .query = sl_host_query,
    .behind = sl_behind,
    .heard = sl_heard_of,
};
