/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points that record commands. No lock: see record.h. */
#include "commands/recording/record.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "commands/enqueue/commands.h"
#include "commands/enqueue/transfer.h"
#include "commands/recording/lanes.h"
#include "commands/recording/mutable_command.h"
#include "commands/recording/recipe.h"
#include "memory/buffer.h"
#include "platform/platform.h"

/* ---- what they have in common ---------------------------------------------------------------- */

cl_int sl_recording_begin(struct sl_recording *r, cl_command_buffer_khr buffer,
                          cl_command_queue queue, cl_uint point_count,
                          const cl_sync_point_khr *points)
{
    if (!sl_valid(buffer, &sl_command_buffer_type))
        return sl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, "not a valid command-buffer");
    uint32_t lane;
    cl_int rc = sl_lane_find(buffer, queue, &lane);
    if (rc)
        return rc;
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    if (sl_command_buffer_is_finalized(buffer))
        return sl_refuse(CL_INVALID_OPERATION, "the command-buffer is finalized");
    *r = (struct sl_recording){.buffer = buffer,
                               .queue = buffer->queues[lane],
                               .lane = lane,
                               .point_count = point_count,
                               .points = points};
    pthread_mutex_lock(&buffer->lock);
    r->known_points = buffer->count;
    pthread_mutex_unlock(&buffer->lock);
    return CL_SUCCESS;
}

/* The recipe stays the caller's. */
static cl_int append_made(const struct sl_recording *r, const struct sl_recipe *recipe,
                          uint32_t *number)
{
    struct sl_recipe *kept = sl_recipe_copy(recipe);
    const struct sl_to_append to = {r->made,         kept,           r->lane,
                                    recipe->barrier, r->point_count, r->points};
    cl_int rc = kept ? sl_command_buffer_append(r->buffer, &to, number)
                     : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for what is recorded");
    if (rc)
        sl_recipe_free(kept);
    return rc;
}

struct call { /* of a command that has neither properties nor a handle */
    struct sl_recording recording;
    struct sl_tail tail;
    cl_sync_point_khr *sync_point;
};

static cl_int begin(struct call *call, cl_command_buffer_khr buffer, cl_command_queue queue,
                    const cl_command_properties_khr *properties, cl_uint point_count,
                    const cl_sync_point_khr *points, cl_sync_point_khr *sync_point,
                    const cl_mutable_command_khr *mutable_handle)
{
    *call = (struct call){.sync_point = sync_point};
    cl_int rc = sl_recording_begin(&call->recording, buffer, queue, point_count, points);
    if (rc)
        return rc;
    if (properties && properties[0])
        return sl_refuse(CL_INVALID_VALUE, "property 0x%llx is unknown",
                         (unsigned long long)properties[0]);
    if (mutable_handle)
        return sl_refuse(CL_INVALID_VALUE, "only kernel launches have a handle");
    call->tail.recording = &call->recording;
    return CL_SUCCESS;
}

static cl_int append(struct call *call, const struct sl_recipe *recipe)
{
    const struct sl_recording *r = &call->recording;
    uint32_t number;
    cl_int rc = append_made(r, recipe, &number);
    if (rc)
        sl_recording_discard(r);
    else if (call->sync_point)
        *call->sync_point = number + 1;
    return rc;
}

/* A pattern that was checked. */
static cl_int append_filling(struct call *call, struct sl_recipe recipe, const void *pattern,
                             size_t bytes)
{
    recipe.pattern_bytes = bytes;
    memcpy(recipe.pattern, pattern, bytes);
    return append(call, &recipe);
}

/* Of depth there is one number. */
static size_t colour_bytes(const struct _cl_mem *image)
{
    return image->format.image_channel_order == CL_DEPTH ? sizeof(cl_float) : sizeof(cl_float4);
}

/* ---- copies, fills, barriers ----------------------------------------------------------------- */

cl_int CL_API_CALL sl_clCommandBarrierWithWaitListKHR(cl_command_buffer_khr command_buffer,
                                                      cl_command_queue command_queue,
                                                      const cl_command_properties_khr *properties,
                                                      cl_uint num_sync_points_in_wait_list,
                                                      const cl_sync_point_khr *sync_point_wait_list,
                                                      cl_sync_point_khr *sync_point,
                                                      cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (rc)
        return rc;
    rc = sl_enqueue_point(call.recording.queue, CL_COMMAND_BARRIER, &call.tail);
    return rc ? rc
              : append(&call, &(struct sl_recipe){.record = sl_recipe_barrier, .barrier = true});
}

