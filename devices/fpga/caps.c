/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of the FPGA emulator. No lock. */
#include "common/base/values.h"
#include "common/machine/isa.h"
#include "fpga/base/setting.h"
#include "fpga/fpga.h"

/* Some run-time systems do not look at accelerators: the user may name another type. */
static uint64_t device_type(const struct sl_hosted *fpga)
{
    static const char *const names[] = {"accelerator", "cpu", "gpu", NULL};
    static const uint64_t types[] = {SL_TYPE_ACCELERATOR, SL_TYPE_CPU, SL_TYPE_GPU};
    const struct sl_setting setting = {fpga->sched.host, fpga->sched.topic};
    return types[sl_setting_word(&setting, "SLUICE_FPGA_TYPE", names)];
}

/* As Intel's emulator has, whatever this machine's caches are: designs count on it. */
static const uint64_t local_mem_bytes = (uint64_t)64 << 20;

void sl_fpga_caps(struct sl_hosted *fpga)
{
    const struct sl_host_ops *host = fpga->sched.host;
    struct sl_device_caps *caps = &fpga->base.caps;
    sl_hosted_caps(fpga);
    sl_isa_caps(caps, host->config("SLUICE_CPU"));
    caps->vendor = "Sluice";
    caps->device_version = "FPGA emulator";
    caps->type = device_type(fpga);
    caps->vendor_id = SL_VENDOR_ID;
    caps->local_mem_bytes = local_mem_bytes;
}
