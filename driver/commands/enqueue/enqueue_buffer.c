/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that read, write, copy and fill buffers. Everything here checks, fills in one copy or
 * fill of the device interface and submits it. No lock. Spec 5.2.2 - 5.2.4.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "base/rect.h"
#include "commands/enqueue/commands.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/buffer.h"

static cl_int check_one(cl_command_queue queue, cl_mem buffer, const struct sl_tail *tail)
{
    cl_int rc = sl_tail_check_queue(queue, tail);
    return rc ? rc : sl_check_buffer(queue->context, buffer);
}

static cl_int check_two(cl_command_queue queue, cl_mem src, cl_mem dst, const struct sl_tail *tail)
{
    cl_int rc = check_one(queue, src, tail);
    return rc ? rc : sl_check_buffer(queue->context, dst);
}

static cl_int check_host_access(cl_mem buffer, bool write)
{
    const cl_mem_flags forbidden =
        write ? CL_MEM_HOST_READ_ONLY | CL_MEM_IMMUTABLE_EXT : CL_MEM_HOST_WRITE_ONLY;
    if (buffer->flags & (forbidden | CL_MEM_HOST_NO_ACCESS))
        return sl_refuse(CL_INVALID_OPERATION, "the buffer's host access flags forbid it");
    return CL_SUCCESS;
}

static unsigned char *address(cl_mem buffer, size_t offset)
{
    return buffer->host ? buffer->host + offset : NULL;
}

/* Reading and writing differ in which side is the host's. A host place of a host-addressable buffer
 * is named by address too, so that the two can be compared. */
static void set_sides(struct sl_copy *copy, bool write, cl_command_queue queue, cl_mem buffer,
                      size_t offset, uintptr_t host)
{
    struct sl_place inside = sl_mem_place(buffer, queue->impl, offset);
    struct sl_place outside = {NULL, host};
    if (buffer->host && (uintptr_t)buffer->host + offset == host)
        inside = outside;
    copy->dst = write ? inside : outside;
    copy->src = write ? outside : inside;
}

/* ---- read and write -------------------------------------------------------------------------- */

static cl_int transfer(cl_command_queue queue, cl_mem buffer, bool write, size_t offset,
                       size_t size, const void *host, const struct sl_tail *tail)
{
    cl_int rc = check_one(queue, buffer, tail);
    if (rc)
        return rc;
    if (!sl_range_inside(offset, size, buffer->size))
        return sl_refuse(CL_INVALID_VALUE, "%zu + %zu bytes of %zu", offset, size, buffer->size);
    rc = sl_check_host_range(host, size);
    if (rc)
        return rc;
    if ((rc = sl_tail_check(queue, tail)) || (rc = sl_check_alignment(queue->device, buffer)))
        return rc;
    rc = check_host_access(buffer, write);
    if (rc)
        return rc;
    unsigned char *inside = address(buffer, offset), *outside = (unsigned char *)(uintptr_t)host;
    if (sl_copy_at_once(queue, write ? inside : outside, write ? outside : inside, size, buffer,
                        NULL, tail))
        return CL_SUCCESS;
    struct sl_copy copy;
    sl_copy_linear(&copy, size);
    set_sides(&copy, write, queue, buffer, offset, (uintptr_t)host);
    return sl_enqueue_copy(queue, write ? CL_COMMAND_WRITE_BUFFER : CL_COMMAND_READ_BUFFER, &copy,
                           buffer, NULL, tail);
}

cl_int sl_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                              size_t offset, size_t size, void *ptr, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event)
{
    struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    return transfer(queue, buffer, false, offset, size, ptr, &tail);
}

cl_int sl_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               size_t offset, size_t size, const void *ptr, cl_uint wait_count,
                               const cl_event *wait_list, cl_event *event)
{
    struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    return transfer(queue, buffer, true, offset, size, ptr, &tail);
}

struct rect_sides { /* of a read or write: the buffer's and the host's */
    const size_t *buffer_origin, *host_origin, *region;
    size_t buffer_pitch[2], host_pitch[2];
};

