/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A wait gets an edge from the signal that came before it. If none has, it waits
 * for a user event that the signal sets when it has ended; so a wait may be enqueued first. Nothing
 * is called with a semaphore's lock held. Of a shared semaphore the signal tells the page that it
 * has ended (shared_semaphore.h), and the wait gets an edge from a gate (semaphore_gate.h).
 */
#include "commands/enqueue/semaphore.h"

#include <string.h>
#include <unistd.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "commands/enqueue/semaphore_gate.h"
#include "commands/enqueue/semaphore_properties.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "platform/context.h"
#include "platform/device.h"

static void destroy(struct sl_object *object)
{
    cl_semaphore_khr semaphore = (cl_semaphore_khr)(void *)object;
    if (semaphore->early) /* a wait that nothing can end any more: released, the event has failed */
        sl_clReleaseEvent(semaphore->early);
    sl_drop(semaphore->signal);
    sl_drop(semaphore->taken);
    sl_drop(semaphore->wait);
    sl_shared_semaphore_finish(&semaphore->shared);
    sl_free(semaphore->properties);
    if (semaphore->lock_ready)
        pthread_mutex_destroy(&semaphore->lock);
    sl_drop(semaphore->device);
    sl_drop(semaphore->context);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_semaphore_type = {.name = "semaphore",
                                          .invalid = CL_INVALID_SEMAPHORE_KHR,
                                          .size = sizeof(struct _cl_semaphore_khr),
                                          .destroy = destroy,
                                          .pool = &pool};

/* ---- creation -------------------------------------------------------------------------------- */

static cl_int fill(cl_semaphore_khr semaphore, cl_context context,
                   const cl_semaphore_properties_khr *list,
                   const struct sl_semaphore_wanted *wanted)
{
    pthread_mutex_init(&semaphore->lock, NULL);
    semaphore->lock_ready = true;
    semaphore->context = sl_hold(context);
    semaphore->device = sl_hold(wanted->device);
    semaphore->properties = sl_memdup(list, wanted->entries * sizeof *list);
    semaphore->property_count = wanted->entries;
    if (!semaphore->properties)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the properties");
    if (wanted->exported)
        return sl_shared_semaphore_create(&semaphore->shared);
    return wanted->imported ? sl_shared_semaphore_import(wanted->file, &semaphore->shared)
                            : CL_SUCCESS;
}

static cl_int create(cl_context context, const cl_semaphore_properties_khr *list,
                     cl_semaphore_khr *out)
{
    struct sl_semaphore_wanted wanted;
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    cl_int rc = sl_semaphore_properties_read(context, list, &wanted);
    if (rc)
        return rc;
    cl_semaphore_khr semaphore = sl_object_new(&sl_semaphore_type);
    if (!semaphore)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a semaphore");
    rc = fill(semaphore, context, list, &wanted);
    if (rc) {
        sl_discard(semaphore);
        return rc;
    }
    if (wanted.imported) /* the mapping keeps what it names */
        close(wanted.file);
    *out = semaphore;
    return CL_SUCCESS;
}

cl_semaphore_khr CL_API_CALL sl_clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret)
{
    cl_semaphore_khr semaphore = NULL;
    cl_int rc = create(context, sema_props, &semaphore);
    if (errcode_ret)
        *errcode_ret = rc;
    return semaphore;
}

cl_int CL_API_CALL sl_clRetainSemaphoreKHR(cl_semaphore_khr sema_object)
{
    return sl_retain(sema_object, &sl_semaphore_type);
}

cl_int CL_API_CALL sl_clReleaseSemaphoreKHR(cl_semaphore_khr sema_object)
{
    return sl_release(sema_object, &sl_semaphore_type);
}

/* ---- export ---------------------------------------------------------------------------------- */

