/* SPDX-License-Identifier: Apache-2.0 */
/* Strided access groups: elements in equal steps, several fields at once. */
#ifndef SL_KERNELS_VECTOR_MEMORY_RECORD_H
#define SL_KERNELS_VECTOR_MEMORY_RECORD_H

#include "vector/vector.h"

/* 0: it is no access of a record. */
uint32_t sl_vector_record_length(const struct sl_vector_facts *, LLVMValueRef access,
                                 uint32_t block);
/* False: it is none. */
bool sl_vector_load_record(struct sl_vector *, LLVMValueRef load);
bool sl_vector_store_record(struct sl_vector *, LLVMValueRef store);

#endif
