/* SPDX-License-Identifier: Apache-2.0 */
/* Integer division and remainders of lanes. By a constant of up to 32 bits LLVM makes a product. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_DIVISION_H
#define SL_KERNELS_VECTOR_OPERATIONS_DIVISION_H

#include "vector/vector.h"

/* Of integers, or a remainder. */
bool sl_vector_is_division(LLVMValueRef);
void sl_vector_emit_division(struct sl_vector *, LLVMValueRef);

#endif
