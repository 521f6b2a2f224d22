/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the kernel. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_CALL_H
#define SL_KERNELS_VECTOR_OPERATIONS_CALL_H

#include "vector/vector.h"

/* One that works element by element (analysis/lanewise_call.h), on other arguments. */
LLVMValueRef sl_vector_elementwise_call(struct sl_vector *, LLVMValueRef call, LLVMValueRef *args);
void sl_vector_emit_call(struct sl_vector *, LLVMValueRef);

#endif
