/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See outlook.h. Two walks along the edges of the graph: from what is stuck to all that waits for
 * it, and from user events that are not set to what they keep. What neither reaches ends by itself.
 * The lock of waiting.h guards it all: no user event is set meanwhile, and the device's work does
 * not end, so what waits for either is there.
 */
#include "commands/device_callbacks/outlook.h"
#include "base/thread/clock.h"

#include "base/object/callback_thread.h"
#include "commands/device_callbacks/actors.h"
#include "commands/queue/command_order.h"
#include "commands/queue/queue.h"
#include "commands/queue/waiting.h"
#include "commands/recording/replay.h"
#include "program/compiler/compiler.h"
#include "program/object/host_end.h"

struct look {
    struct sl_device *device;
    const struct sl_stuck *stuck;
    uint64_t now;
    cl_event pending; /* reached, their dependents not yet; by look_next */
    bool gates;       /* the walk from user events */
    bool expected;    /* something is going to come */
    /* of the walk from what is stuck; NULL: nobody wants to know */
    void (*visit)(void *, const struct sl_behind *);
    void *data;
    const struct sl_work *first; /* where it is walked from */
    cl_command_queue queue;      /* of that */
};

/* Another device may have said so a moment ago. */
static bool is_stuck(const struct look *look, cl_event e)
{
    uint64_t at = atomic_load_explicit(&e->stuck_ns, memory_order_relaxed);
    return at && look->now - at <= look->stuck->lasting_ns;
}

