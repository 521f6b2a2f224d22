/* SPDX-License-Identifier: Apache-2.0 */
/* See pipe_handover.h. */
#include "commands/enqueue/pipe_handover.h"

#include "commands/queue/queue.h"
#include "memory/pipe_sides.h"
#include "platform/device.h"

/* Among what the command holds; NULL: something else. */
static struct sl_mem_pipe *held_pipe(cl_event e, uint32_t i)
{
    const struct sl_object *object = e->held[i];
    struct sl_mem_pipe *pipe = object->type == &sl_mem_type ? ((cl_mem)e->held[i])->pipe : NULL;
    return pipe && pipe->side_count > 1 ? pipe : NULL;
}

static void leave_all(cl_event e)
{
    while (e->u.pipes.entered) {
        struct sl_mem_pipe *pipe = held_pipe(e, --e->u.pipes.entered);
        if (pipe)
            sl_pipe_sides_leave(pipe);
    }
}

static cl_int enter_all(cl_event e)
{
    for (uint32_t i = 0; i < e->held_count; i++) {
        struct sl_mem_pipe *pipe = held_pipe(e, i);
        if (pipe && !sl_pipe_sides_enter(pipe, e->queue->device->root->impl)) {
            leave_all(e);
            sl_command_explain(e, sl_command_name(e->type),
                               "a kernel on another device is using its pipe");
            return CL_INVALID_OPERATION;
        }
        e->u.pipes.entered = i + 1;
    }
    return CL_SUCCESS;
}

void sl_pipe_handover_attach(cl_event e, const struct sl_mem_pipe *pipe)
{
    if (pipe->side_count < 2)
        return;
    e->on_start = enter_all;
    e->on_finish = leave_all;
}
