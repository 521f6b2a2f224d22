/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_context. A context's own lock guards its destructor list, its allocations (svm_allocation.c),
 * its queues (queue.c). `life_lock` guards the number of contexts and is held while the first
 * starts and the last stops threads, so that these pair; `list_lock` guards the list of contexts.
 * Spec 4.4.
 */
#include "platform/context.h"
#include "base/thread/fork.h"

#include <CL/cl_ext_sluice.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "base/object/word_watch.h"
#include "base/query/info.h"
#include "base/thread/graph_walk.h"
#include "base/thread/pin.h"
#include "platform/device.h"
#include "platform/hooks.h"
#include "platform/notice.h"
#include "platform/platform.h"

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned alive; /* contexts whose devices are started */

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static cl_context contexts; /* that are complete; guarded by list_lock, like their links */

static void enlist(cl_context context)
{
    pthread_mutex_lock(&list_lock);
    context->next = contexts;
    if (contexts)
        contexts->previous = context;
    contexts = context;
    pthread_mutex_unlock(&list_lock);
}

static void delist(cl_context context)
{
    pthread_mutex_lock(&list_lock);
    if (context->previous)
        context->previous->next = context->next;
    else if (contexts == context)
        contexts = context->next;
    if (context->next)
        context->next->previous = context->previous;
    pthread_mutex_unlock(&list_lock);
}

/* ---- threads come with the first context and go with the last -------------------------------- */

static cl_int start_devices(const cl_device_id *devices, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++) {
        cl_int rc = sl_device_start(devices[i]);
        if (!rc)
            continue;
        const char *name = devices[i]->impl->caps.name;
        while (i)
            sl_device_stop(devices[--i]);
        return sl_refuse(CL_OUT_OF_RESOURCES, "%s does not start (%d)", name, rc);
    }
    return CL_SUCCESS;
}

static cl_int start(const cl_device_id *devices, cl_uint count)
{
    pthread_mutex_lock(&life_lock);
    if (!alive) {
        sl_fork_watch(true);
        sl_pin_library();
    }
    cl_int rc = start_devices(devices, count);
    if (!rc && !alive++)
        sl_hooks.contexts_begin();
    if (!alive)
        sl_fork_watch(false);
    pthread_mutex_unlock(&life_lock);
    return rc;
}

struct ending {            /* what is left to do once the context object is gone */
    cl_device_id *devices; /* owned array, held devices */
    cl_uint device_count;
};

static void stop(struct ending *ending)
{
    pthread_mutex_lock(&life_lock);
    for (cl_uint i = 0; i < ending->device_count; i++)
        sl_device_stop(ending->devices[i]);
    bool last = !--alive;
    if (last)
        sl_hooks.contexts_end();
    pthread_mutex_unlock(&life_lock);
    if (last) {
        /* Without the lock: the application's callbacks may make or release contexts. */
        sl_word_watch_shutdown();
        sl_callback_shutdown();
        pthread_mutex_lock(&life_lock);
        if (!alive)
            sl_fork_watch(false);
        pthread_mutex_unlock(&life_lock);
    }
    for (cl_uint i = 0; i < ending->device_count; i++)
        sl_drop(ending->devices[i]);
    sl_free(ending->devices);
}

static void stop_later(void *data)
{
    stop(data);
    sl_free(data);
}

/*
 * The last reference may go on a device's own thread, which cannot wait for itself to end: then
 * the callback thread does it. Elsewhere it is done at once, so that nothing of ours is left when
 * the application's last release returns.
 */
static void finish(struct ending ending)
{
    if (!sl_inside_graph()) {
        stop(&ending);
        return;
    }
    struct ending *later = sl_memdup(&ending, sizeof ending);
    if (!later || sl_callback_post(stop_later, later)) {
        sl_log(SL_LOG_ERROR, "device", "no memory to stop devices");
        sl_free(later);
    }
}

/* ---- destruction ----------------------------------------------------------------------------- */

struct farewell { /* one call of clSetContextDestructorCallback's function */
    void(CL_CALLBACK *call)(cl_context, void *);
    cl_context context; /* a bare value: the object is gone */
    void *user_data;
};

