/* SPDX-License-Identifier: Apache-2.0 */
/* Code for OpenCL vectors of items that are kept in memory's order (cost/interleaved.h). */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_INTERLEAVED_CODE_H
#define SL_KERNELS_VECTOR_OPERATIONS_INTERLEAVED_CODE_H

#include "vector/vector.h"

/* An instruction that makes such a value. */
void sl_vector_emit_interleaved(struct sl_vector *, LLVMValueRef);
/* Any OpenCL vector of items, in memory's order. */
LLVMValueRef sl_vector_interleaved(struct sl_vector *, LLVMValueRef);
/* One element of an interleaved one, lane by lane. */
LLVMValueRef sl_vector_lanes_of(struct sl_vector *, LLVMValueRef, uint32_t part);
/* For each element of each item, `count` of them, that of `from`: the same one in all items, the
 * item's number, or the same item's that the shuffle says (NULL: the same). */
enum sl_vector_source { SL_VECTOR_FROM_ONE, SL_VECTOR_FROM_NUMBERS, SL_VECTOR_FROM_ITEMS };
LLVMValueRef sl_vector_to_all(struct sl_vector *, LLVMValueRef from, enum sl_vector_source,
                              LLVMValueRef shuffle, uint32_t count);
/* What is done element by element, of as many elements as its operands have. */
bool sl_vector_is_elementwise(LLVMValueRef, uint32_t count);
/* It, on operands in memory's order. */
LLVMValueRef sl_vector_elementwise(struct sl_vector *, LLVMValueRef, LLVMValueRef *operands);
/* A shuffle all of whose elements are one number; NULL: another one. */
LLVMValueRef sl_vector_repeated_scalar(LLVMValueRef shuffle);
/* The same item's elements in another order. */
bool sl_vector_is_reordering(LLVMValueRef shuffle);

#endif
