/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who knows that a command failed. A failure that the application was not told of, and cannot ask
 * for any more since it has no event of the command, goes to the queue, whose next clFinish says
 * it (queue.h). Failing and the release of the last reference happen in any order and on any two
 * threads: of the two, the later one finds it so, once. Atomics only.
 */
#ifndef SL_DRIVER_COMMANDS_FAILURE_TOLD_H
#define SL_DRIVER_COMMANDS_FAILURE_TOLD_H

#include "commands/queue/command.h"

/* The application was given the status that the event ended with; no-op if that is no error. */
void sl_failure_told(cl_event, cl_int status);
/* The command ends with that error, which is its `result`; before the status is published. */
void sl_failure_happens(cl_event, cl_int status);
/* The application has no reference to the event any more, or never gets one. The caller holds it;
 * what a blocking call itself returns needs no such call. */
void sl_failure_unasked(cl_event);

#endif
