/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU device. Copy this file to begin a device of your own: an ops table, a function that makes
 * the device and adds it to the list, and facts in caps.c. Whatever your hardware does differently
 * (its own memory, its own queue) replaces a row of the table; the rows left are the common ones of
 * a device on this machine's cores. include/sluice/device.h says what each call must do.
 */
#include "cpu/cpu.h"

#include "common/code.h"
#include "common/memory.h"
#include "common/values.h"

static const struct sl_device_ops cpu_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof cpu_ops,
    .close = sl_hosted_close,
    .start = sl_hosted_start,
    .stop = sl_hosted_stop,
    .memory_create = sl_host_memory_create,
    .memory_destroy = sl_host_memory_destroy,
    .memory_host = sl_host_memory_host,
    .code_load = sl_code_create,
    .code_unload = sl_code_destroy,
    .lane_create = sl_lane_create,
    .lane_destroy = sl_lane_destroy,
    .submit = sl_lane_submit,
    .flush = sl_lane_flush,
    .assist = sl_lane_assist,
    .suggest_local_size = sl_hosted_suggest,
};

int sl_cpu_plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    struct sl_hosted *cpu;
    if (list->count == list->capacity)
        return SL_OUT_OF_RESOURCES;
    int rc = sl_hosted_create(host, "cpu", &cpu);
    if (rc)
        return rc;
    cpu->base.ops = &cpu_ops;
    sl_cpu_caps(cpu);
    list->devices[list->count++] = &cpu->base;
    return 0;
}