cl_int CL_API_CALL sl_clCommandCopyBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    size_t src_offset, size_t dst_offset, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_buffer(call.recording.queue, src_buffer, dst_buffer, src_offset, dst_offset,
                            size, &call.tail);
    return rc ? rc
              : append(&call, &(struct sl_recipe){.record = sl_recipe_copy_buffer,
                                                  .src = src_buffer,
                                                  .dst = dst_buffer,
                                                  .src_at = {src_offset},
                                                  .dst_at = {dst_offset},
                                                  .region = {size}});
}

cl_int CL_API_CALL sl_clCommandCopyBufferRectKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_buffer_rect(call.recording.queue, src_buffer, dst_buffer, src_origin,
                                 dst_origin, region, src_row_pitch, src_slice_pitch, dst_row_pitch,
                                 dst_slice_pitch, &call.tail);
    return rc ? rc
              : append(&call,
                       &(struct sl_recipe){.record = sl_recipe_copy_rect,
                                           .src = src_buffer,
                                           .dst = dst_buffer,
                                           .src_at = {src_origin[0], src_origin[1], src_origin[2]},
                                           .dst_at = {dst_origin[0], dst_origin[1], dst_origin[2]},
                                           .region = {region[0], region[1], region[2]},
                                           .pitches = {src_row_pitch, src_slice_pitch,
                                                       dst_row_pitch, dst_slice_pitch}});
}

cl_int CL_API_CALL sl_clCommandFillBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem buffer, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_fill_buffer(call.recording.queue, buffer, pattern, pattern_size, offset, size,
                            &call.tail);
    return rc ? rc
              : append_filling(&call,
                               (struct sl_recipe){.record = sl_recipe_fill_buffer,
                                                  .dst = buffer,
                                                  .dst_at = {offset},
                                                  .region = {size}},
                               pattern, pattern_size);
}

cl_int CL_API_CALL sl_clCommandCopyImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_image(call.recording.queue, src_image, dst_image, src_origin, dst_origin,
                           region, &call.tail);
    return rc ? rc
              : append(&call,
                       &(struct sl_recipe){.record = sl_recipe_copy_image,
                                           .src = src_image,
                                           .dst = dst_image,
                                           .src_at = {src_origin[0], src_origin[1], src_origin[2]},
                                           .dst_at = {dst_origin[0], dst_origin[1], dst_origin[2]},
                                           .region = {region[0], region[1], region[2]}});
}

cl_int CL_API_CALL sl_clCommandCopyBufferToImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer, cl_mem dst_image,
    size_t src_offset, const size_t *dst_origin, const size_t *region,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_image_buffer(call.recording.queue, false, dst_image, src_buffer, dst_origin,
                                  region, src_offset, &call.tail);
    return rc ? rc
              : append(&call,
                       &(struct sl_recipe){.record = sl_recipe_image_buffer,
                                           .src = src_buffer,
                                           .dst = dst_image,
                                           .src_at = {src_offset},
                                           .dst_at = {dst_origin[0], dst_origin[1], dst_origin[2]},
                                           .region = {region[0], region[1], region[2]}});
}

cl_int CL_API_CALL sl_clCommandCopyImageToBufferKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *region, size_t dst_offset,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_image_buffer(call.recording.queue, true, src_image, dst_buffer, src_origin,
                                  region, dst_offset, &call.tail);
    return rc ? rc
              : append(&call,
                       &(struct sl_recipe){.record = sl_recipe_image_buffer,
                                           .src = src_image,
                                           .dst = dst_buffer,
                                           .to_buffer = true,
                                           .src_at = {src_origin[0], src_origin[1], src_origin[2]},
                                           .dst_at = {dst_offset},
                                           .region = {region[0], region[1], region[2]}});
}

cl_int CL_API_CALL sl_clCommandFillImageKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_fill_image(call.recording.queue, image, fill_color, origin, region, &call.tail);
    return rc ? rc
              : append_filling(&call,
                               (struct sl_recipe){.record = sl_recipe_fill_image,
                                                  .dst = image,
                                                  .dst_at = {origin[0], origin[1], origin[2]},
                                                  .region = {region[0], region[1], region[2]}},
                               fill_color, colour_bytes(image));
}

