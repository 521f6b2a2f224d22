/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches as fibers: submit, run, report. */
#ifndef SL_FPGA_LAUNCH_H
#define SL_FPGA_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "fpga/cluster/fiber.h"

struct sl_machine;

extern const struct sl_runtime sl_fpga_runtime;         /* the fast default order */
extern const struct sl_runtime sl_fpga_runtime_general; /* with a seed or a profile */

/* Takes a kernel that uses pipes. */
void sl_launch_submit(struct sl_machine *, struct sl_work_queue *, struct sl_work *);
/* Sends a fiber to the cluster that is to run it. */
void sl_launch_post(struct sl_cluster *, struct sl_fiber *);
/* The same by the cluster's own thread: it runs from now on. */
void sl_launch_begin(struct sl_cluster *, struct sl_fiber *);
/* It is one of a kernel that a thread of the application has run before, and was soon through. */
bool sl_launch_is_brief(const struct sl_news *);
/* sl_machine_ops.run and .ended */
void sl_launch_run(void *fiber);
void sl_launch_ended(struct sl_fiber *);

#endif
