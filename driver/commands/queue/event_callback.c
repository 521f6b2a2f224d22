/* SPDX-License-Identifier: Apache-2.0 */
/* See event_callback.h. event->lock guards the list of callbacks. */
#include "commands/queue/event_callback.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/heard.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "base/thread/fork.h"
#include "commands/queue/failure_told.h"
#include "commands/queue/queue.h"

struct sl_event_callback {
    struct sl_callback_task task;
    struct sl_event_callback
        *next;      /* in event->callbacks: SUBMITTED, then RUNNING, then COMPLETE */
    cl_event event; /* retained: the handle is valid in the callback */
    cl_int type, status;
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *user_data;
};

static void run_callback(void *data)
{
    struct sl_event_callback *c = data;
    sl_heard_now();
    sl_failure_told(c->event, c->status);
    c->notify(c->event, c->status, c->user_data);
    cl_int rc = sl_clReleaseEvent(c->event);
    (void)rc; /* an application that released once too often gets no second answer */
    sl_free(c);
}

struct sl_event_callback *sl_event_due(cl_event e, cl_int status)
{
    if (!atomic_load(&e->callbacks))
        return NULL;
    pthread_mutex_lock(&e->lock);
    struct sl_event_callback *due = atomic_load_explicit(&e->callbacks, memory_order_relaxed);
    struct sl_event_callback *last = NULL, *later = due;
    while (later && later->type >= status) {
        last = later;
        later->status = status < 0 ? status : later->type;
        later = later->next;
    }
    atomic_store_explicit(&e->callbacks, later, memory_order_relaxed);
    pthread_mutex_unlock(&e->lock);
    if (!last)
        return NULL;
    last->next = NULL;
    return due;
}

void sl_event_post(struct sl_event_callback *due)
{
    while (due) {
        struct sl_event_callback *c = due;
        due = c->next;
        c->task = (struct sl_callback_task){.run = run_callback, .data = c};
        sl_callback_post_task(&c->task);
    }
}

static void add_callback(cl_event e, struct sl_event_callback *added)
{
    pthread_mutex_lock(&e->lock);
    struct sl_event_callback *before = NULL;
    struct sl_event_callback *after = atomic_load_explicit(&e->callbacks, memory_order_relaxed);
    while (after && after->type >= added->type) {
        before = after;
        after = after->next;
    }
    added->next = after;
    if (before)
        before->next = added;
    else
        atomic_store(&e->callbacks, added);
    pthread_mutex_unlock(&e->lock);
    /* The status may have moved on before it could see us; see sleep_until_changed in event.c. */
    sl_event_post(sl_event_due(e, atomic_load(&e->status)));
}

cl_int sl_clSetEventCallback(cl_event event, cl_int type,
                             void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user_data)
{
    if (!sl_valid(event, &sl_event_type))
        return sl_refuse(CL_INVALID_EVENT, "not a valid event");
    if (!notify)
        return sl_refuse(CL_INVALID_VALUE, "no function");
    if (type < CL_COMPLETE || type > CL_SUBMITTED)
        return sl_refuse(CL_INVALID_VALUE, "callback type %d", type);
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_int rc = sl_callback_start();
    if (rc)
        return rc;
    struct sl_event_callback *c = sl_alloc(sizeof *c);
    if (!c)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    *c = (struct sl_event_callback){
        .event = event, .type = type, .notify = notify, .user_data = user_data};
    rc = sl_retain(event, &sl_event_type);
    if (rc) {
        sl_free(c);
        return rc;
    }
    add_callback(event, c);
    /* Somebody wants to hear of its end and may never wait for it. */
    if (event->queue)
        sl_queue_flush(event->queue);
    return CL_SUCCESS;
}
