/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See host_pipe_wait.h. The turn at an end guards its line and the device's side of it; it is kept
 * over pipe_read and pipe_write, which move a packet and call nothing of ours.
 */
#include "pipes/host_pipe_wait.h"

#include <CL/cl_ext_sluice.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "commands/queue/queue.h"
#include "commands/queue/waiting.h"
#include "platform/context.h"

static cl_int move_in_turn(struct sl_host_end *end, bool write, void *packet)
{
    const struct sl_device_ops *ops = end->device->ops;
    return write ? ops->pipe_write(end->pipe, packet) : ops->pipe_read(end->pipe, packet);
}

cl_int sl_host_end_try(struct sl_host_end *end, bool write, void *packet)
{
    sl_spin_take(&end->end_lock);
    /* Who waits is first; and then there is nothing to be had. */
    cl_int rc = end->first ? SL_PIPE_WOULD_WAIT : move_in_turn(end, write, packet);
    sl_spin_give(&end->end_lock);
    return rc;
}

/* The line; true if the transfer is at its head, for the caller to hand to the device. */
static bool line_up_in_turn(struct sl_host_end *end, cl_event e)
{
    e->u.pipe.next = NULL;
    e->u.pipe.in_line = true;
    bool first = !end->first;
    if (first)
        end->first = e;
    else
        end->last->u.pipe.next = e;
    end->last = e;
    return first;
}

static cl_int failure(const struct _cl_event *e)
{
    return e->work.u.pipe.write ? CL_PIPE_FULL : CL_PIPE_EMPTY;
}

void sl_host_transfer_run(cl_event e)
{
    struct sl_host_end *end = e->u.pipe.end;
    struct sl_pipe_transfer *transfer = &e->work.u.pipe;
    bool first = false, waits = false;
    sl_spin_take(&end->end_lock);
    cl_int rc =
        end->first ? SL_PIPE_WOULD_WAIT : move_in_turn(end, transfer->write, transfer->packet);
    if (rc == SL_PIPE_WOULD_WAIT && transfer->blocking) {
        waits = true;
        first = line_up_in_turn(end, e);
    }
    sl_spin_give(&end->end_lock);
    if (first)
        sl_command_hand_over(e);
    else if (!waits) {
        if (rc == SL_PIPE_WOULD_WAIT)
            sl_wait_asks(e->context, NULL);
        sl_command_finish(e, rc == SL_PIPE_WOULD_WAIT ? failure(e) : rc);
    }
}

/* Moves what can be moved now; the transfers that are done, and in *blocked the one for the device.
 */
static cl_event advance_line_in_turn(struct sl_host_end *end, cl_event *blocked)
{
    cl_event done = end->first, last = NULL;
    for (cl_event e; (e = end->first); last = e, end->first = e->u.pipe.next) {
        e->u.pipe.rc = move_in_turn(end, e->work.u.pipe.write, e->work.u.pipe.packet);
        if (e->u.pipe.rc == SL_PIPE_WOULD_WAIT)
            break;
        e->u.pipe.in_line = false;
    }
    *blocked = end->first;
    if (last)
        last->u.pipe.next = NULL;
    return last ? done : NULL;
}

/* The device is through with the head of the line. */
static void leave_line(struct sl_host_end *end, cl_event e)
{
    cl_event blocked;
    sl_spin_take(&end->end_lock);
    end->first = e->u.pipe.next;
    cl_event done = advance_line_in_turn(end, &blocked);
    sl_spin_give(&end->end_lock);
    if (blocked)
        sl_command_hand_over(blocked);
    for (cl_event next; done; done = next) {
        next = done->u.pipe.next;
        sl_command_finish(done, done->u.pipe.rc);
    }
}

void sl_host_transfer_finished(cl_event e)
{
    struct sl_code_ref *code = e->u.pipe.code;
    if (e->u.pipe.in_line)
        leave_line(e->u.pipe.end, e);
    sl_code_drop(code);
}
