/* SPDX-License-Identifier: Apache-2.0 */
/* See transfer.h. No lock. */
#include "commands/enqueue/transfer.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/rect.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "memory/buffer.h"
#include "memory/svm_allocation.h"
#include "platform/platform.h"
#include "program/object/program.h"

void sl_copy_linear(struct sl_copy *copy, size_t size)
{
    copy->region[0] = size;
    copy->region[1] = copy->region[2] = 1;
    for (int i = 0; i < 2; i++)
        copy->dst_pitch[i] = copy->src_pitch[i] = size;
}

void sl_fill_linear(struct sl_fill *fill, const void *pattern, size_t pattern_bytes, size_t size)
{
    fill->region[0] = fill->dst_pitch[0] = fill->dst_pitch[1] = size;
    fill->region[1] = fill->region[2] = 1;
    fill->pattern_bytes = (uint32_t)pattern_bytes;
    memcpy(fill->pattern, pattern, pattern_bytes);
}

cl_int sl_check_pattern(const void *pattern, size_t bytes, size_t offset, size_t size)
{
    if (!pattern || !bytes)
        return sl_refuse(CL_INVALID_VALUE, "no pattern");
    if (bytes > 128 || (bytes & (bytes - 1)))
        return sl_refuse(CL_INVALID_VALUE,
                         "a pattern of %zu bytes: it takes a power of two up to 128", bytes);
    if (offset % bytes || size % bytes)
        return sl_refuse(CL_INVALID_VALUE, "offset %zu and size %zu for patterns of %zu", offset,
                         size, bytes);
    return CL_SUCCESS;
}

/* The command, with its objects held; a command without work (how) is only a point in the order. */
static cl_int make(cl_command_queue queue, cl_command_type type, enum sl_command_how how, cl_mem a,
                   cl_mem b, cl_event *out)
{
    cl_event e;
    cl_int rc;
    if ((rc = sl_check_reach(a, queue->impl)) || (rc = sl_check_reach(b, queue->impl)) ||
        (rc = sl_command_create(queue, type, how, &e)))
        return rc;
    rc = sl_command_keep(e, a);
    if (!rc)
        rc = sl_command_keep(e, b);
    if (rc) {
        sl_command_abandon(e);
        return rc;
    }
    *out = e;
    return CL_SUCCESS;
}

/* Zero bytes, or memory onto itself (a buffer in host memory read to that place): nothing to do. */
static bool is_nothing(const struct sl_copy *copy)
{
    return !copy->region[0] ||
           (copy->dst.memory == copy->src.memory && copy->dst.offset == copy->src.offset &&
            copy->dst_pitch[0] == copy->src_pitch[0] && copy->dst_pitch[1] == copy->src_pitch[1]);
}

/*
 * Up to these sizes the copy costs less than waking another thread for it: it is done by whoever
 * made the command ready, most often the caller. A caller who waits anyway can do more.
 */
enum { HOST_BYTES = 64 * 1024, HOST_BYTES_BLOCKING = 1024 * 1024 };

static bool host_address(cl_command_queue queue, struct sl_place *place)
{
    if (!place->memory)
        return true;
    char *host = queue->impl->ops->memory_host(place->memory);
    *place = (struct sl_place){NULL, (uintptr_t)host + place->offset};
    return host;
}

static bool is_for_host(cl_command_queue queue, const struct sl_copy *copy, bool blocking)
{
    struct sl_place src = copy->src, dst = copy->dst;
    return copy->region[1] == 1 && copy->region[2] == 1 &&
           copy->region[0] <= (blocking ? HOST_BYTES_BLOCKING : HOST_BYTES) &&
           host_address(queue, &src) && host_address(queue, &dst);
}

void sl_copy_on_host(const struct sl_copy *copy)
{
    /* Two buffers may be the same memory of the application. */
    memmove((void *)copy->dst.offset, (const void *)copy->src.offset, copy->region[0]);
}

static void copy_on_host(cl_event e)
{
    sl_copy_on_host(&e->work.u.copy);
    sl_command_finish(e, CL_COMPLETE);
}

static cl_int make_copy(cl_command_queue queue, cl_command_type type, const struct sl_copy *copy,
                        cl_mem a, cl_mem b, bool blocking, cl_event *out)
{
    cl_event e;
    enum sl_command_how how = is_nothing(copy)                     ? SL_HOW_NOTHING
                              : is_for_host(queue, copy, blocking) ? SL_HOW_HOST
                                                                   : SL_HOW_DEVICE;
    cl_int rc = make(queue, type, how, a, b, &e);
    if (rc)
        return rc;
    e->work.kind = SL_WORK_COPY;
    e->work.u.copy = *copy;
    if (how == SL_HOW_HOST) {
        e->host_run = copy_on_host;
        host_address(queue, &e->work.u.copy.src);
        host_address(queue, &e->work.u.copy.dst);
    }
    *out = e;
    return CL_SUCCESS;
}

cl_int sl_enqueue_copy(cl_command_queue queue, cl_command_type type, const struct sl_copy *copy,
                       cl_mem a, cl_mem b, const struct sl_tail *tail)
{
    cl_event e;
    cl_int rc = make_copy(queue, type, copy, a, b, tail->blocking, &e);
    return rc ? rc : sl_tail_submit(e, tail);
}

/*
 * A command takes about 100 ns to build and to end, as much as copying 8 KiB. Where nobody could
 * tell the difference (the queue is idle, no event, no trace) the caller copies without one, under
 * the queue's lock: for a few microseconds at most, ten times what handing the command over would
 * cost. An address is NULL where the memory has none.
 */