cl_int CL_API_CALL
sl_clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                  cl_external_semaphore_handle_type_khr handle_type,
                                  size_t handle_size, void *handle_ptr, size_t *handle_size_ret)
{
    int file;
    if (!sl_valid(sema_object, &sl_semaphore_type))
        return sl_refuse(CL_INVALID_SEMAPHORE_KHR, "not a valid semaphore");
    if (!sl_valid(device, &sl_device_type) ||
        !sl_context_has_device(sema_object->context, device) ||
        (sema_object->device && sema_object->device != device))
        return sl_refuse(CL_INVALID_DEVICE, "the semaphore is not for this device");
    if (!sema_object->shared.exportable || handle_type != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
        return sl_refuse(CL_INVALID_VALUE, "the semaphore was not made for handles of type 0x%x",
                         handle_type);
    if (handle_ptr && handle_size < sizeof file)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes for a descriptor", handle_size);
    cl_int rc = handle_ptr ? sl_shared_semaphore_export(&sema_object->shared, &file) : CL_SUCCESS;
    if (rc)
        return rc;
    if (handle_ptr)
        memcpy(handle_ptr, &file, sizeof file);
    if (handle_size_ret)
        *handle_size_ret = sizeof file;
    return CL_SUCCESS;
}

/* ---- commands -------------------------------------------------------------------------------- */

static cl_int check_semaphore(cl_command_queue queue, cl_semaphore_khr semaphore)
{
    if (!sl_valid(semaphore, &sl_semaphore_type))
        return sl_refuse(CL_INVALID_SEMAPHORE_KHR, "not a valid semaphore");
    if (!sl_context_has_device(semaphore->context, queue->device))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "the semaphore is of other devices");
    if (semaphore->context != queue->context)
        return sl_refuse(CL_INVALID_CONTEXT, "the semaphore belongs to another context");
    if (semaphore->device && semaphore->device != queue->device)
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "the semaphore is of another device");
    return CL_SUCCESS;
}

static cl_int check(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list,
                    cl_uint wait_count, const cl_event *wait_list)
{
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (!count || !list)
        return sl_refuse(CL_INVALID_VALUE, "%u semaphores, list %p", count, (const void *)list);
    for (cl_uint i = 0; i < count; i++) {
        cl_int rc = check_semaphore(queue, list[i]);
        if (rc)
            return rc;
    }
    return sl_check_intact_list(queue->context, wait_count, wait_list);
}

static void replace(cl_event *place, cl_event event)
{
    cl_event before = *place;
    *place = event;
    sl_drop(before);
}

/* The shared ones of the list are held by the command, in the order of the list, and nothing else.
 */
static cl_int keep_shared(cl_event command, cl_uint count, const cl_semaphore_khr *list)
{
    cl_int rc = CL_SUCCESS;
    for (cl_uint i = 0; i < count && !rc; i++)
        if (list[i]->shared.page)
            rc = sl_command_keep(command, list[i]);
    return rc;
}

static const struct sl_shared_semaphore *shared_of(cl_event command, uint32_t which)
{
    const struct _cl_semaphore_khr *semaphore = command->held[which];
    return &semaphore->shared;
}

/* Goes to its queue, held for us; the application has its reference if it asked for one. */
static cl_int submit(cl_event command, cl_uint count, const cl_event *list, cl_event *event,
                     cl_event *out)
{
    cl_event made = NULL;
    cl_int rc = sl_command_submit(command, count, list, false, &made);
    if (rc)
        return rc;
    *out = sl_hold(made);
    if (event)
        *event = made;
    else
        sl_discard(made);
    return CL_SUCCESS;
}

/* What the wait has to wait for at this semaphore, held. */
static cl_int take_signal(cl_semaphore_khr semaphore, cl_event *out)
{
    pthread_mutex_lock(&semaphore->lock);
    cl_event signal = semaphore->signal;
    semaphore->signal = NULL;
    pthread_mutex_unlock(&semaphore->lock);
    cl_int rc = CL_SUCCESS;
    if (!signal) {
        signal = sl_clCreateUserEvent(semaphore->context, &rc);
        if (rc)
            return rc;
        sl_hold(signal);
        pthread_mutex_lock(&semaphore->lock);
        cl_event before = semaphore->early;
        semaphore->early = signal;
        pthread_mutex_unlock(&semaphore->lock);
        if (before) /* waited for twice without a signal between: undefined, but it ends */
            sl_clReleaseEvent(before);
    }
    *out = signal;
    return rc;
}

static void note_wait(cl_semaphore_khr semaphore, cl_event taken, cl_event wait)
{
    pthread_mutex_lock(&semaphore->lock);
    replace(&semaphore->taken, sl_hold(taken));
    replace(&semaphore->wait, sl_hold(wait));
    pthread_mutex_unlock(&semaphore->lock);
}

/* There is no wait after all. */
static void put_back(cl_semaphore_khr semaphore, cl_event signal)
{
    if (!signal || signal->how == SL_HOW_USER)
        return;
    pthread_mutex_lock(&semaphore->lock);
    if (!semaphore->signal)
        semaphore->signal = sl_hold(signal);
    pthread_mutex_unlock(&semaphore->lock);
}

