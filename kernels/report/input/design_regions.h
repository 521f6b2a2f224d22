/* SPDX-License-Identifier: Apache-2.0 */
/* Regions between the barriers of a kernel, from the schedule of a build (docs/timing.md). */
#ifndef SL_KERNELS_REPORT_DESIGN_REGIONS_H
#define SL_KERNELS_REPORT_DESIGN_REGIONS_H

#include <jansson.h>

#include "report/input/design.h"

/* Fills the regions of a design that has none yet; of kernels whose groups have a known length. */
void sl_design_regions_read(struct sl_report_design *, const json_t *timing);
void sl_design_regions_finish(struct sl_report_design *);

#endif