cl_int CL_API_CALL sl_clCommandSVMMemcpyKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *dst_ptr, const void *src_ptr, size_t size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_copy_svm(call.recording.queue, dst_ptr, src_ptr, size, &call.tail);
    return rc ? rc
              : append(&call, &(struct sl_recipe){.record = sl_recipe_copy_svm,
                                                  .to = dst_ptr,
                                                  .from = src_ptr,
                                                  .region = {size}});
}

cl_int CL_API_CALL sl_clCommandSVMMemFillKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, void *svm_ptr, const void *pattern,
    size_t pattern_size, size_t size, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
    cl_mutable_command_khr *mutable_handle)
{
    struct call call;
    cl_int rc =
        begin(&call, command_buffer, command_queue, properties, num_sync_points_in_wait_list,
              sync_point_wait_list, sync_point, mutable_handle);
    if (!rc)
        rc = sl_fill_svm(call.recording.queue, svm_ptr, pattern, pattern_size, size, &call.tail);
    return rc ? rc
              : append_filling(&call,
                               (struct sl_recipe){
                                   .record = sl_recipe_fill_svm, .to = svm_ptr, .region = {size}},
                               pattern, pattern_size);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static cl_int check_asserts(const struct _cl_command_buffer_khr *buffer,
                            const struct sl_dispatch_properties *properties, const size_t *local)
{
    if ((buffer->asserts | properties->asserts) & SL_KNOWN_ASSERTS && !local)
        return sl_refuse(CL_INVALID_VALUE, "the number of work-groups is asserted and not named");
    return CL_SUCCESS;
}

/* With the handle, if one is wanted: what cannot be made later is made before it is appended. */
static cl_int append_launch(struct call *call, const struct sl_recipe *recipe,
                            const struct sl_dispatch_properties *properties,
                            cl_mutable_command_khr *out)
{
    const struct sl_recording *r = &call->recording;
    cl_mutable_command_khr handle = NULL;
    uint32_t number;
    cl_int rc =
        out ? sl_mutable_command_create(r, recipe->kernel, properties, &recipe->range, &handle)
            : CL_SUCCESS;
    if (!rc)
        rc = append_made(r, recipe, &number);
    if (rc) {
        sl_discard(handle);
        sl_recording_discard(r);
        return rc;
    }
    if (handle) {
        sl_mutable_command_enlist(handle, number);
        *out = handle;
    }
    if (call->sync_point)
        *call->sync_point = number + 1;
    return CL_SUCCESS;
}

/* Code may have to be made, which takes long enough for another thread to release things. */
static cl_int launch(struct call *call, cl_kernel kernel, const struct sl_range *range,
                     const struct sl_dispatch_properties *properties, cl_mutable_command_khr *out)
{
    cl_command_buffer_khr buffer = sl_hold(call->recording.buffer);
    cl_kernel kept = sl_valid(kernel, &sl_kernel_type) ? sl_hold(kernel) : NULL;
    struct sl_recipe recipe = {
        .record = sl_recipe_launch, .kernel = kernel, .allows_unset = call->recording.allows_unset};
    cl_int rc = sl_launch(call->recording.queue, kernel, range, &call->tail);
    if (!rc) {
        sl_named_range_set(&recipe.range, range->dim, range->offset, range->global, range->local);
        rc = append_launch(call, &recipe, properties, out);
    }
    sl_drop(kept);
    sl_drop(buffer);
    return rc;
}

cl_int CL_API_CALL sl_clCommandNDRangeKernelKHR(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
    const struct sl_range range = {work_dim, global_work_offset, global_work_size, local_work_size};
    struct call call;
    struct sl_dispatch_properties parsed;
    cl_int rc = begin(&call, command_buffer, command_queue, NULL, num_sync_points_in_wait_list,
                      sync_point_wait_list, sync_point, NULL);
    if (rc || (rc = sl_dispatch_properties_parse(properties, &parsed)) ||
        (rc = check_asserts(command_buffer, &parsed, local_work_size)))
        return rc;
    call.recording.allows_unset = command_buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR &&
                                  parsed.fields_named &&
                                  parsed.fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
    return launch(&call, kernel, &range, &parsed, mutable_handle);
}
