/* SPDX-License-Identifier: Apache-2.0 */
/* cl_device_id: a root device around a struct sl_device, or a sub-device. Spec 4.2, 4.3. */
#ifndef SL_DRIVER_PLATFORM_DEVICE_H
#define SL_DRIVER_PLATFORM_DEVICE_H

#include <pthread.h>

#include "base/object/object.h"
#include "sluice/device.h"

struct _cl_device_id {
    struct sl_object obj;
    cl_platform_id platform; /* borrowed: outlives all */
    cl_device_id parent;     /* held; NULL for a root device */
    cl_device_id root;       /* self for a root device */
    struct sl_device *impl;  /* owned by the root device */
    cl_uint units;           /* compute units of this (sub-)device */
    uint32_t *unit_list;     /* owned; NULL: all */
    bool bound;              /* it, or what it is a part of, is an affinity domain */
    cl_device_partition_property *partition; /* owned: how it was made, zero-terminated */
    cl_uint partition_count;                 /* entries incl. terminator; 0 for a root device */
    pthread_mutex_t start_lock;              /* guards started; calls ops->start/stop under it */
    unsigned started;
};
extern const struct sl_type sl_device_type;

cl_int sl_device_create(cl_platform_id, struct sl_device *, cl_device_id *out);
/* Called by contexts: the first starts the device's threads, the last stops them. */
cl_int sl_device_start(cl_device_id);
void sl_device_stop(cl_device_id);
const struct sl_device_caps *sl_caps(cl_device_id);
/* CL_DEVICE_TYPE_ALL, or a combination of known bits. */
bool sl_device_type_known(cl_device_type);
/* Root devices of a (known) type; `out` has room for all of the platform's. */
cl_uint sl_devices_of_type(cl_platform_id, cl_device_type, cl_device_id *out);
/* CL_DEVICE_PIPE_MAX_PACKET_SIZE: 0 without pipes. */
cl_uint sl_device_pipe_packet(cl_device_id);
uint32_t sl_device_features(const struct _cl_device_id *); /* a sub-device may have fewer */
cl_uint sl_device_feature(cl_device_id, uint32_t feature); /* non-zero if it has the SL_FEATURE_* */
/* The minor one of the OpenCL version it announces, which follows from its features. */
cl_uint sl_device_minor_version(const struct _cl_device_id *);
/* What queues of the host may have: CL_DEVICE_QUEUE_ON_HOST_PROPERTIES. */
cl_command_queue_properties sl_device_queue_properties(cl_device_id);

/* partition.c: the domains that the device could be partitioned by. */
cl_device_affinity_domain sl_affinity_domains(cl_device_id);

#endif
