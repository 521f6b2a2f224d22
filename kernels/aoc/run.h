/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that lie beside this one. No state; one thread. */
#ifndef SL_KERNELS_AOC_RUN_H
#define SL_KERNELS_AOC_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that this program is in, with `below` behind it. -1: not known, or too long. */
int sl_aoc_beside(const char *below, char *out, size_t bytes);

/* Runs the program at this path and waits; `argv` ends with NULL. Its exit status; 128 and more:
 * ended by a signal; -1: it could not be started (errno). With `verbose` the command is shown
 * first. */
int sl_aoc_run(const char *path, char *const *argv, bool verbose);

/* Such a program is beside this one, or in PATH. */
bool sl_aoc_has(const char *name);

#endif
