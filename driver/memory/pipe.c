/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipe objects: creation and queries. What is here is constant once a pipe is made. Spec 5.4.
 */
#include "memory/pipe.h"
#include "base/thread/fork.h"

#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "memory/pipe_sides.h"
#include "platform/context.h"
#include "platform/device.h"
#include "platform/platform.h"

/* ---- life ------------------------------------------------------------------------------------ */

void sl_mem_pipe_destroy(struct sl_mem_pipe *pipe)
{
    if (!pipe)
        return;
    sl_pipe_regions_finish(&pipe->regions);
    sl_pipe_sides_destroy(pipe);
    sl_free(pipe);
}

struct sl_mem_pipe *sl_pipe_of(cl_mem mem)
{
    return sl_valid(mem, &sl_mem_type) && mem->type == CL_MEM_OBJECT_PIPE ? mem->pipe : NULL;
}

uint32_t sl_pipe_feature(bool host)
{
    return host ? SL_FEATURE_DATAFLOW : SL_FEATURE_PIPES;
}

static struct sl_mem_pipe *pipe_new(const struct sl_pipe_desc *desc)
{
    struct sl_mem_pipe *pipe = sl_zalloc(sizeof *pipe);
    if (!pipe)
        return NULL;
    pipe->packet_bytes = desc->packet_bytes;
    pipe->max_packets = desc->max_packets;
    pipe->host_reads = desc->host_reads;
    pipe->host_writes = desc->host_writes;
    return pipe;
}

static cl_int create(cl_context context, cl_mem_flags flags, const struct sl_pipe_desc *desc,
                     cl_mem *out)
{
    struct sl_mem_pipe *pipe = pipe_new(desc);
    if (!pipe)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a pipe");
    cl_int rc = sl_pipe_sides_create(context, desc, pipe);
    cl_mem mem =
        rc ? NULL : sl_mem_new(context, flags, (size_t)desc->packet_bytes * desc->max_packets);
    if (!mem) {
        sl_mem_pipe_destroy(pipe);
        return rc ? rc : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a pipe");
    }
    mem->type = CL_MEM_OBJECT_PIPE;
    mem->home = pipe->sides[0].device;
    mem->pipe = pipe;
    *out = mem;
    return CL_SUCCESS;
}

/* ---- clCreatePipe ---------------------------------------------------------------------------- */

static const cl_mem_flags plain_flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;

/* Of cl_intel_fpga_host_pipe: the flag alone says that the host has the other end. */
static bool is_host_flag(cl_mem_flags flags)
{
    return flags == CL_MEM_HOST_READ_ONLY || flags == CL_MEM_HOST_WRITE_ONLY;
}

static cl_int check_size(cl_context context, cl_uint packet_bytes, cl_uint max_packets)
{
    for (cl_uint i = 0; packet_bytes && max_packets && i < context->device_count; i++)
        if (packet_bytes <= sl_device_pipe_packet(context->devices[i]))
            return CL_SUCCESS;
    return sl_refuse(CL_INVALID_PIPE_SIZE, "%u packets of %u bytes", max_packets, packet_bytes);
}

static cl_int check_create(cl_context context, cl_mem_flags flags, cl_uint packet_bytes,
                           cl_uint max_packets, const cl_pipe_properties *properties)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a valid context");
    if (!sl_context_feature(context, SL_FEATURE_PIPES))
        return sl_refuse(CL_INVALID_OPERATION, "no device of the context has pipes");
    bool host = is_host_flag(flags) && sl_context_feature(context, SL_FEATURE_DATAFLOW);
    if (flags & ~plain_flags && !host)
        return sl_refuse(CL_INVALID_VALUE, "flags 0x%llx", (unsigned long long)flags);
    if (properties)
        return sl_refuse(CL_INVALID_VALUE, "pipes have no properties");
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    return check_size(context, packet_bytes, max_packets);
}

cl_mem sl_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                       cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                       cl_int *errcode_ret)
{
    const struct sl_pipe_desc desc = {.packet_bytes = pipe_packet_size,
                                      .max_packets = pipe_max_packets,
                                      .host_reads = flags == CL_MEM_HOST_READ_ONLY,
                                      .host_writes = flags == CL_MEM_HOST_WRITE_ONLY};
    cl_mem mem = NULL;
    cl_int rc = check_create(context, flags, pipe_packet_size, pipe_max_packets, properties);
    if (!rc)
        rc = create(context, flags ? flags : plain_flags, &desc, &mem);
    if (errcode_ret)
        *errcode_ret = rc;
    return mem;
}

/* ---- queries --------------------------------------------------------------------------------- */

static const struct sl_info_row pipe_rows[] = {
    SL_VALUE(CL_PIPE_PACKET_SIZE, struct sl_mem_pipe, packet_bytes),
    SL_VALUE(CL_PIPE_MAX_PACKETS, struct sl_mem_pipe, max_packets),
    SL_EMPTY(CL_PIPE_PROPERTIES),
};

cl_int sl_clGetPipeInfo(cl_mem mem, cl_pipe_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret)
{
    const struct sl_mem_pipe *pipe = sl_pipe_of(mem);
    if (!pipe)
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not a valid pipe");
    return sl_info(pipe_rows, SL_LEN(pipe_rows), pipe, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