static bool is_gated(const struct look *look, const struct _cl_event *e)
{
    return e->gated_ns == look->now;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static bool has_work_for(const struct _cl_event *e, const struct look *look)
{
    bool works = e->how == SL_HOW_DEVICE || sl_moves_host_packet(e);
    return works && e->queue->impl == look->device;
}

static bool helps(const struct _cl_event *e, const void *data)
{
    const struct look *look = data;
    return has_work_for(e, look) && look->stuck->helps(look->stuck->data, &e->work);
}

/* Or would lead to code of the application. */
static bool may_help(cl_event e, const struct look *look)
{
    if (atomic_load_explicit(&e->callbacks, memory_order_relaxed))
        return true;
    if (e->how != SL_HOW_REPLAY)
        return helps(e, look);
    return e->u.replay && sl_replay_any(e->u.replay, helps, look);
}

static void note_behind(const struct look *look, cl_event e)
{
    const struct sl_behind behind = {
        .work = &e->work,
        .first = look->first,
        .in_order = e->queue == look->queue && SL_QUEUE_IN_ORDER(e->queue),
    };
    if (behind.work == behind.first || !helps(e, look))
        return;
    look->visit(look->data, &behind);
}

static void reach(cl_event e, void *data)
{
    struct look *look = data;
    if (atomic_load_explicit(&e->stuck_ns, memory_order_relaxed) == look->now || is_gated(look, e))
        return;
    if (look->gates && is_stuck(look, e))
        return; /* and so is all behind it */
    if (look->gates) {
        e->gated_ns = look->now;
        look->expected |= may_help(e, look);
    } else {
        atomic_store_explicit(&e->stuck_ns, look->now, memory_order_relaxed);
        if (look->visit)
            note_behind(look, e);
    }
    e->look_next = look->pending;
    look->pending = e;
}

static void walk_from(struct look *look, cl_event e)
{
    reach(e, look);
    while ((e = look->pending)) {
        look->pending = e->look_next;
        sl_edge_each(e, reach, look);
    }
}

/* Transfers that are in line behind this one. */
static void walk_line(struct look *look, cl_event first)
{
    struct sl_host_end *end = first->u.pipe.end;
    if (!sl_spin_try(&end->end_lock)) {
        look->expected = true;
        return;
    }
    for (cl_event e = end->first; e; e = e->u.pipe.next)
        walk_from(look, e);
    sl_spin_give(&end->end_lock);
}

static void walk_stuck(struct look *look)
{
    for (uint32_t i = 0; i < look->stuck->count; i++) {
        struct sl_work *work = look->stuck->works[i];
        cl_event e = sl_step_of(work)->command;
        look->first = work;
        look->queue = e->queue;
        walk_from(look, e);
        if (work->kind == SL_WORK_PIPE)
            walk_line(look, e);
    }
}

static void walk_gated(struct look *look, cl_event user_events)
{
    look->gates = true;
    for (cl_event e = user_events; e && !look->expected; e = e->queue_next)
        walk_from(look, e);
}

/* ---- threads --------------------------------------------------------------------------------- */

static bool any_stuck_in(struct look *look, cl_command_queue queue)
{
    bool any = false;
    if (pthread_mutex_trylock(&queue->lock)) {
        look->expected = true;
        return false;
    }
    for (cl_event e = queue->live_head; e && !any; e = e->queue_next)
        any = is_stuck(look, e);
    pthread_mutex_unlock(&queue->lock);
    return any;
}

/* All that it waits for must end before it can go on. */
static bool sleeps_in_vain(struct look *look, const struct sl_wait *wait)
{
    const struct sl_awaited *among = wait->among;
    bool any = is_stuck(look, wait->event);
    for (cl_uint i = 0; among && !any && i < among->count; i++)
        any = is_stuck(look, among->list[i]);
    return any || (among && among->queue && any_stuck_in(look, among->queue));
}

static bool asks_in_vain(const struct look *look, const struct sl_asker *asker)
{
    const uint64_t lasting = look->stuck->lasting_ns;
    return asker->thread && look->now - asker->last_ns <= lasting &&
           asker->last_ns - asker->stuck_ns <= lasting;
}

/* Those that cannot act, to be left out of the threads there are. */
static bool count_idle(struct look *look, const struct sl_waiting *waiting, struct sl_idle *idle)
{
    bool asking = false;
    for (const struct sl_wait *at = waiting->sleepers; at; at = at->next) {
        look->expected |= !sleeps_in_vain(look, at);
        sl_idle_add(idle, at->thread);
    }
    for (int i = 0; i < SL_ASKERS; i++) {
        const struct sl_asker *asker = &waiting->askers[i];
        if (!asks_in_vain(look, asker))
            continue;
        asking = true;
        sl_idle_add(idle, asker->thread);
    }
    return asking;
}

static enum sl_outlook look_around(struct look *look, const struct sl_waiting *waiting)
{
    struct sl_idle idle = {0};
    walk_stuck(look);
    walk_gated(look, waiting->user_events);
    bool asking = count_idle(look, waiting, &idle);
    if (look->expected || sl_compiler_busy())
        return SL_OUTLOOK_EXPECTED;
    switch (sl_actors_look(&idle, sl_callback_busy(), look->now)) {
    case SL_ACTORS_BUSY:
        return SL_OUTLOOK_BUSY;
    case SL_ACTORS_QUIET:
        return SL_OUTLOOK_QUIET;
    case SL_ACTORS_NONE:
        break;
    }
    return asking ? SL_OUTLOOK_ASKING : SL_OUTLOOK_NOBODY;
}

enum sl_outlook sl_outlook(struct sl_device *device, const struct sl_stuck *stuck)
{
    const struct sl_waiting *waiting = sl_waiting_look();
    /* Behind the lock: whatever is marked by now was marked before. */
    struct look look = {.device = device, .stuck = stuck, .now = sl_now_ns()};
    enum sl_outlook outlook = look_around(&look, waiting);
    sl_waiting_leave();
    return outlook;
}

void sl_behind(struct sl_device *device, const struct sl_stuck *stuck,
               void (*visit)(void *data, const struct sl_behind *), void *data)
{
    sl_waiting_look();
    struct look look = {
        .device = device, .stuck = stuck, .now = sl_now_ns(), .visit = visit, .data = data};
    walk_stuck(&look);
    sl_waiting_leave();
}
