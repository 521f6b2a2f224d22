/* SPDX-License-Identifier: Apache-2.0 */
/* See transfer.h. No lock. */
#include "transfer.h"

#include <string.h>

#include "command.h"
#include "error.h"
#include "queue.h"

/*
 * Up to these sizes the copy costs less than waking another thread for it: it is done by whoever
 * made the command ready, most often the caller. A caller who waits anyway can do more.
 */
enum { HOST_BYTES = 64 * 1024, HOST_BYTES_BLOCKING = 1024 * 1024 };

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
        return sl_refuse(CL_INVALID_VALUE, "a pattern of %zu bytes", bytes);
    if (offset % bytes || size % bytes)
        return sl_refuse(CL_INVALID_VALUE, "offset %zu and size %zu for patterns of %zu", offset,
                         size, bytes);
    return CL_SUCCESS;
}

static cl_int submit(cl_event e, const struct sl_tail *tail)
{
    return sl_command_submit(e, tail->wait_count, tail->wait_list, tail->blocking, tail->event);
}

static void copy_on_host(cl_event e)
{
    const struct sl_copy *copy = &e->work.u.copy;
    memcpy((void *)copy->dst.offset, (const void *)copy->src.offset, copy->region[0]);
    sl_command_finish(e, CL_COMPLETE);
}

cl_int sl_enqueue_copy(cl_command_queue queue, cl_command_type type, const struct sl_copy *copy,
                       const struct sl_tail *tail)
{
    cl_event e;
    size_t on_host = tail->blocking ? HOST_BYTES_BLOCKING : HOST_BYTES;
    enum sl_command_how how = !copy->region[0]             ? SL_HOW_NOTHING
                              : copy->region[0] <= on_host ? SL_HOW_HOST
                                                           : SL_HOW_DEVICE;
    cl_int rc = sl_command_create(queue, type, how, &e);
    if (rc)
        return rc;
    e->work.kind = SL_WORK_COPY;
    e->work.u.copy = *copy;
    e->host_run = copy_on_host;
    return submit(e, tail);
}

cl_int sl_enqueue_fill(cl_command_queue queue, cl_command_type type, const struct sl_fill *fill,
                       const struct sl_tail *tail)
{
    cl_event e;
    cl_int rc =
        sl_command_create(queue, type, fill->region[0] ? SL_HOW_DEVICE : SL_HOW_NOTHING, &e);
    if (rc)
        return rc;
    e->work.kind = SL_WORK_FILL;
    e->work.u.fill = *fill;
    return submit(e, tail);
}
