/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in a process that has no driver: modules are loaded and launches run one after the other,
 * on one thread, with the memory of that process. What kernels print goes to stdout.
 */
#ifndef SL_DEVICES_ALONE_H
#define SL_DEVICES_ALONE_H

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

/* What the loader asks of a driver: warnings go to stderr, nothing is configured. */
extern const struct sl_host_ops sl_alone_host;

/* All work-groups; `code`, `memories` and queues of the launch are not looked at. 0, or
 * SL_OUT_OF_RESOURCES, with what has stopped the kernel in `why` ("" if it did not begin). */
int sl_alone_run(const struct sl_module_info *, const struct sl_launch_args *, char *why,
                 size_t why_bytes);

SL_END_C

#endif
