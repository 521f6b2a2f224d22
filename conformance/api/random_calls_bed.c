/* SPDX-License-Identifier: Apache-2.0 */
/* See random_calls.h. A lock for each slot, held for the exchange of a handle only. */
#include "random_calls.h"

#include <stdlib.h>

enum { SLOTS = 6 };

static struct slot {
    pthread_mutex_t lock;
    void *object;
} slots[KINDS][SLOTS];
cl_context shared_context;
atomic_long callbacks_due;

unsigned draw(struct actor *actor, unsigned below)
{
    actor->state = actor->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((actor->state >> 33) % below);
}

/* ---- what is shared -------------------------------------------------------------------------- */

void hold(enum kind kind, void *object)
{
    CHECK_OK(kind == QUEUES     ? clRetainCommandQueue(object)
             : kind == PROGRAMS ? clRetainProgram(object)
                                : clRetainEvent(object));
}

void give_back(enum kind kind, void *object)
{
    CHECK_OK(kind == QUEUES     ? clReleaseCommandQueue(object)
             : kind == PROGRAMS ? clReleaseProgram(object)
                                : clReleaseEvent(object));
}

void *lend(struct actor *actor, enum kind kind)
{
    struct slot *slot = &slots[kind][draw(actor, SLOTS)];
    pthread_mutex_lock(&slot->lock);
    void *object = slot->object;
    if (object)
        hold(kind, object);
    pthread_mutex_unlock(&slot->lock);
    return object;
}

void replace(struct actor *actor, enum kind kind, void *object)
{
    struct slot *slot = &slots[kind][draw(actor, SLOTS)];
    pthread_mutex_lock(&slot->lock);
    void *old = slot->object;
    slot->object = object;
    pthread_mutex_unlock(&slot->lock);
    if (old)
        give_back(kind, old);
}

cl_command_queue new_shared_queue(struct actor *actor)
{
    cl_int rc;
    const cl_command_queue_properties properties =
        (draw(actor, 2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
        (draw(actor, 2) ? CL_QUEUE_PROFILING_ENABLE : 0);
    cl_command_queue queue = clCreateCommandQueue(shared_context, cl.device, properties, &rc);
    CHECK_OK(rc);
    return queue;
}

cl_program new_shared_program(unsigned variant)
{
    static const char *source = "kernel void triple(global uint *x, uint from, uint y) {\n"
                                "    size_t i = from + get_global_id(0); x[i] = x[i] * 3u + y; }\n";
    char options[] = "-DVARIANT=0";
    cl_int rc;
    cl_program program = clCreateProgramWithSource(shared_context, 1, &source, NULL, &rc);
    if (!CHECK_OK(rc))
        return NULL;
    options[sizeof options - 2] = (char)('0' + variant % 10);
    if (CHECK_OK(clBuildProgram(program, 0, NULL, options, NULL, NULL)))
        return program;
    CHECK_OK(clReleaseProgram(program));
    return NULL;
}

void open_shared(void)
{
    struct actor actor = {.state = 1};
    cl_int rc;
    shared_context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SLOTS; i++)
            pthread_mutex_init(&slots[kind][i].lock, NULL);
    for (unsigned i = 0; i < SLOTS; i++) {
        slots[QUEUES][i].object = new_shared_queue(&actor);
        slots[PROGRAMS][i].object = new_shared_program(i);
        REQUIRE(slots[QUEUES][i].object && slots[PROGRAMS][i].object);
    }
}

void close_shared(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SLOTS; i++) {
            if (slots[kind][i].object)
                give_back((enum kind)kind, slots[kind][i].object);
            slots[kind][i].object = NULL;
            pthread_mutex_destroy(&slots[kind][i].lock);
        }
    RELEASE_CONTEXT(shared_context);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void wait_for(struct step *step, cl_event event)
{
    hold(EVENTS, event);
    step->wait[step->count++] = event;
}

void begin(struct actor *actor, struct step *step)
{
    *step = (struct step){.queue = lend(actor, QUEUES)};
    if (actor->last)
        wait_for(step, actor->last);
    if (actor->gate && draw(actor, 2))
        wait_for(step, actor->gate);
    for (unsigned others = draw(actor, 3); others; others--) {
        cl_event event = lend(actor, EVENTS);
        if (event)
            step->wait[step->count++] = event;
    }
}

void end(struct actor *actor, struct step *step)
{
    for (cl_uint i = 0; i < step->count; i++)
        give_back(EVENTS, step->wait[i]);
    CHECK_OK(clFlush(step->queue)); /* others wait for it on queues of their own */
    give_back(QUEUES, step->queue);
    if (!step->event)
        return;
    if (actor->last)
        give_back(EVENTS, actor->last);
    actor->last = step->event;
}

void open_gate(struct actor *actor)
{
    if (!actor->gate)
        return;
    CHECK_OK(clSetUserEventStatus(actor->gate, CL_COMPLETE));
    give_back(EVENTS, actor->gate);
    actor->gate = NULL;
}

static void CL_CALLBACK came(cl_event event, cl_int status, void *memory)
{
    (void)event;
    CHECK_EQ(status, CL_COMPLETE);
    free(memory);
    atomic_fetch_sub(&callbacks_due, 1);
}

void free_after(cl_event event, void *memory)
{
    atomic_fetch_add(&callbacks_due, 1);
    CHECK_OK(clSetEventCallback(event, CL_COMPLETE, came, memory));
}

void expect_callback(cl_event event)
{
    free_after(event, NULL);
}
