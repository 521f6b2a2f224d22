/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of the kernel as the vector form has them: one scalar for all lanes, or a vector of lanes
 * per element; and how large they are.
 */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_VALUE_H
#define SL_KERNELS_VECTOR_OPERATIONS_VALUE_H

#include "vector/vector.h"

/* NULL: it is none of the region's. */
struct sl_vector_value *sl_vector_value(struct sl_vector *, LLVMValueRef);
uint32_t sl_vector_part_count(LLVMTypeRef); /* elements of a vector or struct type, else 1 */
LLVMTypeRef sl_vector_part_type(LLVMTypeRef, uint32_t part);
uint32_t sl_vector_part_bits(LLVMTypeRef); /* integers and floats of any width; of others 0 */
LLVMTypeRef sl_vector_wide_type(const struct sl_vector *, LLVMTypeRef element);
LLVMValueRef sl_vector_scalar(struct sl_vector *, LLVMValueRef); /* uniform, or lane 0's */
LLVMValueRef sl_vector_part(struct sl_vector *, LLVMValueRef, uint32_t part);
LLVMValueRef sl_vector_splat(struct sl_vector *, LLVMValueRef scalar);
LLVMValueRef sl_vector_splat_to(struct sl_vector *, LLVMValueRef scalar, uint32_t count);
LLVMValueRef sl_vector_iota(struct sl_vector *, LLVMTypeRef integer, int64_t stride);
LLVMValueRef sl_vector_lane(struct sl_vector *, LLVMValueRef value, LLVMValueRef lane);
LLVMValueRef sl_vector_any(struct sl_vector *, LLVMValueRef mask);
LLVMValueRef sl_vector_all(struct sl_vector *, LLVMValueRef mask);
bool sl_vector_all_run(struct sl_vector *); /* as is known here: v->mask has all lanes */
void sl_vector_set_scalar(struct sl_vector *, LLVMValueRef, LLVMValueRef now);
void sl_vector_set_part(struct sl_vector *, LLVMValueRef, uint32_t part, LLVMValueRef now);
/* The vectors that a value is kept in: its parts, or the one of an interleaved value. The last
 * ones: how a value, or a mask of items, is kept where it becomes `like`. */
uint32_t sl_vector_kept_count(struct sl_vector *, LLVMValueRef);
LLVMTypeRef sl_vector_kept_type(struct sl_vector *, LLVMValueRef, uint32_t k);
LLVMValueRef sl_vector_kept(struct sl_vector *, LLVMValueRef, LLVMValueRef like, uint32_t k);
LLVMValueRef sl_vector_kept_mask(struct sl_vector *, LLVMValueRef mask, LLVMValueRef like);
/* From here on the value is read from variables, which hold what it is now (if it is). */
void sl_vector_make_cells(struct sl_vector *, LLVMValueRef, bool wide);
void sl_vector_store_cells(struct sl_vector *, LLVMValueRef);

#endif
