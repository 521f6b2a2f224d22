/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of OpenCL's vectors and fields of structs; `count`: parts of the result. */
#ifndef SL_KERNELS_VECTOR_OPERATIONS_ELEMENT_H
#define SL_KERNELS_VECTOR_OPERATIONS_ELEMENT_H

#include "vector/vector.h"

void sl_vector_emit_extract(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_insert(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_shuffle(struct sl_vector *, LLVMValueRef, uint32_t count);
void sl_vector_emit_field(struct sl_vector *, LLVMValueRef, uint32_t count);
void sl_vector_emit_regroup(struct sl_vector *, LLVMValueRef bitcast, uint32_t count);
/* Parts as they lie in memory, element after element, item after item. */
LLVMValueRef sl_vector_interleave(struct sl_vector *, LLVMValueRef *parts, uint32_t count);
/* The parts of that. */
void sl_vector_deinterleave(struct sl_vector *, LLVMValueRef all, uint32_t count,
                            LLVMValueRef *parts);
/* Every so many-th of its elements. */
LLVMValueRef sl_vector_every(struct sl_vector *, LLVMValueRef all, uint32_t step, uint32_t first);

#endif
