/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a work will take, from what its kernel took before: whether it is short, long, or worth
 * waking a thread for. Any thread; no lock.
 */
#ifndef SL_DEVICES_ESTIMATE_H
#define SL_DEVICES_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_job;

/* Picoseconds that a work-item of the kernel took, on average; 0: it never ran. */
uint32_t sl_job_known_cost(const struct sl_launch_args *);
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

/* Whether the clock is asked while the job runs: a single chunk is not worth its price, unless
 * somebody has to know whether it is short; and if it was, that is asked now and then. */
bool sl_job_wants_cost(const struct sl_job *);
/* The job has ended: what it took goes into the kernel's average. */
void sl_job_learn_cost(struct sl_job *);

SL_END_C

#endif
