/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a design can be at best, from the schedule that a build keeps (docs/timing.md). */
#ifndef SL_KERNELS_REPORT_DESIGN_BOUNDS_H
#define SL_KERNELS_REPORT_DESIGN_BOUNDS_H

#include <jansson.h>

#include "report/input/design.h"

/* Fills the bounds, and what was warned of, of a design whose pipes are known. */
void sl_design_bounds_read(struct sl_report_design *, const json_t *timing);
void sl_design_bounds_finish(struct sl_report_design *);

#endif
