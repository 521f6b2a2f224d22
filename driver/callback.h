/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread that runs application callbacks, and only it. It starts with the first callback and is
 * joined when the last context ends. Calls are made in the order they were queued, with no lock held.
 */
#ifndef SL_DRIVER_CALLBACK_H
#define SL_DRIVER_CALLBACK_H

#include <CL/cl.h>

/* Queues run(data); false when memory is out (then it was not queued). */
cl_int sl_callback_post(void (*run)(void *data), void *data);
/* The last context has ended: waits until the queue is empty and joins the thread. If called on the
 * callback thread itself, the thread ends by itself after this callback. */
void sl_callback_shutdown(void);

#endif
