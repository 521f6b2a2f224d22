/* SPDX-License-Identifier: Apache-2.0 */
/* The FPGA emulator device: its plugin function for devices/builtin.c, and its facts. */
#ifndef SL_DEVICES_FPGA_H
#define SL_DEVICES_FPGA_H

#include "common/runtime/hosted.h"

struct sl_code;

int sl_fpga_plugin(const struct sl_host_ops *, struct sl_device_list *);

/* caps.c */
void sl_fpga_caps(struct sl_hosted *);

/* The second half of code_load: finds the program's pipes and starts its autorun kernels.
 * The code is gone if it fails. */
int sl_fpga_attach(struct sl_device *, struct sl_code *);

#endif
