/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the driver: with all signals blocked, because handlers belong on the application's. */
#ifndef SL_DRIVER_BASE_THREAD_H
#define SL_DRIVER_BASE_THREAD_H

#include <pthread.h>

#include "sluice/device.h"

/* Names of our threads begin with SL_THREAD_PREFIX, so that they can be told from the
 * application's: actors.h. This one runs the application's code. */
#define SL_THREAD_CALLBACK SL_THREAD_PREFIX "call"

/* 0 or an errno. `out` NULL starts it detached. */
int sl_thread_start(pthread_t *out, void *(*run)(void *), void *data)
    __attribute__((warn_unused_result));

#endif
