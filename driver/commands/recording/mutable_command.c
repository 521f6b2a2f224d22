/* SPDX-License-Identifier: Apache-2.0 */
/* Handles of recorded kernel launches: life and queries. See the header. */
#include "commands/recording/mutable_command.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "commands/queue/queue.h"
#include "platform/platform.h"

/* ---- properties ------------------------------------------------------------------------------ */

cl_int sl_dispatch_properties_parse(const cl_command_properties_khr *list,
                                    struct sl_dispatch_properties *out)
{
    struct sl_bits_property rows[] = {
        {.name = CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
         .known = SL_MUTABLE_FIELDS,
         .value = SL_MUTABLE_FIELDS},
        {.name = CL_MUTABLE_DISPATCH_ASSERTS_KHR, .known = SL_KNOWN_ASSERTS},
    };
    *out = (struct sl_dispatch_properties){.list = list};
    cl_int rc = sl_bits_properties(list, rows, SL_LEN(rows), &out->count);
    out->fields_named = rows[0].named;
    out->fields = rows[0].value;
    out->asserts = rows[1].value;
    return rc;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void mutable_command_destroy(struct sl_object *object)
{
    cl_mutable_command_khr command = (cl_mutable_command_khr)object;
    sl_discard(command->state);
    sl_drop(command->kernel);
    sl_free(command->properties);
}

static struct sl_object_pool mutable_command_pool = SL_OBJECT_POOL;
const struct sl_type sl_mutable_command_type = {.name = "mutable command",
                                                .invalid = CL_INVALID_MUTABLE_COMMAND_KHR,
                                                .size = sizeof(struct _cl_mutable_command_khr),
                                                .destroy = mutable_command_destroy,
                                                .pool = &mutable_command_pool};

/* With its properties; the arguments are not its matter. */
static cl_int make(const struct sl_recording *recording, cl_kernel kernel,
                   const struct sl_dispatch_properties *properties,
                   const struct sl_named_range *range, cl_mutable_command_khr *out)
{
    cl_mutable_command_khr command = sl_object_new(&sl_mutable_command_type);
    if (!command)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a handle");
    command->buffer = recording->buffer;
    command->queue = recording->queue;
    command->kernel = sl_hold(kernel);
    command->fields = properties->fields;
    command->dim = range->dim;
    command->range = *range;
    command->property_count = properties->count;
    if (properties->count &&
        !(command->properties =
              sl_memdup(properties->list, properties->count * sizeof *properties->list))) {
        sl_discard(command);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the properties");
    }
    *out = command;
    return CL_SUCCESS;
}

cl_int sl_mutable_command_create(const struct sl_recording *recording, cl_kernel kernel,
                                 const struct sl_dispatch_properties *properties,
                                 const struct sl_named_range *range, cl_mutable_command_khr *out)
{
    cl_int rc = make(recording, kernel, properties, range, out);
    if (rc || !(recording->buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
        return rc;
    rc = sl_kernel_clone(kernel, &(*out)->state);
    if (rc) {
        sl_discard(*out);
        *out = NULL;
    }
    return rc;
}

cl_int sl_mutable_command_copy(const struct sl_recording *recording,
                               const struct _cl_mutable_command_khr *from,
                               const struct sl_named_range *range, cl_kernel state,
                               cl_mutable_command_khr *out)
{
    const struct sl_dispatch_properties properties = {
        .list = from->properties, .count = from->property_count, .fields = from->fields};
    cl_int rc = make(recording, from->kernel, &properties, range, out);
    if (!rc)
        (*out)->state = state;
    return rc;
}

void sl_mutable_command_enlist(cl_mutable_command_khr command, uint32_t number)
{
    const cl_command_buffer_khr buffer = command->buffer;
    command->number = number;
    sl_hold(command);
    pthread_mutex_lock(&buffer->lock);
    command->next = buffer->handles;
    buffer->handles = command;
    pthread_mutex_unlock(&buffer->lock);
}

void sl_mutable_commands_release(cl_command_buffer_khr buffer)
{
    const bool locks = !sl_forked(); /* a child has one thread, and the lock may be held for ever */
    if (locks)
        pthread_mutex_lock(&buffer->lock);
    for (cl_mutable_command_khr c = buffer->handles; c; c = c->next)
        sl_discard(c);
    if (locks)
        pthread_mutex_unlock(&buffer->lock);
}

void sl_mutable_commands_drop(cl_command_buffer_khr buffer)
{
    for (cl_mutable_command_khr c = buffer->handles, next; c; c = next) {
        next = c->next;
        if (sl_api_refs(c))
            sl_discard(c); /* another thread was still recording it when the buffer was released */
        sl_drop(c);
    }
}

/* ---- queries --------------------------------------------------------------------------------- */

/* The sizes at `offset` in the range. In a child of fork the lock may be held by a thread that the
 * child does not have, and the range half written. */
static void answer_sizes(const void *object, size_t offset, struct sl_answer *a)
{
    const struct _cl_mutable_command_khr *command = object;
    pthread_mutex_t *lock = &command->buffer->lock;
    if (!sl_forked()) {
        pthread_mutex_lock(lock);
    } else if (pthread_mutex_trylock(lock)) {
        a->rc = CL_OUT_OF_RESOURCES;
        return;
    }
    sl_answer_bytes(a, (const char *)&command->range + offset, command->dim * sizeof(size_t));
    pthread_mutex_unlock(lock);
}

static void answer_properties(const void *object, struct sl_answer *a)
{
    const struct _cl_mutable_command_khr *command = object;
    sl_answer_bytes(a, command->properties, command->property_count * sizeof *command->properties);
}

static void answer_offset(const void *object, struct sl_answer *a)
{
    answer_sizes(object, offsetof(struct sl_named_range, offset), a);
}

static void answer_global(const void *object, struct sl_answer *a)
{
    answer_sizes(object, offsetof(struct sl_named_range, global), a);
}

static void answer_local(const void *object, struct sl_answer *a)
{
    answer_sizes(object, offsetof(struct sl_named_range, local), a);
}

/* Only kernel launches have handles. */
static const struct sl_info_row mutable_command_rows[] = {
    SL_VALUE(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, struct _cl_mutable_command_khr, queue),
    SL_VALUE(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, struct _cl_mutable_command_khr, buffer),
    SL_CONST(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, cl_command_type, CL_COMMAND_NDRANGE_KERNEL),
    SL_CALL(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, answer_properties),
    SL_VALUE(CL_MUTABLE_DISPATCH_KERNEL_KHR, struct _cl_mutable_command_khr, kernel),
    SL_VALUE(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, struct _cl_mutable_command_khr, dim),
    SL_CALL(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, answer_offset),
    SL_CALL(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, answer_global),
    SL_CALL(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, answer_local),
};

cl_int CL_API_CALL sl_clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                                 cl_mutable_command_info_khr key, size_t cap,
                                                 void *out, size_t *need)
{
    if (!sl_valid(command, &sl_mutable_command_type))
        return sl_refuse(CL_INVALID_MUTABLE_COMMAND_KHR, "not a valid mutable command");
    return sl_info(mutable_command_rows, SL_LEN(mutable_command_rows), command, key, cap, out,
                   need);
}
