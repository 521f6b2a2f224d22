/* SPDX-License-Identifier: Apache-2.0 */
/* See pipe_binding.h. The turn at a pipe's end guards its binding. */
#include "program/pipe_binding.h"

#include "base/log/error.h"
#include "memory/pipe.h"

/* A kernel that reads needs a host that writes. */
static cl_int check_host_end(const struct sl_mem_pipe *pipe, const struct sl_arg_info *info,
                             cl_uint index)
{
    bool host = pipe->host_reads || pipe->host_writes;
    if (host != !!(info->pipe->flags & SL_PIPE_HOST))
        return sl_refuse(CL_INVALID_ARG_VALUE,
                         host ? "argument %u is not intel_host_accessible, the pipe is the host's"
                              : "argument %u is intel_host_accessible, the pipe is not",
                         index);
    if (!host)
        return CL_SUCCESS;
    if (pipe->host_reads != (info->access == SL_ACCESS_WRITE_ONLY))
        return sl_refuse(CL_INVALID_ARG_VALUE, "host and argument %u would both %s the pipe", index,
                         pipe->host_reads ? "read" : "write");
    if (info->pipe->depth && pipe->max_packets > info->pipe->depth)
        return sl_refuse(CL_INVALID_ARG_VALUE, "%u packets for argument %u of depth %u",
                         pipe->max_packets, index, info->pipe->depth);
    return CL_SUCCESS;
}

/* Another program, or the same memory used for another one since: the old binding is history. */
static bool bound_elsewhere_in_turn(const struct sl_mem_pipe *pipe, cl_program program,
                                    uint32_t kernel, cl_uint index)
{
    cl_program bound = pipe->bound_program;
    if (!bound || !sl_valid(bound, &sl_program_type) ||
        bound->obj.generation != pipe->bound_generation)
        return false;
    return bound != program || pipe->bound_kernel != kernel || pipe->bound_arg != index;
}

static cl_int bind_host_pipe(struct sl_mem_pipe *pipe, cl_kernel kernel, cl_uint index)
{
    uint32_t number = kernel->on[0].index;
    sl_spin_take(&pipe->end_lock);
    bool elsewhere = bound_elsewhere_in_turn(pipe, kernel->program, number, index);
    if (!elsewhere) {
        pipe->bound_program = kernel->program;
        pipe->bound_generation = kernel->program->obj.generation;
        pipe->bound_kernel = number;
        pipe->bound_arg = index;
    }
    sl_spin_give(&pipe->end_lock);
    if (elsewhere)
        return sl_refuse(CL_INVALID_ARG_VALUE, "the host pipe belongs to another argument");
    return CL_SUCCESS;
}

cl_int sl_pipe_bind(cl_mem mem, cl_kernel kernel, cl_uint index)
{
    struct sl_mem_pipe *pipe = mem->pipe;
    const struct sl_arg_info *info = &kernel->info->args[index];
    if (!info->pipe)
        return CL_SUCCESS;
    if (info->pipe->packet_bytes != pipe->packet_bytes)
        return sl_refuse(CL_INVALID_ARG_SIZE, "argument %u has packets of %u bytes, the pipe of %u",
                         index, info->pipe->packet_bytes, pipe->packet_bytes);
    cl_int rc = check_host_end(pipe, info, index);
    if (rc || !(info->pipe->flags & SL_PIPE_HOST))
        return rc;
    return bind_host_pipe(pipe, kernel, index);
}
