/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command takes the packets of its pipes along to its device when it starts (pipe_sides.h), and
 * leaves the pipes when it ends. A command belongs to one thread at a time; no lock of its own.
 */
#ifndef SL_DRIVER_COMMANDS_PIPE_HANDOVER_H
#define SL_DRIVER_COMMANDS_PIPE_HANDOVER_H

#include "commands/queue/command.h"
#include "memory/pipe.h"

/* From now on the command, whose argument the pipe is, gets the packets when it starts. */
void sl_pipe_handover_attach(cl_event, const struct sl_mem_pipe *);

#endif
