/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that runs application callbacks, and only it. It starts with the first callback and is
 * joined when the last context ends. Calls are made in the order they were queued, with no lock
 * held.
 */
#ifndef SL_DRIVER_BASE_CALLBACK_THREAD_H
#define SL_DRIVER_BASE_CALLBACK_THREAD_H

#include <CL/cl.h>
#include <stdbool.h>

#include "sluice/device.h"

/* Queues run(data); CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES: then it was not queued. */
cl_int sl_callback_post(void (*run)(void *data), void *data);

/* The same without a way to fail: the task's memory is the caller's and is free for other use from
 * the moment run is called. Make sure of the thread first, with sl_callback_start. */
struct sl_callback_task {
    struct sl_callback_task *next;
    void (*run)(void *data);
    void *data;
};
cl_int sl_callback_start(void);
void sl_callback_post_task(struct sl_callback_task *);

/* What the thread is called where it is not at a callback: actors.h. */
#define SL_THREAD_CALLBACK SL_THREAD_PREFIX "call"
/* The calling thread is it. */
bool sl_callback_is_here(void);
/* It is at a callback, or about to be. */
bool sl_callback_busy(void);
/* The last context has ended: waits until the queue is empty and joins the thread. If called on the
 * callback thread itself, the thread ends by itself when nothing is left to do. */
void sl_callback_shutdown(void);

#endif
