/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the kernel. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_CALL_H
#define SL_KERNELS_VECTOR_OPERATIONS_CALL_H

#include "vector/vector.h"

/* It has a form for all lanes at once. */
bool sl_vector_is_lanewise_call(LLVMValueRef);
/* Element by element alike, whatever their number: such a call on other arguments. */
bool sl_vector_is_elementwise_call(LLVMValueRef);
LLVMValueRef sl_vector_elementwise_call(struct sl_vector *, LLVMValueRef call, LLVMValueRef *args);
void sl_vector_emit_call(struct sl_vector *, LLVMValueRef);

#endif
