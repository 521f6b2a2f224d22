/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that all threads of api.random_calls share, and what a thread has of its own. A thread
 * lends an object, which holds it, and may find that another has replaced it meanwhile.
 *
 * Nobody waits for ever: an event that a thread has was returned by an earlier call, so commands
 * wait for older ones only; and who is about to wait opens his gate, the one event that only he can
 * end.
 */
#ifndef SLUICE_TEST_RANDOM_CALLS_H
#define SLUICE_TEST_RANDOM_CALLS_H

#include "cl_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NUMBERS = 1003, BUFFERS = 2 };

struct actor {
    uint64_t state; /* of its random numbers */
    cl_mem buffers[BUFFERS];
    cl_uint models[BUFFERS][NUMBERS]; /* what they hold when all that was enqueued is done */
    cl_event last;                    /* what the next command on the buffers waits for, or NULL */
    cl_event gate;                    /* a user event that commands wait for, or NULL */
};

unsigned draw(struct actor *actor, unsigned below);

/* ---- what is shared -------------------------------------------------------------------------- */

enum kind { QUEUES, PROGRAMS, EVENTS, KINDS };
extern cl_context shared_context;

void open_shared(void);
/* Releases all; the context goes with the last command that holds it. */
void close_shared(void);
/* One of a kind, held, or NULL. */
void *lend(struct actor *actor, enum kind kind);
/* Takes over the caller's hold. */
void replace(struct actor *actor, enum kind kind, void *object);
void give_back(enum kind kind, void *object);
void hold(enum kind kind, void *object);
cl_program new_shared_program(unsigned variant);
cl_command_queue new_shared_queue(struct actor *actor);

/* ---- a command on the actor's buffers -------------------------------------------------------- */

struct step {
    cl_command_queue queue; /* lent */
    cl_event wait[4];
    cl_uint count;
    cl_event event; /* out, of the command */
};

/* Waits for the last command on the buffers, perhaps for the gate and for what others do. */
void begin(struct actor *actor, struct step *step);
/* After the call that enqueues. */
void end(struct actor *actor, struct step *step);
#define WAITS(step) (step).count, (step).count ? (step).wait : NULL, &(step).event

void open_gate(struct actor *actor);
/* Memory for a command that does not block, freed by the callback of its event. */
void free_after(cl_event event, void *memory);
/* Callbacks that were set and have not come. */
extern atomic_long callbacks_due;
void expect_callback(cl_event event);

#endif
