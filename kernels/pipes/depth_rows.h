/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_FPGA_DEPTHS: rows "a=5 b=7", `;` being a space as well. No state. */
#ifndef SL_KERNELS_PIPES_DEPTH_ROWS_H
#define SL_KERNELS_PIPES_DEPTH_ROWS_H

#include "pipes/pipe.h"

/* 0: no row names it. The last one counts. */
uint32_t sl_pipe_named_depth(const char *rows, const char *name);
/* A row that is mistyped would look like a depth that was tried: warnings with the names that there
 * are. Behind the declarations. */
void sl_pipe_warn_of_depths(struct sl_pass *);

#endif
