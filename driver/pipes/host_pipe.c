/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of a pipe object: cl_intel_fpga_host_pipe. Nothing here waits (transfers of
 * program-scope pipes do: host_pipe_wait.c). One thread at a time has its turn at the end; it keeps
 * it over the device's calls, which move bytes and call nothing of ours. Packets that are read or
 * written while regions are open are in the device's order.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "base/log/heard.h"
#include "base/object/alloc.h"
#include "base/thread/fork.h"
#include "commands/queue/waiting.h"
#include "memory/pipe.h"
#include "platform/platform.h"

/* The other direction is as wrong as no host pipe at all. */
static cl_int check_end(cl_mem mem, bool write, struct sl_mem_pipe **out)
{
    struct sl_mem_pipe *pipe = sl_pipe_of(mem);
    if (!pipe)
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid pipe");
    if (!(write ? pipe->host_writes : pipe->host_reads))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "the host does not %s this pipe",
                         write ? "write" : "read");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    *out = pipe;
    return CL_SUCCESS;
}

static const struct sl_pipe_side *end_of(const struct sl_mem_pipe *pipe)
{
    return &pipe->sides[0];
}

static struct sl_pipe_region_end region_end_of(const struct sl_mem_pipe *pipe)
{
    return (struct sl_pipe_region_end){end_of(pipe)->device, end_of(pipe)->pipe, pipe->host_writes,
                                       pipe->packet_bytes};
}

/* Who asks again and again waits for the device in a way. True: it is time to say so. */
static bool note_in_turn(struct sl_mem_pipe *pipe, bool vain)
{
    enum { PATIENCE = 16 };
    pipe->vain = vain ? pipe->vain + 1 : 0;
    return pipe->vain % PATIENCE == PATIENCE - 1;
}

/* ---- packets --------------------------------------------------------------------------------- */

cl_int sl_clReadPipeIntelFPGA(cl_mem mem, void *ptr)
{
    struct sl_mem_pipe *pipe = NULL;
    cl_int rc = check_end(mem, false, &pipe);
    if (rc)
        return rc;
    if (!ptr)
        return sl_refuse(CL_INVALID_VALUE, "ptr is NULL");
    sl_spin_take(&pipe->end_lock);
    rc = end_of(pipe)->device->ops->pipe_read(end_of(pipe)->pipe, ptr);
    sl_heard_now();
    bool asks = note_in_turn(pipe, rc == SL_PIPE_WOULD_WAIT);
    sl_spin_give(&pipe->end_lock);
    if (asks)
        sl_wait_asks(mem->context, NULL);
    return rc == SL_PIPE_WOULD_WAIT ? CL_PIPE_EMPTY : rc;
}

cl_int sl_clWritePipeIntelFPGA(cl_mem mem, void *ptr)
{
    struct sl_mem_pipe *pipe = NULL;
    cl_int rc = check_end(mem, true, &pipe);
    if (rc)
        return rc;
    if (!ptr)
        return sl_refuse(CL_INVALID_VALUE, "ptr is NULL");
    sl_spin_take(&pipe->end_lock);
    rc = end_of(pipe)->device->ops->pipe_write(end_of(pipe)->pipe, ptr);
    bool asks = note_in_turn(pipe, rc == SL_PIPE_WOULD_WAIT);
    sl_spin_give(&pipe->end_lock);
    if (asks)
        sl_wait_asks(mem->context, NULL);
    return rc == SL_PIPE_WOULD_WAIT ? CL_PIPE_FULL : rc;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static cl_int check_map(cl_mem mem, cl_map_flags flags, size_t requested, const size_t *mapped,
                        struct sl_mem_pipe **out)
{
    struct sl_mem_pipe *any = sl_pipe_of(mem), *pipe = NULL;
    cl_int rc = check_end(mem, any && any->host_writes, &pipe);
    if (rc)
        return rc;
    if (flags)
        return sl_refuse(CL_INVALID_VALUE, "map flags 0x%llx", (unsigned long long)flags);
    if (!mapped)
        return sl_refuse(CL_INVALID_VALUE, "mapped_size is NULL");
    if (requested % pipe->packet_bytes)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes are no packets of %u", requested,
                         pipe->packet_bytes);
    *out = pipe;
    return CL_SUCCESS;
}

static cl_int map(cl_mem mem, struct sl_mem_pipe *pipe, size_t want_bytes, void **out,
                  size_t *bytes)
{
    struct sl_pipe_region_end end = region_end_of(pipe);
    struct sl_pipe_region *region = sl_alloc(sizeof *region);
    if (!region)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a map");
    sl_spin_take(&pipe->end_lock);
    bool mapped = sl_pipe_region_map(&pipe->regions, &end, region, want_bytes);
    if (mapped) { /* another thread may unmap it as soon as we let go */
        *out = region->start;
        *bytes = region->bytes;
    }
    bool asks = note_in_turn(pipe, !mapped);
    sl_spin_give(&pipe->end_lock);
    if (mapped)
        return CL_SUCCESS;
    if (asks)
        sl_wait_asks(mem->context, NULL);
    sl_free(region);
    *bytes = 0;
    return CL_OUT_OF_RESOURCES; /* nothing there now: not worth a line of log */
}

void *sl_clMapHostPipeIntelFPGA(cl_mem mem, cl_map_flags map_flags, size_t requested_size,
                                size_t *mapped_size, cl_int *errcode_ret)
{
    struct sl_mem_pipe *pipe = NULL;
    void *start = NULL;
    cl_int rc = check_map(mem, map_flags, requested_size, mapped_size, &pipe);
    if (!rc)
        rc = map(mem, pipe, requested_size ? requested_size : SIZE_MAX, &start, mapped_size);
    if (errcode_ret)
        *errcode_ret = rc;
    return start;
}

cl_int sl_clUnmapHostPipeIntelFPGA(cl_mem mem, void *mapped_ptr, size_t size_to_unmap,
                                   size_t *unmapped_size)
{
    struct sl_mem_pipe *any = sl_pipe_of(mem), *pipe = NULL;
    cl_int rc = check_end(mem, any && any->host_writes, &pipe);
    if (rc)
        return rc;
    struct sl_pipe_region_end end = region_end_of(pipe);
    sl_spin_take(&pipe->end_lock);
    rc = sl_pipe_region_unmap(&pipe->regions, &end, mapped_ptr, size_to_unmap);
    sl_spin_give(&pipe->end_lock);
    if (rc)
        return sl_refuse(rc, "%zu bytes at %p are not mapped", size_to_unmap, mapped_ptr);
    if (unmapped_size)
        *unmapped_size = size_to_unmap;
    return CL_SUCCESS;
}
