/* SPDX-License-Identifier: Apache-2.0 */
/* Strided access groups: elements in equal steps, several fields at once. */
#ifndef SL_KERNELS_VECTOR_MEMORY_RECORD_H
#define SL_KERNELS_VECTOR_MEMORY_RECORD_H

#include "vector/vector.h"

/* 0: it is no access of a record. */
uint32_t sl_vector_record_length(const struct sl_vector_facts *, LLVMValueRef access,
                                 uint32_t block);
/* Of a record of whose elements half are accessed one behind the other, at least. */
bool sl_vector_shares_record(const struct sl_vector_facts *, LLVMValueRef access, uint32_t block);
/* As many lanes as there are, or fewer so that accesses in equal steps are of records: those of all
 * lanes together have a limit. */
uint32_t sl_vector_fit_records(const struct sl_vector_facts *);
/* False: it is none. */
bool sl_vector_load_record(struct sl_vector *, LLVMValueRef load);
bool sl_vector_store_record(struct sl_vector *, LLVMValueRef store);

#endif
