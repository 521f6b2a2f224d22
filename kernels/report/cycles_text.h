/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of a run with a clock, as a text for people. No shared state. */
#ifndef SL_KERNELS_REPORT_CYCLES_TEXT_H
#define SL_KERNELS_REPORT_CYCLES_TEXT_H

#include <stdio.h>

/* 0, or -1 with the reason in `why`: the text is no profile with the clock of a whole run. */
int sl_cycles_print(FILE *, const char *profile, size_t bytes, char *why, size_t size);

#endif
