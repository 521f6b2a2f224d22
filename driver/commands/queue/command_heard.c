/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Times only grow. */
#include "commands/queue/command_heard.h"

#include "base/thread/clock.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"

void sl_heard_begin_command(cl_event e)
{
    if (!e->queue || !sl_heard_is_wanted())
        return;
    sl_heard_raise(&e->heard_ns, sl_heard_ns());
    sl_heard_raise(&e->heard_ns, atomic_load_explicit(&e->queue->heard_ns, memory_order_relaxed));
}

/* What comes later in an in-order queue, or behind a barrier, comes behind it, and does not wait
 * any more. */
void sl_heard_end_command(cl_event e)
{
    if (e->queue && sl_heard_is_wanted() &&
        (SL_QUEUE_IN_ORDER(e->queue) || e->joins || e->type == CL_COMMAND_BARRIER))
        sl_heard_raise(&e->queue->heard_ns, sl_now_ns());
}

uint64_t sl_heard_of(const struct sl_work *work)
{
    const struct sl_step *step = sl_step_of((struct sl_work *)(uintptr_t)work);
    return step->replayed ? UINT64_MAX
                          : atomic_load_explicit(&step->command->heard_ns, memory_order_relaxed);
}
