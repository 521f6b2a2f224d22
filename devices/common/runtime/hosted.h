/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device whose work runs on this machine's cores in ordinary memory: everything but its facts. A
 * device of this kind is one call of sl_hosted_add().
 */
#ifndef SL_DEVICES_HOSTED_H
#define SL_DEVICES_HOSTED_H

#include "common/machine/topology.h"
#include "common/runtime/device_enqueue.h"
#include "common/runtime/domain_scheduler.h"
#include "common/runtime/scheduler.h"
#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_hosted {
    struct sl_device base; /* first */
    struct sl_topology topology;
    struct sl_sched sched;
    struct sl_bound_set bound; /* sub-devices of affinity domains */
    struct sl_nest nest;       /* kernels that kernels enqueue */
    char name[64];             /* room for a device name found out at run time */
    void *extension;           /* of a device that does more than this; its own */
};

static inline struct sl_hosted *sl_hosted(struct sl_device *device)
{
    return (struct sl_hosted *)device;
}

/* A plugin function in one call: makes the device (sl_hosted_ops), has `set_caps` fill in its facts
 * and appends it to the list. `topic` names it in the log. Starts nothing. */
int sl_hosted_add(const struct sl_host_ops *, struct sl_device_list *, const char *topic,
                  void (*set_caps)(struct sl_hosted *));
/* The facts that follow from the topology; the device then sets its own. */
void sl_hosted_caps(struct sl_hosted *);

/* The calls of all such devices. One that does something differently points base.ops at a table of
 * its own, in set_caps. */
extern const struct sl_device_ops sl_hosted_ops;

SL_END_C

#endif
