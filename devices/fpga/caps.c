/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of the FPGA emulator. No lock. */
#include "common/base/setting.h"
#include "common/base/values.h"
#include "common/machine/isa.h"
#include "fpga/fpga.h"
#include "sluice/group_sizes.h"

/* As Intel's emulator has, whatever this machine's caches are: designs count on it. */
static const uint64_t local_mem_bytes = (uint64_t)64 << 20;

void sl_fpga_caps(struct sl_hosted *fpga)
{
    const struct sl_host_ops *host = fpga->sched.host;
    struct sl_device_caps *caps = &fpga->base.caps;
    const struct sl_setting setting = {host, fpga->sched.topic};
    sl_hosted_caps(fpga);
    sl_isa_caps(caps, host->config("SLUICE_CPU"));
    caps->vendor = "Sluice";
    caps->device_version = "FPGA emulator";
    caps->type = sl_setting_type(&setting, "SLUICE_FPGA_TYPE", SL_TYPE_ACCELERATOR);
    caps->vendor_id =
        (uint32_t)sl_setting_number(&setting, "SLUICE_VENDOR_ID", SL_VENDOR_ID, UINT32_MAX);
    caps->local_mem_bytes = local_mem_bytes;
    caps->max_work_group_size = SL_GROUP_ITEMS_FPGA;
    for (int i = 0; i < 3; i++)
        caps->max_work_item_sizes[i] = SL_GROUP_ITEMS_FPGA;
}