static void say_farewell(void *data)
{
    struct farewell *farewell = data;
    farewell->call(farewell->context, farewell->user_data);
    sl_free(farewell);
}

static void post_farewells(cl_context context)
{
    struct sl_destructor *next;
    for (struct sl_destructor *each = context->destructors; each; each = next) {
        next = each->next;
        struct farewell *farewell = sl_alloc(sizeof *farewell);
        if (farewell) {
            *farewell = (struct farewell){(void(CL_CALLBACK *)(cl_context, void *))each->call,
                                          context, each->user_data};
            if (sl_callback_post(say_farewell, farewell))
                sl_free(farewell);
        }
        sl_free(each);
    }
}

static void destroy(struct sl_object *object)
{
    cl_context context = (cl_context)(void *)object;
    delist(context);
    if (context->notify)
        atomic_fetch_sub_explicit(&sl_report_listeners, 1, memory_order_relaxed);
    post_farewells(context);
    if (context->allocations)
        context->allocations_finish(context);
    struct ending ending = {context->devices, context->device_count};
    sl_free(context->properties);
    pthread_mutex_destroy(&context->lock);
    if (context->running) {
        finish(ending);
        return;
    }
    for (cl_uint i = 0; i < ending.device_count; i++)
        sl_drop(ending.devices[i]);
    sl_free(ending.devices);
}

static struct sl_object_pool pool = SL_OBJECT_POOL;
const struct sl_type sl_context_type = {.name = "context",
                                        .invalid = CL_INVALID_CONTEXT,
                                        .size = sizeof(struct _cl_context),
                                        .destroy = destroy,
                                        .pool = &pool,
                                        .parent = true};

/* ---- creation -------------------------------------------------------------------------------- */

typedef void(CL_CALLBACK *notify_fn)(const char *, const void *, size_t, void *);

struct wanted { /* a checked property list */
    cl_platform_id platform;
    cl_uint entries; /* with terminator; 0: no list */
    cl_bitfield initialize;
};

static cl_int check_property(const cl_context_properties *pair, struct wanted *wanted)
{
    switch (pair[0]) {
    case CL_CONTEXT_PLATFORM:
        wanted->platform = (cl_platform_id)pair[1];
        if (!sl_valid(wanted->platform, &sl_platform_type))
            return sl_refuse(CL_INVALID_PLATFORM, "CL_CONTEXT_PLATFORM is not our platform");
        return CL_SUCCESS;
    case CL_CONTEXT_INTEROP_USER_SYNC:
        if (pair[1] != CL_TRUE && pair[1] != CL_FALSE)
            return sl_refuse(CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC %ld",
                             (long)pair[1]);
        return CL_SUCCESS;
    case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
        wanted->initialize = (cl_bitfield)pair[1];
        if (wanted->initialize & ~(cl_bitfield)(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR |
                                                CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR))
            return sl_refuse(CL_INVALID_PROPERTY, "CL_CONTEXT_MEMORY_INITIALIZE_KHR 0x%lx",
                             (long)pair[1]);
        return CL_SUCCESS;
    default:
        return sl_refuse(CL_INVALID_PROPERTY, "unknown property 0x%lx", (long)pair[0]);
    }
}

static cl_int read_properties(const cl_context_properties *list, struct wanted *wanted)
{
    *wanted = (struct wanted){sl_platform(), list ? 1 : 0, 0};
    for (cl_uint i = 0; list && list[i]; i += 2) {
        for (cl_uint j = 0; j < i; j += 2)
            if (list[j] == list[i])
                return sl_refuse(CL_INVALID_PROPERTY, "property 0x%lx twice", (long)list[i]);
        cl_int rc = check_property(list + i, wanted);
        if (rc)
            return rc;
        wanted->entries += 2;
    }
    if (!wanted->platform)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the platform");
    return CL_SUCCESS;
}

bool sl_context_has_device(cl_context context, cl_device_id device)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i] == device)
            return true;
    return false;
}

bool sl_context_feature(cl_context context, uint32_t feature)
{
    bool any = false;
    for (cl_uint i = 0; i < context->device_count && !any; i++)
        any = sl_device_feature(context->devices[i], feature);
    return any;
}

