/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins that kernels only call, with rare arguments (builtins/rare.h): passes know them as
 * bitcode like all others, but their machine code is ready (ready_code.h).
 */
#ifndef SL_KERNELS_RARE_CODE_H
#define SL_KERNELS_RARE_CODE_H

#include "compiler/stage/stage.h"

/* Before the optimiser: they have code already. Nothing for processors that it was not made for. */
void sl_rare_code_leave_out(struct sl_stages *);

#endif
