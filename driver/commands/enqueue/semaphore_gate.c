/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A gate belongs to the thread that watches, from when that has it. */
#include "commands/enqueue/semaphore_gate.h"

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/object/word_watch.h"
#include "base/thread/fork.h"
#include "commands/queue/command.h"

struct gate {
    struct sl_word_watch watch; /* first */
    cl_semaphore_khr semaphore; /* held, with its mapping */
    uint64_t number;
    cl_event event; /* our API reference: nobody else can set it */
};

static void finish(struct gate *gate)
{
    sl_clReleaseEvent(gate->event);
    sl_drop(gate->semaphore);
    sl_free(gate);
}

static bool look(struct sl_word_watch *watch)
{
    struct gate *gate = (struct gate *)(void *)watch;
    const enum sl_shared_state state =
        sl_shared_semaphore_look(&gate->semaphore->shared, gate->number);
    const bool shut = atomic_load_explicit(&gate->event->user_set, memory_order_acquire);
    if (state == SL_SHARED_PENDING && !shut)
        return true;
    sl_clSetUserEventStatus(gate->event, state == SL_SHARED_SIGNALED
                                             ? CL_COMPLETE
                                             : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    finish(gate);
    return false;
}

void sl_semaphore_gate_shut(cl_semaphore_khr semaphore, cl_event gate)
{
    sl_clSetUserEventStatus(gate, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    sl_shared_semaphore_poke(&semaphore->shared);
}

static cl_int open_gate(cl_semaphore_khr semaphore, uint64_t number, cl_event *out)
{
    cl_int rc = CL_SUCCESS;
    struct gate *gate = sl_zalloc(sizeof *gate);
    if (!gate)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for a wait");
    gate->event = sl_clCreateUserEvent(semaphore->context, &rc);
    if (rc) {
        sl_free(gate);
        return rc;
    }
    gate->watch.look = look;
    gate->watch.word = sl_shared_semaphore_word(&semaphore->shared);
    gate->semaphore = sl_hold(semaphore);
    gate->number = number;
    *out = sl_hold(gate->event);
    rc = sl_word_watch_add(&gate->watch);
    if (rc) {
        finish(gate);
        sl_drop(*out);
        *out = NULL;
    }
    return rc;
}

cl_int sl_semaphore_gate(cl_semaphore_khr semaphore, cl_event *gate)
{
    if (sl_forked()) /* before it takes a number that is the parent's */
        return sl_refuse(CL_OUT_OF_RESOURCES, "the process was forked");
    const uint64_t number = sl_shared_semaphore_expect(&semaphore->shared);
    *gate = NULL;
    if (sl_shared_semaphore_look(&semaphore->shared, number) == SL_SHARED_SIGNALED)
        return CL_SUCCESS;
    cl_int rc = open_gate(semaphore, number, gate);
    if (rc)
        sl_shared_semaphore_waited(&semaphore->shared);
    return rc;
}
