/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command queues: life, queries, flush and finish. queue->lock guards the commands in the queue
 * (their order: command_order.c); here it is only taken to look at the oldest and newest.
 */
#include "commands/queue/queue.h"
#include "base/thread/fork.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/heard.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "base/query/info.h"
#include "base/thread/graph_walk.h"
#include "commands/queue/command.h"
#include "commands/queue/native_scope.h"
#include "commands/queue/waiting.h"
#include "memory/device_queue.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"
#include "sluice/base/wait.h"

/* What is left of a queue after its handle is gone; done on the callback thread when the last
 * command ended inside the device, which could neither lose its work queue there nor join its
 * threads. */
struct sl_queue_remains {
    struct sl_callback_task task;
    struct sl_device *impl;
    struct sl_work_queue *work_queue;
    cl_device_id device; /* held */
    cl_context context;  /* held */
};

static void end_remains(void *data)
{
    struct sl_queue_remains *r = data;
    if (r->work_queue)
        r->impl->ops->work_queue_destroy(r->work_queue);
    sl_drop(r->device);
    sl_drop(r->context);
    sl_free(r);
}

static void enlist(cl_command_queue queue)
{
    cl_context context = queue->context;
    pthread_mutex_lock(&context->lock);
    cl_command_queue before = queue->context_previous = context->newest_queue;
    queue->number = ++context->queue_count;
    *(before ? &before->context_next : &context->queues) = queue;
    context->newest_queue = queue;
    pthread_mutex_unlock(&context->lock);
}

static void delist(cl_command_queue queue)
{
    cl_context context = queue->context;
    pthread_mutex_lock(&context->lock);
    cl_command_queue before = queue->context_previous, after = queue->context_next;
    *(before ? &before->context_next : &context->queues) = after;
    *(after ? &after->context_previous : &context->newest_queue) = before;
    pthread_mutex_unlock(&context->lock);
}

static void queue_destroy(struct sl_object *object)
{
    cl_command_queue queue = (cl_command_queue)object;
    if (queue->number)
        delist(queue);
    sl_free(queue->property_list);
    if (queue->scope)
        sl_native_scope_free(queue->scope);
    if (queue->lock_ready)
        pthread_mutex_destroy(&queue->lock);
    struct sl_queue_remains *r = queue->remains;
    if (!r)
        return;
    r->task = (struct sl_callback_task){.run = end_remains, .data = r};
    if (sl_inside_graph())
        sl_callback_post_task(&r->task);
    else
        end_remains(r);
}

static struct sl_object_pool queue_pool = SL_OBJECT_POOL;
const struct sl_type sl_queue_type = {.name = "command queue",
                                      .invalid = CL_INVALID_COMMAND_QUEUE,
                                      .size = sizeof(struct _cl_command_queue),
                                      .destroy = queue_destroy,
                                      .pool = &queue_pool,
                                      .kept = offsetof(struct _cl_command_queue, leaving),
                                      .parent = true};

struct wanted { /* a checked property list */
    const cl_queue_properties *list;
    cl_uint count; /* entries with terminator; 0: no list */
    cl_command_queue_properties bits;
    cl_uint bytes;                  /* 0: not named */
    cl_queue_priority_khr priority; /* 0: not named */
};

static enum sl_priority priority_of(cl_queue_priority_khr priority)
{
    return priority == CL_QUEUE_PRIORITY_HIGH_KHR  ? SL_PRIORITY_HIGH
           : priority == CL_QUEUE_PRIORITY_LOW_KHR ? SL_PRIORITY_LOW
                                                   : SL_PRIORITY_MEDIUM;
}

static cl_int create_work_queue(cl_command_queue queue, cl_queue_priority_khr priority)
{
    cl_device_id device = queue->device;
    struct sl_work_queue_desc desc = {.out_of_order = !SL_QUEUE_IN_ORDER(queue),
                                      .units = device->unit_list,
                                      .unit_count = device->unit_list ? device->units : 0,
                                      .bound = device->bound,
                                      .caller_runs = SL_QUEUE_CALLER_RUNS(queue),
                                      .priority = priority_of(priority)};
    cl_int rc = queue->impl->ops->work_queue_create(queue->impl, &desc, &queue->work_queue);
    if (rc)
        return sl_refuse(rc, "the device makes no work queue");
    queue->remains->work_queue = queue->work_queue;
    return CL_SUCCESS;
}

static void init_lock(cl_command_queue queue)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    /* Held for tens of instructions: spinning a little beats sleeping. */
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&queue->lock, &attr);
    pthread_mutexattr_destroy(&attr);
    queue->lock_ready = true;
}

