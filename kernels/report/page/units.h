/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of kernels and pipes in words, as one pipe, and the units of a kernel as a grid. */
#ifndef SL_KERNELS_REPORT_UNITS_H
#define SL_KERNELS_REPORT_UNITS_H

#include <stdio.h>

#include "report/groups.h"

enum { SL_UNITS_TEXT = 64 };

/* "element × 64"; NULL: out of memory. The caller frees it. */
char *sl_units_name(const struct sl_report_design *, const struct sl_design_group *);
/* "64 units, 8 × 8" */
const char *sl_units_words(const struct sl_report_design *, const struct sl_design_groups *,
                           size_t group, char out[SL_UNITS_TEXT]);
/* ", wait 3 to 40 %"; empty where nothing is known. */
void sl_units_waits(const struct sl_report_design *, const struct sl_design_groups *, size_t group,
                    char *out, size_t size);

/* All pipes of a group as one: packets are summed, what was waited and the fill are the most of
 * any, the mean of the mean fill. Its name is owned by the caller, all else by the design; no name:
 * out of memory. */
struct sl_design_pipe sl_units_pipe(const struct sl_report_design *,
                                    const struct sl_design_groups *, size_t group);

/* Of a pipe, by what its ends waited. */
const char *sl_units_colour(const struct sl_report_design *, const struct sl_design_pipe *);

/* An <svg> element: the units of a kernel at their places, and the pipes between them; nothing of
 * more units than can be looked at. */
void sl_report_grid(const struct sl_report_design *, const struct sl_design_groups *, size_t group,
                    FILE *);

#endif
