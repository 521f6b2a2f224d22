/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks of events (clSetEventCallback): kept with the event until the status is there that they
 * are for, then called on the callback thread, each once. Thread-safe. Spec 5.11.
 */
#ifndef SL_DRIVER_COMMANDS_EVENT_CALLBACK_H
#define SL_DRIVER_COMMANDS_EVENT_CALLBACK_H

#include "commands/queue/command.h"

struct sl_event_callback;
/*
 * Takes out the callbacks that are due at `status` (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or an
 * error); call it after the status was published. Each is taken once and retains the event.
 */
struct sl_event_callback *sl_event_due(cl_event, cl_int status);
/* Queues them on the callback thread. */
void sl_event_post(struct sl_event_callback *);

#endif
