/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cl_command_queue of a queue on the device, into which kernels enqueue kernels: a type of its
 * own, so that all that takes a queue of the host refuses it. Spec 5.1. The context's lock guards
 * its list of them and which of them are default.
 */
#ifndef SL_DRIVER_MEMORY_DEVICE_QUEUE_H
#define SL_DRIVER_MEMORY_DEVICE_QUEUE_H

#include <stdint.h>

#include "base/object/object.h"
#include "sluice/device.h"

struct sl_queue_on_device {
    struct sl_object obj;
    cl_context context;  /* held */
    cl_device_id device; /* held */
    cl_command_queue_properties properties;
    cl_queue_properties *property_list; /* owned */
    cl_uint property_list_count;
    cl_uint bytes;
    struct sl_device *impl;          /* borrowed from device */
    struct sl_device_queue *queue;   /* owned */
    bool is_default;                 /* guarded by context->lock, like next */
    struct sl_queue_on_device *next; /* in the context's list */
};
extern const struct sl_type sl_queue_on_device_type;

/* A new one, or the device's default if that is wanted and there is one. `bytes` 0: not named. */
cl_int sl_queue_on_device_create(cl_context, cl_device_id, cl_command_queue_properties,
                                 cl_uint bytes, const cl_queue_properties *list, cl_uint list_count,
                                 cl_command_queue *out);
cl_int sl_queue_on_device_info(cl_command_queue, cl_command_queue_info, size_t cap, void *out,
                               size_t *need);
/* The device's default queue, held; NULL: there is none. */
struct sl_queue_on_device *sl_queue_default(cl_context, cl_device_id);
/* As the application's handle; not held. */
cl_command_queue sl_queue_default_handle(cl_context, cl_device_id);

#endif
