/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_native_command: its functions, and one native command that its tests are made of: it
 * enqueues kernels which work on a buffer, and keeps what it has seen. Helpers end the case when
 * they fail.
 */
#ifndef SLUICE_TEST_NATIVE_COMMAND_HELP_H
#define SLUICE_TEST_NATIVE_COMMAND_HELP_H

#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>

extern clEnqueueNativeCommandSLUICE_fn enqueue_native;
extern clCompleteNativeCommandSLUICE_fn complete_native;

/* Has a kernel `affine`: x = x * factor + add. */
extern const char affine_source[];
enum { COUNT = 1003 }; /* numbers in its buffer */

/* What a function under test is given, and leaves behind. */
struct work {
    cl_kernel kernel;
    cl_mem buffer;
    cl_event child; /* wanted: of the last thing it enqueued */
    cl_event head;  /* of the first of several */
    cl_int answer;  /* what it returns */
    cl_int inside;  /* what a call of it returned */
    int steps;      /* kernels that it enqueues: x = x * 3 + step */
    int calls, destroyed;
    pthread_t caller;
    sluice_interop_handle seen;
    void *address; /* of the first memory object */
    cl_event gate; /* its first kernel waits for this too */
};

void find_functions(void);

/* A command of `steps` kernels, with a buffer of COUNT numbers from -500 on. Owned by the caller,
 * who gives it to end_work. */
struct work new_work(int steps);
void end_work(struct work *work);

/* The function and the destructor of a command whose data is a struct work. */
cl_int CL_CALLBACK run(const sluice_interop_handle *handle, void *data);
void CL_CALLBACK destroy(void *data);

/* What `run` does in a queue: the kernels of `work`. */
void enqueue_steps(struct work *work, cl_command_queue queue);

/* Enqueues the command, behind `after` unless that is NULL. */
cl_int submit(cl_command_queue queue, struct work *work, const cl_event *after, cl_event *event);

/* Compares the buffer with `steps` steps in plain C. */
void check_values(const struct work *work, int steps);

cl_event user_event(void);

#endif
