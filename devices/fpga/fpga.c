/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FPGA emulator: kernels run on this machine's cores as they do on the CPU device; what makes
 * it a device of its own is what it reports.
 */
#include "fpga/fpga.h"

#include "common/code.h"
#include "common/memory.h"
#include "common/values.h"

static const struct sl_device_ops fpga_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof fpga_ops,
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

int sl_fpga_plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    struct sl_hosted *fpga;
    if (list->count == list->capacity)
        return SL_OUT_OF_RESOURCES;
    int rc = sl_hosted_create(host, "fpga", &fpga);
    if (rc)
        return rc;
    fpga->base.ops = &fpga_ops;
    sl_fpga_caps(fpga);
    list->devices[list->count++] = &fpga->base;
    return 0;
}
