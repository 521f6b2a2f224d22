/* SPDX-License-Identifier: Apache-2.0 */
/* Items side by side of which some are accessed, for machines that cannot mask lanes of any width.
 */
#ifndef SL_KERNELS_VECTOR_MEMORY_SOME_LANES_H
#define SL_KERNELS_VECTOR_MEMORY_SOME_LANES_H

#include "vector/vector.h"

LLVMValueRef sl_vector_load_some(struct sl_vector *, LLVMTypeRef wide, LLVMValueRef at,
                                 LLVMValueRef mask, uint32_t align, LLVMValueRef like);
void sl_vector_store_some(struct sl_vector *, LLVMValueRef value, LLVMValueRef at,
                          LLVMValueRef mask, uint32_t align, LLVMValueRef like);

#endif
