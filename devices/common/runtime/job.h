/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One work (a launch, a copy) while threads run it: a job, cut into chunks (group_chunks.h) that
 * one or several threads take. It starts as the
 * private business of the thread that took the work from its work queue and is published, so that
 * others can join, when it is or turns out to be long. The last thread to leave reports the end.
 */
#ifndef SL_DEVICES_JOB_H
#define SL_DEVICES_JOB_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/memory/copy.h"
#include "common/runtime/thread_pool.h"
#include "sluice/base/atomic.h"
#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_child;
struct sl_item_listener;
struct sl_work_queue;
struct sl_sched;

struct sl_job {
    struct sl_job *prev, *next;       /* in sched->jobs */
    struct sl_work_queue *work_queue; /* counted: taken with the work, given back at the end */
    struct sl_work *work;             /* the driver's; ours until finished() */
    unsigned seats;                   /* threads that may be inside at once */
    unsigned inside;                  /* guarded by sched->lock once published */
    bool published, listed; /* the first by the owner before others see it; guarded like inside */
    bool cramped;           /* some thread had no memory for it; guarded like inside */
    bool guests;            /* threads of the application may join */
    struct sl_child *node;  /* of a kernel that was enqueued by one, or has enqueued some */
    uint32_t *cost_ps;      /* in the code object; NULL: not measured */
    struct sl_item_listener *listener; /* NULL: nobody wants to hear of its items */
    bool tells;                        /* what it took, to the log (measure.h) */
    const struct sl_kernel_info *kernel;
    struct sl_launch launch;
    struct sl_transfer transfer;
    uint64_t total;        /* units */
    uint64_t least, most;  /* units per chunk when shared */
    uint64_t strip;        /* groups: of a kernel, sl_ndrange_strip */
    uint64_t alone, grain; /* units per chunk while private; what all chunks are multiples of */
    uint64_t items;
    alignas(64) SL_ATOMIC(uint64_t) handed_out;
    SL_ATOMIC(uint64_t) busy_ns, processor_ns; /* the latter only if it tells */
    atomic_int status;
};

/* The calling thread is a worker of `sched` and reports the end of a work. */
bool sl_job_reporting_on_worker(const struct sl_sched *);

/* Runs `work`, just taken from `work_queue`, whose count it owns: alone, or sharing it if it is
 * long. */
void sl_job_run(struct sl_sched *, struct sl_worker *, struct sl_work_queue *, struct sl_work *);
/* Joins a published job; `inside` already counts this thread. */
void sl_job_join(struct sl_sched *, struct sl_worker *, struct sl_job *);

SL_END_C

#endif
