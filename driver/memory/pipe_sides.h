/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipe object in a context of several devices with pipes: each has a ring of its own, and the
 * packets are in one of them. They go to a device's ring when a command with the pipe starts there,
 * so kernels on two devices may use it one after the other, as events or a queue order them. At the
 * same time they cannot: a command that starts while another device has the pipe ends with
 * CL_INVALID_OPERATION. Spec 5.4: the state of a pipe is handed on at synchronization points.
 */
#ifndef SL_DRIVER_MEMORY_PIPE_SIDES_H
#define SL_DRIVER_MEMORY_PIPE_SIDES_H

#include "memory/pipe.h"

/* The rings of `pipe`, which has none yet. CL_MEM_OBJECT_ALLOCATION_FAILURE,
 * CL_OUT_OF_HOST_MEMORY. */
cl_int sl_pipe_sides_create(cl_context, const struct sl_pipe_desc *, struct sl_mem_pipe *);
void sl_pipe_sides_destroy(struct sl_mem_pipe *);
/* The device's ring; NULL: it has none of this pipe. */
struct sl_pipe_ring *sl_pipe_ring_on(const struct sl_mem_pipe *, const struct sl_device *);
/* A command with the pipe starts on a device that has a ring of it: the packets go there. False:
 * another device has them and uses them. */
bool sl_pipe_sides_enter(struct sl_mem_pipe *, const struct sl_device *);
/* One that entered has ended. */
void sl_pipe_sides_leave(struct sl_mem_pipe *);

#endif