/* Devices named twice count once. */
static cl_int take_devices(cl_context context, cl_uint count, const cl_device_id *devices)
{
    context->devices = sl_alloc(count * sizeof(cl_device_id));
    if (!context->devices)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++)
        if (!sl_context_has_device(context, devices[i]))
            context->devices[context->device_count++] = sl_hold(devices[i]);
    return CL_SUCCESS;
}

static cl_int fill(cl_context context, const cl_context_properties *list, cl_uint entries,
                   cl_uint count, const cl_device_id *devices)
{
    pthread_mutex_init(&context->lock, NULL);
    if (list) {
        context->properties = sl_memdup(list, entries * sizeof *list);
        if (!context->properties)
            return CL_OUT_OF_HOST_MEMORY;
    }
    context->property_count = entries;
    cl_int rc = take_devices(context, count, devices);
    if (!rc)
        rc = start(context->devices, context->device_count);
    context->running = !rc;
    return rc;
}

/* What is wanted for each group must be possible for each device. */
static cl_int check_initialize(const struct wanted *wanted, cl_uint count,
                               const cl_device_id *devices)
{
    for (cl_uint i = 0; wanted->initialize && i < count; i++)
        if (!sl_device_feature(devices[i], SL_FEATURE_CLEARS))
            return sl_refuse(CL_INVALID_PROPERTY, "device %u does not initialize memory", i);
    return CL_SUCCESS;
}

static cl_int create(const cl_context_properties *list, const struct wanted *wanted, cl_uint count,
                     const cl_device_id *devices, notify_fn notify, void *notify_data,
                     cl_context *out)
{
    cl_int rc = check_initialize(wanted, count, devices);
    if (rc)
        return rc;
    if (sl_forked())
        return sl_refuse(CL_DEVICE_NOT_AVAILABLE, "forked from a process with contexts");
    cl_context context = sl_object_new(&sl_context_type);
    if (!context)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the context");
    context->initialize = wanted->initialize;
    rc = fill(context, list, wanted->entries, count, devices);
    if (rc) {
        sl_discard(context);
        return sl_refuse(rc, "the context cannot be made");
    }
    context->notify = notify;
    context->notify_data = notify_data;
    if (notify)
        atomic_fetch_add_explicit(&sl_report_listeners, 1, memory_order_relaxed);
    enlist(context);
    *out = context;
    return CL_SUCCESS;
}

static cl_int check_devices(cl_platform_id platform, cl_uint count, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < count; i++)
        if (!sl_valid(devices[i], &sl_device_type) || devices[i]->platform != platform)
            return sl_refuse(CL_INVALID_DEVICE, "device %u is not valid", i);
    return CL_SUCCESS;
}

static cl_int create_from_list(const cl_context_properties *list, cl_uint count,
                               const cl_device_id *devices, notify_fn notify, void *notify_data,
                               cl_context *out)
{
    struct wanted wanted;
    cl_int rc = read_properties(list, &wanted);
    if (rc)
        return rc;
    if (!devices || !count)
        return sl_refuse(CL_INVALID_VALUE, "no devices");
    if (!notify && notify_data)
        return sl_refuse(CL_INVALID_VALUE, "user_data without pfn_notify");
    rc = check_devices(wanted.platform, count, devices);
    if (rc)
        return rc;
    return create(list, &wanted, count, devices, notify, notify_data, out);
}

static cl_int create_from_type(const cl_context_properties *list, cl_device_type type,
                               notify_fn notify, void *notify_data, cl_context *out)
{
    struct wanted wanted;
    cl_device_id devices[SL_LEN(((cl_platform_id)0)->devices)];
    cl_int rc = read_properties(list, &wanted);
    if (rc)
        return rc;
    if (!notify && notify_data)
        return sl_refuse(CL_INVALID_VALUE, "user_data without pfn_notify");
    if (!sl_device_type_known(type))
        return sl_refuse(CL_INVALID_DEVICE_TYPE, "0x%llx", (unsigned long long)type);
    cl_uint count = sl_devices_of_type(wanted.platform, type, devices);
    if (!count)
        return sl_no_device(wanted.platform, type);
    return create(list, &wanted, count, devices, notify, notify_data, out);
}