static cl_int check_sides(const struct rect_sides *sides, cl_mem buffer, struct sl_rect *inside,
                          struct sl_rect *outside)
{
    cl_int rc = sl_rect_set(inside, sides->buffer_origin, sides->region, sides->buffer_pitch[0],
                            sides->buffer_pitch[1]);
    if (rc)
        return rc;
    if (inside->end > buffer->size)
        return sl_refuse(CL_INVALID_VALUE, "the region ends at %zu of %zu", inside->end,
                         buffer->size);
    return sl_rect_set(outside, sides->host_origin, sides->region, sides->host_pitch[0],
                       sides->host_pitch[1]);
}

static cl_int transfer_rect(cl_command_queue queue, cl_mem buffer, bool write,
                            const struct rect_sides *sides, const void *host,
                            const struct sl_tail *tail)
{
    struct sl_rect inside, outside;
    cl_int rc = check_one(queue, buffer, tail);
    if (!rc)
        rc = check_sides(sides, buffer, &inside, &outside);
    if (!rc)
        rc = sl_check_host_range(host, outside.end);
    if (rc)
        return rc;
    if ((rc = sl_tail_check(queue, tail)) || (rc = sl_check_alignment(queue->device, buffer)))
        return rc;
    rc = check_host_access(buffer, write);
    if (rc)
        return rc;
    struct sl_copy copy;
    sl_rect_copy(&copy, write ? &inside : &outside, write ? &outside : &inside);
    set_sides(&copy, write, queue, buffer, inside.start, (uintptr_t)host + outside.start);
    return sl_enqueue_copy(queue,
                           write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT,
                           &copy, buffer, NULL, tail);
}

cl_int sl_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  const size_t *buffer_origin, const size_t *host_origin,
                                  const size_t *region, size_t buffer_row_pitch,
                                  size_t buffer_slice_pitch, size_t host_row_pitch,
                                  size_t host_slice_pitch, void *ptr, cl_uint wait_count,
                                  const cl_event *wait_list, cl_event *event)
{
    struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    struct rect_sides sides = {buffer_origin,
                               host_origin,
                               region,
                               {buffer_row_pitch, buffer_slice_pitch},
                               {host_row_pitch, host_slice_pitch}};
    return transfer_rect(queue, buffer, false, &sides, ptr, &tail);
}

cl_int sl_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   const size_t *buffer_origin, const size_t *host_origin,
                                   const size_t *region, size_t buffer_row_pitch,
                                   size_t buffer_slice_pitch, size_t host_row_pitch,
                                   size_t host_slice_pitch, const void *ptr, cl_uint wait_count,
                                   const cl_event *wait_list, cl_event *event)
{
    struct sl_tail tail = {blocking, wait_count, wait_list, event, NULL};
    struct rect_sides sides = {buffer_origin,
                               host_origin,
                               region,
                               {buffer_row_pitch, buffer_slice_pitch},
                               {host_row_pitch, host_slice_pitch}};
    return transfer_rect(queue, buffer, true, &sides, ptr, &tail);
}

/* ---- copy ------------------------------------------------------------------------------------ */

static cl_mem root_of(cl_mem buffer)
{
    return buffer->parent ? buffer->parent : buffer;
}

static cl_int check_alignments(cl_command_queue queue, cl_mem src, cl_mem dst)
{
    cl_int rc = sl_check_alignment(queue->device, src);
    return rc ? rc : sl_check_alignment(queue->device, dst);
}

cl_int sl_copy_buffer(cl_command_queue queue, cl_mem src, cl_mem dst, size_t src_offset,
                      size_t dst_offset, size_t size, const struct sl_tail *tail)
{
    cl_int rc = check_two(queue, src, dst, tail);
    if (!rc)
        rc = check_alignments(queue, src, dst);
    if (rc)
        return rc;
    if (!sl_range_inside(src_offset, size, src->size) ||
        !sl_range_inside(dst_offset, size, dst->size))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes from %zu of %zu to %zu of %zu", size,
                         src_offset, src->size, dst_offset, dst->size);
    if ((rc = sl_tail_check(queue, tail)) || (rc = sl_check_mutable(dst)))
        return rc;
    if (root_of(src) == root_of(dst) &&
        sl_ranges_overlap(src->origin + src_offset, dst->origin + dst_offset, size))
        return sl_refuse(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    if (sl_copy_at_once(queue, address(dst, dst_offset), address(src, src_offset), size, src, dst,
                        tail))
        return CL_SUCCESS;
    struct sl_copy copy;
    sl_copy_linear(&copy, size);
    copy.src = sl_mem_place(src, queue->impl, src_offset);
    copy.dst = sl_mem_place(dst, queue->impl, dst_offset);
    return sl_enqueue_copy(queue, CL_COMMAND_COPY_BUFFER, &copy, src, dst, tail);
}

