/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenCL vectors of items, kept as memory would have them: all elements of the first item, those of
 * the next one, in one vector of lanes times elements. What loops keep and only meets others
 * element by element (float4 sums of a product of matrices, of a filter over pixels) is loaded and
 * stored as it is then, and fewer items than a register has words fill all of its words. Other
 * values have a vector of lanes per element, and are taken apart and put together where both kinds
 * meet.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_INTERLEAVED_H
#define SL_KERNELS_VECTOR_ANALYSIS_INTERLEAVED_H

#include "vector/vector.h"

/* interleaved.c: which values these are, and how many. Shapes are known then. */
uint32_t sl_vector_find_interleaved(struct sl_vector *);
bool sl_vector_is_interleaved(const struct sl_vector *, LLVMValueRef);
/* There are some, and loops compute with nothing else but addresses. */
bool sl_vector_all_interleaved(const struct sl_vector *);

/* interleaved_code.c: an instruction that makes such a value. */
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
