/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of the FPGA emulator. No lock. */
#include <string.h>

#include "common/isa.h"
#include "common/values.h"
#include "fpga/fpga.h"

/* Some run-time systems do not look at accelerators: the user may name another type. */
static uint64_t type_named(const char *name)
{
    static const struct {
        const char *name;
        uint64_t type;
    } types[] = {{"cpu", SL_TYPE_CPU}, {"gpu", SL_TYPE_GPU}};
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (!strcmp(name, types[i].name))
            return types[i].type;
    }
    return SL_TYPE_ACCELERATOR;
}

void sl_fpga_caps(struct sl_hosted *fpga)
{
    const struct sl_host_ops *host = fpga->sched.host;
    struct sl_device_caps *caps = &fpga->base.caps;
    sl_hosted_caps(fpga);
    sl_isa_caps(caps, host->config("SLUICE_CPU"));
    caps->name = "Sluice FPGA emulator";
    caps->short_name = "fpga";
    caps->vendor = "Sluice";
    caps->device_version = "FPGA emulator";
    caps->type = type_named(host->config("SLUICE_FPGA_TYPE"));
    caps->vendor_id = SL_VENDOR_ID;
    caps->features |= SL_FEATURE_FP64 | SL_FEATURE_INT64_ATOMICS | SL_FEATURE_NON_UNIFORM_GROUPS;
}
