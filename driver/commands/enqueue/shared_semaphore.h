/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a semaphore that contexts and processes share (cl_khr_external_semaphore_opaque_fd):
 * a page of memory behind a file descriptor, which all sides map.
 *
 * Signals are numbered in the order of the calls that enqueue them, and so are waits; the wait of a
 * number is for the signal of the same number. So it does not matter who looks first, a wait may
 * come before its signal, and nobody takes a signal that is for somebody else. Whoever dies with a
 * signal that was enqueued leaves a wait that never ends, as an event does that nobody sets.
 * All fields of the page are atomics; any thread of any process.
 */
#ifndef SL_DRIVER_COMMANDS_SHARED_SEMAPHORE_H
#define SL_DRIVER_COMMANDS_SHARED_SEMAPHORE_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_shared_page;
struct sl_shared_semaphore { /* all zeros: none */
    struct sl_shared_page *page;
    bool exportable; /* it made the page, and has a file: */
    int file;
};
enum sl_shared_state { SL_SHARED_PENDING, SL_SHARED_SIGNALED, SL_SHARED_FAILED };

/* CL_OUT_OF_RESOURCES */
cl_int sl_shared_semaphore_create(struct sl_shared_semaphore *out);
/* CL_INVALID_PROPERTY: the descriptor is none of a semaphore; CL_OUT_OF_RESOURCES. It stays the
 * application's. */
cl_int sl_shared_semaphore_import(int file, struct sl_shared_semaphore *out);
/* A new descriptor of an exportable one, closed by exec(): CL_OUT_OF_RESOURCES. */
cl_int sl_shared_semaphore_export(const struct sl_shared_semaphore *, int *file);
void sl_shared_semaphore_finish(struct sl_shared_semaphore *);

/* The number of a signal that is being enqueued; it ends with an error or without, once. */
uint64_t sl_shared_semaphore_promise(const struct sl_shared_semaphore *);
void sl_shared_semaphore_signal(const struct sl_shared_semaphore *, uint64_t number, cl_int status);
/* The number of a wait that is being enqueued, and how it is with the signal of that number. A
 * change of the word tells when to look again. */
uint64_t sl_shared_semaphore_expect(const struct sl_shared_semaphore *);
enum sl_shared_state sl_shared_semaphore_look(const struct sl_shared_semaphore *, uint64_t number);
atomic_uint *sl_shared_semaphore_word(const struct sl_shared_semaphore *);
/* Lets all who watch the word look again. */
void sl_shared_semaphore_poke(const struct sl_shared_semaphore *);
/* A wait has ended, however. */
void sl_shared_semaphore_waited(const struct sl_shared_semaphore *);
/* Signaled, and the wait for that has not ended. */
bool sl_shared_semaphore_payload(const struct sl_shared_semaphore *);

#endif
