/* SPDX-License-Identifier: Apache-2.0 */
/* Work queues: one list for all of them, and one thread that takes from it in order. */
#include <stdlib.h>

#include "card.h"
#include "common/memory/copy.h"

/* The kit's copies know memory of its own; ours has an address. */
static struct sl_place address(struct sl_place place)
{
    if (!place.memory)
        return place;
    return (struct sl_place){NULL, (uintptr_t)card_memory_host(place.memory) + place.offset};
}

static int run(struct remote *remote, struct sl_work *work)
{
    struct sl_transfer transfer;
    switch (work->kind) {
    case SL_WORK_KERNEL:
        return card_run_kernel(remote, work);
    case SL_WORK_COPY:
        work->u.copy.dst = address(work->u.copy.dst);
        work->u.copy.src = address(work->u.copy.src);
        sl_transfer_copy(&transfer, &work->u.copy, UINT64_MAX);
        break;
    case SL_WORK_FILL:
        work->u.fill.dst = address(work->u.fill.dst);
        sl_transfer_fill(&transfer, &work->u.fill, UINT64_MAX);
        break;
    case SL_WORK_NATIVE:
        work->u.native.function(work->u.native.args);
        return 0;
    case SL_WORK_PIPE:
        return SL_INVALID_OPERATION; /* the feature is not announced */
    }
    sl_transfer_run(&transfer, 0, transfer.units);
    return 0;
}

void *card_serve(void *data)
{
    struct remote *remote = data;
    pthread_setname_np(pthread_self(), SL_THREAD_PREFIX "remote");
    pthread_mutex_lock(&remote->lock);
    while (remote->head || !remote->stopping) {
        struct sl_work *work = remote->head;
        if (!work) {
            pthread_cond_wait(&remote->changed, &remote->lock);
            continue;
        }
        remote->head = work->next;
        if (!remote->head)
            remote->tail = &remote->head;
        pthread_mutex_unlock(&remote->lock);
        remote->host->started(work);
        remote->host->finished(work, run(remote, work));
        pthread_mutex_lock(&remote->lock);
    }
    pthread_mutex_unlock(&remote->lock);
    return NULL;
}

void card_submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    struct remote *remote = work_queue->remote;
    work->next = NULL;
    pthread_mutex_lock(&remote->lock);
    *remote->tail = work;
    remote->tail = &work->next;
    pthread_cond_signal(&remote->changed);
    pthread_mutex_unlock(&remote->lock);
}

int card_queue_create(struct sl_device *device, const struct sl_work_queue_desc *desc,
                      struct sl_work_queue **out)
{
    (void)desc;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return SL_OUT_OF_HOST_MEMORY;
    (*out)->remote = remote_of(device);
    return 0;
}

void card_queue_destroy(struct sl_work_queue *work_queue)
{
    free(work_queue);
}
