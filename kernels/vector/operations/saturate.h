/* SPDX-License-Identifier: Apache-2.0 */
/* Saturating conversions from floating point. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_SATURATE_H
#define SL_KERNELS_VECTOR_OPERATIONS_SATURATE_H

#include "vector/vector.h"

/* llvm.fptosi.sat or llvm.fptoui.sat to integers of 8, 16, 32 or 64 bits. */
LLVMValueRef sl_vector_saturate(struct sl_vector *, LLVMValueRef x, LLVMTypeRef element, bool sign);

#endif
