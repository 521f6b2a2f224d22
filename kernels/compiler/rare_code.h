/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins that kernels only call, with rare arguments (builtins/rare.h): passes know them as bitcode
 * like all others, but their machine code was made with the compiler (builtins/tools/precompile.c)
 * and comes from the runtime archive when the module is linked.
 */
#ifndef SL_KERNELS_RARE_CODE_H
#define SL_KERNELS_RARE_CODE_H

#include "stage.h"

/* Before the optimiser: they have code already. Nothing for processors that it was not made for. */
void sl_rare_code_leave_out(struct sl_stages *);
/* Behind it, when nobody looks for them by name or makes calls of them any more: the names of that
 * code, and its calling convention. */
void sl_rare_code_rename(struct sl_stages *);

#endif
