/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: the build of a program that takes long is divided. What comes back is two
 * containers, one behind the other: an executable whose tables are complete, and the program as
 * clang left it (SL_BINARY_REST). A request SL_BUILD_FINISH makes the code of that, for one kernel
 * or for all, in whichever process. The executable's kernels have quick code, with which launches
 * of little work need not wait for better (SL_KERNEL_QUICK), or, in a program of very many, none.
 *
 * All that can refuse a program, and all that anybody may ask of its kernels, is known by then.
 */
#ifndef SL_KERNELS_DEFER_H
#define SL_KERNELS_DEFER_H

#include "stage.h"

/* What is left to do: the program is kept for later, and this build goes on with quick code. Not
 * where kernels share something that they change, nor where somebody watches how they are compiled.
 */
int sl_stage_postpone(struct sl_stages *);
/* Behind the tables: the kernels of a program of which even quick code takes long have none. */
int sl_stage_stand_in(struct sl_stages *);
/* The program of a request SL_BUILD_FINISH, or what the one kernel needs of it. */
int sl_stage_read_rest(struct sl_stages *);

#endif
