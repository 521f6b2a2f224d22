/* SPDX-License-Identifier: Apache-2.0 */
/* Lane by lane from or to addresses of their own. */
#ifndef SL_KERNELS_VECTOR_MEMORY_GATHER_H
#define SL_KERNELS_VECTOR_MEMORY_GATHER_H

#include "vector/vector.h"

void sl_vector_gather(struct sl_vector *, LLVMValueRef load, LLVMValueRef from,
                      LLVMValueRef *parts);
void sl_vector_scatter(struct sl_vector *, LLVMValueRef store, LLVMValueRef to,
                       LLVMValueRef *parts);
/* OpenCL vectors of the type that are anywhere go item by item, each as it lies in memory. */
bool sl_vector_moves_items(const struct sl_vector_facts *, LLVMTypeRef);
/* Items of an OpenCL vector each, in memory's order. */
LLVMValueRef sl_vector_gather_all(struct sl_vector *, LLVMValueRef load, LLVMValueRef from);
/* One part of each lane's value. */
LLVMValueRef sl_vector_gather_part(struct sl_vector *, LLVMTypeRef element, LLVMValueRef from,
                                   uint32_t align, LLVMValueRef like);
void sl_vector_gather_parts(struct sl_vector *, LLVMTypeRef, LLVMValueRef from, uint32_t align,
                            LLVMValueRef like, LLVMValueRef *parts);
/* Words that are so many bytes behind each lane's address. */
void sl_vector_gather_words(struct sl_vector *, LLVMValueRef from, int64_t offset, uint32_t count,
                            LLVMValueRef *words);
/* False: it is no vector of small elements. */
bool sl_vector_scatter_packed(struct sl_vector *, LLVMTypeRef, LLVMValueRef to, uint32_t align,
                              LLVMValueRef like, LLVMValueRef *parts);
void sl_vector_scatter_part(struct sl_vector *, LLVMValueRef part, LLVMValueRef to, uint32_t align,
                            LLVMValueRef like);
LLVMValueRef sl_vector_load_serially(struct sl_vector *, LLVMTypeRef element, LLVMValueRef from);
void sl_vector_store_serially(struct sl_vector *, LLVMValueRef part, LLVMValueRef to);
LLVMValueRef sl_vector_part_places(struct sl_vector *, LLVMValueRef places, uint64_t offset);

#endif
