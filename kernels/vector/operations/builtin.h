/* SPDX-License-Identifier: Apache-2.0 */
/* Builtins that are one instruction of AVX-512 each. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_BUILTIN_H
#define SL_KERNELS_VECTOR_OPERATIONS_BUILTIN_H

#include "vector/vector.h"

/* The call is one of them (analysis/lane_builtin.h). */
void sl_vector_emit_builtin(struct sl_vector *, LLVMValueRef call);
/* `count` elements of a vector from the given one on, beyond its end anything; and the inverse:
 * `count` lanes out of vectors, which it changes. */
LLVMValueRef sl_vector_elements(struct sl_vector *, LLVMValueRef, uint32_t from, uint32_t count);
LLVMValueRef sl_vector_joined(struct sl_vector *, LLVMValueRef *vectors, uint32_t count);

#endif
