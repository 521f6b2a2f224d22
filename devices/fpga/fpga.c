/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FPGA emulator: kernels run on this machine's cores as they do on the CPU device; what makes
 * it a device of its own is what it reports.
 */
#include "fpga/fpga.h"

int sl_fpga_plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    return sl_hosted_add(host, list, "fpga", sl_fpga_caps);
}
