/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code for programs with many kernels, made on all processors: the process forks before
 * kernels are taken one by one, each child keeps some of them, says how they turned out and hands
 * its object file back. LLVM's contexts belong to one thread, but a copy of the whole process has
 * its own without a word being written.
 */
#ifndef SL_KERNELS_PARTS_H
#define SL_KERNELS_PARTS_H

#include "compiler/stage/stage.h"

/* sl_pass.divide: starts the children if it is worth that; each process goes on with the kernels
 * that are not marked `elsewhere`. 0, or -1 after pass->error says why. */
int sl_parts_start(struct sl_pass *);
/* After the passes: all that the first process must know of kernels elsewhere, for its tables. */
int sl_parts_exchange(struct sl_stages *);
/* In a child: hands over what it has and ends it. Never returns. */
_Noreturn void sl_parts_hand_over(struct sl_stages *, bool fine);
/* Waits for the children; their objects go to stages->objects. */
int sl_parts_collect(struct sl_stages *);
/* After a failure: children that still run are ended. */
void sl_parts_abandon(struct sl_stages *);

/* part_code.c: which code belongs to this part, under names that all parts know. */
void sl_part_share_names(struct sl_stages *);
void sl_part_keep_code(struct sl_stages *);
/* Once there are group functions: those of other parts are declared. */
void sl_part_join_kernels(struct sl_stages *);

#endif
