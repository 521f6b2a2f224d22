/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clRemapCommandBufferKHR: the commands of a buffer are recorded once more, for other queues, with
 * the arguments and ranges that they have now, and wait for the same commands as before. The
 * buffer's lock is held only while that is looked up.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/thread/fork.h"
#include "commands/queue/queue.h"
#include "commands/recording/lanes.h"
#include "commands/recording/mutable_command.h"
#include "commands/recording/recipe.h"
#include "platform/platform.h"

struct source {                     /* one command as it is now */
    const struct sl_recipe *recipe; /* borrowed from the buffer */
    uint32_t lane, first_edge, edge_count;
    cl_kernel state; /* held: of a handle that can be updated; else NULL */
    struct sl_named_range range;
};

struct remap {
    cl_command_buffer_khr from, to;
    bool automatic, finalized;
    uint32_t count;
    struct source *sources;    /* owned */
    cl_sync_point_khr *points; /* owned: edges, as points */
    uint32_t *lanes;           /* owned: of each command, in `to` */
    cl_uint handle_count;
    const cl_mutable_command_khr *handles;
    cl_mutable_command_khr *made; /* owned: what they are in `to` */
};

/* ---- what there is --------------------------------------------------------------------------- */

static void look_at_locked(struct remap *remap)
{
    const struct _cl_command_buffer_khr *from = remap->from;
    for (uint32_t i = 0; i < remap->count; i++) {
        const struct sl_recorded *recorded = &from->recorded[i];
        remap->sources[i] = (struct source){.recipe = recorded->recipe,
                                            .lane = recorded->lane,
                                            .first_edge = recorded->first_edge,
                                            .edge_count = recorded->edge_count,
                                            .range = recorded->recipe->range};
    }
    for (uint32_t i = 0; i < from->edge_count; i++)
        remap->points[i] = from->edges[i] + 1;
    for (cl_mutable_command_khr handle = from->handles; handle; handle = handle->next) {
        struct source *source = &remap->sources[handle->number];
        if (!handle->state || source->state)
            continue;
        source->state = sl_hold(handle->state);
        source->range = handle->range;
    }
}

/* More may be recorded meanwhile: what is there now is copied. */
static cl_int look_at(struct remap *remap)
{
    const cl_command_buffer_khr from = remap->from;
    pthread_mutex_lock(&from->lock);
    remap->count = from->count;
    remap->finalized = sl_command_buffer_is_finalized(from);
    remap->sources = sl_zalloc((from->count + (size_t)1) * sizeof *remap->sources);
    remap->points = sl_alloc((from->edge_count + (size_t)1) * sizeof *remap->points);
    remap->lanes = sl_alloc((from->count + (size_t)1) * sizeof *remap->lanes);
    remap->made = sl_zalloc((remap->handle_count + (size_t)1) * sizeof *remap->made);
    const bool enough = remap->sources && remap->points && remap->lanes && remap->made;
    if (enough)
        look_at_locked(remap);
    pthread_mutex_unlock(&from->lock);
    return enough ? CL_SUCCESS
                  : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory to remap a command-buffer");
}

static void finish(struct remap *remap)
{
    for (uint32_t i = 0; remap->sources && i < remap->count; i++)
        sl_drop(remap->sources[i].state);
    sl_free(remap->sources);
    sl_free(remap->points);
    sl_free(remap->lanes);
    sl_free(remap->made);
}

/* ---- recording again ------------------------------------------------------------------------- */

/* As it is now; the caller gives it back. */
static cl_int recipe_of(const struct source *source, struct sl_recipe *out)
{
    *out = *source->recipe;
    out->range = source->range;
    return out->kernel ? sl_kernel_clone(source->state ? source->state : source->recipe->kernel,
                                         &out->kernel)
                       : CL_SUCCESS;
}

static cl_int append(struct remap *remap, const struct sl_recording *r,
                     const struct sl_recipe *recipe)
{
    uint32_t number;
    struct sl_recipe *kept = sl_recipe_copy(recipe);
    const struct sl_to_append to = {r->made,         kept,           r->lane,
                                    recipe->barrier, r->point_count, r->points};
    cl_int rc = kept ? sl_command_buffer_append(remap->to, &to, &number)
                     : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for what is recorded");
    if (rc) {
        sl_recipe_free(kept);
        sl_recording_discard(r);
    }
    return rc;
}

static cl_int record_for(struct remap *remap, uint32_t number, const struct sl_recipe *recipe,
                         uint32_t lane)
{
    const struct source *source = &remap->sources[number];
    struct sl_recording r = {.buffer = remap->to,
                             .queue = remap->to->queues[lane],
                             .lane = lane,
                             .point_count = source->edge_count,
                             .points =
                                 source->edge_count ? remap->points + source->first_edge : NULL,
                             .known_points = number,
                             .allows_unset = recipe->allows_unset};
    const struct sl_tail tail = {.recording = &r};
    cl_int rc = recipe->record(recipe, r.queue, &tail);
    if (!rc)
        rc = append(remap, &r, recipe);
    if (!rc)
        remap->lanes[number] = lane;
    return rc;
}

