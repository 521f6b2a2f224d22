/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which works a waiting thread of the application may run itself, as the guest of a work queue: its
 * stack is small, and it may be what the work waits for. No state.
 */
#ifndef SL_DEVICES_GUEST_H
#define SL_DEVICES_GUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_work_queue;

/* Whether a waiting thread of the application may run it, with so much room on its stack: for the
 * kernel, and for what the device needs above it. */
enum { SL_GUEST_STACK_BYTES = 16 << 10, SL_GUEST_ROOM_BYTES = SL_GUEST_STACK_BYTES + (32 << 10) };
/* It needs no more than that, and no function of the application. */
bool sl_job_may_be_hosted(const struct sl_work *);
/* The same for the work that comes next in that work queue. */
bool sl_job_suits_guest(const struct sl_work_queue *, const struct sl_work *);

SL_END_C

#endif
