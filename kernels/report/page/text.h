/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the report pages. */
#ifndef SL_KERNELS_REPORT_TEXT_H
#define SL_KERNELS_REPORT_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Writes `text` so that HTML and SVG show it as it is, in attributes too. */
void sl_report_escaped(FILE *, const char *text);

/* "1.2 ms", "480 ns"; "12.3 M", "980": short forms for people. */
enum { SL_SHORT_TEXT = 32 };
const char *sl_report_time(char out[SL_SHORT_TEXT], uint64_t ns);
const char *sl_report_count(char out[SL_SHORT_TEXT], double count);

#endif
