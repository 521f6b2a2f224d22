/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code on demand: a program of many kernels of which few may ever be launched is compiled as far
 * as its tables go, and no kernel of it is optimised. What comes back is two containers, one behind
 * the other: an executable whose tables are complete and whose kernels have no code, and the
 * program as bitcode (SL_BINARY_REST). A request SL_BUILD_FINISH makes code of that, for one kernel
 * or for all, in whichever process.
 *
 * All that can refuse a program, and all that anybody may ask of its kernels, is known by then.
 */
#ifndef SL_KERNELS_DEFER_H
#define SL_KERNELS_DEFER_H

#include "stage.h"

/* Asked once the kernels are known: shall this program's code be made later? Never where kernels
 * share something that they change, nor where somebody watches how they are compiled. */
bool sl_defer_suits(const struct sl_stages *);

#endif
