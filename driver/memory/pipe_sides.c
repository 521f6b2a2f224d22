/* SPDX-License-Identifier: Apache-2.0 */
/* See pipe_sides.h. The turn at the pipe guards who has the packets and how many commands use it.
 */
#include "memory/pipe_sides.h"

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/context.h"
#include "platform/device.h"

/* ---- the rings ------------------------------------------------------------------------------- */

static const struct sl_pipe_side *side_of(const struct sl_mem_pipe *pipe,
                                          const struct sl_device *device)
{
    for (uint32_t s = 0; s < pipe->side_count; s++)
        if (pipe->sides[s].device == device)
            return &pipe->sides[s];
    return NULL;
}

struct sl_pipe_ring *sl_pipe_ring_on(const struct sl_mem_pipe *pipe, const struct sl_device *device)
{
    const struct sl_pipe_side *side = side_of(pipe, device);
    return side ? device->ops->pipe_ring(side->pipe) : NULL;
}

/* A host pipe has one: the host is at its other end. So has one that its device cannot hand on. */
static bool takes_side(const struct sl_mem_pipe *pipe, const struct sl_device *device)
{
    bool host = pipe->host_reads || pipe->host_writes;
    if (side_of(pipe, device))
        return false;
    return !pipe->side_count ||
           (!host && device->ops->pipe_pass && pipe->sides[0].device->ops->pipe_pass);
}

static uint32_t depth_of(const struct sl_pipe_side *side)
{
    return side->device->ops->pipe_ring(side->pipe)->depth;
}

static cl_int add_side(struct sl_mem_pipe *pipe, struct sl_device *device,
                       const struct sl_pipe_desc *desc)
{
    struct sl_pipe_side *side = &pipe->sides[pipe->side_count];
    int rc = device->ops->pipe_create(device, desc, &side->pipe);
    if (rc)
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device makes no pipe (%d)", rc);
    side->device = device;
    if (!pipe->side_count || depth_of(side) == depth_of(&pipe->sides[0]))
        pipe->side_count++;
    else /* SLUICE_FPGA_DEPTH: not all packets of the one would fit into the other */
        device->ops->pipe_destroy(side->pipe);
    return CL_SUCCESS;
}

cl_int sl_pipe_sides_create(cl_context context, const struct sl_pipe_desc *desc,
                            struct sl_mem_pipe *pipe)
{
    uint32_t needed = sl_pipe_feature(desc->host_reads || desc->host_writes);
    cl_int rc = CL_SUCCESS;
    pipe->sides = sl_zalloc(context->device_count * sizeof *pipe->sides);
    if (!pipe->sides)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a pipe");
    for (cl_uint i = 0; i < context->device_count && !rc; i++) {
        struct sl_device *device = context->devices[i]->root->impl;
        bool fits = desc->packet_bytes <= sl_device_pipe_packet(context->devices[i]);
        if (sl_device_feature(context->devices[i], needed) && fits && takes_side(pipe, device))
            rc = add_side(pipe, device, desc);
    }
    if (rc || pipe->side_count < 2)
        return rc;
    pipe->packet = sl_alloc(desc->packet_bytes);
    return pipe->packet ? CL_SUCCESS : sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a packet");
}

void sl_pipe_sides_destroy(struct sl_mem_pipe *pipe)
{
    for (uint32_t s = 0; s < pipe->side_count; s++)
        pipe->sides[s].device->ops->pipe_destroy(pipe->sides[s].pipe);
    sl_free(pipe->sides);
    sl_free(pipe->packet);
}

/* ---- who has the packets --------------------------------------------------------------------- */

static void move_packets_in_turn(struct sl_mem_pipe *pipe, const struct sl_pipe_side *to)
{
    const struct sl_pipe_side *from = &pipe->sides[pipe->at];
    while (!from->device->ops->pipe_pass(from->pipe, false, pipe->packet))
        to->device->ops->pipe_pass(to->pipe, true, pipe->packet);
    pipe->at = (uint32_t)(to - pipe->sides);
}

bool sl_pipe_sides_enter(struct sl_mem_pipe *pipe, const struct sl_device *device)
{
    const struct sl_pipe_side *side = side_of(pipe, device);
    sl_spin_take(&pipe->end_lock);
    bool free = side == &pipe->sides[pipe->at] || !pipe->users;
    if (free && side != &pipe->sides[pipe->at])
        move_packets_in_turn(pipe, side);
    pipe->users += free;
    sl_spin_give(&pipe->end_lock);
    return free;
}

void sl_pipe_sides_leave(struct sl_mem_pipe *pipe)
{
    sl_spin_take(&pipe->end_lock);
    pipe->users--;
    sl_spin_give(&pipe->end_lock);
}
