/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What had ended when a command was enqueued, as far as the host may have known it
 * (base/log/heard.h), and what it waited for: whether a launch had to come behind another, or
 * only came later. Any thread.
 */
#ifndef SL_DRIVER_COMMANDS_COMMAND_HEARD_H
#define SL_DRIVER_COMMANDS_COMMAND_HEARD_H

#include "base/log/heard.h"
#include "sluice/device.h"

struct _cl_event;

/* For the inline functions. */
void sl_heard_begin_command(struct _cl_event *);
void sl_heard_end_command(struct _cl_event *);

/* The command has its place in the queue. */
static inline void sl_heard_enqueued(struct _cl_event *e)
{
    if (atomic_load_explicit(&sl_hears, memory_order_relaxed))
        sl_heard_begin_command(e);
}

/* It is about to end. */
static inline void sl_heard_ended(struct _cl_event *e)
{
    if (atomic_load_explicit(&sl_hears, memory_order_relaxed))
        sl_heard_end_command(e);
}

/* sl_host_ops.heard */
uint64_t sl_heard_of(const struct sl_work *);

#endif
