/* SPDX-License-Identifier: Apache-2.0 */
/* Queues on the device: see device_queue.h, also for the lock. */
#include "memory/device_queue.h"
#include "base/thread/fork.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void delist(struct sl_queue_on_device *queue)
{
    cl_context context = queue->context;
    pthread_mutex_lock(&context->lock);
    for (struct sl_queue_on_device **at = &context->device_queues; *at; at = &(*at)->next)
        if (*at == queue) {
            *at = queue->next;
            break;
        }
    pthread_mutex_unlock(&context->lock);
}

/* Nobody finds it as a default any more; kernels that have it still enqueue into it. */
static void released(struct sl_object *object)
{
    delist((struct sl_queue_on_device *)object);
}

static void destroy(struct sl_object *object)
{
    struct sl_queue_on_device *queue = (struct sl_queue_on_device *)object;
    if (queue->queue)
        queue->impl->ops->queue_destroy(queue->queue);
    sl_free(queue->property_list);
    sl_drop(queue->device);
    sl_drop(queue->context);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_queue_on_device_type = {.name = "command queue",
                                                .invalid = CL_INVALID_COMMAND_QUEUE,
                                                .size = sizeof(struct sl_queue_on_device),
                                                .destroy = destroy,
                                                .released = released,
                                                .pool = &pool};

static struct sl_queue_on_device *find_default_locked(cl_context context, cl_device_id device)
{
    struct sl_queue_on_device *queue = context->device_queues;
    while (queue && (!queue->is_default || queue->device != device))
        queue = queue->next;
    return queue;
}

struct sl_queue_on_device *sl_queue_default(cl_context context, cl_device_id device)
{
    pthread_mutex_lock(&context->lock);
    struct sl_queue_on_device *queue = sl_hold(find_default_locked(context, device));
    pthread_mutex_unlock(&context->lock);
    return queue;
}

cl_command_queue sl_queue_default_handle(cl_context context, cl_device_id device)
{
    pthread_mutex_lock(&context->lock);
    struct sl_queue_on_device *queue = find_default_locked(context, device);
    pthread_mutex_unlock(&context->lock);
    return (cl_command_queue)queue;
}

static cl_int make(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                   cl_uint bytes, const cl_queue_properties *list, cl_uint list_count,
                   struct sl_queue_on_device **out)
{
    const struct sl_device_caps *caps = sl_caps(device);
    struct sl_queue_on_device *queue = sl_object_new(&sl_queue_on_device_type);
    if (!queue)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    cl_int rc = CL_OUT_OF_HOST_MEMORY;
    queue->context = sl_hold(context);
    queue->device = sl_hold(device);
    queue->impl = device->root->impl;
    queue->properties = properties;
    queue->bytes = bytes ? bytes : caps->device_queue_preferred_bytes;
    queue->property_list_count = list_count;
    if (!list_count || (queue->property_list = sl_memdup(list, list_count * sizeof *list)))
        rc = queue->impl->ops->queue_create(queue->impl, queue->bytes, &queue->queue);
    if (rc) {
        sl_discard(queue);
        return sl_refuse(rc, "the device makes no queue");
    }
    *out = queue;
    return CL_SUCCESS;
}

/* Two threads may want the first default at once: one of them gets the other's. */
static struct sl_queue_on_device *enlist(struct sl_queue_on_device *queue)
{
    cl_context context = queue->context;
    struct sl_queue_on_device *before = NULL;
    pthread_mutex_lock(&context->lock);
    if (queue->properties & CL_QUEUE_ON_DEVICE_DEFAULT)
        before = find_default_locked(context, queue->device);
    if (before && sl_retain(before, &sl_queue_on_device_type))
        before = NULL; /* it is about to leave the list */
    if (!before) {
        queue->is_default = queue->properties & CL_QUEUE_ON_DEVICE_DEFAULT;
        queue->next = context->device_queues;
        context->device_queues = queue;
    }
    pthread_mutex_unlock(&context->lock);
    if (!before)
        return queue;
    sl_discard(queue);
    return before;
}

cl_int sl_queue_on_device_create(cl_context context, cl_device_id device,
                                 cl_command_queue_properties properties, cl_uint bytes,
                                 const cl_queue_properties *list, cl_uint list_count,
                                 cl_command_queue *out)
{
    struct sl_queue_on_device *queue = NULL;
    if (!(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return sl_refuse(CL_INVALID_VALUE, "a device queue that is in order");
    if (!sl_device_feature(device, SL_FEATURE_DEVICE_ENQUEUE))
        return sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "there are no device-side queues");
    if (bytes > sl_caps(device)->device_queue_max_bytes)
        return sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "a device queue of %u bytes", bytes);
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_int rc = make(context, device, properties, bytes, list, list_count, &queue);
    if (!rc)
        *out = (cl_command_queue)enlist(queue);
    return rc;
}

cl_int sl_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                         cl_command_queue handle)
{
    struct sl_queue_on_device *queue = (struct sl_queue_on_device *)handle;
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (!sl_valid(device, &sl_device_type) || !sl_context_has_device(context, device))
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the context");
    if (!sl_device_feature(device, SL_FEATURE_DEVICE_ENQUEUE))
        return sl_refuse(CL_INVALID_OPERATION, "no queues on the device");
    if (!sl_valid(handle, &sl_queue_on_device_type) || queue->context != context ||
        queue->device != device)
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a queue on this device");
    pthread_mutex_lock(&context->lock);
    struct sl_queue_on_device *before = find_default_locked(context, device);
    if (before)
        before->is_default = false;
    queue->is_default = true;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

static void answer_list(const void *object, struct sl_answer *a)
{
    const struct sl_queue_on_device *queue = object;
    sl_answer_bytes(a, queue->property_list,
                    queue->property_list_count * sizeof *queue->property_list);
}

static void answer_default(const void *object, struct sl_answer *a)
{
    const struct sl_queue_on_device *queue = object;
    SL_ANSWER(a, cl_command_queue, sl_queue_default_handle(queue->context, queue->device));
}

static const struct sl_info_row rows[] = {
    SL_VALUE(CL_QUEUE_CONTEXT, struct sl_queue_on_device, context),
    SL_VALUE(CL_QUEUE_DEVICE, struct sl_queue_on_device, device),
    SL_CALL(CL_QUEUE_REFERENCE_COUNT, answer_refs),
    SL_VALUE(CL_QUEUE_PROPERTIES, struct sl_queue_on_device, properties),
    SL_CALL(CL_QUEUE_PROPERTIES_ARRAY, answer_list),
    SL_VALUE(CL_QUEUE_SIZE, struct sl_queue_on_device, bytes),
    SL_CALL(CL_QUEUE_DEVICE_DEFAULT, answer_default),
};

cl_int sl_queue_on_device_info(cl_command_queue queue, cl_command_queue_info key, size_t cap,
                               void *out, size_t *need)
{
    return sl_info(rows, SL_LEN(rows), queue, key, cap, out, need);
}
