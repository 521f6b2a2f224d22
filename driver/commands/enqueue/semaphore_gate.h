/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a wait for a shared semaphore waits for: a user event, which the thread that watches the
 * semaphore's word sets (word_watch.h). So the graph, and who looks for what stands still, know
 * that somebody else has to act, and no thread of a device is held. Any thread; no lock.
 */
#ifndef SL_DRIVER_COMMANDS_SEMAPHORE_GATE_H
#define SL_DRIVER_COMMANDS_SEMAPHORE_GATE_H

#include "commands/enqueue/semaphore.h"

/*
 * A wait is being enqueued. *gate: an event, held, that ends as the signal does; NULL: it has been
 * signaled. CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
 */
cl_int sl_semaphore_gate(cl_semaphore_khr, cl_event *gate);
/* There is no wait after all: the gate, which stays the caller's to drop, is not watched any more.
 */
void sl_semaphore_gate_shut(cl_semaphore_khr, cl_event gate);

#endif