static void shared_waited(cl_event wait)
{
    for (uint32_t i = 0; i < wait->held_count; i++)
        sl_shared_semaphore_waited(shared_of(wait, i));
}

static cl_int enqueue_wait(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list,
                           cl_uint edge_count, const cl_event *edges, cl_event *event,
                           cl_event *out)
{
    cl_event wait;
    cl_int rc = sl_command_create(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, SL_HOW_NOTHING, &wait);
    if (rc)
        return rc;
    rc = keep_shared(wait, count, list);
    if (rc) {
        sl_command_abandon(wait);
        return rc;
    }
    wait->on_finish = shared_waited;
    return submit(wait, edge_count, edges, event, out);
}

/* What the wait has to wait for; NULL: nothing. */
static cl_int take(cl_semaphore_khr semaphore, cl_event *out)
{
    return semaphore->shared.page ? sl_semaphore_gate(semaphore, out) : take_signal(semaphore, out);
}

/* What was taken, if the wait came to be or not. */
static void note_taken(cl_semaphore_khr semaphore, cl_event taken, cl_event wait)
{
    const bool shared = semaphore->shared.page;
    if (shared && taken && !wait)
        sl_semaphore_gate_shut(semaphore, taken);
    else if (!shared && wait)
        note_wait(semaphore, taken, wait);
    else if (!shared)
        put_back(semaphore, taken);
    sl_drop(taken);
}

static cl_int wait_for(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list,
                       cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    cl_event wait = NULL;
    cl_event *all = sl_zalloc(((size_t)wait_count + 2 * (size_t)count) * sizeof *all);
    if (!all)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %u semaphores", count);
    cl_event *taken = all + wait_count + count;
    cl_uint edges = wait_count;
    cl_int rc = CL_SUCCESS;
    if (wait_count)
        memcpy(all, wait_list, wait_count * sizeof *all);
    for (cl_uint i = 0; i < count && !rc; i++) {
        rc = take(list[i], &taken[i]);
        if (taken[i])
            all[edges++] = taken[i];
    }
    if (!rc)
        rc = enqueue_wait(queue, count, list, edges, edges ? all : NULL, event, &wait);
    for (cl_uint i = 0; i < count; i++)
        note_taken(list[i], taken[i], wait);
    sl_drop(wait);
    sl_free(all);
    return rc;
}

cl_int CL_API_CALL sl_clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
                                                 cl_uint num_sema_objects,
                                                 const cl_semaphore_khr *sema_objects,
                                                 const cl_semaphore_payload_khr *sema_payload_list,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event)
{
    (void)sema_payload_list; /* binary ones have none */
    cl_int rc = check(command_queue, num_sema_objects, sema_objects, num_events_in_wait_list,
                      event_wait_list);
    return rc ? rc
              : wait_for(command_queue, num_sema_objects, sema_objects, num_events_in_wait_list,
                         event_wait_list, event);
}

/* The signal has ended: so does what an earlier wait waits for, in the same way. */
static void CL_CALLBACK pass_on(cl_event signal, cl_int status, void *early)
{
    (void)signal;
    sl_clSetUserEventStatus(early, status);
    sl_clReleaseEvent(early);
}

static cl_int note_signal(cl_semaphore_khr semaphore, cl_event signal)
{
    pthread_mutex_lock(&semaphore->lock);
    cl_event early = semaphore->early;
    semaphore->early = NULL;
    replace(early ? &semaphore->taken : &semaphore->signal, sl_hold(signal));
    pthread_mutex_unlock(&semaphore->lock);
    if (!early)
        return CL_SUCCESS;
    cl_int rc = sl_clSetEventCallback(signal, CL_COMPLETE, pass_on, early);
    if (rc)
        sl_clReleaseEvent(early); /* fails, and the wait with it */
    return rc;
}

static void shared_signaled(cl_event signal)
{
    const uint64_t *numbers = signal->args;
    for (uint32_t i = 0; i < signal->held_count; i++)
        sl_shared_semaphore_signal(shared_of(signal, i), numbers[i], signal->result);
}

static cl_int enqueue_signal(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                             cl_event *out)
{
    cl_event signal;
    cl_int rc = sl_command_create(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, SL_HOW_NOTHING, &signal);
    if (rc)
        return rc;
    rc = keep_shared(signal, count, list);
    if (!rc)
        rc = sl_command_args(signal, signal->held_count * sizeof(uint64_t));
    if (rc) {
        sl_command_abandon(signal);
        return rc;
    }
    uint64_t *numbers = signal->args;
    for (uint32_t i = 0; i < signal->held_count; i++)
        numbers[i] = sl_shared_semaphore_promise(shared_of(signal, i));
    signal->on_finish = shared_signaled;
    return submit(signal, wait_count, wait_list, event, out);
}

