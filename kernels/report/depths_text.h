/* SPDX-License-Identifier: Apache-2.0 */
/* The least depths of a traced run's pipes, as a text for people. No shared state. */
#ifndef SL_KERNELS_REPORT_DEPTHS_TEXT_H
#define SL_KERNELS_REPORT_DEPTHS_TEXT_H

#include <stdio.h>

/* 0, or -1 with the reason in `why`: the text is no profile with a whole trace. */
int sl_depths_print(FILE *, const char *profile, size_t bytes, char *why, size_t size);

#endif
