/* SPDX-License-Identifier: Apache-2.0 */
#include "common/runtime/serial.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/values.h"

struct sl_work_queue {
    struct sl_serial *serial;
    unsigned level; /* 0 is the first */
};

void sl_serial_init(struct sl_serial *serial, struct sl_device *device,
                    const struct sl_host_ops *host,
                    int (*run)(struct sl_device *, struct sl_work *))
{
    *serial = (struct sl_serial){.device = device, .host = host, .run = run};
    for (unsigned i = 0; i < SL_SERIAL_LEVELS; i++)
        serial->tail[i] = &serial->head[i];
    pthread_mutex_init(&serial->lock, NULL);
    pthread_cond_init(&serial->changed, NULL);
}

/* With the lock held. NULL: there is none. */
static struct sl_work *take(struct sl_serial *serial)
{
    for (unsigned i = 0; i < SL_SERIAL_LEVELS; i++) {
        struct sl_work *work = serial->head[i];
        if (!work)
            continue;
        serial->head[i] = work->next;
        if (!work->next)
            serial->tail[i] = &serial->head[i];
        return work;
    }
    return NULL;
}

static void *serve(void *data)
{
    struct sl_serial *serial = data;
    struct sl_work *work;
    pthread_mutex_lock(&serial->lock);
    while ((work = take(serial)) || !serial->stopping) {
        if (!work) {
            pthread_cond_wait(&serial->changed, &serial->lock);
            continue;
        }
        pthread_mutex_unlock(&serial->lock);
        serial->host->started(work);
        serial->host->finished(work, serial->run(serial->device, work));
        pthread_mutex_lock(&serial->lock);
    }
    pthread_mutex_unlock(&serial->lock);
    return NULL;
}

int sl_serial_start(struct sl_serial *serial, const char *thread_name)
{
    serial->stopping = false;
    snprintf(serial->name, sizeof serial->name, SL_THREAD_PREFIX "%s", thread_name);
    serial->thread = (struct sl_thread){.name = serial->name, .run = serve, .data = serial};
    return sl_thread_start(&serial->thread) ? SL_OUT_OF_RESOURCES : 0;
}

void sl_serial_stop(struct sl_serial *serial)
{
    pthread_mutex_lock(&serial->lock);
    serial->stopping = true;
    pthread_cond_signal(&serial->changed);
    pthread_mutex_unlock(&serial->lock);
    pthread_join(serial->thread.id, NULL);
}

int sl_serial_queue_create(struct sl_serial *serial, const struct sl_work_queue_desc *desc,
                           struct sl_work_queue **out)
{
    struct sl_work_queue *made = malloc(sizeof *made);
    if (!made)
        return SL_OUT_OF_HOST_MEMORY;
    *made = (struct sl_work_queue){serial, (unsigned)(SL_PRIORITY_HIGH - (int)desc->priority)};
    *out = made;
    return 0;
}

void sl_serial_queue_destroy(struct sl_work_queue *work_queue)
{
    free(work_queue);
}

void sl_serial_submit(struct sl_work_queue *work_queue, struct sl_work *work)
{
    struct sl_serial *serial = work_queue->serial;
    work->next = NULL;
    pthread_mutex_lock(&serial->lock);
    *serial->tail[work_queue->level] = work;
    serial->tail[work_queue->level] = &work->next;
    pthread_cond_signal(&serial->changed);
    pthread_mutex_unlock(&serial->lock);
}
