/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device whose work runs on this machine's cores in ordinary memory: everything but its facts. A
 * device embeds struct sl_hosted, fills caps and points its ops table at the functions of this
 * folder.
 */
#ifndef SL_DEVICES_HOSTED_H
#define SL_DEVICES_HOSTED_H

#include "common/sched.h"
#include "common/topology.h"
#include "sluice/device.h"

struct sl_hosted {
    struct sl_device base; /* first */
    struct sl_topology topology;
    struct sl_sched sched;
    char name[64]; /* room for a device name found out at run time */
};

static inline struct sl_hosted *sl_hosted(struct sl_device *device)
{
    return (struct sl_hosted *)device;
}

/* Reads the topology and makes the scheduler; `topic` names the device in
 * the log. Starts nothing. */
int sl_hosted_create(const struct sl_host_ops *, const char *topic, struct sl_hosted **);
/* The facts that follow from the topology; the device then sets its own. */
void sl_hosted_caps(struct sl_hosted *);

/* ops: close, start, stop, suggest_local_size */
void sl_hosted_close(struct sl_device *);
int sl_hosted_start(struct sl_device *);
void sl_hosted_stop(struct sl_device *);
void sl_hosted_suggest(struct sl_device *, const struct sl_kernel_info *, uint32_t work_dim,
                       const size_t global[3], size_t local[3]);

#endif
