/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work that the submitting thread runs itself, alone and to its end
 * (sl_work_queue_desc.caller_runs). What its kernels enqueue follows on the same thread, one after
 * the other. Any thread, several at once for one work queue.
 */
#ifndef SL_DEVICES_CALLER_H
#define SL_DEVICES_CALLER_H

#include <stdbool.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

/* Runs `work`; if it was enqueued by a kernel, behind what this thread is at. */
void sl_caller_run(struct sl_work_queue *, struct sl_work *);
/* The stack of the calling thread has room for the kernel. */
bool sl_caller_bears(const struct sl_kernel_info *);

SL_END_C

#endif