static cl_int signal_all(cl_command_queue queue, cl_uint count, const cl_semaphore_khr *list,
                         cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    cl_event mine = NULL, signal = NULL;
    cl_int rc = enqueue_signal(queue, count, list, wait_count, wait_list, &mine, &signal);
    if (rc)
        return rc;
    for (cl_uint i = 0; i < count; i++) {
        cl_int noted = list[i]->shared.page ? CL_SUCCESS : note_signal(list[i], signal);
        rc = rc ? rc : noted;
    }
    sl_drop(signal);
    if (event && !rc)
        *event = mine;
    else
        sl_discard(mine);
    return rc;
}

cl_int CL_API_CALL sl_clEnqueueSignalSemaphoresKHR(
    cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects,
    const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    (void)sema_payload_list;
    cl_int rc = check(command_queue, num_sema_objects, sema_objects, num_events_in_wait_list,
                      event_wait_list);
    return rc ? rc
              : signal_all(command_queue, num_sema_objects, sema_objects, num_events_in_wait_list,
                           event_wait_list, event);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

static void answer_properties(const void *object, struct sl_answer *a)
{
    const struct _cl_semaphore_khr *semaphore = object;
    sl_answer_bytes(a, semaphore->properties,
                    semaphore->property_count * sizeof *semaphore->properties);
}

static bool has_ended(cl_event event)
{
    return event && atomic_load_explicit(&event->status, memory_order_acquire) == CL_COMPLETE;
}

/* Signaled from the end of a signal to the end of the wait that it is for. */
static void answer_payload(const void *object, struct sl_answer *a)
{
    cl_semaphore_khr semaphore = (cl_semaphore_khr)(uintptr_t)object;
    pthread_mutex_lock(&semaphore->lock);
    bool signaled = has_ended(semaphore->signal) ||
                    (has_ended(semaphore->taken) && !has_ended(semaphore->wait));
    pthread_mutex_unlock(&semaphore->lock);
    if (semaphore->shared.page)
        signaled = sl_shared_semaphore_payload(&semaphore->shared);
    SL_ANSWER(a, cl_semaphore_payload_khr, signaled ? 1 : 0);
}

static void answer_devices(const void *object, struct sl_answer *a)
{
    const struct _cl_semaphore_khr *semaphore = object;
    if (semaphore->device)
        sl_answer_bytes(a, &semaphore->device, sizeof semaphore->device);
    else
        sl_answer_bytes(a, semaphore->context->devices,
                        semaphore->context->device_count * sizeof(cl_device_id));
}

static void answer_exportable(const void *object, struct sl_answer *a)
{
    const struct _cl_semaphore_khr *semaphore = object;
    SL_ANSWER(a, cl_bool, semaphore->shared.exportable ? CL_TRUE : CL_FALSE);
}

static void answer_exports(const void *object, struct sl_answer *a)
{
    const struct _cl_semaphore_khr *semaphore = object;
    const cl_external_semaphore_handle_type_khr fd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
    sl_answer_bytes(a, &fd, semaphore->shared.exportable ? sizeof fd : 0);
}

static const struct sl_info_row rows[] = {
    SL_VALUE(CL_SEMAPHORE_CONTEXT_KHR, struct _cl_semaphore_khr, context),
    SL_CALL(CL_SEMAPHORE_REFERENCE_COUNT_KHR, answer_refs),
    SL_CALL(CL_SEMAPHORE_PROPERTIES_KHR, answer_properties),
    SL_CONST(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
    SL_CALL(CL_SEMAPHORE_PAYLOAD_KHR, answer_payload),
    SL_CALL(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, answer_devices),
    SL_CALL(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, answer_exports),
    SL_CALL(CL_SEMAPHORE_EXPORTABLE_KHR, answer_exportable),
};

cl_int CL_API_CALL sl_clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
                                            cl_semaphore_info_khr param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret)
{
    if (!sl_valid(sema_object, &sl_semaphore_type))
        return sl_refuse(CL_INVALID_SEMAPHORE_KHR, "not a valid semaphore");
    return sl_info(rows, SL_LEN(rows), sema_object, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
