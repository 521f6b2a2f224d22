/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job is one work while it runs: pieces, taken by one or several threads. It starts as the
 * private business of the thread that took the work from its work queue and is published, so that
 * others can join, when it is or turns out to be long. The last thread to leave reports the end.
 */
#ifndef SL_DEVICES_JOB_H
#define SL_DEVICES_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/memory/copy.h"
#include "common/runtime/pool.h"
#include "sluice/device.h"

struct sl_child;
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
    const struct sl_kernel_info *kernel;
    struct sl_launch launch;
    struct sl_transfer transfer;
    uint64_t total;        /* units */
    uint64_t least, most;  /* units per piece when shared */
    uint64_t alone, grain; /* units per piece while private; what all pieces are multiples of */
    uint64_t items;
    _Alignas(64) _Atomic uint64_t handed_out;
    _Atomic uint64_t busy_ns;
    atomic_int status;
};

/* Nanoseconds the work will probably take one thread. */
uint64_t sl_job_estimate(const struct sl_work *);
/* A work long enough to be worth waking another thread for. */
static inline bool sl_job_is_long(uint64_t estimate_ns)
{
    return estimate_ns > 30000;
}
/* Known to be over soon: measured before, and not a function of the application. */
bool sl_job_is_short(const struct sl_work *);
/*
 * Nanoseconds that a second thread would take off the one that runs the work queue's works, less
 * what sharing the work queue costs both: a launch that does next to nothing is worth nothing,
 * however many of them there are. Together with others a work of unknown length is worth waking
 * for.
 */
enum { SL_JOB_WORTH_WAKING = 5000 };
uint64_t sl_job_worth(const struct sl_work *);
/* Whether a waiting thread of the application may run it, with so much room on its stack: for the
 * kernel, and for what the device needs above it. */
enum { SL_GUEST_STACK_BYTES = 16 << 10, SL_GUEST_ROOM_BYTES = SL_GUEST_STACK_BYTES + (32 << 10) };
bool sl_job_suits_guest(const struct sl_work_queue *, const struct sl_work *);

/* The calling thread is a worker of `sched` and reports the end of a work. */
bool sl_job_reporting_on_worker(const struct sl_sched *);

/* Runs `work`, just taken from `work_queue`, whose count it owns: alone, or sharing it if it is
 * long. */
void sl_job_run(struct sl_sched *, struct sl_worker *, struct sl_work_queue *, struct sl_work *);
/* Joins a published job; `inside` already counts this thread. */
void sl_job_join(struct sl_sched *, struct sl_worker *, struct sl_job *);

#endif
