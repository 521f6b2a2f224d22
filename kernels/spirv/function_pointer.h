/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to functions. 1: translated; 0: not one of these; -1: failed. */
#ifndef SL_KERNELS_SPIRV_FUNCTION_POINTER_H
#define SL_KERNELS_SPIRV_FUNCTION_POINTER_H

#include "spirv/module.h"

/* OpConstantFunctionPointerINTEL, which declares its function if nobody has. */
int sl_spirv_function_pointer(struct sl_spirv *, const struct sl_spirv_instruction *);
/* OpFunctionPointerCallINTEL. */
int sl_spirv_call_pointer(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
