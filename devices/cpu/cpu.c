/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU device. Copy this folder to begin a device of your own: a plugin function that makes the
 * device and adds it to the list, and facts in caps.c. Whatever your hardware does differently (its
 * own memory, its own queue) goes into an ops table of your own, where the rows left are those of
 * sl_hosted_ops. include/sluice/device.h says what each call must do.
 */
#include "cpu/cpu.h"

int sl_cpu_plugin(const struct sl_host_ops *host, struct sl_device_list *list)
{
    return sl_hosted_add(host, list, "cpu", sl_cpu_caps);
}
