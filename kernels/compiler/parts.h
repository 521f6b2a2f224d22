/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code for programs with many kernels, made on all processors: the process forks, each child
 * keeps some of the kernels and hands its object file back. LLVM's contexts belong to one thread,
 * but a copy of the whole process has its own without a word being written.
 */
#ifndef SL_KERNELS_PARTS_H
#define SL_KERNELS_PARTS_H

#include "stage.h"

/* Prepares the module and starts the children if it is worth that; each process goes on with the
 * kernels that are left in its module. 0, or -1 after it has said why. */
int sl_parts_start(struct sl_stages *);
/* In a child: hands over what it has and ends it. Never returns. */
_Noreturn void sl_parts_hand_over(struct sl_stages *, bool fine);
/* Waits for the children; their objects go to stages->objects. */
int sl_parts_collect(struct sl_stages *);
/* After a failure: children that still run are ended. */
void sl_parts_abandon(struct sl_stages *);

#endif
