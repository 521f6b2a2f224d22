/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays: see the header. Counters are atomics; which commands a replay has, and whether it is
 * idle, is guarded by the command buffer's lock, but while it runs nobody changes it.
 */
#include "commands/recording/replay.h"
#include "base/thread/clock.h"

#include "base/log/error.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "commands/enqueue/transfer.h"
#include "commands/queue/command_trace.h"
#include "commands/queue/queue.h"
#include "commands/queue/start.h"

/* As many stay when enqueues have overlapped. */
enum { MOST_IDLE = 8 };

struct node {
    struct sl_step step;
    struct sl_work work; /* directly behind its step, see sl_step_of */
    cl_event body;       /* held: the recorded command; NULL while that is not complete */
    cl_event old;        /* the one before it, on its way out */
    uint32_t number;
    uint64_t started_ns; /* for the timeline */
    atomic_uint waits;   /* those that it waits for and that have not ended */
};
_Static_assert(offsetof(struct node, step) + sizeof(struct sl_step) == offsetof(struct node, work),
               "a work is found behind its step");

struct sl_replay {
    struct sl_replay *next;       /* among the buffer's idle ones */
    cl_command_buffer_khr buffer; /* borrowed: held by the command that runs it */
    cl_command_queue *queues;     /* owned: one for each lane, held by that command */
    uint64_t version;             /* of the buffer's commands */
    atomic_uint sinks;            /* that have not ended */
    atomic_int failed;            /* the first error */
    atomic_bool started;
    struct node nodes[];
};

static const struct sl_step_ops node_ops;

static void end_memory(struct sl_replay *replay)
{
    sl_free(replay->queues);
    sl_free(replay);
}

static struct node *node_of(const struct sl_step *step)
{
    return (struct node *)((char *)(uintptr_t)step - offsetof(struct node, step));
}

/* ---- what it consists of --------------------------------------------------------------------- */

/* Takes over what the buffer has now; what was there before is let go without the lock. */
static void refresh_locked(struct sl_replay *replay)
{
    const cl_command_buffer_khr buffer = replay->buffer;
    for (uint32_t i = 0; i < buffer->plan.count; i++) {
        struct node *node = &replay->nodes[i];
        cl_event body = buffer->recorded[i].body;
        if (node->body == body)
            continue;
        node->old = node->body;
        node->body = sl_hold(body);
        node->work = body->work;
    }
    replay->version = buffer->version;
}

static void drop_old(struct sl_replay *replay)
{
    for (uint32_t i = 0; i < replay->buffer->plan.count; i++) {
        sl_drop(replay->nodes[i].old);
        replay->nodes[i].old = NULL;
    }
}

/* Of a replay that is in no list. */
static void refresh(struct sl_replay *replay)
{
    pthread_mutex_lock(&replay->buffer->lock);
    refresh_locked(replay);
    pthread_mutex_unlock(&replay->buffer->lock);
    drop_old(replay);
}

struct sl_replay *sl_replay_create(cl_command_buffer_khr buffer)
{
    const struct sl_plan *plan = &buffer->plan;
    struct sl_replay *replay = sl_zalloc(sizeof *replay + plan->count * sizeof replay->nodes[0]);
    if (!replay)
        return NULL;
    replay->queues = sl_memdup(buffer->queues, buffer->lane_count * sizeof *buffer->queues);
    if (!replay->queues) {
        end_memory(replay);
        return NULL;
    }
    replay->buffer = buffer;
    for (uint32_t i = 0; i < plan->count; i++) {
        replay->nodes[i].number = i;
        replay->nodes[i].step.replayed = &node_ops;
        atomic_init(&replay->nodes[i].waits, plan->rows[i].waits);
    }
    refresh(replay);
    return replay;
}

void sl_replay_destroy(struct sl_replay *replay)
{
    if (!replay)
        return;
    for (uint32_t i = 0; i < replay->buffer->plan.count; i++)
        sl_drop(replay->nodes[i].body);
    end_memory(replay);
}

