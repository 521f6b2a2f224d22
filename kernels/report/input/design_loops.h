/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of a design, from a module's schedule or from a profile that has it. */
#ifndef SL_KERNELS_REPORT_DESIGN_LOOPS_H
#define SL_KERNELS_REPORT_DESIGN_LOOPS_H

#include <jansson.h>

#include "report/input/design.h"

/* Fills loops and clock of a design that has none yet; what is no schedule gives none. */
void sl_design_loops_read(struct sl_report_design *, const json_t *timing);
void sl_design_loops_from_text(struct sl_report_design *, const char *text); /* NULL: none */
void sl_design_loops_finish(struct sl_report_design *);

#endif
