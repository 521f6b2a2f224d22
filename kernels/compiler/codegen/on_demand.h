/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: the build of a program that takes long is divided. What comes back is two
 * containers, one behind the other: an executable whose tables are complete, and the program as
 * clang left it (SL_BINARY_REST). A request SL_BUILD_FINISH makes the code of that, for one kernel
 * or for all, in whichever process. Kernels of which one can tell how much work they are have quick
 * code in the executable, with which launches of little work need not wait for better
 * (SL_KERNEL_QUICK); others have none, nor has a program so large that even this takes long. Long
 * kernels are divided from each other even if none has it: hardly any application launches all.
 *
 * All that can refuse a program, and all that anybody may ask of its kernels, is known by then.
 * What the passes refuse on the way to quick code they are asked again without it
 * (sl_postponed_start_over).
 *
 * Shorter programs, and the second half for one kernel, lack something else: kernels whose
 * sub-groups go in step have no code for launches where those are no parts of rows
 * (SL_KERNEL_IN_STEP; it would be the longer of the two, and hardly any launch runs it), and those
 * that require a size none for launches whose last groups have less (SL_KERNEL_WHOLE_GROUPS). It is
 * made of the same SL_BINARY_REST, by a request for all forms.
 */
#ifndef SL_KERNELS_ON_DEMAND_H
#define SL_KERNELS_ON_DEMAND_H

#include "compiler/stage/stage.h"

/* What is left to do: the program is kept for later, and this build goes on with quick code. Not
 * where kernels share something that they change, nor where somebody watches how they are compiled;
 * nor where they share pipes, unless all kernels are launched, have quick code, and wait for each
 * packet, so that what they compute does not depend on when: both codes then use the pipes of the
 * first one (sluice/pipe.h).
 */
int sl_stage_postpone(struct sl_stages *);
/* Behind the tables: kernels that shall not have quick code have none. -1, and no message: it is
 * not worth it, the program is to start over. */
int sl_stage_stand_in(struct sl_stages *);
/* After a failure: the program is as it was when it was postponed, and will be built with one thing
 * less left out. 0, or -1: there was none. */
int sl_postponed_start_over(struct sl_stages *);
/* Is it the second half of a program with pipes? The first half has their memory. */
bool sl_rest_is_design(const struct sl_stages *);
/* The program of a request SL_BUILD_FINISH, or what the one kernel needs of it. */
int sl_stage_read_rest(struct sl_stages *);

#endif
