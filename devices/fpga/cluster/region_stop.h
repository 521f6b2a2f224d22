/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dataflow regions one of whose processes cannot go on. A process has no launch of its own: those
 * that end are the launches of the kernel that it is a part of, which would wait for it for ever.
 * What is in the region's pipes stays there, so later launches end as they begin.
 */
#ifndef SL_FPGA_REGION_STOP_H
#define SL_FPGA_REGION_STOP_H

#include <stdbool.h>

struct sl_fiber;

/* Of the fiber that runs, a process which is about to end: launches of its kernel end with
 * SL_OUT_OF_RESOURCES, and their owners are told why. The threads of the clusters do it. */
void sl_region_stop(struct sl_fiber *, const char *why);
/* Of the fiber that runs, as it begins: true, it is a launch whose kernel has a region that was
 * left so. Its owner has been told. */
bool sl_region_is_broken(struct sl_fiber *);

#endif
