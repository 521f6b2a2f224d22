/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues of a device that does one work after the other, on one thread: rows of its table.
 * Works of queues with a higher priority come first.
 */
#ifndef SL_DEVICES_SERIAL_H
#define SL_DEVICES_SERIAL_H

#include <pthread.h>
#include <stdbool.h>

#include "sluice/base/linkage.h"
#include "sluice/base/thread.h"
#include "sluice/device.h"

SL_BEGIN_C

enum { SL_SERIAL_LEVELS = SL_PRIORITY_HIGH - SL_PRIORITY_LOW + 1 };

struct sl_serial {
    struct sl_device *device;
    const struct sl_host_ops *host;
    /* Does a work, on the thread: its status. */
    int (*run)(struct sl_device *, struct sl_work *);
    struct sl_thread thread;
    char name[16];        /* the thread's */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct sl_work *head[SL_SERIAL_LEVELS], **tail[SL_SERIAL_LEVELS];
    bool stopping;
};

void sl_serial_init(struct sl_serial *, struct sl_device *, const struct sl_host_ops *,
                    int (*run)(struct sl_device *, struct sl_work *));
/* 0, or SL_OUT_OF_RESOURCES. */
int sl_serial_start(struct sl_serial *, const char *thread_name);
/* When all works have ended. */
void sl_serial_stop(struct sl_serial *);

/* struct sl_work_queue is what these two make of it. */
int sl_serial_queue_create(struct sl_serial *, const struct sl_work_queue_desc *,
                           struct sl_work_queue **);
void sl_serial_queue_destroy(struct sl_work_queue *);
void sl_serial_submit(struct sl_work_queue *, struct sl_work *);

SL_END_C

#endif