enum { AT_ONCE_BYTES = 256 * 1024 };

bool sl_copy_at_once(cl_command_queue queue, void *dst, const void *src, size_t size, cl_mem a,
                     cl_mem b, const struct sl_tail *tail)
{
    if (!dst || !src || size > AT_ONCE_BYTES || tail->event || tail->wait_count ||
        tail->recording || sl_forked() || sl_timeline_enabled() ||
        sl_trace_enabled(SL_TRACE_SCHEDULER) || !sl_queue_enter_idle(queue))
        return false;
    sl_hold(a); /* others may release them now */
    sl_hold(b);
    memmove(dst, src, size);
    sl_queue_leave_idle(queue);
    sl_drop(a);
    sl_drop(b);
    return true;
}

cl_int sl_enqueue_fill(cl_command_queue queue, cl_command_type type, const struct sl_fill *fill,
                       cl_mem mem, const struct sl_tail *tail)
{
    cl_event e;
    cl_int rc = make(queue, type, fill->region[0] ? SL_HOW_DEVICE : SL_HOW_NOTHING, mem, NULL, &e);
    if (rc)
        return rc;
    e->work.kind = SL_WORK_FILL;
    e->work.u.fill = *fill;
    return sl_tail_submit(e, tail);
}

/* ---- by address ------------------------------------------------------------------------------ */

cl_int sl_enqueue_point(cl_command_queue queue, cl_command_type type, const struct sl_tail *tail)
{
    cl_event e;
    cl_int rc = sl_tail_check(queue, tail);
    if (!rc)
        rc = sl_command_create(queue, type, SL_HOW_NOTHING, &e);
    return rc ? rc : sl_tail_submit(e, tail);
}

static void drop_code(cl_event e)
{
    sl_code_drop(e->u.code);
}

cl_int sl_enqueue_copy_of_code(cl_command_queue queue, cl_command_type type, void *dst,
                               const void *src, size_t size, struct sl_code_ref *code,
                               const struct sl_tail *tail)
{
    cl_event e;
    cl_int rc = sl_tail_check(queue, tail);
    if (rc)
        return rc;
    if (sl_ranges_overlap((uintptr_t)dst, (uintptr_t)src, size))
        return sl_refuse(CL_MEM_COPY_OVERLAP, "source and destination overlap");
    if (sl_copy_at_once(queue, dst, src, size, NULL, NULL, tail))
        return CL_SUCCESS;
    struct sl_copy copy = {.dst = {NULL, (uintptr_t)dst}, .src = {NULL, (uintptr_t)src}};
    sl_copy_linear(&copy, size);
    rc = make_copy(queue, type, &copy, NULL, NULL, tail->blocking, &e);
    if (rc)
        return rc;
    if (code) {
        e->u.code = sl_code_hold(code);
        e->on_finish = drop_code;
    }
    return sl_tail_submit(e, tail);
}

cl_int sl_enqueue_copy_at(cl_command_queue queue, cl_command_type type, void *dst, const void *src,
                          size_t size, const struct sl_tail *tail)
{
    if (!dst || !src)
        return sl_refuse(CL_INVALID_VALUE, "from %p to %p", src, dst);
    cl_int rc = sl_allocation_check(queue->context, dst, size);
    if (!rc)
        rc = sl_allocation_check(queue->context, src, size);
    return rc ? rc : sl_enqueue_copy_of_code(queue, type, dst, src, size, NULL, tail);
}

cl_int sl_enqueue_fill_at(cl_command_queue queue, cl_command_type type, void *at,
                          const void *pattern, size_t pattern_bytes, size_t size,
                          const struct sl_tail *tail)
{
    if (!at)
        return sl_refuse(CL_INVALID_VALUE, "nothing to fill");
    cl_int rc = sl_check_pattern(pattern, pattern_bytes, (uintptr_t)at, size);
    if (!rc)
        rc = sl_allocation_check(queue->context, at, size);
    if (!rc)
        rc = sl_tail_check(queue, tail);
    if (rc)
        return rc;
    struct sl_fill fill;
    sl_fill_linear(&fill, pattern, pattern_bytes, size);
    fill.dst = (struct sl_place){NULL, (uintptr_t)at};
    return sl_enqueue_fill(queue, type, &fill, NULL, tail);
}

/* Device memory has no address here. */
static bool meets(struct sl_place place, const size_t region[3], const size_t pitch[2],
                  const struct sl_interval *range)
{
    const size_t span = region[0] + (region[1] - 1) * pitch[0] + (region[2] - 1) * pitch[1];
    return !place.memory &&
           (place.offset - range->start < range->size || range->start - place.offset < span);
}

bool sl_transfer_touches(const struct _cl_event *e, const struct sl_interval *range)
{
    const bool host = e->how == SL_HOW_HOST && e->host_run == copy_on_host;
    if (host || (e->how == SL_HOW_DEVICE && e->work.kind == SL_WORK_COPY)) {
        const struct sl_copy *copy = &e->work.u.copy;
        return meets(copy->dst, copy->region, copy->dst_pitch, range) ||
               meets(copy->src, copy->region, copy->src_pitch, range);
    }
    const struct sl_fill *fill = &e->work.u.fill;
    return e->how == SL_HOW_DEVICE && e->work.kind == SL_WORK_FILL &&
           meets(fill->dst, fill->region, fill->dst_pitch, range);
}
