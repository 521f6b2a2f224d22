/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of a run: the member "clock" of a profile (docs/clock.schema.json), for
 * sl_design_from_json. No shared state. */
#ifndef SL_KERNELS_REPORT_DESIGN_CLOCK_H
#define SL_KERNELS_REPORT_DESIGN_CLOCK_H

#include <jansson.h>

#include "report/input/design.h"

/* Behind kernels, pipes, sites and loops. Nothing, if it is not the clock of a whole run. */
void sl_design_clock_read(struct sl_report_design *, const json_t *clock);

/* cycle_spans.c: what each kernel did in which cycles, in as many steps as can be seen. */
void sl_design_cycle_spans_read(struct sl_report_design *, const json_t *clock);
/* cycle_fills.c: what was in each pipe meanwhile, if all that happened was kept. */
void sl_design_cycle_fills_read(struct sl_report_design *, const json_t *clock);

#endif
