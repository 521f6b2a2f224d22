/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the driver: with all signals blocked, because handlers belong on the application's. */
#ifndef SL_DRIVER_THREAD_H
#define SL_DRIVER_THREAD_H

#include <pthread.h>

/* 0 or an errno. `out` NULL starts it detached. */
int sl_thread_start(pthread_t *out, void *(*run)(void *), void *data)
    __attribute__((warn_unused_result));

#endif
