/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command buffers: life, queries, the graph that recording builds, enqueue. buffer->lock guards
 * what recording and updates change.
 */
#include "commands/recording/command_buffer.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "commands/queue/queue.h"
#include "commands/recording/lanes.h"
#include "commands/recording/mutable_command.h"
#include "commands/recording/recipe.h"
#include "commands/recording/replay.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void plan_free(struct sl_plan *plan)
{
    sl_free(plan->rows);
    sl_free(plan->successors);
    sl_free(plan->roots);
}

static void command_buffer_destroy(struct sl_object *object)
{
    cl_command_buffer_khr buffer = (cl_command_buffer_khr)object;
    for (struct sl_replay *replay; (replay = buffer->idle);) {
        buffer->idle = sl_replay_next(replay);
        sl_replay_destroy(replay);
    }
    for (uint32_t i = 0; i < buffer->count; i++) {
        sl_discard(buffer->recorded[i].body);
        sl_recipe_free(buffer->recorded[i].recipe);
    }
    sl_mutable_commands_drop(buffer);
    plan_free(&buffer->plan);
    sl_free(buffer->recorded);
    sl_free(buffer->edges);
    sl_free(buffer->properties);
    sl_free(buffer->lanes);
    if (buffer->lock_ready)
        pthread_mutex_destroy(&buffer->lock);
    cl_command_queue *queues = buffer->queues;
    for (cl_uint i = 0; i < buffer->lane_count; i++) /* last: they may be the end of the rest */
        sl_drop(queues[i]);
    sl_free(queues);
}

/* The handles of its commands go with the last reference, however long it still runs. */
static void command_buffer_released(struct sl_object *object)
{
    sl_mutable_commands_release((cl_command_buffer_khr)object);
}

static struct sl_object_pool command_buffer_pool = SL_OBJECT_POOL;
const struct sl_type sl_command_buffer_type = {.name = "command-buffer",
                                               .invalid = CL_INVALID_COMMAND_BUFFER_KHR,
                                               .size = sizeof(struct _cl_command_buffer_khr),
                                               .destroy = command_buffer_destroy,
                                               .pool = &command_buffer_pool,
                                               .released = command_buffer_released};

struct wanted { /* a checked property list */
    const cl_command_buffer_properties_khr *list;
    cl_uint count; /* entries with terminator; 0: no list */
    cl_command_buffer_flags_khr flags;
    cl_mutable_dispatch_asserts_khr asserts;
};

static struct sl_bits_property *row_named(struct sl_bits_property *rows, size_t row_count,
                                          cl_properties name)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].name == name)
            return &rows[i];
    return NULL;
}

cl_int sl_bits_properties(const cl_properties *list, struct sl_bits_property *rows,
                          size_t row_count, cl_uint *entries)
{
    cl_uint i = 0;
    for (; list && list[i]; i += 2) {
        struct sl_bits_property *row = row_named(rows, row_count, list[i]);
        if (!row || row->named)
            return sl_refuse(CL_INVALID_VALUE, "property 0x%llx is unknown or repeated",
                             (unsigned long long)list[i]);
        if (list[i + 1] & ~row->known)
            return sl_refuse(CL_INVALID_VALUE, "property 0x%llx: unknown bits in 0x%llx",
                             (unsigned long long)list[i], (unsigned long long)list[i + 1]);
        row->named = true;
        row->value = list[i + 1];
    }
    *entries = list ? i + 1 : 0;
    return CL_SUCCESS;
}

static cl_int parse_list(const cl_command_buffer_properties_khr *list, struct wanted *wanted)
{
    struct sl_bits_property rows[] = {
        {.name = CL_COMMAND_BUFFER_FLAGS_KHR,
         .known = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR |
                  CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR},
        {.name = CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, .known = SL_KNOWN_ASSERTS},
    };
    *wanted = (struct wanted){.list = list};
    cl_int rc = sl_bits_properties(list, rows, SL_LEN(rows), &wanted->count);
    wanted->flags = rows[0].value;
    wanted->asserts = rows[1].value;
    return rc;
}

