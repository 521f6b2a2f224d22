/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dependency graph: building, ordering, starting and finishing commands, and the driver's side
 * of the device interface. queue->lock guards a command's place in its queue; everything else here
 * is atomics, see command.h.
 */
#include "command.h"

#include <string.h>

#include "alloc.h"
#include "command_trace.h"
#include "config.h"
#include "context.h"
#include "error.h"
#include "event.h"
#include "log.h"
#include "platform.h"
#include "queue.h"
#include "stall.h"
#include "timeline.h"

enum { ARGS_ALIGN = 128, ARGS_KEEP_BYTES = 4096, HELD_MIN = 8 };

/* In `out` of a finished command: no edge can be added any more. */
static struct sl_edge sealed;

/*
 * Commands that this thread made ready and has not yet started. Starting one may finish it and make
 * others ready; those join the list instead of nesting, so that chains of any length are fine.
 */
static _Thread_local struct {
    cl_event head, tail;
    bool running;
    unsigned answers; /* nesting depth of calls by a device */
} ready;

bool sl_inside_graph(void)
{
    return ready.running || ready.answers;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void drop_held(cl_event e)
{
    for (uint32_t i = 0; i < e->held_count; i++)
        sl_drop(e->held[i]);
    e->held_count = 0;
}

static void trim_kept(cl_event e)
{
    if (e->args_cap > ARGS_KEEP_BYTES) {
        sl_free(e->args_memory);
        e->args = e->args_memory = NULL;
        e->args_cap = 0;
    }
    if (e->more_edges_cap > 1024) {
        sl_free(e->more_edges);
        e->more_edges = NULL;
        e->more_edges_cap = 0;
    }
}

static void event_destroy(struct sl_object *object)
{
    cl_event e = (cl_event)object;
    drop_held(e);
    trim_kept(e);
    if (e->queue)
        sl_drop(e->queue); /* last: it may be the end of all the rest */
    else
        sl_drop(e->context);
}

static struct sl_object_pool event_pool = SL_OBJECT_POOL;
const struct sl_type sl_event_type = {.name = "event",
                                      .invalid = CL_INVALID_EVENT,
                                      .size = sizeof(struct _cl_event),
                                      .destroy = event_destroy,
                                      .pool = &event_pool,
                                      .kept = offsetof(struct _cl_event, work)};

cl_int sl_command_create(cl_command_queue queue, cl_command_type type, enum sl_command_how how,
                         cl_event *out)
{
    if (sl_forked())
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    cl_event e = sl_object_new(&sl_event_type);
    if (!e)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a command");
    e->queue = sl_hold(queue);
    e->context = queue->context;
    e->type = type;
    e->how = how;
    e->work.next = NULL;
    sl_event_prepare(e);
    atomic_init(&e->waits, 1);
    atomic_init(&e->status, CL_QUEUED);
    e->timed = queue->properties & CL_QUEUE_PROFILING_ENABLE || sl_timeline_enabled();
    if (e->timed)
        e->when_ns[SL_TIME_QUEUED] = sl_now_ns();
    sl_hold(e); /* the command's own, until it has finished */
    *out = e;
    return CL_SUCCESS;
}

cl_int sl_command_keep(cl_event e, void *object)
{
    if (!object)
        return CL_SUCCESS;
    if (e->held_count == e->held_cap) {
        uint32_t cap = e->held_cap ? e->held_cap * 2 : HELD_MIN;
        void **grown = sl_realloc(e->held, cap * sizeof *grown);
        if (!grown)
            return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %u holds", cap);
        e->held = grown;
        e->held_cap = cap;
    }
    e->held[e->held_count++] = sl_hold(object);
    return CL_SUCCESS;
}

cl_int sl_command_args(cl_event e, size_t bytes)
{
    if (bytes <= e->args_cap)
        return CL_SUCCESS;
    if (bytes > SIZE_MAX - 2 * ARGS_ALIGN)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "%zu bytes of arguments", bytes);
    size_t cap = (bytes + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
    void *memory = sl_alloc(cap + ARGS_ALIGN);
    if (!memory)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of arguments", bytes);
    sl_free(e->args_memory);
    e->args_memory = memory;
    e->args = (void *)(((uintptr_t)memory + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN);
    e->args_cap = cap;
    return CL_SUCCESS;
}

void sl_command_abandon(cl_event e)
{
    drop_held(e);
    sl_drop(e);
    sl_discard(e);
}

cl_int sl_check_wait_list(cl_context context, cl_uint wait_count, const cl_event *wait_list)
{
    if (!wait_count != !wait_list)
        return sl_refuse(CL_INVALID_EVENT_WAIT_LIST, "%u events, list %p", wait_count,
                         (const void *)wait_list);
    for (cl_uint i = 0; i < wait_count; i++)
        if (!sl_valid(wait_list[i], &sl_event_type))
            return sl_refuse(CL_INVALID_EVENT_WAIT_LIST, "event %u is not valid", i);
    for (cl_uint i = 0; i < wait_count; i++)
        if (wait_list[i]->context != context)
            return sl_refuse(CL_INVALID_CONTEXT, "event %u belongs to another context", i);
    return CL_SUCCESS;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool reserve_edges(cl_event e, size_t count)
{
    if (count <= (size_t)SL_INLINE_EDGES + e->more_edges_cap)
        return true;
    size_t cap = count - SL_INLINE_EDGES;
    if (cap > UINT32_MAX / 2)
        return false;
    /* The old content is of no interest: no edge of this command is in use yet. */
    struct sl_edge *grown = sl_alloc(cap * sizeof *grown);
    if (!grown)
        return false;
    sl_free(e->more_edges);
    e->more_edges = grown;
    e->more_edges_cap = (uint32_t)cap;
    return true;
}

static struct sl_edge *next_edge(cl_event e)
{
    uint32_t i = e->edge_count++;
    return i < SL_INLINE_EDGES ? &e->edges[i] : &e->more_edges[i - SL_INLINE_EDGES];
}

/* The first error stays; a listed event that failed fails us. */
static void note_failure(cl_event e, cl_int status)
{
    int none = 0;
    atomic_compare_exchange_strong_explicit(&e->failed_wait, &none, status, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* Room was reserved. Returns false if `before` has finished already: then there is no edge. */
static bool add_edge(cl_event before, cl_event after, bool listed)
{
    struct sl_edge *head = atomic_load_explicit(&before->out, memory_order_acquire);
    if (head != &sealed) {
        struct sl_edge *edge = next_edge(after);
        edge->to = after;
        edge->listed = listed;
        atomic_fetch_add_explicit(&after->waits, 1, memory_order_relaxed);
        do
            edge->next = head;
        while (head != &sealed &&
               !atomic_compare_exchange_weak_explicit(&before->out, &head, edge,
                                                      memory_order_acq_rel, memory_order_acquire));
        if (head != &sealed)
            return true;
        atomic_fetch_sub_explicit(&after->waits, 1, memory_order_relaxed);
        after->edge_count--;
    }
    if (listed && before->result < 0)
        note_failure(after, before->result);
    return false;
}

/* ---- the order of the queue -------------------------------------------------------------------
 */

static bool waits_for_all(const struct _cl_event *e, cl_uint wait_count)
{
    return !wait_count && (e->type == CL_COMMAND_MARKER || e->type == CL_COMMAND_BARRIER);
}

static void append_live_locked(cl_command_queue queue, cl_event e)
{
    e->queue_prev = queue->live_tail;
    if (queue->live_tail)
        queue->live_tail->queue_next = e;
    else
        queue->live_head = e;
    queue->live_tail = e;
}

static void remove_live_locked(cl_command_queue queue, cl_event e)
{
    *(e->queue_prev ? &e->queue_prev->queue_next : &queue->live_head) = e->queue_next;
    *(e->queue_next ? &e->queue_next->queue_prev : &queue->live_tail) = e->queue_prev;
}

/* The commands that one waiting for all must wait for, newest first: what came before an earlier
 * such command is waited for by that one, so thousands of markers do not need edges to each other.
 */
static cl_event next_to_join_locked(cl_event e)
{
    return e->joins ? NULL : e->queue_prev;
}

static size_t count_to_join_locked(cl_command_queue queue)
{
    size_t count = 0;
    for (cl_event e = queue->live_tail; e; e = next_to_join_locked(e))
        count++;
    return count;
}

static void link_out_of_order_locked(cl_command_queue queue, cl_event e, bool all)
{
    e->joins = all;
    if (all)
        for (cl_event before = queue->live_tail; before; before = next_to_join_locked(before))
            add_edge(before, e, false);
    else if (queue->barrier)
        add_edge(queue->barrier, e, false);
    if (e->type == CL_COMMAND_BARRIER)
        queue->barrier = e;
    append_live_locked(queue, e);
}

/* The edges of the queue's own order; false when memory is out and nothing was done. */
static bool enter_queue(cl_event e, cl_uint wait_count)
{
    cl_command_queue queue = e->queue;
    bool all = waits_for_all(e, wait_count) && !SL_QUEUE_IN_ORDER(queue);
    size_t live = 1;
    for (;;) {
        if (!reserve_edges(e, live + wait_count))
            return false;
        pthread_mutex_lock(&queue->lock);
        size_t needed = all ? count_to_join_locked(queue) : 0;
        if (needed <= live)
            break;
        live = needed + needed / 4; /* more may come before we are back */
        pthread_mutex_unlock(&queue->lock);
    }
    e->serial = ++queue->serial;
    if (!SL_QUEUE_IN_ORDER(queue)) {
        link_out_of_order_locked(queue, e, all);
    } else {
        if (queue->last)
            add_edge(queue->last, e, false);
        queue->last = e;
    }
    pthread_mutex_unlock(&queue->lock);
    return true;
}

/* Between these two a thread may be the last to hold the queue. */
static void begin_leaving(cl_command_queue queue)
{
    atomic_fetch_add_explicit(&queue->leaving, 1, memory_order_relaxed);
}

static void end_leaving(cl_command_queue queue)
{
    atomic_fetch_sub_explicit(&queue->leaving, 1, memory_order_release);
}

/* Publishing and leaving are one step: who finds the queue empty finds all commands ended. */
static void leave_queue(cl_event e, cl_int status)
{
    cl_command_queue queue = e->queue;
    begin_leaving(queue);
    pthread_mutex_lock(&queue->lock);
    if (queue->last == e)
        queue->last = NULL;
    if (queue->barrier == e)
        queue->barrier = NULL;
    if (!SL_QUEUE_IN_ORDER(queue))
        remove_live_locked(queue, e);
    atomic_store(&e->status, status); /* sequentially consistent: see `waiters` and `callbacks` */
    pthread_mutex_unlock(&queue->lock);
}

/* ---- the end of a command ----------------------------------------------------------------------
 */

static void stamp(cl_event e, int time)
{
    if (e->timed)
        e->when_ns[time] = sl_now_ns();
}

/* A device need not say when it started, and clocks of threads may be read in any order. */
static void settle_times(cl_event e, cl_int status)
{
    stamp(e, SL_TIME_ENDED);
    for (int i = SL_TIME_SUBMITTED; i < SL_TIME_COUNT; i++)
        if (e->when_ns[i] < e->when_ns[i - 1])
            e->when_ns[i] = e->when_ns[i - 1];
    sl_command_timeline(e, status);
}

static void report_failure(cl_event e, cl_int status)
{
    const char *name = sl_command_name(e->type);
    sl_log(SL_LOG_INFO, "cmd", "%s %p ended with %s", name, (void *)e, sl_error_name(status));
    if (e->how == SL_HOW_DEVICE && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        sl_context_notify(e->context, "%s ended with %s", name, sl_error_name(status));
}

static void make_ready(cl_event e)
{
    e->ready_next = NULL;
    if (ready.tail)
        ready.tail->ready_next = e;
    else
        ready.head = e;
    ready.tail = e;
}

/* The stack has the newest edge first; dependents shall start in the order they were enqueued. */
static struct sl_edge *reversed(struct sl_edge *edge)
{
    struct sl_edge *first = NULL;
    while (edge) {
        struct sl_edge *next = edge->next;
        edge->next = first;
        first = edge;
        edge = next;
    }
    return first;
}

static void release_dependents(struct sl_edge *edge, cl_int status)
{
    while (edge) {
        cl_event to = edge->to;
        bool listed = edge->listed;
        edge = edge->next; /* it is gone as soon as `to` is not ours to wait for */
        if (listed && status < 0)
            note_failure(to, status);
        if (atomic_fetch_sub_explicit(&to->waits, 1, memory_order_acq_rel) == 1)
            make_ready(to);
    }
}

/* Ends a command; its dependents go to this thread's ready list. */
static void settle(cl_event e, cl_int status)
{
    e->result = status;
    if (e->on_finish)
        e->on_finish(e);
    if (e->timed)
        settle_times(e, status);
    sl_command_trace(e, SL_STEP_ENDED, status);
    if (status < 0)
        report_failure(e, status);
    drop_held(e);
    struct sl_edge *out = atomic_exchange_explicit(&e->out, &sealed, memory_order_acq_rel);
    if (e->queue)
        leave_queue(e, status);
    else
        atomic_store(&e->status, status);
    bool waiters = atomic_load(&e->waiters);
    struct sl_event_callback *due = sl_event_due(e, status);
    /* Nobody who saw the status shall find traces of us: drop first, wake by address afterwards. */
    atomic_int *word = &e->status;
    cl_command_queue queue = e->queue;
    sl_drop(e);
    if (queue)
        end_leaving(queue);
    if (waiters)
        sl_event_wake(word);
    sl_event_post(due);
    release_dependents(reversed(out), status);
}

/* ---- starting ----------------------------------------------------------------------------------
 */

static void advance(cl_event e, cl_int status)
{
    atomic_store(&e->status, status);
    sl_event_post(sl_event_due(e, status));
}

static void start(cl_event e)
{
    stamp(e, SL_TIME_SUBMITTED);
    if (atomic_load_explicit(&e->failed_wait, memory_order_relaxed)) {
        settle(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        return;
    }
    sl_command_trace(e, SL_STEP_SUBMITTED, 0);
    switch (e->how) {
    case SL_HOW_DEVICE:
        advance(e, CL_SUBMITTED);
        e->queue->impl->ops->submit(e->queue->lane, &e->work);
        break;
    case SL_HOW_HOST:
        advance(e, CL_RUNNING);
        stamp(e, SL_TIME_STARTED);
        e->host_run(e);
        break;
    case SL_HOW_NOTHING:
        settle(e, CL_COMPLETE);
        break;
    case SL_HOW_USER:
        break;
    }
}

static cl_event take_ready(void)
{
    cl_event e = ready.head;
    if (e && !(ready.head = e->ready_next))
        ready.tail = NULL;
    return e;
}

void sl_command_hand_over(cl_event e)
{
    cl_command_queue queue = e->queue;
    begin_leaving(queue);
    sl_hold(queue);
    queue->impl->ops->submit(queue->lane, &e->work);
    sl_queue_flush(queue);
    sl_drop(queue);
    end_leaving(queue);
}

/* A command that becomes ready away from its enqueue call has nobody who would flush its lane; the
 * next one of the same queue flushes for both. */
static void start_and_flush(cl_event e)
{
    cl_command_queue queue = e->how == SL_HOW_DEVICE ? e->queue : NULL;
    if (queue && ready.head && ready.head->queue == queue && ready.head->how == SL_HOW_DEVICE)
        queue = NULL;
    if (!queue) {
        start(e);
        return;
    }
    begin_leaving(queue);
    sl_hold(queue);
    start(e);
    sl_queue_flush(queue);
    sl_drop(queue);
    end_leaving(queue);
}

/* `own` is the command of an enqueue call that is going on: the device may hold it back. */
static void start_ready(cl_event own)
{
    if (ready.running)
        return;
    ready.running = true;
    for (cl_event e; (e = take_ready());) {
        if (e == own)
            start(e);
        else
            start_and_flush(e);
        own = NULL;
    }
    ready.running = false;
}

void sl_command_finish(cl_event e, cl_int status)
{
    settle(e, status);
    start_ready(NULL);
}

void sl_command_started(cl_event e)
{
    stamp(e, SL_TIME_STARTED);
    sl_command_trace(e, SL_STEP_STARTED, 0);
    advance(e, CL_RUNNING);
}

/* ---- handing over ------------------------------------------------------------------------------
 */

/* Work of another queue may be held back by its lane until somebody waits there: nobody will. */
static void add_listed_edges(cl_event e, cl_uint wait_count, const cl_event *wait_list)
{
    for (cl_uint i = 0; i < wait_count; i++)
        if (add_edge(wait_list[i], e, true) && wait_list[i]->queue &&
            wait_list[i]->queue != e->queue)
            sl_queue_flush(wait_list[i]->queue);
}

static cl_int wait_for_end(cl_event e)
{
    cl_int status = sl_event_wait(e);
    if (status >= 0)
        return CL_SUCCESS;
    return sl_refuse(status, "the command failed");
}

cl_int sl_command_submit(cl_event e, cl_uint wait_count, const cl_event *wait_list, bool blocking,
                         cl_event *event)
{
    if (!enter_queue(e, wait_count)) {
        e->result = CL_OUT_OF_HOST_MEMORY;
        if (e->on_finish)
            e->on_finish(e);
        sl_command_abandon(e);
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the command's dependencies");
    }
    sl_command_trace(e, SL_STEP_QUEUED, 0);
    add_listed_edges(e, wait_count, wait_list);
    if (!event && !blocking)
        sl_discard(e); /* the application's reference; the command still holds itself */
    else if (event && !blocking)
        *event = e;
    if (atomic_fetch_sub_explicit(&e->waits, 1, memory_order_acq_rel) == 1) {
        make_ready(e);
        start_ready(e);
    }
    if (!blocking)
        return CL_SUCCESS;
    cl_int rc = wait_for_end(e);
    if (event && !rc)
        *event = e;
    else
        sl_discard(e);
    return rc;
}

/* ---- what devices call -------------------------------------------------------------------------
 */

static cl_event event_of(struct sl_work *work)
{
    return (cl_event)((char *)work - offsetof(struct _cl_event, work));
}

static void host_started(struct sl_work *work)
{
    sl_command_started(event_of(work));
}

static void host_finished(struct sl_work *work, int status)
{
    ready.answers++;
    sl_command_finish(event_of(work), status < 0 ? status : CL_COMPLETE);
    ready.answers--;
}

const struct sl_host_ops sl_host_ops = {
    .abi = SL_DEVICE_ABI,
    .size = sizeof(struct sl_host_ops),
    .started = host_started,
    .finished = host_finished,
    .log = sl_log,
    .log_enabled = sl_log_enabled,
    .config = sl_config_by_name,
    .stalled = sl_stalled,
};