cl_context CL_API_CALL sl_clCreateContext(const cl_context_properties *properties,
                                          cl_uint num_devices, const cl_device_id *devices,
                                          notify_fn pfn_notify, void *user_data,
                                          cl_int *errcode_ret)
{
    cl_context context = NULL;
    cl_int rc = create_from_list(properties, num_devices, devices, pfn_notify, user_data, &context);
    if (errcode_ret)
        *errcode_ret = rc;
    return context;
}

cl_context CL_API_CALL sl_clCreateContextFromType(const cl_context_properties *properties,
                                                  cl_device_type device_type, notify_fn pfn_notify,
                                                  void *user_data, cl_int *errcode_ret)
{
    cl_context context = NULL;
    cl_int rc = create_from_type(properties, device_type, pfn_notify, user_data, &context);
    if (errcode_ret)
        *errcode_ret = rc;
    return context;
}

cl_int CL_API_CALL sl_clRetainContext(cl_context context)
{
    return sl_retain(context, &sl_context_type);
}

cl_int CL_API_CALL sl_clReleaseContext(cl_context context)
{
    return sl_release(context, &sl_context_type);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

cl_int CL_API_CALL sl_clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *pfn_notify)(cl_context context, void *user_data),
    void *user_data)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (!pfn_notify)
        return sl_refuse(CL_INVALID_VALUE, "pfn_notify is NULL");
    struct sl_destructor *destructor = sl_alloc(sizeof *destructor);
    if (!destructor)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the callback");
    destructor->call = (void (*)(void))pfn_notify;
    destructor->user_data = user_data;
    pthread_mutex_lock(&context->lock);
    destructor->next = context->destructors;
    context->destructors = destructor;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

void sl_context_notify(cl_context context, const char *fmt, ...)
{
    char text[512];
    va_list args;
    if (!context->notify)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_notice_post(context, text, NULL);
}

static bool uses_device(const struct _cl_context *context, const struct sl_device *device)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i]->root->impl == device)
            return true;
    return false;
}

/* Queued with the lock: a context that leaves the list has its farewells behind all notices. */
void sl_context_notify_all(const struct sl_device *device, const char *text, const char *json)
{
    pthread_mutex_lock(&list_lock);
    for (cl_context context = contexts; context; context = context->next)
        if (uses_device(context, device))
            sl_notice_post(context, text, json);
    pthread_mutex_unlock(&list_lock);
}

cl_context sl_context_with(const struct sl_device *device, size_t n)
{
    pthread_mutex_lock(&list_lock);
    cl_context at = contexts;
    while (at && !(uses_device(at, device) && n-- == 0))
        at = at->next;
    if (at && !sl_hold_alive(at))
        at = NULL;
    pthread_mutex_unlock(&list_lock);
    return at;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void reference_count(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sl_api_refs(object));
}

static void device_list(const void *object, struct sl_answer *answer)
{
    const struct _cl_context *context = object;
    for (cl_uint i = 0; answer->out && i < context->device_count; i++)
        sl_lend(context->devices[i]);
    sl_answer_bytes(answer, context->devices, context->device_count * sizeof *context->devices);
}

static void property_list(const void *object, struct sl_answer *answer)
{
    const struct _cl_context *context = object;
    sl_answer_bytes(answer, context->properties,
                    context->property_count * sizeof *context->properties);
}

static const struct sl_info_row context_rows[] = {
    SL_CALL(CL_CONTEXT_REFERENCE_COUNT, reference_count),
    SL_VALUE(CL_CONTEXT_NUM_DEVICES, struct _cl_context, device_count),
    SL_CALL(CL_CONTEXT_DEVICES, device_list),
    SL_CALL(CL_CONTEXT_PROPERTIES, property_list),
};

cl_int CL_API_CALL sl_clGetContextInfo(cl_context context, cl_context_info param_name,
                                       size_t param_value_size, void *param_value,
                                       size_t *param_value_size_ret)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    return sl_info(context_rows, SL_LEN(context_rows), context, param_name, param_value_size,
                   param_value, param_value_size_ret);
}