static bool fill_in(cl_command_buffer_khr buffer, cl_uint count, const cl_command_queue *queues,
                    const struct wanted *wanted)
{
    buffer->queues = sl_memdup(queues, count * sizeof *queues);
    buffer->lanes = sl_zalloc(count * sizeof *buffer->lanes);
    if (!buffer->queues || !buffer->lanes)
        return false;
    for (cl_uint i = 0; i < count; i++)
        sl_hold(queues[i]);
    buffer->lane_count = count;
    buffer->property_count = wanted->count;
    if (wanted->count)
        buffer->properties = sl_memdup(wanted->list, wanted->count * sizeof *wanted->list);
    return !wanted->count || buffer->properties;
}

static cl_int create(cl_uint count, const cl_command_queue *queues, const struct wanted *wanted,
                     cl_command_buffer_khr *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_command_buffer_khr buffer = sl_object_new(&sl_command_buffer_type);
    if (!buffer)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a command-buffer");
    buffer->context = queues[0]->context;
    buffer->flags = wanted->flags;
    buffer->asserts = wanted->asserts;
    pthread_mutex_init(&buffer->lock, NULL);
    buffer->lock_ready = true;
    if (!fill_in(buffer, count, queues, wanted)) {
        sl_discard(buffer);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %u queues and the properties",
                         count);
    }
    *out = buffer;
    return CL_SUCCESS;
}

cl_int sl_command_buffer_create(cl_uint num_queues, const cl_command_queue *queues,
                                const cl_command_buffer_properties_khr *properties,
                                cl_command_buffer_khr *out)
{
    struct wanted wanted;
    cl_int rc = sl_lanes_check(num_queues, queues, 0);
    if (!rc)
        rc = parse_list(properties, &wanted);
    if (!rc)
        rc = sl_lanes_check(num_queues, queues, wanted.flags);
    return rc ? rc : create(num_queues, queues, &wanted, out);
}

cl_command_buffer_khr CL_API_CALL
sl_clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                            const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
    cl_command_buffer_khr buffer = NULL;
    cl_int rc = sl_command_buffer_create(num_queues, queues, properties, &buffer);
    if (errcode_ret)
        *errcode_ret = rc;
    return buffer;
}

cl_int CL_API_CALL sl_clRetainCommandBufferKHR(cl_command_buffer_khr buffer)
{
    return sl_retain(buffer, &sl_command_buffer_type);
}