static cl_int create_queue(cl_context context, cl_device_id device, const struct wanted *wanted,
                           cl_command_queue *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_command_queue queue = sl_object_new(&sl_queue_type);
    if (!queue)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    cl_int rc = CL_OUT_OF_HOST_MEMORY;
    queue->remains = sl_zalloc(sizeof *queue->remains);
    if (!queue->remains)
        goto fail;
    init_lock(queue);
    queue->context = queue->remains->context = sl_hold(context);
    queue->device = queue->remains->device = sl_hold(device);
    queue->impl = queue->remains->impl = device->root->impl;
    queue->properties = wanted->bits;
    queue->property_list_count = wanted->count;
    if (wanted->count &&
        !(queue->property_list = sl_memdup(wanted->list, wanted->count * sizeof *wanted->list)))
        goto fail;
    rc = create_work_queue(queue, wanted->priority);
    if (rc)
        goto fail;
    enlist(queue);
    *out = queue;
    return CL_SUCCESS;
fail:
    sl_discard(queue);
    return rc;
}

cl_int sl_queue_create_scoped(cl_command_queue parent, struct sl_native_scope *scope,
                              cl_command_queue *out)
{
    const struct wanted wanted = {.bits = parent->properties};
    cl_int rc = create_queue(parent->context, parent->device, &wanted, out);
    if (!rc)
        (*out)->scope = scope;
    return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static cl_int check_place(cl_context context, cl_device_id device)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (!sl_valid(device, &sl_device_type) || !sl_context_has_device(context, device))
        return sl_refuse(CL_INVALID_DEVICE, "not a device of the context");
    return CL_SUCCESS;
}

static cl_int check_bits(cl_device_id device, cl_command_queue_properties bits)
{
    const cl_command_queue_properties here = CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL;
    const cl_command_queue_properties offered =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE | here;
    const cl_command_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    if (bits & ~(offered | on_device))
        return sl_refuse(CL_INVALID_VALUE, "unknown queue properties 0x%llx",
                         (unsigned long long)bits);
    if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
        return sl_refuse(CL_INVALID_VALUE, "a default device queue that is no device queue");
    if (bits & here && bits & CL_QUEUE_ON_DEVICE)
        return sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "no thread enqueues to a device queue");
    if (bits & here && !(sl_device_queue_properties(device) & here))
        return sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "the device runs nothing on its callers");
    return CL_SUCCESS;
}

cl_command_queue sl_clCreateCommandQueue(cl_context context, cl_device_id device,
                                         cl_command_queue_properties properties,
                                         cl_int *errcode_ret)
{
    cl_command_queue queue = NULL;
    cl_int rc = check_place(context, device);
    if (!rc)
        rc = check_bits(device, properties);
    if (!rc && properties & CL_QUEUE_ON_DEVICE)
        rc = sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "device queues are made with properties");
    if (!rc)
        rc = create_queue(context, device, &(struct wanted){.bits = properties}, &queue);
    if (errcode_ret)
        *errcode_ret = rc;
    return queue;
}

/* Takes one pair. */
static cl_int take_property(struct wanted *wanted, cl_queue_properties name,
                            cl_queue_properties value)
{
    switch (name) {
    case CL_QUEUE_PROPERTIES:
        wanted->bits = value;
        return CL_SUCCESS;
    case CL_QUEUE_PRIORITY_KHR:
        if (value != CL_QUEUE_PRIORITY_HIGH_KHR && value != CL_QUEUE_PRIORITY_MED_KHR &&
            value != CL_QUEUE_PRIORITY_LOW_KHR)
            return sl_refuse(CL_INVALID_VALUE, "there is no priority 0x%llx",
                             (unsigned long long)value);
        wanted->priority = (cl_queue_priority_khr)value;
        return CL_SUCCESS;
    default: /* CL_QUEUE_SIZE */
        if (!value)
            return sl_refuse(CL_INVALID_VALUE, "a queue of 0 bytes");
        wanted->bytes = value < UINT32_MAX ? (cl_uint)value : UINT32_MAX;
        return CL_SUCCESS;
    }
}

static cl_int check_wanted(cl_device_id device, const struct wanted *wanted)
{
    const bool on_device = wanted->bits & CL_QUEUE_ON_DEVICE;
    cl_int rc = check_bits(device, wanted->bits);
    if (!rc && wanted->bytes && !on_device)
        return sl_refuse(CL_INVALID_VALUE, "a size for a queue that is not on the device");
    if (!rc && wanted->priority && on_device)
        return sl_refuse(CL_INVALID_QUEUE_PROPERTIES, "a device queue has no priority");
    return rc;
}

