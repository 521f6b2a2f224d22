/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many packets a launch of a kernel writes and reads, where all its loops have constant
 * lengths: ends of a pipe that do not match are told before anything runs. No shared state.
 */
#ifndef SL_KERNELS_TIMING_TOTALS_H
#define SL_KERNELS_TIMING_TOTALS_H

#include "timing/network.h"

/* A line for each pipe with one kernel at either end of which neither total is a multiple of the
 * other (such a kernel may be launched more often), each line of the source but once; not of
 * kernels that are `stuck` (by kernel; may be NULL) anyway. Malloc'ed; NULL: nothing to tell, or no
 * memory. */
char *sl_totals_warn(const struct sl_network *, const bool *stuck);

#endif
