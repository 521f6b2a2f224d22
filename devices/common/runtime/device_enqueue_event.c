/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of kernels that kernels enqueue. What a kernel holds is a number: a slot and how often the
 * slot was used, so that one that is nobody's any more is told from its successor. All of it under
 * nest->lock.
 */
#include "common/runtime/device_enqueue.h"

#include <stdlib.h>

#include "common/base/values.h"
#include "sluice/base/wait.h"

enum { SUBMITTED = 2, COMPLETE = 0 }; /* CL_SUBMITTED, CL_COMPLETE; negative: failed */
enum { SLOT_BITS = 24 };

struct capture { /* of clGetEventProfilingInfo's kind, asked for before the end */
    struct capture *next;
    uint64_t *value;
};

struct sl_child_event {
    uint32_t slot;
    uint64_t serial; /* of this use of the slot; never 0 */
    unsigned refs;   /* the program's */
    int status;
    struct sl_child *node; /* that completes it; NULL: it is complete, or a user event */
    struct sl_child *root; /* whose tree it was made in */
    struct sl_child_event *prev, *next; /* of that tree; next also while free */
    struct sl_child_wait *waiters;
    struct capture *captures;
    uint64_t run_ns, whole_ns; /* once complete */
};

/* ---- slots ----------------------------------------------------------------------------------- */

static struct sl_child_event *new_slot_locked(struct sl_nest *nest)
{
    if (nest->event_count == nest->caps->max_device_events)
        return NULL;
    if (nest->event_count == nest->event_room) {
        uint32_t room = nest->event_room ? 2 * nest->event_room : 64;
        struct sl_child_event **events = realloc(nest->events, room * sizeof(void *));
        if (!events)
            return NULL;
        nest->events = events;
        nest->event_room = room;
    }
    struct sl_child_event *event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    event->slot = nest->event_count;
    nest->events[nest->event_count++] = event;
    return event;
}

uint64_t sl_child_event_new_locked(struct sl_nest *nest, struct sl_child *root,
                                   struct sl_child *node)
{
    struct sl_child_event *event = nest->free_events;
    if (event)
        nest->free_events = event->next;
    else if (!(event = new_slot_locked(nest)))
        return 0;
    *event = (struct sl_child_event){.slot = event->slot,
                                     .serial = event->serial + 1,
                                     .refs = 1,
                                     .status = SUBMITTED,
                                     .node = node,
                                     .root = root,
                                     .next = root->events};
    if (root->events)
        root->events->prev = event;
    root->events = event;
    if (node)
        node->event = event;
    return event->serial << SLOT_BITS | event->slot;
}

static void free_slot_locked(struct sl_nest *nest, struct sl_child_event *event)
{
    *(event->prev ? &event->prev->next : &event->root->events) = event->next;
    if (event->next)
        event->next->prev = event->prev;
    event->refs = 0;
    event->next = nest->free_events;
    nest->free_events = event;
}

struct sl_child_event *sl_child_event_find_locked(struct sl_nest *nest, uint64_t number)
{
    uint64_t slot = number & ((1u << SLOT_BITS) - 1);
    struct sl_child_event *event = slot < nest->event_count ? nest->events[slot] : NULL;
    bool is = event && event->refs && event->serial == number >> SLOT_BITS;
    return is ? event : NULL;
}

/* ---- completion ------------------------------------------------------------------------------ */

static void tell_waiters_locked(struct sl_child_event *event, struct sl_errands *errands)
{
    struct sl_child_wait *next;
    for (struct sl_child_wait *wait = event->waiters; wait; wait = next) {
        next = wait->next;
        wait->node->doomed |= event->status < 0;
        sl_child_arrived_locked(wait->node, errands);
    }
    event->waiters = NULL;
}

static void write_times(const struct sl_child_event *event, uint64_t *value)
{
    value[0] = event->run_ns;
    value[1] = event->whole_ns;
}

static void tell_captures_locked(struct sl_child_event *event, bool write)
{
    for (struct capture *capture; (capture = event->captures);) {
        event->captures = capture->next;
        if (write)
            write_times(event, capture->value);
        free(capture);
    }
}

void sl_child_event_set_locked(struct sl_nest *nest, struct sl_child_event *event, int status,
                               struct sl_errands *errands)
{
    if (event->node || event->status != SUBMITTED || status > COMPLETE)
        return;
    event->status = status;
    tell_waiters_locked(event, errands);
    if (!event->refs)
        free_slot_locked(nest, event);
}

void sl_child_event_fire_locked(struct sl_nest *nest, struct sl_child *node,
                                struct sl_errands *errands)
{
    struct sl_child_event *event = node->event;
    uint64_t run_ns = node->end_ns - node->start_ns, whole_ns = sl_clock_ns() - node->start_ns;
    event->node = NULL;
    event->status = node->status;
    event->run_ns = run_ns ? run_ns : 1; /* what has been is not nothing */
    event->whole_ns = whole_ns ? whole_ns : 1;
    tell_captures_locked(event, true);
    tell_waiters_locked(event, errands);
    node->event = NULL;
    if (!event->refs)
        free_slot_locked(nest, event);
}

/* ---- what programs do ------------------------------------------------------------------------ */

void sl_child_event_retain_locked(struct sl_child_event *event)
{
    if (event->refs < UINT32_MAX)
        event->refs++;
}

/* A user event that nobody can set any more fails what waits for it. */
void sl_child_event_release_locked(struct sl_nest *nest, struct sl_child_event *event,
                                   struct sl_errands *errands)
{
    if (--event->refs || event->node)
        return;
    if (event->status == SUBMITTED)
        sl_child_event_set_locked(nest, event, SL_EXEC_STATUS_ERROR, errands);
    else
        free_slot_locked(nest, event);
}

void sl_child_event_await_locked(struct sl_child_event *event, struct sl_child *node,
                                 struct sl_child_wait *wait)
{
    node->doomed |= event->status < 0;
    if (event->status != SUBMITTED)
        return;
    *wait = (struct sl_child_wait){.node = node, .next = event->waiters};
    event->waiters = wait;
    node->waits++;
}

void sl_child_event_profile_locked(struct sl_child_event *event, uint64_t *value)
{
    bool timed = event->node || event->run_ns; /* user events are not */
    if (event->status != SUBMITTED && timed)
        write_times(event, value);
    struct capture *capture = event->status == SUBMITTED && timed ? malloc(sizeof *capture) : NULL;
    if (!capture)
        return;
    *capture = (struct capture){event->captures, value};
    event->captures = capture;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What the program did not release. A kernel of another tree may wait for it nevertheless. */
void sl_child_events_end_locked(struct sl_nest *nest, struct sl_child *root,
                                struct sl_errands *errands)
{
    for (struct sl_child_event *event; (event = root->events);) {
        if (event->status == SUBMITTED)
            event->status = SL_EXEC_STATUS_ERROR;
        tell_waiters_locked(event, errands);
        free_slot_locked(nest, event);
    }
}

void sl_child_events_finish(struct sl_nest *nest)
{
    for (uint32_t i = 0; i < nest->event_count; i++) {
        tell_captures_locked(nest->events[i], false);
        free(nest->events[i]);
    }
    free(nest->events);
}