/* A queue of the same device, that at the same place before others; or that at its place. */
static uint32_t preferred_lane(const struct remap *remap, uint32_t lane)
{
    const cl_device_id device = remap->from->queues[lane]->device;
    const struct _cl_command_buffer_khr *to = remap->to;
    if (!remap->automatic || (lane < to->lane_count && to->queues[lane]->device == device))
        return lane;
    for (uint32_t i = 0; i < to->lane_count; i++)
        if (to->queues[i]->device == device)
            return i;
    return lane % to->lane_count;
}

static cl_int record(struct remap *remap, uint32_t number)
{
    const uint32_t lane_count = remap->to->lane_count,
                   first = preferred_lane(remap, remap->sources[number].lane);
    struct sl_recipe recipe;
    cl_int rc = recipe_of(&remap->sources[number], &recipe);
    if (rc)
        return rc;
    rc = record_for(remap, number, &recipe, first);
    for (uint32_t i = 1; rc && remap->automatic && i < lane_count; i++)
        rc = record_for(remap, number, &recipe, (first + i) % lane_count);
    sl_discard(recipe.kernel);
    return rc;
}

/* ---- handles --------------------------------------------------------------------------------- */

static cl_int copy_handle(struct remap *remap, cl_uint i)
{
    const cl_mutable_command_khr handle = remap->handles[i];
    const uint32_t lane = remap->lanes[handle->number];
    const struct source *source = &remap->sources[handle->number];
    const struct sl_recording r = {
        .buffer = remap->to, .queue = remap->to->queues[lane], .lane = lane};
    cl_kernel state = NULL;
    for (cl_uint k = 0; k < i; k++)
        if (remap->handles[k] == handle) {
            remap->made[i] = remap->made[k];
            return CL_SUCCESS;
        }
    cl_int rc = source->state ? sl_kernel_clone(source->state, &state) : CL_SUCCESS;
    if (!rc)
        rc = sl_mutable_command_copy(&r, handle, &source->range, state, &remap->made[i]);
    if (rc)
        sl_discard(state);
    else
        sl_mutable_command_enlist(remap->made[i], handle->number);
    return rc;
}

static cl_int remap_all(struct remap *remap, cl_mutable_command_khr *handles_ret)
{
    cl_int rc = look_at(remap);
    for (uint32_t i = 0; i < remap->count && !rc; i++)
        rc = record(remap, i);
    for (cl_uint i = 0; i < remap->handle_count && !rc; i++)
        rc = copy_handle(remap, i);
    if (!rc && remap->finalized)
        rc = sl_command_buffer_finalize(remap->to);
    for (cl_uint i = 0; i < remap->handle_count && !rc; i++)
        handles_ret[i] = remap->made[i];
    return rc;
}

/* ---- the call -------------------------------------------------------------------------------- */

static cl_int check_handles(const struct remap *remap, const cl_mutable_command_khr *handles_ret)
{
    if (!remap->handle_count != !remap->handles || !remap->handle_count != !handles_ret)
        return sl_refuse(CL_INVALID_VALUE, "%u handles, lists %p and %p", remap->handle_count,
                         (const void *)remap->handles, (const void *)handles_ret);
    for (cl_uint i = 0; i < remap->handle_count; i++)
        if (!sl_valid(remap->handles[i], &sl_mutable_command_type) ||
            remap->handles[i]->buffer != remap->from)
            return sl_refuse(CL_INVALID_VALUE, "handle %u is not of the command-buffer", i);
    return CL_SUCCESS;
}

static cl_int check_call(const struct remap *remap, cl_uint num_queues,
                         const cl_command_queue *queues)
{
    const cl_command_buffer_khr from = remap->from;
    if (!sl_valid(from, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_int rc = sl_lanes_check(num_queues, queues, from->flags);
    if (rc)
        return rc;
    if (!remap->automatic && num_queues != from->lane_count)
        return sl_refuse(CL_INVALID_VALUE, "%u queues in place of %u", num_queues,
                         from->lane_count);
    if (queues[0]->context != from->context)
        return sl_refuse(CL_INVALID_CONTEXT, "the queues are of another context");
    return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL sl_clRemapCommandBufferKHR(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue *queues, cl_uint num_handles, const cl_mutable_command_khr *handles,
    cl_mutable_command_khr *handles_ret, cl_int *errcode_ret)
{
    struct remap remap = {.from = command_buffer,
                          .automatic = automatic,
                          .handle_count = num_handles,
                          .handles = handles};
    cl_int rc = check_call(&remap, num_queues, queues);
    if (!rc)
        rc = check_handles(&remap, handles_ret);
    if (!rc)
        rc = sl_command_buffer_create(num_queues, queues, command_buffer->properties, &remap.to);
    if (!rc) {
        sl_hold(command_buffer); /* code may have to be made, as in a recording */
        rc = remap_all(&remap, handles_ret);
        finish(&remap);
        if (rc)
            sl_discard(remap.to);
        sl_drop(command_buffer);
    }
    if (errcode_ret)
        *errcode_ret = rc;
    return rc ? NULL : remap.to;
}