struct sl_replay *sl_replay_next(const struct sl_replay *replay)
{
    return replay->next;
}

static struct sl_replay *take(cl_command_buffer_khr buffer)
{
    pthread_mutex_lock(&buffer->lock);
    struct sl_replay *replay = buffer->idle;
    bool current = replay && replay->version == buffer->version;
    if (replay) {
        buffer->idle = replay->next;
        buffer->idle_count--;
    }
    pthread_mutex_unlock(&buffer->lock);
    if (!replay)
        return sl_replay_create(buffer);
    if (!current)
        refresh(replay);
    return replay;
}

struct sl_replay *sl_replay_take(cl_command_buffer_khr buffer, const cl_command_queue *queues)
{
    struct sl_replay *replay = take(buffer);
    for (cl_uint i = 0; replay && i < buffer->lane_count; i++)
        replay->queues[i] = queues[i];
    return replay;
}

/* True: it is up to date, and idle. */
static bool try_idle(struct sl_replay *replay, bool *too_many)
{
    const cl_command_buffer_khr buffer = replay->buffer;
    pthread_mutex_lock(&buffer->lock);
    const bool current = replay->version == buffer->version;
    *too_many = current && buffer->idle_count == MOST_IDLE;
    if (!current)
        refresh_locked(replay);
    if (current && !*too_many) {
        replay->next = buffer->idle;
        buffer->idle = replay;
        buffer->idle_count++;
    }
    pthread_mutex_unlock(&buffer->lock);
    return current;
}

void sl_replay_give_back(struct sl_replay *replay)
{
    bool too_many;
    while (!try_idle(replay, &too_many))
        drop_old(replay);
    if (too_many)
        sl_replay_destroy(replay);
}

void sl_replay_refresh_idle(cl_command_buffer_khr buffer)
{
    pthread_mutex_lock(&buffer->lock);
    struct sl_replay *list = buffer->idle;
    buffer->idle = NULL;
    buffer->idle_count = 0;
    pthread_mutex_unlock(&buffer->lock);
    while (list) {
        struct sl_replay *next = list->next;
        sl_replay_give_back(list);
        list = next;
    }
}

bool sl_replay_any(const struct sl_replay *replay,
                   bool (*ask)(const struct _cl_event *, const void *), const void *data)
{
    for (uint32_t i = 0; i < replay->buffer->plan.count; i++)
        if (ask(replay->nodes[i].body, data))
            return true;
    return false;
}

/* ---- running --------------------------------------------------------------------------------- */

static void fail(struct sl_replay *replay, cl_int status)
{
    int none = 0;
    atomic_compare_exchange_strong_explicit(&replay->failed, &none, status, memory_order_relaxed,
                                            memory_order_relaxed);
}

static void make_ready(struct node *node, cl_event command)
{
    node->step.command = command;
    sl_step_ready(&node->step);
}

static void end(struct sl_replay *replay, cl_event command)
{
    const cl_int failed = atomic_load_explicit(&replay->failed, memory_order_relaxed);
    sl_command_settle(command, failed ? failed : CL_COMPLETE);
}

/* The last of those that a node waits for also sets its count for the next time. */
static bool is_last(struct node *to, uint32_t waits)
{
    if (waits == 1)
        return true;
    if (atomic_fetch_sub_explicit(&to->waits, 1, memory_order_acq_rel) != 1)
        return false;
    atomic_store_explicit(&to->waits, waits, memory_order_relaxed);
    return true;
}

/* As soon as the last successor has been told, others may end the replay and the buffer with it:
 * from then on nothing of them is touched. */
