/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, specialized ones with the values that the program was given. */
#ifndef SL_KERNELS_SPIRV_CONSTANTS_H
#define SL_KERNELS_SPIRV_CONSTANTS_H

#include "spirv/module/module.h"

/* 1: it is one, and has its value; 0: it is none of those whose instruction has the value itself;
 * -1: failed. */
int sl_spirv_declare_constant(struct sl_spirv *, const struct sl_spirv_instruction *);
/* Of an array or structure; parts as in memory. */
LLVMValueRef sl_spirv_constant_aggregate(struct sl_spirv *, const struct sl_spirv_type *,
                                         LLVMValueRef *parts);
/* A sampler is made where it is used, as clang does. NULL: failed. */
LLVMValueRef sl_spirv_literal_sampler(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
