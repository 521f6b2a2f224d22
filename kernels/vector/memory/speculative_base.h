/* SPDX-License-Identifier: Apache-2.0 */
/* Lane 0's address of an access with a speculative stride, and the question whether all lanes'
 * follow from it. */
#ifndef SL_KERNELS_VECTOR_MEMORY_SPECULATIVE_BASE_H
#define SL_KERNELS_VECTOR_MEMORY_SPECULATIVE_BASE_H

#include "vector/vector.h"

/* Lane 0's address, and whether all lanes' follow from it. */
LLVMValueRef sl_vector_speculative_base(struct sl_vector *, LLVMValueRef pointer,
                                        LLVMValueRef *sure);

#endif