static void end_node(struct node *node)
{
    const cl_event command = node->step.command;
    struct sl_replay *replay = command->u.replay;
    const struct sl_plan *plan = &replay->buffer->plan;
    const struct sl_plan_row row = plan->rows[node->number];
    if (command->caller_runs)
        return; /* who runs them does so in the order of the recording */
    if (row.first == row.after_last) {
        if (atomic_fetch_sub_explicit(&replay->sinks, 1, memory_order_acq_rel) == 1)
            end(replay, command);
        return;
    }
    for (uint32_t i = row.first; i < row.after_last; i++) {
        const uint32_t to = plan->successors[i];
        if (is_last(&replay->nodes[to], plan->rows[to].waits))
            make_ready(&replay->nodes[to], command);
    }
}

/* The answers of the device for a node's work: the first that starts starts the command. */
static void node_started(struct sl_step *step)
{
    struct sl_replay *replay = step->command->u.replay;
    if (sl_timeline_enabled())
        node_of(step)->started_ns = sl_now_ns();
    if (!atomic_load_explicit(&replay->started, memory_order_relaxed) &&
        !atomic_exchange_explicit(&replay->started, true, memory_order_relaxed))
        sl_command_started(step->command);
}

/* The context hears which of the commands failed, if it is the first. */
static void node_explain(const struct sl_step *step, const char *why)
{
    char name[256];
    sl_command_title(node_of(step)->body, name, sizeof name);
    sl_command_explain(step->command, name, why);
}

static void node_ended(struct sl_step *step, int status)
{
    struct node *node = node_of(step);
    if (status < 0) {
        node_explain(step, sl_error_name(status));
        fail(step->command->u.replay, status);
    }
    if (status < 0 || sl_timeline_enabled())
        sl_command_replayed(node->body, step->command, node->started_ns, status);
    end_node(node);
}

static cl_command_queue queue_of(const struct sl_step *step)
{
    const struct sl_replay *replay = step->command->u.replay;
    return replay->queues[replay->buffer->plan.rows[node_of(step)->number].lane];
}

static cl_command_queue node_submits_to(const struct sl_step *step)
{
    return node_of(step)->body->how == SL_HOW_DEVICE ? queue_of(step) : NULL;
}

static void node_run(struct sl_step *step)
{
    struct node *node = node_of(step);
    const cl_command_queue queue = queue_of(step);
    node->started_ns = 0; /* it may end without */
    const bool skipped =
        atomic_load_explicit(&step->command->u.replay->failed, memory_order_relaxed);
    if (!skipped && node->body->how == SL_HOW_DEVICE) {
        queue->impl->ops->submit(queue->work_queue, &node->work);
        return;
    }
    if (!skipped && node->body->how == SL_HOW_HOST) {
        node_started(step);
        sl_copy_on_host(&node->work.u.copy);
        node_ended(step, 0);
        return;
    }
    end_node(node);
}

static const struct sl_step_ops node_ops = {
    .run = node_run,
    .submits_to = node_submits_to,
    .started = node_started,
    .ended = node_ended,
    .explain = node_explain,
};

/* On the thread that enqueues, which is to run all of it before the call returns. */
static void run_here(struct sl_replay *replay, cl_event command)
{
    for (uint32_t i = 0; i < replay->buffer->plan.count; i++) {
        replay->nodes[i].step.command = command;
        node_run(&replay->nodes[i].step);
    }
    end(replay, command);
}

void sl_replay_start(cl_event command)
{
    struct sl_replay *replay = command->u.replay;
    const struct sl_plan *plan = &replay->buffer->plan;
    atomic_store_explicit(&replay->failed, 0, memory_order_relaxed);
    atomic_store_explicit(&replay->started, false, memory_order_relaxed);
    atomic_store_explicit(&replay->sinks, plan->sinks, memory_order_relaxed);
    if (command->caller_runs || !plan->count) {
        run_here(replay, command);
        return;
    }
    for (uint32_t i = 0; i < plan->root_count; i++)
        make_ready(&replay->nodes[plan->roots[i]], command);
}

void sl_replay_finished(cl_event command)
{
    pthread_mutex_lock(&command->queue->lock);
    struct sl_replay *replay = command->u.replay;
    command->u.replay = NULL;
    pthread_mutex_unlock(&command->queue->lock);
    sl_replay_give_back(replay);
}
