/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of all lanes. */
#ifndef SL_KERNELS_VECTOR_MEMORY_MEMORY_H
#define SL_KERNELS_VECTOR_MEMORY_MEMORY_H

#include "vector/vector.h"

struct sl_vector_access {
    LLVMTypeRef type;  /* of one item's value */
    LLVMValueRef base; /* lane 0's address */
    int64_t stride;    /* bytes from lane to lane */
    uint32_t align;
    LLVMValueRef like; /* the access in the kernel, for its metadata; NULL: none */
    LLVMValueRef all;  /* what to store in memory's order; NULL: it is made from the parts */
};

bool sl_vector_can_access(LLVMTypeRef);
/* A number or pointer a vector of which lies in memory as an array does. */
bool sl_vector_has_bytes(LLVMTypeRef);
/* Of neighbours, in memory's order. */
LLVMValueRef sl_vector_load_all(struct sl_vector *, const struct sl_vector_access *);
/* What was loaded, in memory's order, where parts were made from that; else NULL. */
LLVMValueRef sl_vector_load_linear(struct sl_vector *, const struct sl_vector_access *,
                                   LLVMValueRef *parts);
void sl_vector_store_linear(struct sl_vector *, const struct sl_vector_access *,
                            LLVMValueRef *parts);
/* Each bit `count` times. */
LLVMValueRef sl_vector_repeat_mask(struct sl_vector *, LLVMValueRef mask, uint32_t count);
void sl_vector_emit_load(struct sl_vector *, LLVMValueRef);
void sl_vector_emit_store(struct sl_vector *, LLVMValueRef);

#endif