cl_int CL_API_CALL sl_clReleaseCommandBufferKHR(cl_command_buffer_khr buffer)
{
    return sl_release(buffer, &sl_command_buffer_type);
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Room for so many elements in all; each step doubles it. */
static bool reserve(void **array, uint32_t *cap, uint64_t count, size_t element)
{
    if (count <= *cap)
        return true;
    uint64_t grown_cap = *cap < 8 ? 8 : (uint64_t)*cap * 2;
    if (grown_cap < count || grown_cap > UINT32_MAX)
        grown_cap = count;
    void *grown = count <= UINT32_MAX ? sl_realloc(*array, grown_cap * element) : NULL;
    if (!grown)
        return false;
    *array = grown;
    *cap = (uint32_t)grown_cap;
    return true;
}

static void add_edge_locked(cl_command_buffer_khr buffer, uint32_t before)
{
    buffer->edges[buffer->edge_count++] = before;
}

/* In order, of the queue's own commands the one before is enough: all others have ended by then. */
static void add_edges_in_order_locked(cl_command_buffer_khr buffer, const struct sl_to_append *to)
{
    const uint32_t newest = buffer->lanes[to->lane].newest;
    for (cl_uint i = 0; i < to->point_count; i++)
        if (buffer->recorded[to->points[i] - 1].lane != to->lane)
            add_edge_locked(buffer, to->points[i] - 1);
    if (newest)
        add_edge_locked(buffer, newest - 1);
}

/* Whoever is recorded behind a barrier of its queue waits for that, and one without a list for all
 * of the queue that no other such barrier has waited for. */
static void add_edges_out_of_order_locked(cl_command_buffer_khr buffer,
                                          const struct sl_to_append *to)
{
    const uint32_t number = buffer->count;
    struct sl_lane *lane = &buffer->lanes[to->lane];
    for (cl_uint i = 0; i < to->point_count; i++)
        add_edge_locked(buffer, to->points[i] - 1);
    const bool all = to->barrier && !to->point_count;
    for (uint32_t i = lane->unjoined; all && i < number; i++)
        if (buffer->recorded[i].lane == to->lane)
            add_edge_locked(buffer, i);
    if (!all && lane->barrier)
        add_edge_locked(buffer, lane->barrier - 1);
    if (all)
        lane->unjoined = number;
    if (to->barrier)
        lane->barrier = number + 1;
}

static cl_int append_locked(cl_command_buffer_khr buffer, const struct sl_to_append *to)
{
    struct sl_lane *lane = &buffer->lanes[to->lane];
    const bool in_order = SL_QUEUE_IN_ORDER(buffer->queues[to->lane]);
    const bool joins = to->barrier && !to->point_count && !in_order;
    const uint64_t joined = joins ? buffer->count - lane->unjoined : 0;
    const uint64_t edges = buffer->edge_count + joined + (uint64_t)to->point_count + 1;
    if (sl_command_buffer_is_finalized(buffer))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is finalized");
    if (buffer->count == UINT32_MAX - 1 || edges >= UINT32_MAX)
        return sl_refuse(CL_OUT_OF_RESOURCES, "no more commands fit");
    if (!reserve((void **)&buffer->recorded, &buffer->cap, buffer->count + 1ull,
                 sizeof *buffer->recorded) ||
        !reserve((void **)&buffer->edges, &buffer->edge_cap, edges, sizeof *buffer->edges))
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory to record a command");
    const uint32_t first_edge = buffer->edge_count;
    (in_order ? add_edges_in_order_locked : add_edges_out_of_order_locked)(buffer, to);
    buffer->recorded[buffer->count++] =
        (struct sl_recorded){.body = to->body,
                             .recipe = to->recipe,
                             .lane = to->lane,
                             .first_edge = first_edge,
                             .edge_count = buffer->edge_count - first_edge};
    lane->newest = buffer->count;
    if (!to->body)
        atomic_fetch_add_explicit(&buffer->unset, 1, memory_order_relaxed);
    return CL_SUCCESS;
}

cl_int sl_command_buffer_append(cl_command_buffer_khr buffer, const struct sl_to_append *to,
                                uint32_t *number)
{
    pthread_mutex_lock(&buffer->lock);
    cl_int rc = append_locked(buffer, to);
    if (!rc)
        *number = buffer->count - 1;
    pthread_mutex_unlock(&buffer->lock);
    return rc;
}

/* ---- finalizing ------------------------------------------------------------------------------ */

/* Successors in the order of the recording, which is the order in which they shall start. */
static void fill_plan(struct sl_plan *plan, const struct _cl_command_buffer_khr *buffer)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < buffer->edge_count; i++)
        plan->rows[buffer->edges[i]].after_last++; /* how many, for now */
    for (uint32_t i = 0; i < plan->count; i++) {
        struct sl_plan_row *row = &plan->rows[i];
        plan->sinks += !row->after_last;
        row->first = end;
        end += row->after_last;
        row->after_last = row->first;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct sl_recorded *recorded = &buffer->recorded[i];
        plan->rows[i].lane = recorded->lane;
        plan->rows[i].waits = recorded->edge_count;
        if (!recorded->edge_count)
            plan->roots[plan->root_count++] = i;
        for (uint32_t e = 0; e < recorded->edge_count; e++) {
            struct sl_plan_row *row = &plan->rows[buffer->edges[recorded->first_edge + e]];
            plan->successors[row->after_last++] = i;
        }
    }
}

static bool make_plan(struct sl_plan *plan, const struct _cl_command_buffer_khr *buffer)
{
    const size_t count = buffer->count ? buffer->count : 1; /* never 0 bytes */
    *plan = (struct sl_plan){.count = buffer->count};
    plan->rows = sl_zalloc(count * sizeof *plan->rows);
    plan->successors = sl_alloc((buffer->edge_count + (size_t)1) * sizeof *plan->successors);
    plan->roots = sl_alloc(count * sizeof *plan->roots);
    if (!plan->rows || !plan->successors || !plan->roots) {
        plan_free(plan);
        return false;
    }
    fill_plan(plan, buffer);
    return true;
}

static cl_int finalize_locked(cl_command_buffer_khr buffer)
{
    if (sl_command_buffer_is_finalized(buffer))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is finalized");
    struct sl_plan plan;
    if (!make_plan(&plan, buffer))
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory to finalize a command-buffer");
    buffer->plan = plan;
    buffer->version++;
    atomic_store_explicit(&buffer->finalized, true, memory_order_release);
    return CL_SUCCESS;
}

