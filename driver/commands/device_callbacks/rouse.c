/* SPDX-License-Identifier: Apache-2.0 */
/* See rouse.h. */
#include "commands/device_callbacks/rouse.h"

#include "base/object/callback_thread.h"
#include "commands/queue/queue.h"
#include "platform/context.h"

static void rouse(void *device)
{
    cl_context context;
    for (size_t n = 0; (context = sl_context_with(device, n)); n++) {
        sl_queue_flush_all(context);
        sl_drop(context);
    }
}

/* On the callback thread: what was held may be ended by letting it go, which no thread of a device
 * may do. */
void sl_rouse(struct sl_device *device)
{
    cl_int rc = sl_callback_post(rouse, device);
    (void)rc; /* it was only meant to help */
}
