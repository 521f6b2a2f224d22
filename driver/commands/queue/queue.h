/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_command_queue. Spec 5.1, 5.13. In-order: each command waits for `last`. Out-of-order: each
 * command waits for `barrier`, the last barrier; markers and barriers wait for all of `live`.
 * Commands hold their queue, so the queue holds no commands: a command takes itself out of the
 * queue, under its lock, at the moment its final status is published.
 */
#ifndef SL_DRIVER_COMMANDS_QUEUE_H
#define SL_DRIVER_COMMANDS_QUEUE_H

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdint.h>

#include "base/object/object.h"
#include "sluice/device.h"

struct _cl_command_queue {
    struct sl_object obj;
    cl_context context;  /* held */
    cl_device_id device; /* held */
    cl_command_queue_properties properties;
    cl_queue_properties *property_list; /* owned; as given to clCreateCommandQueueWithProperties */
    cl_uint property_list_count;
    struct sl_device *impl;           /* borrowed from device */
    struct sl_work_queue *work_queue; /* owned */
    struct sl_native_scope *scope;    /* owned: of a native command (native_scope.h); or NULL */
    struct sl_queue_remains *remains; /* owned: the queue's end, when it cannot be done at once */
    pthread_mutex_t lock;             /* guards what follows */
    bool lock_ready;
    cl_event last, barrier;        /* borrowed: unfinished, or NULL */
    cl_event live_head, live_tail; /* unfinished commands, oldest first; borrowed */
    uint64_t serial;               /* of the newest command */
    /* Commands that a device gave up, how many of them a clFinish has told of, and the last one's
     * status: clFinish says so if it happens meanwhile. Of those that failed and nobody can ask
     * for, whenever it was: who waits next is told. */
    atomic_uint losses, losses_told;
    atomic_int lost, lost_unseen;
    _Atomic uint64_t
        heard_ns; /* command_heard.h: commands that end before it come in front of new ones */
    /* Among the context's queues, guarded by its lock: later ones have higher numbers. */
    uint64_t number;
    cl_command_queue context_previous, context_next;
    /* Threads that are on their way out of the queue's commands. Survives the queue, since leaving
     * may be what ends it; see sl_clReleaseCommandQueue. */
    atomic_uint leaving;
};
extern const struct sl_type sl_queue_type;

/* Each command is run by the thread that enqueues it, before the call returns: nothing is ever
 * left in the queue but what other threads are at. */
#define SL_QUEUE_CALLER_RUNS(q) ((q)->properties & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL)
#define SL_QUEUE_IN_ORDER(q) (!((q)->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))

/* A queue like `parent`, with one API reference, that owns the scope. */
cl_int sl_queue_create_scoped(cl_command_queue parent, struct sl_native_scope *,
                              cl_command_queue *out);

/* Starts what the device was allowed to hold back. */
void sl_queue_flush(cl_command_queue);
void sl_queue_flush_all(cl_context);
/* Waits until every command enqueued so far has ended. The status of one that its device gave up
 * meanwhile, or that failed and was lost (below) since somebody was told; or CL_SUCCESS. */
cl_int sl_queue_finish(cl_command_queue);
/* A command of the queue failed. If its device gave it up, threads in sl_queue_finish hear of it,
 * and it gets a number; else 0. Any thread. */
unsigned sl_queue_give_up(cl_command_queue, cl_int status);
/* Nobody was told of that failure, and nobody can ask for it any more. Any thread. */
void sl_queue_lose(cl_command_queue, cl_int status, unsigned given_up);
/* To whoever has waited for a command: that of an in-order queue is worth nothing if one in front
 * of it failed. If such a one was lost, once CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST; or
 * CL_SUCCESS. Not the status itself: a call that is short of something may be made again (pyopencl
 * does), and the second one would find nothing wrong. */
cl_int sl_queue_lost(cl_command_queue);

/*
 * For a short command that the calling thread does itself, at once, and that nobody could name: no
 * event, no wait list, no trace. True if the queue has no unfinished command and none that failed
 * unseen; then its lock is
 * held, so that others' commands come after this one, until sl_queue_leave_idle().
 */
bool sl_queue_enter_idle(cl_command_queue);
void sl_queue_leave_idle(cl_command_queue);

/* Between these two a thread may be the last to hold the queue. */
static inline void sl_queue_begin_leaving(cl_command_queue queue)
{
    atomic_fetch_add_explicit(&queue->leaving, 1, memory_order_relaxed);
}

static inline void sl_queue_end_leaving(cl_command_queue queue)
{
    atomic_fetch_sub_explicit(&queue->leaving, 1, memory_order_release);
}

#endif
