/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of small elements, taken as one number per item. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_PACKED_H
#define SL_KERNELS_VECTOR_OPERATIONS_PACKED_H

#include "vector/vector.h"

/* An integer as large as a vector of small elements. NULL: there is none. */
LLVMTypeRef sl_vector_packed_type(LLVMTypeRef);
/* For all lanes. */
void sl_vector_unpack(struct sl_vector *, LLVMValueRef numbers, LLVMTypeRef, LLVMValueRef *parts);
LLVMValueRef sl_vector_pack(struct sl_vector *, LLVMValueRef *parts, LLVMTypeRef);

#endif
