/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of a program that need code to get their values (SL_KERNEL_INITIALIZES). */
#ifndef SL_DEVICES_INITIALIZE_H
#define SL_DEVICES_INITIALIZE_H

#include "sluice/base/linkage.h"
#include "sluice/device.h"
#include "sluice/module.h"

SL_BEGIN_C

/* Runs that kernel, if there is one, before any other can run. */
int sl_initialize(const struct sl_module_info *, const char *name, const struct sl_host_ops *);

SL_END_C

#endif
