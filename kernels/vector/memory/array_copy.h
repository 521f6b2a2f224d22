/* SPDX-License-Identifier: Apache-2.0 */
/* Fills and copies of private arrays become accesses of elements, in the kernel. */
#ifndef SL_KERNELS_VECTOR_MEMORY_ARRAY_COPY_H
#define SL_KERNELS_VECTOR_MEMORY_ARRAY_COPY_H

#include "ir/pass.h"

bool sl_vector_can_expand(LLVMValueRef call);
/* `element`: bytes of one. */
void sl_vector_expand_copy(LLVMValueRef call, uint64_t element);

#endif
