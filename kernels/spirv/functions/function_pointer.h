/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to functions; instructions/call.c has the calls of what they say. */
#ifndef SL_KERNELS_SPIRV_FUNCTION_POINTER_H
#define SL_KERNELS_SPIRV_FUNCTION_POINTER_H

#include "spirv/module/module.h"

/* OpConstantFunctionPointerINTEL, which declares its function if nobody has. 1, or -1: failed. */
int sl_spirv_function_pointer(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
