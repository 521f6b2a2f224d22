/* SPDX-License-Identifier: Apache-2.0 */
/* See failure_told.h. Of who sets FAILED and who sets UNASKED one finds the other's bit. */
#include "commands/queue/failure_told.h"

#include "commands/queue/queue.h"

enum { FAILED = 1, UNASKED = 2, TOLD = 4 };

static unsigned add(cl_event e, unsigned bit)
{
    return atomic_fetch_or_explicit(&e->failure, bit, memory_order_acq_rel);
}

void sl_failure_told(cl_event e, cl_int status)
{
    if (status < 0)
        add(e, TOLD);
}

void sl_failure_happens(cl_event e, cl_int status)
{
    if (!e->queue)
        return; /* a user event: the application itself made it fail */
    e->loss = sl_queue_give_up(e->queue, status);
    if (add(e, FAILED) == UNASKED)
        sl_queue_lose(e->queue, status, e->loss);
}

void sl_failure_unasked(cl_event e)
{
    if (e->queue && add(e, UNASKED) == FAILED)
        sl_queue_lose(e->queue, e->result, e->loss);
}
