/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a host pipe's read or write waits: transfers at the host's ends of program-scope pipes
 * (host_end.h). An end is used by one at a time; those that wait form a line, and only the first of
 * it is ever with the device. A blocking call polls a moment (host_pipe_enqueue.c), then sleeps for
 * its event (queue/event.c); the device waits for the kernel (devices/fpga/host_pipe/transfer.c).
 */
#ifndef SL_DRIVER_PIPES_HOST_PIPE_WAIT_H
#define SL_DRIVER_PIPES_HOST_PIPE_WAIT_H

#include "commands/queue/command.h"
#include "program/object/host_end.h"

/* Moves one packet if that can be done now and nobody is waiting: 0, or SL_PIPE_WOULD_WAIT. */
cl_int sl_host_end_try(struct sl_host_end *, bool write, void *packet);

/* host_run and on_finish of a command whose work is SL_WORK_PIPE and whose u.pipe is filled in. */
void sl_host_transfer_run(cl_event);
void sl_host_transfer_finished(cl_event);

#endif
