/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in private arrays laid out by lane, and what is loaded from and stored to them. */
#ifndef SL_KERNELS_VECTOR_MEMORY_ARRAY_ACCESS_H
#define SL_KERNELS_VECTOR_MEMORY_ARRAY_ACCESS_H

#include "vector/vector.h"

void sl_vector_emit_place(struct sl_vector *, LLVMValueRef gep);
void sl_vector_load_element(struct sl_vector *, LLVMValueRef load, LLVMValueRef *parts);
void sl_vector_store_element(struct sl_vector *, LLVMValueRef store, LLVMValueRef *parts);

#endif
