/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in JSON. Stateless. */
#ifndef SL_KERNELS_TIMING_TEXT_H
#define SL_KERNELS_TIMING_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "timing/timing.h"

void sl_timing_text(FILE *, const char *text);
/* The line of the source without the space around it, as far as it is plain. */
void sl_timing_line(FILE *, const struct sl_timing_source *, uint32_t line);
/* What `print` writes, as a text. */
void sl_timing_made(FILE *, void (*print)(const void *data, FILE *), const void *data);

#endif
