/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is the processor that this runs on shared at the moment? Where two processors are one core, or
 * belong to different guests of one machine, each takes half of what begins in a cycle, but a chain
 * of additions is as fast as ever: by it nobody notices. One thread's.
 */
#ifndef SL_BENCH_QUIET_H
#define SL_BENCH_QUIET_H

/* Moves all threads of the process to that of its processors which was most often alone for some
 * milliseconds. Their threads to come go there too. */
void sl_bench_find_quiet(void);
/* For about ten microseconds. Always so where nobody can tell. */
int sl_bench_is_quiet(void);

#endif
