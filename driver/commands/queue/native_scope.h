/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue that a native command's function gets: a queue of its own whose commands all wait for
 * the command's dependencies and are kept, so that the command can end with them. Open while the
 * function runs. Any thread may enqueue meanwhile; `lock` is outside of queue->lock.
 */
#ifndef SL_DRIVER_COMMANDS_NATIVE_SCOPE_H
#define SL_DRIVER_COMMANDS_NATIVE_SCOPE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "commands/queue/command.h"

struct sl_native_scope {
    pthread_mutex_t lock;
    pthread_t caller;   /* the function's thread */
    cl_event gate;      /* borrowed from `commands`: what each of them waits for */
    bool open;          /* guarded, as what follows */
    cl_event *commands; /* owned, held: the gate first, then what was enqueued */
    cl_uint count, capacity;
};

/* A queue like `parent` with an open scope; one API reference. `gate`, which each of its commands
 * waits for and fails with, is held. */
cl_int sl_native_scope_create(cl_command_queue parent, cl_event gate, cl_command_queue *out);
/* No more commands. What came is in scope->commands from here on, unguarded. */
void sl_native_scope_close(struct sl_native_scope *);
/* Of a closed scope: one more, held. False: no memory. */
bool sl_native_scope_add(struct sl_native_scope *, cl_event);
/* Lets go of the commands, which hold the queue. */
void sl_native_scope_forget(struct sl_native_scope *);
/* With its queue. */
void sl_native_scope_free(struct sl_native_scope *);

/* In sl_command_submit: the command enters its queue and is the scope's. CL_INVALID_COMMAND_QUEUE:
 * the scope is closed; CL_INVALID_OPERATION: somebody would wait; CL_OUT_OF_HOST_MEMORY. */
cl_int sl_native_scope_admit(cl_event, cl_uint wait_count, bool blocking);
bool sl_native_scope_is_open(struct sl_native_scope *);
/* Whether this thread is in the function that the scope is for. */
bool sl_native_scope_is_here(struct sl_native_scope *);

/* Around the call of a function, in its thread; calls nest. */
void sl_native_function_begins(void);
void sl_native_function_ends(void);
/* Whether this thread is in any native command's function. */
bool sl_native_function_is_here(void);

#endif
