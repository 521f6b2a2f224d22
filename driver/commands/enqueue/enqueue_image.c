/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands on images: read, write, copy, fill, map (5.3.2 - 5.3.5). An image is seen as rows and
 * slices (image.h), so every command is one rectangular copy or fill of the device interface.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/rect.h"
#include "commands/enqueue/commands.h"
#include "commands/enqueue/map_command.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/format.h"
#include "memory/image.h"
#include "memory/map.h"
#include "platform/context.h"
#include "platform/device.h"

/* The last check of each command. */
static cl_int check_device(cl_command_queue queue)
{
    if (!sl_device_feature(queue->device, SL_FEATURE_IMAGES))
        return sl_refuse(CL_INVALID_OPERATION, "the device does not support images");
    return CL_SUCCESS;
}

static cl_int check_image(cl_command_queue queue, cl_mem image)
{
    if (!sl_valid(image, &sl_mem_type) || !sl_is_image(image))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not an image");
    if (image->context != queue->context)
        return sl_refuse(CL_INVALID_CONTEXT, "image and queue are of different contexts");
    return CL_SUCCESS;
}

/* One side of a copy. */
struct side {
    struct sl_place place;
    size_t pitch[2];
};

static struct side image_side(cl_command_queue queue, cl_mem image, const size_t origin[3])
{
    struct side side = {sl_mem_place(image, queue->device->impl, sl_image_offset(image, origin)),
                        {0, 0}};
    sl_image_pitches(image, side.pitch);
    return side;
}

static struct side host_side(const void *host, const size_t pitch[2])
{
    return (struct side){{NULL, (uintptr_t)host}, {pitch[0], pitch[1]}};
}

static struct side buffer_side(cl_command_queue queue, cl_mem buffer, size_t offset,
                               const size_t region[3], size_t elem)
{
    const size_t row = region[0] * elem;
    return (struct side){sl_mem_place(buffer, queue->device->impl, offset), {row, row * region[1]}};
}

/* Makes, fills and submits a copy; the two objects (either may be NULL) live until it has ended. */
static cl_int submit_copy(cl_command_queue queue, cl_command_type type, struct side dst,
                          struct side src, const size_t region[3], size_t elem, cl_mem kept[2],
                          const struct sl_tail *tail)
{
    cl_event command;
    cl_int rc;
    if ((rc = sl_check_reach(kept[0], queue->impl)) ||
        (rc = sl_check_reach(kept[1], queue->impl)) ||
        (rc = sl_command_create(queue, type, SL_HOW_DEVICE, &command)))
        return rc;
    for (int i = 0; i < 2 && !rc; i++)
        rc = sl_command_keep(command, kept[i]);
    if (rc) {
        sl_command_abandon(command);
        return rc;
    }
    command->work.kind = SL_WORK_COPY;
    command->work.u.copy = (struct sl_copy){
        .dst = dst.place,
        .src = src.place,
        .region = {region[0] * elem, region[1], region[2]},
        .dst_pitch = {dst.pitch[0], dst.pitch[1]},
        .src_pitch = {src.pitch[0], src.pitch[1]},
    };
    return sl_tail_submit(command, tail);
}

