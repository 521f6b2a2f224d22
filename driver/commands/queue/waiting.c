/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See waiting.h. Devices are told without the lock: they only add up what they are told, in
 * whatever order.
 */
#include "commands/queue/waiting.h"
#include "base/thread/clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/queue/command.h"
#include "platform/context.h"
#include "platform/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_asker askers[SL_ASKERS];
static struct sl_waiting waiting = {.askers = askers};
static struct sl_wait *sleepers;

static int own_thread(void)
{
    return (int)syscall(SYS_gettid);
}

static bool any_hears(cl_context context)
{
    bool any = false;
    for (cl_uint i = 0; i < context->device_count && !any; i++)
        any = context->devices[i]->root->impl->ops->host_waits;
    return any;
}

static void tell_devices(cl_context context, int change)
{
    for (cl_uint i = 0; i < context->device_count; i++) {
        struct sl_device *device = context->devices[i]->root->impl;
        if (device->ops->host_waits)
            device->ops->host_waits(device, change);
    }
}

/* ---- who sleeps ------------------------------------------------------------------------------ */

void sl_wait_begin(struct sl_wait *wait, cl_event event, const struct sl_awaited *among)
{
    *wait = (struct sl_wait){.event = event, .among = among, .thread = own_thread()};
    pthread_mutex_lock(&lock);
    wait->next = sleepers;
    if (sleepers)
        sleepers->previous = wait;
    waiting.sleepers = sleepers = wait;
    pthread_mutex_unlock(&lock);
    tell_devices(event->context, 1);
}

void sl_wait_end(struct sl_wait *wait)
{
    pthread_mutex_lock(&lock);
    *(wait->previous ? &wait->previous->next : &sleepers) = wait->next;
    if (wait->next)
        wait->next->previous = wait->previous;
    waiting.sleepers = sleepers;
    pthread_mutex_unlock(&lock);
    tell_devices(wait->event->context, -1);
}

/* ---- who asks -------------------------------------------------------------------------------- */

/* Its own place, else that of whoever has not asked for the longest time. */
static struct sl_asker *place_locked(int thread)
{
    struct sl_asker *oldest = &askers[0];
    for (int i = 0; i < SL_ASKERS; i++) {
        if (askers[i].thread == thread)
            return &askers[i];
        if (askers[i].last_ns < oldest->last_ns)
            oldest = &askers[i];
    }
    return oldest;
}

void sl_wait_asks(cl_context context, cl_event event)
{
    if (!any_hears(context))
        return;
    const int thread = own_thread();
    pthread_mutex_lock(&lock);
    const uint64_t now = sl_now_ns(); /* no look is between its time and its mark */
    uint64_t stuck = event ? atomic_load_explicit(&event->stuck_ns, memory_order_relaxed) : now;
    *place_locked(thread) = (struct sl_asker){thread, now, stuck};
    pthread_mutex_unlock(&lock);
    tell_devices(context, 0);
}

/* ---- user events ----------------------------------------------------------------------------- */

void sl_wait_user_event_made(cl_event event)
{
    pthread_mutex_lock(&lock);
    event->queue_prev = NULL;
    event->queue_next = waiting.user_events;
    if (waiting.user_events)
        waiting.user_events->queue_prev = event;
    waiting.user_events = event;
    pthread_mutex_unlock(&lock);
}

void sl_wait_user_event_set(cl_event event)
{
    pthread_mutex_lock(&lock);
    *(event->queue_prev ? &event->queue_prev->queue_next : &waiting.user_events) =
        event->queue_next;
    if (event->queue_next)
        event->queue_next->queue_prev = event->queue_prev;
    pthread_mutex_unlock(&lock);
}

/* ---- looks ----------------------------------------------------------------------------------- */

const struct sl_waiting *sl_waiting_look(void)
{
    pthread_mutex_lock(&lock);
    return &waiting;
}

void sl_waiting_leave(void)
{
    pthread_mutex_unlock(&lock);
}