/* Pairs of name and value, then 0. */
static cl_int parse_list(cl_device_id device, const cl_queue_properties *list,
                         struct wanted *wanted)
{
    static const cl_queue_properties names[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_SIZE,
                                                CL_QUEUE_PRIORITY_KHR};
    unsigned seen = 0;
    cl_uint i = 0;
    *wanted = (struct wanted){.list = list};
    for (; list && list[i]; i += 2) {
        size_t name = 0;
        while (name < SL_LEN(names) && names[name] != list[i])
            name++;
        if (name == SL_LEN(names) || seen & 1u << name)
            return sl_refuse(CL_INVALID_VALUE, "queue property 0x%llx is unknown or repeated",
                             (unsigned long long)list[i]);
        seen |= 1u << name;
        cl_int rc = take_property(wanted, list[i], list[i + 1]);
        if (rc)
            return rc;
    }
    wanted->count = list ? i + 1 : 0;
    return check_wanted(device, wanted);
}

static cl_int create_wanted(cl_context context, cl_device_id device, const struct wanted *wanted,
                            cl_command_queue *out)
{
    if (wanted->bits & CL_QUEUE_ON_DEVICE)
        return sl_queue_on_device_create(context, device, wanted->bits, wanted->bytes, wanted->list,
                                         wanted->count, out);
    return create_queue(context, device, wanted, out);
}

cl_command_queue sl_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                       const cl_queue_properties *list,
                                                       cl_int *errcode_ret)
{
    cl_command_queue queue = NULL;
    struct wanted wanted;
    cl_int rc = check_place(context, device);
    if (!rc)
        rc = parse_list(device, list, &wanted);
    if (!rc)
        rc = create_wanted(context, device, &wanted, &queue);
    if (errcode_ret)
        *errcode_ret = rc;
    return queue;
}

/* Of a handle that may be either's. */
static const struct sl_type *type_of(cl_command_queue queue)
{
    return sl_valid(queue, &sl_queue_on_device_type) ? &sl_queue_on_device_type : &sl_queue_type;
}

cl_int sl_clRetainCommandQueue(cl_command_queue queue)
{
    return sl_retain(queue, type_of(queue));
}

static bool is_empty(cl_command_queue queue)
{
    pthread_mutex_lock(&queue->lock);
    bool empty = !queue->last && !queue->live_head;
    pthread_mutex_unlock(&queue->lock);
    return empty;
}

/* A queue whose commands have all ended ends here and now, with all that hangs on it, and not a
 * moment later on a device's thread that has yet to let go of its last command. */
static void await_leaving(cl_command_queue queue)
{
    if (sl_api_refs(queue) != 1 || sl_inside_graph() || !is_empty(queue))
        return;
    for (unsigned tries = 0; atomic_load_explicit(&queue->leaving, memory_order_acquire); tries++)
        sl_let_others(tries);
}

