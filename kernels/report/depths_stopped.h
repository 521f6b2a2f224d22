/* SPDX-License-Identifier: Apache-2.0 */
/* What depths of pipes a run that stood still asks for. */
#ifndef SL_KERNELS_REPORT_DEPTHS_STOPPED_H
#define SL_KERNELS_REPORT_DEPTHS_STOPPED_H

#include <stdio.h>

#include "report/input/design.h"

/* Its trace ends where it stood still, so that it tells which pipes were too small there and not
 * what is enough. */
void sl_depths_print_stopped(FILE *, const struct sl_report_design *);

#endif