/* Read and write differ in direction, in the host access flags and in nothing else. */
static cl_int transfer(cl_command_queue queue, bool read, cl_mem image, const size_t *origin,
                       const size_t *region, size_t row_pitch, size_t slice_pitch, const void *ptr,
                       const struct sl_tail *tail)
{
    const cl_mem_flags forbidden =
        CL_MEM_HOST_NO_ACCESS |
        (read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY | CL_MEM_IMMUTABLE_EXT);
    struct sl_image_box box;
    size_t pitch[2], span;
    cl_int rc;
    if ((rc = sl_tail_check_queue(queue, tail)) || (rc = check_image(queue, image)) ||
        (rc = sl_image_check_box(image, origin, region, &box)) ||
        (rc = sl_image_host_pitches(image, region, row_pitch, slice_pitch, pitch, &span)) ||
        (rc = sl_check_host_range(ptr, span)))
        return rc;
    if ((rc = sl_tail_check(queue, tail)) || (rc = check_device(queue)))
        return rc;
    if (image->flags & forbidden)
        return sl_refuse(CL_INVALID_OPERATION, "the image's host access flags forbid this");
    const struct side inside = image_side(queue, image, box.origin),
                      outside = host_side(ptr, pitch);
    return submit_copy(queue, read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE,
                       read ? outside : inside, read ? inside : outside, box.region,
                       image->image.elem_bytes, (cl_mem[2]){image, NULL}, tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueReadImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t *origin,
    const size_t *region, size_t row_pitch, size_t slice_pitch, void *ptr,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {blocking_read, num_events_in_wait_list, event_wait_list, event,
                                 NULL};
    return transfer(command_queue, true, image, origin, region, row_pitch, slice_pitch, ptr, &tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueWriteImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t *origin,
    const size_t *region, size_t input_row_pitch, size_t input_slice_pitch, const void *ptr,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {blocking_write, num_events_in_wait_list, event_wait_list, event,
                                 NULL};
    return transfer(command_queue, false, image, origin, region, input_row_pitch, input_slice_pitch,
                    ptr, &tail);
}

cl_int sl_copy_image(cl_command_queue queue, cl_mem src_image, cl_mem dst_image,
                     const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                     const struct sl_tail *tail)
{
    struct sl_image_box src, dst;
    cl_int rc;
    if ((rc = sl_tail_check_queue(queue, tail)) || (rc = check_image(queue, src_image)) ||
        (rc = check_image(queue, dst_image)))
        return rc;
    if (memcmp(&src_image->format, &dst_image->format, sizeof src_image->format))
        return sl_refuse(CL_IMAGE_FORMAT_MISMATCH, "the images have different formats");
    if ((rc = sl_image_check_box(src_image, src_origin, region, &src)) ||
        (rc = sl_image_check_box(dst_image, dst_origin, region, &dst)) ||
        (rc = sl_tail_check(queue, tail)))
        return rc;
    if (src_image == dst_image && sl_boxes_overlap(src.origin, dst.origin, src.region))
        return sl_refuse(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    if ((rc = check_device(queue)) || (rc = sl_check_mutable(dst_image)))
        return rc;
    return submit_copy(queue, CL_COMMAND_COPY_IMAGE, image_side(queue, dst_image, dst.origin),
                       image_side(queue, src_image, src.origin), src.region,
                       src_image->image.elem_bytes, (cl_mem[2]){src_image, dst_image}, tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueCopyImage(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return sl_copy_image(command_queue, src_image, dst_image, src_origin, dst_origin, region,
                         &tail);
}

/* Bytes from `offset` on must hold the whole region. */
static cl_int check_buffer_range(cl_mem buffer, size_t offset, const size_t region[3], size_t elem)
{
    size_t bytes = elem;
    for (int i = 0; i < 3; i++)
        if (__builtin_mul_overflow(bytes, region[i], &bytes))
            return sl_refuse(CL_INVALID_VALUE, "the region overflows");
    if (offset > buffer->size || bytes > buffer->size - offset)
        return sl_refuse(CL_INVALID_VALUE, "offset %zu + %zu bytes exceeds the buffer's %zu",
                         offset, bytes, buffer->size);
    return CL_SUCCESS;
}

cl_int sl_copy_image_buffer(cl_command_queue queue, bool to_buffer, cl_mem image, cl_mem buffer,
                            const size_t *origin, const size_t *region, size_t offset,
                            const struct sl_tail *tail)
{
    struct sl_image_box box;
    cl_int rc = sl_tail_check_queue(queue, tail);
    if (rc)
        return rc;
    rc = to_buffer ? check_image(queue, image) : sl_check_buffer(queue->context, buffer);
    if (rc)
        return rc;
    rc = to_buffer ? sl_check_buffer(queue->context, buffer) : check_image(queue, image);
    if (rc)
        return rc;
    const size_t elem = image->image.elem_bytes;
    if ((rc = sl_image_check_box(image, origin, region, &box)) ||
        (rc = check_buffer_range(buffer, offset, box.region, elem)) ||
        (rc = sl_tail_check(queue, tail)) || (rc = sl_check_alignment(queue->device, buffer)) ||
        (rc = check_device(queue)) || (rc = sl_check_mutable(to_buffer ? buffer : image)))
        return rc;
    const struct side inside = image_side(queue, image, box.origin);
    const struct side outside = buffer_side(queue, buffer, offset, box.region, elem);
    return submit_copy(
        queue, to_buffer ? CL_COMMAND_COPY_IMAGE_TO_BUFFER : CL_COMMAND_COPY_BUFFER_TO_IMAGE,
        to_buffer ? outside : inside, to_buffer ? inside : outside, box.region, elem,
        (cl_mem[2]){image, buffer}, tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueCopyImageToBuffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return sl_copy_image_buffer(command_queue, true, src_image, dst_buffer, src_origin, region,
                                dst_offset, &tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return sl_copy_image_buffer(command_queue, false, dst_image, src_buffer, dst_origin, region,
                                src_offset, &tail);
}

cl_int sl_fill_image(cl_command_queue queue, cl_mem image, const void *fill_color,
                     const size_t *origin, const size_t *region, const struct sl_tail *tail)
{
    struct sl_image_box box;
    cl_event command;
    cl_int rc;
    if ((rc = sl_tail_check_queue(queue, tail)) || (rc = check_image(queue, image)))
        return rc;
    if (!fill_color)
        return sl_refuse(CL_INVALID_VALUE, "fill_color is NULL");
    if ((rc = sl_image_check_box(image, origin, region, &box)) ||
        (rc = sl_tail_check(queue, tail)) || (rc = check_device(queue)) ||
        (rc = sl_check_mutable(image)) || (rc = sl_check_reach(image, queue->impl)) ||
        (rc = sl_command_create(queue, CL_COMMAND_FILL_IMAGE, SL_HOW_DEVICE, &command)))
        return rc;
    if ((rc = sl_command_keep(command, image))) {
        sl_command_abandon(command);
        return rc;
    }
    const struct side side = image_side(queue, image, box.origin);
    const uint32_t elem = image->image.elem_bytes;
    struct sl_fill *fill = &command->work.u.fill;
    command->work.kind = SL_WORK_FILL;
    *fill = (struct sl_fill){.dst = side.place,
                             .region = {box.region[0] * elem, box.region[1], box.region[2]},
                             .dst_pitch = {side.pitch[0], side.pitch[1]},
                             .pattern_bytes = elem};
    sl_format_pack(&image->format, fill_color, fill->pattern);
    return sl_tail_submit(command, tail);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                                      const void *fill_color, const size_t *origin,
                                                      const size_t *region,
                                                      cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list,
                                                      cl_event *event)
{
    const struct sl_tail tail = {false, num_events_in_wait_list, event_wait_list, event, NULL};
    return sl_fill_image(command_queue, image, fill_color, origin, region, &tail);
}

/* The pitches that the application gets back. */
struct pitches {
    size_t *row, *slice;
};

static cl_int check_map(cl_command_queue queue, cl_mem image, cl_map_flags flags,
                        const size_t *origin, const size_t *region, struct pitches pitches,
                        struct sl_image_box *box)
{
    cl_int rc;
    if (!sl_valid(queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a command queue");
    if ((rc = check_image(queue, image)) || (rc = sl_image_check_box(image, origin, region, box)) ||
        (rc = sl_check_map_flags(flags)) || (rc = sl_check_map_access(image, flags)))
        return rc;
    if (!pitches.row)
        return sl_refuse(CL_INVALID_VALUE, "image_row_pitch is NULL");
    if (image->image.slice_pitch && !pitches.slice)
        return sl_refuse(CL_INVALID_VALUE, "image_slice_pitch is NULL for an image with slices");
    return CL_SUCCESS;
}

static cl_int map(cl_command_queue queue, cl_mem image, bool blocking, cl_map_flags flags,
                  const size_t *origin, const size_t *region, struct pitches pitches,
                  cl_uint wait_count, const cl_event *wait_list, cl_event *event, void **out)
{
    struct sl_image_box box;
    cl_int rc;
    if ((rc = check_map(queue, image, flags, origin, region, pitches, &box)) ||
        (rc = sl_check_wait_list(queue->context, wait_count, wait_list)) ||
        (rc = check_device(queue)))
        return rc;
    const struct sl_image shape = image->image;
    void *pointer = image->host ? image->host + sl_image_offset(image, box.origin) : NULL;
    rc = sl_map_submit(queue, image, CL_COMMAND_MAP_IMAGE, pointer, blocking, wait_count, wait_list,
                       event);
    if (rc)
        return rc;
    *pitches.row = shape.row_pitch;
    if (pitches.slice)
        *pitches.slice = shape.slice_pitch;
    *out = pointer;
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL sl_clEnqueueMapImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
    const size_t *origin, const size_t *region, size_t *image_row_pitch, size_t *image_slice_pitch,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event,
    cl_int *errcode_ret)
{
    void *pointer = NULL;
    cl_int rc = map(command_queue, image, blocking_map, map_flags, origin, region,
                    (struct pitches){image_row_pitch, image_slice_pitch}, num_events_in_wait_list,
                    event_wait_list, event, &pointer);
    if (errcode_ret)
        *errcode_ret = rc;
    return pointer;
}
