/* SPDX-License-Identifier: Apache-2.0 */
/* cl_event as the application sees it; the graph side is command.h. Spec 5.11, 5.14. */
#ifndef SL_DRIVER_COMMANDS_EVENT_H
#define SL_DRIVER_COMMANDS_EVENT_H

#include "commands/queue/command.h"

/* First use of a slot: its lock. */
void sl_event_prepare(cl_event);
/* Waits until nothing is left that the command, still in the making, has to wait for. */
void sl_event_await_turn(cl_event);
/* Wakes the threads that wait for this word; it may belong to a dead event by then. */
void sl_event_wake(atomic_int *word);

#endif
