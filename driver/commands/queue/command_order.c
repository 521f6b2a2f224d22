/* SPDX-License-Identifier: Apache-2.0 */
/* See command_order.h. queue->lock guards what is named _locked; the rest is atomics. */
#include "commands/queue/command_order.h"

#include "base/object/alloc.h"
#include "commands/queue/queue.h"
#include "sluice/base/wait.h"

/* In `out` of a finished command: no edge can be added any more. */
static struct sl_edge sealed;

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

void sl_edge_failure(cl_event e, cl_int status)
{
    int none = 0;
    atomic_compare_exchange_strong_explicit(&e->failed_wait, &none, status, memory_order_relaxed,
                                            memory_order_relaxed);
}

bool sl_edge_add(cl_event before, cl_event after, bool listed)
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
    /* Whoever goes on because it has ended must find it so; in its own queue the lock sees to that.
     */
    for (unsigned tries = 0; listed && atomic_load(&before->status) > CL_COMPLETE; tries++)
        sl_let_others(tries);
    if (listed && before->result < 0)
        sl_edge_failure(after, before->result);
    return false;
}

void sl_edge_each(cl_event before, void (*visit)(cl_event after, void *data), void *data)
{
    struct sl_edge *edge = atomic_load_explicit(&before->out, memory_order_acquire);
    for (; edge && edge != &sealed; edge = edge->next)
        visit(edge->to, data);
}

/* The stack has the newest edge first; dependents shall start in the order they were enqueued. */
static struct sl_edge *seal(cl_event e)
{
    struct sl_edge *edge = atomic_exchange_explicit(&e->out, &sealed, memory_order_acq_rel);
    struct sl_edge *first = NULL;
    while (edge) {
        struct sl_edge *next = edge->next;
        edge->next = first;
        first = edge;
        edge = next;
    }
    return first;
}

/* ---- the order of the queue ------------------------------------------------------------------ */

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
            sl_edge_add(before, e, false);
    else if (queue->barrier)
        sl_edge_add(queue->barrier, e, false);
    if (e->type == CL_COMMAND_BARRIER)
        queue->barrier = e;
}

bool sl_edge_enter_queue(cl_event e, cl_uint wait_count)
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
            sl_edge_add(queue->last, e, false);
        queue->last = e;
    }
    append_live_locked(queue, e);
    pthread_mutex_unlock(&queue->lock);
    return true;
}

void sl_edge_enter_failed(cl_event e)
{
    cl_command_queue queue = e->queue;
    pthread_mutex_lock(&queue->lock);
    e->serial = ++queue->serial;
    append_live_locked(queue, e);
    pthread_mutex_unlock(&queue->lock);
}

struct sl_edge *sl_edge_end(cl_event e, cl_int status)
{
    cl_command_queue queue = e->queue;
    struct sl_edge *out;
    if (!queue) {
        out = seal(e);
        atomic_store(&e->status, status);
        return out;
    }
    sl_queue_begin_leaving(queue);
    pthread_mutex_lock(&queue->lock);
    if (queue->last == e)
        queue->last = NULL;
    if (queue->barrier == e)
        queue->barrier = NULL;
    remove_live_locked(queue, e);
    out = seal(e);
    atomic_store(&e->status, status); /* sequentially consistent: see `waiters` and `callbacks` */
    pthread_mutex_unlock(&queue->lock);
    return out;
}