cl_int sl_clReleaseCommandQueue(cl_command_queue queue)
{
    if (sl_valid(queue, &sl_queue_type) && !sl_forked()) {
        sl_queue_flush(queue);
        await_leaving(queue);
    }
    return sl_release(queue, type_of(queue));
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

static void answer_list(const void *object, struct sl_answer *a)
{
    const struct _cl_command_queue *queue = object;
    sl_answer_bytes(a, queue->property_list,
                    queue->property_list_count * sizeof *queue->property_list);
}

static void answer_size(const void *object, struct sl_answer *a)
{
    (void)object;
    a->rc = CL_INVALID_COMMAND_QUEUE; /* only device-side queues have a size */
}

static void answer_default(const void *object, struct sl_answer *a)
{
    const struct _cl_command_queue *queue = object;
    SL_ANSWER(a, cl_command_queue, sl_queue_default_handle(queue->context, queue->device));
}

static const struct sl_info_row queue_rows[] = {
    SL_VALUE(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
    SL_VALUE(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
    SL_CALL(CL_QUEUE_REFERENCE_COUNT, answer_refs),
    SL_VALUE(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
    SL_CALL(CL_QUEUE_PROPERTIES_ARRAY, answer_list),
    SL_CALL(CL_QUEUE_SIZE, answer_size),
    SL_CALL(CL_QUEUE_DEVICE_DEFAULT, answer_default),
};

cl_int sl_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info key, size_t cap,
                                void *out, size_t *need)
{
    if (sl_valid(queue, &sl_queue_on_device_type))
        return sl_queue_on_device_info(queue, key, cap, out, need);
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    return sl_info(queue_rows, SL_LEN(queue_rows), queue, key, cap, out, need);
}

cl_int sl_clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                    cl_bool enable, cl_command_queue_properties *old)
{
    (void)properties, (void)enable, (void)old;
    if (!sl_valid(queue, type_of(queue)))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    return sl_refuse(CL_INVALID_OPERATION, "properties of a queue are fixed since OpenCL 1.1");
}

/* ---- commands without a command -------------------------------------------------------------- */

bool sl_queue_enter_idle(cl_command_queue queue)
{
    if (queue->scope)
        return false; /* each of its commands is counted */
    pthread_mutex_lock(&queue->lock);
    bool told = !atomic_load_explicit(&queue->lost_unseen, memory_order_relaxed);
    if (!queue->last && !queue->barrier && !queue->live_head && told) {
        sl_heard_now();
        return true;
    }
    pthread_mutex_unlock(&queue->lock);
    return false;
}

void sl_queue_leave_idle(cl_command_queue queue)
{
    pthread_mutex_unlock(&queue->lock);
}

/* ---- flush and finish ------------------------------------------------------------------------ */

void sl_queue_flush(cl_command_queue queue)
{
    if (queue->impl->ops->flush)
        queue->impl->ops->flush(queue->work_queue);
}

/* The next of the context's queues behind number `last`, held. */
static cl_command_queue next_of(cl_context context, uint64_t last)
{
    pthread_mutex_lock(&context->lock);
    cl_command_queue queue = context->queues;
    while (queue && (queue->number <= last || !sl_hold_alive(queue)))
        queue = queue->context_next;
    pthread_mutex_unlock(&context->lock);
    return queue;
}

void sl_queue_flush_all(cl_context context)
{
    cl_command_queue queue;
    for (uint64_t last = 0; (queue = next_of(context, last));) {
        last = queue->number;
        sl_queue_flush(queue);
        sl_drop(queue);
    }
}

/* The oldest command that is still to be waited for, held; NULL when there is none. */
static cl_event oldest(cl_command_queue queue, uint64_t newest_serial)
{
    pthread_mutex_lock(&queue->lock);
    cl_event e = SL_QUEUE_IN_ORDER(queue) ? queue->last : queue->live_head;
    /* Of an in-order queue the last command is waited for even if it came later: it cannot end
     * before those that were there. */
    if (e && !SL_QUEUE_IN_ORDER(queue) && e->serial > newest_serial)
        e = NULL;
    sl_hold(e);
    pthread_mutex_unlock(&queue->lock);
    return e;
}

/* In an order of its own, a queue passes no failure on: the last command may be fine. */
static void await_all(cl_command_queue queue)
{
    pthread_mutex_lock(&queue->lock);
    uint64_t newest_serial = queue->serial;
    pthread_mutex_unlock(&queue->lock);
    const struct sl_awaited all_of_it = {.queue = queue};
    for (cl_event e; (e = oldest(queue, newest_serial));) {
        bool all = SL_QUEUE_IN_ORDER(queue);
        sl_event_wait(e, &all_of_it);
        sl_drop(e);
        if (all)
            return;
    }
}

cl_int sl_queue_finish(cl_command_queue queue)
{
    unsigned before = atomic_load_explicit(&queue->losses, memory_order_relaxed);
    await_all(queue);
    sl_heard_now();
    unsigned losses = atomic_load_explicit(&queue->losses, memory_order_acquire);
    bool more = losses != before;
    if (more)
        atomic_store_explicit(&queue->losses_told, losses, memory_order_relaxed);
    int unseen = atomic_exchange_explicit(&queue->lost_unseen, 0, memory_order_relaxed);
    return more ? atomic_load_explicit(&queue->lost, memory_order_relaxed) : unseen;
}

unsigned sl_queue_give_up(cl_command_queue queue, cl_int status)
{
    if (status != SL_STALLED && status != SL_IO_FAILED)
        return 0;
    atomic_store_explicit(&queue->lost, status, memory_order_relaxed);
    return atomic_fetch_add_explicit(&queue->losses, 1, memory_order_release) + 1;
}

void sl_queue_lose(cl_command_queue queue, cl_int status, unsigned given_up)
{
    bool expected = status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
                    status == CL_PIPE_EMPTY || status == CL_PIPE_FULL;
    unsigned told = atomic_load_explicit(&queue->losses_told, memory_order_relaxed);
    if (!expected && !(given_up && given_up <= told))
        atomic_store_explicit(&queue->lost_unseen, status, memory_order_release);
}

cl_int sl_queue_lost(cl_command_queue queue)
{
    if (!SL_QUEUE_IN_ORDER(queue) ||
        !atomic_load_explicit(&queue->lost_unseen, memory_order_acquire))
        return CL_SUCCESS;
    cl_int lost = atomic_exchange_explicit(&queue->lost_unseen, 0, memory_order_relaxed);
    if (!lost)
        return CL_SUCCESS;
    return sl_refuse_known(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                           "a command in front failed: %s", sl_error_name(lost));
}

cl_int sl_clFlush(cl_command_queue queue)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    sl_queue_flush(queue);
    return CL_SUCCESS;
}

cl_int sl_clFinish(cl_command_queue queue)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    if (queue->scope && sl_native_scope_is_open(queue->scope))
        return sl_refuse(CL_INVALID_OPERATION, "a native command's function must not wait");
    cl_int lost = sl_queue_finish(queue);
    return lost ? sl_refuse_known(lost, "a command was given up") : CL_SUCCESS;
}