/* The first enqueue finds everything ready; if memory is out, it tries again. */
cl_int sl_command_buffer_finalize(cl_command_buffer_khr buffer)
{
    pthread_mutex_lock(&buffer->lock);
    cl_int rc = finalize_locked(buffer);
    pthread_mutex_unlock(&buffer->lock);
    struct sl_replay *first = rc ? NULL : sl_replay_create(buffer);
    if (first)
        sl_replay_give_back(first);
    return rc;
}

cl_int CL_API_CALL sl_clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer)
{
    if (!sl_valid(buffer, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    return sl_command_buffer_finalize(buffer);
}

/* ---- enqueuing ------------------------------------------------------------------------------- */

bool sl_command_buffer_is_finalized(const struct _cl_command_buffer_khr *buffer)
{
    return atomic_load_explicit(&buffer->finalized, memory_order_acquire);
}

bool sl_command_buffer_is_executable(const struct _cl_command_buffer_khr *buffer)
{
    return sl_command_buffer_is_finalized(buffer) &&
           !atomic_load_explicit(&buffer->unset, memory_order_acquire);
}

static cl_int make(cl_command_buffer_khr buffer, const cl_command_queue *queues, cl_event *out)
{
    cl_event e;
    cl_int rc = sl_command_create(queues[0], CL_COMMAND_COMMAND_BUFFER_KHR, SL_HOW_REPLAY, &e);
    if (rc)
        return rc;
    rc = sl_command_keep(e, buffer);
    for (cl_uint i = 1; queues != buffer->queues && i < buffer->lane_count && !rc; i++)
        rc = sl_command_keep(e, queues[i]);
    if (!rc && !(e->u.replay = sl_replay_take(buffer, queues)))
        rc = sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for another replay");
    if (rc) {
        sl_command_abandon(e);
        return rc;
    }
    e->host_run = sl_replay_start;
    e->on_finish = sl_replay_finished;
    *out = e;
    return CL_SUCCESS;
}

cl_int CL_API_CALL sl_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                cl_command_buffer_khr buffer, cl_uint wait_count,
                                                const cl_event *wait_list, cl_event *event)
{
    cl_event e;
    if (!sl_valid(buffer, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    if (!sl_command_buffer_is_executable(buffer))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is not executable");
    cl_int rc = sl_lanes_check_substitutes(buffer, num_queues, queues);
    if (!rc)
        rc = sl_check_wait_list(buffer->context, wait_count, wait_list);
    if (!rc)
        rc = make(buffer, queues ? queues : buffer->queues, &e);
    return rc ? rc : sl_lanes_submit(buffer, queues, e, wait_count, wait_list, event);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void answer_refs(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, cl_uint, sl_api_refs(object));
}

static void answer_state(const void *object, struct sl_answer *a)
{
    const cl_command_buffer_state_khr state =
        !sl_command_buffer_is_finalized(object)    ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
        : !sl_command_buffer_is_executable(object) ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                                   : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
    SL_ANSWER(a, cl_command_buffer_state_khr, state);
}

static void answer_queues(const void *object, struct sl_answer *a)
{
    const struct _cl_command_buffer_khr *buffer = object;
    for (cl_uint i = 0; a->out && i < buffer->lane_count; i++)
        sl_lend(buffer->queues[i]);
    sl_answer_bytes(a, buffer->queues, buffer->lane_count * sizeof *buffer->queues);
}

static void answer_properties(const void *object, struct sl_answer *a)
{
    const struct _cl_command_buffer_khr *buffer = object;
    sl_answer_bytes(a, buffer->properties, buffer->property_count * sizeof *buffer->properties);
}

static const struct sl_info_row command_buffer_rows[] = {
    SL_CALL(CL_COMMAND_BUFFER_QUEUES_KHR, answer_queues),
    SL_VALUE(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, struct _cl_command_buffer_khr, lane_count),
    SL_CALL(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, answer_refs),
    SL_CALL(CL_COMMAND_BUFFER_STATE_KHR, answer_state),
    SL_CALL(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, answer_properties),
    SL_VALUE(CL_COMMAND_BUFFER_CONTEXT_KHR, struct _cl_command_buffer_khr, context),
};

cl_int CL_API_CALL sl_clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer,
                                                cl_command_buffer_info_khr key, size_t cap,
                                                void *out, size_t *need)
{
    if (!sl_valid(buffer, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    return sl_info(command_buffer_rows, SL_LEN(command_buffer_rows), buffer, key, cap, out, need);
}
