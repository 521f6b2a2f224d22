/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the application that wait for a command, or ask for its end again and again, and user
 * events that are not set yet. Devices are told, so that one whose kernels wait for each other can
 * say so (stall_report.h). Who is waiting for what is for outlook.c.
 * One lock of its own guards all of it; with it held nothing else is waited for.
 */
#ifndef SL_DRIVER_COMMANDS_WAITING_H
#define SL_DRIVER_COMMANDS_WAITING_H

#include <CL/cl.h>
#include <stdint.h>

/* What a call waits for beside the event it sleeps for. */
struct sl_awaited {
    cl_uint count;          /* of list */
    const cl_event *list;   /* the application's */
    cl_command_queue queue; /* all commands of it; or NULL */
};

/* A sleeping thread, on its own stack. */
struct sl_wait {
    struct sl_wait *next, *previous;
    cl_event event; /* held by the thread */
    const struct sl_awaited *among;
    int thread;
};

/* Around a sleep for a command. */
void sl_wait_begin(struct sl_wait *, cl_event, const struct sl_awaited *among);
void sl_wait_end(struct sl_wait *);
/* The calling thread has asked in vain: for the end of a command, or (event NULL) for a packet. */
void sl_wait_asks(cl_context, cl_event);
/* A new user event; it is about to be set: nobody who waits for it has heard yet. */
void sl_wait_user_event_made(cl_event);
void sl_wait_user_event_set(cl_event);

/* ---- for outlook.c --------------------------------------------------------------------------- */

/* A thread that has asked in vain. */
struct sl_asker {
    int thread;
    uint64_t last_ns, stuck_ns; /* when it last asked, and when that was known to be stuck then */
};
enum { SL_ASKERS = 32 };

struct sl_waiting {
    const struct sl_wait *sleepers;
    cl_event user_events;          /* by queue_next */
    const struct sl_asker *askers; /* SL_ASKERS */
};
/* With the lock, until sl_waiting_leave(). */
const struct sl_waiting *sl_waiting_look(void);
void sl_waiting_leave(void);

#endif
