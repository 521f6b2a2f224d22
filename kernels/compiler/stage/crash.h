/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last words of a compiler process: when clang or LLVM crashes, the reason and the place in the
 * source that was being compiled, instead of silence.
 */
#ifndef SL_KERNELS_CRASH_H
#define SL_KERNELS_CRASH_H

#include <stddef.h>

/* For the calling thread; `report` is called once, in a signal handler, with a line of text. It
 * must not allocate. The process ends when it returns. */
void sl_crash_watch(void (*report)(const char *text, size_t bytes));

/* The stage that this process is in, for the message; a constant text. */
void sl_crash_stage(const char *name);

#endif
