/* SPDX-License-Identifier: Apache-2.0 */
/* See users.h. A command that is in a queue's list has not ended; its arguments do not change. */
#include "commands/users.h"

#include <string.h>

#include "base/api.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "commands/recording/replay.h"
#include "memory/usm.h"
#include "platform/context.h"

/* Arguments are laid out by their types: a pointer lies at a multiple of its size. */
static bool names(const struct _cl_event *e, const struct sl_interval *range)
{
    const unsigned char *args = e->args;
    for (size_t at = 0; at + sizeof(uintptr_t) <= e->args_used; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, args + at, sizeof word);
        if (word - range->start < range->size)
            return true;
    }
    return false;
}

static bool uses(const struct _cl_event *e, const void *data)
{
    const struct sl_allocation *allocation = data;
    return e->indirect & sl_indirect_bit(allocation->type) || names(e, &allocation->range) ||
           sl_transfer_touches(e, &allocation->range);
}

/* A replay has ended as soon as it is not its command's any more, which may take a moment longer.
 */
static bool uses_any(const struct _cl_event *e, const struct sl_allocation *allocation)
{
    if (e->how != SL_HOW_REPLAY)
        return uses(e, allocation);
    return e->u.replay && sl_replay_any(e->u.replay, uses, allocation);
}

struct walk {
    uint64_t last_queue; /* of those there were at the start */
    uint64_t queue;      /* where we are */
    uint64_t last_command;
};

/* A command of the queue that is to be waited for, held; NULL: there is none (any more). */
static cl_event user_in(cl_command_queue queue, struct walk *walk,
                        const struct sl_allocation *allocation)
{
    pthread_mutex_lock(&queue->lock);
    if (walk->queue != queue->number)
        walk->last_command = queue->serial;
    walk->queue = queue->number;
    cl_event e = queue->live_head;
    while (e && (e->serial > walk->last_command || !uses_any(e, allocation)))
        e = e->queue_next;
    sl_hold(e);
    pthread_mutex_unlock(&queue->lock);
    return e;
}

/* Queues come and go meanwhile, so each step looks for where the last one was. */
static cl_event next_user(cl_context context, struct walk *walk,
                          const struct sl_allocation *allocation)
{
    cl_event found = NULL;
    pthread_mutex_lock(&context->lock);
    for (cl_command_queue queue = context->queues; queue && !found; queue = queue->context_next)
        if (queue->number >= walk->queue && queue->number <= walk->last_queue)
            found = user_in(queue, walk, allocation);
    pthread_mutex_unlock(&context->lock);
    return found;
}

void sl_users_await(cl_context context, const struct sl_allocation *allocation)
{
    struct walk walk = {0};
    pthread_mutex_lock(&context->lock);
    walk.last_queue = context->queue_count;
    pthread_mutex_unlock(&context->lock);
    for (cl_event e; (e = next_user(context, &walk, allocation));) {
        sl_event_wait(e, NULL);
        sl_drop(e);
    }
}

cl_int CL_API_CALL sl_clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
    return sl_usm_free_after(context, ptr, sl_users_await);
}
