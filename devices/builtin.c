/* SPDX-License-Identifier: Apache-2.0 */
/* The in-tree devices, so that driver/ names none of them. Constant data. */
#include "cpu/cpu.h"
#include "fpga/fpga.h"
#include "sluice/device.h"

const sl_device_plugin_fn sl_builtin_devices[] = {sl_cpu_plugin, sl_fpga_plugin, NULL};
