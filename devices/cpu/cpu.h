/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU device: its plugin function for devices/builtin.c, and its facts. */
#ifndef SL_DEVICES_CPU_H
#define SL_DEVICES_CPU_H

#include "common/runtime/hosted.h"

int sl_cpu_plugin(const struct sl_host_ops *, struct sl_device_list *);

/* caps.c */
void sl_cpu_caps(struct sl_hosted *);

#endif
