/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a page: kernels, pipes, loops and call sites. What is drawn as one is folded. */
#ifndef SL_KERNELS_REPORT_TABLES_H
#define SL_KERNELS_REPORT_TABLES_H

#include <stdio.h>

#include "report/groups.h"

void sl_report_tables(const struct sl_report_design *, const struct sl_design_groups *, FILE *);

#endif
