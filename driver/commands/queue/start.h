/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting commands that have become ready: all that is ready on this thread, and what becomes
 * ready by it, in one walk. Thread-safe; called without locks.
 */
#ifndef SL_DRIVER_COMMANDS_START_H
#define SL_DRIVER_COMMANDS_START_H

#include "commands/queue/command.h"

/* From the enqueue call of `own`, whose last predecessor has ended. The device may hold it back. */
void sl_start(cl_event own);
/* Joins what this thread starts next: from within the start or the end of a command. */
void sl_step_ready(struct sl_step *);
/* From the enqueue call of a command of a queue whose callers run its commands: at once, whatever
 * else this thread is at, and to its end. */
void sl_start_here(cl_event);

/* sl_host_ops.started, finished, failed and ended. */
void sl_work_started(struct sl_work *);
void sl_work_finished(struct sl_work *, int status);
void sl_work_failed(struct sl_work *, const char *why);
void sl_work_ended(struct sl_work *);

#endif
