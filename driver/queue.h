/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_command_queue. Spec 5.1, 5.13. In-order: each command waits for `last`. Out-of-order: each
 * command waits for `barrier`, the last barrier; markers and barriers wait for all of `live`.
 */
#ifndef SL_DRIVER_QUEUE_H
#define SL_DRIVER_QUEUE_H

#include <pthread.h>

#include "object.h"
#include "sluice/device.h"

struct _cl_command_queue {
    struct sl_object obj;
    cl_context context;  /* held */
    cl_device_id device; /* held */
    cl_command_queue_properties properties;
    cl_queue_properties *property_list; /* owned; as given to clCreateCommandQueueWithProperties */
    cl_uint property_list_count;
    struct sl_lane *lane;               /* owned */
    pthread_mutex_t lock;               /* guards what follows */
    cl_event last, barrier;             /* held */
    cl_event live_head, live_tail;      /* unfinished commands, oldest first */
};
extern const struct sl_type sl_queue_type;

#define SL_QUEUE_IN_ORDER(q) (!((q)->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))

#endif
