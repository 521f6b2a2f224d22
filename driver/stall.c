/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See stall.h. The context's lock guards its numbers of sleeping threads and unset user events;
 * devices are told without it: they only add up what they are told, in whatever order.
 */
#include "stall.h"

#include <CL/cl_ext_sluice.h>

#include "context.h"
#include "device.h"
#include "log.h"
#include "registry.h"

_Static_assert(CL_DEVICE_STALLED_SLUICE == SL_STALLED, "devices know no OpenCL header");

static void tell_devices(cl_context context, int change)
{
    for (cl_uint i = 0; change && i < context->device_count; i++) {
        struct sl_device *device = context->devices[i]->root->impl;
        if (device->ops->host_waits)
            device->ops->host_waits(device, change);
    }
}

static int waiting_locked(const struct _cl_context *context)
{
    return context->open_user_events ? 0 : context->sleepers;
}

static void change_numbers(cl_context context, int sleepers, int user_events)
{
    pthread_mutex_lock(&context->lock);
    int before = waiting_locked(context);
    context->sleepers += sleepers;
    context->open_user_events += user_events;
    int change = waiting_locked(context) - before;
    pthread_mutex_unlock(&context->lock);
    tell_devices(context, change);
}

void sl_wait_begin(cl_context context)
{
    change_numbers(context, 1, 0);
}

void sl_wait_end(cl_context context)
{
    change_numbers(context, -1, 0);
}

void sl_wait_user_event(cl_context context, int change)
{
    change_numbers(context, 0, change);
}

void sl_stalled(struct sl_device *device, const char *text, const char *json)
{
    sl_log_always(sl_registry_name(device), text);
    sl_context_notify_all(device, text, json);
}
