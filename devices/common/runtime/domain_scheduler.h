/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues of affinity domains. Each set of units that a sub-device has gets a scheduler of its
 * own, whose threads stay on the CPUs of those units: any of the device's threads could be
 * anywhere.
 */
#ifndef SL_DEVICES_DOMAIN_SCHEDULER_H
#define SL_DEVICES_DOMAIN_SCHEDULER_H

#include "common/machine/domains.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_bound;

struct sl_bound_set {
    pthread_mutex_t lock;    /* guards what follows */
    struct sl_bound *scheds; /* owned; none is taken away before finish */
    struct sl_machine_domains domains;
    bool asked;
};

void sl_bound_init(struct sl_bound_set *);
void sl_bound_finish(struct sl_bound_set *); /* all work queues are gone, threads stopped */

/* sl_device_ops.domains */
const struct sl_domains *sl_bound_domains(struct sl_device *);
/* The scheduler of a work queue that is bound, its threads started. `device` is the device's own.
 */
int sl_bound_sched(struct sl_bound_set *, const struct sl_sched *device,
                   const struct sl_work_queue_desc *, struct sl_sched **out);
/* No work queue is left: ends all threads. */
void sl_bound_stop(struct sl_bound_set *);

SL_END_C

#endif