cl_int sl_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src, cl_mem dst, size_t src_offset,
                              size_t dst_offset, size_t size, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    return sl_copy_buffer(queue, src, dst, src_offset, dst_offset, size, &tail);
}

static cl_int check_rects(cl_mem src, cl_mem dst, const struct sl_rect *from,
                          const struct sl_rect *to)
{
    if (from->end > src->size || to->end > dst->size)
        return sl_refuse(CL_INVALID_VALUE, "a region ends behind its buffer");
    if (src == dst && (from->pitch[0] != to->pitch[0] || from->pitch[1] != to->pitch[1]))
        return sl_refuse(CL_INVALID_VALUE, "two pitches within one buffer");
    return CL_SUCCESS;
}

static struct sl_rect in_root(struct sl_rect rect, cl_mem buffer)
{
    rect.start += buffer->origin;
    rect.end += buffer->origin;
    return rect;
}

static bool copy_overlaps(cl_mem src, cl_mem dst, const struct sl_rect *from,
                          const struct sl_rect *to)
{
    if (root_of(src) != root_of(dst))
        return false;
    struct sl_rect a = in_root(*from, src), b = in_root(*to, dst);
    return sl_rects_overlap(&a, &b);
}

cl_int sl_copy_buffer_rect(cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
                           const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
                           size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
                           const struct sl_tail *tail)
{
    struct sl_rect from, to;
    cl_int rc = check_two(queue, src, dst, tail);
    if (rc || (rc = check_alignments(queue, src, dst)) ||
        (rc = sl_rect_set(&from, src_origin, region, src_row_pitch, src_slice_pitch)) ||
        (rc = sl_rect_set(&to, dst_origin, region, dst_row_pitch, dst_slice_pitch)) ||
        (rc = check_rects(src, dst, &from, &to)) || (rc = sl_tail_check(queue, tail)) ||
        (rc = sl_check_mutable(dst)))
        return rc;
    if (copy_overlaps(src, dst, &from, &to))
        return sl_refuse(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    struct sl_copy copy;
    sl_rect_copy(&copy, &to, &from);
    copy.src = sl_mem_place(src, queue->impl, from.start);
    copy.dst = sl_mem_place(dst, queue->impl, to.start);
    return sl_enqueue_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, &copy, src, dst, tail);
}

cl_int sl_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src, cl_mem dst,
                                  const size_t *src_origin, const size_t *dst_origin,
                                  const size_t *region, size_t src_row_pitch,
                                  size_t src_slice_pitch, size_t dst_row_pitch,
                                  size_t dst_slice_pitch, cl_uint wait_count,
                                  const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    return sl_copy_buffer_rect(queue, src, dst, src_origin, dst_origin, region, src_row_pitch,
                               src_slice_pitch, dst_row_pitch, dst_slice_pitch, &tail);
}

/* ---- fill ------------------------------------------------------------------------------------ */

cl_int sl_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                      size_t pattern_size, size_t offset, size_t size, const struct sl_tail *tail)
{
    cl_int rc = check_one(queue, buffer, tail);
    if (rc)
        return rc;
    if (!sl_range_inside(offset, size, buffer->size))
        return sl_refuse(CL_INVALID_VALUE, "%zu + %zu bytes of %zu", offset, size, buffer->size);
    if ((rc = sl_check_pattern(pattern, pattern_size, offset, size)) ||
        (rc = sl_tail_check(queue, tail)) || (rc = sl_check_alignment(queue->device, buffer)) ||
        (rc = sl_check_mutable(buffer)))
        return rc;
    struct sl_fill fill;
    sl_fill_linear(&fill, pattern, pattern_size, size);
    fill.dst = sl_mem_place(buffer, queue->impl, offset);
    return sl_enqueue_fill(queue, CL_COMMAND_FILL_BUFFER, &fill, buffer, tail);
}

cl_int sl_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                              size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event)
{
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    return sl_fill_buffer(queue, buffer, pattern, pattern_size, offset, size, &tail);
}
