/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clMapProgramPipeSLUICE and clUnmapProgramPipeSLUICE: the host's end of a program's pipe, a region
 * at a time. Nothing here waits; the turn at the end is held over the device's calls.
 */
#include <CL/cl_ext_sluice.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/thread/fork.h"
#include "commands/queue/waiting.h"
#include "pipes/host_pipe_wait.h"

static struct sl_pipe_region_end region_end_of(const struct sl_host_end *end, bool write)
{
    return (struct sl_pipe_region_end){end->device, end->pipe, write, end->info->packet_bytes};
}

static cl_int find(cl_program program, cl_device_id device, const char *symbol,
                   struct sl_code_ref **code, struct sl_host_end **end)
{
    cl_int rc = sl_program_code_on(program, device, code);
    if (rc)
        return rc;
    if (!symbol)
        return sl_refuse(CL_INVALID_VALUE, "no symbol");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    return sl_host_end_find(*code, symbol, end);
}

static cl_int check(const struct sl_host_end *end, cl_map_flags flags, size_t requested,
                    const size_t *mapped)
{
    if (flags != CL_MAP_READ && flags != CL_MAP_WRITE)
        return sl_refuse(CL_INVALID_VALUE, "map flags 0x%llx", (unsigned long long)flags);
    if (!mapped)
        return sl_refuse(CL_INVALID_VALUE, "mapped_size is NULL");
    if (requested % end->info->packet_bytes)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes are no packets of %u", requested,
                         end->info->packet_bytes);
    return CL_SUCCESS;
}

/* CL_OUT_OF_RESOURCES, without a line in the log: there is nothing now, or transfers wait. */
static cl_int map(struct sl_host_end *end, bool write, size_t want_bytes, void **start,
                  size_t *bytes)
{
    struct sl_pipe_region_end at = region_end_of(end, write);
    struct sl_pipe_region *region = sl_alloc(sizeof *region);
    if (!region)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a map");
    sl_spin_take(&end->end_lock);
    bool mapped = !end->first && sl_pipe_region_map(&end->regions, &at, region, want_bytes);
    if (mapped) { /* another thread may unmap it as soon as we let go */
        *start = region->start;
        *bytes = region->bytes;
    }
    sl_spin_give(&end->end_lock);
    if (!mapped)
        sl_free(region);
    return mapped ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static cl_int claim_and_map(struct sl_host_end *end, cl_program program,
                            const struct sl_code_ref *code, bool write, size_t want_bytes,
                            void **start, size_t *bytes)
{
    cl_int rc = sl_host_end_claim(end, write, program, code);
    if (rc)
        return rc;
    rc = map(end, write, want_bytes, start, bytes);
    if (rc)
        sl_host_end_unclaim(end, program);
    if (rc == CL_OUT_OF_RESOURCES)
        sl_wait_asks(program->context, NULL);
    return rc;
}

void *sl_clMapProgramPipeSLUICE(cl_program program, cl_device_id device, const char *pipe_symbol,
                                cl_map_flags map_flags, size_t requested_size, size_t *mapped_size,
                                cl_int *errcode_ret)
{
    struct sl_code_ref *code = NULL;
    struct sl_host_end *end = NULL;
    void *start = NULL;
    size_t bytes = 0;
    cl_int rc = find(program, device, pipe_symbol, &code, &end);
    if (!rc)
        rc = check(end, map_flags, requested_size, mapped_size);
    if (!rc)
        rc = claim_and_map(end, program, code, map_flags == CL_MAP_WRITE,
                           requested_size ? requested_size : SIZE_MAX, &start, &bytes);
    sl_code_drop(code);
    if (mapped_size)
        *mapped_size = bytes;
    if (errcode_ret)
        *errcode_ret = rc;
    return start;
}

static cl_int unmap(struct sl_host_end *end, const void *start, size_t bytes)
{
    enum sl_host_direction direction =
        (enum sl_host_direction)atomic_load_explicit(&end->direction, memory_order_relaxed);
    struct sl_pipe_region_end at = region_end_of(end, direction == SL_HOST_WRITES);
    sl_spin_take(&end->end_lock);
    cl_int rc = sl_pipe_region_unmap(&end->regions, &at, start, bytes);
    sl_spin_give(&end->end_lock);
    return rc ? sl_refuse(rc, "%zu bytes at %p are not mapped", bytes, start) : CL_SUCCESS;
}

cl_int sl_clUnmapProgramPipeSLUICE(cl_program program, cl_device_id device, const char *pipe_symbol,
                                   void *mapped_ptr, size_t size_to_unmap, size_t *unmapped_size)
{
    struct sl_code_ref *code = NULL;
    struct sl_host_end *end = NULL;
    cl_int rc = find(program, device, pipe_symbol, &code, &end);
    if (!rc)
        rc = unmap(end, mapped_ptr, size_to_unmap);
    if (!rc && unmapped_size)
        *unmapped_size = size_to_unmap;
    sl_code_drop(code);
    return rc;
}
