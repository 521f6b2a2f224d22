/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors between memory's order and the lanes', for machines that take any elements of two
 * registers in one shuffle. */
#ifndef SL_KERNELS_VECTOR_MEMORY_PAIRS_H
#define SL_KERNELS_VECTOR_MEMORY_PAIRS_H

#include "vector/vector.h"

/* Are there fewer instructions for these? */
bool sl_vector_has_pairs(const struct sl_vector_facts *, LLVMTypeRef element, uint32_t count);
void sl_vector_load_pairs(struct sl_vector *, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts);
LLVMValueRef sl_vector_store_pairs(struct sl_vector *, LLVMValueRef *parts, uint32_t count);

#endif
