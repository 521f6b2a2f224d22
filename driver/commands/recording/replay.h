/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command buffer as it runs: for each recorded command a node with a work of its own and a count
 * of those it still waits for. A node is started by the thread that ends the last of these, like
 * any command (start.h). Nothing is allocated, held or checked for a node that runs; a replay that
 * has ended is ready for the next enqueue. Enqueues that overlap have a replay each.
 * After a node that failed no other is started, and the command ends with its error.
 */
#ifndef SL_DRIVER_COMMANDS_RECORDING_REPLAY_H
#define SL_DRIVER_COMMANDS_RECORDING_REPLAY_H

#include "commands/recording/command_buffer.h"

struct sl_replay;

/* Commands that are there already are in it. NULL when memory is out. */
struct sl_replay *sl_replay_create(cl_command_buffer_khr) __attribute__((warn_unused_result));
void sl_replay_destroy(struct sl_replay *);                 /* NULL is a no-op */
struct sl_replay *sl_replay_next(const struct sl_replay *); /* among idle ones */
/* An idle one of the buffer, up to date, or a new one, that uses these queues, one for each lane;
 * NULL when memory is out. */
struct sl_replay *sl_replay_take(cl_command_buffer_khr, const cl_command_queue *)
    __attribute__((warn_unused_result));
/* It has ended, or will never run. */
void sl_replay_give_back(struct sl_replay *);
/* The buffer's commands have changed: idle replays let go of those of before. */
void sl_replay_refresh_idle(cl_command_buffer_khr);

/* For host_run of its command, whose u.replay it is, and for on_finish. */
void sl_replay_start(cl_event);
void sl_replay_finished(cl_event);
/* Asks each recorded command until one says yes; under the lock of the command's queue. */
bool sl_replay_any(const struct sl_replay *, bool (*ask)(const struct _cl_event *, const void *),
                   const void *data);

#endif
