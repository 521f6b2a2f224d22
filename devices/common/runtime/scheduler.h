/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which thread works for which work queue: it brings the threads (thread_pool.h) to the work. A
 * work queue holds work of its own; the scheduler only knows which work queues may have some and
 * which jobs still want company. Short work may be held back: waking
 * a thread for it costs more than the work. It is run by the thread that waits for it (assist), by
 * a worker when enough has come together to be worth it (sl_job_worth) or flush insists, or by the
 * worker that looks four thousand times a second whether something was left lying in the work
 * queues in use.
 */
#ifndef SL_DEVICES_SCHEDULER_H
#define SL_DEVICES_SCHEDULER_H

#include <pthread.h>
#include <stdbool.h>

#include "common/runtime/thread_pool.h"
#include "sluice/base/atomic.h"
#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_sched {
    const struct sl_host_ops *host;
    struct sl_device *device; /* borrowed: whose threads these are */
    const char *topic;        /* of log lines */
    struct sl_pool *pool;     /* owned */
    unsigned units;
    uint64_t stream_from; /* bytes from which stores bypass the caches */
    size_t most_stack;    /* bytes of stack a work-item may use */
    atomic_uint urgent;   /* work queues of high priority */
    bool bound;           /* its threads have places that guests have not */
    pthread_mutex_t lock; /* guards what follows; before any work queue's lock */
    struct sl_work_queue *ready, *ready_tail; /* work queues that may have work */
    struct sl_job *jobs;                      /* published, with chunks left or threads inside */
};

struct sl_work_queue {
    struct sl_sched *sched; /* borrowed: outlives its work queues */
    struct sl_nest *nest;   /* likewise */
    unsigned limit;         /* threads that may work for it at once */
    bool out_of_order;
    enum sl_priority priority;
    bool caller_runs; /* see sl_work_queue_desc: work never gets into the queue (caller.c) */
    atomic_uint refs; /* the driver's, one per running work, one per worker that looks at it */
    pthread_mutex_t
        lock; /* guards head, tail, submits, held; writes of registered, pending, taken */
    struct sl_work *head, *tail;
    uint32_t submits;
    uint64_t held;           /* sl_job_worth of what came since a thread was woken for it */
    bool registered;         /* written under both locks, read under either */
    atomic_uint pending;     /* works queued */
    atomic_uint taken, done; /* works taken from the queue, works reported */
    atomic_uint flushes;     /* since the last submit */
    atomic_uint threads;     /* working for it now */
    struct sl_work_queue *prev, *next; /* guarded by sched->lock, as are the next four */
    uint32_t submits_seen, taken_seen; /* at the last look before a pause */
    bool pending_seen;
    unsigned quiet_looks;
    atomic_flag guest_inside;   /* guards guest */
    struct sl_worker guest;     /* for the application's thread that assists */
    SL_ATOMIC(uint64_t) cycles; /* of the FPGA emulator's clock: when its last launch ended */
    SL_ATOMIC(uint64_t) traced; /* which one that was, in a trace; 0: in none */
    SL_ATOMIC(uint64_t) since;  /* cycles of launches behind that one that are in no trace */
};

struct sl_sched_desc {
    const struct sl_host_ops *host;
    struct sl_device *device;
    const char *topic;
    unsigned units;
    enum sl_placing placing;
    const cpu_set_t
        *cpus; /* where all its threads stay (SL_CPU_SET_BYTES); NULL: as placing says */
};

int sl_sched_init(struct sl_sched *, const struct sl_sched_desc *);
void sl_sched_finish(
    struct sl_sched *); /* all work queues are gone, threads stopped; zeroed: no-op */

/* Lets others join the job and wakes them. */
void sl_sched_publish(struct sl_sched *, struct sl_job *);
/* The caller stops working on a job; true if it was the last and has to report the end. */
bool sl_sched_leave(struct sl_sched *, struct sl_job *);
/* The calling thread, which is inside, has no memory for the job: true if others go on with it.
 * Then nobody joins them any more. */
bool sl_sched_left_to_others(struct sl_sched *, struct sl_job *);
/* A job of that work queue (NULL: of any) that this thread may join, or NULL. The thread counts as
 * inside and has a count on the job's work queue, to be ended by sl_work_queue_exit() and
 * sl_work_queue_drop(). */
struct sl_job *sl_sched_join(struct sl_sched *, const struct sl_work_queue *, bool guest);

/* Idle workers look at registered work queues. */
void sl_sched_register(struct sl_work_queue *);
void sl_sched_forget(struct sl_work_queue *);

/* work_queue.c; the work_queue_* calls, submit, flush and assist of host-run devices */
int sl_work_queue_create(struct sl_device *, const struct sl_work_queue_desc *,
                         struct sl_work_queue **);
void sl_work_queue_destroy(struct sl_work_queue *);
void sl_work_queue_submit(struct sl_work_queue *, struct sl_work *);
void sl_work_queue_flush(struct sl_work_queue *);
bool sl_work_queue_assist(struct sl_work_queue *);

/*
 * The next work, or NULL. The thread then works for the work queue until sl_work_queue_exit(); the
 * work keeps the work queue alive until sl_work_queue_done(). A guest only gets what suits it.
 */
struct sl_work *sl_work_queue_take(struct sl_work_queue *, bool guest);
bool sl_work_queue_enter(
    struct sl_work_queue *); /* false when as many threads as allowed are inside */
void sl_work_queue_exit(struct sl_work_queue *);
void sl_work_queue_done(struct sl_work_queue *); /* the work's end was reported */
void sl_work_queue_hold(struct sl_work_queue *);
void sl_work_queue_drop(struct sl_work_queue *);

SL_END_C

#endif
