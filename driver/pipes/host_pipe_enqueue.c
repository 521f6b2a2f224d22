/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clEnqueueReadHostPipeINTEL, clEnqueueWriteHostPipeINTEL: one packet between the host and a
 * program-scope pipe. Whoever makes the command ready moves the packet; only a transfer that has to
 * wait goes to the device. No lock of its own.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/thread/clock.h"
#include "base/thread/fork.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/queue.h"
#include "pipes/host_pipe_wait.h"
#include "platform/platform.h"
#include "sluice/base/wait.h"

struct request {
    cl_command_queue queue;
    cl_program program;
    const char *symbol;
    void *packet;
    size_t size;
    bool write;
    struct sl_tail tail;
    struct sl_code_ref *code; /* counted */
    struct sl_host_end *end;  /* borrowed from code */
};

static cl_int check_objects(struct request *r)
{
    if (!sl_valid(r->queue, &sl_queue_type))
        return sl_refuse(CL_INVALID_COMMAND_QUEUE, "not a valid queue");
    if (!sl_valid(r->program, &sl_program_type))
        return sl_refuse(CL_INVALID_PROGRAM, "not a valid program");
    return sl_program_code_for(r->program, r->queue->context, r->queue->device, &r->code);
}

/* The text's CL_INVALID_SIZE has no number in any header. */
static cl_int check_transfer(struct request *r)
{
    if (!r->symbol || !r->packet)
        return sl_refuse(CL_INVALID_VALUE, r->symbol ? "ptr is NULL" : "no symbol");
    cl_int rc = sl_host_end_find(r->code, r->symbol, &r->end);
    if (rc)
        return rc;
    if (r->size != r->end->info->packet_bytes)
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes, packets of %s have %u", r->size, r->symbol,
                         r->end->info->packet_bytes);
    rc = sl_check_wait_list(r->queue->context, r->tail.wait_count, r->tail.wait_list);
    return rc ? rc : sl_host_end_claim(r->end, r->write, r->program, r->code);
}

enum attempt { MOVED, WOULD_WAIT, QUEUE_BUSY };

static enum attempt attempt(const struct request *r)
{
    if (!sl_queue_enter_idle(r->queue))
        return QUEUE_BUSY;
    cl_int rc = sl_host_end_try(r->end, r->write, r->packet);
    sl_queue_leave_idle(r->queue);
    return rc ? WOULD_WAIT : MOVED;
}

/* A kernel at the other end answers within a microsecond or two; a sleep costs more than that. */
enum { POLL_NS = 4000, ASSIST_EVERY = 8 };

/* The kernel may have been launched a moment ago, and no thread of the device has a processor. */
static void assist(cl_command_queue queue)
{
    const struct sl_device_ops *ops = queue->impl->ops;
    if (ops->assist)
        ops->assist(queue->work_queue);
}

/*
 * Where nobody could tell the difference (the queue is idle, no event, no trace) without a command.
 * Who may wait polls a moment.
 */
static bool moved_at_once(const struct request *r)
{
    if (r->tail.event || r->tail.wait_count || sl_forked() || sl_timeline_enabled() ||
        sl_trace_enabled(SL_TRACE_SCHEDULER))
        return false;
    enum attempt result = attempt(r);
    if (result != WOULD_WAIT || !r->tail.blocking)
        return result == MOVED;
    uint64_t end = sl_now_ns() + POLL_NS;
    for (unsigned n = 0; result == WOULD_WAIT && sl_now_ns() < end; n++) {
        if (n % ASSIST_EVERY == 0)
            assist(r->queue);
        sl_pause();
        result = attempt(r);
    }
    return result == MOVED;
}

/* *refused: no command has come of it. */
static cl_int submit(struct request *r, bool *refused)
{
    cl_event e;
    cl_command_type type =
        r->write ? CL_COMMAND_WRITE_HOST_PIPE_INTEL : CL_COMMAND_READ_HOST_PIPE_INTEL;
    cl_int rc = sl_command_create(r->queue, type, SL_HOW_HOST, &e);
    *refused = rc;
    if (rc)
        return rc;
    e->work.kind = SL_WORK_PIPE;
    e->work.u.pipe = (struct sl_pipe_transfer){
        .pipe = r->end->pipe, .packet = r->packet, .write = r->write, .blocking = r->tail.blocking};
    e->u.pipe.end = r->end;
    e->u.pipe.code = sl_code_hold(r->code);
    e->host_run = sl_host_transfer_run;
    e->on_finish = sl_host_transfer_finished;
    return sl_command_submit_or_refuse(e, r->tail.wait_count, r->tail.wait_list, r->tail.blocking,
                                       r->tail.event, refused);
}

static cl_int transfer(struct request *r)
{
    cl_int rc = check_objects(r);
    bool refused = false;
    if (!rc)
        rc = check_transfer(r);
    if (!rc && !moved_at_once(r))
        rc = submit(r, &refused);
    if (refused)
        sl_host_end_unclaim(r->end, r->program);
    sl_code_drop(r->code);
    return rc;
}

cl_int sl_clEnqueueReadHostPipeINTEL(cl_command_queue queue, cl_program program,
                                     const char *pipe_symbol, cl_bool blocking_read, void *ptr,
                                     size_t size, cl_uint wait_count, const cl_event *wait_list,
                                     cl_event *event)
{
    struct request r = {.queue = queue,
                        .program = program,
                        .symbol = pipe_symbol,
                        .packet = ptr,
                        .size = size,
                        .tail = {blocking_read, wait_count, wait_list, event, NULL}};
    return transfer(&r);
}

cl_int sl_clEnqueueWriteHostPipeINTEL(cl_command_queue queue, cl_program program,
                                      const char *pipe_symbol, cl_bool blocking_write,
                                      const void *ptr, size_t size, cl_uint wait_count,
                                      const cl_event *wait_list, cl_event *event)
{
    struct request r = {.queue = queue,
                        .program = program,
                        .symbol = pipe_symbol,
                        .packet = (void *)(uintptr_t)ptr,
                        .size = size,
                        .write = true,
                        .tail = {blocking_write, wait_count, wait_list, event, NULL}};
    return transfer(&r);
}
