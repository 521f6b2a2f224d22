/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The edges of the command graph and the order of a queue: who waits for whom. The edges to a
 * command's dependents are a lock-free stack in `out`, sealed when it has finished; queue->lock
 * guards a command's place in its queue. Spec: 5.12, 5.13.
 */
#ifndef SL_DRIVER_COMMANDS_COMMAND_ORDER_H
#define SL_DRIVER_COMMANDS_COMMAND_ORDER_H

#include "commands/queue/command.h"

/* Appends the command to its queue, with the edges of the queue's own order and room for
 * `wait_count` more; false when memory is out and nothing was done. */
bool sl_edge_enter_queue(cl_event, cl_uint wait_count);
/* One that has no place in the order, for it is about to end: it waits for nothing, and no command
 * of the queue for it. Needs no memory. */
void sl_edge_enter_failed(cl_event);
/* Publishes the final status and leaves the queue, if there is one, in one step: who finds the
 * queue empty, or no edge to be added, finds the command ended. Returns the edges there are, oldest
 * first: dependents shall start in the order in which they were enqueued. The caller ends with
 * sl_queue_end_leaving, if there is a queue. */
struct sl_edge *sl_edge_end(cl_event, cl_int status);

/* `after` waits for `before`; its room was reserved. False if `before` has finished already: then
 * there is no edge. A `listed` edge passes failures on. */
bool sl_edge_add(cl_event before, cl_event after, bool listed);
/* Calls visit() for each command that waits for `before`, which has not ended and does not while
 * this goes on. */
void sl_edge_each(cl_event before, void (*visit)(cl_event after, void *data), void *data);
/* A listed event failed; the first error stays. */
void sl_edge_failure(cl_event, cl_int status);

#endif
