/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_semaphore_khr (cl_khr_semaphore, binary): which command the next wait waits for. Signals and
 * waits are commands without work, and all that a semaphore does it does by edges of the graph.
 * One that can be exported, or was imported, has its state where all who share it see it.
 */
#ifndef SL_DRIVER_COMMANDS_SEMAPHORE_H
#define SL_DRIVER_COMMANDS_SEMAPHORE_H

#include <CL/cl_ext_sluice.h>
#include <pthread.h>

#include "base/object/object.h"
#include "commands/enqueue/shared_semaphore.h"

struct _cl_semaphore_khr {
    struct sl_object obj;
    cl_context context;                      /* held */
    cl_device_id device;                     /* held; NULL: all of the context's, which is one */
    cl_semaphore_properties_khr *properties; /* owned */
    cl_uint property_count;
    struct sl_shared_semaphore shared; /* owned; with a page the events below are not used */
    bool lock_ready;
    pthread_mutex_t lock; /* guards the events, each held or NULL */
    cl_event signal;      /* the newest one, until a wait is enqueued that consumes it */
    cl_event taken, wait; /* the newest pair of such */
    cl_event early;       /* a user event: for which a wait waits whose signal is yet to come */
};
extern const struct sl_type sl_semaphore_type;

#endif
