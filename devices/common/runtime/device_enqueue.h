/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device-side enqueue: kernels that kernels enqueue, the device's part of OpenCL C's queue_t and
 * clk_event_t.
 *
 * A launch that enqueues something becomes the root of a tree of nodes; a node is a kernel or a
 * marker. A node may start when its parent has ended (unless it need not wait for that) and the
 * events that it waits for are complete; it runs like any other work, in the work queue of the
 * root. It is complete when it has ended and all below it are; the driver hears of the root's end
 * then. A node that has ended and has no event is not kept for the sake of those below: its parent
 * takes them over, so that a kernel which enqueues itself for ever takes no memory for it.
 *
 * One lock per device guards trees, events and queues. It is held for a few instructions, and
 * nothing of others is called with it held: what has to be done then is written down in a struct
 * sl_errands.
 */
#ifndef SL_DEVICES_DEVICE_ENQUEUE_H
#define SL_DEVICES_DEVICE_ENQUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_job;
struct sl_work_queue;
struct sl_child_event;

/* What all trees of a device share. */
struct sl_nest {
    pthread_mutex_t lock;              /* guards all that follows, and the trees */
    const struct sl_device_caps *caps; /* borrowed */
    unsigned units;
    struct sl_device_queue *queues;
    struct sl_child_event **events; /* owned, each of them: slots */
    uint32_t event_count, event_room;
    struct sl_child_event *free_events;
};

struct sl_device_queue {
    struct sl_nest *nest;
    struct sl_device_queue *next; /* in nest->queues */
    uint64_t bytes, used;
};

/* A node that waits for an event. */
struct sl_child_wait {
    struct sl_child *node;
    struct sl_child_wait *next; /* in event->waiters */
};

struct sl_child {
    struct sl_work work;     /* of a kernel */
    struct sl_child *parent; /* NULL: this is a root */
    struct sl_child *root;
    struct sl_child *first; /* those below that are not complete */
    struct sl_child *prev, *next;
    struct sl_child *errand; /* in a list of struct sl_errands */
    unsigned waits;          /* for what it waits before it may start */
    bool runs;               /* is a kernel, with work-items */
    bool after_parent;       /* one of what it waits for is its parent's end */
    bool doomed;             /* something that it waits for has failed */
    bool ended;
    int status; /* its own end */
    uint64_t start_ns, end_ns;
    struct sl_child_event *event; /* NULL: nobody asked for one */
    struct sl_device_queue *queue;
    uint64_t bytes;              /* of the queue's room */
    struct sl_child_wait *links; /* room for those it waits for */
    /* of a root */
    struct sl_work_queue *work_queue;
    struct sl_work *launch;        /* the driver's */
    struct sl_child_event *events; /* made in this tree */
    unsigned active;               /* nodes that run or are about to */
    int worst;                     /* the first failure in the tree */
};

/* What is to be done without the lock, or (over) before it is given back. Zeroed: nothing. */
struct sl_errands {
    struct sl_child *over;                   /* may start and have nothing to run */
    struct sl_child *submit, *done, *forget; /* by errand; done: roots */
    const struct sl_host_ops *host;          /* what follows is for the log */
    const char *topic;
    char stuck[64]; /* a launch that waits for what nobody can do, as far as can be seen */
};

void sl_nest_init(struct sl_nest *, const struct sl_device_caps *, unsigned units);
void sl_nest_finish(struct sl_nest *);
int sl_nest_queue_create(struct sl_device *, uint32_t bytes, struct sl_device_queue **);
void sl_nest_queue_destroy(struct sl_device_queue *);
bool sl_nest_has_queue_locked(struct sl_nest *, const struct sl_device_queue *);

/* For compiled code; the owner of its launch is the job. */
extern const struct sl_child_runtime sl_child_runtime;

/* The work begins to run: when. */
void sl_child_started(struct sl_child *);
/* The work of a job with a node has ended: instead of telling the driver. */
void sl_child_ended(struct sl_nest *, struct sl_child *, int status);
/* Whose end the driver waits for: the root's launch, or the work itself. */
struct sl_work *sl_child_launch(struct sl_work *);

/* ---- between device_enqueue.c, device_enqueue_event.c and device_enqueue_runtime.c ----------- */

/* One more thing that it waited for is there. */
void sl_child_arrived_locked(struct sl_child *, struct sl_errands *);
/* Below `parent`; its waits are counted. Starts it if there are none. */
void sl_child_add_locked(struct sl_child *parent, struct sl_child *, struct sl_errands *);
/* Before the lock is given back: what needs no run ends, and what that brings about. */
void sl_child_settle_locked(struct sl_nest *, struct sl_errands *);
/* Without the lock. */
void sl_child_run_errands(struct sl_errands *);
/* The node of what runs; makes the root if there is none. NULL: no memory. */
struct sl_child *sl_child_of_job_locked(struct sl_job *);
/* Memory of a node that never became part of a tree, or is none any more. */
void sl_child_free(struct sl_child *);

/* 0: there is none. */
uint64_t sl_child_event_new_locked(struct sl_nest *, struct sl_child *root, struct sl_child *node);
/* NULL: no event, or nobody's any more. */
struct sl_child_event *sl_child_event_find_locked(struct sl_nest *, uint64_t);
void sl_child_event_retain_locked(struct sl_child_event *);
void sl_child_event_release_locked(struct sl_nest *, struct sl_child_event *, struct sl_errands *);
/* The node waits for the event, unless it is complete. */
void sl_child_event_await_locked(struct sl_child_event *, struct sl_child *,
                                 struct sl_child_wait *);
/* Of a user event, the first time. */
void sl_child_event_set_locked(struct sl_nest *, struct sl_child_event *, int status,
                               struct sl_errands *);
/* The node is complete. */
void sl_child_event_fire_locked(struct sl_nest *, struct sl_child *, struct sl_errands *);
/* Writes two numbers when the event is complete. */
void sl_child_event_profile_locked(struct sl_child_event *, uint64_t *value);
/* All that a tree leaves behind. */
void sl_child_events_end_locked(struct sl_nest *, struct sl_child *root, struct sl_errands *);
void sl_child_events_finish(struct sl_nest *);

SL_END_C

#endif
