/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors between memory's order and the lanes', for machines whose shuffles stay within half a
 * register. */
#ifndef SL_KERNELS_VECTOR_MEMORY_QUADS_H
#define SL_KERNELS_VECTOR_MEMORY_QUADS_H

#include "vector/vector.h"

/* Are there fewer instructions for these? */
bool sl_vector_has_quads(const struct sl_vector_facts *, LLVMTypeRef element, uint32_t count);
void sl_vector_load_quads(struct sl_vector *, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts);
LLVMValueRef sl_vector_store_quads(struct sl_vector *, LLVMValueRef *parts, uint32_t count);
/* Four words of each item, an item each. */
void sl_vector_transpose_quads(struct sl_vector *, const LLVMValueRef *items,
                               LLVMValueRef parts[4]);

#endif
