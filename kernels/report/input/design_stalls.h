/* SPDX-License-Identifier: Apache-2.0 */
/* Stalls that were reported while a run was profiled, of its JSON. */
#ifndef SL_KERNELS_REPORT_DESIGN_STALLS_H
#define SL_KERNELS_REPORT_DESIGN_STALLS_H

#include <jansson.h>

#include "report/input/design.h"

/* After kernels and pipes. Anything else than an array of them: there were none. */
void sl_design_stalls_read(struct sl_report_design *, const json_t *stalls);
void sl_design_stalls_finish(struct sl_report_design *);

#endif
