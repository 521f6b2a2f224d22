/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of kernels that enqueue kernels. */
#ifndef SLUICE_TEST_DEVICE_QUEUE_H
#define SLUICE_TEST_DEVICE_QUEUE_H

#include "cl_help.h"

static inline void need_device_queues(void)
{
    cl_device_device_enqueue_capabilities can = 0;
    if (device_version() < 300 ||
        clGetDeviceInfo(cl.device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL) ||
        !(can & CL_DEVICE_QUEUE_SUPPORTED))
        check_skip("no queues on the device");
}

/* bytes 0: as the device prefers. */
static inline cl_command_queue device_queue(cl_command_queue_properties more, cl_uint bytes)
{
    cl_int rc;
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
        bytes ? CL_QUEUE_SIZE : 0, bytes, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
    return queue;
}

static inline cl_command_queue default_queue(void)
{
    return device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
}

#endif
