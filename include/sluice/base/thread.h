/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of ours in the application's process. Signals are blocked on them, because handlers
 * belong on the application's; but not those of faults, which are their own: a kernel's that reads
 * where nothing is. Their names begin with SL_THREAD_PREFIX (sluice/device.h), by which
 * they are told from the application's threads (driver/commands/device_callbacks/actors.h).
 */
#ifndef SL_BASE_THREAD_H
#define SL_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* Filled in by who starts it, but for `id`; whose memory it is, until run() is called. */
struct sl_thread {
    pthread_t id;       /* to join: of one that is not detached */
    const char *name;   /* at most 15 letters; lasts as long as the thread */
    size_t stack_bytes; /* beside thread-local data. 0: the default, but enough for heavier calls */
    void *(*run)(void *);
    void *data;
};

/* 0 or an errno. */
int sl_thread_start(struct sl_thread *) __attribute__((warn_unused_result));
int sl_thread_start_detached(struct sl_thread *) __attribute__((warn_unused_result));

/* The calling thread of ours runs code of the application's between these calls. What that starts
 * gets the name of who starts it, and is not to be taken for ours; neither is this thread
 * meanwhile. */
struct sl_thread_name {
    char text[16];
};
void sl_thread_lend(struct sl_thread_name *before);
void sl_thread_return(const struct sl_thread_name *before);

SL_END_C

#endif
