/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command = event = node of the dependency graph.
 *
 * Life: sl_command_create -> fill work, add holds -> sl_command_submit (adds the edges of the queue
 * and the wait list) -> [waits falls to zero] -> device or driver runs it -> sl_command_finish.
 * `waits` starts at 1 for "being built", so that no predecessor can start it early. When it falls
 * to zero the command goes to its device on the thread that finished the last predecessor. A failed
 * predecessor fails its dependents, in one walk with a work list, never by recursion.
 *
 * The event's own reference counts are those of obj: the command holds itself while it is
 * unfinished; the application's reference exists only if it asked for the event.
 * Locks: `lock` guards out, sealed, callbacks and done; never held while anything is called.
 * Spec: 5.11 (events), 5.12 (markers, barriers), 5.13 (out-of-order), 5.14 (profiling).
 */
#ifndef SL_DRIVER_COMMAND_H
#define SL_DRIVER_COMMAND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "object.h"
#include "sluice/device.h"

enum { SL_TIME_QUEUED, SL_TIME_SUBMITTED, SL_TIME_STARTED, SL_TIME_ENDED, SL_TIME_COUNT };

/* What happens when the command may run. */
enum sl_command_how {
    SL_HOW_DEVICE,  /* work goes to the lane */
    SL_HOW_NOTHING, /* marker, barrier, map, unmap, migrate: complete at once */
    SL_HOW_HOST,    /* host_run(command) on the thread that made it ready; must not block */
    SL_HOW_USER,    /* a user event: finished by clSetUserEventStatus */
};

struct sl_edge { /* "out[i] waits for us" */
    struct sl_edge *next;
    struct _cl_event *to;
};

struct _cl_event {
    struct sl_object obj; /* first */
    cl_context context;   /* held */
    cl_command_queue queue; /* held; NULL for user events */
    cl_command_type type;
    enum sl_command_how how;
    atomic_int waits;       /* unfinished predecessors, +1 while being built */
    atomic_int status;      /* CL_QUEUED.. CL_COMPLETE, or a negative error */
    atomic_int failed_wait; /* first error among predecessors, or 0 */
    bool user_set;          /* user event: status was set once (guarded by lock) */
    pthread_mutex_t lock;
    struct sl_edge *out;      /* guarded by lock */
    bool sealed;              /* finished: no more edges (guarded by lock) */
    struct sl_event_callback *callbacks; /* guarded by lock */
    atomic_uint waiters;      /* threads sleeping on status (futex on `status`) */
    uint64_t when_ns[SL_TIME_COUNT];
    struct _cl_event *queue_prev, *queue_next; /* in queue->live, guarded by queue->lock */

    void *args;               /* owned: snapshot of the argument block, native args */
    size_t args_cap;          /* bytes at args; kept across reuse of the slot */
    void **held;              /* owned array: objects dropped at the end */
    uint32_t held_count, held_cap;
    void (*host_run)(struct _cl_event *);   /* SL_HOW_HOST */
    void (*on_finish)(struct _cl_event *);  /* before status is published; NULL: nothing */
    union { /* for host_run / on_finish */
        struct { struct sl_mapping *mapping; } map;
        struct { void *pointer; } svm;
    } u;
    struct sl_work work;
};
extern const struct sl_type sl_event_type;

/* A command of `queue` with one API reference (taken away by submit when the caller wants no event).
 * CL_OUT_OF_HOST_MEMORY on failure. */
cl_int sl_command_create(cl_command_queue, cl_command_type, enum sl_command_how, cl_event *out);
/* Holds `object` until the command has finished. NULL is allowed. */
cl_int sl_command_keep(cl_event, void *object);
/* Room for `bytes` of argument snapshot at command->args. */
cl_int sl_command_args(cl_event, size_t bytes);
/*
 * Checks nothing (see sl_check_wait_list). Orders the command, hands it over, and either stores it
 * in *event (one API reference) or, event NULL, lets go of it. With `blocking` waits for the end and
 * returns CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if a predecessor failed, or the command's own
 * error.
 */
cl_int sl_command_submit(cl_event, cl_uint wait_count, const cl_event *wait_list, bool blocking,
                         cl_event *event);
/* A command that was created but not submitted. */
void sl_command_abandon(cl_event);
/* 5.11: list/count agreement, valid events, same context: CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT. */
cl_int sl_check_wait_list(cl_context, cl_uint wait_count, const cl_event *wait_list);

void sl_command_finish(cl_event, cl_int status); /* device answer, user event, host commands */
void sl_command_started(cl_event);
/* Blocks until the event is complete or failed, helping its device; returns the final status. */
cl_int sl_event_wait(cl_event);

/* The functions the driver gives to devices. */
extern const struct sl_host_ops sl_host_ops;

uint64_t sl_now_ns(void); /* the device clock: CLOCK_MONOTONIC */

#endif
